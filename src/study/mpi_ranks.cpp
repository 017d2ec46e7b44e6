// MPI behind three functions: libbanyan_mpi.so, which study/ranks.cpp loads. Errors end the job, as MPI does
// unless told otherwise.
#include <mpi.h>

#include <stdexcept>
#include <vector>

#include "base/version.hpp"
#include "study/rank_calls.hpp"

namespace banyan::study {
namespace {

int ranks = 1, own = 0;
std::vector<std::vector<char>> received;

void start(u32* rank, u32* size) {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
  if (given < MPI_THREAD_SERIALIZED) throw std::runtime_error("this MPI knows no threads");
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  received.resize(static_cast<std::size_t>(ranks));
  *rank = static_cast<u32>(own);
  *size = static_cast<u32>(ranks);
}

// One message each way between any two; an empty one says that there is nothing.
void swap(const void* const* out, const u64* out_bytes, const void** in, u64* in_bytes) {
  std::vector<MPI_Request> sends;
  for (int other = 0; other < ranks; ++other) {
    if (other == own) continue;
    if (out_bytes[other] > 0x7fffffff) throw std::runtime_error("more than 2 GiB for one rank at a time");
    sends.emplace_back();
    MPI_Isend(out[other], static_cast<int>(out_bytes[other]), MPI_BYTE, other, 0, MPI_COMM_WORLD,
              &sends.back());
  }
  for (int other = 0; other < ranks; ++other) {
    std::vector<char>& data = received[static_cast<std::size_t>(other)];
    int bytes = 0;
    if (other != own) {
      MPI_Message message;
      MPI_Status status;
      MPI_Mprobe(other, 0, MPI_COMM_WORLD, &message, &status);
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      data.resize(static_cast<std::size_t>(bytes));
      MPI_Mrecv(data.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
    in[other] = other == own ? out[own] : data.data();
    in_bytes[other] = other == own ? out_bytes[own] : static_cast<u64>(bytes);
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

void finish() { MPI_Finalize(); }

}  // namespace
}  // namespace banyan::study

extern "C" __attribute__((visibility("default"))) const char* banyan_part_version() {
  return banyan::base::version().data();
}

extern "C" __attribute__((visibility("default"))) const banyan::study::RankCalls* banyan_rank_calls() {
  static const banyan::study::RankCalls calls = {banyan::study::start, banyan::study::swap,
                                                 banyan::study::finish};
  return &calls;
}
