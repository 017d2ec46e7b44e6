// Files that clients sent, in a folder of the server's own that goes when it ends; one that was killed leaves
// it to the next server. Only so much is kept: the
// oldest give way. Commands see them by the name that put() gives.
#pragma once
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "base/temporary.hpp"
#include "base/types.hpp"

namespace banyan::serve {

class Uploads {
 public:
  explicit Uploads(u64 max_bytes);
  ~Uploads();
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;

  // The same content under the same name is the same file. The name's ending is kept, since it may say the
  // format. Throws InputError for what is larger than all that is kept.
  std::string put(std::string_view name, std::string_view content);
  // Whether it is still there.
  bool has(std::string_view name);
  // A text with the names that put() gave replaced by those that the clients gave.
  std::string as_given(std::string text);
  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct File {
    std::string name, given;
    u64 bytes;
  };
  Temporary made_;
  std::mutex mutex_;
  std::filesystem::path folder_;
  std::deque<File> files_;  // the oldest first
  u64 bytes_ = 0, max_bytes_;
};

}  // namespace banyan::serve
