// A library that is loaded before the others (LD_PRELOAD) and counts the calls that change files. The call with the number
// BANYAN_FAULT_AT kills the process, or fails with ENOSPC where BANYAN_FAULT is "fail". faults_test.py compiles it.
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

// Whether this call fails; the one that kills does not return.
static bool fails(void) {
  const char* at = getenv("BANYAN_FAULT_AT");
  const char* fault = getenv("BANYAN_FAULT");
  if (!at || atomic_fetch_add(&calls, 1) + 1 != atol(at)) return false;
  if (!fault || strcmp(fault, "fail") != 0) kill(getpid(), SIGKILL);
  errno = ENOSPC;
  return true;
}

#define FAULT(type, name, parameters, arguments)   \
  type name parameters {                           \
    type(*real) parameters = dlsym(RTLD_NEXT, #name); \
    return fails() ? (type)-1 : real arguments;    \
  }

FAULT(ssize_t, write, (int f, const void* data, size_t size), (f, data, size))
FAULT(ssize_t, pwrite64, (int f, const void* data, size_t size, off64_t at), (f, data, size, at))
FAULT(int, ftruncate64, (int f, off64_t size), (f, size))
FAULT(int, fsync, (int f), (f))
FAULT(int, fdatasync, (int f), (f))
FAULT(int, rename, (const char* from, const char* to), (from, to))
FAULT(int, renameat2, (int a, const char* from, int b, const char* to, unsigned how), (a, from, b, to, how))
FAULT(int, linkat, (int a, const char* from, int b, const char* to, int how), (a, from, b, to, how))
FAULT(int, unlink, (const char* path), (path))
FAULT(int, unlinkat, (int a, const char* path, int how), (a, path, how))
FAULT(int, mkdir, (const char* path, mode_t mode), (path, mode))
FAULT(int, fchmod, (int f, mode_t mode), (f, mode))
FAULT(int, fchown, (int f, uid_t user, gid_t group), (f, user, group))
