/* The sd-bus interface of libsystemd, for the module SessionBus. */
#pragma once

#include <systemd/sd-bus.h>
