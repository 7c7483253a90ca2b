// The messages of a client of the router, as ready-made bytes.

#pragma once

#include "load.h"

/// A scene that its connection holds open.
struct scene {
  int descriptor;
  struct frames received;
  char id[64];
  char handle[64];
};

/// Opens a scene that prefers `identifier`; waits for the reply.
struct scene open_scene(const char *path, const char *application, const char *identifier);

/// The call that opens such a scene, with its NUL.
void append_open_scene(struct output *output, const char *application, const char *identifier);

/// Appends the call that acknowledges a delivery, with its NUL; ends the process if the frame is no delivery.
void append_acknowledgement(struct output *output, const struct scene *scene, const char *frame, size_t length,
                            bool is_one_way);

/// A `SendEvent` call of 200 bytes, its NUL included, whose URL contains `identifier`.
char *make_request(const char *identifier);

enum { request_length = 200 };
