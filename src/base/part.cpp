#include "base/part.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/version.hpp"

namespace banyan::base {

std::string part_path(std::string_view name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path file = fs::read_symlink("/proc/self/exe", ignored);
  Dl_info info{};
  // Of a program the loader knows the name by which it was started, which may be one in PATH.
  if (dladdr(reinterpret_cast<const void*>(&part_path), &info) && info.dli_fname &&
      std::string_view(info.dli_fname).find(".so") != std::string_view::npos)
    file = fs::canonical(info.dli_fname, ignored);
  const fs::path folder = file.parent_path();
  // Beside it; PREFIX/bin; PREFIX/lib; PREFIX/lib/TRIPLET; PREFIX/lib/python3/dist-packages/banyan.
  for (const char* way : {".", "../lib/banyan", "banyan", "../banyan", "../../../banyan"})
    if (const fs::path path = folder / way / name; fs::is_regular_file(path, ignored)) return path.string();
  return (folder / name).string();
}

std::optional<std::string> part_refusal(void* library, const std::string& path) {
  using Function = const char* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(library, part_version_name));
  const std::string found = function ? function() : "";
  if (found == version()) return std::nullopt;
  return fmt::format("{} is of {}, this program of version {}: build or install both anew", path,
                     found.empty() ? "an older version" : "version " + found, version());
}

}  // namespace banyan::base
