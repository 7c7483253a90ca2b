/*
 * A program to be launched, which reports how it was started.
 *
 * ReportHowStarted FILE [ARGUMENT ...]
 *
 * Writes a line to FILE for each argument, variable, open descriptor and other trait, then a line "end". A newline is
 * written as "\n", a backslash as "\\", and a byte outside ASCII as "\xHH".
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void report(FILE *file, const char *trait, const char *text) {
  fprintf(file, "%s ", trait);
  for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
    if (*byte == '\n') fputs("\\n", file);
    else if (*byte == '\\') fputs("\\\\", file);
    else if (*byte < 0x20 || *byte >= 0x7f) fprintf(file, "\\x%02x", *byte);
    else fputc(*byte, file);
  }
  fputc('\n', file);
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  char text[4096];
  char *report_text;
  size_t size;
  struct stat status;
  struct rlimit limit;
  /* The report is kept in memory first, so that the file is not among the open descriptors. */
  FILE *lines = open_memstream(&report_text, &size);
  for (int i = 0; i < count; i++) {
    if (i != 1) report(lines, "argument", arguments[i]);
  }
  for (char **variable = environ; *variable; variable++) report(lines, "variable", *variable);
  for (int i = 0; i < 4096; i++) {
    if (fstat(i, &status) == 0) fprintf(lines, "descriptor %d\n", i);
  }
  fprintf(lines, "session %s\n", getsid(0) == getpid() ? "own" : "other");
  report(lines, "directory", getcwd(text, sizeof text));
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) fprintf(lines, "limit %llu\n", (unsigned long long)limit.rlim_cur);
  ssize_t length = readlink("/proc/self/fd/0", text, sizeof text - 1);
  text[length < 0 ? 0 : length] = 0;
  report(lines, "input", text);
  FILE *process = fopen("/proc/self/status", "re");
  while (process && fgets(text, sizeof text, process)) {
    if (strncmp(text, "Sig", 3) == 0 || strncmp(text, "Umask", 5) == 0) fputs(text, lines);
  }
  FILE *limits = fopen("/proc/self/limits", "re");
  while (limits && fgets(text, sizeof text, limits)) fputs(text, lines);
  fputs("end\n", lines);
  fclose(lines);
  int file = open(arguments[1], O_WRONLY);
  if (file < 0 || write(file, report_text, size) != (ssize_t)size) return 74;
  return 0;
}
