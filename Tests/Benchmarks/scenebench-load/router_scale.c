// Opens many scenes, each on a connection of its own, sends events to them, and closes them all.
//
// Usage: router-scale --socket PATH --pid DAEMON --scenes N [--events N]
//
// Opens as fast as the router answers, with up to 64 calls under way. Memory is the resident set of the
// process --pid.

#define _GNU_SOURCE
#include "router.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { batch = 64 };

static void raise_descriptor_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// One of the counts that GetStatistics answers.
static long statistic(int descriptor, struct frames *replies, const char *name) {
  static const char call[] = "{\"method\":\"io.scened.Manager.GetStatistics\"}";
  write_all(descriptor, call, sizeof call);
  size_t length;
  char *reply = await_frame(replies, descriptor, &length);
  expect_success(reply, length);
  char *member = strstr(reply, name);
  if (!member) fail("There is no %s in %s", name, reply);
  return atol(member + strlen(name));
}

static void identifier_of_scene(size_t i, char text[32]) { snprintf(text, 32, "/scene-%zu/", i); }

static void open_all(const char *path, struct scene *scenes, size_t count) {
  struct output call = {0};
  struct frames received = make_frames();
  for (size_t start = 0; start < count; start += batch) {
    size_t end = start + batch < count ? start + batch : count;
    for (size_t i = start; i < end; i++) {
      char identifier[32];
      identifier_of_scene(i, identifier);
      scenes[i].descriptor = connect_to(path);
      append_open_scene(&call, "org.example.scale", identifier);
      flush_to(&call, scenes[i].descriptor);
    }
    for (size_t i = start; i < end; i++) {
      size_t length;
      char *reply = await_frame(&received, scenes[i].descriptor, &length);
      expect_success(reply, length);
      copy_member(reply, length, "sceneHandle", scenes[i].handle, sizeof scenes[i].handle);
    }
  }
}

/// Sends one event to a scene and acknowledges it.
static uint64_t send_to(struct scene *scene, int sender, int acknowledger, const char *request,
                        struct frames *received, struct output *acknowledgement) {
  size_t length;
  uint64_t start = now_ns();
  write_all(sender, request, request_length);
  char *delivery = await_frame(received, scene->descriptor, &length);
  append_acknowledgement(acknowledgement, scene, delivery, length, true);
  flush_to(acknowledgement, acknowledger);
  expect_success(await_frame(received, sender, &length), length);
  return now_ns() - start;
}

int run_router_scale(int count, char **arguments) {
  raise_descriptor_limit();
  const char *path = option(count, arguments, "--socket", "");
  int process = (int)number_option(count, arguments, "--pid", 0);
  size_t scene_count = (size_t)number_option(count, arguments, "--scenes", 1);
  size_t events = (size_t)number_option(count, arguments, "--events", 2000);

  int sender = connect_to(path), acknowledger = connect_to(path);
  struct frames received = make_frames();
  if (statistic(sender, &received, "\"scenes\":") != 0) fail("Some scene is open already.");
  struct scene *scenes = calloc(scene_count, sizeof *scenes);
  double before = resident_bytes(process);
  uint64_t start = now_ns();
  open_all(path, scenes, scene_count);
  print_value("open-seconds", (double)(now_ns() - start) / 1e9);
  print_value("bytes-per-scene", (resident_bytes(process) - before) / (double)scene_count);

  struct samples samples = make_samples(events);
  struct output acknowledgement = {0};
  for (size_t i = 0; i < events; i++) {
    // A stride that is prime to any number of scenes visits them all.
    size_t target = i * 7919 % scene_count;
    char identifier[32];
    identifier_of_scene(target, identifier);
    char *request = make_request(identifier);
    note_sample(&samples,
                send_to(&scenes[target], sender, acknowledger, request, &received, &acknowledgement));
    free(request);
  }
  print_samples(&samples, "");

  start = now_ns();
  for (size_t i = 0; i < scene_count; i++) close(scenes[i].descriptor);
  while (statistic(sender, &received, "\"scenes\":") > 0) usleep(100);
  print_value("close-seconds", (double)(now_ns() - start) / 1e9);
  print_value("bytes-left", resident_bytes(process) - before);
  return 0;
}
