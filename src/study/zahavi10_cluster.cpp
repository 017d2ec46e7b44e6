// Section III of zahavi10: collectives and an adversarial ring on 1,944 hosts, flit by flit and at flow
// level.
#include <fmt/format.h>

#include <algorithm>

#include "engines/engine.hpp"
#include "flit/measure.hpp"
#include "flow/load.hpp"
#include "flow/message_time.hpp"
#include "study/zahavi10.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
namespace {

using Row = std::vector<std::string>;

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

Routing routed(const Topology& topology) {
  RouteResult result = route(topology, "dmodk");
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw std::logic_error(reason->why);
  return std::get<Routing>(std::move(result));
}

// --- section III: the cluster
// --------------------------------------------------------------------------------

constexpr double host_bandwidth = 3250, link_bandwidth = 4000;  // MB/s
constexpr u32 hosts = 1944, flit_bytes = 256, packet_flits = 8;
constexpr u32 doubling_rounds = 11;

enum class Sequence : u8 { shift, doubling };

// Shifts spread over all of them, or exchanges with i xor 2^r as far as there is such a rank.
Traffic traffic_of(Sequence sequence, u32 shifts, double bytes) {
  const auto list = [=](u64, u64, u64 round, std::vector<Demand>& out) {
    const u32 r = static_cast<u32>(round);
    for (u32 i = 0; i < hosts; ++i) {
      const u32 to =
          sequence == Sequence::doubling ? i ^ 1u << r : (i + 1 + r * (hosts - 1) / shifts) % hosts;
      if (to < hosts) out.push_back({Rank{i}, Rank{to}, bytes});
    }
  };
  const u64 rounds = sequence == Sequence::doubling ? doubling_rounds : shifts;
  return {.ranks = hosts, .list = list, .rounds = rounds, .in_bytes = true};
}

struct Point {
  Sequence sequence;
  Rounds rounds;
  u32 kilobytes;
  bool ordered = false;
  u32 buffer_flits = 128;
  Queueing queueing = Queueing::fifo;
  bool operator==(const Point&) const = default;
};

class Cluster {
 public:
  explicit Cluster(const PaperOptions& options)
      : shifts_(options.quick ? 6 : 16),
        seed_(options.seed),
        random_(place(topology_.fabric, hosts, options.seed, "random")) {}

  u32 shifts() const { return shifts_; }

  // Of the bandwidth of the hosts, until the last message has arrived.
  double simulated(const Point& point) const {
    const Traffic traffic = traffic_of(point.sequence, shifts_, 1024.0 * point.kilobytes);
    const SimulationSetup setup{
        topology_.fabric,
        routing_,
        {.buffer_flits = point.buffer_flits, .queueing = point.queueing},
        {.packet_flits = packet_flits, .flit_bytes = flit_bytes, .rounds = point.rounds},
        seed_};
    const Measurement m = measure_rounds(setup, traffic, order(point.ordered), {.max_cycles = 1'000'000'000});
    if (!m.completion_cycles) throw std::logic_error("the collective does not end");
    const double cycles = 1024.0 * point.kilobytes / flit_bytes * link_bandwidth / host_bandwidth;
    return static_cast<double>(traffic.rounds) * cycles / static_cast<double>(*m.completion_cycles);
  }

  // The same, of long messages as a fluid.
  double fluid(Sequence sequence, Rounds rounds, bool ordered) const {
    const Traffic traffic = traffic_of(sequence, shifts_, 1);
    const TimeOptions options{
        .rates = {.host = host_bandwidth}, .rounds = rounds, .resolution = 0.03 / host_bandwidth};
    const CollectiveTime time =
        collective_time(topology_.fabric, routing_, traffic, order(ordered), options, seed_);
    return static_cast<double>(traffic.rounds) / host_bandwidth / time.total;
  }

  double max_flows(const Traffic& traffic) const {
    std::vector<Demand> demands;
    std::vector<Flow> flows;
    traffic.list(seed_, 0, 0, demands);
    append_flows(demands, linear_, flows);
    const auto load = loads(topology_.fabric, routing_, flows);
    return *std::max_element(load.begin(), load.end());
  }

  // Everyone sends for ever; a share of the bandwidth of the hosts.
  double lasting(const Traffic& traffic, u64 cycles) const {
    const MessageOptions messages{.arrivals = Arrivals::back_to_back,
                                  .packet_flits = packet_flits,
                                  .message_packets = 512,
                                  .flit_bytes = flit_bytes};
    const SimulationSetup setup{topology_.fabric, routing_, {.buffer_flits = 128}, messages, seed_};
    return measure(setup, Workload::open(topology_.fabric, traffic, linear_, messages, seed_),
                   {.cycles = cycles})
        .accepted.mean;
  }

  Traffic pattern(std::string_view name) const { return make_traffic({topology_, hosts}, name); }

 private:
  const Placement& order(bool ordered) const { return ordered ? linear_ : random_; }

  u32 shifts_;
  u64 seed_;
  Topology topology_ = make_topology("PGFT(3; 18,18,6; 1,18,3; 1,1,6; capacity=3250/4000/4000)");
  Routing routing_ = routed(topology_);
  Placement linear_ = place_linearly(hosts), random_;
};

// --- section III: what was measured
// --------------------------------------------------------------------------

constexpr Sequence sequences[] = {Sequence::shift, Sequence::doubling};
constexpr Rounds all_rounds[] = {Rounds::independent, Rounds::exchange, Rounds::barrier};
constexpr u32 small_buffer = 32, large_buffer = 512, buffer_kilobytes = 64;

std::string_view name_of(Sequence sequence) {
  return sequence == Sequence::shift ? "shift" : "recursive doubling";
}

// Every point of the figures, simulated.
class Points {
 public:
  Points(const Cluster& cluster, const PaperOptions& options)
      : sizes_(options.quick ? std::vector<u32>{4, 16, 64} : std::vector<u32>{4, 16, 64, 256, 1024}) {
    for (auto size = sizes_.rbegin(); size != sizes_.rend(); ++size) add_size(*size);  // the longest first
    for (const u32 buffer : {small_buffer, large_buffer})
      points_.push_back({Sequence::shift, Rounds::independent, buffer_kilobytes, false, buffer});
    shares_.resize(points_.size());
    Progress progress("section III", points_.size());
    parallel_for(
        points_.size(), options.threads, [&](u64 i) { shares_[i] = cluster.simulated(points_[i]); },
        &progress);
  }

  const std::vector<u32>& sizes() const { return sizes_; }
  u32 largest() const { return sizes_.back(); }
  double at(const Point& point) const {
    const auto found = std::find(points_.begin(), points_.end(), point);
    return shares_.at(static_cast<std::size_t>(found - points_.begin()));
  }
  // By size, in random order.
  std::vector<double> curve(Sequence sequence, Rounds rounds, Queueing queueing = Queueing::fifo) const {
    std::vector<double> out;
    for (const u32 size : sizes_) {
      Point point{sequence, rounds, size};
      point.queueing = queueing;
      out.push_back(at(point));
    }
    return out;
  }

 private:
  void add_size(u32 kilobytes) {
    for (const Sequence sequence : sequences) {
      for (const Rounds rounds : all_rounds) {
        points_.push_back({sequence, rounds, kilobytes});
        if (kilobytes == largest()) points_.push_back({sequence, rounds, kilobytes, true});
      }
      Point apart{sequence, Rounds::independent, kilobytes};
      apart.queueing = Queueing::voq;
      points_.push_back(apart);
    }
  }

  std::vector<u32> sizes_;
  std::vector<Point> points_;
  std::vector<double> shares_;
};

void show_figure3(Reproduction& out, const Points& points) {
  for (const Sequence sequence : sequences) {
    std::vector<Row> rows;
    const auto independent = points.curve(sequence, Rounds::independent);
    const auto exchange = points.curve(sequence, Rounds::exchange);
    const auto barrier = points.curve(sequence, Rounds::barrier);
    const auto apart = points.curve(sequence, Rounds::independent, Queueing::voq);
    for (std::size_t i = 0; i < points.sizes().size(); ++i)
      rows.push_back({std::to_string(points.sizes()[i]), percent(independent[i]), percent(exchange[i]),
                      percent(barrier[i]), percent(apart[i])});
    out.show(fmt::format("Figure 3, {}, random order: % of the hosts' bandwidth by message size, simulated",
                         name_of(sequence)),
             {"KB", "independent", "exchange", "barrier", "independent, voq"}, std::move(rows));
  }
}

void show_order(Reproduction& out, const Cluster& cluster, const Points& points) {
  std::vector<Row> rows;
  for (const Sequence sequence : sequences)
    for (const Rounds rounds : all_rounds) {
      const auto simulated = [&](bool ordered) {
        return percent(points.at({sequence, rounds, points.largest(), ordered}));
      };
      const auto fluid = [&](bool ordered) { return percent(cluster.fluid(sequence, rounds, ordered)); };
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

bool falls(const std::vector<double>& curve) {
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
  double sum = 0;
  for (const Sequence sequence : sequences) {
    const std::string id = sequence == Sequence::shift ? "shift" : "doubling";
    const auto apart = points.curve(sequence, Rounds::independent);
    const auto together = points.curve(sequence, Rounds::barrier);
    sum += apart.back() / 2;
    out.number(
        id + ".async", 100 * apart.back(),
        "the text gives neither buffers, arbitration, number of stages nor sizes; ours counts until the "
        "last message of the slowest rank has arrived");
    out.ordering(
        id + ".falls", falls(apart),
        fmt::format("by size: {}; a few small messages are soon sent, and the time until the last has "
                    "arrived includes its way through the fabric",
                    listed(apart)));
    out.ordering(id + ".sync",
                 std::equal(together.begin(), together.end(), apart.begin(), std::less<double>()),
                 fmt::format("by size: {} with a barrier, {} without", listed(together), listed(apart)));
  }
  out.number("average", 100 * sum, "follows from the two sequences");
  out.number("shift.ordered",
             100 * points.at({Sequence::shift, Rounds::independent, points.largest(), true}));
  const auto buffered = [&](u32 buffer) {
    return points.at({Sequence::shift, Rounds::independent, buffer_kilobytes, false, buffer});
  };
  const std::vector<double> by_buffer = {buffered(small_buffer), buffered(128), buffered(large_buffer)};
  out.ordering("buffers", by_buffer[0] < by_buffer[1] && by_buffer[1] < by_buffer[2],
               "with buffers of 8, 32 and 128 KB: " + listed(by_buffer));
}

void ring(Reproduction& out, const Cluster& cluster, const PaperOptions& options) {
  const u64 cycles = options.quick ? 5'000 : 40'000;
  const Traffic adversarial = cluster.pattern("adversarial:kind=ring"), in_order = cluster.pattern("ring");
  const double share = cluster.lasting(adversarial, cycles);
  const double ordered = cluster.lasting(in_order, cycles);
  const double flows = cluster.max_flows(adversarial);
  out.number("ring.flows", flows);
  const std::string why = "an eighteenth of a link is 222.2 MB/s; the paper's hosts got 4 % more";
  out.number("ring.bandwidth", share * host_bandwidth, why);
  out.number("ring.share", 100 * share, why);
  out.number("ring.intro", 100 * share, why);
  out.number("ring.factor", 1 / share, why);
  out.show("A ring through all hosts, simulated until it is steady",
           {"ring", "flows on the worst channel", "MB/s", "% of the hosts' bandwidth"},
           {{"adversarial", fmt::format("{:g}", flows), fmt::format("{:.1f}", share * host_bandwidth),
             percent(share)},
            {"in order", fmt::format("{:g}", cluster.max_flows(in_order)),
             fmt::format("{:.1f}", ordered * host_bandwidth), percent(ordered)}});
}

void assume(Reproduction& out, const Cluster& cluster, const PaperOptions& options) {
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
      "shift: {} shifts spread over all 1943{}; recursive doubling: 11 rounds, rank i with i xor 2^r where "
      "there is one; one random order of ranks",
      cluster.shifts(), options.quick ? " (quick: fewer, and messages up to 64 KB)" : ""));
  out.assume(
      "independent: a rank goes on when its message has left, as in the paper; exchange: when the one to it "
      "has arrived, too; barrier: all ranks together, when everything has arrived. The barrier itself is "
      "free");
  out.assume(
      "bandwidth of a sequence: the time that its rounds take at 3250 MB/s over the time until the last "
      "message has arrived; \"falls\" allows steps up of 1 %");
}

}  // namespace

void zahavi10_cluster(Reproduction& out, const PaperOptions& options) {
  const Cluster cluster(options);
  assume(out, cluster, options);
  const Points points(cluster, options);
  show_figure3(out, points);
  show_order(out, cluster, points);
  judge_collectives(out, points);
  ring(out, cluster, options);
}

}  // namespace banyan::study
