#include "CX11.h"

#include <dlfcn.h>

/* As in Xlib.h, which is not needed to build. */
typedef struct Display Display;
typedef unsigned long Window;

unsigned int scened_x11_modifiers(void) {
  void *library = dlopen("libX11.so.6", RTLD_NOW);
  if (!library) return 0;
  Display *(*open_display)(const char *) = (__typeof__(open_display))dlsym(library, "XOpenDisplay");
  Window (*root_window)(Display *) = (__typeof__(root_window))dlsym(library, "XDefaultRootWindow");
  int (*query_pointer)(Display *, Window, Window *, Window *, int *, int *, int *, int *, unsigned int *) =
      (__typeof__(query_pointer))dlsym(library, "XQueryPointer");
  int (*close_display)(Display *) = (__typeof__(close_display))dlsym(library, "XCloseDisplay");
  if (!open_display || !root_window || !query_pointer || !close_display) return 0;
  Display *display = open_display(0);
  if (!display) return 0;
  Window root, child;
  int root_x, root_y, x, y;
  unsigned int modifiers = 0;
  query_pointer(display, root_window(display), &root, &child, &root_x, &root_y, &x, &y, &modifiers);
  close_display(display);
  return modifiers;
}
