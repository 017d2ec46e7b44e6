// banyan draw: where everything stands on a sheet.
#include <fmt/format.h>

#include <iostream>

#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "topology/map/fabric_map.hpp"

namespace banyan::cli {
namespace {

class Draw {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Topology topology = load(fabric_).topology;
    tell_remark(topology);
    const FabricMap drawing = fabric_map(topology);
    as_json_ ? write(topology, drawing) : print(topology, drawing);
    return Exit::done;
  }

 private:
  static void print(const Topology& topology, const FabricMap& d) {
    std::cout << fmt::format("{}, drawn as {}: {:.0f} wide, {:.0f} high\n", described(topology),
                             name_of(d.kind), d.box.right - d.box.left, d.box.bottom - d.box.top);
    for (const MapGroup& group : d.groups)
      if (group.parent == MapGroup::none)
        std::cout << fmt::format("  {:<20} {} hosts, {} switches\n", group.name, group.hosts, group.switches);
  }

  static std::string described(const Topology& topology) {
    const std::string notation = canonical_notation(topology);
    return notation.empty() ? "an irregular fabric" : notation;
  }

  void write(const Topology& topology, const FabricMap& d) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", 0).field("fabric", fabric_.fabric);
    json.field("notation", canonical_notation(topology));
    write_map(json, topology.fabric, d);
    json.end_object();
  }

  FabricArgument fabric_;
  bool as_json_ = false;
};

}  // namespace

Verb draw_verb() {
  return make_verb<Draw>("draw", "Where nodes stand on a sheet, and which groups they form",
                         "banyan draw 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --json");
}

}  // namespace banyan::cli
