#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace banyan::base {

unsigned default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_ranges(u64 count, unsigned threads, const std::function<void(u64, u64)>& f,
                     Progress* progress) {
  threads = static_cast<unsigned>(std::clamp<u64>(count, 1, std::max(1U, threads)));
  const u64 chunk = std::clamp<u64>(count / (u64{threads} * 16), 1, 1024);
  std::atomic<u64> next = 0;
  std::exception_ptr failure;
  std::mutex failing;

  const auto work = [&] {
    try {
      for (u64 first; (first = next.fetch_add(chunk)) < count;) {
        if (interrupted()) throw Interrupted();
        const u64 last = std::min(count, first + chunk);
        f(first, last);
        if (progress) progress->advance(last - first);
      }
    } catch (...) {
      const std::scoped_lock lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };

  {
    std::vector<std::jthread> others;
    try {
      for (unsigned t = 1; t < std::min<u64>(threads, count); ++t) others.emplace_back(work);
    } catch (const std::system_error&) {  // as many as the system gives
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace banyan::base
