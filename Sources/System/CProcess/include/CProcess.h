/*
 * What Swift cannot do: prctl(2) is variadic, Swift's module of the C library leaves out mallopt(3), and only C may run
 * between vfork(2) and execve(2), and after fork(2). The functions return a negative errno on failure.
 */
#pragma once

#include <stdbool.h>

/*
 * Executes the program arguments[0], a path, in this process; returns -ESRCH if `parent` has ended. The program gets
 * SIGTERM when the thread of the parent that started this process ends, so that thread has to live as long as the
 * parent (prctl(2), PR_SET_PDEATHSIG). Linux sends no signal to its children, or if it is set-user-ID.
 */
int scened_become_program(int parent, char *const arguments[]);

/*
 * Makes the allocator return freed memory to the system. Call it before there are other threads.
 *
 * For a program in which one thread at a time does the work, but Dispatch may choose another each time: memory of one
 * thread's arena would not be used by the next, and without fixed thresholds up to 64 MiB would be kept.
 */
void scened_return_freed_memory(void);

/*
 * Takes the code and constants of this program and its libraries out of the memory of this process. The kernel keeps
 * them in its cache, and maps what the process needs again, 64 KiB at a time.
 *
 * For a program that waits most of the time: starting takes three times as much code as waiting.
 */
void scened_release_code(void);

enum scened_start_step { SCENED_START_PROCESS, SCENED_START_DIRECTORY, SCENED_START_PROGRAM };

/*
 * Starts the program at a path in a session of its own and returns its identifier, a child to wait for. On failure
 * there is no child, and `failed` is the step.
 *
 * It gets an empty standard input, this process's standard output and standard error, no other descriptor, and the
 * default actions of all signals. The mask of new files and the limit of descriptors are those that this process got
 * from its parent. Without `directory`, it starts in this process's.
 */
int scened_start_program(const char *path, char *const arguments[], char *const environment[], const char *directory,
                         enum scened_start_step *failed);

/* Starts this program once more, as scened_start_program() does, with a descriptor as its standard input. */
int scened_start_self(char *const arguments[], int input);

/*
 * Starts a program, searched in $PATH, as scened_start_program() does. It gets SIGTERM when the thread that started it
 * ends (prctl(2), PR_SET_PDEATHSIG), so this thread has to wait for it. `stream`, its standard input and output, is a
 * descriptor above 2; `messages` receives a file in memory for its standard error, which the caller owns.
 */
int scened_start_companion(char *const arguments[], int stream, int *messages);

/* Opens a close-on-exec descriptor that becomes readable when the process has ended (pidfd_open(2)). */
int scened_open_process(int process);

/*
 * Looks at a file: whether it is there, and its type as `gio info -a standard::content-type` prints it.
 *
 * A child looks, because a call that touches a mount whose server is gone returns only when the server comes back, and
 * because GIO is slow, or crashes, with databases that no program of the desktop has written. The child is killed when it
 * takes too long, and ends as soon as the kernel lets it.
 *
 * path:       the path of the file.
 * may_be_new: whether a missing file gets the type that its name tells, else text/plain.
 * type:       receives the type; empty without GIO, without an answer, or for a missing file.
 * capacity:   the size of `type`.
 *
 * Returns 0, or the error of stat(2), not negated; ETIMEDOUT if the file system does not answer in two seconds.
 */
int scened_look_at_file(const char *path, bool may_be_new, char *type, int capacity);

/* Not a copy; the caller must not change it. */
char *const *scened_environment(void);

/*
 * Keeps descriptors of this process from children of fork(2): in a child, each of them is replaced by a socket without
 * a connection. So a connection ends with this process, and a child can do nothing with it.
 *
 * A descriptor is kept from the call of scened_keep_from_children() to that of scened_release_to_children(), which
 * comes before it is closed. Descriptors from 65,536 on are not kept. A fork waits from scened_delay_forks() to
 * scened_allow_forks(): between the two a descriptor is made and kept, so that no child gets it.
 */
void scened_delay_forks(void);
void scened_allow_forks(void);
void scened_keep_from_children(int descriptor);
void scened_release_to_children(int descriptor);
