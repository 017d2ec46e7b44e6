#include "size/bounds.hpp"

#include <algorithm>

namespace banyan::size {
namespace {

// Between `inside` hosts and all others. Of uniform traffic a host sends (N - n) / (N - 1) across.
void apply_cut(ThroughputBounds& out, double hosts, double inside, double cables, double nics_of_host) {
  const double outside = hosts - inside, room = cables / nics_of_host;
  out.uniform = std::min(out.uniform, room * (hosts - 1) / (inside * outside));
  out.worst = std::min(out.worst, room / std::min(inside, outside));
}

}  // namespace

ThroughputBounds throughput_bounds(const Outline& outline) {
  ThroughputBounds out;
  const double hosts = outline.hosts, nics_of_host = outline.rails / outline.planes;
  if (outline.hosts < 2 || outline.cuts.empty()) return out;
  for (const HostCut& cut : outline.cuts)
    apply_cut(out, hosts, static_cast<double>(cut.hosts), static_cast<double>(cut.cables), nics_of_host);
  apply_cut(out, hosts, outline.hosts / 2, static_cast<double>(outline.bisection.links) / outline.planes,
            nics_of_host);
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
