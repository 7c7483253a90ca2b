// Measures the time of a server from exec to its first answer.
//
// Usage: startup --socket PATH [--bus] PROGRAM ARGUMENTS
//
// The answer is the reply to org.varlink.service.GetInfo, or with --bus the reply to Hello of a D-Bus daemon.

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// Connects as soon as a server listens.
static int connect_soon(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("The socket's path is too long.");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  for (uint64_t end = now_ns() + 10000000000; connect(descriptor, (void *)&address, sizeof address) < 0;) {
    if (now_ns() > end) fail("The server does not listen.");
    usleep(50);
  }
  return descriptor;
}

/// Reads `count` bytes, or up to a NUL if `count` is 0.
static void await_answer(int descriptor, size_t count) {
  char bytes[8192];
  for (size_t received = 0; count == 0 || received < count;) {
    ssize_t more = read(descriptor, bytes, sizeof bytes);
    if (more <= 0) fail("The server does not answer.");
    if (count == 0 && memchr(bytes, 0, (size_t)more)) return;
    received += (size_t)more;
  }
}

static void ask_router(int descriptor) {
  static const char call[] = "{\"method\":\"org.varlink.service.GetInfo\"}";
  write_all(descriptor, call, sizeof call);
  await_answer(descriptor, 0);
}

static void ask_bus(int descriptor) {
  // The user id is sent in decimal digits, encoded in hexadecimal (D-Bus Specification, "EXTERNAL").
  char user[16], request[64] = "AUTH EXTERNAL ";
  snprintf(user, sizeof user, "%u", getuid());
  char *end = request + strlen(request);
  for (char *digit = user; *digit; digit++) end += sprintf(end, "%02x", *digit);
  end += sprintf(end, "\r\n");
  write_all(descriptor, "", 1);
  write_all(descriptor, request, (size_t)(end - request));
  // The answer is "OK ", a 32-digit id and the end of the line.
  await_answer(descriptor, 37);

  static const char hello[] =
      "l\1\0\1\0\0\0\0\1\0\0\0\x6d\0\0\0"
      "\1\1o\0\x15\0\0\0/org/freedesktop/DBus\0\0\0"
      "\3\1s\0\5\0\0\0Hello\0\0\0"
      "\2\1s\0\x14\0\0\0org.freedesktop.DBus\0\0\0\0"
      "\6\1s\0\x14\0\0\0org.freedesktop.DBus\0\0\0";
  write_all(descriptor, "BEGIN\r\n", 7);
  write_all(descriptor, hello, sizeof hello);
  await_answer(descriptor, 1);
}

int run_startup(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  bool is_bus = has_option(count, arguments, "--bus");
  int first = is_bus ? 3 : 2;
  if (count <= first) fail("There is no program.");
  uint64_t start = now_ns();
  pid_t server = fork_companion();
  if (server == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(arguments[first], arguments + first);
    _exit(127);
  }
  int descriptor = connect_soon(path);
  if (is_bus) ask_bus(descriptor);
  else ask_router(descriptor);
  print_value("milliseconds", (double)(now_ns() - start) / 1e6);
  kill(server, SIGTERM);
  waitpid(server, NULL, 0);
  return 0;
}
