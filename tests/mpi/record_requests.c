// Requests that are completed in all the ways that MPI has, by two threads of each rank, for the recorder. Each rank sends
// `count` messages of 100 bytes to the next one in every phase, and one to the one after it that nobody waits for.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { count = 4, size = 100, phases = 6 };
static int rank, ranks;

static int settled(int phase, MPI_Request *requests, int n) {
  int flag = 0, index, done, indices[2 * count];
  switch (phase) {
    case 0:
      return MPI_Waitall(n, requests, MPI_STATUSES_IGNORE), n;
    case 1:
      while (!flag) MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE);
      return n;
    case 2:
      MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
      return done;
    case 3:
      MPI_Testsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
      return done;
    case 4:
      MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
      return 1;
    default:
      MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE);
      return flag && index != MPI_UNDEFINED;
  }
}

static void *exchange(void *argument) {
  const int thread = argument != NULL;
  char in[count][size], out[size] = {0};
  for (int phase = 0; phase < phases; ++phase) {
    MPI_Request requests[2 * count];
    for (int i = 0; i < count; ++i)
      MPI_Irecv(in[i], size, MPI_CHAR, MPI_ANY_SOURCE, 2 * i + thread, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < count; ++i)
      MPI_Isend(out, size, MPI_CHAR, (rank + 1) % ranks, 2 * i + thread, MPI_COMM_WORLD, &requests[count + i]);
    for (int left = 2 * count; left > 0;) left -= settled(phase, requests, 2 * count);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pthread_t other;
  int second = 1;
  pthread_create(&other, NULL, exchange, &second);
  exchange(NULL);
  pthread_join(other, NULL);

  MPI_Request request;
  char in[size], out[size] = {0};
  MPI_Issend(out, size, MPI_CHAR, (rank + 2) % ranks, 1000, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(in, size, MPI_CHAR, (rank + ranks - 2) % ranks, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(in, size, MPI_CHAR, MPI_ANY_SOURCE, 1001, MPI_COMM_WORLD, &request);  // that never comes
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
