/*
 * libsystemd's sd-bus.h, for the module SessionBus, and what a program says to the desktop before it ends.
 */
#pragma once

#include <systemd/sd-bus.h>

/*
 * Shows a notification on the desktop (Desktop Notifications Specification: org.freedesktop.Notifications.Notify).
 *
 * Keeps no state and no memory; may be called from any thread; blocks until the desktop has answered, at
 * most five seconds as long as the bus itself answers.
 *
 * summary: one line, UTF-8.
 * body:    more, UTF-8; may be empty. Desktops may take it for markup, so '<', '>' and '&' must be escaped as in XML.
 *
 * Returns > 0 if the desktop has taken it.
 *           0 if there is no session bus, or nobody on it shows notifications.
 *         < 0 a negative errno if the call failed for another reason.
 */
int scened_show_notification(const char *summary, const char *body);
