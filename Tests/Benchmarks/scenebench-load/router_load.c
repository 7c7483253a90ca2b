// Measures the router with senders and scenes.
//
// Usage: router-load --socket PATH [--events N] [--senders N] [--window N] [--scenes N] [--replied]
//                    [--seconds N]
//
// The senders are connections of one process. The scenes and the connection for acknowledgements belong to a second
// process. Sender i sends to scene i modulo the number of scenes. Acknowledgements are `oneway` calls. With --replied
// the second process waits for replies to acknowledgements. With --scenes 0 there is no second process; all senders
// send to a scene that another program (`scenebench-application`) has opened.

#define _GNU_SOURCE
#include "router.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

struct host {
  struct scene *scenes;
  size_t count;
  int calls;
  struct frames replies;
  struct output output;
  bool is_one_way;
};

/// Reads deliveries once from a scene's stream, and prepares an acknowledgement of each; returns their number.
static size_t acknowledge_received(struct host *host, struct scene *scene) {
  if (!read_more(&scene->received, scene->descriptor)) exit(0);
  size_t count = 0, length;
  for (char *frame; (frame = next_frame(&scene->received, &length)); count++) {
    append_acknowledgement(&host->output, scene, frame, length, host->is_one_way);
  }
  return count;
}

/// Sends the collected acknowledgements; waits for their replies if the acknowledgements are not `oneway`.
static void finish_round(struct host *host, size_t count) {
  if (count == 0) return;
  flush_to(&host->output, host->calls);
  for (size_t length; !host->is_one_way && count > 0; count--) {
    expect_success(await_frame(&host->replies, host->calls, &length), length);
  }
}

static void run_scenes(struct host *host) {
  if (host->count == 1) {
    while (true) finish_round(host, acknowledge_received(host, &host->scenes[0]));
  }
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (size_t i = 0; i < host->count; i++) {
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &host->scenes[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, host->scenes[i].descriptor, &interest);
  }
  struct epoll_event events[64];
  while (true) {
    int ready = epoll_wait(epoll, events, 64, -1);
    size_t count = 0;
    for (int i = 0; i < ready; i++) count += acknowledge_received(host, events[i].data.ptr);
    finish_round(host, count);
  }
}

/// Connects the senders and sends their events to the scenes.
static void send_to(const char *path, struct senders *senders, size_t scenes, size_t events) {
  senders->descriptors = calloc(senders->count, sizeof(int));
  senders->requests = calloc(senders->count, sizeof(char *));
  for (size_t i = 0; i < senders->count; i++) {
    char identifier[32];
    identifier_of_scene("scene", i % scenes, identifier);
    senders->descriptors[i] = connect_to(path);
    senders->requests[i] = make_request(identifier);
  }
  run_senders(senders, events / 20 + senders->count * senders->window, events);
}

int run_router_load(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  size_t events = (size_t)number_option(count, arguments, "--events", 10000);
  size_t scenes = (size_t)number_option(count, arguments, "--scenes", 1);
  struct senders senders = {
      .count = (size_t)number_option(count, arguments, "--senders", 1),
      .window = (size_t)number_option(count, arguments, "--window", 1),
      .request_length = request_length,
      .longest_ns = (uint64_t)number_option(count, arguments, "--seconds", 0) * 1000000000,
  };

  if (scenes == 0) {
    send_to(path, &senders, 1, events);
    return 0;
  }
  int ready[2];
  if (pipe(ready) < 0) fail("No pipe: %s.", strerror(errno));
  char application[32];
  snprintf(application, sizeof application, "org.example.bench%d", getpid());
  pid_t companion = fork_companion();
  if (companion == 0) {
    struct host host = {
        .scenes = calloc(scenes, sizeof(struct scene)),
        .count = scenes,
        .calls = connect_to(path),
        .replies = make_frames(),
        .is_one_way = !has_option(count, arguments, "--replied"),
    };
    for (size_t i = 0; i < scenes; i++) {
      char identifier[32];
      identifier_of_scene("scene", i, identifier);
      host.scenes[i] = open_scene(path, application, identifier);
    }
    write_all(ready[1], "x", 1);
    run_scenes(&host);
  }
  char sign;
  close(ready[1]);
  if (read(ready[0], &sign, 1) != 1) fail("The scenes could not be opened.");

  send_to(path, &senders, scenes, events);
  kill(companion, SIGKILL);
  waitpid(companion, NULL, 0);
  return 0;
}
