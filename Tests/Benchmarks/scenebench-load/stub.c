// A stub that answers the benchmark's clients in the router's place. It parses no JSON and makes no decisions, so that
// its figures show the cost of clients and kernel alone.
//
// Usage: stub --socket PATH
//
// The stub works in rounds. A round handles the connections that one epoll_wait(2) returns, and writes at its end what
// it has collected for each connection. Replies have the form and length of the router's replies.
//
// The stub reads these parts of a call:
// - the NUL after the call;
// - the first letter of the method's name, which tells what the call does;
// - of a new scene: the number after "/scene-" in its identifier, which names the scene;
// - of an event: the URL, and the number after "/scene-" in it, which names the scene;
// - of an acknowledgement: the number in the delivery's id, which names the event, and whether the call is `oneway`.

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  input_capacity = 65536,
  output_capacity = 1024,
  maximum_connections = 65536,
  maximum_scenes = 16384,
  maximum_events = 65536,
  maximum_url = 160,
  events_per_round = 64,
};

struct connection {
  int descriptor;
  bool is_scene;
  char *input;
  size_t input_count;
  /// The output of the round, and earlier output that could not be written yet.
  struct output output;
  bool is_dirty;
  bool waits_for_room;
};

/// An event that is under way.
struct event {
  /// The descriptor of the sender's connection.
  int sender;
  char url[maximum_url];
};

struct stub {
  int epoll;
  /// The connections, indexed by descriptor.
  struct connection *connections[maximum_connections];
  struct connection *dirty[maximum_connections];
  size_t dirty_count;
  struct connection *scenes[maximum_scenes];
  size_t scene_count;
  struct event events[maximum_events];
  size_t event_count;
};

static struct stub stub;

// MARK: Frames

/// Collects a frame for a connection; the main loop writes the frame after it has read from all ready connections.
static void send_later(struct connection *connection, const char *frame, int length) {
  append(&connection->output, frame, (size_t)length + 1);
  if (connection->is_dirty) return;
  connection->is_dirty = true;
  stub.dirty[stub.dirty_count++] = connection;
}

/// Returns the text after `key` in a frame; ends the process if the key is missing.
static const char *behind(const char *key, const char *frame, size_t length) {
  const char *found = memmem(frame, length, key, strlen(key));
  if (!found) fail("There is no %s in %.*s.", key, (int)length, frame);
  return found + strlen(key);
}

static size_t scene_number(const char *frame, size_t length) {
  return strtoul(behind("/scene-", frame, length), NULL, 10) % maximum_scenes;
}

static void open_stub_scene(struct connection *connection, const char *frame, size_t length) {
  connection->is_scene = true;
  stub.scenes[scene_number(frame, length)] = connection;
  stub.scene_count++;
  char reply[output_capacity];
  int count = snprintf(reply, sizeof reply,
                       "{\"parameters\":{\"opened\":{\"sceneId\":\"sm4hq-%zu\",\"sceneHandle\":\"%032zu\","
                       "\"generation\":1}},\"continues\":true}",
                       stub.scene_count, stub.scene_count);
  send_later(connection, reply, count);
}

static void deliver(struct connection *sender, const char *frame, size_t length) {
  struct connection *scene = stub.scenes[scene_number(frame, length)];
  size_t number = stub.event_count++ % maximum_events;
  struct event *event = &stub.events[number];
  const char *url = behind("\"url\":\"", frame, length);
  const char *end = memchr(url, '"', length - (size_t)(url - frame));
  if (!scene || !end || end - url >= maximum_url) fail("There is no scene for %.*s.", (int)length, frame);
  event->sender = sender->descriptor;
  memcpy(event->url, url, (size_t)(end - url));
  event->url[end - url] = 0;
  char delivery[output_capacity];
  int count = snprintf(delivery, sizeof delivery,
                       "{\"parameters\":{\"delivery\":{\"deliveryId\":\"em4hq-%zu\",\"decisionId\":\"dm4hq-%zu\","
                       "\"event\":{\"url\":\"%s\"},\"registrationIds\":[\"main\"],\"timeoutUSec\":10000000}},"
                       "\"continues\":true}",
                       number, number, event->url);
  send_later(scene, delivery, count);
}

static void acknowledge(struct connection *connection, const char *frame, size_t length) {
  size_t number = strtoul(behind("\"deliveryId\":\"em4hq-", frame, length), NULL, 10) % maximum_events;
  struct connection *sender = stub.connections[stub.events[number].sender];
  char reply[output_capacity];
  int count = snprintf(reply, sizeof reply,
                       "{\"parameters\":{\"decision\":{\"decisionId\":\"dm4hq-%zu\",\"generation\":1,"
                       "\"target\":\"scene\",\"rule\":\"preferring\",\"matchedPattern\":\"/scene-0/\","
                       "\"matchedString\":\"%s\",\"matchedField\":\"url\",\"sceneId\":\"sm4hq-1\","
                       "\"applicationId\":\"org.example.bench\",\"registrationIds\":[\"main\"]},"
                       "\"settlement\":{\"decisionId\":\"dm4hq-%zu\",\"deliveryId\":\"em4hq-%zu\","
                       "\"sceneId\":\"sm4hq-1\",\"result\":\"acknowledged\"},"
                       "\"attempts\":[{\"decisionId\":\"dm4hq-%zu\",\"deliveryId\":\"em4hq-%zu\","
                       "\"sceneId\":\"sm4hq-1\",\"result\":\"acknowledged\"}]}}",
                       number, stub.events[number].url, number, number, number, number);
  if (sender) send_later(sender, reply, count);
  if (!memmem(frame, length, "\"oneway\":true", 13)) send_later(connection, "{}", 2);
}

/// Carries out one call. Every call except `SendEvent`, `AcknowledgeDelivery` and `OpenScene` counts as
/// `GetStatistics`.
static void carry_out(struct connection *connection, const char *frame, size_t length) {
  static const char head[] = "{\"method\":\"io.scened.Router.";
  switch (length > sizeof head ? frame[sizeof head - 1] : 0) {
    case 'S': return deliver(connection, frame, length);
    case 'A': return acknowledge(connection, frame, length);
    case 'O': return open_stub_scene(connection, frame, length);
  }
  char reply[64];
  int count = snprintf(reply, sizeof reply, "{\"parameters\":{\"scenes\":%zu}}", stub.scene_count);
  send_later(connection, reply, count);
}

// MARK: Connections

static void flush(struct connection *connection) {
  struct output *output = &connection->output;
  ssize_t written = write(connection->descriptor, output->bytes, output->count);
  size_t count = written < 0 ? 0 : (size_t)written;
  memmove(output->bytes, output->bytes + count, output->count - count);
  output->count -= count;
  bool waits = output->count > 0;
  if (connection->waits_for_room == waits) return;
  connection->waits_for_room = waits;
  struct epoll_event interest = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.ptr = connection};
  epoll_ctl(stub.epoll, EPOLL_CTL_MOD, connection->descriptor, &interest);
}

static void close_connection(struct connection *connection) {
  close(connection->descriptor);
  stub.connections[connection->descriptor] = NULL;
  if (connection->is_scene) stub.scene_count--;
  for (size_t i = 0; i < maximum_scenes && connection->is_scene; i++) {
    if (stub.scenes[i] == connection) stub.scenes[i] = NULL;
  }
  for (size_t i = 0; i < stub.dirty_count; i++) {
    if (stub.dirty[i] == connection) stub.dirty[i] = stub.dirty[--stub.dirty_count];
  }
  free(connection->input);
  free(connection->output.bytes);
  free(connection);
}

static void receive(struct connection *connection) {
  char *input = connection->input;
  ssize_t count = read(connection->descriptor, input + connection->input_count,
                       input_capacity - connection->input_count);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return close_connection(connection);
  char *end = input + connection->input_count + count;
  char *start = input;
  char *search = input + connection->input_count;
  for (char *nul; (nul = memchr(search, 0, (size_t)(end - search))); start = search = nul + 1) {
    carry_out(connection, start, (size_t)(nul - start));
  }
  connection->input_count = (size_t)(end - start);
  memmove(input, start, connection->input_count);
}

static void accept_connection(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0 || descriptor >= maximum_connections) return;
  struct connection *connection = calloc(1, sizeof *connection);
  connection->descriptor = descriptor;
  connection->input = malloc(input_capacity);
  stub.connections[descriptor] = connection;
  struct epoll_event interest = {.events = EPOLLIN, .data.ptr = connection};
  epoll_ctl(stub.epoll, EPOLL_CTL_ADD, descriptor, &interest);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("The socket's path is too long.");
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(listener, (void *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) {
    fail("Nowhere to listen: %s.", strerror(errno));
  }
  return listener;
}

int run_stub(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  int listener = listen_at(option(count, arguments, "--socket", ""));
  stub.epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event interest = {.events = EPOLLIN};
  epoll_ctl(stub.epoll, EPOLL_CTL_ADD, listener, &interest);

  struct epoll_event events[events_per_round];
  while (true) {
    int ready = epoll_wait(stub.epoll, events, events_per_round, -1);
    for (int i = 0; i < ready; i++) {
      struct connection *connection = events[i].data.ptr;
      if (!connection) {
        accept_connection(listener);
        continue;
      }
      if (events[i].events & EPOLLOUT) flush(connection);
      if (events[i].events & (EPOLLIN | EPOLLHUP)) receive(connection);
    }
    for (size_t i = 0; i < stub.dirty_count; i++) {
      stub.dirty[i]->is_dirty = false;
      flush(stub.dirty[i]);
    }
    stub.dirty_count = 0;
  }
}
