// banyan path: the paths of one pair, hop by hop.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <iostream>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "fabric/names.hpp"
#include "routing/reasons.hpp"
#include "topology/distances.hpp"
#include "topology/shortest_paths.hpp"

namespace banyan::cli {
namespace {

std::vector<u32> lanes_of(u16 mask) {
  std::vector<u32> out;
  for (u32 lane = 0; lane < 16; ++lane)
    if (mask >> lane & 1) out.push_back(lane);
  return out;
}

class Path {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.positional("SRC", source_, "the host that sends, by number or name");
    arguments.positional("DST", destination_, "the host that receives");
    engine_.declare(arguments);
    arguments.value("--bytes", bytes_, "N",
                    "how long the message is, for engines that look at it (default: long)");
    arguments.value("--rail", rail_, "R", "the rail (default 0)");
    arguments.flag("--why", why_, "say for each hop why it is taken");
    arguments.value("--all", all_, "N", "also list every shortest path, up to N of them");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Topology topology = load(fabric_).topology;
    const Fabric& fabric = topology.fabric;
    const Host a = find_host(fabric, source_), b = find_host(fabric, destination_);
    if (a == b) throw InputError("SRC and DST are the same host");
    if (rail_ >= fabric.rails())
      throw InputError(fmt::format("there is no rail {}: they are 0 to {}", rail_, fabric.rails() - 1));
    const RouteResult result = engine_.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const Routing& routing = std::get<Routing>(result);
    const Nic from = fabric.nic(a, rail_), to = fabric.nic(b, rail_);
    const Answer answer{
        topology,
        a,
        b,
        paths(fabric, routing, from, to, bytes()),
        [&](const RoutedPath& path) { return hop_reasons(topology, routing, from, to, path, digits()); },
        shortest_paths(fabric, from, to, all_)};
    as_json_ ? print_json(answer) : print_text(answer);
    const auto& found = answer.found;
    bool all_arrive = !found.empty();
    for (const RoutedPath& path : found) all_arrive &= path.arrives;
    return all_arrive ? Exit::done : Exit::verdict_no;
  }

 private:
  struct Answer {
    const Topology& topology;
    Host a, b;
    std::vector<RoutedPath> found;
    std::function<std::vector<std::string>(const RoutedPath&)> reasons;
    std::vector<std::vector<Channel>> shortest;
  };

  Digits digits() const {
    const std::string name = engine_.text().name;
    return name == "dmodk" ? Digits::of_destination : name == "smodk" ? Digits::of_source : Digits::unknown;
  }

  u64 bytes() const {
    if (bytes_.empty()) return long_message;
    u64 out = 0;
    read_option_value("--bytes", bytes_, out);
    return out;
  }

  static u64 number(const Topology& topology, const RoutedPath& path) {
    return path_index(topology, path).value_or(path.way);
  }

  void print_text(const Answer& answer) const {
    const Topology& topology = answer.topology;
    const Fabric& fabric = topology.fabric;
    for (const RoutedPath& path : answer.found) {
      const auto reasons = why_ ? answer.reasons(path) : std::vector<std::string>(path.channels.size());
      std::cout << fmt::format("path {}, {} channels, weight {:.4g}{}\n", number(topology, path),
                               path.channels.size(), path.weight, path.arrives ? "" : ": DOES NOT ARRIVE");
      for (std::size_t i = 0; i < path.channels.size(); ++i)
        std::cout << fmt::format("  {:<18} -> {:<18} lane {}{}\n", port_name(fabric, path.channels[i]),
                                 port_name(fabric, fabric.reverse(path.channels[i])),
                                 fmt::join(lanes_of(path.lanes[i]), ","), why_ ? "  " + reasons[i] : "");
    }
    for (const auto& channels : answer.shortest) {
      std::cout << "shortest ";
      for (const Channel c : channels) std::cout << ' ' << port_name(fabric, c);
      std::cout << '\n';
    }
  }

  void print_json(const Answer& answer) const {
    const auto& [topology, a, b, found, reasons, shortest] = answer;
    const Fabric& fabric = topology.fabric;
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.seed_used());
    json.field("engine", engine_.engine).field("source", fabric.host_name(a));
    json.field("destination", fabric.host_name(b)).field("rail", rail_).key("paths").begin_array();
    for (const RoutedPath& path : found) write(json, answer, path, fabric.node(fabric.nic(a, rail_)));
    json.end_array();
    if (all_ > 0) {
      std::vector<std::vector<u32>> lists;
      for (const auto& channels : shortest) {
        lists.emplace_back();
        for (const Channel c : channels) lists.back().push_back(index(c));
      }
      json.field("shortest_paths", search_distance(fabric, a, b, rail_).paths).field("shortest", lists);
    }
    json.end_object();
  }

  void write(JsonWriter& json, const Answer& answer, const RoutedPath& path, Node from) const {
    const Topology& topology = answer.topology;
    const Fabric& fabric = topology.fabric;
    std::vector<u32> nodes = {index(from)}, channels, ports;
    std::vector<std::string> names = {fabric.name(from)};
    std::vector<std::vector<u32>> lanes;
    for (std::size_t i = 0; i < path.channels.size(); ++i) {
      const Channel c = path.channels[i];
      nodes.push_back(index(fabric.to(c)));
      names.push_back(fabric.name(fabric.to(c)));
      channels.push_back(index(c));
      ports.push_back(index(fabric.port(c)));
      lanes.push_back(lanes_of(path.lanes[i]));
    }
    json.begin_object().field("index", number(topology, path)).field("weight", path.weight);
    json.field("arrives", path.arrives).field("nodes", nodes).field("names", names);
    json.field("ports", ports).field("channels", channels).field("lanes", lanes);
    if (why_) json.field("reasons", answer.reasons(path));
    json.end_object();
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  std::string source_, destination_, bytes_;
  u32 rail_ = 0, all_ = 0;
  bool why_ = false, as_json_ = false;
};

}  // namespace

Verb path_verb() {
  return make_verb<Path>("path", "The paths of one pair, hop by hop",
                         "banyan path 'XGFT(3; 4,4,4; 1,4,2)' 0 63 --engine disjoint --paths 4");
}

}  // namespace banyan::cli
