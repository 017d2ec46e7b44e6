// Stands in for libFuzzer where there is none: runs a fuzz target once on nothing and once on every file in
// the folders it is given, in order of their names.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fs = std::filesystem;

static void replay(const std::vector<char>& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) continue;
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  replay({});
  for (const fs::path& file : files) {
    std::cout << file.string() << std::endl;  // flushed: the last one named is the one that crashed
    std::ifstream in(file, std::ios::binary);
    replay({std::istreambuf_iterator<char>(in), {}});
  }
  std::cout << files.size() << " inputs replayed\n";
}
