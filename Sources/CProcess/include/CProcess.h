/*
 * What programs learn about their parent, through prctl(2), whose arguments are variadic and thus out of Swift's reach.
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
