/*
 * The exchange of a daemon with systemd: a thin layer on libsystemd's sd-daemon.h and sd-journal.h.
 *
 * sd_notifyf(3) is variadic and sd_listen_fds_with_names(3) returns an array of allocated strings; neither is pleasant
 * from Swift. These functions keep no state and no memory, decide nothing, and may be called from any thread.
 *
 * Unless a function says otherwise, its return value is as in sd-daemon.h: < 0 is a negative errno, 0 means that
 * systemd is not there or did not ask, > 0 is success. Without systemd they return 0, so that no call needs a guard.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number of the first descriptor passed by systemd; the others follow without gaps. SD_LISTEN_FDS_START. */
#define SCENED_LISTEN_DESCRIPTORS_START 3

/*
 * Sends READY=1 and STATUS=status: the service is up and accepts connections.
 *
 * status: one line for `systemctl status`, UTF-8, without a newline, because systemd would read the text after it as
 *         an assignment; NULL sends READY=1 alone, after a reload.
 *
 * Returns > 0 if the message was sent; that does not prove that systemd has read it.
 *           0 if $NOTIFY_SOCKET is not set.
 *         < 0 if it is set and sending failed (-EINVAL: it is not a socket address; -ECONNREFUSED, -ENOENT: no process
 *             listens there).
 */
int scened_notify_ready(const char *status);

/* Sends STATUS=status. The parameter and the return value are those of scened_notify_ready(). */
int scened_notify_status(const char *status);

/*
 * Sends RELOADING=1 and the time, from which systemd knows that this is not an earlier reload (Type=notify-reload in
 * systemd.service(5)). scened_notify_ready() ends the reload. The return value is that of scened_notify_ready().
 */
int scened_notify_reloading(void);

/* Sends STOPPING=1 and STATUS=status: the service has begun to shut down. Otherwise like scened_notify_ready(). */
int scened_notify_stopping(const char *status);

/* Sends WATCHDOG=1: the service is alive. The return value is that of scened_notify_ready(). */
int scened_notify_watchdog(void);

/*
 * The time within which systemd expects a call of scened_notify_watchdog(). sd_watchdog_enabled(3) recommends to call
 * it after half of the time.
 *
 * Returns > 0: microseconds.
 *           0: this process has no watchdog ($WATCHDOG_USEC is not set, or $WATCHDOG_PID is another process).
 *         < 0: $WATCHDOG_USEC or $WATCHDOG_PID is malformed (-EINVAL).
 */
int64_t scened_watchdog_interval(void);

/*
 * Sends a message to the journal; sd_journal_sendv(3).
 *
 * fields: at most 32 fields, each "NAME=value" and a NUL.
 * size:   the number of bytes of all fields.
 *
 * Returns 0, or a negative errno; -E2BIG if there are too many fields.
 */
int scened_journal_send(const char *fields, size_t size);

/*
 * Finds the last message in the journal from the processes of a unit of this user's manager; sd_journal_open(3). Their
 * standard output and standard error count too. A message of white space alone does not count.
 *
 * It reads files, so it may take a while. Journals that this process cannot read do not count.
 *
 * unit:  the name of the unit.
 * since: the time after which the message was written, in microseconds of CLOCK_MONOTONIC.
 * text:  receives the beginning of the message, without a NUL.
 * size:  the room at text in bytes.
 *
 * Returns > 0: the number of bytes at text.
 *           0: there is no such message, or the journal has not taken it in yet.
 *         < 0: the journal cannot be read; a negative errno.
 */
int scened_journal_last_message(const char *unit, uint64_t since, char *text, size_t size);

/*
 * The descriptors passed by systemd (socket activation, or the descriptor store), and their names.
 *
 * Makes each descriptor close-on-exec. Removes $LISTEN_PID, $LISTEN_FDS and $LISTEN_FDNAMES from the environment, so
 * that a second call returns 0 and no child misreads them. After a negative return the environment is unchanged.
 *
 * names: receives the names (FileDescriptorName=, "unknown" if none was given) in the order of the descriptors,
 *        separated by colons, which no name contains, and ended by a NUL. Empty unless > 0 is returned.
 * size:  the room at names in bytes, at least 1. 256 for each expected descriptor is always enough.
 *
 * Returns > 0: the number of descriptors, numbered from SCENED_LISTEN_DESCRIPTORS_START. The caller owns them.
 *           0: none were passed to this process.
 *         < 0: the environment is malformed (-EINVAL), one of the descriptors is not open (-EBADF), memory is short
 *              (-ENOMEM), or the names do not fit into size bytes (-ENOBUFS).
 */
int scened_listen_descriptors(char *names, size_t size);
