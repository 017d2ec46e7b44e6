#include "traffic/programs/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/assert.hpp"

namespace banyan::traffic {
namespace {

constexpr u32 max_operations = u32{1} << 31;

// Beginnings and ends of operations as nodes of a graph: 2 * op and 2 * op + 1.
class WaitGraph {
 public:
  WaitGraph(const Program& program, Buffering buffering) : program_(program), buffering_(buffering) {}

  // Every node that must come after this one.
  template <class F>
  void each_after(u32 node, F f) const {
    const Op op = node / 2;
    const bool is_end = node % 2;
    for (u32 i = program_.first_next[op]; i < program_.first_next[op + 1]; ++i) {
      const u32 next = program_.next[i];
      if (is_end != (next % 2 != 0)) f(next / 2 * 2);
    }
    if (is_end) return;
    f(node + 1);
    const Program::Kind kind = program_.kind[op];
    if (kind == Program::Kind::send || (kind == Program::Kind::receive && buffering_ == Buffering::none))
      f(2 * program_.partner[op] + 1);
  }

  // By node, how many nodes before it are left when all that can be done is done; all 0: it ends.
  std::vector<u32> left() const {
    std::vector<u32> before(2 * std::size_t{program_.size()});
    for (u32 node = 0; node < before.size(); ++node) each_after(node, [&](u32 after) { ++before[after]; });
    std::vector<u32> open;
    for (u32 node = 0; node < before.size(); ++node)
      if (before[node] == 0) open.push_back(node);
    while (!open.empty()) {
      const u32 node = open.back();
      open.pop_back();
      each_after(node, [&](u32 after) {
        if (--before[after] == 0) open.push_back(after);
      });
    }
    return before;
  }

 private:
  const Program& program_;
  Buffering buffering_;
};

}  // namespace

u32 Program::messages() const { return static_cast<u32>(std::count(kind.begin(), kind.end(), Kind::send)); }

double Program::bytes() const {
  double out = 0;
  for (Op op = 0; op < size(); ++op)
    if (kind[op] == Kind::send) out += amount[op];
  return out;
}

std::string Program::text(Op op, double of) const {
  if (kind[op] == Kind::compute) return fmt::format("calc of {:.12g} ns", 1e9 * of);
  const bool sends = kind[op] == Kind::send;
  return fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", of, sends ? "to" : "from",
                     rank[partner[op]], tag[op]);
}

std::string Program::name(Op op, double of) const {
  const std::string at = line[op] == 0 ? "" : fmt::format(", line {}", line[op]);
  return fmt::format("rank {}{}: {}", rank[op], at, text(op, of));
}

ProgramBuilder::ProgramBuilder(u32 ranks, std::string file) {
  out_.ranks = ranks;
  out_.file = std::move(file);
}

Op ProgramBuilder::add(Program::Kind kind, u32 rank, double amount, u32 peer, u32 tag, Program::Where where,
                       u32 line) {
  const auto refuse_rank = [&](u32 found) {
    throw InputError(Place{out_.file, line},
                     fmt::format("found rank {}, expected one below {}", found, out_.ranks));
  };
  if (rank >= out_.ranks) refuse_rank(rank);
  if (kind != Program::Kind::compute && peer >= out_.ranks) refuse_rank(peer);
  if (!(amount >= 0) || !std::isfinite(amount))
    throw InputError(Place{out_.file, line},
                     fmt::format("found an amount of {}, expected 0 or more", amount));
  if (out_.size() + 1 >= max_operations)
    throw InputError(Place{out_.file, line},
                     fmt::format("found more than {} operations in a program", max_operations - 1));
  out_.kind.push_back(kind);
  out_.rank.push_back(rank);
  out_.amount.push_back(amount);
  out_.partner.push_back(peer);  // the rank, until they are paired
  out_.tag.push_back(tag);
  out_.where.push_back(where);
  out_.line.push_back(line);
  return out_.size() - 1;
}

Op ProgramBuilder::compute(u32 rank, double seconds, Program::Where where, u32 line) {
  return add(Program::Kind::compute, rank, seconds, 0, 0, where, line);
}

Op ProgramBuilder::send(u32 rank, u32 to, double bytes, u32 tag, Program::Where where, u32 line) {
  return add(Program::Kind::send, rank, bytes, to, tag, where, line);
}

Op ProgramBuilder::receive(u32 rank, u32 from, double bytes, u32 tag, Program::Where where, u32 line) {
  return add(Program::Kind::receive, rank, bytes, from, tag, where, line);
}

void ProgramBuilder::weigh(Op send, u32 weight) {
  BANYAN_ASSERT(send < size() && out_.kind[send] == Program::Kind::send, "only a send has a weight");
  if (weight == 0)
    throw InputError(Place{out_.file, out_.line[send]}, "found a weight of 0, expected at least 1");
  if (weight != 1) out_.weight.resize(out_.size(), 1);
  if (send < out_.weight.size()) out_.weight[send] = weight;
}

void ProgramBuilder::wait(Op op, Op earlier, bool only_begun) {
  BANYAN_ASSERT(op < size() && earlier < size(), "both operations were added");
  BANYAN_ASSERT(out_.rank[op] == out_.rank[earlier], "an operation waits for one of its own rank");
  waits_.push_back({earlier, 2 * op + (only_begun ? 1u : 0u)});
}

void ProgramBuilder::pair() {
  Program& p = out_;
  std::array<std::vector<Op>, 2> ops;  // sends, receives
  for (Op op = 0; op < p.size(); ++op) {
    if (p.kind[op] == Program::Kind::compute)
      p.partner[op] = op;
    else
      ops[p.kind[op] == Program::Kind::receive].push_back(op);
  }
  const auto key = [&](Op op) {
    const bool sends = p.kind[op] == Program::Kind::send;
    return std::tuple(sends ? p.rank[op] : p.partner[op], sends ? p.partner[op] : p.rank[op], p.tag[op]);
  };
  const auto less = [&](Op a, Op b) { return key(a) < key(b); };
  for (auto& some : ops) std::stable_sort(some.begin(), some.end(), less);
  const auto refuse = [&](Op op) {
    const bool sends = p.kind[op] == Program::Kind::send;
    throw InputError(Place{p.file, p.line[op]},
                     fmt::format("rank {} {} rank {} with tag {}, and rank {} has no {} for it", p.rank[op],
                                 sends ? "sends to" : "receives from", p.partner[op], p.tag[op],
                                 p.partner[op], sends ? "receive" : "send"));
  };
  const auto& [sends, receives] = ops;
  std::vector<Op> unpaired;
  std::size_t r = 0;
  std::vector<std::pair<Op, Op>> pairs;
  for (const Op send : sends) {
    for (; r < receives.size() && less(receives[r], send); ++r) unpaired.push_back(receives[r]);
    if (r < receives.size() && !less(send, receives[r]))
      pairs.emplace_back(send, receives[r++]);
    else
      unpaired.push_back(send);
  }
  unpaired.insert(unpaired.end(), receives.begin() + static_cast<std::ptrdiff_t>(r), receives.end());
  if (!unpaired.empty()) refuse(*std::min_element(unpaired.begin(), unpaired.end()));
  for (const auto& [send, receive] : pairs) {
    p.partner[send] = receive;
    p.partner[receive] = send;
    if (p.amount[receive] != p.amount[send]) p.unequal.push_back({receive, p.amount[receive]});
    p.amount[receive] = p.amount[send];
  }
}

void ProgramBuilder::list_next() {
  out_.first_next.assign(out_.size() + std::size_t{1}, 0);
  for (const Wait& wait : waits_) ++out_.first_next[wait.earlier + 1];
  std::partial_sum(out_.first_next.begin(), out_.first_next.end(), out_.first_next.begin());
  out_.next.resize(waits_.size());
  std::vector<u32> at(out_.first_next.begin(), out_.first_next.end() - 1);
  for (const Wait& wait : waits_) out_.next[at[wait.earlier]++] = wait.next;
  waits_ = {};
}

Program ProgramBuilder::take() {
  if (waits_.size() >= ~u32{0}) throw InputError(Place{out_.file, 0}, "found too many dependencies");
  if (!out_.weight.empty()) out_.weight.resize(out_.size(), 1);
  pair();
  list_next();
  return std::move(out_);
}

std::vector<Op> find_cycle(const Program& program, Buffering buffering) {
  const WaitGraph graph(program, buffering);
  const std::vector<u32> left = graph.left();
  constexpr u32 nobody = ~u32{0};
  std::vector<u32> before(left.size(), nobody);  // one of those that a node still waits for
  u32 node = nobody;
  for (u32 n = 0; n < left.size(); ++n) {
    if (left[n] == 0) continue;
    if (node == nobody) node = n;
    graph.each_after(n, [&](u32 after) {
      if (before[after] == nobody) before[after] = n;
    });
  }
  if (node == nobody) return {};
  std::vector<bool> seen(left.size());
  for (; !seen[node]; node = before[node]) seen[node] = true;
  std::vector<Op> out;
  for (u32 at = before[node];; at = before[at]) {
    if (out.empty() || out.back() != at / 2) out.push_back(at / 2);
    if (at == node) break;
  }
  if (out.size() > 1 && out.front() == out.back()) out.pop_back();
  return out;
}

std::string cycle_text(const Program& program, const std::vector<Op>& cycle) {
  constexpr std::size_t shown = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(cycle.size(), shown); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : "; which waits for ", program.name(cycle[i]));
  return out + (cycle.size() > shown ? fmt::format("; and {} more", cycle.size() - shown)
                                     : "; which waits for the first");
}

void require_end(const Program& program) {
  const std::vector<Op> cycle = find_cycle(program, Buffering::all);
  if (cycle.empty()) return;
  throw InputError(Place{program.file, program.line[cycle.front()]},
                   "operations wait for each other in a circle: " + cycle_text(program, cycle));
}

}  // namespace banyan::traffic
