/*
 * What programs ask of their own process, through prctl(2), whose arguments are variadic, and mallopt(3), which Swift's
 * module of the C library leaves out; and a start of another program between vfork(2) and execve(2), where only C may run.
 */
#pragma once

/*
 * Becomes another program, which gets SIGTERM as soon as its parent has ended, however that comes about.
 *
 * Linux sends it to this process alone, not to what it starts, and not if the program is set-user-ID; the thread that
 * started the process has to live as long as the parent (prctl(2), PR_SET_PDEATHSIG).
 *
 * parent:    the process that should be the parent, which may have ended by now.
 * arguments: as for execv(3); the first is the path of the program.
 *
 * Returns only if that fails, with a negative errno; -ESRCH if the parent has ended.
 */
int scened_become_program(int parent, char *const arguments[]);

/*
 * Has the allocator return memory that is freed; to be called before there are other threads.
 *
 * For a program of which one thread at a time does the work, whichever Dispatch takes: with an arena for each thread,
 * what was freed in one is not used in the next. Without fixed thresholds a large block that is freed raises them, and
 * up to 64 MiB stay.
 */
void scened_return_freed_memory(void);

/* What a start of a program did not get over. */
enum scened_start_step { SCENED_START_PROCESS, SCENED_START_DIRECTORY, SCENED_START_PROGRAM };

/*
 * Starts a program in a session of its own.
 *
 * Its standard input is empty; standard output and standard error are those of this process, and no other descriptor is
 * passed on. Signals have their default actions and none is blocked; not more than 1024 descriptors can be opened until
 * the program asks for more, as one that uses select(2) expects.
 *
 * path:        of the program; it is not searched for.
 * arguments:   as for execve(2); the first is the name of the program.
 * environment: as for execve(2).
 * directory:   where it starts; NULL for that of this process.
 * failed:      what failed.
 *
 * Returns the identifier of the process, a child that is to be waited for; a negative errno if the program was not
 * executed, in which case there is nothing to wait for.
 */
int scened_start_program(const char *path, char *const arguments[], char *const environment[], const char *directory,
                         enum scened_start_step *failed);

/*
 * Starts a program that gets SIGTERM when the thread that started it has ended (prctl(2), PR_SET_PDEATHSIG), which
 * waits for it until then. In all else it is started as by scened_start_program(), in the directory and with the
 * environment of this process.
 *
 * arguments: as for execvp(3).
 * stream:    its standard input and output, a descriptor above 2.
 * messages:  a file in memory, which gets its standard error; the caller's.
 *
 * Returns the identifier of the process, a child that is to be waited for; a negative errno if the program was not
 * executed, and then there is no file.
 */
int scened_start_companion(char *const arguments[], int stream, int *messages);

/*
 * Opens a descriptor that becomes readable when the child has ended (pidfd_open(2)). It is closed in programs.
 *
 * Returns a negative errno if there is none.
 */
int scened_open_process(int process);

/* The environment of this process; it is not copied, and not to be changed. */
char *const *scened_environment(void);
