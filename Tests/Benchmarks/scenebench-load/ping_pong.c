// Two processes that answer each other over a socket pair: what the kernel alone takes.
//
// Usage: ping-pong [--events N]

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { message_length = 200 };

static void read_all(int descriptor, char *bytes, size_t count) {
  while (count > 0) {
    ssize_t received = read(descriptor, bytes, count);
    if (received <= 0) _exit(0);
    bytes += received;
    count -= (size_t)received;
  }
}

static uint64_t exchange(int descriptor, char *message) {
  uint64_t start = now_ns();
  write_all(descriptor, message, message_length);
  read_all(descriptor, message, message_length);
  return now_ns() - start;
}

int run_ping_pong(int count, char **arguments) {
  size_t events = (size_t)number_option(count, arguments, "--events", 10000);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) fail("No sockets: %s.", strerror(errno));
  char message[message_length];
  memset(message, 'x', sizeof message);
  if (fork_companion() == 0) {
    close(ends[0]);
    while (true) {
      read_all(ends[1], message, sizeof message);
      write_all(ends[1], message, sizeof message);
    }
  }
  close(ends[1]);
  for (size_t i = 0; i < events / 20; i++) exchange(ends[0], message);
  struct samples samples = make_samples(events);
  uint64_t start = now_ns();
  for (size_t i = 0; i < events; i++) note_sample(&samples, exchange(ends[0], message));
  print_value("rate", (double)events * 1e9 / (double)(now_ns() - start));
  print_samples(&samples, "");
  return 0;
}
