// Calls of Linux that Swift cannot make itself.
//
// This header includes no header of the C library. Otherwise a type such as struct stat would belong to this module as
// well as to Glibc. A file that imports only Glibc could then use the type or not, depending on the order of
// compilation.
#pragma once

// The flag O_PATH of open(), which the headers hide from Swift.
extern const int tieoutOpenPath;

// Exchanges two names in a folder in one step (renameat2 with RENAME_EXCHANGE, Linux 3.15). Returns 0, or -1 and sets
// errno.
int tieoutExchange(int folder, const char *one, const char *other);

// Opens a path below a folder in one call (openat2, Linux 5.6). Fails if the path contains a link or leads out of the
// folder. Returns a descriptor, or -1 and sets errno.
int tieoutOpenBeneath(int folder, const char *path, int flags);

// Whether an open file is in a file system whose file contents the kernel generates on reading: procfs, sysfs and
// similar ones (linux/magic.h). Returns 1 or 0, or -1 and sets errno.
int tieoutIsMadeByKernel(int file);

// Overwrites the value of an environment variable in its place in memory, because /proc/self/environ shows that memory.
// Then it removes the variable.
void tieoutForgetVariable(const char *name);

// Finds the file that a path leads to, with another user's rights to files and in /proc. Only root can take these
// rights; for other users it is stat. The rights belong to the calling thread only (setfsuid) and are restored. Returns
// 0 and the numbers of device and inode, or -1.
int tieoutFindAs(unsigned user, unsigned group, const char *path, unsigned long *device, unsigned long *inode);

// Makes a pipe whose ends no other program inherits, not even one that another thread starts meanwhile (pipe2 with
// O_CLOEXEC). Returns 0 and the read end and the write end, or -1 and sets errno.
int tieoutPipe(int *ends);

// Opens a process as a file. The file refers to this process even if another process gets its number later (pidfd_open,
// Linux 5.3). Returns a descriptor, or -1 and sets errno.
int tieoutOpenProcess(int process);

// Sends a signal to a process that was opened as a file. Returns 0, or -1 and sets errno.
int tieoutSignalProcess(int file, int signal);

// The columns that a terminal needs for a character of Unicode (wcwidth): 0 for a combining mark, 2 for a Chinese,
// Japanese or Korean character and for most emoji. The user's locale does not matter: it is the locale C.UTF-8 of
// glibc. Returns -1 if glibc does not know the character, or has no such locale.
int tieoutColumns(unsigned character);
