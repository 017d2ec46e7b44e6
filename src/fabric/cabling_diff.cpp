#include "fabric/cabling_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/text.hpp"

namespace banyan::fabric {
namespace {

using PortId = u32;
constexpr PortId no_port = ~PortId{0};

// The first NIC of a host is known by its host, however many NICs the hosts of the other fabric have.
std::string common_name(const Fabric& fabric, Node v) {
  if (!fabric.is_switch(v) && fabric.column(fabric.nic(v)) == 0)
    return fabric.host_name(fabric.host(fabric.nic(v)));
  return fabric.name(v);
}

// All ports of both fabrics under one number each, with the planned and the observed partner.
class Ports {
 public:
  Ports(const Fabric& plan, const Fabric& observed) {
    read(plan, planned_);
    read(observed, observed_);
    planned_.resize(names_.size(), no_port);
    observed_.resize(names_.size(), no_port);
  }

  u32 size() const { return static_cast<u32>(names_.size()); }
  PortId planned(PortId p) const { return planned_[p]; }
  PortId observed(PortId p) const { return observed_[p]; }
  bool is_right(PortId p) const { return planned_[p] == observed_[p]; }
  void forget_planned(PortId p) { planned_[p] = no_port; }

  u32 node(PortId p) const { return names_[p].first; }
  const std::string& node_name(u32 node) const { return node_names_[node]; }
  u32 nodes() const { return static_cast<u32>(node_names_.size()); }
  PortName name(PortId p) const {
    const auto [node, label] = names_[p];
    if (label < first_text) return {node_names_[node], label};
    return {node_names_[node], {0, texts_[label - first_text]}};
  }
  NamedCable cable(PortId p, PortId q) const {
    PortName a = name(p), b = name(q);
    if (b < a) std::swap(a, b);
    return {std::move(a), std::move(b)};
  }

 private:
  void read(const Fabric& fabric, std::vector<PortId>& partner) {
    IdVector<Node, u32> known(fabric.nodes().size());
    for (Node v : fabric.nodes()) known[v] = number_of(fabric, v);
    const auto port = [&](Channel c) { return port_of(known[fabric.from(c)], label_of(fabric, c)); };
    fabric.each_link([&](const Link& link) {
      const PortId a = port(link.a), b = port(link.b);
      if (partner.size() < names_.size()) partner.resize(names_.size(), no_port);
      partner[a] = b;
      partner[b] = a;
    });
  }

  u32 number_of(const Fabric& fabric, Node v) {
    const auto [found, is_new] = node_numbers_.emplace(common_name(fabric, v), nodes());
    if (is_new) node_names_.push_back(found->first);
    return found->second;
  }

  u32 label_of(const Fabric& fabric, Channel c) {
    const std::string_view text = fabric.port_text(c);
    if (text.empty()) return fabric.port_number(c);
    const auto [found, is_new] = text_numbers_.emplace(text, first_text + static_cast<u32>(texts_.size()));
    if (is_new) texts_.push_back(found->first);
    return found->second;
  }

  PortId port_of(u32 node, u32 label) {
    const auto [found, is_new] = port_numbers_.emplace(u64{node} << 32 | label, size());
    if (is_new) names_.push_back({node, label});
    return found->second;
  }

  std::unordered_map<std::string, u32> node_numbers_;
  std::vector<std::string> node_names_;
  std::unordered_map<u64, PortId> port_numbers_;
  static constexpr u32 first_text = 1u << 31;  // labels below are numbers
  std::unordered_map<std::string, u32> text_numbers_;
  std::vector<std::string> texts_;
  std::vector<std::pair<u32, u32>> names_;  // node, label
  std::vector<PortId> planned_, observed_;
};

// A chain or ring of ports; between consecutive ports lies alternately a missing and an extra cable.
struct Chain {
  std::vector<PortId> ports;
  bool starts_missing, is_ring;
};

class Repair {
 public:
  Repair(Ports ports, CablingDiff& out) : ports_(std::move(ports)), seen_(ports_.size()), out_(out) {}

  void run() {
    for (PortId p = 0; p < ports_.size(); ++p)  // chains begin where only one of the two cables is
      if (!seen_[p] && !ports_.is_right(p) && (ports_.planned(p) == no_port || ports_.observed(p) == no_port))
        settle(walk(p, ports_.planned(p) != no_port, false));
    for (PortId p = 0; p < ports_.size(); ++p)
      if (!seen_[p] && !ports_.is_right(p)) settle(walk(p, false, true));
  }

 private:
  Chain walk(PortId start, bool starts_missing, bool is_ring) {
    Chain chain{{start}, starts_missing, is_ring};
    seen_[start] = true;
    bool missing = starts_missing;
    for (PortId at = start;;) {
      const PortId next = missing ? ports_.planned(at) : ports_.observed(at);
      if (next == no_port) break;
      if (next == start) break;
      seen_[next] = true;
      chain.ports.push_back(next);
      at = next;
      missing = !missing;
    }
    return chain;
  }

  void settle(const Chain& chain) {
    report(chain);
    if (chain.is_ring) return turn_ring(chain);
    const bool even = chain.ports.size() % 2 == 1;  // as many missing as extra cables
    std::vector<PortId> p = chain.ports;
    if (even && chain.starts_missing) std::reverse(p.begin(), p.end());  // now it starts with an extra cable
    if (even)
      shift_towards_end(p, 0);
    else if (chain.starts_missing) {
      shift_towards_end(p, 1);
      out_.moves.push_back({Move::Kind::lay, ports_.name(p[0]), {}, ports_.name(p[1])});
    } else {
      out_.moves.push_back({Move::Kind::take_away, ports_.name(p[0]), {}, ports_.name(p[1])});
      for (std::size_t i = 2; i + 1 < p.size(); i += 2) replug(p[i], p[i + 1], p[i - 1]);
    }
  }

  // Extra cables (p_i, p_i+1), i = first, first + 2, ...: the plug in p_i goes to p_i+2. The last port is
  // free, so the last cable moves first.
  void shift_towards_end(const std::vector<PortId>& p, std::size_t first) {
    for (std::size_t i = p.size() - 3; i + 1 > first; i -= 2) {
      replug(p[i + 1], p[i], p[i + 2]);
      if (i < 2) break;
    }
  }

  // In a ring every port is taken: the first plug waits in the hand.
  void turn_ring(const Chain& chain) {
    const auto& p = chain.ports;  // extra (p0, p1), missing (p1, p2), ..., missing (p_last, p0)
    const std::size_t n = p.size();
    replug(p[n - 1], p[n - 2], p[0]);
    out_.moves.back().in_hand = true;
    for (std::size_t i = n - 2; i >= 2; i -= 2) replug(p[i - 1], p[i - 2], p[i]);
  }

  void replug(PortId fixed, PortId from, PortId to) {
    out_.moves.push_back({Move::Kind::replug, ports_.name(fixed), ports_.name(from), ports_.name(to)});
  }

  void report(const Chain& chain) {
    const auto& p = chain.ports;
    if (chain.is_ring && p.size() == 4) {
      out_.swapped.push_back({ports_.cable(p[0], p[1]), ports_.cable(p[2], p[3]), ports_.cable(p[1], p[2]),
                              ports_.cable(p[3], p[0])});
      return;
    }
    bool missing = chain.starts_missing;
    for (std::size_t i = 0; i + 1 < p.size() + chain.is_ring; ++i, missing = !missing)
      (missing ? out_.missing : out_.extra).push_back(ports_.cable(p[i], p[(i + 1) % p.size()]));
  }

  Ports ports_;
  std::vector<bool> seen_;
  CablingDiff& out_;
};

bool by_name(const NamedCable& x, const NamedCable& y) {
  if (x.a.node != y.a.node) return natural_less(x.a.node, y.a.node);
  if (x.a.port.text != y.a.port.text) return natural_less(x.a.port.text, y.a.port.text);
  return x < y;
}

// Cables planned to switches that are not there cannot be plugged; they are reported and left out of the
// repair. A host that is not there may only lack its cable, which is laid.
void set_absent_apart(Ports& ports, const std::set<u32>& absent, CablingDiff& out) {
  for (PortId p = 0; p < ports.size(); ++p) {
    const PortId q = ports.planned(p);
    if (q == no_port || ports.is_right(p) ||
        (!absent.contains(ports.node(p)) && !absent.contains(ports.node(q))))
      continue;
    out.missing.push_back(ports.cable(p, q));
    ++out.unrepairable;
    ports.forget_planned(p);
    ports.forget_planned(q);
  }
}

// More than one cable: a switch with one is as likely to have lost the cable.
std::vector<DeadSwitch> dead_switches(const Ports& ports, const std::map<std::string, bool>& planned) {
  std::vector<u64> cables(ports.nodes());
  std::vector<char> lives(ports.nodes());
  for (PortId p = 0; p < ports.size(); ++p) {
    cables[ports.node(p)] += ports.planned(p) != no_port;
    if (ports.observed(p) != no_port) lives[ports.node(p)] = true;
  }
  std::vector<DeadSwitch> out;
  for (u32 v = 0; v < ports.nodes(); ++v) {
    const auto found = planned.find(ports.node_name(v));
    if (cables[v] > 1 && !lives[v] && found != planned.end() && found->second)
      out.push_back({found->first, cables[v]});
  }
  std::sort(out.begin(), out.end(),
            [](const DeadSwitch& a, const DeadSwitch& b) { return natural_less(a.name, b.name); });
  return out;
}

std::map<std::string, bool> node_names(const Fabric& fabric) {  // name -> whether it is a switch
  std::map<std::string, bool> out;
  for (Node v : fabric.nodes()) out.emplace(common_name(fabric, v), fabric.is_switch(v));
  return out;
}

}  // namespace

std::string Move::str() const {
  switch (kind) {
    case Kind::lay:
      return fmt::format("lay a cable from {} to {}", fixed.str(), to.str());
    case Kind::take_away:
      return fmt::format("take away the cable from {} to {}", fixed.str(), to.str());
    case Kind::replug:
      break;
  }
  return fmt::format("cable at {}: move its other end from {} to {}{}", fixed.str(), from.str(), to.str(),
                     in_hand ? " (pull it now, plug it in when that port is free)" : "");
}

CablingDiff diff_cabling(const Fabric& plan, const Fabric& observed) {
  CablingDiff out;
  Ports ports(plan, observed);
  const auto planned_names = node_names(plan), observed_names = node_names(observed);
  std::set<u32> absent;
  for (u32 v = 0; v < ports.nodes(); ++v) {
    const std::string& name = ports.node_name(v);
    const auto planned = planned_names.find(name);
    if (planned == planned_names.end())
      out.unknown_nodes.push_back(name);
    else if (!observed_names.contains(name)) {
      out.absent_nodes.push_back(name);
      if (planned->second) absent.insert(v);
    }
  }
  for (PortId p = 0; p < ports.size(); ++p)
    if (ports.is_right(p) && p < ports.planned(p) && ports.planned(p) != no_port) ++out.same;
  out.dead_switches = dead_switches(ports, planned_names);
  set_absent_apart(ports, absent, out);
  Repair(std::move(ports), out).run();
  std::sort(out.missing.begin(), out.missing.end(), by_name);
  std::sort(out.extra.begin(), out.extra.end(), by_name);
  std::sort(out.absent_nodes.begin(), out.absent_nodes.end(), natural_less);
  std::sort(out.unknown_nodes.begin(), out.unknown_nodes.end(), natural_less);
  return out;
}

}  // namespace banyan::fabric
