#include "CProcess.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

int scened_become_program(int parent, char *const arguments[]) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0) return -errno;
  /* Nothing is sent for a parent that had ended before. */
  if (getppid() != parent) return -ESRCH;
  execv(arguments[0], arguments);
  return -errno;
}

void scened_return_freed_memory(void) {
  enum { threshold = 128 << 10 };
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, threshold);
  mallopt(M_TRIM_THRESHOLD, threshold);
}
