// The programs that scenebench starts: servers for comparison, and clients that need little processor time.

#include "load.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int count, char **arguments);
} commands[] = {
    {"stub", run_stub},
    {"router-load", run_router_load},
    {"router-scale", run_router_scale},
    {"router-identifiers", run_router_identifiers},
    {"router-changes", run_router_changes},
    {"router-deadlines", run_router_deadlines},
    {"router-disturb", run_router_disturb},
    {"bus-load", run_bus_load},
    {"startup", run_startup},
};

int main(int count, char **arguments) {
  for (size_t i = 0; count > 1 && i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(arguments[1], commands[i].name) == 0) {
      return commands[i].run(count - 2, arguments + 2);
    }
  }
  fputs("usage: scenebench-load COMMAND OPTIONS; started by scenebench, see its README.\n", stderr);
  return 64;
}
