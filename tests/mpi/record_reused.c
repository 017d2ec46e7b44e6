// A handle of a receive that MPI gives to a send, for the recorder. Open MPI keeps receives and sends apart, so this program puts
// itself between the recorder and MPI: a send gets the handle of the receive that was completed where the recorder does not see it.
// Then a callback of MPI_Finalize calls MPI once more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

enum { size = 100 };
static MPI_Request lent, behind;  // the handle that is given twice, and what stands behind it
static int is_lent;

#define REAL(name) ((int (*)())dlsym(RTLD_NEXT, #name))

int PMPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  const int out = REAL(PMPI_Isend)(data, count, type, to, tag, comm, request);
  if (is_lent) behind = *request, *request = lent;
  return out;
}
int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (!is_lent || *request != lent) return REAL(PMPI_Wait)(request, status);
  *request = MPI_REQUEST_NULL;
  return REAL(PMPI_Wait)(&behind, status);
}

static int at_finalize(MPI_Comm comm, int key, void *value, void *extra) {
  (void)key, (void)value, (void)extra;
  return MPI_Barrier(comm);
}

int main(int argc, char **argv) {
  int rank, key;
  char in[size], out[size] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  MPI_Irecv(in, size, MPI_CHAR, !rank, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out, size, MPI_CHAR, !rank, 1, MPI_COMM_WORLD);
  lent = request;
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  is_lent = 1;
  MPI_Isend(out, size, MPI_CHAR, !rank, 2, MPI_COMM_WORLD, &request);
  MPI_Recv(in, size, MPI_CHAR, !rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Finalize();
  return 0;
}
