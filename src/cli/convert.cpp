// banyan convert: between the formats of fabrics, or from a notation to a file; between those of programs.
#include <fmt/format.h>

#include <iostream>

#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::cli {
namespace {

struct ConvertOptions {
  std::string format{};

  static void fields(auto& self, auto&& f) {
    f("format", self.format, "format of the file, where its ending does not say it");
  }
};

struct Convert {
  FabricArgument fabric;
  OptionsArgument<ConvertOptions> options;
  std::string out;
  u32 ranks = 0;

  void declare(Arguments& arguments) {
    fabric.declare(arguments);
    arguments.positional("OUT", out, "the file to write; its ending gives the format; - is standard output");
    options.declare(arguments);
    arguments.value("--ranks", ranks, "N", "of a program that is made here, such as step:MODEL or allreduce");
  }
  Exit run() const {
    if (is_program(fabric.fabric) || out.ends_with(".goal") || out.ends_with(".et")) {
      if (!fabric.without.empty()) throw InputError("a program has no cables: it takes no --without");
      const Program program = open_program(fabric.fabric, ranks);
      require_end(program);
      write_program(out, program, options.read().format);
      return Exit::done;
    }
    if (ranks > 0) throw InputError("--ranks is for a program, such as step:MODEL or allreduce");
    const FabricFile file = fabric.open();
    tell_remark(file.topology);
    const std::string lost = write_fabric(file, out, options.read().format);
    if (!lost.empty()) std::cerr << "banyan: " << lost << '\n';
    return Exit::done;
  }
};

}  // namespace

Verb convert_verb() {
  return make_verb<Convert>(
      "convert", "Writes a fabric, or a program, in another format",
      "banyan convert 'HyperX(12x8; hosts=7)' fabric.net     # then: ibsim -s fabric.net");
}

}  // namespace banyan::cli
