// Numbers the nodes of a RawFabric and checks the rules that bad input can break: to_fabric().
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/rail_names.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/roles.hpp"

namespace banyan::formats {
namespace {

using Kind = RawNode::Kind;

// Turns a raw fabric into a numbered one, step by step.
class Numbering {
 public:
  explicit Numbering(RawFabric raw) : raw_(std::move(raw)) {}

  FabricFile run() && {
    if (raw_.nodes.empty()) throw InputError(Place{raw_.file}, "found no node, expected at least one");
    const bool says_hosts = std::any_of(raw_.nodes.begin(), raw_.nodes.end(),
                                        [](const RawNode& n) { return n.kind == Kind::nic; });
    check_guids();
    find_labelled_hosts(raw_);
    number_labels();
    number_ports();
    merge_cables();
    settle_kinds();
    settle_roles();
    settle_names();
    settle_rails();
    number_nodes();
    Fabric fabric = build();
    InfinibandIds ids = number_ids(fabric);
    notes_.skipped_lines = raw_.skipped_lines;
    return {Topology{std::move(fabric), Irregular{}, 1, "", ""},
            std::move(ids),
            says_hosts,
            raw_.unit,
            lacks_speeds_,
            std::move(notes_)};
  }

 private:
  RawNode& node(RawEnd end) { return raw_.nodes[end.node]; }
  std::string shown_end(RawEnd end) {
    return fmt::format("port {} of {}", end.label ? shown(raw_.labels[end.label]) : std::to_string(end.port),
                       shown(node(end).key));
  }

  void check_guids();
  void number_labels();
  void number_ports();
  void merge_cables();
  void settle_kinds();
  void settle_names();
  void settle_roles();
  void settle_rails();
  void number_nodes();
  Fabric build();
  InfinibandIds number_ids(const Fabric& fabric) const;

  void settle_slots();
  void find_rails_of_names();
  void keep_apart_from_nics();
  // f(node, number) for every NIC, host by host.
  template <class F>
  void each_nic(F&& f) const {
    std::size_t at = 0;
    for (u32 host = 0; host < hosts_.size(); ++host)
      for (u32 slot = 0; slot < hosts_[host].nics.size(); ++slot)
        f(raw_.nodes[nics_[at++]], endpoints_.nic(Host{host}, slot));
  }
  void make_unique(const std::vector<u32>& same);
  LinkClass class_of(const RawCable& cable) const;
  void add_classes(FabricBuilder& builder) const;
  void add_nodes(FabricBuilder& builder) const;

  RawFabric raw_;
  double slowest_ = 1;
  bool lacks_speeds_ = false;
  std::vector<u32> nics_, switches_;  // raw nodes in natural order of their names; NICs by slot within a host
  std::vector<HostLabel> hosts_;      // in the order of nics_
  Endpoints endpoints_;
  FileNotes notes_;
  std::vector<u32> number_;  // raw node -> node
};

void Numbering::check_guids() {
  std::unordered_set<u64> seen;
  for (const RawNode& n : raw_.nodes)
    if (n.guid != 0 && !n.is_further_port && !seen.insert(n.guid).second)
      raw_.fail(n.line, fmt::format("found GUID {:016x} of {} a second time, expected GUIDs to differ",
                                    n.guid, shown(n.key)));
}

// Ports with a text get the numbers that no other port of the node has, in natural order of the texts.
void Numbering::number_labels() {
  if (raw_.labels.size() == 1) return;
  std::vector<u32> order(raw_.labels.size()), rank(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin() + 1, order.end(), [&](u32 a, u32 b) {
    const std::string &x = raw_.labels[a], &y = raw_.labels[b];
    return natural_less(x, y) || (!natural_less(y, x) && x < y);
  });
  for (u32 i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::set<RawEnd> numbered;
  std::set<std::pair<u32, u32>> labelled;  // node, rank of the label
  const auto each_end = [&](auto&& f) {
    for (RawCable& cable : raw_.cables) f(cable.a), f(cable.b);
  };
  each_end([&](const RawEnd& end) {
    if (end.label)
      labelled.emplace(end.node, rank[end.label]);
    else if (end.port)
      numbered.insert(end);
  });
  std::map<std::pair<u32, u32>, u32> ports;
  u32 node = 0, port = 0;
  for (const auto& place : labelled) {
    if (place.first != std::exchange(node, place.first)) port = 0;
    while (numbered.contains({node, ++port})) continue;
    ports[place] = port;
  }
  each_end([&](RawEnd& end) {
    if (end.label) end.port = ports.at({end.node, rank[end.label]});
  });
}

// Ends without a port get the next one; every node knows how many it has, and cables run from the smaller
// end.
void Numbering::number_ports() {
  std::vector<u32> used(raw_.nodes.size());
  const auto use = [&](RawEnd end) { used[end.node] = std::max(used[end.node], end.port); };
  for (const RawCable& cable : raw_.cables) use(cable.a), use(cable.b);
  u64 total = 0;
  for (RawCable& cable : raw_.cables) {
    // A loop between two ports that are named may be there; a line that names no ports is a mistake.
    if (cable.a.node == cable.b.node && (cable.a.port == 0 || cable.b.port == 0))
      raw_.fail(cable.line, fmt::format("found {} cabled to itself, expected two nodes, or two ports of it",
                                        shown(node(cable.a).key)));
    for (RawEnd* end : {&cable.a, &cable.b}) {
      if (end->port == 0) end->port = ++used[end->node];
      const RawNode& v = node(*end);
      if (!v.defined)
        raw_.fail(cable.line, fmt::format("found a cable to {}, expected a node of this file", shown(v.key)));
      if (v.ports && end->port > *v.ports)
        raw_.fail(cable.line, fmt::format("found {}, expected at most {}", shown_end(*end), *v.ports));
    }
    if (cable.a == cable.b)
      raw_.fail(cable.line, fmt::format("found {} cabled to itself", shown_end(cable.a)));
    if (cable.b < cable.a) std::swap(cable.a, cable.b);
  }
  for (u32 v = 0; v < raw_.nodes.size(); ++v) {
    RawNode& v_node = raw_.nodes[v];
    if (!v_node.ports) v_node.ports = std::max(used[v], v_node.least_ports);
    total += *v_node.ports;
  }
  check_size(raw_.nodes.size(), total, raw_.cables.size(), raw_.file);
}

void Numbering::merge_cables() {
  auto& cables = raw_.cables;
  std::stable_sort(cables.begin(), cables.end(), [](const RawCable& x, const RawCable& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
  std::size_t kept = 0;
  for (const RawCable& cable : cables) {
    if (kept > 0 && cables[kept - 1].a == cable.a && cables[kept - 1].b == cable.b) {
      RawCable& same = cables[kept - 1];
      if (cable.capacity) same.capacity = std::min(*cable.capacity, same.capacity.value_or(*cable.capacity));
      same.latency = std::max(same.latency, cable.latency);
    } else {
      cables[kept++] = cable;
    }
  }
  cables.resize(kept);
  double slowest = HUGE_VAL;
  for (const RawCable& cable : cables) slowest = std::min(slowest, cable.capacity.value_or(slowest));
  slowest_ = slowest == HUGE_VAL ? 1 : slowest;
  if (slowest < HUGE_VAL) return;
  lacks_speeds_ = raw_.unit.value > 0;
  raw_.unit = {};
}

void Numbering::settle_kinds() {
  std::vector<u32> count(raw_.nodes.size());
  for (const RawCable& cable : raw_.cables) ++count[cable.a.node], ++count[cable.b.node];
  for (u32 v = 0; v < raw_.nodes.size(); ++v)
    if (raw_.nodes[v].kind == Kind::unknown) raw_.nodes[v].kind = count[v] <= 1 ? Kind::nic : Kind::switch_;
  for (const RawNode& n : raw_.nodes)
    if (n.kind == Kind::switch_ && n.rail.value_or(0) != 0)
      raw_.fail(n.line, fmt::format("found rail {} of switch {}, expected rails of hosts only", *n.rail,
                                    shown(n.name.empty() ? n.key : n.name)));
}

// Of several nodes with one name, each gets its GUID, or else its key, appended.
void Numbering::make_unique(const std::vector<u32>& same) {
  for (u32 v : same) {
    RawNode& n = raw_.nodes[v];
    if (!n.adapter.empty()) n.name += " " + std::exchange(n.adapter, "");
    n.name += n.guid != 0 ? fmt::format(" {:016x}", n.guid) : " " + printable(n.key);
  }
}

void Numbering::settle_names() {
  for (RawNode& n : raw_.nodes) {
    n.name = printable(n.name.empty() ? n.key : n.name);
    n.adapter = printable(n.adapter);
  }
  const auto place = [&](u32 v) {
    const RawNode& n = raw_.nodes[v];
    return std::tuple<const std::string&, Kind, const std::string&, std::optional<u32>, std::optional<u32>>(
        n.name, n.kind, n.adapter, n.rail, n.slot);
  };
  std::vector<u32> order(raw_.nodes.size());
  for (int round = 0;; ++round) {
    for (u32 v = 0; v < order.size(); ++v) order[v] = v;
    std::sort(order.begin(), order.end(),
              [&](u32 a, u32 b) { return std::pair(place(a), a) < std::pair(place(b), b); });
    std::vector<u32> same;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const RawNode &before = raw_.nodes[order[i - 1]], &here = raw_.nodes[order[i]];
      if (place(order[i - 1]) == place(order[i])) {
        if (same.empty() || same.back() != order[i - 1]) same.push_back(order[i - 1]);
        same.push_back(order[i]);
      } else if (before.name == here.name && before.kind != here.kind) {
        same.push_back(order[i]);  // a switch called like a host
      }
    }
    if (same.empty()) return;
    const RawNode& first = raw_.nodes[same.front()];
    if (round == 2)
      raw_.fail(first.line,
                fmt::format("found two nodes named {}, expected names to differ", shown(first.name)));
    make_unique(same);
  }
}

// What discovery tells decides roles; the file itself may have said some.
void Numbering::settle_roles() {
  std::vector<u32> adapters;  // raw nodes with a description
  std::vector<RawEnd> behind(raw_.nodes.size());
  for (const RawCable& cable : raw_.cables) behind[cable.a.node] = cable.b, behind[cable.b.node] = cable.a;
  std::vector<Endpoint> seen;
  for (u32 v = 0; v < raw_.nodes.size(); ++v) {
    const RawNode& n = raw_.nodes[v];
    if (n.kind != Kind::nic || n.description.empty()) continue;
    adapters.push_back(v);
    const RawEnd at = behind[v];
    const bool is_cabled = at.port > 0 && raw_.nodes[at.node].kind == Kind::switch_;
    seen.push_back({n.description, n.vendor, n.device, is_cabled ? at.port : 0,
                    is_cabled ? raw_.nodes[at.node].ports.value_or(0) : 0, n.is_router});
  }
  const std::vector<EndpointRole> roles = roles_of(seen);
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    raw_.nodes[adapters[i]].role = roles[i].role;
    notes_.unnamed_adapters += roles[i].unnamed && roles[i].role == Role::unknown;
  }
}

// The NICs of each host in order of their slots: in natural order of the adapters' names, or else of the
// file.
void Numbering::settle_slots() {
  for (u32 v = 0; v < raw_.nodes.size(); ++v)
    (raw_.nodes[v].kind == Kind::nic ? nics_ : switches_).push_back(v);
  // By rail or by slot where the file gives one or the other to all NICs of the host.
  std::map<std::string_view, std::pair<bool, bool>> lacks;  // by host: a rail, a slot
  for (const u32 v : nics_) {
    const RawNode& n = raw_.nodes[v];
    lacks[n.name].first |= !n.rail, lacks[n.name].second |= !n.slot;
  }
  std::stable_sort(nics_.begin(), nics_.end(), [&](u32 a, u32 b) {
    const RawNode &x = raw_.nodes[a], &y = raw_.nodes[b];
    if (x.name != y.name) return natural_less(x.name, y.name);
    if (x.adapter != y.adapter) return natural_less(x.adapter, y.adapter);
    const auto [lacks_rail, lacks_slot] = lacks.at(x.name);
    if (!lacks_rail) return x.rail < y.rail;
    return !lacks_slot && x.slot < y.slot;
  });
  for (std::size_t i = 0; i < nics_.size(); ++i) {
    const RawNode& n = raw_.nodes[nics_[i]];
    const bool is_next = i > 0 && raw_.nodes[nics_[i - 1]].name == n.name;
    if (!is_next) hosts_.push_back({n.role, {}});
    std::vector<NicLabel>& nics = hosts_.back().nics;
    if (nics.size() == max_nics_of_a_host)
      raw_.fail(n.line,
                fmt::format("found more than {} adapters of host {}", max_nics_of_a_host, shown(n.name)));
    if (n.rail && std::ranges::count(nics, n.rail, &NicLabel::rail) > 0)
      raw_.fail(n.line, fmt::format("found a second NIC of host {} on rail {}", shown(n.name), *n.rail));
    nics.push_back({n.rail, n.adapter});
  }
}

// Rails are those of the file, or else what adapters' names and leaves tell. A file that says slots says that
// there are no rails.
void Numbering::settle_rails() {
  settle_slots();
  const bool says_slots = std::ranges::any_of(nics_, [&](u32 v) { return raw_.nodes[v].slot.has_value(); });
  if (!says_slots) find_rails_of_names();
  endpoints_ = Endpoints(hosts_);
  if (endpoints_.slots() > 1) keep_apart_from_nics();
}

void Numbering::find_rails_of_names() {
  std::vector<std::optional<u32>> leaf(raw_.nodes.size());
  for (const RawCable& cable : raw_.cables)
    for (const auto& [end, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
      if (raw_.nodes[far.node].kind == Kind::switch_ && !leaf[end.node]) leaf[end.node] = far.node;
  std::vector<std::vector<AdapterSeen>> seen(hosts_.size());
  std::size_t at = 0;
  for (std::size_t host = 0; host < hosts_.size(); ++host)
    for (const NicLabel& nic : hosts_[host].nics) {
      const auto there = leaf[nics_[at++]];
      // Aggregation nodes stand inside switches, on no rail.
      seen[host].push_back(
          {nic.adapter, nic.rail, hosts_[host].role == Role::aggregation ? std::nullopt : there});
    }
  const FoundRails found = find_rails(seen);
  if (found.rails == 0) return;
  for (std::size_t host = 0; host < hosts_.size(); ++host)
    for (std::size_t i = 0; i < hosts_[host].nics.size(); ++i)
      hosts_[host].nics[i].rail = found.hosts[host][i].rail;
  notes_.rails_guessed = found.guessed > 0;
  notes_.rails_how = found.how;
}

// Where hosts have several NICs, one is called h12.r1 or h12.n1; no switch may be.
void Numbering::keep_apart_from_nics() {
  std::unordered_set<std::string> nics;
  each_nic([&](const RawNode& n, Nic nic) {
    const auto rail = endpoints_.rail(nic);
    nics.insert(rail ? fmt::format("{}.r{}", n.name, *rail)
                     : fmt::format("{}.n{}", n.name, endpoints_.slot(nic)));
  });
  for (const RawNode& n : raw_.nodes)
    if (n.kind == Kind::switch_ && nics.contains(n.name))
      raw_.fail(n.line,
                fmt::format("found a switch and a NIC named {}, expected names to differ", shown(n.name)));
}

void Numbering::number_nodes() {
  std::sort(switches_.begin(), switches_.end(),
            [&](u32 a, u32 b) { return natural_less(raw_.nodes[a].name, raw_.nodes[b].name); });
  number_.resize(raw_.nodes.size());
  each_nic(
      [&](const RawNode& n, Nic nic) { number_[static_cast<u32>(&n - raw_.nodes.data())] = index(nic); });
  for (u32 i = 0; i < switches_.size(); ++i) number_[switches_[i]] = endpoints_.nics() + i;
}

LinkClass Numbering::class_of(const RawCable& cable) const {
  return {cable.capacity.value_or(slowest_), cable.latency};
}

// In order of capacity and latency, whatever the order of the file.
void Numbering::add_classes(FabricBuilder& builder) const {
  std::set<std::pair<double, double>> classes;
  for (const RawCable& cable : raw_.cables) {
    classes.insert({class_of(cable).capacity, class_of(cable).latency});
    if (classes.size() > 256)
      raw_.fail(cable.line, "found more than 256 different kinds of links, expected fewer");
  }
  for (const auto& [capacity, latency] : classes) builder.add_class({capacity, latency});
}

void Numbering::add_nodes(FabricBuilder& builder) const {
  for (u32 v : switches_) builder.name_switch(builder.add_switch(*raw_.nodes[v].ports), raw_.nodes[v].name);
  each_nic([&](const RawNode& n, Nic nic) {
    builder.nic_ports(nic, *n.ports);
    builder.name_host(endpoints_.host(nic), n.name);
  });
}

Fabric Numbering::build() {
  FabricBuilder builder(endpoints_);
  add_nodes(builder);
  add_classes(builder);
  std::sort(raw_.cables.begin(), raw_.cables.end(), [](auto& x, auto& y) { return x.line < y.line; });
  for (const RawCable& cable : raw_.cables) {
    for (auto [end, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
      if (!builder.is_free(Node{number_[end.node]}, Port{end.port - 1}))
        raw_.fail(cable.line, fmt::format("found {} cabled to {}, but it already has another cable",
                                          shown_end(end), shown_end(far)));
    builder.connect(Node{number_[cable.a.node]}, Port{cable.a.port - 1}, Node{number_[cable.b.node]},
                    Port{cable.b.port - 1}, builder.add_class(class_of(cable)));
    for (const RawEnd& end : {cable.a, cable.b})
      if (end.label)
        builder.label_port(Node{number_[end.node]}, Port{end.port - 1}, end.port, raw_.labels[end.label]);
  }
  return std::move(builder).build();
}

InfinibandIds Numbering::number_ids(const Fabric& fabric) const {
  InfinibandIds ids;
  if (std::none_of(raw_.nodes.begin(), raw_.nodes.end(), [](const RawNode& n) { return n.guid != 0; }))
    return ids;
  ids.nodes.resize(fabric.nodes().size());
  std::size_t nic_channels = 0;
  for (Node v : fabric.nic_nodes()) nic_channels += fabric.ports(v);
  ids.nic_channels.resize(nic_channels);
  for (u32 i = 0; i < raw_.nodes.size(); ++i) {
    const RawNode& n = raw_.nodes[i];
    const Node v{number_[i]};
    ids.nodes[v].guid = n.guid;
    ids.nodes[v].system_guid = n.system_guid;
    if (fabric.is_switch(v) && !n.attachments.empty()) ids.nodes[v].port0 = n.attachments[0];
    if (!fabric.is_switch(v))
      for (u32 p = 0; p < std::min<std::size_t>(fabric.ports(v), n.attachments.size()); ++p)
        ids.nic_channels[fabric.channel(v, Port{p})] = n.attachments[p];
  }
  return ids;
}

}  // namespace

FabricFile to_fabric(RawFabric raw) { return Numbering(std::move(raw)).run(); }

}  // namespace banyan::formats
