/*
 * What Swift cannot do: prctl(2) is variadic, Swift's module of the C library leaves out mallopt(3), and only C may run
 * between vfork(2) and execve(2). The functions return a negative errno on failure.
 */
#pragma once

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

enum scened_start_step { SCENED_START_PROCESS, SCENED_START_DIRECTORY, SCENED_START_PROGRAM };

/*
 * Starts the program at a path in a session of its own and returns its identifier, a child to wait for. On failure
 * there is no child, and `failed` is the step.
 *
 * It gets an empty standard input, this process's standard output and standard error, no other descriptor, and the
 * default actions of all signals. Until it raises the limit, it can open 1024 descriptors, as a program that uses
 * select(2) expects. Without `directory`, it starts in this process's.
 */
int scened_start_program(const char *path, char *const arguments[], char *const environment[], const char *directory,
                         enum scened_start_step *failed);

/*
 * Starts a program, searched in $PATH, as scened_start_program() does. It gets SIGTERM when the thread that started it
 * ends (prctl(2), PR_SET_PDEATHSIG), so this thread has to wait for it. `stream`, its standard input and output, is a
 * descriptor above 2; `messages` receives a file in memory for its standard error, which the caller owns.
 */
int scened_start_companion(char *const arguments[], int stream, int *messages);

/* Opens a close-on-exec descriptor that becomes readable when the child has ended (pidfd_open(2)). */
int scened_open_process(int process);

/* Not a copy; the caller must not change it. */
char *const *scened_environment(void);
