#include "serve/uploads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "base/error.hpp"
#include "base/file.hpp"

namespace banyan::serve {
namespace {

constexpr u64 least_bytes = 4096;  // what a file takes besides its content

// FNV-1a; files of one name are compared before they are taken for the same.
u64 hash_of(std::string_view text) {
  u64 out = 0xCBF29CE484222325;
  for (const char c : text) out = (out ^ static_cast<u8>(c)) * 0x100000001B3;
  return out;
}

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

// Letters, digits, dots and dashes of the last part of a path, its end where it is long.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : last_part(name))
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_') out += c;
  if (out.size() > 64) out.erase(0, out.size() - 64);
  while (out.starts_with('.')) out.erase(0, 1);
  return out.empty() ? "fabric" : out;
}

}  // namespace

Uploads::Uploads(u64 max_bytes)
    : made_(temporary_folder(
          std::filesystem::canonical(std::filesystem::temp_directory_path()) / "banyan-serve", 0700)),
      folder_(made_.path),
      max_bytes_(max_bytes) {}

Uploads::~Uploads() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Uploads::put(std::string_view name, std::string_view content) {
  if (content.size() > max_bytes_)
    throw InputError(fmt::format("the file has {} bytes; expected at most {}", content.size(), max_bytes_));
  std::string full = fmt::format("{:016x}-{}", hash_of(content), plain(name));
  const std::lock_guard lock(mutex_);
  const auto same =
      std::find_if(files_.begin(), files_.end(), [&](const File& file) { return file.name == full; });
  if (same != files_.end()) {  // it is new again
    if (read_file((folder_ / full).string()) != content)
      throw InputError("another file has the same number: expected some other content or name");
    same->given = last_part(name);
    std::rotate(same, same + 1, files_.end());
    return full;
  }
  const u64 bytes = content.size() + least_bytes;
  while (bytes_ + bytes > max_bytes_ && !files_.empty()) {
    std::filesystem::remove(folder_ / files_.front().name);
    bytes_ -= files_.front().bytes;
    files_.pop_front();
  }
  write_whole((folder_ / full).string(), [&](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
  files_.push_back({full, std::string(last_part(name)), bytes});
  bytes_ += bytes;
  return full;
}

std::string Uploads::as_given(std::string text) {
  const std::lock_guard lock(mutex_);
  for (const File& file : files_)
    if (const std::size_t at = text.find(file.name); at != std::string::npos && !file.given.empty())
      text.replace(at, file.name.size(), file.given);
  return text;
}

bool Uploads::has(std::string_view name) {
  const std::lock_guard lock(mutex_);
  return std::any_of(files_.begin(), files_.end(), [&](const File& file) { return file.name == name; });
}

}  // namespace banyan::serve
