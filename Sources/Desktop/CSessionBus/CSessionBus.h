/* libsystemd's sd-bus, for the module SessionBus. */
#pragma once

#include <systemd/sd-bus.h>
