#define _GNU_SOURCE
#include "ObservedMutex.h"

#include <dlfcn.h>
#include <stdint.h>

/*
 * The thread sanitizer sees a lock of Synchronization.Mutex that is free, because that is an atomic exchange in the
 * program's own code. If another thread holds it, a function of Swift's library waits in the kernel (FUTEX_LOCK_PI),
 * and the kernel hands the lock on. The sanitizer sees neither, and reports all that the lock guards as a race.
 *
 * So a program that is checked has the two functions itself: they say what happens and call those of the library.
 * Source: stdlib/public/Synchronization/Mutex/LinuxImpl.swift of Swift 6.3.
 */

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef SWIFT void lock_function(uint32_t thread, SELF void *mutex);
typedef SWIFT void unlock_function(SELF void *mutex);

SWIFT void observed_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void observed_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void observed_lock(uint32_t thread, SELF void *mutex) {
  ((lock_function *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void observed_unlock(SELF void *mutex) {
  __tsan_release(mutex);
  ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
