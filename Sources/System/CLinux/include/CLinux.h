/*
 * Linux declarations that Swift's Glibc module lacks, because Swift builds that module without _GNU_SOURCE and without
 * <sys/epoll.h>. A macro here cannot change a module that is already built, so they are declared again, and CLinux.c
 * compares them with the system's headers. The headers that Glibc covers are not included here, because their
 * declarations would then belong to this module too, and Swift would sometimes look for them here.
 */
#pragma once

#include <sys/epoll.h>

struct sockaddr;

int accept4(int descriptor, struct sockaddr *address, unsigned int *address_length, int flags);
int pipe2(int descriptors[2], int flags);
int memfd_create(const char *name, unsigned int flags);
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1U
#endif

#ifndef __USE_GNU
struct ucred {
  int pid; /* 0 if the process is outside this PID namespace. */
  unsigned int uid;
  unsigned int gid;
};
#endif

#ifndef __USE_GNU
#define SCM_CREDENTIALS 2
#endif

/*
 * Linux 6.16, newer than glibc 2.36; the number of <asm-generic/socket.h>. alpha, mips, parisc and sparc have another
 * one, but Swift does not support them.
 */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif
