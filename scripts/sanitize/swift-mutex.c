// Lets the thread sanitizer see Synchronization.Mutex when threads contend for it.
//
// The standard library is not instrumented. Its uncontended lock is inlined into the caller, so the sanitizer sees it.
// The contended lock consists of three functions of libswiftSynchronization, which the sanitizer does not see.
// Therefore it reports every access under such a lock as a race, for example in swift-subprocess and swift-testing. The
// functions here replace those three: they call the originals and tell the sanitizer what happens. Only sanitized
// executables link them (scripts/sanitize/run). They use Swift's calling convention, with the handle (an
// Atomic<UInt32>) as context. The originals are in stdlib/public/Synchronization of the Swift sources.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *handle);
typedef SWIFT bool (*TryLock)(SELF void *handle);
typedef SWIFT void (*Unlock)(SELF void *handle);

static void *original(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function != NULL) return function;
    fprintf(stderr, "scripts/sanitize/swift-mutex.c: the standard library has no %s\n", name);
    abort();
}

SWIFT void lockSlow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void lockSlow(uint32_t thread, SELF void *handle) {
    ((Lock)original(LOCK_SLOW))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT bool tryLockSlow(SELF void *handle) __asm__(TRY_LOCK_SLOW);
SWIFT bool tryLockSlow(SELF void *handle) {
    bool isLocked = ((TryLock)original(TRY_LOCK_SLOW))(handle);
    if (isLocked) __tsan_acquire(handle);
    return isLocked;
}

SWIFT void unlockSlow(SELF void *handle) __asm__(UNLOCK_SLOW);
SWIFT void unlockSlow(SELF void *handle) {
    __tsan_release(handle);
    ((Unlock)original(UNLOCK_SLOW))(handle);
}
