// A study over the ranks of mpirun: the first hands out points and alone writes the store, the others measure
// what they are given, over lines of their own (study/connection.hpp). With --threads each rank has so many
// hands.
#pragma once
#include <functional>
#include <memory>

#include "study/point_queue.hpp"
#include "study/ranks.hpp"
#include "study/study.hpp"

namespace banyan::study {

// What the first rank has for the others.
struct RankWork {
  struct Task {
    std::string point, inputs;  // the point's name, and its hash: others must see the same files
  };
  const Study& study;
  PointQueue& queue;
  std::function<Task(std::size_t)> task;
  std::function<void(std::size_t, const Rows&, double seconds)> finish;
};

// The other ranks, as the first one sees them.
class OtherRanks {
 public:
  explicit OtherRanks(const Ranks& ranks);
  ~OtherRanks();  // they are told that it is over

  // Hands out until nothing is left; what others could not do is thrown here, as InputError.
  void work(const RankWork& work, const std::function<void()>& own_part);
  void leave_behind();  // all is over, at once: nobody waits for anybody

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What any other rank does, until the first says that it is over. Says nothing to people.
void work_for_first_rank(const Ranks& ranks, unsigned threads);

}  // namespace banyan::study
