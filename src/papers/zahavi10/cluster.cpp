// Section III of zahavi10: collectives and an adversarial ring on 1,944 hosts, flit by flit and at flow
// level.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "papers/zahavi10/zahavi10.hpp"
#include "traffic/rounds.hpp"

namespace banyan::papers {
namespace {

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

constexpr double host_bandwidth = 3250, link_bandwidth = 4000;  // MB/s
constexpr u32 flit_bytes = 256, doubling_rounds = 11;

enum class Sequence : u8 { shift, doubling };

constexpr Sequence sequences[] = {Sequence::shift, Sequence::doubling};
constexpr Rounds all_rounds[] = {Rounds::independent, Rounds::exchange, Rounds::barrier};
std::string_view name_of(Sequence sequence) {
  return sequence == Sequence::shift ? "shift" : "recursive doubling";
}

// What was simulated, as shares of the bandwidth of the hosts.
class Points {
 public:
  Points(const StudyRows& rows, bool quick)
      : rows_(rows),
        quick_(quick),
        sizes_(quick ? std::vector<u32>{4, 16, 64} : std::vector<u32>{4, 16, 64, 256, 1024}) {}

  // Every size moves the same bytes, so that the beginning and the end of a run weigh the same; from 256 KB
  // on 16 shifts are enough.
  u32 shifts(u32 kilobytes) const {
    const u32 equal = (quick_ ? 6 * 64 : 16 * 256) / kilobytes;
    return quick_ ? equal : std::max(equal, 16u);
  }
  bool is_quick() const { return quick_; }
  const std::vector<u32>& sizes() const { return sizes_; }
  u32 largest() const { return sizes_.back(); }

  // Until the last message has arrived; `option` is what differs.
  double at(std::string_view part, Sequence sequence, u32 kilobytes, const std::string& option,
            std::string_view queueing = "simulate") const {
    const double cycles = 1024.0 * kilobytes / flit_bytes * link_bandwidth / host_bandwidth;
    const StoredPoint& point =
        rows_.point(part, {traffic(sequence, 1024 * kilobytes, shifts(kilobytes)), option, queueing});
    if (row_of(point, "completed") == 0) throw std::logic_error("the collective does not end");
    return rounds(sequence, kilobytes) * cycles / row_of(point, "completion");
  }
  // Of the largest size, over several random orders.
  Interval over_orders(Sequence sequence) const {
    std::vector<double> shares;
    for (const u32 seed : quick_ ? std::vector<u32>{1} : std::vector<u32>{1, 2, 3, 4, 5})
      shares.push_back(100 * at("orders", sequence, largest(), fmt::format("seed={}", seed)));
    return estimate(shares).interval();
  }
  // By size, in random order.
  std::vector<double> curve(Sequence sequence, Rounds rounds, std::string_view queueing = "fifo") const {
    std::vector<double> out;
    for (const u32 size : sizes_)
      out.push_back(at("figure 3", sequence, size, text(rounds), fmt::format("queueing={}", queueing)));
    return out;
  }
  double of_largest(Sequence sequence, Rounds rounds, bool ordered) const {
    return ordered ? at("in order", sequence, largest(), text(rounds)) : curve(sequence, rounds).back();
  }
  // The same, of long messages as a fluid.
  double fluid(Sequence sequence, Rounds rounds_of, bool ordered) const {
    const double time = rows_.row(
        "fluid", {traffic(sequence, 1, quick_ ? 6 : 16), text(rounds_of), ordered ? "linear" : "random"},
        "seconds");
    return (sequence == Sequence::shift ? (quick_ ? 6 : 16) : doubling_rounds) / host_bandwidth / time;
  }

 private:
  double rounds(Sequence sequence, u32 kilobytes) const {
    return sequence == Sequence::shift ? shifts(kilobytes) : doubling_rounds;
  }
  static std::string traffic(Sequence sequence, u32 bytes, u32 shift_rounds) {
    return sequence == Sequence::shift ? fmt::format("all-shifts:rounds={},bytes={}", shift_rounds, bytes)
                                       : fmt::format("recursive-doubling:fold=0,bytes={}", bytes);
  }
  static std::string text(Rounds rounds) {
    return fmt::format("rounds={}", option_names(rounds)[static_cast<std::size_t>(rounds)]);
  }

  const StudyRows& rows_;
  bool quick_;
  std::vector<u32> sizes_;
};

void show_figure3(Reproduction& out, const Points& points) {
  for (const Sequence sequence : sequences) {
    std::vector<Cells> rows;
    const auto independent = points.curve(sequence, Rounds::independent);
    const auto exchange = points.curve(sequence, Rounds::exchange);
    const auto barrier = points.curve(sequence, Rounds::barrier);
    std::vector<std::string> columns = {"KB", "independent", "exchange", "barrier"};
    for (std::size_t i = 0; i < points.sizes().size(); ++i)
      rows.push_back({std::to_string(points.sizes()[i]), percent(independent[i]), percent(exchange[i]),
                      percent(barrier[i])});
    if (!points.is_quick()) {
      columns.emplace_back("independent, voq");
      const auto apart = points.curve(sequence, Rounds::independent, "voq");
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(percent(apart[i]));
    }
    const std::string id = sequence == Sequence::shift ? "shift" : "doubling";
    ShownTable table{
        fmt::format("Figure 3, {}, random order: % of the hosts' bandwidth by message size, simulated",
                    name_of(sequence)),
        std::move(columns), std::move(rows)};
    table.statements = {id + ".async", id + ".falls", id + ".sync", "average"};
    if (sequence == Sequence::shift) table.statements.emplace_back("buffers");
    const double largest = points.sizes().back();
    table.theirs = {{largest / 4, largest, 40, 40, "about 40 % for large messages", "independent"}};
    out.show(std::move(table));
  }
}

void show_order(Reproduction& out, const Points& points) {
  std::vector<Cells> rows;
  for (const Sequence sequence : sequences)
    for (const Rounds rounds : all_rounds) {
      const auto simulated = [&](bool ordered) {
        return percent(points.of_largest(sequence, rounds, ordered));
      };
      const auto fluid = [&](bool ordered) { return percent(points.fluid(sequence, rounds, ordered)); };
      rows.push_back({std::string(name_of(sequence)),
                      std::string(option_names(rounds)[static_cast<std::size_t>(rounds)]), simulated(false),
                      simulated(true), fluid(false), fluid(true)});
    }
  out.show(fmt::format("d-mod-k with ranks in random order and in order, messages of {} KB and as a fluid: % "
                       "of the hosts' bandwidth",
                       points.largest()),
           {"sequence", "rounds", "simulated, random", "in order", "fluid, random", "in order"},
           std::move(rows));
}

bool always_falls(const std::vector<double>& curve) {
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (curve[i] > 1.01 * curve[i - 1]) return false;
  return curve.back() < curve.front();
}

std::string listed(const std::vector<double>& curve) {
  std::vector<std::string> out;
  for (const double share : curve) out.push_back(percent(share));
  return fmt::format("{} %", fmt::join(out, ", "));
}

void judge_collectives(Reproduction& out, const Points& points) {
  Interval mean;
  for (const Sequence sequence : sequences) {
    const std::string id = sequence == Sequence::shift ? "shift" : "doubling";
    const auto apart = points.curve(sequence, Rounds::independent);
    const auto together = points.curve(sequence, Rounds::barrier);
    const Interval share = points.over_orders(sequence);
    mean = {mean.mean + share.mean / 2, std::hypot(mean.half_width, share.half_width / 2)};
    out.number(
        id + ".async", share,
        guess(
            "the text gives neither buffers, arbitration, number of stages nor sizes; ours counts until the "
            "last message of the slowest rank has arrived"));
    out.ordering(id + ".falls", in_all(always_falls(apart), points.is_quick()),
                 sequence == Sequence::shift ? guess("sizes that buffers do not take in fare alike")
                                             : known("it has 11 rounds whatever the size, and the time until "
                                                     "the last message of 4 KB has arrived "
                                                     "is mostly its way through the fabric"),
                 "by size: " + listed(apart));
    out.ordering(id + ".sync",
                 std::equal(together.begin(), together.end(), apart.begin(), std::less<double>()),
                 guess("the barrier itself is free here"),
                 fmt::format("by size: {} with a barrier, {} without", listed(together), listed(apart)));
  }
  out.number("average", mean, known("it follows from the two sequences"));
  out.number("shift.ordered", 100 * points.of_largest(Sequence::shift, Rounds::independent, true));
  const auto buffered = [&](std::string_view part, const char* option, std::string_view queueing) {
    return points.at(part, Sequence::shift, 64, option, queueing);
  };
  const std::vector<double> by_buffer = {buffered("buffers", "buffer-flits=32", "simulate"),
                                         buffered("figure 3", "rounds=independent", "queueing=fifo"),
                                         buffered("buffers", "buffer-flits=512", "simulate")};
  out.ordering("buffers", by_buffer[0] < by_buffer[1] && by_buffer[1] < by_buffer[2],
               guess("buffers fill before the sequence ends"),
               "with buffers of 8, 32 and 128 KB: " + listed(by_buffer));
}

void ring(Reproduction& out, const StudyRows& rows) {
  const auto flows_of = [&](const char* ring) { return rows.row("ring", {ring, "load"}, "max_load"); };
  const auto share_of = [&](const char* ring) { return rows.row("ring", {ring, "simulate"}, "accepted"); };
  const char *adversarial = "adversarial:kind=ring", *in_order = "ring";
  const double share = share_of(adversarial), ordered = share_of(in_order), flows = flows_of(adversarial);
  out.number("ring.flows", flows);
  const std::string why = known("an eighteenth of a link is 222.2 MB/s; the paper's hosts got 4 % more");
  out.number("ring.bandwidth", share * host_bandwidth, why);
  out.number("ring.share", 100 * share, why);
  out.number("ring.intro", 100 * share, why);
  out.number("ring.factor", 1 / share, why);
  out.show("A ring through all hosts, simulated until it is steady",
           {"ring", "flows on the worst channel", "MB/s", "% of the hosts' bandwidth"},
           {{"adversarial", fmt::format("{:g}", flows), fmt::format("{:.1f}", share * host_bandwidth),
             percent(share)},
            {"in order", fmt::format("{:g}", flows_of(in_order)),
             fmt::format("{:.1f}", ordered * host_bandwidth), percent(ordered)}});
}

void assume(Reproduction& out, u32 shifts, bool quick) {
  out.assume(
      "the cluster is PGFT(3; 18,18,6; 1,18,3; 1,1,6), routed by d-mod-k; links of hosts carry 3250 MB/s "
      "each "
      "way, all others 4000");
  out.assume(
      "simulated: virtual cut-through, one lane, flits of 256 bytes (a cycle is 64 ns), packets of 2 KB, "
      "input "
      "buffers of 32 KB a port served in order (voq: packets for different outputs pass each other), one "
      "cycle "
      "for link and switch each");
  out.assume(fmt::format(
      "shift: every size moves the same bytes ({} shifts of 64 KB, 16 times as many of 4 KB, spread over all "
      "1943{}); recursive doubling: 11 rounds, rank i with i xor 2^r where "
      "there is one; one random order of ranks, for the numbers of large messages {}",
      shifts, quick ? "; quick: messages up to 64 KB" : "; from 256 KB on 16",
      quick ? "too, which decides nothing" : "five"));
  out.assume(
      "independent: a rank goes on when its message has left, as in the paper; exchange: when the one to it "
      "has arrived, too; barrier: all ranks together, when everything has arrived. The barrier itself is "
      "free");
  out.assume(
      "bandwidth of a sequence: the time that its rounds take at 3250 MB/s over the time until the last "
      "message has arrived; \"falls\" allows steps up of 1 %");
}

}  // namespace

void zahavi10_cluster(Reproduction& out, const StudyRows& rows, bool quick) {
  const Points points(rows, quick);
  assume(out, points.shifts(64), quick);
  show_figure3(out, points);
  show_order(out, points);
  judge_collectives(out, points);
  ring(out, rows);
}

}  // namespace banyan::papers
