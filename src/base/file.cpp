#include "base/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "base/progress.hpp"

namespace banyan {
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

}  // namespace

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
  fs::create_directories(path, error);
  if (error) throw InputError(Place{path}, "cannot be made: " + error.message());
}

std::ifstream open_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(Place{path}, "is a folder, expected a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot be read");
  return in;
}

std::string read_whole(const std::string& path) {
  std::ifstream in = open_file(path);
  std::ostringstream out;
  out << in.rdbuf();
  if (in.bad()) fail(path, "cannot be read to the end");
  return out.str();
}

}  // namespace banyan
