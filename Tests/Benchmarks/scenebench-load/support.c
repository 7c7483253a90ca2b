#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// MARK: Failures and time

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("scenebench-load: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// MARK: Processes

double resident_bytes(int process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", process);
  FILE *file = fopen(path, "r");
  long size, resident;
  if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) fail("There is no process %d.", process);
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

void raise_descriptor_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// MARK: Command line

const char *option(int count, char **arguments, const char *name, const char *fallback) {
  for (int i = 0; i + 1 < count; i++) {
    if (strcmp(arguments[i], name) == 0) return arguments[i + 1];
  }
  return fallback;
}

long number_option(int count, char **arguments, const char *name, long fallback) {
  const char *text = option(count, arguments, name, NULL);
  return text ? atol(text) : fallback;
}

bool has_option(int count, char **arguments, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(arguments[i], name) == 0) return true;
  }
  return false;
}

// MARK: Sockets

int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("The socket's path is too long.");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("No socket: %s.", strerror(errno));
  for (uint64_t end = now_ns() + 1000000000; connect(descriptor, (void *)&address, sizeof address) < 0;) {
    if (now_ns() > end) fail("Nobody listens at %s: %s.", path, strerror(errno));
    usleep(1000);
  }
  return descriptor;
}

void write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written <= 0) fail("Writing failed: %s.", strerror(errno));
    bytes += written;
    count -= (size_t)written;
  }
}

pid_t fork_companion(void) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) fail("No process: %s.", strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
  }
  return child;
}

// MARK: Frames

struct frames make_frames(void) {
  // The buffer is twice as large as the router's longest reply, which has 1 MiB.
  struct frames frames = {.capacity = 2 << 20};
  frames.bytes = malloc(frames.capacity);
  return frames;
}

bool read_more(struct frames *frames, int descriptor) {
  memmove(frames->bytes, frames->bytes + frames->start, frames->end - frames->start);
  frames->end -= frames->start;
  frames->start = 0;
  if (frames->end == frames->capacity) fail("A frame is longer than %zu bytes.", frames->capacity);
  ssize_t count = read(descriptor, frames->bytes + frames->end, frames->capacity - frames->end);
  if (count < 0) fail("Reading failed: %s.", strerror(errno));
  frames->end += (size_t)count;
  return count > 0;
}

char *next_frame(struct frames *frames, size_t *length) {
  char *start = frames->bytes + frames->start;
  char *end = memchr(start, 0, frames->end - frames->start);
  if (!end) return NULL;
  *length = (size_t)(end - start);
  frames->start += *length + 1;
  return start;
}

char *await_frame(struct frames *frames, int descriptor, size_t *length) {
  char *frame;
  while (!(frame = next_frame(frames, length))) {
    if (!read_more(frames, descriptor)) fail("The connection was closed.");
  }
  return frame;
}

void expect_success(const char *frame, size_t length) {
  if (length > 2 && frame[2] == 'e') fail("The answer was an error: %.*s", (int)length, frame);
}

void copy_member(const char *frame, size_t length, const char *name, char *value, size_t capacity) {
  char key[64];
  int key_length = snprintf(key, sizeof key, "\"%s\":\"", name);
  char *start = memmem(frame, length, key, (size_t)key_length);
  if (!start) fail("There is no '%s' in %.*s", name, (int)length, frame);
  start += key_length;
  char *end = memchr(start, '"', length - (size_t)(start - frame));
  if (!end || (size_t)(end - start) >= capacity) fail("'%s' is malformed.", name);
  memcpy(value, start, (size_t)(end - start));
  value[end - start] = 0;
}

// MARK: Collected output

void append(struct output *output, const char *bytes, size_t count) {
  if (output->count + count > output->capacity) {
    output->capacity = (output->count + count) * 2;
    output->bytes = realloc(output->bytes, output->capacity);
  }
  memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
}

void flush_to(struct output *output, int descriptor) {
  write_all(descriptor, output->bytes, output->count);
  output->count = 0;
}

// MARK: Samples

struct samples make_samples(size_t capacity) {
  struct samples samples = {.values = calloc(capacity, sizeof(uint32_t)), .capacity = capacity};
  return samples;
}

void note_sample(struct samples *samples, uint64_t nanoseconds) {
  if (samples->count < samples->capacity) {
    samples->values[samples->count++] = nanoseconds > UINT32_MAX ? UINT32_MAX : (uint32_t)nanoseconds;
  }
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

void print_samples(struct samples *samples, const char *prefix) {
  if (samples->count == 0) fail("Nothing was measured.");
  qsort(samples->values, samples->count, sizeof(uint32_t), compare);
  static const struct {
    const char *name;
    double part;
  } quantiles[] = {{"p50", 0.5}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1}};
  for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
    size_t index = (size_t)(quantiles[i].part * (double)samples->count);
    if (index >= samples->count) index = samples->count - 1;
    printf("%s%s %.3f\n", prefix, quantiles[i].name, samples->values[index] / 1000.0);
  }
}

void print_value(const char *name, double value) { printf("%s %.9g\n", name, value); }
