/* Kills a program at its n-th call that changes files, or lets that call fail: a shim for LD_PRELOAD.
 *
 *   KILL_AT_CALL=N           SIGKILL in front of the N-th call (from 1) of one process; 0 or nothing: only counts
 *   KILL_AT_CALL_IN=main     counts in the process that was started (default); =children: in those that it forks, each
 *                            of them from 1; =any: in all of them
 *   KILL_AT_CALL_ERROR=E     instead of being killed the call fails with this error number, once
 *   KILL_AT_CALL_ERROR_ON=1  and so does every later one, as on a full disk
 *   KILL_AT_CALL_GROUP=1     kills the whole process group, not only the process that calls
 *   KILL_AT_CALL_COUNT=FILE  a line per process is added at its end: "main N" or "child N"
 *   KILL_AT_CALL_SKIP=M      the first M calls are not counted
 *
 * Writes to pipes and terminals change no file and are not counted. What libraries write through stdio is seen when
 * the file is opened for writing, as those writes do not go through names that can be replaced. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long kill_at, skip;
static int group, in_main = 1, in_children, is_child, error, error_on;
static pid_t counted; /* whose calls are in `calls`; forked processes begin anew */
static const char* count_file;

static long number(const char* name) {
  const char* text = getenv(name);
  return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
  const char* in = getenv("KILL_AT_CALL_IN");
  kill_at = number("KILL_AT_CALL");
  skip = number("KILL_AT_CALL_SKIP");
  group = number("KILL_AT_CALL_GROUP") != 0;
  count_file = getenv("KILL_AT_CALL_COUNT");
  error = (int)number("KILL_AT_CALL_ERROR");
  error_on = number("KILL_AT_CALL_ERROR_ON") != 0;
  if (in && strcmp(in, "children") == 0) in_main = 0, in_children = 1;
  if (in && strcmp(in, "any") == 0) in_children = 1;
  counted = getpid();
}

/* The calls of the system itself, where the names are ours. */
static void say_count(void) {
  char line[64];
  int file;
  if (!count_file || counted != getpid()) return;
  file = (int)syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  snprintf(line, sizeof line, "%s %ld\n", is_child ? "child" : "main", (long)calls);
  if (syscall(SYS_write, file, line, strlen(line)) < 0) { /* nobody to tell */
  }
  syscall(SYS_close, file);
}

__attribute__((destructor)) static void end(void) {
  say_count();
}

/* Whether this call is to fail. */
static int fails(void) {
  long now;
  if (counted != getpid()) { /* forked */
    counted = getpid();
    is_child = 1;
    calls = 0;
  }
  now = ++calls - skip;
  if (kill_at <= 0 || !(is_child ? in_children : in_main)) return 0;
  if (error != 0) {
    if (now != kill_at && !(error_on && now > kill_at)) return 0;
    errno = error;
    return 1;
  }
  if (now != kill_at) return 0;
  kill(group ? 0 : getpid(), SIGKILL);
  for (;;) pause();
}

static int is_regular(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void* real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  if (fails()) return -1;
  return REAL(pwrite)(file, data, size, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  if (fails()) return -1;
  return REAL(pwrite64)(file, data, size, offset);
}
ssize_t write(int file, const void* data, size_t size) {
  if (is_regular(file) && fails()) return -1;
  return REAL(write)(file, data, size);
}
ssize_t writev(int file, const struct iovec* parts, int n) {
  if (is_regular(file) && fails()) return -1;
  return REAL(writev)(file, parts, n);
}
int rename(const char* from, const char* to) {
  if (fails()) return -1;
  return REAL(rename)(from, to);
}
int renameat(int a, const char* from, int b, const char* to) {
  if (fails()) return -1;
  return REAL(renameat)(a, from, b, to);
}
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  if (fails()) return -1;
  return REAL(renameat2)(a, from, b, to, flags);
}
int link(const char* from, const char* to) {
  if (fails()) return -1;
  return REAL(link)(from, to);
}
int linkat(int a, const char* from, int b, const char* to, int flags) {
  if (fails()) return -1;
  return REAL(linkat)(a, from, b, to, flags);
}
int symlink(const char* from, const char* to) {
  if (fails()) return -1;
  return REAL(symlink)(from, to);
}
int unlink(const char* path) {
  if (fails()) return -1;
  return REAL(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) {
  if (fails()) return -1;
  return REAL(unlinkat)(folder, path, flags);
}
int remove(const char* path) {
  if (fails()) return -1;
  return REAL(remove)(path);
}
int truncate(const char* path, off_t size) {
  if (fails()) return -1;
  return REAL(truncate)(path, size);
}
int ftruncate(int file, off_t size) {
  if (fails()) return -1;
  return REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
  if (fails()) return -1;
  return REAL(ftruncate64)(file, size);
}
int mkdir(const char* path, mode_t mode) {
  if (fails()) return -1;
  return REAL(mkdir)(path, mode);
}
int mkdirat(int folder, const char* path, mode_t mode) {
  if (fails()) return -1;
  return REAL(mkdirat)(folder, path, mode);
}
int rmdir(const char* path) {
  if (fails()) return -1;
  return REAL(rmdir)(path);
}
int chmod(const char* path, mode_t mode) {
  if (fails()) return -1;
  return REAL(chmod)(path, mode);
}
int fchmod(int file, mode_t mode) {
  if (fails()) return -1;
  return REAL(fchmod)(file, mode);
}
int fsync(int file) {
  if (fails()) return -1;
  return REAL(fsync)(file);
}
int fdatasync(int file) {
  if (fails()) return -1;
  return REAL(fdatasync)(file);
}
ssize_t copy_file_range(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t size,
                        unsigned flags) {
  if (fails()) return -1;
  return REAL(copy_file_range)(in, in_offset, out, out_offset, size, flags);
}

#define OPEN(name, ...)                                                         \
  mode_t mode = 0;                                                              \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {             \
    va_list rest;                                                               \
    va_start(rest, flags);                                                      \
    mode = va_arg(rest, mode_t);                                                \
    va_end(rest);                                                               \
  }                                                                             \
  if ((flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE) { \
    if (fails()) return -1;                                                     \
  }                                                                             \
  return REAL(name)(__VA_ARGS__)

int open(const char* path, int flags, ...) {
  OPEN(open, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  OPEN(open64, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  OPEN(openat, folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  OPEN(openat64, folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  if (fails()) return -1;
  return REAL(creat)(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
  if (strpbrk(mode, "wa+") && fails()) return NULL;
  return REAL(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (strpbrk(mode, "wa+") && fails()) return NULL;
  return REAL(fopen64)(path, mode);
}

/* Forked processes of the program end here, past the destructor. */
void _exit(int code) {
  say_count();
  syscall(SYS_exit_group, code);
  for (;;) pause();
}
