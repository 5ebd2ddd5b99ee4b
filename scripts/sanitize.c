/* This file is linked into a program that is built with a sanitizer. It contains the sanitizer's options, so that
   they also apply to programs that tests start with another environment. It also tells the thread sanitizer about
   Swift's Mutex. scripts/sanitize compiles it. TIEOUT_FOUND is the path prefix of the files for findings. */

#define _GNU_SOURCE

#if defined(TIEOUT_ADDRESS)

const char *__asan_default_options(void) {
  return "log_path=" TIEOUT_FOUND
         /* Singletons of Swift and Foundation keep memory until the end. That is not a leak of this program. */
         ":detect_leaks=0"
         /* Check memory of frames that have returned, and strings that are passed to C. */
         ":detect_stack_use_after_return=1:strict_string_checks=1";
}

#elif defined(TIEOUT_THREAD)

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

const char *__tsan_default_options(void) {
  return "log_path=" TIEOUT_FOUND
         /* Swift's runtime, Foundation and Debian's libraries are built without the sanitizer. So the
            sanitizer does not see how they protect their own memory from concurrent access. */
         ":ignore_noninstrumented_modules=1";
}

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

/* Swift's Mutex locks and unlocks a free lock in the caller's code, which the sanitizer sees. For a lock that
   other threads wait for, it uses these three functions of its library, which the sanitizer does not see. The
   functions here call them and report the lock to the sanitizer. */
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void tieout_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool tieout_try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void tieout_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void tieout_lock_slow(uint32_t thread, SELF) {
  SWIFT void (*library)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
  library(thread, self);
  __tsan_acquire(self);
}

SWIFT bool tieout_try_lock_slow(SELF) {
  SWIFT bool (*library)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  bool taken = library(self);
  if (taken) __tsan_acquire(self);
  return taken;
}

SWIFT void tieout_unlock_slow(SELF) {
  SWIFT void (*library)(SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
  __tsan_release(self);
  library(self);
}

#endif
