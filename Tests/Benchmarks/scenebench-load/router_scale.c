// Opens many scenes, each on its own connection, sends events to the scenes, and closes all scenes.
//
// Usage: router-scale --socket PATH --pid DAEMON --scenes N [--events N]
//
// `bytes-per-scene` is the growth of the router's resident set after all scenes have been opened, divided by the number
// of scenes. `bytes-left` is the growth that is left after all scenes have been closed. The option --pid gives the
// router's process id.

#define _GNU_SOURCE
#include "router.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/// Sends one event to a scene and acknowledges the delivery.
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
  if (router_statistic(sender, &received, "\"scenes\":") != 0) fail("Some scene is open already.");
  struct scene *scenes = calloc(scene_count, sizeof *scenes);
  double before = resident_bytes(process);
  uint64_t start = now_ns();
  open_scenes(path, "org.example.scale", "scene", scene_count, scenes, scene_count);
  print_value("open-seconds", (double)(now_ns() - start) / 1e9);
  print_value("bytes-per-scene", (resident_bytes(process) - before) / (double)scene_count);

  struct samples samples = make_samples(events);
  struct output acknowledgement = {0};
  for (size_t i = 0; i < events; i++) {
    // Steps of 7919 scatter the events over the scenes. Because 7919 is a prime number, no scene gets a second event
    // before every scene has had one. The number of scenes must not be a multiple of 7919.
    size_t target = i * 7919 % scene_count;
    char identifier[32];
    identifier_of_scene("scene", target, identifier);
    char *request = make_request(identifier);
    note_sample(&samples,
                send_to(&scenes[target], sender, acknowledger, request, &received, &acknowledgement));
    free(request);
  }
  print_samples(&samples, "");

  start = now_ns();
  for (size_t i = 0; i < scene_count; i++) close(scenes[i].descriptor);
  while (router_statistic(sender, &received, "\"scenes\":") > 0) usleep(100);
  print_value("close-seconds", (double)(now_ns() - start) / 1e9);
  print_value("bytes-left", resident_bytes(process) - before);
  return 0;
}
