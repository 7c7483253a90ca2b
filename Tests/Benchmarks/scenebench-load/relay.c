// The least that a process between two others can do: one epoll set, frames found by their NUL, no JSON.
//
// Usage: relay --socket PATH [--addressed]
//
// A connection begins with the frame "S" (sender) or "R" (receiver) and is answered with its number, eight
// hexadecimal digits. Then frames go from the sender to the receiver and back, all those of one read in one
// write and without a look at what is in them. With --addressed any number of connections talk: each frame
// begins with the number of the connection it goes to, and what one round of epoll has collected for a
// connection is written at once.

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { input_capacity = 65536, maximum_connections = 65536, events_per_round = 64 };

struct connection {
  int descriptor;
  uint32_t number;
  char role;
  char *input;
  size_t input_count;
  /// What could not be written yet, or is collected until the end of the round.
  struct output pending;
  bool is_dirty;
  bool waits_for_room;
};

struct relay {
  int epoll;
  bool is_addressed;
  struct connection *sender;
  struct connection *receiver;
  struct connection *connections[maximum_connections];
  struct connection *dirty[maximum_connections];
  size_t dirty_count;
};

static struct relay relay;

static void wait_for_room(struct connection *connection, bool waits) {
  if (connection->waits_for_room == waits) return;
  connection->waits_for_room = waits;
  struct epoll_event interest = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.ptr = connection};
  epoll_ctl(relay.epoll, EPOLL_CTL_MOD, connection->descriptor, &interest);
}

/// Writes what there is room for; returns how much that was.
static size_t write_some(struct connection *connection, const char *bytes, size_t count) {
  ssize_t written = write(connection->descriptor, bytes, count);
  return written < 0 ? 0 : (size_t)written;
}

static void flush(struct connection *connection) {
  struct output *pending = &connection->pending;
  size_t written = write_some(connection, pending->bytes, pending->count);
  memmove(pending->bytes, pending->bytes + written, pending->count - written);
  pending->count -= written;
  wait_for_room(connection, pending->count > 0);
}

/// Sends at once if nothing is in the way.
static void send_now(struct connection *connection, const char *bytes, size_t count) {
  size_t written = connection->pending.count == 0 ? write_some(connection, bytes, count) : 0;
  if (written == count) return;
  append(&connection->pending, bytes + written, count - written);
  wait_for_room(connection, true);
}

/// Sends at the end of the round.
static void send_later(struct connection *connection, const char *bytes, size_t count) {
  append(&connection->pending, bytes, count);
  if (connection->is_dirty) return;
  connection->is_dirty = true;
  relay.dirty[relay.dirty_count++] = connection;
}

static void close_connection(struct connection *connection) {
  close(connection->descriptor);
  relay.connections[connection->number] = NULL;
  if (relay.sender == connection) relay.sender = NULL;
  if (relay.receiver == connection) relay.receiver = NULL;
  for (size_t i = 0; i < relay.dirty_count; i++) {
    if (relay.dirty[i] == connection) relay.dirty[i] = relay.dirty[--relay.dirty_count];
  }
  free(connection->input);
  free(connection->pending.bytes);
  free(connection);
}

static void greet(struct connection *connection, char role) {
  connection->role = role;
  if (role == 'S') relay.sender = connection;
  if (role == 'R') relay.receiver = connection;
  char number[9];
  snprintf(number, sizeof number, "%08x", connection->number);
  send_now(connection, number, sizeof number);
}

/// Forwards one frame to the connection that it names.
static void forward_addressed(const char *frame, size_t count) {
  uint32_t number = 0;
  for (int i = 0; i < 8; i++) {
    number = number << 4 | (uint32_t)(frame[i] <= '9' ? frame[i] - '0' : frame[i] - 'a' + 10);
  }
  struct connection *target = number < maximum_connections ? relay.connections[number] : NULL;
  if (target) send_later(target, frame, count);
}

static void receive(struct connection *connection) {
  char *input = connection->input;
  ssize_t count = read(connection->descriptor, input + connection->input_count,
                       input_capacity - connection->input_count);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return close_connection(connection);
  char *end = input + connection->input_count + count;
  char *search = input + connection->input_count;
  char *start = input;
  char *complete = input;
  for (char *nul; (nul = memchr(search, 0, (size_t)(end - search))); start = search = nul + 1) {
    if (!connection->role) {
      greet(connection, *start);
      complete = nul + 1;
    } else if (relay.is_addressed) {
      forward_addressed(start, (size_t)(nul + 1 - start));
    }
  }
  if (!relay.is_addressed && start > complete) {
    struct connection *peer = connection->role == 'S' ? relay.receiver : relay.sender;
    if (peer) send_now(peer, complete, (size_t)(start - complete));
  }
  connection->input_count = (size_t)(end - start);
  memmove(input, start, connection->input_count);
}

static void accept_connection(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) return;
  struct connection *connection = calloc(1, sizeof *connection);
  connection->descriptor = descriptor;
  while (relay.connections[connection->number]) connection->number++;
  connection->input = malloc(input_capacity);
  relay.connections[connection->number] = connection;
  struct epoll_event interest = {.events = EPOLLIN, .data.ptr = connection};
  epoll_ctl(relay.epoll, EPOLL_CTL_ADD, descriptor, &interest);
}

int run_relay(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  const char *path = option(count, arguments, "--socket", "");
  relay.is_addressed = has_option(count, arguments, "--addressed");

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("The socket's path is too long.");
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(listener, (void *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) {
    fail("Nowhere to listen: %s.", strerror(errno));
  }
  relay.epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event interest = {.events = EPOLLIN};
  epoll_ctl(relay.epoll, EPOLL_CTL_ADD, listener, &interest);

  struct epoll_event events[events_per_round];
  while (true) {
    int ready = epoll_wait(relay.epoll, events, events_per_round, -1);
    for (int i = 0; i < ready; i++) {
      struct connection *connection = events[i].data.ptr;
      if (!connection) {
        accept_connection(listener);
        continue;
      }
      if (events[i].events & EPOLLOUT) flush(connection);
      if (events[i].events & (EPOLLIN | EPOLLHUP)) receive(connection);
    }
    for (size_t i = 0; i < relay.dirty_count; i++) {
      relay.dirty[i]->is_dirty = false;
      flush(relay.dirty[i]);
    }
    relay.dirty_count = 0;
  }
}
