// Scenes and calls of a client of the router. Calls consist of ready-made text, which costs little processor time.

#pragma once

#include "load.h"

/// An open scene and its connection; the scene is open as long as the connection.
struct scene {
  int descriptor;
  struct frames received;
  char id[64];
  char handle[64];
};

/// Sends `call`, which opens a scene, over a new connection; waits for the reply.
struct scene await_scene(const char *path, struct output *call);

/// Opens a scene that prefers `identifier`; waits for the reply.
struct scene open_scene(const char *path, const char *application, const char *identifier);

/// Writes the identifier of scene number `i` into `text`: `/NAME-I/`. The stub knows only scenes with the name `scene`.
void identifier_of_scene(const char *name, size_t i, char text[32]);

/// Opens many scenes, with up to 64 calls under way.
///
/// Scene `i` prefers the identifier with the number `i % identifiers`. The field `received` of the scenes is not set.
void open_scenes(const char *path, const char *application, const char *name, size_t identifiers, struct scene *scenes,
                 size_t count);

/// Returns a count from the reply to GetStatistics; `name` is the text before the count, such as `"scenes":`.
long router_statistic(int descriptor, struct frames *replies, const char *name);

/// Appends the call that opens a scene, and the NUL after the call.
///
/// The scene prefers `identifier`.
void append_open_scene(struct output *output, const char *application, const char *identifier);

/// Appends the call that acknowledges a delivery, and the NUL after the call.
///
/// Ends the process if the frame is not a delivery.
void append_acknowledgement(struct output *output, const struct scene *scene, const char *frame, size_t length,
                            bool is_one_way);

/// Returns a `SendEvent` call of 200 bytes, including the NUL after the call.
///
/// The URL of the event contains `identifier`.
char *make_request(const char *identifier);

enum { request_length = 200 };
