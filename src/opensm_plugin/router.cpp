#include "opensm_plugin/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/file.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "engines/engine.hpp"
#include "formats/address_choice_file.hpp"
#include "formats/lines.hpp"
#include "formats/opensm_tables.hpp"
#include "opensm_plugin/hops.hpp"
#include "opensm_plugin/told.hpp"
#include "routing/table_form.hpp"
#include "topology/recognise/recognise.hpp"
#include "verify/change_judge.hpp"
#include "verify/judge.hpp"

namespace banyan::opensm_plugin {
namespace {

// The file that event_plugin_options names: a key and its value on each line, # begins a comment.
struct PluginOptions {
  std::vector<std::string> engines = {"dmodc", "nue"};  // the first that applies, its verdict being yes
  u32 threads = default_threads();
  std::string choice;  // where to write which addresses messages take, for the message layer
};

PluginOptions read_plugin_options(const std::string& path) {
  PluginOptions out;
  std::ifstream in = open_input(path);
  LineReader lines(in, path);
  while (lines.next()) {
    const std::string_view line = trim(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    const auto space = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view key = line.substr(0, space), value = trim(line.substr(space));
    if (key == "engines") {
      out.engines.clear();
      for (const std::string_view engine : split(value, ' ')) {
        if (engine.empty()) continue;
        engines::engines().bind(engine);  // refuses an unknown one
        out.engines.emplace_back(engine);
      }
    } else if (key == "threads") {
      read_option_value(key, value, out.threads);
    } else if (key == "choice") {
      out.choice = value;
    } else {
      static constexpr std::string_view known[] = {"engines", "threads", "choice"};
      lines.fail(fmt::format("unknown key '{}'{}", key, suggestion(key, known)));
    }
  }
  if (out.engines.empty() || out.threads == 0)
    throw InputError(Place{path}, "expected at least one engine and one thread");
  return out;
}

// Whether an engine has an option that names a file: what it makes of the same subnet may then change.
bool reads_files(const PluginOptions& options) {
  return std::any_of(options.engines.begin(), options.engines.end(), [](const std::string& text) {
    const PluginText engine = engines::engines().bind(text);
    const auto& known = engines::engines().at(engine.name).options;
    return std::any_of(engine.options.begin(), engine.options.end(), [&](const auto& given) {
      return std::any_of(known.begin(), known.end(), [&](const OptionInfo& option) {
        return option.is_file && option.key == given.first;
      });
    });
  });
}

// As many addresses as OpenSM gives a NIC, where the engine can use them and was not told otherwise.
PluginText with_addresses(std::string_view text, u32 lmc) {
  PluginText out = engines::engines().bind(text);
  for (const OptionInfo& option : engines::engines().at(out.name).options) {
    const auto is_set = [&](const auto& given) { return given.first == option.key; };
    if (lmc == 0 || std::any_of(out.options.begin(), out.options.end(), is_set)) continue;
    if (option.key == "lmc") out.set("lmc", std::to_string(lmc));
    if (option.key == "paths") out.set("paths", std::to_string(1u << lmc));
  }
  return out;
}

// Tables that were judged from nothing; the verdict on later ones starts from there.
struct Judged {
  Judged(std::string name, const Fabric& f, const Routing& r, unsigned threads)
      : engine(std::move(name)), fabric(f), routing(r), changes(fabric, routing, {threads, {}}) {}

  std::string engine;
  Fabric fabric;
  Routing routing;
  ChangeJudge changes;
};

// All that a sweep led to. It stays where it was made: the subnet points to the fabric.
struct Routed {
  Told told;
  Topology topology;
  Subnet subnet;  // of that topology
  Routing routing;
  std::shared_ptr<const Judged> judged;
  std::vector<Node> switches;  // in the order in which they came
  std::vector<Node> by_lid;
  std::vector<u8> tables;  // of the switches in that order, by LID
  std::optional<SwitchTables> to_switches;
  HopRows hops;
  std::unordered_map<u64, Node> by_guid;  // switches
};

// The cables between switches that are all that is missing; none where something else changed.
std::optional<std::vector<Link>> missing_cables(const Routed& before, const Told& now) {
  const auto gone = only_gone(before.told, now);
  if (!gone) return std::nullopt;
  const Fabric& fabric = before.topology.fabric;
  std::vector<Link> out;
  for (const ToldPort& port : *gone) {
    const auto near = before.by_guid.find(port.node_guid);
    if (near == before.by_guid.end() || !before.by_guid.contains(port.far_guid)) return std::nullopt;
    for (Channel c : fabric.channels(near->second))
      if (fabric.cabled(c) && fabric.port_number(c) == port.port) {
        const Channel lower = std::min(c, fabric.reverse(c));  // both ends are gone, and name the cable
        if (std::none_of(out.begin(), out.end(), [&](const Link& link) { return link.a == lower; }))
          out.push_back({lower, fabric.reverse(lower)});
      }
  }
  return out;
}

// What each switch does with each LID. OpenSM may have given a NIC more LIDs than the routing has addresses:
// they repeat.
std::vector<u8> lid_tables(const Routed& routed) {
  const Fabric& fabric = routed.topology.fabric;
  const auto& tables = std::get<Tables>(routed.routing.forward);
  const u32 mask = (1u << routed.routing.lmc) - 1;
  struct Goal {
    u32 lid;
    u32 number;  // address of a NIC, node of a switch
  };
  std::vector<Goal> nics, switches;
  for (u32 lid = 1; lid < routed.by_lid.size(); ++lid) {
    const Node v = routed.by_lid[lid];
    if (v == none<Node>) continue;
    if (fabric.is_switch(v))
      switches.push_back({lid, index(v)});
    else
      nics.push_back(
          {lid, index(address_of(fabric.nic(v), routed.routing.lmc, (lid - routed.subnet.lids[v]) & mask))});
  }
  std::vector<u8> out(routed.switches.size() * routed.by_lid.size(), Tables::no_port);
  for (u32 i = 0; i < routed.switches.size(); ++i) {
    const Node at = routed.switches[i];
    if (at == none<Node>) continue;
    std::array<u8, 256> label;
    label.fill(Tables::no_port);
    for (Channel c : fabric.channels(at))
      if (fabric.cabled(c)) label[index(fabric.port(c))] = static_cast<u8>(fabric.port_number(c));
    u8* const table = out.data() + i * routed.by_lid.size();
    for (const Goal& goal : nics) table[goal.lid] = label[tables(at, Address{goal.number})];
    for (const Goal& goal : switches) table[goal.lid] = label[(*routed.to_switches)(at, Node{goal.number})];
    table[routed.subnet.lids[at]] = 0;
  }
  return out;
}

}  // namespace
}  // namespace banyan::opensm_plugin

struct banyan_router {
  using Routed = banyan::opensm_plugin::Routed;

  banyan::opensm_plugin::PluginOptions options;
  std::function<void(bool is_error, const std::string&)> say;
  banyan::opensm_plugin::Told told;  // of the sweep that is going on
  // The last sweep that was routed, and the one before: a link that comes back finds its tables ready.
  std::unique_ptr<const Routed> routed, before;

  std::unique_ptr<Routed> route() const;
  // Topology and subnet: of an earlier sweep where only cables between switches are missing, otherwise
  // recognised anew.
  std::unique_ptr<Routed> read(const Routed*& earlier) const;
  // Why not; empty when `out` has the tables of this engine.
  std::string attempt(const std::string& engine, const Routed* earlier, Routed& out) const;
  bool is_yes(const std::string& engine, const Routed* earlier, Routed& out, std::string& why) const;
  bool is_known(const std::unique_ptr<const Routed>& sweep) const { return sweep && sweep->told == told; }
};

using namespace banyan::opensm_plugin;

std::string banyan_router::attempt(const std::string& engine, const Routed* earlier, Routed& out) const {
  const RouteResult ideal = banyan::engines::route(out.topology, with_addresses(engine, out.subnet.lmc));
  if (const auto* reason = std::get_if<NotApplicable>(&ideal)) return reason->why;
  RouteResult result =
      tables_of(out.topology, std::get<Routing>(ideal), {AddressLimits{}.addresses, out.subnet.lmc});
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return reason->why;
  out.routing = std::move(std::get<Routing>(result));
  if (out.routing.lmc > out.subnet.lmc)
    return fmt::format("it has {} addresses a NIC, OpenSM {}: set its lmc to {}", 1u << out.routing.lmc,
                       1u << out.subnet.lmc, out.routing.lmc);
  if (out.routing.lanes > told.max_lanes)
    return fmt::format(
        "it needs {} lanes, and there {} {}; lanes need 'qos TRUE' and a 'max_op_vls' that is high enough",
        out.routing.lanes, told.max_lanes == 1 ? "is" : "are", told.max_lanes);
  std::string why;
  return is_yes(engine, earlier, out, why) ? "" : "THE VERDICT IS NO: " + why;
}

bool banyan_router::is_yes(const std::string& engine, const Routed* earlier, Routed& out,
                           std::string& why) const {
  const Fabric& fabric = out.topology.fabric;
  if (earlier && earlier->judged && earlier->judged->engine == engine)
    if (const auto answer = earlier->judged->changes.after(fabric, out.routing); answer && answer->yes) {
      out.judged = earlier->judged;
      return true;
    }
  out.judged = std::make_shared<const Judged>(engine, fabric, out.routing, options.threads);
  if (out.judged->changes.can_start()) return true;
  out.judged = nullptr;
  const Verdict verdict = judge(fabric, out.routing, {.threads = options.threads});
  why = verdict.counterexample;
  return verdict.yes();
}

std::unique_ptr<Routed> banyan_router::read(const Routed*& earlier) const {
  const auto blank = [&](Topology topology) {
    Routing none_yet{Tables(topology.fabric), Source(TableWays{})};
    return std::make_unique<Routed>(
        Routed{told, std::move(topology), {}, std::move(none_yet), {}, {}, {}, {}, {}, {}, {}});
  };
  for (const Routed* sweep : {before.get(), routed.get()}) {
    const auto missing = sweep ? missing_cables(*sweep, told) : std::nullopt;
    if (!missing) continue;
    earlier = sweep;
    Topology topology = sweep->topology;
    topology.fabric = without(topology.fabric, *missing);
    auto out = blank(std::move(topology));
    out->subnet = sweep->subnet;
    out->subnet.fabric = &out->topology.fabric;
    return out;
  }
  auto subnet_file = to_fabric(raw_fabric(told));
  Topology& topology = subnet_file.topology;
  auto& ids = subnet_file.ids;
  if (const auto found = recognise(topology.fabric); std::holds_alternative<Recognition>(found)) {
    Topology shaped = as_topology(topology.fabric, std::get<Recognition>(found));
    ids = renumbered(ids, topology.fabric, shaped.fabric);
    topology = std::move(shaped);
  }
  auto out = blank(std::move(topology));
  out->subnet = subnet_with(out->topology.fabric, ids, lids_by_guid(told), "the subnet");
  return out;
}

std::unique_ptr<Routed> banyan_router::route() const {
  const Routed* earlier = nullptr;
  auto out = read(earlier);
  std::vector<std::string> refusals;  // an error only if nothing routes
  for (const std::string& engine : options.engines) {
    const std::string why = attempt(engine, earlier, *out);
    if (!why.empty()) {
      refusals.push_back(fmt::format("{} does not route this subnet: {}", engine, why));
      continue;
    }
    for (const std::string& refusal : refusals) say(false, refusal);
    const std::string notation = canonical_notation(out->topology);
    say(false, fmt::format("{} routes {}, {} lane{}, verdict yes", engine,
                           notation.empty() ? "an irregular fabric" : notation, out->routing.lanes,
                           out->routing.lanes == 1 ? "" : "s"));
    for (Node v : out->topology.fabric.switch_nodes()) out->by_guid[out->subnet.ids.nodes[v].guid] = v;
    for (const ToldNode& node : told.nodes) {
      if (!node.is_switch) continue;
      const auto found = out->by_guid.find(node.guid);
      out->switches.push_back(found == out->by_guid.end() ? none<Node> : found->second);
    }
    out->by_lid = nodes_by_lid(out->subnet);
    out->hops = HopRows(out->topology.fabric);
    if (earlier)
      out->to_switches.emplace(*earlier->to_switches, earlier->topology.fabric, out->topology.fabric,
                               options.threads);
    else
      out->to_switches.emplace(out->topology.fabric, options.threads);
    out->tables = lid_tables(*out);
    if (!options.choice.empty() && out->routing.source.choice())
      write_whole(options.choice,
                  [&](std::ostream& text) { write_address_choice(text, out->subnet, out->routing); });
    return out;
  }
  for (const std::string& refusal : refusals) say(true, refusal);
  return nullptr;
}

namespace {

// Nothing may be thrown into C.
template <class F>
auto guarded(const banyan_router& router, F&& f, decltype(f()) otherwise) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception& error) {
    router.say(true, error.what());
    return otherwise;
  }
}

Node owner(const Routed& routed, u16 lid) {
  return lid < routed.by_lid.size() ? routed.by_lid[lid] : none<Node>;
}

}  // namespace

banyan_router* banyan_router_new(const char* configuration, banyan_say* say, void* context) {
  auto router = std::make_unique<banyan_router>();
  router->say = [=](bool is_error, const std::string& text) { say(context, is_error, text.c_str()); };
  return guarded(
      *router,
      [&]() -> banyan_router* {
        if (configuration && *configuration) router->options = read_plugin_options(configuration);
        return router.release();
      },
      nullptr);
}

void banyan_router_delete(banyan_router* router) { delete router; }

void banyan_begin(banyan_router* router) {
  router->told.nodes.clear();
  router->told.ports.clear();
}

void banyan_node(banyan_router* router, u64 guid, int is_switch, unsigned ports, const char* description) {
  const auto add = [&] {
    router->told.nodes.push_back({guid, is_switch != 0, ports, description});
    return 0;
  };
  guarded(*router, add, 0);
}

void banyan_port(banyan_router* router, u64 node_guid, unsigned port, u64 port_guid, u16 lid, u8 lmc,
                 u64 far_guid, unsigned far_port) {
  const auto add = [&] {
    router->told.ports.push_back({node_guid, port_guid, far_guid, port, far_port, lid, lmc});
    return 0;
  };
  guarded(*router, add, 0);
}

int banyan_route(banyan_router* router, unsigned max_lanes) {
  router->told.max_lanes = max_lanes;
  const bool may_repeat = !reads_files(router->options);
  if (may_repeat && router->is_known(router->routed)) return 0;
  std::swap(router->routed, router->before);
  if (may_repeat && router->is_known(router->routed)) return 0;
  router->routed = guarded(
      *router, [&] { return router->route(); }, std::unique_ptr<Routed>());
  if (router->routed) return 0;
  router->say(true, "NO TABLES: OpenSM goes on to its next routing engine");
  return -1;
}

void banyan_table(const banyan_router* router, unsigned switch_number, u8* table, unsigned size) {
  const Routed& routed = *router->routed;
  const std::size_t lids = routed.by_lid.size();
  if (switch_number < routed.switches.size())
    std::copy_n(routed.tables.data() + switch_number * lids, std::min<std::size_t>(lids, size), table);
}

void banyan_hops(const banyan_router* router, banyan_take_hops* take, void* context) {
  const Routed& routed = *router->routed;
  const Fabric& fabric = routed.topology.fabric;
  std::vector<std::pair<u32, u16>> goals;  // number, LID
  for (Node goal : fabric.switch_nodes())
    if (routed.subnet.has(goal)) goals.emplace_back(index(goal) - fabric.nics(), routed.subnet.lids[goal]);
  for (u32 i = 0; i < routed.switches.size(); ++i)
    if (const Node at = routed.switches[i]; at != none<Node>)
      for (const auto& [goal, lid] : goals) {
        const auto row = routed.hops.row(index(at) - fabric.nics(), goal);
        take(context, i, lid, row.data(), static_cast<u32>(row.size()));
      }
}

unsigned banyan_lanes(const banyan_router* router) {
  return router->routed ? router->routed->routing.lanes : 1;
}

unsigned banyan_lane(const banyan_router* router, u16 from_lid, u16 to_lid) {
  const auto ask = [&]() -> unsigned {
    const Routed& routed = *router->routed;
    if (routed.routing.lanes == 1) return 0;
    const Fabric& fabric = routed.topology.fabric;
    const Node from = owner(routed, from_lid), to = owner(routed, to_lid);
    if (from == none<Node> || to == none<Node> || fabric.is_switch(from) || fabric.is_switch(to)) return 0;
    const u32 i = u32{to_lid} - routed.subnet.lids[to];
    const u32 lmc = routed.routing.lmc;
    const Address address = address_of(fabric.nic(to), lmc, i & ((1u << lmc) - 1));
    return routed.routing.source.lane(fabric.nic(from), address, lmc);
  };
  return router->routed ? guarded(*router, ask, 0u) : 0;
}
