// Requests that can be cancelled, by the name that the client gave them.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace banyan::serve {

class Wanted {
 public:
  using Flag = std::shared_ptr<std::atomic<bool>>;

  Flag add(const std::string& name) {
    auto flag = std::make_shared<std::atomic<bool>>(true);
    const std::lock_guard lock(mutex_);
    if (!name.empty()) flags_[name] = flag;
    return flag;
  }
  void remove(const std::string& name, const Flag& flag) {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(name);
    if (found != flags_.end() && found->second == flag) flags_.erase(found);
  }
  bool cancel(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(name);
    if (found == flags_.end()) return false;
    *found->second = false;
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Flag> flags_;
};

}  // namespace banyan::serve
