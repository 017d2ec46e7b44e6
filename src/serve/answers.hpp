// Answers that were given before, by command. The same command gives the same bits, so nothing here grows
// old; the one that was asked for the longest time ago gives way.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/types.hpp"

namespace banyan::serve {

class Answers {
 public:
  explicit Answers(u64 max_bytes) : max_bytes_(max_bytes) {}

  std::shared_ptr<const std::string> find(const std::string& command);  // or null
  void keep(const std::string& command, std::shared_ptr<const std::string> answer);
  bool forget_oldest();  // false: there is none

 private:
  struct Entry {
    std::string command;
    std::shared_ptr<const std::string> answer;
  };
  static u64 bytes_of(const Entry& entry) { return 2 * entry.command.size() + entry.answer->size() + 256; }

  void drop_last();

  std::mutex mutex_;
  std::list<Entry> entries_;  // the last asked for first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
  u64 bytes_ = 0, max_bytes_;
};

}  // namespace banyan::serve
