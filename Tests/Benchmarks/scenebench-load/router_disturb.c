// A client that makes the router work as hard as one client can, without end.
//
// Usage: router-disturb --socket PATH --with KIND
//
// Says `Ready.` on standard error when it begins. The kinds:
//   links         URLs of 64 KiB that no identifier is found in, among a million identifiers
//   hostile       URLs of 64 KiB that nearly contain one of a million identifiers at each place, and often do
//   parts         URLs of 64 KiB that contain a million identifiers
//   registrations URLs of 64 KiB that contain the identifiers of 100,000 registrations
//   long          registrations of fifteen identifiers of 64 KiB each, replaced in turn
//   registration  a registration of 40,000 identifiers, set and removed in turn
//   scene         a scene with 100,000 identifiers, filled and closed in turn
//   activity      a scene with 100,000 identifiers, which becomes active and inactive in turn
//   changes       a registration of one identifier, replaced over and over, 64 calls at a time
//   declarations  1024 kinds of scene with the same 190 identifiers, declared and withdrawn in turn
//   claims        a claim of the application of 2000 scenes that share 200 identifiers, made and withdrawn in turn
//
// A call has at most 1 MiB, so that larger things take several.

#define _GNU_SOURCE
#include "router.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  many = 100000,
  million = 1000000,
  /// How many of the longest, of 20 bytes, and in steady work fit into a call.
  longest = 65536,
  largest_long_batch = 15,
  largest_batch = 40000,
  /// A declaration of as many kinds of scene as there may be is as long as a call with so many identifiers each.
  kinds_of_scene = 1024,
  identifiers_of_a_kind = 190,
  scenes_that_share = 2000,
  shared = 200,
  batch = 1000,
};

struct disturber {
  const char *path;
  int calls;
  struct frames replies;
  struct output output;
  struct scene scene;
};

static void append_text(struct output *output, const char *text) { append(output, text, strlen(text)); }

static void append_format(struct output *output, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append(output, text, (size_t)length);
}

static void finish_call(struct output *output) { append(output, "}}", sizeof "}}"); }

/// Sends what was collected and waits for so many replies.
static void call_router(struct disturber *self, size_t replies, bool may_fail) {
  flush_to(&self->output, self->calls);
  for (size_t length; replies > 0; replies--) {
    char *reply = await_frame(&self->replies, self->calls, &length);
    if (!may_fail) expect_success(reply, length);
  }
}

/// Appends the array of the identifiers from `start` on: digits that differ early and late, then `x`.
static void append_identifiers(struct output *output, size_t start, size_t count, size_t length) {
  char *padding = malloc(length);
  memset(padding, 'x', length);
  append_text(output, "[");
  for (size_t i = start; i < start + count; i++) {
    append_format(output, "%s\"%016lx", i > start ? "," : "", (unsigned long)(i * 0x9E3779B97F4A7C15));
    append(output, padding, length - 16);
    append_text(output, "\"");
  }
  append_text(output, "]");
  free(padding);
}

static void begin_registration(struct disturber *self, const char *id) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.SetRegistration\",\"parameters\":{\"sceneHandle\":\"%s\","
                "\"registration\":{\"registrationId\":\"%s\",\"allowing\":[],\"preferring\":",
                self->scene.handle, id);
}

static void finish_registration(struct disturber *self) {
  append_text(&self->output, "}");
  finish_call(&self->output);
}

static void append_registration(struct disturber *self, const char *id, size_t start, size_t count, size_t length) {
  begin_registration(self, id);
  append_identifiers(&self->output, start, count, length);
  finish_registration(self);
}

static void append_removal(struct disturber *self, const char *id) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.RemoveRegistration\",\"parameters\":{\"sceneHandle\":\"%s\","
                "\"registrationId\":\"%s\"",
                self->scene.handle, id);
  finish_call(&self->output);
}

// MARK: Kinds

static void fill(struct disturber *self, size_t count) {
  for (size_t start = 0; start < count; start += batch) {
    char id[32];
    snprintf(id, sizeof id, "r%zu", start);
    append_registration(self, id, start, batch, 20);
    call_router(self, 1, false);
  }
}

static void prepare_million(struct disturber *self) { fill(self, million); }

static void prepare_many(struct disturber *self) { fill(self, many); }

/// Sends an event that is for no scene but, for its identifiers and its application, the sender's own, and so ends at
/// once.
static void send_text(struct disturber *self, char *text) {
  memcpy(text, "test:", 5);
  append_text(&self->output, "{\"method\":\"io.scened.Router.SendEvent\",\"parameters\":{\"event\":{\"url\":\"");
  append(&self->output, text, longest);
  append_format(&self->output, "\"},\"applicationId\":\"org.example.disturber\",\"originSceneId\":\"%s\"",
                self->scene.id);
  finish_call(&self->output);
  call_router(self, 1, true);
}

static void send_link(struct disturber *self, size_t round) {
  char text[longest];
  for (size_t i = 0; i < longest; i++) text[i] = "0123456789abcdef"[(i * 2654435761u + round) >> 7 & 15];
  send_text(self, text);
}

/// Of two letters, which follow from the number.
static void make_letters(char *text, uint64_t number) {
  for (size_t i = 0; i < longest; i++) {
    number = number * 6364136223846793005u + 1442695040888963407u;
    text[i] = number >> 63 ? 'a' : 'b';
  }
}

static void fill_with(struct disturber *self, void (*append_text_of)(struct output *output, size_t number)) {
  for (size_t start = 0; start < million; start += batch) {
    char id[32];
    snprintf(id, sizeof id, "r%zu", start);
    begin_registration(self, id);
    for (size_t i = start; i < start + batch; i++) {
      append_text(&self->output, i > start ? ",\"" : "[\"");
      append_text_of(&self->output, i);
      append_text(&self->output, "\"");
    }
    append_text(&self->output, "]");
    finish_registration(self);
    call_router(self, 1, false);
  }
}

/// A run of one letter, and the digits of the number.
static void append_hostile_text(struct output *output, size_t number) {
  for (size_t i = number * 2654435761u % 176; i > 0; i--) append_text(output, "a");
  for (int bit = 31 - __builtin_clz((unsigned)number + 1); bit >= 0; bit--)
    append_text(output, (number + 1) >> bit & 1 ? "b" : "a");
}

static void prepare_hostile(struct disturber *self) { fill_with(self, append_hostile_text); }

static void send_letters(struct disturber *self, size_t round) {
  char text[longest];
  make_letters(text, round);
  send_text(self, text);
}

/// A part of the letters of no round but the first: of 20 bytes, and more when there are no others of so many.
static void append_part(struct output *output, size_t number) {
  static char text[longest];
  if (number == 0) make_letters(text, 0);
  enum { places = 65000 };
  append(output, text + 5 + number % places, 20 + number / places);
}

static void prepare_parts(struct disturber *self) { fill_with(self, append_part); }

/// Opens scenes of another application, and gives each as many registrations of one identifier as it may have.
static void prepare_registrations(struct disturber *self) {
  struct scene own = self->scene;
  for (size_t number = 0; number < many; number++) {
    if (number % batch == 0) self->scene = open_scene(self->path, "org.example.others", "/none/");
    char id[32];
    snprintf(id, sizeof id, "r%zu", number % batch);
    begin_registration(self, id);
    append_text(&self->output, "[\"");
    append_part(&self->output, number);
    append_text(&self->output, "\"]");
    finish_registration(self);
    if ((number + 1) % batch == 0) call_router(self, batch, false);
  }
  self->scene = own;
}

static void send_parts(struct disturber *self, size_t round) {
  (void)round;
  send_letters(self, 0);
}

static void set_long(struct disturber *self, size_t round) {
  char id[32];
  snprintf(id, sizeof id, "r%zu", round % 10);
  append_registration(self, id, round * largest_long_batch, largest_long_batch, longest);
  call_router(self, 1, false);
}

static void set_registration(struct disturber *self, size_t round) {
  append_registration(self, "large", round * largest_batch, largest_batch, 20);
  call_router(self, 1, false);
  append_removal(self, "large");
  call_router(self, 1, false);
}

static void open_and_close(struct disturber *self, size_t round) {
  close(self->scene.descriptor);
  free(self->scene.received.bytes);
  self->scene = open_scene(self->path, "org.example.disturber", round % 2 ? "/odd/" : "/even/");
  fill(self, many);
}

static void change_activity(struct disturber *self, size_t round) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.UpdateScene\",\"parameters\":{\"sceneHandle\":\"%s\",\"isActive\":%s",
                self->scene.handle, round % 2 ? "false" : "true");
  finish_call(&self->output);
  call_router(self, 1, false);
}

static void change_quickly(struct disturber *self, size_t round) {
  for (size_t i = 0; i < 64; i++) append_registration(self, "one", round * 64 + i, 1, 20);
  call_router(self, 64, false);
}

/// Declares the application over a connection of its own, which is closed then.
static void declare_and_withdraw(struct disturber *self, size_t kinds, const char *claims) {
  append_text(&self->output,
              "{\"method\":\"io.scened.Router.DeclareApplication\",\"more\":true,\"parameters\":{"
              "\"applicationId\":\"org.example.disturber\",\"scenes\":[");
  for (size_t i = 0; i < kinds; i++) {
    append_format(&self->output, "%s{\"declarationId\":\"%zu\",\"matching\":[", i > 0 ? "," : "", i);
    for (size_t j = 0; j < identifiers_of_a_kind; j++)
      append_format(&self->output, "%s\"%02zx\"", j > 0 ? "," : "", j);
    append_text(&self->output, "]}");
  }
  append_format(&self->output, "],\"claims\":{%s}", claims);
  finish_call(&self->output);
  int connection = connect_to(self->path);
  struct frames replies = make_frames();
  flush_to(&self->output, connection);
  size_t length;
  // It fails if the router has not yet seen that the last connection was closed.
  await_frame(&replies, connection, &length);
  close(connection);
  free(replies.bytes);
}

static void declare_kinds(struct disturber *self, size_t round) {
  (void)round;
  declare_and_withdraw(self, kinds_of_scene, "");
}

static void prepare_claims(struct disturber *self) {
  for (size_t number = 0; number < scenes_that_share; number++) {
    self->scene = open_scene(self->path, "org.example.disturber", "/none/");
    append_registration(self, "shared", 0, shared, 20);
    call_router(self, 1, false);
  }
}

static void claim(struct disturber *self, size_t round) {
  (void)round;
  declare_and_withdraw(self, 0, "\"schemes\":[\"disturber\"]");
}

static const struct {
  const char *name;
  void (*prepare)(struct disturber *self);
  void (*disturb)(struct disturber *self, size_t round);
} kinds[] = {
    {"links", prepare_million, send_link},  {"hostile", prepare_hostile, send_letters},
    {"parts", prepare_parts, send_parts},   {"registrations", prepare_registrations, send_parts},
    {"long", NULL, set_long},
    {"registration", NULL, set_registration}, {"scene", NULL, open_and_close},
    {"activity", prepare_many, change_activity}, {"changes", NULL, change_quickly},
    {"declarations", NULL, declare_kinds}, {"claims", prepare_claims, claim},
};

int run_router_disturb(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", ""), *name = option(count, arguments, "--with", "");
  struct disturber self = {
      .path = path,
      .calls = connect_to(path),
      .replies = make_frames(),
      .scene = open_scene(path, "org.example.disturber", "/none/"),
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].name, name) != 0) continue;
    if (kinds[i].prepare) kinds[i].prepare(&self);
    fputs("Ready.\n", stderr);
    for (size_t round = 0;; round++) kinds[i].disturb(&self, round);
  }
  fail("There is no kind '%s'.", name);
}
