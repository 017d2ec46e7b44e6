// Any bytes are read as a roles file, or refused with an InputError; what was read finds a role for any name.
#include <sstream>

#include "base/error.hpp"
#include "formats/roles.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Endpoint named{std::string_view(text).substr(0, text.find('\n'))};
  role_of(named);
  std::istringstream in(text);
  try {
    const RoleFile file = read_roles(in, "fuzz");
    roles_of(std::vector{named, Endpoint{"node7 mlx5_0"}}, file);
  } catch (const InputError&) {
  }
  return 0;
}
