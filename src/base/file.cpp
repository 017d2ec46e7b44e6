#include "base/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"

namespace banyan::base {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError(Place{path}, what + ": " + std::strerror(errno));
}

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

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool may_be_read(const std::string& path) {
  const char* folders = std::getenv("BANYAN_READ_UNDER");
  if (!folders) return true;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return false;
  for (const std::string_view folder : split(folders, ':')) {
    const fs::path allowed = fs::canonical(folder, error);
    if (!error && is_below(real, allowed)) return true;
  }
  return false;
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
  return in;
}

std::string read_file(const std::string& path) {
  std::ifstream in = open_input(path);
  std::ostringstream content;
  content << in.rdbuf();
  if (in.bad()) fail(path, "could not be read to the end");
  return std::move(content).str();
}

void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const fs::path target = target_of(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw InputError(Place{path}, "there is no folder " + folder.string());
  if (fs::is_directory(target, error))
    throw InputError(Place{path}, "is a folder, expected the name of a file");
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) return write_to(target, path, write);
  const fs::path temporary =
      folder / ("." + target.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  try {
    write_to(temporary, path, write);
    if (interrupted()) throw Interrupted();
    if (std::rename(temporary.c_str(), target.c_str()) != 0) fail(path, "cannot be replaced");
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(Place{path}, "cannot be made: " + error.message());
}

}  // namespace banyan::base
