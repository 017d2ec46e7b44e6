// Runs collectives of Open MPI and writes down every message that its monitoring component records.
//   mpirun ... record CASES OUT
// CASES has a line for each case: collective, algorithm (0: Open MPI's choice), segment, chains, bytes, element,
// root. Rank r writes OUT.r: "case to bytes" for each message, then "total to messages bytes" for everything
// recorded from the start, which the component's own file must confirm where it writes one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 64 };
static FILE *out;
static int current = -1;  // the case, or -1 between cases
static size_t total_count[most_ranks], total_bytes[most_ranks];

static void need(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "record: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// The component calls this for each message; ours is found first, and hands on to the component's.
void mca_common_monitoring_record_pml(int to, size_t bytes, int tag) {
  static void (*real)(int, size_t, int);
  if (!real) {
    void *library = dlopen("libmca_common_monitoring.so.50", RTLD_NOW | RTLD_NOLOAD);
    *(void **)&real = library ? dlsym(library, "mca_common_monitoring_record_pml") : NULL;
    need(real != NULL, "the monitoring component is not there");
  }
  real(to, bytes, tag);
  need(to >= 0 && to < most_ranks, "too many ranks");
  ++total_count[to];
  total_bytes[to] += bytes;
  if (current >= 0) fprintf(out, "%d %d %zu\n", current, to, bytes);
}

static void set_parameter(const char *collective, const char *suffix, int value) {
  char name[100];
  int index, count;
  MPI_T_cvar_handle handle;
  snprintf(name, sizeof name, "coll_tuned_%s_algorithm%s", collective, suffix);
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) {
    need(value == 0, name);
    return;
  }
  need(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS, name);
  need(MPI_T_cvar_write(handle, &value) == MPI_SUCCESS, name);
  MPI_T_cvar_handle_free(&handle);
}

static MPI_Datatype type_of(int element) {
  return element == 8 ? MPI_DOUBLE : element == 4 ? MPI_FLOAT : MPI_UNSIGNED_CHAR;
}

static void run(const char *what, MPI_Comm comm, int bytes, int element, int root, char *a, char *b) {
  const int count = bytes / element;
  const MPI_Datatype type = type_of(element);
  int n, parts[most_ranks];
  MPI_Comm_size(comm, &n);
  for (int i = 0; i < n; ++i) parts[i] = count / n + (i < count % n);
  if (!strcmp(what, "barrier")) MPI_Barrier(comm);
  else if (!strcmp(what, "bcast")) MPI_Bcast(a, count, type, root, comm);
  else if (!strcmp(what, "reduce")) MPI_Reduce(a, b, count, type, MPI_SUM, root, comm);
  else if (!strcmp(what, "allreduce")) MPI_Allreduce(a, b, count, type, MPI_SUM, comm);
  else if (!strcmp(what, "reduce_scatter")) MPI_Reduce_scatter(a, b, parts, type, MPI_SUM, comm);
  else if (!strcmp(what, "gather")) MPI_Gather(a, count, type, b, count, type, root, comm);
  else if (!strcmp(what, "scatter")) MPI_Scatter(a, count, type, b, count, type, root, comm);
  else if (!strcmp(what, "allgather")) MPI_Allgather(a, count, type, b, count, type, comm);
  else if (!strcmp(what, "alltoall")) MPI_Alltoall(a, count, type, b, count, type, comm);
  else need(0, what);
}

// A communicator keeps the parameters it was made with: one serves all cases that have them alike.
static MPI_Comm communicator_for(const char *collective, int algorithm, int segment, int chains) {
  static MPI_Comm comm = MPI_COMM_WORLD;
  static char before[100] = "";
  char now[100];
  int provided;
  if (algorithm == 0) return MPI_COMM_WORLD;
  snprintf(now, sizeof now, "%s %d %d %d", collective, algorithm, segment, chains);
  if (!strcmp(now, before)) return comm;
  if (!before[0]) MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);  // without need it would suppress the file
  if (comm != MPI_COMM_WORLD) MPI_Comm_free(&comm);
  strcpy(before, now);
  set_parameter(collective, "", algorithm);
  set_parameter(collective, "_segmentsize", segment);
  if (chains) set_parameter(collective, "_chain_fanout", chains);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  set_parameter(collective, "", 0);
  return comm;
}

int main(int argc, char **argv) {
  int rank, ranks, number = 0, algorithm, segment, chains, bytes, element, root;
  char name[1000], collective[50];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  need(argc == 3, "expected CASES OUT");
  FILE *cases = fopen(argv[1], "r");
  snprintf(name, sizeof name, "%s.%d", argv[2], rank);
  out = fopen(name, "w");
  need(cases && out, "cannot open files");
  while (fscanf(cases, "%49s %d %d %d %d %d %d", collective, &algorithm, &segment, &chains, &bytes, &element,
                &root) == 7) {
    MPI_Comm comm = communicator_for(collective, algorithm, segment, chains);
    char *a = calloc((size_t)bytes + 8, ranks), *b = calloc((size_t)bytes + 8, ranks);
    need(a && b, "no memory");
    current = number++;
    run(collective, comm, bytes, element, root, a, b);
    current = -1;
    free(a);
    free(b);
  }
  for (int i = 0; i < ranks; ++i)
    if (total_count[i]) fprintf(out, "total %d %zu %zu\n", i, total_count[i], total_bytes[i]);
  MPI_Finalize();
  return fclose(out);
}
