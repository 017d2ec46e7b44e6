// Several processes that simulate one fabric, played by threads: each has its own Exchange, over memory.
#pragma once
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "flit/exchange.hpp"

namespace banyan::tests {

class MemoryExchange {
 public:
  explicit MemoryExchange(u32 ranks) : ranks_(ranks), slots_(ranks), came_(ranks) {}

  // f(exchange) by each rank; the first exception is thrown here, if they all end.
  void run(const std::function<void(const Exchange&)>& f) {
    std::vector<std::exception_ptr> errors(ranks_);
    {
      std::vector<std::jthread> threads;
      for (u32 rank = 0; rank < ranks_; ++rank)
        threads.emplace_back([&, rank] {
          try {
            f(exchange(rank));
          } catch (...) {
            errors[rank] = std::current_exception();
          }
        });
    }
    for (const auto& error : errors)
      if (error) std::rethrow_exception(error);
  }

 private:
  Exchange exchange(u32 rank) {
    return {rank, ranks_,
            [this, rank](const std::vector<std::string>& out, std::vector<std::string_view>& in) {
              slots_[rank] = out;
              wait();
              came_[rank].clear();
              for (u32 from = 0; from < ranks_; ++from) came_[rank].push_back(slots_[from][rank]);
              wait();
              in.assign(came_[rank].begin(), came_[rank].end());
            }};
  }
  void wait() {
    std::unique_lock lock(mutex_);
    const u64 round = round_;
    if (++arrived_ == ranks_) {
      arrived_ = 0, ++round_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return round_ != round; });
    }
  }

  u32 ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  u32 arrived_ = 0;
  u64 round_ = 0;
  std::vector<std::vector<std::string>> slots_, came_;
};

}  // namespace banyan::tests
