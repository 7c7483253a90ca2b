#define _GNU_SOURCE
#include "ObservedMutex.h"

#include <dlfcn.h>
#include <stdint.h>

/*
 * The thread sanitizer sees how a program takes a free lock of Synchronization.Mutex, because the program's own code
 * does an atomic exchange. If another thread holds the lock, a function of Swift's library waits in the kernel
 * (FUTEX_LOCK_PI). Another function lets the kernel hand the lock on. The sanitizer sees neither function, and reports
 * all that the lock guards as a race.
 *
 * Therefore a checked program has its own versions of the two functions, which tell the sanitizer of each lock and
 * unlock, and call the functions of the library.
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
