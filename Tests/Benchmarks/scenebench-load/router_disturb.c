// A client that repeats one kind of call for ever. Each kind makes the router work as hard as the limits allow.
//
// Usage: router-disturb --socket PATH --with KIND
//
// The client prints `Ready.` on standard error when it begins. The kinds:
//   url          an event with a URL of 32 KiB, among a million identifiers
//   activity     an event of 32 KiB of URL, 4 KiB of target and 64 KiB of userInfo, among a million identifiers
//   shared       an event for 10,000 scenes with the same identifier; no scene takes the event
//   explanation  1024 steps of the explanation for an event of the kind `shared`
//   scene        a scene of 256 registrations and 2048 identifiers, opened with one call and closed
//   registration a registration of 2040 identifiers, replaced by 2040 other identifiers
//   activation   a scene of 256 registrations and 2048 identifiers, which becomes active and inactive
//   changes      a registration of one identifier, replaced 64 times with one write
//   declaration  an application of 256 kinds of scene, 2048 identifiers and 1024 claims, declared and withdrawn
//   list         the list of 10,000 scenes
//   snapshot     a monitor that leaves after it has seen 10,000 scenes
//   death        a process with 1000 scenes that dies with a delivery open in each
//   deadlines    4096 deliveries whose time limits end at the same moment
//
// The calls for a scene, a declaration or a registration have nearly 256 KiB, the allowed maximum.

#define _GNU_SOURCE
#include "router.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  url_length = 32 << 10,
  target_length = 4 << 10,
  user_info_length = 64 << 10,
  registrations = 256,
  identifiers_of_each = 8,
  /// The next four numbers give the calls for a scene, a declaration and a registration nearly 256 KiB each.
  identifier_length_in_scene = 112,
  identifier_length_in_declaration = 104,
  identifiers_of_one = 2040,
  identifier_length_of_one = 122,
  claims = 1024,
  /// The number of scenes that together hold a million identifiers. Each scene has 2000 identifiers; 2048 are allowed.
  full_scenes = 500,
  many_scenes = 10000,
  dying_scenes = 1000,
  /// With `--with deadlines`, there are 4 scenes. Each scene has 1024 open deliveries, the largest allowed number.
  silent_scenes = 4,
  shown = 1024,
};

#define APPLICATION "org.example.disturber"

struct disturber {
  const char *path;
  int calls;
  struct frames replies;
  struct output output;
  struct scene scene;
  struct scene others[many_scenes];
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

/// Sends the collected calls and waits for `replies` replies.
static void call_router(struct disturber *self, size_t replies, bool may_fail) {
  flush_to(&self->output, self->calls);
  for (size_t length; replies > 0; replies--) {
    char *reply = await_frame(&self->replies, self->calls, &length);
    if (!may_fail) expect_success(reply, length);
  }
}

/// Appends a JSON array of `count` identifiers with the numbers from `start` on. Each identifier has `length` bytes: 16
/// hexadecimal digits, then only `x`. The digits are scattered, so that identifiers hardly share a beginning.
static void append_identifiers(struct output *output, size_t start, size_t count, size_t length) {
  char padding[256];
  memset(padding, 'x', sizeof padding);
  append_text(output, "[");
  for (size_t i = start; i < start + count; i++) {
    append_format(output, "%s\"%016lx", i > start ? "," : "", (unsigned long)(i * 0x9E3779B97F4A7C15));
    append(output, padding, length - 16);
    append_text(output, "\"");
  }
  append_text(output, "]");
}

static void append_registration(struct disturber *self, size_t start, size_t count, size_t length) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.SetRegistration\",\"parameters\":{\"sceneHandle\":\"%s\","
                "\"registration\":{\"registrationId\":\"main\",\"allowing\":[],\"preferring\":",
                self->scene.handle);
  append_identifiers(&self->output, start, count, length);
  append_text(&self->output, "}");
  finish_call(&self->output);
}

// MARK: Events

/// Opens scenes that together hold a million identifiers, and leaves these scenes open.
static void prepare_million(struct disturber *self) {
  open_scenes(self->path, "org.example.others", "full", full_scenes, self->others, full_scenes);
  struct scene own = self->scene;
  for (size_t i = 0; i < full_scenes; i++) {
    self->scene = self->others[i];
    append_registration(self, i * 2000, 2000, 20);
    call_router(self, 1, false);
  }
  self->scene = own;
}

static void prepare_shared(struct disturber *self) {
  open_scenes(self->path, "org.example.others", "shared", 1, self->others, many_scenes);
}

/// Appends `start` and hexadecimal digits, together `length` bytes; the digits differ in each round.
static void append_digits(struct output *output, const char *start, size_t length, size_t round) {
  char text[user_info_length];
  size_t count = strlen(start);
  memcpy(text, start, count);
  for (size_t i = count; i < length; i++) text[i] = "0123456789abcdef"[(i * 2654435761u + round) >> 7 & 15];
  append(output, text, length);
}

/// Sends an event that no scene takes.
///
/// The event names an application with a single scene, and names that scene as its origin. The router never gives an
/// event to its origin.
static void send_for_nobody(struct disturber *self) {
  append_format(&self->output, "},\"applicationId\":\"" APPLICATION "\",\"originSceneId\":\"%s\"", self->scene.id);
  finish_call(&self->output);
  call_router(self, 1, true);
}

static void begin_event(struct disturber *self, const char *method) {
  append_format(&self->output, "{\"method\":\"io.scened.Router.%s\",\"parameters\":{\"event\":{", method);
}

static void append_url(struct disturber *self, const char *start, size_t round) {
  append_text(&self->output, "\"url\":\"");
  append_digits(&self->output, start, url_length, round);
  append_text(&self->output, "\"");
}

static void send_url(struct disturber *self, size_t round) {
  begin_event(self, "SendEvent");
  append_url(self, "test:", round);
  send_for_nobody(self);
}

static void send_shared(struct disturber *self, size_t round) {
  begin_event(self, "SendEvent");
  append_url(self, "test:/shared-0/", round);
  send_for_nobody(self);
}

static void send_activity(struct disturber *self, size_t round) {
  struct output *output = &self->output;
  begin_event(self, "SendEvent");
  append_text(output, "\"activity\":{\"activityType\":\"org.example.reading\",\"webpageURL\":\"");
  append_digits(output, "https:", url_length, round);
  append_text(output, "\",\"targetContentIdentifier\":\"");
  append_digits(output, "", target_length, round);
  append_text(output, "\",\"userInfo\":{\"state\":\"");
  append_digits(output, "", user_info_length - sizeof "{\"state\":\"\"}", round);
  append_text(output, "\"}}");
  send_for_nobody(self);
}

static void explain(struct disturber *self, size_t round) {
  begin_event(self, "ExplainEvent");
  append_url(self, "test:/shared-0/", round);
  append_text(&self->output, "},\"maxTraceSteps\":1024");
  finish_call(&self->output);
  call_router(self, 1, false);
}

// MARK: Scenes and applications

/// Opens a scene of the largest allowed size, on a new connection.
static struct scene open_largest(struct disturber *self, size_t round) {
  append_text(&self->output,
              "{\"method\":\"io.scened.Router.OpenScene\",\"more\":true,\"parameters\":{\"context\":{"
              "\"applicationId\":\"" APPLICATION "\",\"registrations\":[");
  for (size_t i = 0; i < registrations; i++) {
    append_format(&self->output, "%s{\"registrationId\":\"%zu\",\"allowing\":[],\"preferring\":", i > 0 ? "," : "", i);
    append_identifiers(&self->output, (round * registrations + i) * identifiers_of_each, identifiers_of_each,
                       identifier_length_in_scene);
    append_text(&self->output, "}");
  }
  append_text(&self->output, "]}");
  finish_call(&self->output);
  return await_scene(self->path, &self->output);
}

static void close_scene(struct scene *scene) {
  close(scene->descriptor);
  free(scene->received.bytes);
}

static void open_and_close(struct disturber *self, size_t round) {
  struct scene scene = open_largest(self, round);
  close_scene(&scene);
}

static void set_registration(struct disturber *self, size_t round) {
  append_registration(self, round * identifiers_of_one, identifiers_of_one, identifier_length_of_one);
  call_router(self, 1, false);
}

static void change_quickly(struct disturber *self, size_t round) {
  for (size_t i = 0; i < 64; i++) append_registration(self, round * 64 + i, 1, 20);
  call_router(self, 64, false);
}

static void prepare_activation(struct disturber *self) {
  close_scene(&self->scene);
  self->scene = open_largest(self, 0);
}

static void activate(struct disturber *self, size_t round) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.UpdateScene\",\"parameters\":{\"sceneHandle\":\"%s\",\"isActive\":%s",
                self->scene.handle, round % 2 ? "false" : "true");
  finish_call(&self->output);
  call_router(self, 1, false);
}

/// Sends the collected calls over a new connection, waits for a frame that contains `sign`, and closes the connection.
static void call_and_leave(struct disturber *self, const char *sign) {
  int connection = connect_to(self->path);
  struct frames replies = make_frames();
  flush_to(&self->output, connection);
  while (true) {
    size_t length;
    char *frame = await_frame(&replies, connection, &length);
    expect_success(frame, length);
    if (strstr(frame, sign)) break;
  }
  close(connection);
  free(replies.bytes);
}

static void declare(struct disturber *self, size_t round) {
  // Rounds alternate between two application ids. The router may not have noticed yet that the previous round's
  // connection has ended, and would then refuse another declaration of the same application.
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.DeclareApplication\",\"more\":true,\"parameters\":{"
                "\"applicationId\":\"" APPLICATION "%zu\",\"scenes\":[",
                round % 2);
  for (size_t i = 0; i < registrations; i++) {
    append_format(&self->output, "%s{\"declarationId\":\"%zu\",\"matching\":", i > 0 ? "," : "", i);
    append_identifiers(&self->output, (round * registrations + i) * identifiers_of_each, identifiers_of_each,
                       identifier_length_in_declaration);
    append_text(&self->output, "}");
  }
  append_text(&self->output, "],\"claims\":{\"schemes\":[");
  for (size_t i = 0; i < claims; i++) append_format(&self->output, "%s\"s%zu\"", i > 0 ? "," : "", i);
  append_text(&self->output, "]}");
  finish_call(&self->output);
  call_and_leave(self, "\"declared\"");
}

// MARK: Calls that concern many scenes

static void list(struct disturber *self, size_t round) {
  (void)round;
  static const char call[] = "{\"method\":\"io.scened.Router.ListScenes\",\"more\":true}";
  append(&self->output, call, sizeof call);
  flush_to(&self->output, self->calls);
  for (size_t length;;) {
    char *reply = await_frame(&self->replies, self->calls, &length);
    expect_success(reply, length);
    if (!strstr(reply, "\"continues\":true")) return;
  }
}

static void monitor(struct disturber *self, size_t round) {
  (void)round;
  static const char call[] = "{\"method\":\"io.scened.Router.Monitor\",\"more\":true}";
  append(&self->output, call, sizeof call);
  call_and_leave(self, "\"isComplete\":true");
}

/// Appends a `oneway` call that sends an event to the scene that prefers `identifier`.
static void append_event_for(struct disturber *self, const char *identifier, uint64_t timeout_usec) {
  append_format(&self->output,
                "{\"method\":\"io.scened.Router.SendEvent\",\"oneway\":true,\"parameters\":{\"event\":{"
                "\"url\":\"test:%s\"},\"applicationId\":\"" APPLICATION "\",\"timeoutUSec\":%lu",
                identifier, (unsigned long)timeout_usec);
  finish_call(&self->output);
}

static void die(struct disturber *self, size_t round) {
  pid_t companion = fork_companion();
  if (companion != 0) {
    waitpid(companion, NULL, 0);
    return;
  }
  self->calls = connect_to(self->path);
  // Each round has identifiers of its own, so that no scene gets pending events of an earlier round.
  char name[16], identifier[32];
  snprintf(name, sizeof name, "round%zu", round);
  open_scenes(self->path, APPLICATION, name, dying_scenes, self->others, dying_scenes);
  for (size_t i = 0; i < dying_scenes; i++) {
    identifier_of_scene(name, i, identifier);
    append_event_for(self, identifier, 10000000);
  }
  flush_to(&self->output, self->calls);
  // The reply to this call shows that the router has handled the events above. This process then exits, while a
  // delivery is open in each of its scenes.
  router_statistic(self->calls, &self->replies, "\"scenes\":");
  _exit(0);
}

static void prepare_deadlines(struct disturber *self) {
  open_scenes(self->path, APPLICATION, "silent", silent_scenes, self->others, silent_scenes);
  for (size_t i = 0; i < silent_scenes; i++) self->others[i].received = make_frames();
}

static void let_deadlines_pass(struct disturber *self, size_t round) {
  (void)round;
  uint64_t due = now_ns() + 200000000;
  for (size_t i = 0; i < silent_scenes * shown; i++) {
    char identifier[32];
    identifier_of_scene("silent", i % silent_scenes, identifier);
    append_event_for(self, identifier, (due - now_ns()) / 1000);
    if (i % shown == 0) flush_to(&self->output, self->calls);
  }
  flush_to(&self->output, self->calls);
  // For each event, a scene receives two messages: the delivery and its withdrawal.
  for (size_t i = 0; i < silent_scenes; i++) {
    for (size_t count = 0, length; count < 2 * shown; count++) {
      await_frame(&self->others[i].received, self->others[i].descriptor, &length);
    }
  }
}

static const struct {
  const char *name;
  void (*prepare)(struct disturber *self);
  void (*disturb)(struct disturber *self, size_t round);
} kinds[] = {
    {"url", prepare_million, send_url},
    {"activity", prepare_million, send_activity},
    {"shared", prepare_shared, send_shared},
    {"explanation", prepare_shared, explain},
    {"scene", NULL, open_and_close},
    {"registration", NULL, set_registration},
    {"activation", prepare_activation, activate},
    {"changes", NULL, change_quickly},
    {"declaration", NULL, declare},
    {"list", prepare_shared, list},
    {"snapshot", prepare_shared, monitor},
    {"death", NULL, die},
    {"deadlines", prepare_deadlines, let_deadlines_pass},
};

int run_router_disturb(int count, char **arguments) {
  raise_descriptor_limit();
  const char *path = option(count, arguments, "--socket", ""), *name = option(count, arguments, "--with", "");
  // The struct is too large for the stack.
  static struct disturber self;
  self.path = path;
  self.calls = connect_to(path);
  self.replies = make_frames();
  self.scene = open_scene(path, APPLICATION, "/none/");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].name, name) != 0) continue;
    if (kinds[i].prepare) kinds[i].prepare(&self);
    fputs("Ready.\n", stderr);
    for (size_t round = 0;; round++) kinds[i].disturb(&self, round);
  }
  fail("There is no kind '%s'.", name);
}
