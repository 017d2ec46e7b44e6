// What a client asks for, as the command that answers it. A request names a verb and gives its arguments as
// JSON,
// {"fabric": "4-ary 3-tree", "engine": "dmodk", "without": ["links=2,seed=1"]}; keys are the verb's options
// with _ for -. Only verbs and options that write no files are offered; what they read was uploaded, or is
// below a folder that the server was given.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace banyan::serve {

struct ServedVerb {
  std::string name;
  std::vector<std::string> positionals;  // in order; all are needed
  std::vector<std::string> options;
};
const std::vector<ServedVerb>& served_verbs();  // as docs/openapi.json lists them

std::string served_json();  // the list for clients: [{"verb", "arguments", "options"}]

// The arguments after the program's name, with --json. Throws InputError for what is not offered.
std::vector<std::string> command_of(std::string_view verb, std::string_view body);

// The same as a person would type it.
std::string shell_text(const std::vector<std::string>& arguments);

}  // namespace banyan::serve
