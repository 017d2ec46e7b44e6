#include "cli/fabric_argument.hpp"

#include <fmt/format.h>

#include <iostream>
#include <unordered_set>

#include "base/text.hpp"
#include "fabric/faults.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::cli {

void FabricArgument::declare(Arguments& arguments, const std::string& name, const std::string& meaning) {
  arguments.positional(name, fabric, meaning);
  arguments.values("--without", without, "WHAT", std::string(faults_meaning));
  arguments.file("--roles", roles, "FILE",
                 "what machines are for, where names do not tell: lines 'PATTERN ROLE' (docs/formats.md)");
}

FabricFile FabricArgument::open() const {
  refuse_program(fabric);
  FabricFile file = open_fabric(text());
  file.topology.fabric = fabric::without(file.topology.fabric, without);
  return file;
}

Loaded load(const FabricArgument& argument) {
  refuse_program(argument.fabric);
  return load_fabric(argument.text(), argument.without);
}

void tell_remark(const Topology& topology) {
  if (!topology.remark.empty()) std::cerr << "banyan: " << topology.remark << '\n';
}

void tell_host_numbers(const Fabric& fabric, const std::vector<std::string>& typed) {
  std::unordered_set<std::string> names;
  for (u32 h = 0; h < fabric.hosts(); ++h) names.insert(fabric.host_name(Host{h}));
  for (const std::string& text : typed) {
    const auto dash = text.find('-');
    const auto first = parse_unsigned(std::string_view(text).substr(0, dash));
    const auto last = dash == text.npos ? first : parse_unsigned(std::string_view(text).substr(dash + 1));
    if (names.contains(text) || !first || !last) continue;
    for (u64 number = *first; number <= *last && number < fabric.hosts(); ++number) {
      const std::string name = fabric.host_name(Host{static_cast<u32>(number)});
      const auto digits = name.find_last_not_of("0123456789") + 1;  // 0 where there is nothing else
      const auto said = parse_unsigned(std::string_view(name).substr(digits));
      if (!said || *said == number) continue;
      std::cerr << fmt::format(
          "banyan: host {} is {}: numbers count hosts as they are placed in the fabric; names say which one "
          "is "
          "meant\n",
          number, name);
      return;
    }
  }
}

}  // namespace banyan::cli
