/*
 * The sd-bus interface of libsystemd, for the module SessionBus.
 *
 * The library is loaded at the first use, because only some commands of scenectl need the bus, and linking would cost
 * each start of scenectl a millisecond.
 */
#pragma once

#include <systemd/sd-bus.h>

#define SCENED_BUS_FUNCTIONS(FUNCTION) \
  FUNCTION(sd_bus_close) \
  FUNCTION(sd_bus_get_events) \
  FUNCTION(sd_bus_get_fd) \
  FUNCTION(sd_bus_message_append_basic) \
  FUNCTION(sd_bus_message_close_container) \
  FUNCTION(sd_bus_message_enter_container) \
  FUNCTION(sd_bus_message_exit_container) \
  FUNCTION(sd_bus_message_get_error) \
  FUNCTION(sd_bus_message_get_interface) \
  FUNCTION(sd_bus_message_get_member) \
  FUNCTION(sd_bus_message_get_path) \
  FUNCTION(sd_bus_message_get_reply_cookie) \
  FUNCTION(sd_bus_message_is_method_call) \
  FUNCTION(sd_bus_message_new_method_call) \
  FUNCTION(sd_bus_message_open_container) \
  FUNCTION(sd_bus_message_peek_type) \
  FUNCTION(sd_bus_message_read_basic) \
  FUNCTION(sd_bus_message_set_auto_start) \
  FUNCTION(sd_bus_message_unref) \
  FUNCTION(sd_bus_new) \
  FUNCTION(sd_bus_open_user) \
  FUNCTION(sd_bus_path_encode) \
  FUNCTION(sd_bus_process) \
  FUNCTION(sd_bus_reply_method_errno) \
  FUNCTION(sd_bus_send) \
  FUNCTION(sd_bus_set_address) \
  FUNCTION(sd_bus_set_bus_client) \
  FUNCTION(sd_bus_start) \
  FUNCTION(sd_bus_unref)

struct scened_bus_functions {
#define SCENED_MEMBER(name) __typeof__(name) *_Nonnull name;
  SCENED_BUS_FUNCTIONS(SCENED_MEMBER)
#undef SCENED_MEMBER
};

/* Never freed; NULL if the library is missing or lacks one of the functions. May be called from any thread. */
const struct scened_bus_functions *_Nullable scened_bus_functions(void);
