// LogGOPS as one would write it first: a list of events that is searched for the earliest, maps for
// everything, no shared code with the real one.
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
  PlainLogGops(const Program& program, const flow::ProgramOptions& options) : p_(program), options_(options) {
    for (Op op = 0; op < p_.size(); ++op)
      for (u32 i = p_.first_next[op]; i < p_.first_next[op + 1]; ++i)
        waits_[p_.next[i] / 2].insert({op, p_.next[i] % 2 == 1});
  }

  double run() {
    for (Op op = 0; op < p_.size(); ++op)
      if (waits_[op].empty()) begin(op, 0);
    while (!events_.empty()) {
      const auto first = std::min_element(events_.begin(), events_.end());
      const auto [time, order, what, op] = *first;
      events_.erase(first);
      if (what == 'b') release(op, true, time);
      if (what == 'e') end_ = std::max(end_, time), release(op, false, time);
      if (what == 'h') head(op, time);
      if (what == 'a') arrive(op, time);
    }
    return end_;
  }

 private:
  using Slot = std::pair<u32, u32>;

  double o() const { return options_.network.overhead / 2; }
  double g() const { return options_.network.gap; }
  double bytes_of(Op op) const { return std::max(0.0, p_.amount[op] - 1); }
  bool is_long(Op op) const { return p_.amount[op] > options_.eager_bytes; }
  Slot cpu(Op op) const { return {p_.rank[op], p_.where[op].stream}; }
  Slot nic(Op op) const { return {p_.rank[op], p_.where[op].nic}; }
  void at(double time, char what, Op op) { events_.emplace_back(time, order_++, what, op); }

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
      const double start = std::max({time, cpu_free_[cpu(op)], sends_free_[nic(op)]});
      const double busy = o() + bytes_of(op) * options_.byte_overhead;
      cpu_free_[cpu(op)] = start + busy;
      sends_free_[nic(op)] = start + g() + bytes_of(op) * options_.byte_gap;
      at(start, 'b', op);
      at(start + o() + options_.latency, 'h', op);
      left_[op] = std::max(start + busy, start + o() + bytes_of(op) * options_.byte_gap);
      if (!is_long(op))
        at(start + busy, 'e', op);
      else if (posted_.contains(p_.partner[op]))
        at(left_[op], 'e', op);
    } else {
      at(time, 'b', op);
      posted_[op] = time;
      const Op send = p_.partner[op];
      if (is_long(op) && left_.contains(send)) at(std::max(time, left_[send]), 'e', send);
      if (arrived_.contains(op)) take(op, std::max(time, arrived_[op]));
    }
  }

  void head(Op send, double time) {
    const Op op = p_.partner[send];
    const double start = std::max(time, receives_free_[nic(op)]), bytes = bytes_of(op) * options_.byte_gap;
    receives_free_[nic(op)] = start + g() + bytes;
    at(start + bytes, 'a', send);
  }

  void arrive(Op send, double time) {
    const Op op = p_.partner[send];
    arrived_[op] = time - bytes_of(op) * std::min(options_.byte_overhead, options_.byte_gap);
    if (posted_.contains(op)) take(op, std::max(posted_[op], arrived_[op]));
  }

  void take(Op op, double from) {
    const double start = std::max(from, cpu_free_[cpu(op)]);
    cpu_free_[cpu(op)] = start + o() + bytes_of(op) * options_.byte_overhead;
    at(cpu_free_[cpu(op)], 'e', op);
  }

  const Program& p_;
  const flow::ProgramOptions& options_;
  std::map<Op, std::set<std::pair<Op, bool>>> waits_;
  std::map<Slot, double> cpu_free_, sends_free_, receives_free_;
  std::map<Op, double> left_, posted_, arrived_;
  std::vector<std::tuple<double, u32, char, Op>> events_;
  u32 order_ = 0;
  double end_ = 0;
};

inline double plain_loggops(const Program& program, const flow::ProgramOptions& options) {
  return PlainLogGops(program, options).run();
}

}  // namespace banyan::tests
