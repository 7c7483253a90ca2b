#include "CSessionBus.h"

#include <errno.h>
#include <systemd/sd-bus.h>

/* The desktop decides how long the notification stays. */
static const int default_expiration = -1;

/* A desktop that does not answer must not hold up the program for long; unset, it would be 25 s. */
static const uint64_t timeout_usec = 5 * 1000 * 1000;

int scened_show_notification(const char *summary, const char *body) {
  sd_bus *bus = NULL;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  int result = sd_bus_open_user(&bus);

  if (result < 0) {
    /* Neither an address in the environment nor a bus where one would be. */
    return result == -ENOMEDIUM || result == -ENOENT || result == -ECONNREFUSED ? 0 : result;
  }
  sd_bus_set_method_call_timeout(bus, timeout_usec);
  result = sd_bus_call_method(bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                              "org.freedesktop.Notifications", "Notify", &error, NULL, "susssasa{sv}i", "scened",
                              (uint32_t)0, "dialog-warning", summary, body, 0, 0, default_expiration);
  if (result < 0) {
    int nobody = sd_bus_error_has_name(&error, SD_BUS_ERROR_SERVICE_UNKNOWN) ||
                 sd_bus_error_has_name(&error, SD_BUS_ERROR_NAME_HAS_NO_OWNER);
    result = nobody ? 0 : result;
  } else {
    result = 1;
  }
  sd_bus_error_free(&error);
  sd_bus_flush_close_unref(bus);
  return result;
}
