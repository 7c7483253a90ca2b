/*
 * Linux declarations that Swift's Glibc module lacks.
 *
 * Swift builds its Glibc module without _GNU_SOURCE. GNU extensions of the headers that the module covers are therefore
 * missing, and it does not cover <sys/epoll.h> at all. A macro defined here cannot change a module that is already
 * built, so this header declares the needed functions and types again. CLinux.c lets the compiler compare all but the
 * last two declarations with the system's own headers. The headers that Glibc covers are not included here, because
 * their declarations would then belong to this module too, and Swift would sometimes look for them here.
 *
 * This header has only declarations.
 */
#pragma once

#include <sys/epoll.h> /* Not part of Swift's Glibc module. */

struct sockaddr;

/* accept4(2): accepts a connection that is close-on-exec and nonblocking from the start. Hidden behind _GNU_SOURCE. */
int accept4(int descriptor, struct sockaddr *address, unsigned int *address_length, int flags);

/* pipe2(2): makes both ends close-on-exec, so that no child of another thread inherits one. Behind _GNU_SOURCE. */
int pipe2(int descriptors[2], int flags);

/* memfd_create(2): makes an anonymous file that can be passed on as a descriptor. Hidden behind _GNU_SOURCE. */
int memfd_create(const char *name, unsigned int flags);
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1U
#endif

/* timerfd_create(2): makes a timer that is a descriptor. Not part of Swift's Glibc module. */
struct itimerspec;
int timerfd_create(int clock, int flags);
int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *former);

/* struct ucred: the value of SO_PEERCRED (unix(7)). Hidden behind _GNU_SOURCE. */
#ifndef __USE_GNU
struct ucred {
  int pid; /* 0 if the process is outside this PID namespace. */
  unsigned int uid;
  unsigned int gid;
};
#endif

/* SCM_CREDENTIALS: the control message that has the credentials of a sender (unix(7)). Hidden behind _GNU_SOURCE. */
#ifndef __USE_GNU
#define SCM_CREDENTIALS 2
#endif

/*
 * Socket options newer than glibc 2.36. The numbers are from <asm-generic/socket.h>. alpha, mips, parisc and sparc have
 * other numbers, but Swift does not support these machines.
 */

/* SO_PASSRIGHTS: whether the socket receives descriptors at all (Linux 6.16). */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/*
 * For main-thread loops outside libdispatch, such as CoreFoundation's (libdispatch, private/private.h): an eventfd that
 * is readable when work is queued for the main thread, and the call that runs this work there. The library exports both
 * functions but has no public header for them, so these two lines cannot be compared with a header.
 */
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *ignored);
