/*
 * Replaces setpriority(2) in a program that links this module.
 *
 * libdispatch calls it in each thread that it makes, to turn classes of service into nice values. An ordinary user may
 * not lower a nice value, and then libdispatch writes "Failed to set thread priority" to the system's log. It has no
 * setting against this, and calls it for threads without a class too. The programs here need no such priorities; in
 * addition, a program that is started from such a thread would inherit its nice value.
 */
#pragma once
