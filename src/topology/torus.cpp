#include "topology/torus.hpp"

#include <algorithm>
#include <functional>

#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {

std::string Torus::notation() const {
  return (wraps ? "Torus(" : "Mesh(") + join(grid.widths, "x") +
         OptionWriter().add("hosts", hosts_per_switch, 1).add_links(links).str() + ")";
}

u32 Torus::degree(u32 number, u32 dimension) const {
  const u32 own = grid.coordinate(number, dimension);
  return closes(dimension) ? 2 : (own > 0) + (own + 1 < grid.widths[dimension]);
}

// Ports in a dimension are in order of the neighbours' coordinates.
Port Torus::port_towards(u32 number, u32 dimension, u32 coordinate) const {
  u32 port = hosts_per_switch;
  for (u32 d = 0; d < dimension; ++d) port += degree(number, d);
  const u32 own = grid.coordinate(number, dimension), width = grid.widths[dimension];
  if (!closes(dimension)) return Port{port + (coordinate > own && own > 0)};
  const u32 above = (own + 1) % width, below = (own + width - 1) % width;
  return Port{port + (coordinate > (coordinate == above ? below : above))};
}

u64 Torus::switch_ports() const {
  u64 ports = saturating_multiply(hosts_per_switch, grid.size());
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const u64 lines = grid.size() / grid.widths[d];
    ports = saturating_add(ports, lines * 2 * (closes(d) ? grid.widths[d] : grid.widths[d] - 1));
  }
  return ports;
}

void Torus::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  builder.name_next_switches(prefix + "s");
  for (u32 v = 0; v < grid.size(); ++v) {
    u32 ports = hosts_per_switch;
    for (u32 d = 0; d < grid.dimensions(); ++d) ports += degree(v, d);
    builder.add_switch(ports);
  }
}

void Torus::connect(FabricBuilder& builder, const Plane& plane) const {
  plane.connect_hosts(builder, hosts(), hosts_per_switch, links[0]);
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const u8 link_class = builder.add_class(links[d + 1]);
    for (u32 v = 0; v < grid.size(); ++v) {
      const u32 own = grid.coordinate(v, d), above = (own + 1) % grid.widths[d];
      if (own + 1 == grid.widths[d] && !closes(d)) continue;
      const u32 far = grid.moved(v, d, above);
      builder.connect(plane.switch_(v), port_towards(v, d, above), plane.switch_(far),
                      port_towards(far, d, own), link_class);
    }
  }
}

namespace {

u64 binomial(u64 n, u64 k) {
  __extension__ using u128 = unsigned __int128;
  u128 out = 1;
  for (u64 i = 1; i <= k; ++i) {
    out = out * (n - k + i) / i;
    if (out > ~u64{0}) return ~u64{0};
  }
  return static_cast<u64>(out);
}

}  // namespace

std::optional<Distances> Torus::distances() const {
  Distances out;
  double hops = 0;  // between two random switches
  u64 steps = 0, paths = 1;
  for (u32 d = 0; d < grid.dimensions(); ++d) {
    const u64 k = grid.widths[d], farthest = wraps ? k / 2 : k - 1;
    const double total = wraps ? static_cast<double>(k) * static_cast<double>(k * k / 4)
                               : static_cast<double>(k * k * k - k) / 3;
    hops += total / static_cast<double>(k * k);
    steps += farthest;
    paths = saturating_multiply(paths, binomial(steps, farthest));
    if (closes(d) && k % 2 == 0) paths = saturating_multiply(paths, 2);  // both ways around are equally long
  }
  const double n = hosts();
  if (hosts() < 2) return out;
  out.diameter = static_cast<u32>(2 + steps);
  out.average = 2 + n / (n - 1) * hops;
  out.shortest_paths_max = paths;
  return out;
}

// Cut the longest dimension; if its width is odd, the middle layer is halved along the next longest
// (Aroca and Fernandez Anta, Bisection (Band)Width of Product Networks, 2014).
std::optional<Bisection> Torus::bisection() const {
  std::vector<u32> widths = grid.widths;
  std::sort(widths.begin(), widths.end(), std::greater<>());
  const bool small_rings = std::any_of(widths.begin(), widths.end(), [](u32 k) { return k == 2; });
  if (wraps && small_rings && widths.front() != 2)
    return std::nullopt;  // rings of two are cut once, not twice
  Bisection out{0, true};
  u64 rest = grid.size();
  for (u32 width : widths) {
    if (width == 1) break;
    rest /= width;
    out.links += (wraps && width > 2 ? 2 : 1) * rest;
    if (width % 2 == 0) return out;
  }
  out.links += hosts_per_switch / 2;
  return out;
}

// As above, but rings of two are cut once: the order of dimensions is by cables cut.
Bisection Torus::best_cut() const {
  if (const auto known = bisection()) return *known;
  std::vector<u32> order;
  for (u32 d = 0; d < grid.dimensions(); ++d)
    if (grid.widths[d] > 1) order.push_back(d);
  const auto cut = [&](u32 d) { return u64{closes(d) ? 2U : 1U} * grid.lines(d); };
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return cut(a) < cut(b); });
  Bisection out{0, false};
  u64 rest = grid.size();
  for (u32 d : order) {
    rest /= grid.widths[d];
    out.links += (closes(d) ? 2 : 1) * rest;
    if (grid.widths[d] % 2 == 0) return out;
  }
  out.links += hosts_per_switch / 2;
  return out;
}

u32 Torus::least_degree() const {
  u32 degree = 0;
  for (u32 d = 0; d < grid.dimensions(); ++d) degree += closes(d) ? 2 : grid.widths[d] > 1 ? 1 : 0;
  return degree;
}

u32 Torus::widest_switch() const {
  u32 ports = hosts_per_switch;
  for (u32 d = 0; d < grid.dimensions(); ++d) ports += std::min(grid.widths[d] - 1, 2U);
  return ports;
}

u64 Torus::cables(u32 link_class) const {
  if (link_class == 0) return hosts();
  const u32 d = link_class - 1;
  return u64{grid.lines(d)} * (closes(d) ? grid.widths[d] : grid.widths[d] - 1);
}

std::optional<CableEnds> Torus::cable(u32 link_class, u64 i) const {
  if (link_class == 0) return CableEnds{static_cast<u32>(i), leaf(static_cast<u32>(i))};
  const u32 d = link_class - 1, width = grid.widths[d], line = closes(d) ? width : width - 1;
  const u32 first = grid.first_on_line(d, static_cast<u32>(i / line)), at = static_cast<u32>(i % line);
  return CableEnds{first + at * grid.stride(d), first + (at + 1) % width * grid.stride(d)};
}

namespace {

Torus on_grid(const Notation& n, std::vector<u32> widths, bool wraps) {
  Torus shape;
  n.allow_options({"hosts", "capacity", "latency"});
  if (widths.empty() || widths.size() > 16) n.fail("expected 1 to 16 dimensions");
  shape.grid.widths = std::move(widths);
  shape.wraps = wraps;
  shape.hosts_per_switch = n.number("hosts", 1);
  shape.links = read_link_classes(n, shape.grid.dimensions() + 1);
  return shape;
}

// Widths do not grow from a dimension to the next; with none above 3 it would be a HyperX.
class TorusProposals {
 public:
  explicit TorusProposals(const Proposals& out) : out_(out), demand_(out.demand()) {}
  void run() { add_dimension(demand_.hosts, 1, 0); }

 private:
  void add_dimension(u32 widest, u64 switches, u32 ports) {
    if (!widths_.empty() && widths_[0] > 3) add(switches, ports);
    for (u32 width = 2; widths_.size() < 16 && width <= widest; ++width) {
      const u32 used = ports + std::min(width - 1, 2U);
      if (used >= demand_.ports || switches * width > demand_.hosts_at_most ||
          !demand_.fills(1, demand_.ports, hosts_on(switches * width)))
        return;
      widths_.push_back(width);
      add_dimension(width, switches * width, used);
      widths_.pop_back();
    }
  }
  void add(u64 switches, u32 ports) const {
    const u32 hosts = hosts_on(switches);
    if (hosts + ports <= demand_.ports && demand_.fills(1, hosts + ports, hosts))
      out_.add(Torus{{widths_}, true, hosts, std::vector<LinkClass>(widths_.size() + 1)}, demand_.rails);
  }
  u32 hosts_on(u64 switches) const { return static_cast<u32>((demand_.hosts + switches - 1) / switches); }

  const Proposals& out_;
  const SizeDemand& demand_;
  std::vector<u32> widths_;
};

template <bool wraps>
FamilyResult from_widths(const Notation& n) {
  if (n.groups.size() != 1) n.fail("expected the widths of the dimensions, as in 8x8x8");
  return on_grid(n, n.numbers(0, "the widths of the dimensions, as in 8x8x8"), wraps);
}

template <bool wraps>
FamilyResult from_words(const Notation& n) {
  const u32 dimensions = n.numbers(1, "n")[0];
  if (dimensions > 16) n.fail("expected 1 to 16 dimensions");
  return on_grid(n, std::vector<u32>(dimensions, n.numbers(0, "k")[0]), wraps);
}

}  // namespace

Family torus_family() {
  return {"Torus",
          "Torus(k_1xk_2x...; hosts=T)",
          "Torus(4x4x4; hosts=2)",
          "a grid whose lines are rings",
          "Dally and Towles, Principles and Practices of Interconnection Networks, 2004",
          from_widths<true>,
          [](const Proposals& out) { TorusProposals(out).run(); }};
}

Family mesh_family() {
  return {"Mesh",
          "Mesh(k_1xk_2x...; hosts=T)",
          "Mesh(8x8)",
          "a grid whose lines are open",
          "Dally and Towles, Principles and Practices of Interconnection Networks, 2004",
          from_widths<false>};
}

Family k_ary_n_cube_family() {
  return {"-ary -cube",
          "k-ary n-cube",
          "4-ary 3-cube",
          "torus of n dimensions of width k",
          "Dally and Towles, Principles and Practices of Interconnection Networks, 2004",
          from_words<true>};
}

Family k_ary_n_mesh_family() {
  return {"-ary -mesh",
          "k-ary n-mesh",
          "8-ary 2-mesh",
          "mesh of n dimensions of width k",
          "Dally and Towles, Principles and Practices of Interconnection Networks, 2004",
          from_words<false>};
}

}  // namespace banyan::topology
