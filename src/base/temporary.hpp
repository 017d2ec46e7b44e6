// Temporary files and folders beside what they will replace: ".NAME.RANDOM.tmp". The name cannot be guessed,
// no link is followed, and its maker holds a lock on it: one without a lock is left over from a process that
// was killed.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"

namespace banyan::base {

// Owns an open file or folder.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

std::string random_word();  // 32 hexadecimal digits of the system's random numbers. Throws InputError.

// What is in a folder, in no order; nothing, and errno, where it cannot be read. std::filesystem's iterator
// would end the program where memory runs out in it.
std::optional<std::vector<std::string>> names_in(const std::filesystem::path& folder);

struct Temporary {
  std::filesystem::path path;
  Descriptor opened;  // locked
};
// What `target` will be. First removes what is left over of earlier ones. Throws InputError about `target`.
Temporary temporary_file(const std::filesystem::path& target);
Temporary temporary_folder(const std::filesystem::path& target, mode_t mode = 0777);

// Runs `write` with a stream into the file, and waits until the disk has it. Throws InputError about `path`.
void write_durably(int file, const std::string& path, const std::function<void(std::ostream&)>& write);

// Waits until the disk has what was renamed in there.
void sync_folder(const std::filesystem::path& folder);

}  // namespace banyan::base
