/*
 * What a daemon reports to systemd and gets from it: a thin layer on libsystemd's sd-daemon.h.
 *
 * sd_notifyf(3) is variadic and sd_listen_fds_with_names(3) hands over an array of allocated strings; neither is
 * pleasant from Swift. These functions keep no state and no memory, decide nothing, and may be called from any thread.
 *
 * Return values follow sd-daemon.h throughout: < 0 is a negative errno, 0 means that systemd is not there or did not
 * ask, > 0 is success. Whoever runs without systemd gets 0 everywhere, so no call needs a guard.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number of the first descriptor passed by systemd; the others follow without gaps. SD_LISTEN_FDS_START. */
#define SCENED_LISTEN_DESCRIPTORS_START 3

/*
 * Sends READY=1 and STATUS=status: the service is up and accepts connections.
 *
 * status: one line for `systemctl status`, UTF-8, no newline (what follows one would be read as an assignment); NULL
 *         sends READY=1 alone, after a reload.
 *
 * Returns > 0 if the message was sent; that is no proof that systemd has read it.
 *           0 if $NOTIFY_SOCKET is not set.
 *         < 0 if it is set and sending failed (-EINVAL: it is no socket address; -ECONNREFUSED, -ENOENT: nobody is
 *             there).
 */
int scened_notify_ready(const char *status);

/* Sends STATUS=status. Parameter and return value as for scened_notify_ready(). */
int scened_notify_status(const char *status);

/*
 * Sends RELOADING=1 and the time, by which systemd tells this reload from earlier ones (Type=notify-reload in
 * systemd.service(5)). scened_notify_ready() ends it. Return value as for scened_notify_ready().
 */
int scened_notify_reloading(void);

/* Sends STOPPING=1 and STATUS=status: the service has begun to shut down. As scened_notify_ready(). */
int scened_notify_stopping(const char *status);

/* Sends WATCHDOG=1: the service is alive. Return value as for scened_notify_ready(). */
int scened_notify_watchdog(void);

/*
 * The time within which systemd wants to see scened_notify_watchdog() called; sd_watchdog_enabled(3) recommends half
 * of it.
 *
 * Returns > 0: microseconds.
 *           0: no watchdog is asked of this process ($WATCHDOG_USEC is not set, or $WATCHDOG_PID is another one).
 *         < 0: $WATCHDOG_USEC or $WATCHDOG_PID is malformed (-EINVAL).
 */
int64_t scened_watchdog_interval(void);

/*
 * Sends a message to the journal; sd_journal_sendv(3).
 *
 * fields: "NAME=value" for each field, 32 at most, a NUL after each.
 * size:   bytes of all of them.
 *
 * Returns 0, or a negative errno; -E2BIG if there are too many.
 */
int scened_journal_send(const char *fields, size_t size);

/*
 * The descriptors passed by systemd (socket activation, or the descriptor store), and their names.
 *
 * Makes each of them close-on-exec, and removes $LISTEN_PID, $LISTEN_FDS and $LISTEN_FDNAMES from the environment, so
 * that a second call returns 0 and no child misreads them. After a negative return the environment is as before.
 *
 * names: receives the names (FileDescriptorName=, "unknown" where none was given), in the order of the descriptors,
 *        separated by colons, which no name contains; NUL-terminated. Empty unless > 0 is returned.
 * size:  the room at names in bytes, at least 1. 256 for each expected descriptor is always enough.
 *
 * Returns > 0: how many there are, numbered from SCENED_LISTEN_DESCRIPTORS_START. The caller owns them.
 *           0: none were passed to this process.
 *         < 0: the environment is malformed (-EINVAL), one of the descriptors is not open (-EBADF), memory is short
 *              (-ENOMEM), or the names do not fit into size bytes (-ENOBUFS).
 */
int scened_listen_descriptors(char *names, size_t size);
