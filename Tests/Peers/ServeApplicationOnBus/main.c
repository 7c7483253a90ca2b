/*
 * An application that is started over the bus (org.freedesktop.Application), for tests.
 *
 * ServeApplicationOnBus NAME FILE serve    takes NAME, and writes a line to FILE for each call
 * ServeApplicationOnBus NAME FILE refuse   takes NAME, and answers each call with an error
 * ServeApplicationOnBus NAME FILE die      takes NAME, and ends at the first call
 * ServeApplicationOnBus NAME FILE STATUS   ends at once with this exit status
 * ServeApplicationOnBus NAME FILE hide     never takes NAME, and ends with the bus
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static const char *path, *mode;

static int called(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  char line[4096];
  int used = snprintf(line, sizeof line, "%s %s", sd_bus_message_get_path(message), sd_bus_message_get_member(message));
  const char *member = sd_bus_message_get_member(message), *text, *key;
  if (strcmp(mode, "refuse") == 0) return sd_bus_error_set(error, "org.example.Error.Tired", "I am tired.");
  if (strcmp(mode, "die") == 0) _exit(1);
  if (strcmp(member, "ActivateAction") == 0) {
    sd_bus_message_read(message, "s", &text);
    used += snprintf(line + used, sizeof line - used, " action=%s", text);
    sd_bus_message_enter_container(message, 'a', "v");
    while (sd_bus_message_read(message, "v", "s", &text) > 0)
      used += snprintf(line + used, sizeof line - used, " parameter=%s", text);
    sd_bus_message_exit_container(message);
  } else if (strcmp(member, "Open") == 0) {
    sd_bus_message_enter_container(message, 'a', "s");
    while (sd_bus_message_read(message, "s", &text) > 0)
      used += snprintf(line + used, sizeof line - used, " url=%s", text);
    sd_bus_message_exit_container(message);
  }
  sd_bus_message_enter_container(message, 'a', "{sv}");
  while (sd_bus_message_read(message, "{sv}", &key, "s", &text) > 0)
    used += snprintf(line + used, sizeof line - used, " %s=%s", key, text);
  line[used++] = '\n';
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, line, used) != used) return -errno;
  close(file);
  return sd_bus_reply_method_return(message, "");
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Activate", "a{sv}", "", called, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Open", "asa{sv}", "", called, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("ActivateAction", "sava{sv}", "", called, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int main(int count, char **arguments) {
  if (count != 4) return 64;
  sd_bus *bus = NULL;
  const char *name = arguments[1];
  path = arguments[2];
  mode = arguments[3];
  if (atoi(mode)) return atoi(mode);
  char object[256] = "/";
  for (size_t i = 0; name[i] && i < sizeof object - 2; i++)
    object[i + 1] = name[i] == '.' ? '/' : name[i] == '-' ? '_' : name[i];
  int result = sd_bus_open_user(&bus);
  if (result >= 0)
    result = sd_bus_add_object_vtable(bus, NULL, object, "org.freedesktop.Application", methods, NULL);
  if (result >= 0 && strcmp(mode, "hide") != 0) result = sd_bus_request_name(bus, name, 0);
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 1;
}
