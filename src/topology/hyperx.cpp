#include "topology/hyperx.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {

u64 Grid::size() const {
  u64 out = 1;
  for (u32 width : widths) out = saturating_multiply(out, width);
  return out;
}

u32 Grid::stride(u32 dimension) const {
  u32 out = 1;
  for (u32 d = 0; d < dimension; ++d) out *= widths[d];
  return out;
}

u32 Grid::moved(u32 number, u32 dimension, u32 coordinate) const {
  return number +
         (coordinate - this->coordinate(number, dimension)) * stride(dimension);  // wraps as unsigned
}

std::string HyperX::notation() const {
  return "HyperX(" + join(grid.widths, "x") +
         OptionWriter().add("hosts", hosts_per_switch, 1).add("trunk", trunk, 1).add_links(links).str() + ")";
}

u64 HyperX::switch_ports() const {
  u64 ports = hosts_per_switch;
  for (u32 d = 0; d < grid.dimensions(); ++d) ports += u64{grid.widths[d] - 1} * trunk[d];
  return saturating_multiply(ports, grid.size());
}

void HyperX::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  builder.name_next_switches(prefix + "s");
  const u32 ports = static_cast<u32>(switch_ports() / grid.size());
  for (u32 i = 0; i < grid.size(); ++i) builder.add_switch(ports);
}

Port HyperX::port_towards(u32 number, u32 dimension, u32 coordinate) const {
  u32 port = hosts_per_switch;
  for (u32 d = 0; d < dimension; ++d) port += (grid.widths[d] - 1) * trunk[d];
  const u32 own = grid.coordinate(number, dimension);
  return Port{port + (coordinate - (coordinate > own)) * trunk[dimension]};
}

void HyperX::connect(FabricBuilder& builder, const Plane& plane) const {
  plane.connect_hosts(builder, hosts(), hosts_per_switch, links[0]);
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const u8 link_class = builder.add_class(links[d + 1]);
    for (u32 v = 0; v < grid.size(); ++v) {
      const u32 own = grid.coordinate(v, d);
      for (u32 x = own + 1; x < grid.widths[d]; ++x) {
        const u32 far = grid.moved(v, d, x);
        const u32 there = index(port_towards(v, d, x)), back = index(port_towards(far, d, own));
        for (u32 t = 0; t < trunk[d]; ++t)
          builder.connect(plane.switch_(v), Port{there + t}, plane.switch_(far), Port{back + t}, link_class);
      }
    }
  }
}

std::optional<Distances> HyperX::distances() const {
  Distances out;
  double differing = 0;  // dimensions in which two random switches differ, on average
  u64 paths = 1;
  u32 dimensions = 0;
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    if (grid.widths[d] == 1) continue;
    differing += 1 - 1.0 / grid.widths[d];
    paths = saturating_multiply(saturating_multiply(paths, ++dimensions), trunk[d]);
  }
  const double n = hosts();
  if (hosts() < 2) return out;
  out.diameter = 2 + dimensions;
  out.average = 2 + n / (n - 1) * differing;
  out.shortest_paths_max = paths;
  return out;
}

std::vector<u32> HyperX::cut_order() const {
  std::vector<u32> order;
  for (u32 d = 0; d < grid.dimensions(); ++d)
    if (grid.widths[d] > 1) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) {
    return u64{trunk[a]} * grid.widths[a] < u64{trunk[b]} * grid.widths[b];
  });
  return order;
}

// Straight through one dimension after the other; where a width is odd, the middle layer is halved in the
// next.
u64 HyperX::nested_cut(const std::vector<u32>& order) const {
  u64 cut = 0, rest = grid.size();
  for (u32 d : order) {
    const u64 width = grid.widths[d];
    rest /= width;
    cut += trunk[d] * (width / 2) * (width - width / 2) * rest;
    if (width % 2 == 0) return cut;
  }
  return cut + hosts_per_switch / 2;
}

// With even widths a straight cut through the dimension with the least trunk x width is optimal: it meets the
// spectral bound. With equal trunks filling whole lines of the widest dimensions first is (Lindsey 1964).
std::optional<Bisection> HyperX::bisection() const {
  const std::vector<u32> order = cut_order();
  const bool equal_trunks =
      std::all_of(order.begin(), order.end(), [&](u32 d) { return trunk[d] == trunk[order[0]]; });
  if (!order.empty() && !equal_trunks && grid.widths[order[0]] % 2 != 0) return std::nullopt;
  return Bisection{nested_cut(order), true};
}

// Where no order is known to be the best: the cheapest dimension first, or another one that is even.
Bisection HyperX::best_cut() const {
  if (const auto known = bisection()) return *known;
  const std::vector<u32> order = cut_order();
  u64 least = nested_cut(order);
  for (u32 d : order)
    if (grid.widths[d] % 2 == 0) least = std::min(least, nested_cut({d}));
  return {least, false};
}

// Every host sends to every other, dimension by dimension: then T^2 n / (S K) flows take a cable of a
// dimension of width S and trunk K, where n switches have T hosts each. A cut carries all flows from one half
// to the other. Of these, hosts that change sides alone take as many as the other half has hosts, each.
u64 HyperX::least_cut() const {
  const std::vector<u32> order = cut_order();
  if (order.empty()) return 0;
  double narrowest = 1e18;
  for (const u32 d : order) narrowest = std::min(narrowest, 1.0 * grid.widths[d] * trunk[d]);
  const double per_switch = hosts_per_switch, load = per_switch * hosts() / narrowest;
  const double half = hosts() / 2, other = hosts() - half, alone = hosts_per_switch / 2;
  const double least = std::min(half * other / load, alone + (half * other - alone * other) / load);
  return static_cast<u64>(std::ceil(std::max(0.0, least * (1 - 1e-12) - 1e-9)));
}

u64 HyperX::switch_cables() const {
  u64 sum = 0;
  for (u32 d = 0; d < grid.dimensions(); ++d) sum += cables(d + 1);
  return sum;
}

void HyperX::list_cuts(std::vector<HostCut>& out) const {
  std::vector<u32> order = cut_order();
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return trunk[a] > trunk[b]; });
  u64 degree = 0, inside = 1;
  for (u32 d : order) degree += u64{grid.widths[d] - 1} * trunk[d];
  for (u32 d : order) {
    out.push_back({inside * hosts_per_switch, inside * degree});
    inside *= grid.widths[d], degree -= u64{grid.widths[d] - 1} * trunk[d];
  }
  for (u32 d : order) {
    const u64 half = grid.widths[d] / 2, lines = grid.lines(d);
    out.push_back({half * lines * hosts_per_switch, trunk[d] * half * (grid.widths[d] - half) * lines});
  }
}

u32 HyperX::grows_to(u32 ports) const {
  const u32 idle = ports - std::min(ports, widest_switch());
  u64 most = hosts();
  for (u32 d = 0; d < grid.dimensions(); ++d)
    most = std::max(most, u64{grid.lines(d)} * (grid.widths[d] + idle / trunk[d]) * hosts_per_switch);
  return static_cast<u32>(std::min<u64>(most, largest_number));
}

u64 HyperX::cables(u32 link_class) const {
  if (link_class == 0) return hosts();
  const u64 width = grid.widths[link_class - 1];
  return u64{grid.lines(link_class - 1)} * (width * (width - 1) / 2) * trunk[link_class - 1];
}

std::optional<CableEnds> HyperX::cable(u32 link_class, u64 i) const {
  if (link_class == 0) return CableEnds{static_cast<u32>(i), leaf(static_cast<u32>(i))};
  const u32 d = link_class - 1, width = grid.widths[d];
  i /= trunk[d];
  const u32 first = grid.first_on_line(d, static_cast<u32>(i / (u64{width} * (width - 1) / 2)));
  const CableEnds pair = ring_pair(width, i % (u64{width} * (width - 1) / 2));
  return CableEnds{first + pair.from * grid.stride(d), first + pair.to * grid.stride(d)};
}

namespace {

HyperX on_grid(const Notation& n, std::vector<u32> widths) {
  HyperX shape;
  shape.grid.widths = std::move(widths);
  n.allow_options({"hosts", "trunk", "capacity", "latency"});
  if (shape.grid.widths.empty() || shape.grid.dimensions() > 16) n.fail("expected 1 to 16 dimensions");
  shape.hosts_per_switch = n.number("hosts", 1);
  shape.trunk = n.integers("trunk");
  if (shape.trunk.empty()) shape.trunk.push_back(1);
  if (shape.trunk.size() == 1) shape.trunk.resize(shape.grid.dimensions(), shape.trunk[0]);
  if (shape.trunk.size() != shape.grid.dimensions())
    n.fail("trunk must be one number or one for each dimension");
  shape.links = read_link_classes(n, shape.grid.dimensions() + 1);
  return shape;
}

// Widths do not grow from a dimension to the next. The trunks are K_d = ceil(b / S_d) for some b: as many
// cables as it takes for every dimension to have the bisection b, as Ahn et al. choose them; up to full
// bisection.
class HyperXProposals {
 public:
  explicit HyperXProposals(const Proposals& out, u32 min_dimensions, u32 max_dimensions)
      : out_(out), demand_(out.demand()), min_dimensions_(min_dimensions), max_dimensions_(max_dimensions) {}

  void run() { add_dimension(demand_.ports, 1, 0); }

 private:
  // `ports`: of a switch towards others so far.
  void add_dimension(u32 widest, u64 switches, u32 ports) {
    if (widths_.size() >= min_dimensions_) add_trunks(switches);
    if (widths_.size() == max_dimensions_) return;
    for (u32 width = 2; width <= widest; ++width) {
      const u32 used = ports + width - 1;
      if (used >= demand_.ports || switches * width > demand_.hosts_at_most ||
          !demand_.fills(1, demand_.ports, hosts_on(switches * width)))
        return;
      widths_.push_back(width);
      add_dimension(width, switches * width, used);
      widths_.pop_back();
    }
  }
  u32 hosts_on(u64 switches) const { return static_cast<u32>((demand_.hosts + switches - 1) / switches); }

  void add_trunks(u64 switches) {
    const u32 hosts = hosts_on(switches);
    std::vector<u32> trunk(widths_.size(), 1);
    for (u64 ports = ports_with(hosts, trunk); ports <= demand_.ports; ports = ports_with(hosts, trunk)) {
      const bool full = is_full(hosts, trunk);
      if (full || demand_.fills(1, static_cast<double>(ports), hosts))
        out_.add(HyperX{{widths_}, trunk, hosts, std::vector<LinkClass>(widths_.size() + 1)}, demand_.rails,
                 full);
      if (full) return;
      strengthen(trunk);
    }
  }
  // Whether every dimension carries what all hosts send along it, whatever they send.
  bool is_full(u64 hosts, const std::vector<u32>& trunk) const {
    for (std::size_t d = 0; d < widths_.size(); ++d)
      if (u64{widths_[d]} * trunk[d] < 2 * hosts) return false;
    return true;
  }
  u64 ports_with(u64 hosts, const std::vector<u32>& trunk) const {
    u64 ports = hosts;
    for (std::size_t d = 0; d < widths_.size(); ++d) ports += u64{widths_[d] - 1} * trunk[d];
    return ports;
  }
  void strengthen(std::vector<u32>& trunk) const {
    u64 leanest = ~u64{0};
    for (std::size_t d = 0; d < widths_.size(); ++d) leanest = std::min(leanest, u64{widths_[d]} * trunk[d]);
    for (std::size_t d = 0; d < widths_.size(); ++d) trunk[d] += u64{widths_[d]} * trunk[d] == leanest;
  }

  const Proposals& out_;
  const SizeDemand& demand_;
  const u32 min_dimensions_, max_dimensions_;
  std::vector<u32> widths_;
};

void only_groups(const Notation& n, std::size_t groups, std::string_view form) {
  if (n.groups.size() != groups) n.fail("expected " + std::string(form));
}

}  // namespace

Family hyperx_family() {
  return {"HyperX",
          "HyperX(S_1xS_2x...; hosts=T, trunk=K)",
          "HyperX(12x8; hosts=7)",
          "all switches that share a line of the grid are connected",
          "domke19; Ahn et al., SC 2009",
          [](const Notation& n) -> FamilyResult {
            only_groups(n, 1, "HyperX(S_1xS_2x...; options)");
            return on_grid(n, n.numbers(0, "the widths of the dimensions, as in 12x8"));
          },
          [](const Proposals& out) { HyperXProposals(out, 2, 16).run(); }};
}

Family hypercube_family() {
  return {"Hypercube",
          "Hypercube(n; hosts=T)",
          "Hypercube(6)",
          "HyperX of n dimensions of width 2",
          "Ahn et al., SC 2009",
          [](const Notation& n) -> FamilyResult {
            only_groups(n, 1, "Hypercube(n; options)");
            const auto dimensions = n.numbers(0, "the number of dimensions");
            if (dimensions.size() != 1 || dimensions[0] > 16)
              n.fail("expected one number of dimensions, 1 to 16");
            return on_grid(n, std::vector<u32>(dimensions[0], 2));
          }};
}

Family full_mesh_family() {
  return {"FullMesh",
          "FullMesh(n; hosts=T, trunk=K)",
          "FullMesh(8; hosts=8)",
          "HyperX of one dimension: every switch connected to every other",
          "Ahn et al., SC 2009",
          [](const Notation& n) -> FamilyResult {
            only_groups(n, 1, "FullMesh(n; options)");
            auto widths = n.numbers(0, "the number of switches");
            if (widths.size() != 1) n.fail("expected one number of switches");
            return on_grid(n, std::move(widths));
          },
          [](const Proposals& out) { HyperXProposals(out, 1, 1).run(); }};
}

Family flattened_butterfly_family() {
  return {"-ary -flat",
          "k-ary n-flat",
          "4-ary 3-flat",
          "flattened butterfly: HyperX of n-1 dimensions of width k with k hosts a switch",
          "Kim et al., ISCA 2007",
          [](const Notation& n) -> FamilyResult {
            const u32 k = n.numbers(0, "k")[0], dimensions = n.numbers(1, "n")[0];
            if (k < 2 || dimensions < 2 || dimensions > 17)
              n.fail("expected k of at least 2 and n from 2 to 17");
            HyperX shape = on_grid(n, std::vector<u32>(dimensions - 1, k));
            shape.hosts_per_switch = n.number("hosts", k);
            return shape;
          }};
}

}  // namespace banyan::topology
