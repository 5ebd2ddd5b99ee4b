/* What a program that a sanitizer watches is linked with: the sanitizer's options, so that programs that
   tests start with an environment of their own have them too, and what the thread sanitizer does not know
   of Swift. scripts/sanitize compiles it; TIEOUT_FOUND is where the findings are written. */

#define _GNU_SOURCE

#if defined(TIEOUT_ADDRESS)

const char *__asan_default_options(void) {
  return "log_path=" TIEOUT_FOUND
         /* What Swift's and Foundation's own singletons keep to the end is no leak of ours. */
         ":detect_leaks=0"
         /* Memory of a frame that has returned, and strings handed to C. */
         ":detect_stack_use_after_return=1:strict_string_checks=1";
}

#elif defined(TIEOUT_THREAD)

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

const char *__tsan_default_options(void) {
  return "log_path=" TIEOUT_FOUND
         /* Swift's runtime, Foundation and the libraries of Debian are built without the sanitizer: it
            does not see how they keep their own memory from two threads. */
         ":ignore_noninstrumented_modules=1";
}

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

/* Swift's Mutex takes and gives back a free lock in the caller's code, which the sanitizer sees, and a lock
   that others wait for in these three functions of its library, which it does not. Here they do the same and
   say so. */
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
