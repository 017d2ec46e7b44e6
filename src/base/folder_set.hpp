// Files of a folder that belong together and change together. They are written into a folder beside it, which
// takes its place in one step of the file system: whoever opens a file by its path, and a process that is
// killed at any moment, finds the old set or the new one, never some of both.
#pragma once
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "base/temporary.hpp"

namespace banyan::base {

class FolderSet {
 public:
  // The folder is made by commit() if need be. One that is there may hold other files, but no folders. Throws
  // InputError.
  explicit FolderSet(const std::string& folder);
  ~FolderSet();  // without commit() the folder is as it was
  FolderSet(const FolderSet&) = delete;
  FolderSet& operator=(const FolderSet&) = delete;

  void write(const std::string& name, const std::function<void(std::ostream&)>& content);

  // Puts what was written in place. Files of the old folder stay, except those of the `names` of the set
  // that were not written again.
  void commit(std::span<const std::string_view> names);

  const std::string& path() const { return path_; }  // absolute; where the files will be

 private:
  void keep_others(std::span<const std::string_view> names) const;
  void swap() const;

  std::string path_;
  std::filesystem::path target_;  // the folder itself, where the path is a link
  Temporary made_;
};

}  // namespace banyan::base
