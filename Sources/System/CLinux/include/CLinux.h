/*
 * Linux declarations that Swift's Glibc module lacks.
 *
 * Swift builds its Glibc module without _GNU_SOURCE, so GNU extensions of headers it does cover are missing, and it
 * does not cover <sys/epoll.h> at all. A macro defined here cannot change a module that is already built, so what is
 * needed is declared again, and CLinux.c lets the compiler compare every line with the system's own headers. Those that
 * Glibc covers are not included: their declarations would belong to this module too, and Swift would sometimes look for
 * them here.
 *
 * Declarations only: nothing here has a body.
 */
#pragma once

#include <sys/epoll.h> /* Not part of Swift's Glibc module. */

struct sockaddr;

/* accept4(2): sets close-on-exec and nonblocking with no moment in between. Hidden behind _GNU_SOURCE. */
int accept4(int descriptor, struct sockaddr *address, unsigned int *address_length, int flags);

/* pipe2(2): close-on-exec from the start, so that no child started by another thread inherits an end. _GNU_SOURCE. */
int pipe2(int descriptors[2], int flags);

/* memfd_create(2): an anonymous file that can be passed on as a descriptor. _GNU_SOURCE, and its flag with it. */
int memfd_create(const char *name, unsigned int flags);
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1U
#endif

/* timerfd_create(2): a timer to be waited on with descriptors. Not part of Swift's Glibc module. */
struct itimerspec;
int timerfd_create(int clock, int flags);
int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *former);

/* struct ucred: what SO_PEERCRED answers (unix(7)). Hidden behind _GNU_SOURCE. */
#ifndef __USE_GNU
struct ucred {
  int pid; /* 0 if the process is outside this PID namespace. */
  unsigned int uid;
  unsigned int gid;
};
#endif

/*
 * Socket options younger than glibc 2.36. The numbers are those of <asm-generic/socket.h>; alpha, mips, parisc and
 * sparc number socket options their own way and are not supported by Swift.
 */

/* SO_PASSRIGHTS: whether the socket receives descriptors at all (Linux 6.16). */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/*
 * For loops of the main thread that are not libdispatch's own, such as CoreFoundation's (libdispatch, private/private.h):
 * an eventfd that is readable when something is queued for the main thread, and the call that runs it there. The library
 * exports them and has no public header for them: these two lines are compared with nothing.
 */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *ignored);
