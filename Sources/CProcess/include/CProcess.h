/*
 * What programs ask of their own process, through prctl(2), whose arguments are variadic, and mallopt(3), which Swift's
 * module of the C library leaves out.
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
