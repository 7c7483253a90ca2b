/*
 * A thin layer on libsystemd's sd-daemon.h and sd-journal.h, parts of which are variadic or return allocated strings.
 * The functions keep no state and may be called from any thread.
 *
 * Unless a function says otherwise, it returns < 0 for a negative errno, 0 if systemd is not there or did not ask, and
 * > 0 for success.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SCENED_LISTEN_DESCRIPTORS_START 3

/*
 * Sends READY=1 and STATUS=status, one line for `systemctl status`: systemd would read the text after a newline as an
 * assignment. NULL, after a reload, sends READY=1 alone. Success does not prove that systemd has read the message.
 */
int scened_notify_ready(const char *status);

int scened_notify_status(const char *status);

/*
 * Also sends the time, from which systemd knows that this is not an earlier reload (Type=notify-reload in
 * systemd.service(5)). scened_notify_ready() ends the reload.
 */
int scened_notify_reloading(void);

int scened_notify_stopping(const char *status);

int scened_notify_watchdog(void);

/*
 * The microseconds within which systemd expects a call of scened_notify_watchdog(); 0 without a watchdog for this
 * process, -EINVAL if $WATCHDOG_USEC or $WATCHDOG_PID is malformed. sd_watchdog_enabled(3) recommends half of the time.
 */
int64_t scened_watchdog_interval(void);

/* `fields` are at most 32, each "NAME=value" and a NUL, with `size` bytes in all. Returns 0, or -E2BIG for more. */
int scened_journal_send(const char *fields, size_t size);

/*
 * Finds the last message, not only of white space, that the processes of a unit of this user's manager wrote after
 * `since`, in microseconds of CLOCK_MONOTONIC. It reads files, so it may take a while.
 *
 * `text` receives up to `size` bytes without a NUL. Returns their number, or 0 if there is no such message, the journal
 * has not taken it in yet, or this process may not read that journal.
 */
int scened_journal_last_message(const char *unit, uint64_t since, char *text, size_t size);

/*
 * The number of descriptors passed by systemd, from SCENED_LISTEN_DESCRIPTORS_START on. The caller owns them.
 *
 * They become close-on-exec. $LISTEN_PID, $LISTEN_FDS and $LISTEN_FDNAMES are removed from the environment, so that a
 * second call returns 0 and no child misreads them. `names` receives their names ("unknown" if one was not given),
 * separated by colons, which no name contains, and ended by a NUL; 256 bytes for each are always enough.
 *
 * Fails with -EINVAL if the environment is malformed, -EBADF if one is not open, -ENOMEM, or -ENOBUFS if `size` is too
 * small; the environment is then unchanged.
 */
int scened_listen_descriptors(char *names, size_t size);
