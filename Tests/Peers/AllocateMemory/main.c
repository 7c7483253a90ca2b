// Allocates memory in each possible way, to test that allocations are counted. The argument is the number of rounds.

#include <stdlib.h>

// Keeps the compiler from removing unused allocations.
static void *volatile memory;

static void release(void) { free(memory); }

int main(int count, char **arguments) {
  for (int times = count == 2 ? atoi(arguments[1]) : 0; times > 0; times--) {
    memory = malloc(1);
    memory = realloc(memory, 10000);
    release();
    memory = calloc(1, 1);
    release();
    memory = aligned_alloc(64, 64);
    release();
    void *aligned;
    if (posix_memalign(&aligned, 64, 64) != 0) return 1;
    memory = aligned;
    release();
  }
  return 0;
}
