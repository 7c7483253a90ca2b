#include "CSessionBus.h"

#include <dlfcn.h>
#include <pthread.h>

static struct scened_bus_functions functions;
static const struct scened_bus_functions *loaded;

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW);
  if (!library) return;
#define LOAD(name) \
  if (!(functions.name = (__typeof__(functions.name))dlsym(library, #name))) return;
  SCENED_BUS_FUNCTIONS(LOAD)
  loaded = &functions;
}

const struct scened_bus_functions *scened_bus_functions(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return loaded;
}
