#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Exchanges two names in one step (renameat2 with RENAME_EXCHANGE, Linux 3.15). 0, or -1 and errno.
static inline int tieoutExchange(const char *one, const char *other) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 1u << 1);
}

// Makes the names in a folder durable. 0, or -1 and errno.
static inline int tieoutSyncFolder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  int result = fsync(folder);
  close(folder);
  return result;
}

// Reads a link with the rights that another user has to files and in /proc; root alone can take them, for
// others it is readlink. The rights are the thread's own (setfsuid) and are given back. The count of bytes,
// or -1.
static inline long tieoutReadLinkAs(uid_t user, gid_t group, const char *path, char *target, size_t size) {
  int formerGroup = setfsgid(group);
  int formerUser = setfsuid(user);
  long count = readlink(path, target, size);
  setfsuid((uid_t)formerUser);
  setfsgid((gid_t)formerGroup);
  return count;
}
