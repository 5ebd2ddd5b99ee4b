#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

// Without _GNU_SOURCE the headers hide O_PATH. This is its value on Linux, except on Alpha, PA-RISC and SPARC.
static const int tieoutOpenPath = 010000000;

// Exchanges two names in a folder in one step (renameat2 with RENAME_EXCHANGE, Linux 3.15). Returns 0, or -1 and sets
// errno.
static inline int tieoutExchange(int folder, const char *one, const char *other) {
  return (int)syscall(SYS_renameat2, folder, one, folder, other, 1u << 1);
}

// Opens a path below a folder in one call (openat2, Linux 5.6). Fails if the path contains a link or leads out of the
// folder. Returns a descriptor, or -1 and sets errno.
static inline int tieoutOpenBeneath(int folder, const char *path, int flags) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (unsigned)flags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// Whether an open file is in a file system whose file contents the kernel generates on reading: procfs, sysfs and
// similar ones (linux/magic.h). Returns 1 or 0, or -1 and sets errno.
static inline int tieoutIsMadeByKernel(int file) {
  struct statfs status;
  if (fstatfs(file, &status) != 0) return -1;
  switch ((unsigned)status.f_type) {
    case 0x00009fa0u:  // procfs
    case 0x62656572u:  // sysfs
    case 0x0027e0ebu:  // cgroup
    case 0x63677270u:  // cgroup2
    case 0x64626720u:  // debugfs
    case 0x74726163u:  // tracefs
    case 0x73636673u:  // securityfs
    case 0x62656570u:  // configfs
    case 0xcafe4a11u:  // bpf
    case 0xf97cff8cu:  // selinuxfs
    case 0x43415d53u:  // smackfs
    case 0xde5e81e4u:  // efivarfs
    case 0x6165676cu:  // pstore
    case 0x42494e4du:  // binfmt_misc
    case 0x65735543u:  // fusectl
    case 0x67596969u:  // rpc_pipefs
    case 0x6e667364u:  // nfsd
    case 0x6e736673u:  // nsfs
    case 0x19800202u:  // mqueue
    case 0x00001cd1u:  // devpts
      return 1;
    default:
      return 0;
  }
}

// Overwrites the value of an environment variable in its place in memory, because /proc/self/environ shows that memory.
// Then it removes the variable.
static inline void tieoutForgetVariable(const char *name) {
  extern char **environ;
  size_t length = strlen(name);
  for (char **place = environ; place != NULL && *place != NULL; place++) {
    if (strncmp(*place, name, length) == 0 && (*place)[length] == '=') {
      char *value = *place + length + 1;
      explicit_bzero(value, strlen(value));
    }
  }
  unsetenv(name);
}

// Reads a link with another user's rights to files and in /proc. Only root can take these rights; for other users it is
// readlink. The rights belong to the calling thread only (setfsuid) and are restored. Returns the number of bytes, or
// -1.
static inline long tieoutReadLinkAs(uid_t user, gid_t group, const char *path, char *target, size_t size) {
  int formerGroup = setfsgid(group);
  int formerUser = setfsuid(user);
  long count = readlink(path, target, size);
  setfsuid((uid_t)formerUser);
  setfsgid((gid_t)formerGroup);
  return count;
}

// Opens a process as a file. The file refers to this process even if another process gets its number later (pidfd_open,
// Linux 5.3). Returns a descriptor, or -1 and sets errno.
static inline int tieoutOpenProcess(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Sends a signal to a process that was opened as a file. Returns 0, or -1 and sets errno.
static inline int tieoutSignalProcess(int file, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, file, signal, (void *)0, 0);
}
