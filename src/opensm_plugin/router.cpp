#include "opensm_plugin/router.h"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "base/file.hpp"
#include "base/text.hpp"
#include "engines/engine.hpp"
#include "formats/address_choice_file.hpp"
#include "formats/lines.hpp"
#include "formats/opensm_tables.hpp"
#include "opensm_plugin/told.hpp"
#include "routing/table_form.hpp"
#include "topology/recognise/recognise.hpp"
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
      lines.fail(fmt::format("unknown key '{}': did you mean '{}'?", key, nearest(key, known)));
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

// All that a sweep led to.
struct Routed {
  Told told;
  Topology topology;
  Subnet subnet;     // of that topology
  Subnet addressed;  // with the addresses that the routing has; OpenSM may have given more
  Routing routing;
  SwitchTables to_switches;
  std::vector<Node> switches;  // in the order in which they came
  std::vector<Node> by_lid;
};

// From every switch, the number of hops to one of them.
class HopCounter {
 public:
  explicit HopCounter(const Fabric& fabric) : fabric_(fabric), hops_(fabric.nodes().size(), unreached) {}

  static constexpr u8 unreached = 255;
  const IdVector<Node, u8>& to(Node goal) {
    for (Node v : fabric_.switch_nodes()) hops_[v] = unreached;
    hops_[goal] = 0;
    queue_ = {goal};
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (Channel c : fabric_.channels(queue_[i]))
        if (fabric_.cabled(c) && fabric_.is_switch(fabric_.to(c)) && hops_[fabric_.to(c)] == unreached) {
          hops_[fabric_.to(c)] = static_cast<u8>(std::min(hops_[queue_[i]] + 1, unreached - 1));
          queue_.push_back(fabric_.to(c));
        }
    return hops_;
  }

 private:
  const Fabric& fabric_;
  IdVector<Node, u8> hops_;
  std::vector<Node> queue_;
};

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
  // Why not; empty when `out` has the tables of this engine.
  std::string attempt(const std::string& engine, Routed& out) const;
  bool is_known(const std::unique_ptr<const Routed>& sweep) const { return sweep && sweep->told == told; }
};

using namespace banyan::opensm_plugin;

std::string banyan_router::attempt(const std::string& engine, Routed& out) const {
  const RouteResult ideal = banyan::engines::route(out.topology, with_addresses(engine, out.subnet.lmc));
  if (const auto* reason = std::get_if<NotApplicable>(&ideal)) return reason->why;
  RouteResult result =
      tables_of(out.topology, std::get<Routing>(ideal), {AddressLimits{}.addresses, out.subnet.lmc});
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return reason->why;
  Routing& routing = std::get<Routing>(result);
  if (routing.lmc > out.subnet.lmc)
    return fmt::format("it has {} addresses a NIC, OpenSM {}: set its lmc to {}", 1u << routing.lmc,
                       1u << out.subnet.lmc, routing.lmc);
  if (routing.lanes > told.max_lanes)
    return fmt::format(
        "it needs {} lanes, and there {} {}; lanes need 'qos TRUE' and a 'max_op_vls' that is high enough",
        routing.lanes, told.max_lanes == 1 ? "is" : "are", told.max_lanes);
  const Verdict verdict = judge(out.topology.fabric, routing, {options.threads, {}});
  if (!verdict.yes()) return "THE VERDICT IS NO: " + verdict.counterexample;
  out.routing = std::move(routing);
  return "";
}

std::unique_ptr<Routed> banyan_router::route() const {
  auto [topology, ids] = to_fabric(raw_fabric(told));
  if (const auto found = recognise(topology.fabric); std::holds_alternative<Recognition>(found)) {
    Topology shaped = as_topology(topology.fabric, std::get<Recognition>(found));
    ids = renumbered(ids, topology.fabric, shaped.fabric);
    topology = std::move(shaped);
  }
  auto out = std::make_unique<Routed>(Routed{told,
                                             topology,
                                             {},
                                             {},
                                             {Tables(topology.fabric), Source(TableWays{})},
                                             SwitchTables(topology.fabric),
                                             {},
                                             {}});
  out->subnet = subnet_with(out->topology.fabric, ids, lids_by_guid(told), "the subnet");
  std::vector<std::string> refusals;  // an error only if nothing routes
  for (const std::string& engine : options.engines) {
    const std::string why = attempt(engine, *out);
    if (!why.empty()) {
      refusals.push_back(fmt::format("{} does not route this subnet: {}", engine, why));
      continue;
    }
    for (const std::string& refusal : refusals) say(false, refusal);
    const std::string notation = canonical_notation(out->topology);
    say(false, fmt::format("{} routes {}, {} lane{}, verdict yes", engine,
                           notation.empty() ? "an irregular fabric" : notation, out->routing.lanes,
                           out->routing.lanes == 1 ? "" : "s"));
    std::unordered_map<u64, Node> by_guid;
    for (Node v : out->topology.fabric.switch_nodes()) by_guid[out->subnet.ids.nodes[v].guid] = v;
    for (const ToldNode& node : told.nodes) {
      if (!node.is_switch) continue;
      const auto found = by_guid.find(node.guid);
      out->switches.push_back(found == by_guid.end() ? none<Node> : found->second);
    }
    out->addressed = out->subnet;
    out->addressed.lmc = out->routing.lmc;
    out->by_lid = nodes_by_lid(out->subnet);
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

void banyan_begin(banyan_router* router) { router->told = {}; }

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
  const auto fill = [&] {
    const Routed& routed = *router->routed;
    const Node at = routed.switches.at(switch_number);
    if (at == none<Node>) return 0;
    const auto entries =
        forwarding_table(routed.addressed, std::get<Tables>(routed.routing.forward), routed.to_switches, at);
    const u32 mask = (1u << routed.routing.lmc) - 1;
    for (u32 lid = 1; lid < routed.by_lid.size() && lid < size; ++lid)
      if (const Node v = routed.by_lid[lid]; v != none<Node>) {
        const u32 first = routed.subnet.lids[v];
        table[lid] = entries[first + ((lid - first) & mask)];
      }
    return 0;
  };
  guarded(*router, fill, 0);
}

void banyan_hops(const banyan_router* router, banyan_take_hops* take, void* context) {
  const auto tell = [&] {
    const Routed& routed = *router->routed;
    const Fabric& fabric = routed.topology.fabric;
    HopCounter counter(fabric);
    for (Node goal : fabric.switch_nodes()) {
      const u16 lid = routed.subnet.lids[goal];
      if (lid == 0) continue;
      const auto& hops = counter.to(goal);
      for (u32 i = 0; i < routed.switches.size(); ++i) {
        const Node v = routed.switches[i];
        if (v == none<Node> || hops[v] == HopCounter::unreached) continue;
        if (v == goal) take(context, i, lid, 0, 0);
        for (Channel c : fabric.channels(v))
          if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && hops[fabric.to(c)] + 1 == hops[v])
            take(context, i, lid, static_cast<u8>(fabric.port_label(c)), hops[v]);
      }
    }
    return 0;
  };
  guarded(*router, tell, 0);
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
