// LogGOPS as one would write it first: a list of events that is searched for the earliest, maps for
// everything, no shared code with the real one. Each host has one NIC, which carries a message at a time in
// either direction.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "flow/program_time.hpp"

namespace banyan::tests {

class PlainLogGops {
 public:
  PlainLogGops(const Program& program, const Placement& placement, const flow::ProgramOptions& options)
      : p_(program), placement_(placement), options_(options) {
    for (Op op = 0; op < p_.size(); ++op)
      for (u32 i = p_.first_next[op]; i < p_.first_next[op + 1]; ++i)
        waits_[p_.next[i] / 2].insert({op, p_.next[i] % 2 == 1});
  }

  double run() {
    for (Op op = 0; op < p_.size(); ++op)
      if (waits_[op].empty()) begin(op, 0);
    while (!events_.empty()) {
      const auto first = std::min_element(events_.begin(), events_.end());
      const auto [time, is_network, order, what, op] = *first;
      events_.erase(first);
      if (what == 'b') release(op, true, time);
      if (what == 'e') end_ = std::max(end_, time), release(op, false, time);
      if (what == 'n') enter(op, time);
      if (what == 'h') head(op, time);
      if (what == 'a') arrive(op, time);
    }
    return end_;
  }

 private:
  using Slot = std::pair<u32, u32>;

  double o() const { return options_.network.overhead / 2; }
  double g() const { return options_.network.gap; }
  double G() const { return options_.byte_gap; }
  double s(Op op) const { return p_.amount[op]; }
  double first_byte(Op op) const { return std::min(1.0, s(op)) * G(); }
  double other_bytes(Op op) const { return std::max(0.0, s(op) - 1) * G(); }
  double copying(Op op) const { return std::max(0.0, s(op) - 1) * options_.byte_overhead; }
  double nic_is_busy(Op op) const { return std::max(s(op) * G(), g() + other_bytes(op)); }
  bool is_long(Op op) const { return s(op) > options_.eager_bytes; }
  Host host(Op op) const { return placement_[Rank{p_.rank[op]}]; }
  bool stays(Op op) const { return host(op) == host(p_.partner[op]); }
  Slot cpu(Op op) const { return {p_.rank[op], p_.where[op].stream}; }
  Slot queue(Op op) const { return {p_.rank[op], p_.where[op].nic}; }
  // At one time ranks act before the network does.
  void at(double time, char what, Op op) {
    events_.emplace_back(time, what == 'n' || what == 'h', order_++, what, op);
  }

  void release(Op op, bool begun, double time) {
    std::vector<Op> ready;
    for (auto& [later, before] : waits_)
      if (before.erase({op, begun}) > 0 && before.empty()) ready.push_back(later);
    for (const Op later : ready) begin(later, time);
  }

  void begin(Op op, double time) {
    if (p_.kind[op] == Program::Kind::compute) {
      const double start = std::max(time, cpu_free_[cpu(op)]);
      cpu_free_[cpu(op)] = start + p_.amount[op];
      at(start, 'b', op);
      at(start + p_.amount[op], 'e', op);
    } else if (p_.kind[op] == Program::Kind::send) {
      const double start = std::max({time, cpu_free_[cpu(op)], sends_free_[queue(op)]});
      cpu_free_[cpu(op)] = start + o() + copying(op);
      sends_free_[queue(op)] = start + g() + (stays(op) ? 0 : other_bytes(op));
      at(start, 'b', op);
      if (!is_long(op)) at(cpu_free_[cpu(op)], 'e', op);
      handed_over_[op] = cpu_free_[cpu(op)];
      at(start + o(), 'n', op);
    } else {
      at(time, 'b', op);
      posted_[op] = time;
      const Op send = p_.partner[op];
      if (arrived_.contains(op)) take(op, std::max(time, arrived_[op]));
      if (is_long(op) && left_.contains(send)) at(std::max(time, left_[send]), 'e', send);
    }
  }

  // The message is at the NIC of its sender.
  void enter(Op op, double time) {
    double start = std::max(time, queue_free_[queue(op)]);
    if (!stays(op)) {
      start = std::max(start, sending_free_[host(op)]);
      sending_free_[host(op)] = start + nic_is_busy(op);
    }
    queue_free_[queue(op)] = start + (stays(op) ? 0 : other_bytes(op));
    at(start + (stays(op) ? 0 : std::max(0.0, options_.latency - first_byte(op))), 'h', op);
    left_[op] = std::max(handed_over_[op], queue_free_[queue(op)]);
    if (is_long(op) && posted_.contains(p_.partner[op])) at(std::max(time, left_[op]), 'e', op);
  }

  // Its first byte begins to arrive.
  void head(Op send, double time) {
    if (stays(send)) return at(time, 'a', send);
    const Host there = host(p_.partner[send]);
    const double start = std::max(time, receiving_free_[there]);
    receiving_free_[there] = start + nic_is_busy(send);
    at(start + s(send) * G(), 'a', send);
  }

  void arrive(Op send, double time) {
    const Op op = p_.partner[send];
    arrived_[op] = time - (stays(send) ? 0 : std::min(copying(send), other_bytes(send)));
    if (posted_.contains(op)) take(op, std::max(posted_[op], arrived_[op]));
  }

  void take(Op op, double from) {
    const double start = std::max(from, cpu_free_[cpu(op)]);
    cpu_free_[cpu(op)] = start + o() + copying(op);
    at(cpu_free_[cpu(op)], 'e', op);
  }

  const Program& p_;
  const Placement& placement_;
  const flow::ProgramOptions& options_;
  std::map<Op, std::set<std::pair<Op, bool>>> waits_;
  std::map<Slot, double> cpu_free_, sends_free_, queue_free_;
  std::map<Host, double> sending_free_, receiving_free_;
  std::map<Op, double> handed_over_, left_, posted_, arrived_;
  std::vector<std::tuple<double, bool, u32, char, Op>> events_;
  u32 order_ = 0;
  double end_ = 0;
};

inline double plain_loggops(const Program& program, const Placement& placement,
                            const flow::ProgramOptions& options) {
  return PlainLogGops(program, placement, options).run();
}

}  // namespace banyan::tests
