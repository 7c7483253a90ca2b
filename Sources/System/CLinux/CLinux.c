/*
 * Compares CLinux.h with the system's own headers: its functions by including both, its constants and struct ucred,
 * which CLinux.h then leaves out, by the assertions below. This file has no code.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CLinux.h"

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), "CLinux.h differs from the system's header: " #theirs)

SAME(1, MFD_CLOEXEC);
SAME(83, SO_PASSRIGHTS);
SAME(2, SCM_CREDENTIALS);
SAME(16, CMSG_LEN(0));

SAME(12, sizeof(struct ucred));
SAME(0, offsetof(struct ucred, pid));
SAME(4, offsetof(struct ucred, uid));
SAME(8, offsetof(struct ucred, gid));
