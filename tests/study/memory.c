/* Memory that runs out: with BANYAN_MEMORY=N, the N-th allocation after main has begun fails, and with N- all from it on.
 * At the end it writes how many there were into BANYAN_MEMORY_COUNT, if that is set.
 * With BANYAN_MEMORY=every:N:S, each S-th allocation from the N-th on forks twice: in one child it fails, in the other all from it
 * on do. A child that a signal ends, or that needs a minute, is told and makes the exit status 99. The count is then that
 * of the children; the program must have one thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);

static atomic_ulong calls;
static unsigned long first, stride = 1, children;
static int all, counts, every, is_child;

/* Whether this process is a child in which the allocation fails. */
static int fails_in_child(unsigned long place) {
  for (int for_good = 0; for_good < 2; ++for_good) {
    const pid_t child = fork();
    if (child == 0) {
      is_child = 1;
      every = 0;
      first = place;
      all = for_good;
      alarm(60);
      return 1;
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || WIFSIGNALED(status)) {
      dprintf(2, "ended by signal %d at allocation %lu%s\n", WTERMSIG(status), place, for_good ? "-" : "");
      _exit(99);
    }
    ++children;
  }
  return 0;
}

static int fails(void) {
  if (!counts) return 0;
  const unsigned long now = atomic_fetch_add(&calls, 1) + 1;
  const int does = every ? now >= first && (now - first) % stride == 0 && fails_in_child(now) : first != 0 && (now == first || (all && now > first));
  if (does) errno = ENOMEM;
  return does;
}

__attribute__((destructor)) static void tell(void) {
  counts = 0;
  if (is_child) return;
  const char *path = getenv("BANYAN_MEMORY_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%lu\n", every ? children : atomic_load(&calls));
  fclose(file);
}

/* What is allocated before main does not count: nothing of ours can refuse there. */
typedef int main_function(int, char **, char **);
static main_function *real_main;
static int counted_main(int count, char **words, char **environment) {
  const char *text = getenv("BANYAN_MEMORY");
  every = text && strncmp(text, "every:", 6) == 0;
  char *rest = NULL;
  first = text ? strtoul(text + (every ? 6 : 0), &rest, 10) : 0;
  if (every && *rest == ':') stride = strtoul(rest + 1, NULL, 10);
  all = text && !every && strchr(text, '-');
  counts = 1;
  return real_main(count, words, environment);
}

int __libc_start_main(main_function *main, int count, char **words, main_function *init, void (*fini)(void),
                      void (*end)(void), void *stack) {
  int (*next)(main_function *, int, char **, main_function *, void (*)(void), void (*)(void), void *) =
      (__typeof__(next))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return next(counted_main, count, words, init, fini, end, stack);
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *at, size_t size) { return fails() ? NULL : __libc_realloc(at, size); }
