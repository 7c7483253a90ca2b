// Sender and receiver around the relay.
//
// Usage: relay-load --socket PATH [--events N] [--senders N] [--window N] [--receivers N]
//
// More than one sender or receiver needs a relay that was started with --addressed. A request is 200 bytes, as
// long as the router's.

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { message_length = 200, number_length = 8 };

/// Connects and learns the connection's number.
static int join(const char *path, const char *role, char number[number_length + 1]) {
  int descriptor = connect_to(path);
  write_all(descriptor, role, 2);
  for (size_t count = 0; count < number_length + 1;) {
    ssize_t received = read(descriptor, number + count, number_length + 1 - count);
    if (received <= 0) fail("The relay did not answer.");
    count += (size_t)received;
  }
  return descriptor;
}

static void fill(char message[message_length], const char *to, const char *from) {
  memset(message, 'x', message_length);
  memcpy(message, to, number_length);
  memcpy(message + number_length, from, number_length);
  message[message_length - 1] = 0;
}

/// Answers every frame with one of the same length, all those of one read at once.
static void answer(int epoll) {
  struct frames received = make_frames();
  struct output answers = {0};
  struct epoll_event events[64];
  while (true) {
    int count = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < count; i++) {
      int descriptor = events[i].data.fd;
      if (!read_more(&received, descriptor)) return;
      size_t length;
      for (char *frame; (frame = next_frame(&received, &length));) {
        char message[message_length];
        fill(message, frame + number_length, frame);
        append(&answers, message, sizeof message);
      }
      flush_to(&answers, descriptor);
    }
  }
}

/// The same for one connection, without epoll.
static void answer_one(int descriptor) {
  struct frames received = make_frames();
  struct output answers = {0};
  while (read_more(&received, descriptor)) {
    size_t length;
    for (char *frame; (frame = next_frame(&received, &length));) {
      char message[message_length];
      fill(message, frame + number_length, frame);
      append(&answers, message, sizeof message);
    }
    flush_to(&answers, descriptor);
  }
}

static void run_receivers(const char *path, size_t count, int ready) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  int last = -1;
  for (size_t i = 0; i < count; i++) {
    char number[number_length + 1];
    last = join(path, "R", number);
    struct epoll_event interest = {.events = EPOLLIN, .data.fd = last};
    epoll_ctl(epoll, EPOLL_CTL_ADD, last, &interest);
    write_all(ready, number, number_length);
  }
  if (count == 1) answer_one(last);
  else answer(epoll);
}

int run_relay_load(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  size_t events = (size_t)number_option(count, arguments, "--events", 10000);
  size_t receivers = (size_t)number_option(count, arguments, "--receivers", 1);
  struct senders senders = {
      .count = (size_t)number_option(count, arguments, "--senders", 1),
      .window = (size_t)number_option(count, arguments, "--window", 1),
      .request_length = message_length,
  };

  int ready[2];
  if (pipe(ready) < 0) fail("No pipe: %s.", strerror(errno));
  pid_t companion = fork_companion();
  if (companion == 0) {
    run_receivers(path, receivers, ready[1]);
    _exit(0);
  }
  char (*numbers)[number_length] = calloc(receivers, number_length);
  for (size_t i = 0; i < receivers; i++) {
    if (read(ready[0], numbers[i], number_length) != number_length) fail("There is no receiver.");
  }

  senders.descriptors = calloc(senders.count, sizeof(int));
  senders.requests = calloc(senders.count, sizeof(char *));
  for (size_t i = 0; i < senders.count; i++) {
    char number[number_length + 1];
    senders.descriptors[i] = join(path, "S", number);
    senders.requests[i] = malloc(message_length);
    fill(senders.requests[i], numbers[i % receivers], number);
  }
  run_senders(&senders, events / 20 + senders.count * senders.window, events);
  kill(companion, SIGKILL);
  waitpid(companion, NULL, 0);
  return 0;
}
