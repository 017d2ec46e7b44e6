#include "verify/shift_tree.hpp"

namespace banyan::verify {
namespace {

// A plane of the tree: its numbers, and the nodes they stand for.
struct PlaneOfTree {
  const Fabric& fabric;
  const Pgft& tree;
  Plane plane;
  u32 N;

  PlaneOfTree(const Fabric& f, const TreeForm& form, u32 number)
      : fabric(f), tree(form.tree()), plane(form.planes()[number]), N(form.planes().nics()) {}

  Nic nic(u32 host) const { return fabric.nic(plane.nic(host)); }
  Node node(u32 level, u32 subtree, u32 x) const {
    if (level == 0) return plane.nic(subtree);
    return plane.switch_(tree.first_switch(level) + subtree * W(level) + x);
  }
  u32 M(u32 level) const { return static_cast<u32>(tree.M(level)); }
  u32 W(u32 level) const { return static_cast<u32>(tree.W(level)); }
};

// Every cable up from a level is where the tuple rules put it.
bool is_complete(const PlaneOfTree& p, u32 level) {
  const Pgft& tree = p.tree;
  const u32 m = tree.m[level], w = tree.w[level], down = level ? tree.down_ports(level) : 0;
  const u32 first = index(p.node(level, 0, 0)), above = index(p.node(level + 1, 0, 0));
  for (u32 subtree = 0; subtree < p.N / p.M(level); ++subtree)
    for (u32 x = 0; x < p.W(level); ++x) {
      const Node node{first + subtree * p.W(level) + x};
      if (p.fabric.ports(node) != down + tree.up_ports(level)) return false;
      for (u32 q = 0; q < tree.up_ports(level); ++q) {
        const Node parent{above + subtree / m * p.W(level + 1) + x * w + q % w};
        const Channel c = p.fabric.channel(node, Port{down + q});
        const u32 port = subtree % m + q / w * tree.down_stride(level + 1);
        if (p.fabric.to(c) != parent || index(p.fabric.port(p.fabric.reverse(c))) != port) return false;
      }
    }
  return true;
}

bool is_complete(const Fabric& fabric, const TreeForm& form) {
  const Pgft& tree = form.tree();
  const Planes& planes = form.planes();
  if (!tree.nics_are_endpoints() || planes.count() != fabric.columns() || planes.nics() != fabric.hosts() ||
      planes.count() * planes.switches() != fabric.switches())
    return false;
  for (u32 plane = 0; plane < form.planes().count(); ++plane)
    for (u32 l = 0; l < tree.h(); ++l)
      if (!is_complete(PlaneOfTree(fabric, form, plane), l)) return false;
  return true;
}

class TreeJudge {
 public:
  TreeJudge(const PlaneOfTree& plane, TreeShifts& out, bool with_spans)
      : p_(plane), out_(out), with_spans_(with_spans), tags_(plane.N), x_(plane.N) {}

  // Whether each destination has one tag, and one that leads somewhere.
  bool read_tags(const TreeForm& form, const Source& source, u64 bytes) {
    for (u32 t = 0; t < p_.N; ++t) {
      const Nic to = p_.nic(t), from = p_.nic((t + 1) % p_.N);
      if (source.count(from, to, bytes) != 1) return false;
      const Header header = source.way(from, to, bytes, 0);
      if (nic_of(header.to, form.lmc()) != to) return false;
      for (u32 l = 0; l < p_.tree.h(); ++l)
        if (TreeForm::up_port(header.tag, l) >= p_.tree.up_ports(l)) return false;
      tags_[t] = header.tag;
    }
    return true;
  }

  void judge() {
    for (u32 l = 0; l < p_.tree.h(); ++l) {  // x_ is the position on level l
      if (p_.M(l) == p_.N) break;            // nothing leaves the only subtree
      up(l);
      const u32 w = p_.tree.w[l];
      for (u32 t = 0; t < p_.N; ++t) x_[t] = x_[t] * w + TreeForm::up_port(tags_[t], l) % w;
      down(l + 1);
    }
  }

 private:
  // Up from level l. Destinations with the same position and port share a channel in every subtree.
  void up(u32 l) {
    const u32 ports = p_.tree.up_ports(l), keys = p_.W(l) * ports;
    key_.resize(p_.N);
    first_.assign(keys + 1, 0);
    for (u32 t = 0; t < p_.N; ++t) {
      key_[t] = x_[t] * ports + TreeForm::up_port(tags_[t], l);
      ++first_[key_[t] + 1];
    }
    for (u32 k = 0; k < keys; ++k) first_[k + 1] += first_[k];
    sorted_.resize(p_.N);
    next_.assign(first_.begin(), first_.end() - 1);
    for (u32 t = 0; t < p_.N; ++t) sorted_[next_[key_[t]]++] = t;
    for (u32 k = 0; k < keys; ++k) {
      const std::span<const u32> served = std::span(sorted_).subspan(first_[k], first_[k + 1] - first_[k]);
      if (!served.empty()) up(l, k / ports, k % ports, served);
    }
  }

  void up(u32 l, u32 x, u32 port, std::span<const u32> served) {
    const u32 M = p_.M(l), subtrees = p_.N / M;
    u32 gap = p_.N;
    for (std::size_t i = 0; i < served.size(); ++i)
      gap = std::min(gap, i ? served[i] - served[i - 1] : served[0] + p_.N - served.back());
    for (u32 s = 0; with_spans_ && l > 0 && s < subtrees; ++s)
      out_.spans[up_channel(l, s, x, port)] = {s * M, M, gap};
    if (gap >= M) return;
    subtrees == 2 ? both_halves(l, x, port, served) : windows(l, x, port, served);
  }

  // The most destinations in M numbers on the ring, as a subtree that none of them is in reaches them.
  void windows(u32 l, u32 x, u32 port, std::span<const u32> served) {
    const u32 M = p_.M(l), subtrees = p_.N / M;
    const std::size_t n = served.size();
    for (std::size_t i = 0, end = 0; i < n; ++i) {
      const auto at = [&](std::size_t j) { return u64{served[j % n]} + (j < n ? 0 : p_.N); };
      while (end < i + n && at(end) < u64{served[i]} + M) ++end;
      const u32 source = (served[i] / M + 2) % subtrees;
      note(end - i, (served[i] + p_.N - source * M) % p_.N, up_channel(l, source, x, port));
    }
  }

  // Two subtrees: all that one sends up goes to the other, and the shift by half the ring is all of it.
  void both_halves(u32 l, u32 x, u32 port, std::span<const u32> served) {
    const u32 M = p_.M(l);
    const auto low = std::lower_bound(served.begin(), served.end(), M) - served.begin();
    note(static_cast<u64>(low), M, up_channel(l, 1, x, port));
    note(served.size() - static_cast<u64>(low), M, up_channel(l, 0, x, port));
  }

  // Down from level l, where x_ is the position. The shift by the hosts of the subtree below brings all its
  // destinations from outside.
  void down(u32 l) {
    const u32 below = p_.M(l - 1), w = p_.tree.w[l - 1], m = p_.tree.m[l - 1];
    const u32 cables = p_.tree.p[l - 1], stride = p_.tree.down_stride(l), W = p_.W(l);
    const u32 first = index(p_.node(l, 0, 0)), M = p_.M(l);
    count_.assign(std::size_t{p_.N / below} * W * cables, 0);
    for (u32 t = 0; t < p_.N; ++t) {
      const u32 cable = TreeForm::up_port(tags_[t], l - 1) / w, subtree = t / below;
      const u32 count = ++count_[(std::size_t{subtree} * W + x_[t]) * cables + cable];
      if (count <= out_.worst.units && !with_spans_) continue;
      const Channel c =
          p_.fabric.channel(Node{first + t / M * W + x_[t]}, Port{subtree % m + cable * stride});
      if (with_spans_) out_.spans[c] = {0, p_.N, count == 1 ? p_.N : 0};
      note(count, below, c);
    }
  }

  Channel up_channel(u32 l, u32 subtree, u32 x, u32 port) const {
    return p_.fabric.channel(p_.node(l, subtree, x), Port{(l ? p_.tree.down_ports(l) : 0) + port});
  }
  void note(u64 flows, u32 shift, Channel c) { out_.worst.take({flows, shift, c}); }

  const PlaneOfTree& p_;
  TreeShifts& out_;
  bool with_spans_;
  std::vector<u64> tags_;
  std::vector<u32> x_, key_, first_, next_, sorted_, count_;  // x_ by destination
};

}  // namespace

std::optional<TreeShifts> tree_shifts(const Fabric& fabric, const TreeForm& form, const Source& source,
                                      u64 bytes, bool with_spans) {
  if (source.reads() != Reads::nothing || fabric.hosts() < 2 || !is_complete(fabric, form))
    return std::nullopt;
  TreeShifts out;
  if (with_spans) out.spans.resize(fabric.channels().size());
  for (u32 plane = 0; plane < form.planes().count(); ++plane) {
    const PlaneOfTree of_tree(fabric, form, plane);
    TreeJudge judge(of_tree, out, with_spans);
    if (!judge.read_tags(form, source, bytes)) return std::nullopt;
    judge.judge();
  }
  return out;
}

}  // namespace banyan::verify
