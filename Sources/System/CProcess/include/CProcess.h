/*
 * Work on processes that Swift cannot do: prctl(2) has variadic arguments, Swift's module of the C library leaves out
 * mallopt(3), and only C may run between vfork(2) and execve(2), when another program is started, or after fork(2).
 */
#pragma once

#include <stdbool.h>

/*
 * Executes another program in this process. The program gets SIGTERM as soon as its parent has ended for any reason.
 *
 * Linux sends the signal only to this process, not to its children, and not if the program is set-user-ID. It sends the
 * signal when the thread that started this process ends, so that thread has to live as long as the parent (prctl(2),
 * PR_SET_PDEATHSIG).
 *
 * parent:    the expected parent process, which may have ended already.
 * arguments: as for execv(3); the first is the path of the program.
 *
 * Returns only on failure, with a negative errno; -ESRCH if the parent has ended.
 */
int scened_become_program(int parent, char *const arguments[]);

/*
 * Makes the allocator return freed memory to the system. Call it before there are other threads.
 *
 * The allocator gets a single arena and fixed thresholds. This is for a program in which one thread at a time does the
 * work, but Dispatch may choose another thread each time. With an arena for each thread, memory that one thread freed
 * would not be used by the next. Without fixed thresholds, a large freed block would raise them, and up to 64 MiB would
 * be kept.
 */
void scened_return_freed_memory(void);

/* The step at which the start of a program failed. */
enum scened_start_step { SCENED_START_PROCESS, SCENED_START_DIRECTORY, SCENED_START_PROGRAM };

/*
 * Starts a program in a session of its own.
 *
 * Its standard input is empty. Its standard output and standard error are those of this process. It gets no other
 * descriptor. Signals have their default actions and none is blocked. At most 1024 descriptors can be opened until the
 * program raises the limit, because a program that uses select(2) expects that.
 *
 * path:        the path of the program, which is not searched in $PATH.
 * arguments:   as for execve(2); the first is the name of the program.
 * environment: as for execve(2).
 * directory:   the working directory of the program; NULL for the directory of this process.
 * failed:      receives the step that failed.
 *
 * Returns the identifier of the process, a child that the caller has to wait for; a negative errno if the program was
 * not executed, and then there is no child.
 */
int scened_start_program(const char *path, char *const arguments[], char *const environment[], const char *directory,
                         enum scened_start_step *failed);

/*
 * Starts a program as scened_start_program() does, in the directory and with the environment of this process. The
 * program gets SIGTERM when the thread that started it has ended (prctl(2), PR_SET_PDEATHSIG). So this thread has to
 * wait for the program.
 *
 * arguments: as for execvp(3).
 * stream:    the standard input and output of the program, a descriptor above 2.
 * messages:  receives a file in memory for the standard error of the program. The caller owns it.
 *
 * Returns the identifier of the process, a child that the caller has to wait for; a negative errno if the program was
 * not executed, and then there is no child and no file.
 */
int scened_start_companion(char *const arguments[], int stream, int *messages);

/*
 * Opens a descriptor that becomes readable when the child has ended (pidfd_open(2)). The descriptor is close-on-exec.
 *
 * Returns the descriptor, or a negative errno if it cannot be opened.
 */
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
 * Returns 0, or the error of stat(2); ETIMEDOUT if the file system does not answer in half a second.
 */
int scened_look_at_file(const char *path, bool may_be_new, char *type, int capacity);

/* The environment of this process. It is not copied; the caller must not change it. */
char *const *scened_environment(void);
