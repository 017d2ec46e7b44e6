#include "topology/pgft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

u64 product(const std::vector<u32>& values, u32 count) {
  u64 out = 1;
  for (u32 i = 0; i < count; ++i) out = saturating_multiply(out, values[i]);
  return out;
}

bool all_equal(std::vector<u32>::const_iterator first, std::vector<u32>::const_iterator last, u32 value) {
  return std::all_of(first, last, [&](u32 v) { return v == value; });
}

}  // namespace

u64 Pgft::M(u32 level) const { return product(m, level); }
u64 Pgft::W(u32 level) const { return product(w, level); }

u32 Pgft::first_switch(u32 level) const {
  u32 first = 0;
  for (u32 l = 1; l < level; ++l) first += switches(l);
  return first;
}

u32 Pgft::level(u32 plane_switch) const {
  u32 level = 1;
  for (u32 first = switches(1); level < h() && plane_switch >= first; first += switches(++level)) {
  }
  return level;
}

Nic Pgft::nic_of_endpoint(u32 endpoint) const {
  const u32 leaf = endpoint / m[0], at = endpoint % m[0], leaves = nics.leaves(), on_leaf = nics.on_leaf();
  const u32 host = leaf / leaves * hosts_of_leaf() + at / on_leaf,
            slot = at % on_leaf * leaves + leaf % leaves;
  return Nic{slot * hosts() + host};
}

u32 Pgft::endpoint_of_nic(Nic nic) const {
  const u32 number = index(nic) % endpoints();
  if (nics_are_endpoints()) return number;
  const u32 slot = number / hosts(), host = number % hosts(), in_group = hosts_of_leaf();
  const u32 leaf = host / in_group * nics.leaves() + slot % nics.leaves();
  return leaf * m[0] + host % in_group * nics.on_leaf() + slot / nics.leaves();
}

u32 Pgft::meeting_level(u32 a, u32 b) const {
  u32 level = 0;
  for (; a != b; ++level) a /= m[level], b /= m[level];
  return level;
}

std::string Pgft::notation() const {
  std::vector<u32> slots = m;
  slots[0] = host_slots;
  const bool parallel = !all_equal(p.begin(), p.end(), 1);
  OptionWriter options;
  options.add("hosts", hosts_of_leaf(), m[0] == host_slots ? hosts_of_leaf() : 0);
  if (nics.are_rails())
    options.add("rails", nics.count(), 1);
  else
    options.add("nics", nics.count(), 1).add("leaves", nics.leaves(), 1);
  return fmt::format("{}({}; {}; {}{}{})", parallel ? "PGFT" : "XGFT", h(), join(slots, ","), join(w, ","),
                     parallel ? "; " + join(p, ",") : "", options.add_links(links).str());
}

std::string Pgft::family() const {
  if (!all_equal(p.begin(), p.end(), 1)) return "PGFT";
  const bool same_m = all_equal(m.begin(), m.end(), m[0]);
  if (same_m && w[0] == 1 && all_equal(w.begin() + 1, w.end(), m[0]) && host_slots == m[0])
    return "k-ary n-tree";
  return same_m && all_equal(w.begin(), w.end(), w[0]) ? "GFT" : "XGFT";
}

bool Pgft::constant_bisection() const {
  for (u32 l = 1; l < h(); ++l)
    if (m[l - 1] * p[l - 1] != w[l] * p[l]) return false;
  return true;
}

std::vector<std::string> Pgft::rlft_failed() const {
  std::vector<std::string> failed;
  for (u32 l = 1; l < h(); ++l)
    if (const u32 down = m[l - 1] * p[l - 1], up = w[l] * p[l]; down != up)
      failed.push_back(
          fmt::format("constant bisection: a level-{} switch has {} links down but {} up", l, down, up));
  if (nic_ports() != 1)
    failed.push_back(fmt::format("one cable per host: w_1 p_1 = {} x {}, not 1", w[0], p[0]));
  const u32 radix = down_ports(h());
  for (u32 l = 1; l < h(); ++l)
    if (const u32 ports = down_ports(l) + up_ports(l); ports != radix)
      failed.push_back(
          fmt::format("equal switches: level {} has {} ports, the top level {}", l, ports, radix));
  if (h() == 1 && radix % 2 != 0)
    failed.push_back(fmt::format("an even number of ports: the switch has {}", radix));
  if (m[0] != host_slots)
    failed.push_back(fmt::format("a complete tree: leaves have {} of {} {}", m[0], host_slots,
                                 nics.on_leaf() == 1 ? "hosts" : "NICs"));
  return failed;
}

std::vector<u32> Pgft::switches_per_level() const {
  std::vector<u32> out;
  for (u32 l = 1; l <= h(); ++l) out.push_back(switches(l));
  return out;
}

u64 Pgft::switch_ports() const {
  u64 sum = 0;
  for (u32 l = 1; l <= h(); ++l)
    sum = saturating_add(
        sum, saturating_multiply(saturating_multiply(M(h()) / M(l), W(l)),
                                 u64{down_stride(l)} * p[l - 1] + (l < h() ? u64{w[l]} * p[l] : 0)));
  return sum;
}

void Pgft::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  for (u32 l = 1; l <= h(); ++l) {
    builder.name_next_switches(fmt::format("{}s{}-", prefix, l));
    for (u32 i = 0; i < switches(l); ++i) builder.add_switch(down_ports(l) + up_ports(l));
  }
}

// The tuple rules: up port q of (T, x) at level l leads to b = q mod w, by cable q / w, of those above; the
// far end is down port a + k m there.
void Pgft::connect(FabricBuilder& builder, const Plane& plane) const {
  for (u32 l = 0; l < h(); ++l) {
    const u8 link_class = builder.add_class(links[l]);
    const u32 below = static_cast<u32>(W(l)), above = static_cast<u32>(W(l + 1));
    const u32 subtrees = static_cast<u32>(M(h()) / M(l));
    const u32 first = l == 0 ? 0 : first_switch(l), first_above = first_switch(l + 1);
    const u32 up = w[l] * p[l], down = l == 0 ? 0 : down_ports(l), stride = down_stride(l + 1);
    for (u32 t = 0; t < subtrees; ++t)
      for (u32 x = 0; x < below; ++x) {
        const Node child =
            l == 0 ? plane.nic(index(nic_of_endpoint(t))) : plane.switch_(first + t * below + x);
        for (u32 q = 0; q < up; ++q) {
          const u32 b = q % w[l], cable = q / w[l];
          const Node parent = plane.switch_(first_above + t / m[l] * above + x * w[l] + b);
          builder.connect(child, Port{down + q}, parent, Port{t % m[l] + cable * stride}, link_class);
        }
      }
  }
}

std::optional<Distances> Pgft::distances() const {
  if (!keeps_groups()) return std::nullopt;
  Distances out;
  double sum = 0;
  u64 paths = 1;
  for (u32 k = 1; k <= h(); ++k) {
    paths =
        saturating_multiply(saturating_multiply(paths, w[k - 1]), saturating_multiply(p[k - 1], p[k - 1]));
    const u64 met = hosts_below(k) - hosts_below(k - 1);  // hosts met at level k and not below
    if (met == 0) continue;
    out.diameter = 2 * k;
    out.shortest_paths_max = paths;
    sum += static_cast<double>(2 * k) * static_cast<double>(met);
  }
  if (hosts() > 1) out.average = sum / (hosts() - 1);
  return out;
}

u64 Pgft::up_paths_max() const { return saturating_multiply(W(h()), product(p, h())); }

// No cut is cheaper than half the links of the leanest level above the hosts: umulti routes any matching of
// the two halves with that load. Giving each half every other subtree below that level attains it, if they
// are even.
std::optional<Bisection> Pgft::bisection() const {
  if (!keeps_groups()) return std::nullopt;
  if (h() == 1) return Bisection{hosts() / 2 * cables_above(0), true};
  u64 least = ~u64{0}, attained = ~u64{0};
  for (u32 l = 2; l <= h(); ++l) {
    const u64 subtrees = M(h()) / M(l - 1), cables = subtrees * W(l) * p[l - 1];
    const u64 parts = l == 2 ? subtrees / nics.leaves() : subtrees;  // the leaves of a group stay together
    least = std::min(least, cables / 2);
    if (parts % 2 == 0) attained = std::min(attained, cables / 2);
  }
  if (attained != least) return std::nullopt;
  return Bisection{least, true};
}

// The bound of bisection(), which holds whether subtrees are even or not: half of the hosts, rounded down,
// send to the others, and no cable of a host carries more than the host sends.
u64 Pgft::least_cut() const {
  if (!keeps_groups()) return 0;
  u64 leanest = M(h());
  for (u32 l = 1; l < h(); ++l) leanest = std::min(leanest, cables(l));
  return (leanest * (hosts() / 2) + hosts() - 1) / hosts();
}

u64 Pgft::switch_cables() const {
  u64 sum = 0;
  for (u32 l = 1; l < h(); ++l) sum += cables(l);
  return sum;
}

u32 Pgft::widest_switch() const {
  u32 most = 0;
  for (u32 l = 1; l <= h(); ++l) most = std::max(most, down_ports(l) + up_ports(l));
  return most;
}

// One half takes whole subtrees, as large as they fit, and all switches above them stay with the other half.
// Levels at which it takes none may pay, so every choice of levels is tried; hosts alone take what is left.
Bisection Pgft::best_cut() const {
  if (const auto known = bisection()) return *known;
  Bisection out{~u64{0}, false};
  for (u32 levels = 0; levels < 1U << (h() - 1); ++levels) {
    u64 rest = hosts() / 2, cut = 0;
    for (u32 l = h() - 1; l > 0; --l)
      if (levels >> (l - 1) & 1) cut += rest / hosts_below(l) * cables_above(l), rest %= hosts_below(l);
    if (rest <= hosts_below(1) / 2) out.links = std::min(out.links, cut + rest * cables_above(0));
  }
  return out;
}

u32 Pgft::grows_to(u32 ports) const {
  u64 children = ports / p[h() - 1];
  if (h() == 2) children -= children % nics.leaves();
  const u64 below = M(h() - 1) * children;
  return static_cast<u32>(std::max<u64>(hosts(), below / nics.count()));
}

u64 Pgft::cables(u32 level) const {
  return level == 0 ? M(h()) * nic_ports() : M(h()) / M(level) * W(level) * up_ports(level);
}

std::optional<CableEnds> Pgft::cable(u32 level, u64 i) const {
  const u32 up = w[level] * p[level], below = static_cast<u32>(W(level));
  const u32 child = static_cast<u32>(i / up), q = static_cast<u32>(i % up), t = child / below;
  const u64 parent = t / m[level] * W(level + 1) + u64{child % below} * w[level] + q % w[level];
  return CableEnds{level == 0 ? index(nic_of_endpoint(child)) : first_switch(level) + child,
                   first_switch(level + 1) + static_cast<u32>(parent)};
}

Pgft smallest_rlft(u32 switch_ports, u32 hosts) {
  const u32 k = switch_ports / 2;
  u32 levels = 1;
  u64 largest = 2 * u64{k};
  for (; largest < hosts; ++levels) largest = saturating_multiply(largest, k);
  // Parallel cables p_l divide k; take the product that leaves the fewest hosts, the largest factors on top.
  std::vector<u32> p(levels, 1), best = p;
  u64 best_hosts = largest;
  const auto search = [&](auto&& self, u32 level, u64 left) -> void {
    if (left < best_hosts) best_hosts = left, best = p;
    if (level == 1) return;
    for (u32 divisor = k; divisor >= 1; --divisor)
      if (k % divisor == 0 && left / divisor >= hosts) {
        p[level - 1] = divisor;
        self(self, level - 1, left / divisor);
        p[level - 1] = 1;
      }
  };
  search(search, levels, largest);
  Pgft out;
  for (u32 l = 1; l <= levels; ++l) {
    out.m.push_back((l == levels ? 2 * k : k) / best[l - 1]);
    out.w.push_back(l == 1 ? 1 : k / best[l - 1]);
  }
  out.p = best;
  out.host_slots = out.m[0];
  out.links.assign(levels, {});
  return out;
}

}  // namespace banyan::topology
