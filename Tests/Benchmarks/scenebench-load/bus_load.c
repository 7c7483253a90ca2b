// Measures a D-Bus daemon, for comparison with the router. Senders call a method of a receiver, and all of them use
// sd-bus. A method call corresponds to an event, and its empty reply to an acknowledgement.
//
// Usage: bus-load --socket PATH [--events N] [--senders N] [--window N]

#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

enum { text_length = 128 };

/// Ends the process if a call of sd-bus failed.
static int checked(int result, const char *what) {
  if (result < 0) fail("%s failed: %s.", what, strerror(-result));
  return result;
}

static sd_bus *join(const char *path) {
  char address[256];
  snprintf(address, sizeof address, "unix:path=%s", path);
  sd_bus *bus;
  checked(sd_bus_new(&bus), "sd_bus_new");
  checked(sd_bus_set_address(bus, address), "sd_bus_set_address");
  checked(sd_bus_set_bus_client(bus, 1), "sd_bus_set_bus_client");
  checked(sd_bus_start(bus), "sd_bus_start");
  const char *name;
  checked(sd_bus_get_unique_name(bus, &name), "Hello");
  return bus;
}

// MARK: Receiver

static int deliver(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *text;
  checked(sd_bus_message_read(call, "s", &text), "sd_bus_message_read");
  return sd_bus_reply_method_return(call, NULL);
}

static const sd_bus_vtable receiver[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Deliver", "s", "", deliver, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static void run_receiver(const char *path, int ready) {
  sd_bus *bus = join(path);
  checked(sd_bus_add_object_vtable(bus, NULL, "/bench", "org.example.Bench", receiver, NULL), "The object");
  const char *name;
  checked(sd_bus_get_unique_name(bus, &name), "sd_bus_get_unique_name");
  write_all(ready, name, strlen(name) + 1);
  while (true) {
    if (checked(sd_bus_process(bus, NULL), "sd_bus_process") == 0) {
      checked(sd_bus_wait(bus, UINT64_MAX), "sd_bus_wait");
    }
  }
}

// MARK: Senders

struct load {
  const char *receiver;
  char text[text_length];
  struct samples samples;
  bool is_measuring;
  size_t sent;
  size_t answered;
  size_t total;
};

/// A sender's place for one unanswered call; after the answer, the next call uses the same place.
struct pending_call {
  struct load *load;
  sd_bus *bus;
  uint64_t sent_at;
};

static sd_bus_message *make_call(struct load *load, sd_bus *bus) {
  sd_bus_message *call;
  checked(sd_bus_message_new_method_call(bus, &call, load->receiver, "/bench", "org.example.Bench", "Deliver"),
          "sd_bus_message_new_method_call");
  checked(sd_bus_message_append(call, "s", load->text), "sd_bus_message_append");
  return call;
}

static void send_next(struct pending_call *pending);

static int take_answer(sd_bus_message *answer, void *data, sd_bus_error *error) {
  (void)error;
  struct pending_call *pending = data;
  struct load *load = pending->load;
  if (sd_bus_message_is_method_error(answer, NULL)) fail("%s", sd_bus_message_get_error(answer)->message);
  if (load->is_measuring) note_sample(&load->samples, now_ns() - pending->sent_at);
  load->answered++;
  send_next(pending);
  return 1;
}

static void send_next(struct pending_call *pending) {
  struct load *load = pending->load;
  if (load->sent == load->total) return;
  load->sent++;
  pending->sent_at = now_ns();
  sd_bus_message *call = make_call(load, pending->bus);
  checked(sd_bus_call_async(pending->bus, NULL, call, take_answer, pending, 0), "sd_bus_call_async");
  sd_bus_message_unref(call);
}

/// Makes one call after the other on one connection. This is the cheapest way to use sd-bus.
static void run_in_turn(struct load *load, sd_bus *bus) {
  for (size_t i = 0; i < load->total; i++) {
    uint64_t start = now_ns();
    sd_bus_message *call = make_call(load, bus), *answer;
    checked(sd_bus_call(bus, call, 0, NULL, &answer), "sd_bus_call");
    sd_bus_message_unref(call);
    sd_bus_message_unref(answer);
    if (load->is_measuring) note_sample(&load->samples, now_ns() - start);
  }
}

static void run_pending(struct load *load, struct pending_call *pending, size_t count, int epoll) {
  load->sent = load->answered = 0;
  for (size_t i = 0; i < count; i++) send_next(&pending[i]);
  struct epoll_event events[64];
  while (load->answered < load->total) {
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      while (checked(sd_bus_process(events[i].data.ptr, NULL), "sd_bus_process") > 0) {}
      checked(sd_bus_flush(events[i].data.ptr), "sd_bus_flush");
    }
  }
}

int run_bus_load(int count, char **arguments) {
  const char *path = option(count, arguments, "--socket", "");
  size_t events = (size_t)number_option(count, arguments, "--events", 10000);
  size_t senders = (size_t)number_option(count, arguments, "--senders", 1);
  size_t window = (size_t)number_option(count, arguments, "--window", 1);

  // connect_to waits until the daemon listens. sd-bus does not wait.
  close(connect_to(path));
  int ready[2];
  if (pipe(ready) < 0) fail("No pipe: %s.", strerror(errno));
  pid_t companion = fork_companion();
  if (companion == 0) run_receiver(path, ready[1]);
  char receiver_name[64];
  close(ready[1]);
  if (read(ready[0], receiver_name, sizeof receiver_name) <= 0) fail("There is no receiver.");

  struct load load = {.receiver = receiver_name, .samples = make_samples(events)};
  memset(load.text, 'x', sizeof load.text - 1);
  struct pending_call *pending = calloc(senders * window, sizeof *pending);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (size_t i = 0; i < senders; i++) {
    sd_bus *bus = join(path);
    for (size_t k = 0; k < window; k++) {
      pending[i * window + k] = (struct pending_call){.load = &load, .bus = bus};
    }
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = bus};
    epoll_ctl(epoll, EPOLL_CTL_ADD, sd_bus_get_fd(bus), &interest);
  }

  size_t warm_up = events / 20 + senders * window;
  uint64_t start = 0;
  for (int phase = 0; phase < 2; phase++) {
    load.is_measuring = phase == 1;
    load.total = load.is_measuring ? events : warm_up;
    start = now_ns();
    if (senders * window == 1) run_in_turn(&load, pending[0].bus);
    else run_pending(&load, pending, senders * window, epoll);
  }
  print_value("events", (double)(warm_up + events));
  print_value("rate", (double)events * 1e9 / (double)(now_ns() - start));
  print_samples(&load.samples, "");
  kill(companion, SIGKILL);
  waitpid(companion, NULL, 0);
  return 0;
}
