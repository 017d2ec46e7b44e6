// banyan convert: between the formats, or from a notation to a file.
#include <fmt/format.h>

#include <iostream>

#include "cli/fabric_argument.hpp"

namespace banyan::cli {
namespace {

struct Convert {
  FabricArgument fabric;
  std::string out, format;

  void declare(Arguments& arguments) {
    fabric.declare(arguments);
    arguments.positional("OUT", out, "the file to write; its ending says the format; - is standard output");
    arguments.value("--format", format, "NAME", "the format, when the ending does not say it");
  }
  Exit run() const {
    write_fabric(fabric.open(), out, format);
    return Exit::done;
  }
};

}  // namespace

Verb convert_verb() {
  return make_verb<Convert>(
      "convert", "Writes a fabric in another format",
      "banyan convert 'HyperX(12x8; hosts=7)' fabric.net     # then: ibsim -s fabric.net");
}

}  // namespace banyan::cli
