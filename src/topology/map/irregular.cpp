// Fabrics without a shape. Where every cable between switches joins neighbouring distances from the hosts
// they are drawn by layers, each in the order of what is below (barycentres; Sugiyama, Tagawa and Toda 1981).
// Others are drawn so that distances on the sheet are those in the graph, as far as that goes: stochastic
// gradient descent on stress (Zheng, Pawar and Goodman 2019), towards all switches or, of many, towards some.
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "fabric/attachments.hpp"
#include "fabric/levels.hpp"
#include "topology/distances.hpp"
#include "topology/map/sheet.hpp"

namespace banyan::topology {
namespace {

constexpr u32 not_reached = ~u32{0};

struct Hanging {
  IdVector<Node, std::vector<Node>> nics;  // by switch: those whose first cable leads there
  std::vector<Node> loose;                 // on no switch
};

Hanging hang_hosts(const Fabric& fabric) {
  Hanging out{IdVector<Node, std::vector<Node>>(fabric.nodes().size()), {}};
  for (const Node nic : fabric.nic_nodes()) {
    const Node at = switch_of(fabric, fabric.nic(nic));
    (at == none<Node> ? out.loose : out.nics[at]).push_back(nic);
  }
  return out;
}

// Distances from a switch over cables between switches.
IdVector<Node, u32> distances_from(const Fabric& fabric, const SwitchGraph& graph, Node start) {
  IdVector<Node, u32> out(fabric.nodes().size(), not_reached);
  std::vector<Node> front = {start};
  out[start] = 0;
  for (std::size_t i = 0; i < front.size(); ++i)
    for (const Arc& arc : graph.arcs(front[i]))
      if (out[arc.to] == not_reached) out[arc.to] = out[front[i]] + 1, front.push_back(arc.to);
  return out;
}

class IrregularLayout {
 public:
  explicit IrregularLayout(const Topology& topology)
      : fabric_(topology.fabric),
        topology_(topology),
        graph_(fabric_),
        hanging_(hang_hosts(fabric_)),
        level_(levels_from_hosts(fabric_)) {
    for (const Node s : fabric_.switch_nodes()) level_[s] = level_[s] == no_level ? 0 : level_[s] - 1;
  }

  FabricMap draw() {
    const bool layered = is_layered();
    Sheet sheet(topology_, layered ? FabricMap::Kind::layers : FabricMap::Kind::free);
    layered ? draw_layers(sheet) : draw_by_stress(sheet);
    double x = 0;
    for (const Node nic : hanging_.loose) sheet.place(nic, {x++, 6}, 0, MapGroup::none);
    return std::move(sheet).finish();
  }

 private:
  bool is_layered() const {
    bool has_cables = false;
    for (const Node s : fabric_.switch_nodes())
      for (const Arc& arc : graph_.arcs(s)) {
        has_cables = true;
        if (level_[arc.to] + 1 != level_[s] && level_[s] + 1 != level_[arc.to]) return false;
      }
    return has_cables;
  }

  void place(Sheet& sheet, Node s, MapPoint at, double width) const {
    const auto& nics = hanging_.nics[s];
    const u32 group = nics.empty() ? MapGroup::none : sheet.add_group(fabric_.name(s), MapGroup::none, 1);
    sheet.place(s, at, level_[s] + 1, group);
    const double count = static_cast<double>(nics.size());
    const double step = nics.size() < 2 ? 0 : std::min(1.0, width / (count - 1));
    for (std::size_t i = 0; i < nics.size(); ++i)
      sheet.place(nics[i], {at.x + (static_cast<double>(i) - (count - 1) / 2) * step, at.y + 3}, 0, group);
  }

  void draw_layers(Sheet& sheet) const {
    std::vector<std::vector<Node>> layers;
    IdVector<Node, double> x(fabric_.nodes().size(), 0);
    for (const Node s : fabric_.switch_nodes()) {
      if (layers.size() <= level_[s]) layers.resize(level_[s] + 1);
      layers[level_[s]].push_back(s);
    }
    std::size_t widest = 1, max_hosts = 1;
    for (const auto& layer : layers) widest = std::max(widest, layer.size());
    for (const auto& nics : hanging_.nics) max_hosts = std::max(max_hosts, nics.size());
    const double width = static_cast<double>(widest) * std::max(4.0, 1.2 * static_cast<double>(max_hosts));
    for (int sweep = 0; sweep < 8; ++sweep)
      for (std::size_t i = 0; i < layers.size(); ++i) {
        auto& layer = layers[sweep % 2 ? layers.size() - 1 - i : i];
        if (sweep > 0) sort_by_neighbours(layer, x);
        const double step = width / static_cast<double>(layer.size());
        for (std::size_t k = 0; k < layer.size(); ++k) x[layer[k]] = (static_cast<double>(k) + 0.5) * step;
      }
    const double rise = std::max(6.0, 0.4 * width / static_cast<double>(layers.size()));
    for (std::size_t l = 0; l < layers.size(); ++l)
      for (const Node s : layers[l])
        place(sheet, s, {x[s], -static_cast<double>(l) * rise},
              0.8 * width / static_cast<double>(layers[l].size()));
  }

  void sort_by_neighbours(std::vector<Node>& layer, const IdVector<Node, double>& x) const {
    std::vector<std::pair<double, Node>> order;
    for (const Node s : layer) {
      double sum = 0, cables = 0;
      for (const Arc& arc : graph_.arcs(s)) sum += x[arc.to] * arc.cables, cables += arc.cables;
      order.emplace_back(cables > 0 ? sum / cables : x[s], s);
    }
    std::stable_sort(order.begin(), order.end());
    for (std::size_t k = 0; k < layer.size(); ++k) layer[k] = order[k].second;
  }

  // A pair of switches and how far apart they want to be.
  struct Spring {
    Node a, b;
    double length;
  };

  std::vector<Spring> springs() const {
    constexpr u32 all_of = 400, some = 48;  // switches
    std::vector<Spring> out;
    const u32 step = std::max(1u, fabric_.switches() <= all_of ? 1 : fabric_.switches() / some);
    for (u32 i = 0; i < fabric_.switches(); i += step) {
      const Node a{fabric_.nics() + i};
      const auto distance = distances_from(fabric_, graph_, a);
      for (const Node b : fabric_.switch_nodes())
        if (b != a && (step > 1 || a < b))
          out.push_back({a, b, distance[b] == not_reached ? 6.0 : distance[b]});
    }
    if (step > 1)
      for (const Node a : fabric_.switch_nodes())
        for (const Arc& arc : graph_.arcs(a))
          if (a < arc.to) out.push_back({a, arc.to, 1});
    return out;
  }

  void draw_by_stress(Sheet& sheet) const {
    constexpr int rounds = 30;
    constexpr double unit = 14;
    std::vector<Spring> pulled = springs();
    IdVector<Node, MapPoint> at(fabric_.nodes().size());
    Random random(1);
    for (const Node s : fabric_.switch_nodes()) at[s] = {random.unit() * 4, random.unit() * 4};
    double longest = 1;
    for (const Spring& spring : pulled) longest = std::max(longest, spring.length);
    for (int round = 0; round < rounds; ++round) {
      random.shuffle(std::span(pulled));
      const double eta = longest * longest * std::pow(0.1 / (longest * longest), round / (rounds - 1.0));
      for (const auto& [a, b, length] : pulled) {
        const double dx = at[a].x - at[b].x, dy = at[a].y - at[b].y, now = std::max(1e-6, std::hypot(dx, dy));
        const double move = std::min(1.0, eta / (length * length)) * (now - length) / (2 * now);
        at[a].x -= move * dx, at[a].y -= move * dy;
        at[b].x += move * dx, at[b].y += move * dy;
      }
    }
    for (const Node s : fabric_.switch_nodes()) place(sheet, s, {unit * at[s].x, unit * at[s].y}, 8);
  }

  const Fabric& fabric_;
  const Topology& topology_;
  SwitchGraph graph_;
  Hanging hanging_;
  IdVector<Node, u32> level_;  // of switches: 0 for those with hosts, and where there are none
};

}  // namespace

FabricMap draw_irregular(const Topology& topology) { return IrregularLayout(topology).draw(); }

}  // namespace banyan::topology
