// Shared code of the load programs: sockets, frames and samples of time.
//
// Every frame on the wire is a text and one NUL. A failure ends the process with a sentence on standard error, because
// a benchmark that continues after a failure measures nothing.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Failures and time

/// Prints a sentence and ends the process.
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t now_ns(void);

// MARK: Processes

/// The resident set of a process in bytes.
double resident_bytes(int process);

/// Raises the limit of open descriptors of this process to the hard limit.
void raise_descriptor_limit(void);

// MARK: Command line

/// Returns the value of `--name value`, or `fallback` if the option is not given.
const char *option(int count, char **arguments, const char *name, const char *fallback);

/// Returns the number in `--name value`, or `fallback` if the option is not given.
long number_option(int count, char **arguments, const char *name, long fallback);

/// Whether `--name` is given.
bool has_option(int count, char **arguments, const char *name);

// MARK: Sockets

/// Connects a blocking stream socket; tries again for a second while no server listens.
int connect_to(const char *path);

void write_all(int descriptor, const char *bytes, size_t count);

/// Forks a child process, which the kernel kills when the parent process ends.
pid_t fork_companion(void);

// MARK: Frames

/// Received bytes that are not processed yet.
struct frames {
  char *bytes;
  size_t capacity;
  size_t start;
  size_t end;
};

struct frames make_frames(void);

/// Reads from the descriptor once; returns false at the end of the stream.
bool read_more(struct frames *frames, int descriptor);

/// Returns the next complete frame with its NUL; NULL if no frame is complete.
///
/// The frame is valid until the next `read_more`.
char *next_frame(struct frames *frames, size_t *length);

/// Reads until a frame is complete.
char *await_frame(struct frames *frames, int descriptor, size_t *length);

/// Ends the process if the frame is an error reply.
void expect_success(const char *frame, size_t length);

/// Copies the string value of the JSON member `name`; ends the process if the frame does not have the member.
void copy_member(const char *frame, size_t length, const char *name, char *value, size_t capacity);

// MARK: Collected output

/// Bytes collected for one write.
struct output {
  char *bytes;
  size_t capacity;
  size_t count;
};

void append(struct output *output, const char *bytes, size_t count);
void flush_to(struct output *output, int descriptor);

// MARK: Samples

/// Durations in nanoseconds.
struct samples {
  uint32_t *values;
  size_t capacity;
  size_t count;
};

struct samples make_samples(size_t capacity);
void note_sample(struct samples *samples, uint64_t nanoseconds);

/// Prints `p50`, `p99`, `p999` and `max` in microseconds, each as a line `name value`.
void print_samples(struct samples *samples, const char *prefix);

/// Prints one line `name value`.
void print_value(const char *name, double value);

// MARK: A sender's side of a connection to any server

/// Connections of one process, each with up to `window` requests under way.
struct senders {
  size_t count;
  size_t window;
  int *descriptors;
  /// The request of connection i, which is sent repeatedly; all requests have the same length.
  char **requests;
  size_t request_length;
  /// How long requests are sent; 0 for no limit.
  uint64_t longest_ns;
};

/// Sends `warm_up` unmeasured requests, then up to `events` measured ones; prints their rate and latencies.
///
/// The server answers each request with one frame.
void run_senders(const struct senders *senders, size_t warm_up, size_t events);

// MARK: Commands

int run_stub(int count, char **arguments);
int run_router_load(int count, char **arguments);
int run_router_scale(int count, char **arguments);
int run_router_identifiers(int count, char **arguments);
int run_router_changes(int count, char **arguments);
int run_router_deadlines(int count, char **arguments);
int run_router_disturb(int count, char **arguments);
int run_bus_load(int count, char **arguments);
int run_startup(int count, char **arguments);
