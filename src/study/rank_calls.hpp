// What Banyan asks of MPI. Only study/mpi_ranks.cpp includes mpi.h; it is a shared object of its own, loaded
// where mpirun started the program, so that nobody else needs MPI or waits for it.
#pragma once
#include "base/types.hpp"

namespace banyan::study {

struct RankCalls {
  void (*start)(u32* rank, u32* size);
  // Bytes for every rank and from every rank, by rank; waits for all of them. What comes in is valid until
  // the next call. One thread at a time.
  void (*swap)(const void* const* out, const u64* out_bytes, const void** in, u64* in_bytes);
  void (*finish)();  // all ranks must come
};

constexpr const char* rank_calls_name = "banyan_rank_calls";  // a function const RankCalls*()

}  // namespace banyan::study
