/*
 * Compiles CLinux.h after the system's own headers: a declaration that differs from theirs does not compile. There is
 * no code here.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CLinux.h"

_Static_assert(MFD_CLOEXEC == 1U, "CLinux.h and <sys/mman.h> disagree");
_Static_assert(sizeof(struct ucred) == 12, "struct ucred is three 32-bit numbers");
_Static_assert(SO_PEERPIDFD == 77, "CLinux.h and <sys/socket.h> disagree");
_Static_assert(SO_PASSRIGHTS == 83, "CLinux.h and <sys/socket.h> disagree");
