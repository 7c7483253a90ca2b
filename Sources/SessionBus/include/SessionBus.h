/*
 * What a program says to the desktop over the session bus: a thin layer on libsystemd's sd-bus.h, whose calls are
 * variadic and thus out of Swift's reach.
 *
 * Keeps no state and no memory; may be called from any thread; blocks until the desktop has answered, at
 * most five seconds as long as the bus itself answers.
 */
#pragma once

/*
 * Shows a notification on the desktop (Desktop Notifications Specification: org.freedesktop.Notifications.Notify).
 *
 * summary: one line, UTF-8.
 * body:    more, UTF-8; may be empty. Desktops may take it for markup, so '<', '>' and '&' must be escaped as in XML.
 *
 * Returns > 0 if the desktop has taken it.
 *           0 if there is no session bus, or nobody on it shows notifications.
 *         < 0 a negative errno if the call failed for another reason.
 */
int scened_show_notification(const char *summary, const char *body);
