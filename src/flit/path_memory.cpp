#include "flit/path_memory.hpp"

#include <algorithm>
#include <tuple>

namespace banyan::flit {

bool PathMemory::is_frozen(u64 timeout, u64 now) {
  if (now < frozen_until_) return true;
  if (outstanding_.empty() || now - outstanding_.begin()->second <= timeout) return false;
  frozen_until_ = now + timeout;
  return true;
}

u32 PathMemory::choose(const NetworkOptions& options, u64 packet, u32 drawn, u64 now) {
  const u64 timeout = options.path_timeout;
  const bool frozen = timeout > 0 && is_frozen(timeout, now);
  if (timeout > 0) outstanding_.emplace(packet, now);
  if (fresh_ > 0) return paths_[paths_.size() - fresh_--];
  if (!frozen || paths_.empty()) return drawn;
  std::rotate(paths_.begin(), paths_.begin() + 1, paths_.end());
  return paths_.back();
}

void PathMemory::acknowledge(const NetworkOptions& options, const Acknowledgement& of) {
  outstanding_.erase(of.packet);
  if (of.is_marked != 0) return;
  if (paths_.size() == options.path_memory) paths_.erase(paths_.begin());
  paths_.push_back(of.path);
  fresh_ = std::min(fresh_ + 1, options.path_memory);
}

bool PathMemories::IsLater::operator()(const Acknowledgement& a, const Acknowledgement& b) const {
  return std::tie(a.due, a.source, a.packet) > std::tie(b.due, b.source, b.packet);
}

u32 PathMemories::choose(Nic from, Nic to, u64 packet, u32 drawn, u64 now) {
  for (; !due_.empty() && due_.top().due <= now; due_.pop()) {
    const Acknowledgement& top = due_.top();
    memories_[pair(top.source, top.to)].acknowledge(options_, top);
  }
  return memories_[pair(from, to)].choose(options_, packet, drawn, now);
}

}  // namespace banyan::flit
