#include "base/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <streambuf>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace banyan::base {

std::optional<std::vector<std::string>> names_in(const std::filesystem::path& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.empty() ? "." : folder.c_str()), closedir);
  if (!entries) return std::nullopt;
  std::vector<std::string> out;
  while (const dirent* entry = readdir(entries.get()))
    if (const std::string_view name = entry->d_name; name != "." && name != "..") out.emplace_back(name);
  return out;
}

namespace {

constexpr int attempts = 100;  // two names are never the same, unless someone guesses

std::string errno_text(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

bool writes_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written, size -= static_cast<std::size_t>(written);
  }
  return true;
}

class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

 protected:
  int_type overflow(int_type next) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(next);
      pbump(1);
    }
    return traits_type::not_eof(next);
  }
  int sync() override {
    const bool is_good = writes_all(file_, pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return is_good ? 0 : -1;
  }

 private:
  int file_;
  std::array<char, 65536> buffer_;
};

// False: another process holds it, or has removed it.
bool locks(const Descriptor& opened) {
  struct stat found {};
  const bool is_free = flock(opened.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  return is_free && fstat(opened.get(), &found) == 0 && found.st_nlink > 0;
}

bool is_own(const Descriptor& opened) {
  struct stat found {};
  return fstat(opened.get(), &found) == 0 && found.st_uid == geteuid();
}

// Of earlier processes: those that live hold a lock.
void remove_left_over(const std::filesystem::path& folder, const std::string& start) {
  std::error_code ignored;
  std::vector<std::filesystem::path> found;
  for (const std::string& name : names_in(folder).value_or(std::vector<std::string>{}))
    if (name.starts_with(start) && name.ends_with(".tmp") && name.size() == start.size() + 36)
      found.push_back(folder / name);
  for (const auto& path : found) {
    const Descriptor opened(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (opened && is_own(opened) && locks(opened)) std::filesystem::remove_all(path, ignored);
  }
}

// `make` gives nothing, and errno, where there is something of that name.
Temporary temporary(const std::filesystem::path& target, const std::function<Descriptor(const char*)>& make) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string start = "." + target.filename().string() + ".";
  remove_left_over(folder, start);
  for (int i = 0; i < attempts; ++i) {
    std::filesystem::path path = folder / (start + random_word() + ".tmp");
    Descriptor made = make(path.c_str());
    if (!made && errno != EEXIST) throw InputError(Place{target.string()}, errno_text("cannot be written"));
    if (made && locks(made)) return {std::move(path), std::move(made)};
  }
  throw InputError(Place{target.string()}, "no name for a temporary file beside it is free");
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::string random_word() {
  std::array<u8, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw InputError("the system has no random numbers");
  std::string out;
  for (const u8 byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

Temporary temporary_file(const std::filesystem::path& target) {
  return temporary(target, [](const char* path) {
    return Descriptor(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  });
}

Temporary temporary_folder(const std::filesystem::path& target, mode_t mode) {
  return temporary(target, [mode](const char* path) {
    return mkdir(path, mode) == 0 ? Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
                                  : Descriptor();
  });
}

void write_durably(int file, const std::string& path, const std::function<void(std::ostream&)>& write) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  errno = 0;
  write(out);
  out.flush();
  if (!out || fsync(file) != 0) throw InputError(Place{path}, errno_text("could not be written to the end"));
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) fsync(opened.get());
}

}  // namespace banyan::base
