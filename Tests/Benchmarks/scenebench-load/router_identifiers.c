// Measures the memory that identifiers take, with scenes that have many identifiers.
//
// Usage: router-identifiers --socket PATH --pid DAEMON --count N [--length N]
//
// All identifiers are different and have N bytes (--length, default: 20). Each scene has 2000 identifiers in its only
// registration. The measured memory is the growth of the router's resident set, including the memory of the scenes and
// of their connections. The option --pid gives the router's process id.

#define _GNU_SOURCE
#include "router.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { scene_size = 2000 };

/// Appends an identifier as a JSON string.
///
/// The digits of consecutive numbers are scattered, so that the router's index can share hardly any text between
/// identifiers.
static void append_identifier(struct output *call, size_t number, size_t length) {
  // Because the factor is odd, different numbers have different products, modulo 2^64.
  uint64_t scattered = number * 0x9E3779B97F4A7C15;
  char text[256];
  memset(text, 'x', sizeof text);
  int digits = snprintf(text, sizeof text, "\"%016lx", (unsigned long)scattered);
  text[digits] = 'x';
  text[length + 1] = '"';
  append(call, text, length + 2);
}

static void append_registration(struct output *call, const struct scene *scene, size_t start, size_t end,
                                size_t length) {
  char head[256];
  int head_length = snprintf(head, sizeof head,
                             "{\"method\":\"io.scened.Router.SetRegistration\",\"parameters\":{\"sceneHandle\":\"%s\","
                             "\"registration\":{\"registrationId\":\"main\",\"allowing\":[],\"preferring\":[",
                             scene->handle);
  append(call, head, (size_t)head_length);
  for (size_t i = start; i < end; i++) {
    if (i > start) append(call, ",", 1);
    append_identifier(call, i, length);
  }
  append(call, "]}}}", sizeof "]}}}");
}

int run_router_identifiers(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  int process = (int)number_option(count, arguments, "--pid", 0);
  size_t total = (size_t)number_option(count, arguments, "--count", 1000);
  size_t length = (size_t)number_option(count, arguments, "--length", 20);
  if (length < 16 || length > 100) fail("Identifiers have 16 to 100 bytes.");

  int calls = connect_to(path);
  struct frames replies = make_frames();
  struct output call = {0};
  double before = resident_bytes(process);
  uint64_t start_time = now_ns();
  for (size_t start = 0; start < total; start += scene_size) {
    struct scene scene = open_scene(path, "org.example.identifiers", "/none/");
    free(scene.received.bytes);
    size_t end = start + scene_size < total ? start + scene_size : total, reply_length;
    append_registration(&call, &scene, start, end, length);
    flush_to(&call, calls);
    expect_success(await_frame(&replies, calls, &reply_length), reply_length);
  }
  print_value("seconds", (double)(now_ns() - start_time) / 1e9);
  print_value("bytes-per-identifier", (resident_bytes(process) - before) / (double)total);
  return 0;
}
