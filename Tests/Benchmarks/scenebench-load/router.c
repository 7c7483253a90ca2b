#define _GNU_SOURCE
#include "router.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void append_open_scene(struct output *output, const char *application, const char *identifier) {
  char call[1024];
  int length = snprintf(call, sizeof call,
                        "{\"method\":\"io.scened.Router.OpenScene\",\"more\":true,\"parameters\":{\"context\":{"
                        "\"applicationId\":\"%s\",\"registrations\":[{\"registrationId\":\"main\","
                        "\"preferring\":[\"%s\"],\"allowing\":[]}]},\"maxPendingDeliveries\":1024}}",
                        application, identifier);
  append(output, call, (size_t)length + 1);
}

/// Takes the reply to the call that opens a scene.
static void take_opened(struct scene *scene, struct frames *received) {
  size_t length;
  char *reply = await_frame(received, scene->descriptor, &length);
  expect_success(reply, length);
  copy_member(reply, length, "sceneId", scene->id, sizeof scene->id);
  copy_member(reply, length, "sceneHandle", scene->handle, sizeof scene->handle);
}

struct scene await_scene(const char *path, struct output *call) {
  struct scene scene = {.descriptor = connect_to(path), .received = make_frames()};
  flush_to(call, scene.descriptor);
  take_opened(&scene, &scene.received);
  return scene;
}

struct scene open_scene(const char *path, const char *application, const char *identifier) {
  struct output call = {0};
  append_open_scene(&call, application, identifier);
  struct scene scene = await_scene(path, &call);
  free(call.bytes);
  return scene;
}

void identifier_of_scene(const char *name, size_t i, char text[32]) { snprintf(text, 32, "/%s-%zu/", name, i); }

void open_scenes(const char *path, const char *application, const char *name, size_t identifiers, struct scene *scenes,
                 size_t count) {
  enum { batch = 64 };
  struct output call = {0};
  struct frames received = make_frames();
  for (size_t start = 0; start < count; start += batch) {
    size_t end = start + batch < count ? start + batch : count;
    for (size_t i = start; i < end; i++) {
      char identifier[32];
      identifier_of_scene(name, i % identifiers, identifier);
      scenes[i].descriptor = connect_to(path);
      append_open_scene(&call, application, identifier);
      flush_to(&call, scenes[i].descriptor);
    }
    for (size_t i = start; i < end; i++) take_opened(&scenes[i], &received);
  }
  free(received.bytes);
  free(call.bytes);
}

long router_statistic(int descriptor, struct frames *replies, const char *name) {
  static const char call[] = "{\"method\":\"io.scened.Manager.GetStatistics\"}";
  write_all(descriptor, call, sizeof call);
  size_t length;
  char *reply = await_frame(replies, descriptor, &length);
  expect_success(reply, length);
  char *member = strstr(reply, name);
  if (!member) fail("There is no %s in %s", name, reply);
  return atol(member + strlen(name));
}

void append_acknowledgement(struct output *output, const struct scene *scene, const char *frame, size_t length,
                            bool is_one_way) {
  char delivery[64];
  copy_member(frame, length, "deliveryId", delivery, sizeof delivery);
  static const char head[] = "{\"method\":\"io.scened.Router.AcknowledgeDelivery\",\"parameters\":{\"sceneHandle\":\"";
  static const char middle[] = "\",\"deliveryId\":\"";
  static const char one_way[] = "\"},\"oneway\":true}";
  static const char replied[] = "\"}}";
  append(output, head, sizeof head - 1);
  append(output, scene->handle, strlen(scene->handle));
  append(output, middle, sizeof middle - 1);
  append(output, delivery, strlen(delivery));
  if (is_one_way) append(output, one_way, sizeof one_way);
  else append(output, replied, sizeof replied);
}

char *make_request(const char *identifier) {
  static const char head[] =
      "{\"method\":\"io.scened.Router.SendEvent\",\"parameters\":{\"event\":{\"url\":\"https://example.org";
  static const char tail[] = "\"}}}";
  char *request = malloc(request_length);
  memset(request, 'x', request_length);
  memcpy(request, head, sizeof head - 1);
  memcpy(request + sizeof head - 1, identifier, strlen(identifier));
  memcpy(request + request_length - sizeof tail, tail, sizeof tail);
  return request;
}
