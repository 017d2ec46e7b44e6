// Figures 4, 5a and 5b of domke19: collectives by message size and number of hosts as gains over the fat-tree
// with ftree, the barrier, and the ring all-reduce.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "papers/domke19/domke19.hpp"
#include "study/round_timer.hpp"
#include "traffic/pattern.hpp"

namespace banyan::papers::domke19 {

// On par: in every box the better of DFSSSP and random placement is within 10 % of the baseline.
void judge_par(Reproduction& out, std::string_view id, const std::vector<double>& plain,
               const std::vector<double>& random, bool quick) {
  double worst = 0;
  std::size_t outside = 0;
  for (std::size_t b = 0; b < plain.size(); ++b) {
    const double gain = std::max(plain[b], random[b]);
    if (std::abs(gain) > std::abs(worst)) worst = gain;
    outside += std::abs(gain) > 0.1;
  }
  out.ordering(id, in_all(outside == 0, quick),
               guess("hosts in order share one cable between two switches; theirs sent less at once"),
               fmt::format("{} of {} boxes are further than 10 % from it, {:+.2f} at most", outside,
                           plain.size(), worst));
}

void judge_rooted(Reproduction& out, std::string_view id, double gain) {
  out.ordering(
      id, gain > 0.01,
      known("the root's own link limits it on both machines alike; what else slowed their fat-tree is "
            "not in it"),
      fmt::format("the median gain is {:+.5f}", gain));
}

namespace {

// The best over the draws, as the paper takes the best of ten runs.
struct Box {
  std::string_view operation;
  u32 hosts;
  u64 bytes;
  std::array<double, combinations> seconds{};  // 0: not measured
  bool measured() const { return seconds[0] > 0; }
  double gain(u32 i) const { return seconds[0] / seconds[i] - 1; }  // positive: better than the baseline
};

// An all-to-all of n hosts has n - 1 different rounds, or all its messages in one.
constexpr u64 max_rounds = 32, max_at_once = 256;

// All rounds, each as long as its last message; of many different ones some, evenly spread. 0: too many
// messages at once.
double seconds_of(RoundTimer& times, const Topology& t, const std::string& pattern, u32 hosts, u64 seed) {
  const Traffic traffic = make_traffic({t, hosts}, pattern);
  const bool everyone = pattern.starts_with("alltoall");
  if (everyone && traffic.rounds == 1 && hosts > max_at_once) return 0;
  const u64 rounds = everyone ? std::min(traffic.rounds, max_rounds) : traffic.rounds;
  double out = 0;
  std::vector<Demand> round;
  for (u64 k = 0; k < rounds; ++k) {
    round.clear();
    traffic.list(seed, 0, k * traffic.rounds / rounds, round);
    out += times(round);
  }
  return out * static_cast<double>(traffic.rounds) / static_cast<double>(rounds);
}

RoundTimer times_of(const Machines& m, u32 i, const Placement& placement) {
  return {m.topology(i).fabric, m.routing(i), placement, time_options(i), i == parx ? parx_threshold : 0};
}

std::vector<u64> sizes(bool quick) {
  if (quick) return {8, 512, 16 << 10, 512 << 10, 4 << 20};
  return {8, 64, 512, 4 << 10, 32 << 10, 128 << 10, 512 << 10, 1 << 20, 4 << 20};
}

std::string bytes_text(u64 bytes) {
  return bytes >= 1 << 30   ? fmt::format("{} GiB", bytes >> 30)
         : bytes >= 1 << 20 ? fmt::format("{} MiB", bytes >> 20)
         : bytes >= 1 << 10 ? fmt::format("{} KiB", bytes >> 10)
                            : fmt::format("{} B", bytes);
}

Figure::Panel gain_panel(u32 i, std::string_view operation, const std::vector<u32>& counts,
                         const std::vector<Box>& boxes, const std::vector<u64>& bytes) {
  std::vector<std::string> rows;
  for (const u64 b : bytes) rows.push_back(bytes_text(b));
  Figure::Panel out = make_panel(std::string(combination(i).name), rows, as_texts(counts));
  for (const Box& box : boxes) {
    if (box.operation != operation || !box.measured()) continue;
    const auto row = std::find(bytes.begin(), bytes.end(), box.bytes) - bytes.begin();
    const auto column = std::find(counts.begin(), counts.end(), box.hosts) - counts.begin();
    out.at(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) = {box.gain(i)};
  }
  return out;
}

struct Measured {
  std::vector<u32> counts;
  std::vector<Box> boxes;
};

void show(Reproduction& out, const std::vector<Measured>& all, const PaperOptions& options) {
  static const std::map<std::string_view, std::vector<std::string>> about = {
      {"broadcast", {"bcast.par"}},      {"gather", {"gather.large"}},
      {"scatter", {"scatter.large"}},    {"reduce", {"reduce.par"}},
      {"allreduce", {"allreduce.bias"}}, {"alltoall", {"alltoall.14", "parx.least"}}};
  for (const std::string_view operation : operations) {
    Figure figure{.kind = Figure::Kind::gains,
                  .title = fmt::format("{}{} (Figure 4): gain over the fat-tree with ftree, linear",
                                       static_cast<char>(operation[0] - 'a' + 'A'), operation.substr(1)),
                  .down = "message size",
                  .across = "hosts",
                  .value = "gain",
                  .statements = about.at(operation)};
    if (operation == "alltoall")
      figure.note = fmt::format(
          "Empty boxes: all messages in one round on more than {} hosts are too many to be computed in time. "
          "Where every round is another shift, {} of them stand for all.",
          max_at_once, max_rounds);
    for (u32 i = 1; i < combinations; ++i)
      for (const Measured& m : all)
        figure.panels.push_back(gain_panel(i, operation, m.counts, m.boxes, sizes(options.quick)));
    out.draw(std::move(figure));
  }
}

template <class Accept>
std::vector<double> gains(const std::vector<Box>& boxes, u32 i, Accept accept) {
  std::vector<double> out;
  for (const Box& box : boxes)
    if (box.measured() && accept(box)) out.push_back(box.gain(i));
  return out;
}

void judge_boxes(Reproduction& out, const std::vector<Box>& boxes, bool quick) {
  const auto of = [&](std::string_view operation, u32 i, u64 least, u64 below, u32 hosts) {
    return gains(boxes, i, [=](const Box& b) {
      return b.operation == operation && b.bytes >= least && b.bytes < below && b.hosts >= hosts;
    });
  };
  constexpr u64 any = ~u64{0};
  for (const auto& [id, operation] :
       {std::pair("bcast.par", "broadcast"), std::pair("reduce.par", "reduce")}) {
    const auto plain = of(operation, minimal, 0, any, 0), random = of(operation, minimal_random, 0, any, 0);
    judge_par(out, id, plain, random, quick);
  }
  const double gathered = median(of("gather", minimal, 512 << 10, any, 0)),
               scattered = median(of("scatter", minimal, 0, any, 56)),
               summed = median(of("allreduce", minimal, 0, 4 << 20, 0));
  judge_rooted(out, "gather.large", gathered);
  judge_rooted(out, "scatter.large", scattered);
  out.ordering("allreduce.bias", summed < 0, guess("latency of the larger tree outweighs shared cables"),
               fmt::format("the median gain is {:+.3f}", summed));
  double fourteen = 0;
  for (const Box& b : boxes)
    if (b.operation == "alltoall" && b.hosts == 14 && b.bytes == 4 << 20) fourteen = b.gain(minimal);
  out.ordering("alltoall.14", fourteen < -0.5, guess("theirs lost to more than the shared cable"),
               fmt::format("the gain is {:+.2f}", fourteen));
  std::array<double, combinations> all{}, small{};
  for (u32 i = 0; i < combinations; ++i) {
    all[i] = mean(gains(boxes, i, [](const Box&) { return true; }));
    small[i] = mean(gains(boxes, i, [](const Box& b) { return b.bytes <= 512; }));
  }
  out.ordering("parx.least",
               *std::min_element(all.begin(), all.end()) == all[parx] && small[parx] < all[parx],
               guess("the cost of the message layer is a parameter"),
               fmt::format("mean gains: DFSSSP {:+.2f}, random {:+.2f}, PARX {:+.2f}", all[minimal],
                           all[minimal_random], all[parx]));
}

// Every round is the same: each rank sends a part to the next. Best over draws, in seconds.
double ring_seconds(const DrawnMachines& machines, u32 i, u32 hosts, double bytes, u64 seed) {
  double best = 0;
  for (std::size_t s = 0; s < machines.size(); ++s) {
    std::vector<Demand> round;
    for (u32 r = 0; r < hosts; ++r) round.push_back({Rank{r}, Rank{(r + 1) % hosts}, bytes / hosts});
    const Placement placement = machines[s].placement(i, hosts, seed + s);
    const double seconds = 2 * (hosts - 1) * times_of(machines[s], i, placement)(round);
    best = best == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

const std::vector<u64>& ring_sizes() {
  static const std::vector<u64> out = {64 << 10, 1 << 20, 32 << 20, 512 << 20, u64{2} << 30};
  return out;
}

}  // namespace

FlowCollectives::FlowCollectives(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks)
    : machines_(machines), options_(options) {
  counts_ = {options.quick ? std::vector<u32>{7, 14, 56} : sevens()};
  if (!options.quick) counts_.push_back(powers_of_two());
  for (const auto& counts : counts_) plan_operations(counts, tasks);
  barriers_.reserve(2);
  plan_barriers("7 to 672 hosts", sevens(), tasks);
  if (!options.quick) plan_barriers("powers of two", powers_of_two(), tasks);
  plan_rings(tasks);
}

void FlowCollectives::plan_operations(const std::vector<u32>& counts, Tasks& tasks) {
  const auto bytes = sizes(options_.quick);
  std::vector<Work> all;
  for (const std::string_view operation : operations)
    for (const u32 hosts : counts)
      for (std::size_t s = 0; s < machines_.size(); ++s)
        for (u32 i = 0; i < combinations; ++i)
          all.push_back({operation, hosts, i, s, std::vector<double>(bytes.size())});
  work_.push_back(std::move(all));
  for (Work& work : work_.back())
    tasks.add(fmt::format("{}/{}/{}/{}", work.operation, work.hosts, work.combination, work.draw),
              work.seconds, [this, &work, bytes] {
                const Machines& m = machines_[work.draw];
                const u64 seed = options_.seed + work.draw;
                const Placement placement = m.placement(work.combination, work.hosts, seed);
                RoundTimer times = times_of(m, work.combination, placement);
                for (std::size_t b = 0; b < bytes.size(); ++b)
                  work.seconds[b] =
                      seconds_of(times, m.topology(work.combination),
                                 fmt::format("{}:bytes={}", work.operation, bytes[b]), work.hosts, seed);
              });
}

void FlowCollectives::plan_barriers(std::string title, const std::vector<u32>& counts, Tasks& tasks) {
  barriers_.push_back(make_panel(std::move(title), as_texts(counts), combination_names()));
  for (std::size_t k = 0; k < barriers_.back().cells.size(); ++k) {
    const u32 hosts = counts[k / combinations], i = static_cast<u32>(k % combinations);
    Figure::Samples& cell = barriers_.back().cells[k];
    cell.resize(machines_.size());
    tasks.add(fmt::format("barrier/{}/{}", hosts, i), cell, [this, &cell, hosts, i] {
      for (std::size_t s = 0; s < cell.size(); ++s) {
        const Machines& m = machines_[s];
        const Placement placement = m.placement(i, hosts, options_.seed + s);
        RoundTimer times = times_of(m, i, placement);
        cell[s] = 1e6 * seconds_of(times, m.topology(i), "barrier", hosts, options_.seed + s);
      }
    });
  }
}

void FlowCollectives::plan_rings(Tasks& tasks) {
  const std::vector<u32> counts = sevens();
  rings_.resize(ring_sizes().size() * counts.size() * combinations);
  for (std::size_t k = 0; k < rings_.size(); ++k) {
    const u32 i = static_cast<u32>(k % combinations), hosts = counts[k / combinations % counts.size()];
    const u64 bytes = ring_sizes()[k / combinations / counts.size()];
    tasks.add(fmt::format("ring/{}/{}/{}", bytes, hosts, i), {&rings_[k]}, [this, k, i, hosts, bytes] {
      rings_[k] = ring_seconds(machines_, i, hosts, static_cast<double>(bytes), options_.seed);
    });
  }
}

void FlowCollectives::report_barriers(Reproduction& out) const {
  Figure figure{.kind = Figure::Kind::whiskers,
                .title = "Barrier (Figure 5b)",
                .down = "hosts",
                .across = "combination",
                .value = "time",
                .unit = "us",
                .statements = {"barrier.parx"}};
  figure.note = fmt::format("Over {} draws of cables and hosts.", machines_.size());
  figure.panels = barriers_;
  double least = 1e9, maximum = 0;
  for (std::size_t n = 0; n < figure.panels[0].rows.size(); ++n) {
    const auto best = [&](u32 i) { return five_numbers(figure.panels[0].at(n, i))[0]; };
    least = std::min(least, best(parx) / best(tree_ftree));
    maximum = std::max(maximum, best(parx) / best(tree_ftree));
    figure.theirs.push_back({0, n, parx, 2.8 * best(tree_ftree), 6.9 * best(tree_ftree),
                             "theirs: 2.8 to 6.9 times the baseline"});
  }
  out.draw(std::move(figure));
  out.ordering("barrier.parx", least >= 2.8 && maximum <= 6.9, known("the parameter is one number"),
               fmt::format("{:.1f} to {:.1f}: the overhead of PARX is a parameter, this follows from it",
                           least, maximum));
}

void FlowCollectives::report_rings(Reproduction& out) const {
  const std::vector<u32> counts = sevens();
  const std::vector<u64>& bytes = ring_sizes();
  Figure figure{.kind = Figure::Kind::gains,
                .title = "Ring all-reduce (Figure 5a): gain over the fat-tree with ftree, linear",
                .down = "message size",
                .across = "hosts",
                .value = "gain",
                .statements = {"ring.ftree", "ring.hyperx"}};
  const auto at = [&](std::size_t b, std::size_t n, u32 i) {
    return rings_[(b * counts.size() + n) * combinations + i];
  };
  std::vector<std::string> rows;
  for (const u64 b : bytes) rows.push_back(bytes_text(b));
  for (u32 i = 1; i < combinations; ++i) {
    Figure::Panel panel = make_panel(std::string(combination(i).name), rows, as_texts(counts));
    for (std::size_t b = 0; b < bytes.size(); ++b)
      for (std::size_t n = 0; n < counts.size(); ++n) panel.at(b, n) = {at(b, n, 0) / at(b, n, i) - 1};
    figure.panels.push_back(std::move(panel));
  }
  out.draw(std::move(figure));
  double worst_tree = 0, worst_hyperx = 0;  // of the longest vectors, on 28 hosts and more
  for (std::size_t n = 2; n < counts.size(); ++n) {
    const std::size_t b = bytes.size() - 1;
    worst_tree = std::max(worst_tree, at(b, n, tree_ftree) / at(b, n, tree_sssp));
    worst_hyperx = std::max(worst_hyperx, at(b, n, minimal) / at(b, n, tree_sssp));
  }
  out.ordering(
      "ring.ftree", worst_tree > 1.05,
      tested(fmt::format("ftree takes {:.2f} times as long as SSSP at most: to a neighbour in order there is "
                         "nothing to collide with, at flow level and in the simulator",
                         worst_tree)));
  out.ordering("ring.hyperx", worst_tree > 1.05 && worst_hyperx <= 1.1,
               known("ftree has no problem here that SSSP and the HyperX could mitigate"),
               fmt::format("{:.2f} times as long as SSSP, and ftree {:.2f} times", worst_hyperx, worst_tree));
}

void FlowCollectives::report(Reproduction& out) const {
  out.assume(
      fmt::format("collectives: the best of {} draws of cables and hosts, as the paper takes the best run",
                  machines_.size()));
  const auto bytes = sizes(options_.quick);
  std::vector<Measured> all;
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    all.push_back({counts_[c], {}});
    for (const Work& work : work_[c]) {
      std::vector<Box>& boxes = all.back().boxes;
      for (std::size_t b = 0; b < bytes.size(); ++b) {
        const auto same = [&](const Box& box) {
          return box.operation == work.operation && box.hosts == work.hosts && box.bytes == bytes[b];
        };
        auto box = std::find_if(boxes.begin(), boxes.end(), same);
        if (box == boxes.end()) box = boxes.insert(box, {work.operation, work.hosts, bytes[b], {}});
        double& best = box->seconds[work.combination];
        best = best == 0 ? work.seconds[b] : std::min(best, work.seconds[b]);
      }
    }
  }
  show(out, all, options_);
  judge_boxes(out, all[0].boxes, options_.quick);
  report_barriers(out);
  report_rings(out);
}

}  // namespace banyan::papers::domke19
