#include "base/folder_set.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/progress.hpp"

namespace banyan::base {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw InputError(Place{path.string()}, what);
}
[[noreturn]] void refuse_for_errno(const std::filesystem::path& path, const std::string& what) {
  refuse(path, what + ": " + std::strerror(errno));
}

std::filesystem::path absolute_folder(const std::string& path) {
  const std::filesystem::path out = std::filesystem::absolute(path).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

// Its place is taken by another folder: nobody should stand in it, and nothing in it be more than a file.
void check_replaceable(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder)) refuse(folder, "is a file, expected a folder");
  if (std::filesystem::equivalent(folder, std::filesystem::current_path(), error))
    refuse(folder, "is the folder you are in, which would be replaced; expected another");
  const auto names = names_in(folder);
  if (!names) refuse_for_errno(folder, "cannot be read");
  for (const std::string& name : *names) {
    const auto type = std::filesystem::symlink_status(folder / name, error).type();
    if (type != std::filesystem::file_type::symlink && type != std::filesystem::file_type::regular)
      refuse(folder / name, "is no file; expected a folder for tables alone, which is replaced as a whole");
  }
}

// The mode and, where that is allowed, the owner of the old one.
void look_like(const Descriptor& made, const std::filesystem::path& old) {
  struct stat found {};
  if (stat(old.c_str(), &found) != 0) return;
  if (fchown(made.get(), found.st_uid, found.st_gid) != 0) errno = 0;
  if (fchmod(made.get(), found.st_mode & 07777) != 0) refuse_for_errno(old, "cannot be replaced");
}

}  // namespace

FolderSet::FolderSet(const std::string& folder) : path_(absolute_folder(folder).string()) {
  target_ = std::filesystem::weakly_canonical(path_);
  if (std::filesystem::exists(target_))
    check_replaceable(target_);
  else
    make_folder(target_.parent_path().string());
  made_ = temporary_folder(target_);
}

FolderSet::~FolderSet() {
  std::error_code ignored;
  std::filesystem::remove_all(made_.path, ignored);  // what was swapped out, or was never swapped in
}

void FolderSet::write(const std::string& name, const std::function<void(std::ostream&)>& content) {
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const Descriptor file(openat(made_.opened.get(), name.c_str(), flags, 0666));
  if (!file) refuse_for_errno(target_ / name, "cannot be written");
  write_durably(file.get(), (target_ / name).string(), content);
}

// The same files under the same names: whoever writes into one goes on with it.
void FolderSet::keep_others(std::span<const std::string_view> names) const {
  const auto found = names_in(target_);
  if (!found) refuse_for_errno(target_, "cannot be read");
  for (const std::string& name : *found) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (linkat(AT_FDCWD, (target_ / name).c_str(), made_.opened.get(), name.c_str(), 0) != 0)
      refuse_for_errno(target_ / name, "cannot be kept");
  }
}

void FolderSet::swap() const {
  const bool replaces = std::filesystem::exists(target_);
  const unsigned how = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, made_.path.c_str(), AT_FDCWD, target_.c_str(), how) == 0) return;
  if (errno == EINVAL && !replaces && std::rename(made_.path.c_str(), target_.c_str()) == 0) return;
  refuse_for_errno(target_, replaces
                                ? "cannot be swapped for a new folder, and stays as it is; a new name can "
                                  "be written"
                                : "cannot be made");
}

void FolderSet::commit(std::span<const std::string_view> names) {
  if (std::filesystem::exists(target_)) {
    keep_others(names);
    look_like(made_.opened, target_);
  }
  if (interrupted()) throw Interrupted();
  fsync(made_.opened.get());
  swap();
  sync_folder(target_.parent_path());
}

}  // namespace banyan::base
