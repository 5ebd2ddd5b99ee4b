#define _GNU_SOURCE

#include "CLinux.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <wchar.h>

const int tieoutOpenPath = O_PATH;

int tieoutExchange(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int tieoutOpenBeneath(int folder, const char *path, int flags) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (unsigned)flags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int tieoutIsMadeByKernel(int file) {
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

void tieoutForgetVariable(const char *name) {
  size_t length = strlen(name);
  for (char **place = environ; place != NULL && *place != NULL; place++) {
    if (strncmp(*place, name, length) == 0 && (*place)[length] == '=') {
      char *value = *place + length + 1;
      explicit_bzero(value, strlen(value));
    }
  }
  unsetenv(name);
}

int tieoutFindAs(unsigned user, unsigned group, const char *path, unsigned long *device, unsigned long *inode) {
  struct stat status;
  int formerGroup = setfsgid(group);
  int formerUser = setfsuid(user);
  int result = stat(path, &status);
  setfsuid((uid_t)formerUser);
  setfsgid((gid_t)formerGroup);
  if (result == 0) {
    *device = status.st_dev;
    *inode = status.st_ino;
  }
  return result;
}

int tieoutPipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int tieoutOpenProcess(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int tieoutSignalProcess(int file, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, file, signal, (void *)0, 0);
}

static locale_t unicode;

static void makeUnicode(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int tieoutColumns(unsigned character) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, makeUnicode);
  if (!unicode) return -1;
  locale_t before = uselocale(unicode);
  int columns = wcwidth((wchar_t)character);
  uselocale(before);
  return columns;
}
