/* Memory that runs out: with BANYAN_MEMORY=N, the N-th allocation after main has begun fails, and with N- all from it on.
 * At the end it writes how many there were into BANYAN_MEMORY_COUNT, if that is set. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);

static atomic_ulong calls;
static unsigned long first;
static int all, counts;

static int fails(void) {
  if (!counts) return 0;
  const unsigned long now = atomic_fetch_add(&calls, 1) + 1;
  if (first == 0 || !(now == first || (all && now > first))) return 0;
  errno = ENOMEM;
  return 1;
}

__attribute__((destructor)) static void tell(void) {
  counts = 0;
  const char *path = getenv("BANYAN_MEMORY_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%lu\n", atomic_load(&calls));
  fclose(file);
}

/* What is allocated before main does not count: nothing of ours can refuse there. */
typedef int main_function(int, char **, char **);
static main_function *real_main;
static int counted_main(int count, char **words, char **environment) {
  const char *text = getenv("BANYAN_MEMORY");
  first = text ? strtoul(text, NULL, 10) : 0;
  all = text && strchr(text, '-');
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
