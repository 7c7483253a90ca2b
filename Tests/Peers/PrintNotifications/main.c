/*
 * Shows notifications as a desktop does (Desktop Notifications Specification), for tests.
 *
 * Prints "ready" once it owns its name on the session bus, then one line for each notification:
 * program, icon, title and text with '|' between them. A line break is printed as a space.
 */
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static int notify(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *program, *icon, *title, *text;
  uint32_t replaced;
  int result = sd_bus_message_read(message, "susss", &program, &replaced, &icon, &title, &text);
  if (result < 0) return result;
  printf("%s|%s|%s|", program, icon, title);
  for (; *text; text++) putchar(*text == '\n' ? ' ' : *text);
  putchar('\n');
  fflush(stdout);
  return sd_bus_reply_method_return(message, "u", (uint32_t)1);
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", notify, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int main(void) {
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  if (result >= 0)
    result = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
                                      methods, NULL);
  if (result >= 0) result = sd_bus_request_name(bus, "org.freedesktop.Notifications", 0);
  if (result >= 0) {
    puts("ready");
    fflush(stdout);
  }
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  fprintf(stderr, "%s\n", strerror(-result));
  return 1;
}
