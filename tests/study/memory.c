/* Memory that runs out: with BANYAN_MEMORY=N, the N-th allocation after main has begun fails, and with N- all from it on.
 * At the end it writes how many there were into BANYAN_MEMORY_COUNT, if that is set.
 * With BANYAN_MEMORY=every:N, main runs once for each allocation from the N-th on, in a process of its own, and again with
 * all from there on failing; the exit status is 0 if none ended by a signal, and the count that of the runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *at, size_t size);

static atomic_ulong calls;
static unsigned long first;
static int all, counts, is_child;
static volatile int *reached;  /* shared: the failing allocation came */

static int fails(void) {
  if (!counts) return 0;
  const unsigned long now = atomic_fetch_add(&calls, 1) + 1;
  if (first == 0 || !(now == first || (all && now > first))) return 0;
  if (reached) *reached = 1;
  errno = ENOMEM;
  return 1;
}

__attribute__((destructor)) static void tell(void) {
  counts = 0;
  if (is_child) return;
  const char *path = getenv("BANYAN_MEMORY_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%lu\n", atomic_load(&calls));
  fclose(file);
}

/* What is allocated before main does not count: nothing of ours can refuse there. */
typedef int main_function(int, char **, char **);
static main_function *real_main;

/* Whether main, with this allocation failing, ends otherwise than by a signal; a minute is for ever. */
static int ends_well(unsigned long place, int for_good, int count, char **words, char **environment) {
  *reached = 0;
  const pid_t child = fork();
  if (child == 0) {
    is_child = 1;
    alarm(60);
    first = place;
    all = for_good;
    counts = 1;
    exit(real_main(count, words, environment));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 0;
  atomic_fetch_add(&calls, 1);
  if (!WIFSIGNALED(status)) return 1;
  fprintf(stderr, "ended by signal %d at allocation %lu%s\n", WTERMSIG(status), place, for_good ? "-" : "");
  return 0;
}

static int every_place(unsigned long from, int count, char **words, char **environment) {
  reached = mmap(NULL, sizeof *reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (reached == MAP_FAILED) return 1;
  for (int for_good = 0; for_good < 2; ++for_good) {
    unsigned long place = from;
    do
      if (!ends_well(place++, for_good, count, words, environment)) return 1;
    while (*reached);
  }
  return 0;
}

static int counted_main(int count, char **words, char **environment) {
  const char *text = getenv("BANYAN_MEMORY");
  if (text && strncmp(text, "every:", 6) == 0)
    return every_place(strtoul(text + 6, NULL, 10), count, words, environment);
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
