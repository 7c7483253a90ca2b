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

struct scene open_scene(const char *path, const char *application, const char *identifier) {
  struct scene scene = {.descriptor = connect_to(path), .received = make_frames()};
  struct output call = {0};
  append_open_scene(&call, application, identifier);
  flush_to(&call, scene.descriptor);
  size_t length;
  char *reply = await_frame(&scene.received, scene.descriptor, &length);
  expect_success(reply, length);
  copy_member(reply, length, "sceneId", scene.id, sizeof scene.id);
  copy_member(reply, length, "sceneHandle", scene.handle, sizeof scene.handle);
  free(call.bytes);
  return scene;
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
