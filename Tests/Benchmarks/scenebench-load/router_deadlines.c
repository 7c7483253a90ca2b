// Measures how late the router withdraws a delivery whose time limit has passed.
//
// Usage: router-deadlines --socket PATH [--events N] [--timeout-usec N]
//
// Each event has a time limit, and the scene settles no event. The measured lateness runs from the limit until this
// program has received `withdrawn`. It therefore includes the time that this program takes to wake up. For comparison,
// the lines that begin with `own-` tell how late clock_nanosleep(2) returns in this program.

#define _GNU_SOURCE
#include "router.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int run_router_deadlines(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  size_t events = (size_t)number_option(count, arguments, "--events", 50);
  uint64_t timeout_usec = (uint64_t)number_option(count, arguments, "--timeout-usec", 20000);

  char identifier[64];
  snprintf(identifier, sizeof identifier, "/deadline-%d/", getpid());
  struct scene scene = open_scene(path, "org.example.deadline", identifier);
  int sender = connect_to(path);
  char call[512];
  int call_length = snprintf(call, sizeof call,
                             "{\"method\":\"io.scened.Router.SendEvent\",\"oneway\":true,\"parameters\":{"
                             "\"event\":{\"url\":\"https://example.org%s\"},\"timeoutUSec\":%lu}}",
                             identifier, (unsigned long)timeout_usec);

  struct samples lateness = make_samples(events), own = make_samples(events);
  for (size_t i = 0; i < events; i++) {
    size_t length;
    uint64_t due = now_ns() + timeout_usec * 1000;
    write_all(sender, call, (size_t)call_length + 1);
    while (!strstr(await_frame(&scene.received, scene.descriptor, &length), "\"withdrawn\"")) {}
    uint64_t now = now_ns();
    note_sample(&lateness, now > due ? now - due : 0);

    struct timespec pause = {.tv_nsec = (long)timeout_usec * 1000};
    due = now_ns() + timeout_usec * 1000;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    note_sample(&own, now_ns() - due);
  }
  print_samples(&lateness, "");
  print_samples(&own, "own-");
  return 0;
}
