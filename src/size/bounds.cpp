#include "size/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace banyan::size {
namespace {

// Between `inside` hosts and all others. Of uniform traffic a host sends (N - n) / (N - 1) across.
void apply_cut(ThroughputBounds& out, double hosts, double inside, double cables, double nics_of_host) {
  const double outside = hosts - inside, room = cables / nics_of_host;
  out.uniform = std::min(out.uniform, room * (hosts - 1) / (inside * outside));
  out.worst = std::min(out.worst, room / std::min(inside, outside));
}

// Parts that have a cable to every other: each sends all it has to the next. What `direct` cables to it do
// not take crosses at least two of the cables that leave parts, of which each part has `leaving`.
void apply_shift(ThroughputBounds& out, double hosts_of_part, double leaving, double direct,
                 double nics_of_host) {
  out.worst = std::min(out.worst, (leaving + direct) / (2 * hosts_of_part * nics_of_host));
}

// A line of switches in each dimension, with the lines beside it; a group.
void apply_shifts(ThroughputBounds& out, const HyperX& shape, double nics_of_host) {
  for (u32 d = 0; d < shape.grid.dimensions(); ++d)
    if (shape.grid.widths[d] > 1)
      apply_shift(out, shape.hosts_per_switch, (shape.grid.widths[d] - 1.0) * shape.trunk[d], shape.trunk[d],
                  nics_of_host);
}
// Half of a ring of S switches further on: (S - 1) / 2 hops one way, (S + 1) / 2 the other.
void apply_shifts(ThroughputBounds& out, const Torus& shape, double nics_of_host) {
  for (const double s : shape.grid.widths)
    if (shape.wraps && s > 2)
      out.worst = std::min(out.worst, (1 / std::floor(s / 2) + 1 / std::ceil(s / 2)) /
                                          (shape.hosts_per_switch * nics_of_host));
}
void apply_group_shift(ThroughputBounds& out, const GlobalCabling& cabling, double hosts,
                       double nics_of_host) {
  if (cabling.groups > 1)
    apply_shift(out, hosts, cabling.slots - cabling.empty_slots(), cabling.max_between_groups(),
                nics_of_host);
}
void apply_shifts(ThroughputBounds& out, const Dragonfly& shape, double nics_of_host) {
  apply_group_shift(out, shape.cabling(), shape.hosts_per_switch * shape.group_switches, nics_of_host);
}
void apply_shifts(ThroughputBounds& out, const DragonflyPlus& shape, double nics_of_host) {
  apply_group_shift(out, shape.cabling(), shape.hosts_per_leaf * shape.leaves, nics_of_host);
}

}  // namespace

ThroughputBounds throughput_bounds(const Outline& outline) {
  ThroughputBounds out;
  const double hosts = outline.hosts, nics_of_host = outline.rails / outline.planes;
  if (outline.hosts < 2 || outline.cuts.empty()) return out;
  for (const HostCut& cut : outline.cuts)
    apply_cut(out, hosts, static_cast<double>(cut.hosts), static_cast<double>(cut.cables), nics_of_host);
  const double of_uniform = out.uniform;
  apply_cut(out, hosts, outline.hosts / 2, static_cast<double>(outline.bisection.links) / outline.planes,
            nics_of_host);
  if (!outline.distances_exact) out.uniform = of_uniform;  // the bisection is what is to be expected
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { apply_shifts(out, shape, nics_of_host); })
          apply_shifts(out, shape, nics_of_host);
      },
      outline.shape);
  // All channels between switches over the hops that the packets of all NICs need.
  const double channels = 2.0 * static_cast<double>(outline.switch_links());
  const double nics = static_cast<double>(outline.nics());
  if (const double hops = outline.distances.average - 2; hops > 0)
    out.uniform = std::min(out.uniform, channels / (nics * hops));
  if (outline.far_permutation && outline.distances.diameter > 2)
    out.worst = std::min(out.worst, channels / (nics * (outline.distances.diameter - 2)));
  out.worst = std::min(out.worst, out.uniform);  // uniform traffic is permutations in turn
  return out;
}

u64 cables_to_part_hosts(const Outline& outline) {
  u64 least = ~u64{0};
  for (const HostCut& cut : outline.cuts) least = std::min(least, cut.cables);
  return outline.cuts.empty() ? 0 : least * outline.planes;
}

}  // namespace banyan::size
