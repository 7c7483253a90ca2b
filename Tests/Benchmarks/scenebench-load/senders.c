// The senders. They send requests and count answers, in the same way for the router and for the stub.

#define _GNU_SOURCE
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/// The state of one connection.
///
/// `sent_at` is a ring buffer of the times at which the unanswered requests were sent. It begins at index `oldest`.
struct sender {
  struct frames received;
  uint64_t *sent_at;
  size_t oldest;
  size_t under_way;
};

struct run {
  const struct senders *senders;
  struct sender *states;
  char **bursts;
  size_t sent;
  size_t answered;
  size_t total;
  uint64_t end;
};

/// Sends new requests over connection `i`, in one write.
///
/// At most `window` requests are unanswered at the same time.
static void send_burst(struct run *run, size_t i) {
  const struct senders *senders = run->senders;
  struct sender *state = &run->states[i];
  size_t room = senders->window - state->under_way;
  if (room > run->total - run->sent) room = run->total - run->sent;
  if (room == 0) return;
  uint64_t now = now_ns();
  if (now >= run->end) {
    run->total = run->sent;
    return;
  }
  for (size_t k = 0; k < room; k++) {
    state->sent_at[(state->oldest + state->under_way++) % senders->window] = now;
  }
  write_all(senders->descriptors[i], run->bursts[i], room * senders->request_length);
  run->sent += room;
}

/// Reads once and counts the answers.
static void take_answers(struct run *run, size_t i, struct samples *samples) {
  struct sender *state = &run->states[i];
  if (!read_more(&state->received, run->senders->descriptors[i])) fail("The connection was closed.");
  uint64_t now = now_ns();
  size_t length;
  for (char *frame; (frame = next_frame(&state->received, &length));) {
    expect_success(frame, length);
    note_sample(samples, now - state->sent_at[state->oldest]);
    state->oldest = (state->oldest + 1) % run->senders->window;
    state->under_way--;
    run->answered++;
  }
}

/// Sends at most `total` requests and counts their answers.
static void run_events(struct run *run, size_t total, int epoll, struct samples *samples) {
  const struct senders *senders = run->senders;
  run->sent = run->answered = 0;
  run->total = total;
  run->end = senders->longest_ns ? now_ns() + senders->longest_ns : UINT64_MAX;
  for (size_t i = 0; i < senders->count; i++) send_burst(run, i);
  struct epoll_event events[64];
  while (run->answered < run->total) {
    if (senders->count == 1) {
      take_answers(run, 0, samples);
      send_burst(run, 0);
      continue;
    }
    int count = epoll_wait(epoll, events, 64, -1);
    for (int k = 0; k < count; k++) {
      take_answers(run, events[k].data.u64, samples);
      send_burst(run, events[k].data.u64);
    }
  }
}

void run_senders(const struct senders *senders, size_t warm_up, size_t events) {
  struct run run = {.senders = senders};
  run.states = calloc(senders->count, sizeof *run.states);
  run.bursts = calloc(senders->count, sizeof *run.bursts);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (size_t i = 0; i < senders->count; i++) {
    run.states[i].received = make_frames();
    run.states[i].sent_at = calloc(senders->window, sizeof(uint64_t));
    run.bursts[i] = malloc(senders->window * senders->request_length);
    for (size_t k = 0; k < senders->window; k++) {
      memcpy(run.bursts[i] + k * senders->request_length, senders->requests[i], senders->request_length);
    }
    struct epoll_event interest = {.events = EPOLLIN, .data.u64 = i};
    epoll_ctl(epoll, EPOLL_CTL_ADD, senders->descriptors[i], &interest);
  }

  struct samples unused = make_samples(warm_up);
  run_events(&run, warm_up, epoll, &unused);
  size_t before = run.answered;

  struct samples samples = make_samples(events);
  uint64_t start = now_ns();
  run_events(&run, events, epoll, &samples);
  uint64_t end = now_ns();
  print_value("events", (double)(before + run.answered));
  print_value("rate", (double)run.answered * 1e9 / (double)(end - start));
  print_samples(&samples, "");
}
