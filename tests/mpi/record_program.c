// A program of 16 ranks or any other number, for the recorder: a halo exchange on a ring in the background of some computing,
// a token that goes round, collectives, and messages from any rank.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  char *in = calloc(2, 1000), *out = calloc(2, 1000);
  for (int step = 0; step < 3; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(in, 1000, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + 1000, 1000, MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, 1000, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out + 1000, 1000, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    double mine = rank, sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  int token = 0;
  if (rank > 0) MPI_Recv(&token, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank + 1 < ranks) MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int other = 1; other < ranks; ++other)
      MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&token, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
