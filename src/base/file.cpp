#include "base/file.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/temporary.hpp"
#include "base/text.hpp"

namespace banyan::base {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError(Place{path}, what + ": " + std::strerror(errno));
}

// A device or a pipe.
void write_to(const std::string& target, const std::string& path,
              const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(target, std::ios::binary);
  if (!out) fail(path, "cannot be written");
  write(out);
  out.close();
  if (!out) fail(path, "could not be written to the end");
}

// The file a path leads to: a symbolic link stays one.
fs::path target_of(const std::string& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// The file to write. Throws InputError where it has no folder or is one.
fs::path checked_target(const std::string& path) {
  std::error_code error;
  fs::path target = target_of(path);
  if (!fs::is_directory(folder_of(target), error))
    throw InputError(Place{path}, "there is no folder " + folder_of(target).string());
  if (fs::is_directory(target, error))
    throw InputError(Place{path}, "is a folder, expected the name of a file");
  return target;
}

// A device or a pipe: it is written directly.
bool is_special(const fs::path& target) {
  std::error_code error;
  return fs::exists(target, error) && !fs::is_regular_file(target, error);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// A user of this machine, for whom another asks; or nobody, who may do what all may.
class Asker {
 public:
  explicit Asker(const std::string& user) {
    char* end = nullptr;
    user_ = static_cast<uid_t>(std::strtoul(user.c_str(), &end, 10));
    is_user_ = !user.empty() && *end == '\0';
    const passwd* known = is_user_ ? getpwuid(user_) : nullptr;
    if (!known) return;
    int count = 1024;
    groups_.resize(static_cast<std::size_t>(count));
    getgrouplist(known->pw_name, known->pw_gid, groups_.data(), &count);
    groups_.resize(static_cast<std::size_t>(std::clamp(count, 0, 1024)));
  }

  // The file, and all folders on the way to it.
  bool may_read(const fs::path& real) const {
    if (!has(real, 4)) return false;
    for (fs::path folder = real.parent_path();; folder = folder.parent_path()) {
      if (!has(folder, 1)) return false;
      if (folder == folder.parent_path()) return true;
    }
  }

 private:
  // A permission as the mode has it for others: 4 to read, 1 to pass.
  bool has(const fs::path& path, mode_t permission) const {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return false;
    if (is_user_ && user_ == 0) return true;
    if (is_user_ && found.st_uid == user_) return (found.st_mode >> 6 & permission) != 0;
    if (std::find(groups_.begin(), groups_.end(), found.st_gid) != groups_.end())
      return (found.st_mode >> 3 & permission) != 0;
    return (found.st_mode & permission) != 0;
  }

  uid_t user_ = 0;
  bool is_user_ = false;
  std::vector<gid_t> groups_;
};

// Below one of the folders; with BANYAN_READ_AS=UID, which the server sets where another user asks, only what
// that user may read, except in the first folder: there is what was uploaded.
bool may_be_read(const std::string& path) {
  const char* const folders = std::getenv("BANYAN_READ_UNDER");
  const char* const user = std::getenv("BANYAN_READ_AS");
  if (!folders) return true;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return false;
  bool is_first = true;
  for (const std::string_view folder : split(folders, ':')) {
    const fs::path allowed = fs::canonical(folder, error);
    if (!error && is_below(real, allowed) && (is_first || !user || Asker(user).may_read(real))) return true;
    is_first = false;
  }
  return false;
}

// Of UTF-8, at the start. Looked for only where all of it can be put back: not in a pipe that begins with
// fewer bytes.
void skip_byte_order_mark(std::streambuf& in) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const auto size = static_cast<std::streamsize>(mark.size());
  using Traits = std::streambuf::traits_type;
  if (in.sgetc() != Traits::to_int_type(mark[0]) || in.in_avail() < size) return;
  std::string begin(mark.size(), ' ');
  if (in.sgetn(begin.data(), size) == size && begin == mark) return;
  for (std::size_t i = 0; i < mark.size(); ++i) in.sungetc();
}

}  // namespace

bool is_reading_restricted() { return std::getenv("BANYAN_READ_UNDER") != nullptr; }

bool input_exists(const std::string& path) {
  std::error_code ignored;
  return may_be_read(path) && fs::exists(path, ignored);
}

std::ifstream open_input(const std::string& path) {
  if (!may_be_read(path)) throw InputError(Place{path}, "no file of that name may be read here");
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(Place{path}, "is a folder, expected a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot be read");
  skip_byte_order_mark(*in.rdbuf());
  return in;
}

std::string read_file(const std::string& path) {
  std::ifstream in = open_input(path);
  std::ostringstream content;
  content << in.rdbuf();
  if (in.bad()) fail(path, "could not be read to the end");
  return std::move(content).str();
}

void check_writable(const std::string& path) {
  const fs::path target = checked_target(path);
  const fs::path written = is_special(target) ? target : folder_of(target);
  if (access(written.c_str(), W_OK) != 0) fail(path, "cannot be written");
}

void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const fs::path target = checked_target(path);
  if (is_special(target)) return write_to(target, path, write);
  const Temporary made = temporary_file(target);
  try {
    if (struct stat old{}; stat(target.c_str(), &old) == 0)
      if (fchmod(made.opened.get(), old.st_mode & 07777) != 0) fail(path, "cannot be replaced");
    write_durably(made.opened.get(), path, write);
    if (interrupted()) throw Interrupted();
    if (std::rename(made.path.c_str(), target.c_str()) != 0) fail(path, "cannot be replaced");
  } catch (...) {
    fs::remove(made.path, error);
    throw;
  }
  sync_folder(folder_of(target));
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(Place{path}, "cannot be made: " + error.message());
}

}  // namespace banyan::base
