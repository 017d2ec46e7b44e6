// Requests to the explorer's server: whatever is sent becomes a command of offered options only, or
// InputError.
#include "serve/request.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"

using namespace banyan::tests;

namespace {

bool is_offered(const ServedVerb& verb, std::string name) {  // "--without=x"
  name = name.substr(2, name.find('=') - 2);
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "json" || std::find(verb.options.begin(), verb.options.end(), name) != verb.options.end();
}

void hold(bool truth) {
  if (!truth) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  for (const ServedVerb& verb : served_verbs()) {
    try {
      const std::vector<std::string> command = command_of(verb.name, body);
      hold(!command.empty() && command[0] == verb.name);
      const auto end = std::find(command.begin(), command.end(), "--");
      for (auto argument = command.begin() + 1; argument != end; ++argument)
        hold(argument->starts_with("--") && is_offered(verb, *argument));
      const auto behind = end == command.end() ? 0 : command.end() - end - 1;
      hold(static_cast<std::size_t>(behind) == verb.positionals.size());
      shell_text(command);
    } catch (const InputError&) {
    }
  }
  return 0;
}
