// banyan topologies: the families of fabrics there are.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/verb.hpp"
#include "topology/family.hpp"
#include "topology/map/fabric_map.hpp"
#include "topology/properties.hpp"

namespace banyan::cli {
namespace {

// By its name (HyperX, k-ary n-tree), or by a notation (HyperX(4x4), 4-ary 3-tree). Throws InputError.
const Family& named_family(const std::string& name) {
  for (const Family& family : families())
    if (lower(name) == lower(family.notation.substr(0, family.notation.find('(')))) return family;
  return family_of(parse_notation(name));
}

// A sheet of characters: hosts are dots, switches o; the first switch is @, and what it is cabled to is #.
void print_drawing(const Topology& topology) {
  constexpr double width = 72, max_height = 20;
  const Fabric& fabric = topology.fabric;
  const FabricMap map = fabric_map(topology);
  const double wide = std::max(1e-9, map.box.right - map.box.left);
  const double high = std::max(1e-9, map.box.bottom - map.box.top);
  const bool in_rows = !map.levels.empty();
  const double height =
      in_rows ? 2.0 * static_cast<double>(map.levels.size()) : std::min(max_height, width / 2 * high / wide);
  std::vector<std::string> sheet(static_cast<std::size_t>(height) + 1, std::string(std::size_t{73}, ' '));
  const auto put = [&](Node node, char what) {
    const double row =
        in_rows ? height - 1 - 2.0 * map.level[node] : (map.at[node].y - map.box.top) / high * height;
    char& at = sheet[static_cast<std::size_t>(std::max(0.0, row))]
                    [static_cast<std::size_t>((map.at[node].x - map.box.left) / wide * width)];
    if (at == ' ' || what != '.') at = what;
  };
  for (const Node node : fabric.nodes()) put(node, fabric.is_switch(node) ? 'o' : '.');
  const Node first{fabric.nics()};
  for (u32 port = 0; port < fabric.ports(first); ++port)
    if (const Channel c = fabric.channel(first, Port{port});
        fabric.cabled(c) && fabric.is_switch(fabric.to(c)))
      put(fabric.to(c), '#');
  put(first, '@');
  for (const std::string& line : sheet)
    if (const auto end = line.find_last_not_of(' '); end != line.npos)
      std::cout << "    " << line.substr(0, end + 1) << '\n';
}

void explain(const Family& family) {
  const Topology topology = make_topology(family.example);
  const Properties p = properties(topology, 1);
  std::cout << fmt::format("{}\n    {}   [{}]\n\n", family.notation, family.summary, family.source);
  std::cout << fmt::format(
      "{}: {} hosts, {} switches, {} links; at most {} channels between hosts; bisection {:.4g} % of "
      "full\n\n",
      family.example, p.hosts, p.switches, p.links, p.distances.diameter, 100 * p.bisection_ratio);
  print_drawing(topology);
  std::cout << "\n    . host   o switch   @ the first switch   # a switch that it is cabled to\n";
}

void print_json() {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", 0).key("topologies").begin_array();
  for (const Family& family : families())
    json.begin_object()
        .field("notation", family.notation)
        .field("example", family.example)
        .field("summary", family.summary)
        .field("source", family.source)
        .end_object();
  json.end_array().end_object();
}

void print_text() {
  for (const Family& family : families())
    std::cout << fmt::format("{}\n    {}\n    e.g. {}   [{}]\n", family.notation, family.summary,
                             family.example, family.source);
  std::cout
      << "\nOptions stand behind the numbers, host links first where there is one for each class of links:\n"
         "    XGFT(3; 18,18,18; 1,18,18; hosts=14, capacity=1/1/2, latency=1/1/4)\n"
         "Several rails: '4 x XGFT(...)' makes planes that share only hosts, 'HyperX(...) + XGFT(...)' "
         "planes "
         "of\n"
         "different shapes; the option rails=4 of a tree puts NIC r of a host on leaf r of its group of "
         "leaves,\n"
         "with the spines shared; nics=4 puts the NICs of a host on one leaf, 'nics=4, leaves=2' on two.\n"
         "'banyan topologies FAMILY' explains one, with a drawing.\n";
}

struct Topologies {
  std::string name;
  bool as_json = false;

  void declare(Arguments& arguments) {
    arguments.optional("FAMILY", name, "explain this family only, with a drawing of its example");
    arguments.json(as_json);
  }
  Exit run() const {
    if (!name.empty() && as_json) throw InputError("FAMILY is explained for people: expected no --json");
    if (!name.empty()) return explain(named_family(name)), Exit::done;
    if (as_json)
      print_json();
    else
      print_text();
    return Exit::done;
  }
};

}  // namespace

Verb topologies_verb() {
  return make_verb<Topologies>("topologies", "The families of fabrics and how they are written",
                               "banyan topologies");
}

}  // namespace banyan::cli
