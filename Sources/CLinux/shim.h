#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

// Without _GNU_SOURCE the headers hide O_PATH; this is its value on every machine of Linux but Alpha, PA-RISC and SPARC.
static const int tieoutOpenPath = 010000000;

// Exchanges two names of a folder in one step (renameat2 with RENAME_EXCHANGE, Linux 3.15). 0, or -1 and errno.
static inline int tieoutExchange(int folder, const char *one, const char *other) {
  return (int)syscall(SYS_renameat2, folder, one, folder, other, 1u << 1);
}

// Opens a path below a folder in one call (openat2, Linux 5.6). Fails where the path leads over a link or out of
// the folder. A descriptor, or -1 and errno.
static inline int tieoutOpenBeneath(int folder, const char *path, int flags) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (unsigned)flags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// Whether an open file belongs to a file system whose files the kernel makes up when they are read: procfs, sysfs
// and their like (linux/magic.h). 1, 0, or -1 and errno.
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

// Overwrites the value of an environment variable where it stands, which is what /proc/self/environ shows, and
// removes the variable.
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

// Opens a process as a file, which stays this process's even if another one gets its number (pidfd_open,
// Linux 5.3). A file, or -1 and errno.
static inline int tieoutOpenProcess(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Sends a signal to such a process. 0, or -1 and errno.
static inline int tieoutSignalProcess(int file, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, file, signal, (void *)0, 0);
}
