/* How long a call of banyan_load takes in the library itself: as many calls as the first argument says, in us each. */
#include <banyan/banyan.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void must(banyan_status status) {
  if (status == BANYAN_OK) return;
  fprintf(stderr, "%s\n", banyan_error());
  exit(1);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  const char* const options[] = {"threads", "1", "samples", "1", "seed", "1", NULL};
  const long calls = argc > 1 ? atol(argv[1]) : 100000;
  banyan_fabric* fabric;
  banyan_routing* routing;
  must(banyan_fabric_open("4-ary 3-tree", NULL, &fabric));
  must(banyan_route(fabric, "dmodk", NULL, &routing));
  double sum = 0;
  const double start = cpu_seconds();
  for (long i = 0; i < calls; ++i) {
    banyan_answer* answer;
    double load;
    must(banyan_load(routing, "permutation", options, &answer));
    must(banyan_answer_number(answer, "max_load", &load));
    sum += load;
    banyan_answer_free(answer);
  }
  printf("%.2f %.17g\n", 1e6 * (cpu_seconds() - start) / (double)calls, sum);
  banyan_routing_free(routing);
  banyan_fabric_free(fabric);
  return 0;
}
