// A folder of its own that is there while a test runs.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace banyan::tests {

struct Scratch {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("banyan-scratch-" + std::to_string(getpid()));
  Scratch() { std::filesystem::create_directories(path); }
  ~Scratch() { std::filesystem::remove_all(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

}  // namespace banyan::tests
