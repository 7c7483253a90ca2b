// Replaces the only registration of a scene repeatedly, one call at a time.
//
// Usage: router-changes --socket PATH [--changes N]

#define _GNU_SOURCE
#include "router.h"

#include <stdio.h>

int run_router_changes(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  size_t changes = (size_t)number_option(count, arguments, "--changes", 1000);

  struct scene scene = open_scene(path, "org.example.changes", "/none/");
  int calls = connect_to(path);
  struct frames replies = make_frames();
  for (size_t i = 0; i < changes; i++) {
    char call[512];
    int length = snprintf(call, sizeof call,
                          "{\"method\":\"io.scened.Router.SetRegistration\",\"parameters\":{\"sceneHandle\":\"%s\","
                          "\"registration\":{\"registrationId\":\"main\",\"preferring\":[\"/number-%zu/\"],"
                          "\"allowing\":[]}}}",
                          scene.handle, i);
    write_all(calls, call, (size_t)length + 1);
    size_t reply_length;
    char *reply = await_frame(&replies, calls, &reply_length);
    expect_success(reply, reply_length);
  }
  print_value("changes", (double)changes);
  return 0;
}
