// The processes that one mpirun started. Alone, a process never touches MPI.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "flit/exchange.hpp"
#include "study/rank_calls.hpp"

namespace banyan::study {

class Ranks {
 public:
  // Null where this process runs alone, as the environment says. Throws InputError where it does not and
  // there is no libbanyan_mpi.so beside the program.
  static std::unique_ptr<Ranks> start();

  u32 rank() const { return rank_; }
  u32 size() const { return size_; }
  bool is_first() const { return rank_ == 0; }

  // What each rank has for each other, by rank; all must come. What comes in is there until the next call.
  void swap(const std::vector<std::string>& out, std::vector<std::string_view>& in) const;
  Exchange exchange() const;  // for a simulation over all ranks; this must outlive it
  std::string from_first(const std::string& text) const;  // what rank 0 has

  // All must come; a process that leaves without it died, for mpirun. Where another rank did, leave so too:
  // it would be waited for.
  void finish() const { calls_.finish(); }

 private:
  explicit Ranks(const RankCalls& calls) : calls_(calls) { calls.start(&rank_, &size_); }

  const RankCalls& calls_;
  u32 rank_ = 0, size_ = 1;
};

// From now on this process writes nothing to standard output and standard error: another rank speaks for it.
void silence_output();

}  // namespace banyan::study
