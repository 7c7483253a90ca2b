#include "AllocationCount.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own versions of the functions that this file replaces. These versions are exported, but no header declares
// them.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Counts allocations until begin() has mapped the shared counter, because libraries allocate memory earlier.
static _Atomic uint64_t early_count;
static _Atomic uint64_t *count = &early_count;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ALLOCATION_COUNT");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  void *shared = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) {
    perror("AllocationCount: $ALLOCATION_COUNT");
    abort();
  }
  close(file);
  count = shared;
}

static void note_allocation(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  note_allocation();
  return __libc_malloc(size);
}

void *calloc(size_t elements, size_t size) {
  note_allocation();
  return __libc_calloc(elements, size);
}

void *realloc(void *memory, size_t size) {
  note_allocation();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note_allocation();
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  note_allocation();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note_allocation();
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *allocated = __libc_memalign(alignment, size);
  if (!allocated) return ENOMEM;
  *memory = allocated;
  return 0;
}
