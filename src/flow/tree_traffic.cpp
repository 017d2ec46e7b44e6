#include "flow/tree_traffic.hpp"

#include <algorithm>
#include <stdexcept>

#include "flow/bound.hpp"
#include "flow/linear_program.hpp"

namespace banyan::flow {

TreeTraffic::TreeTraffic(const ChannelUses& uses, const Pgft& tree, Measure measure)
    : uses_(uses), tree_(tree) {
  for (u32 k = 0; k < tree.h(); ++k)
    limit_.push_back(static_cast<double>(cables_above(tree, k)) * capacity(tree.links[k], measure));
}

std::vector<TreeTraffic::Ends> TreeTraffic::ends(std::span<const ChannelUse> on_channel) const {
  const auto endpoint = [&](Nic nic) { return tree_.endpoint_of_nic(nic); };
  std::vector<Ends> out;
  for (const ChannelUse& use : on_channel) {
    const auto alike = uses_.members(use.source);
    const u32 from = endpoint(alike[alike[0] == use.to && alike.size() > 1]), to = endpoint(use.to);
    out.push_back({endpoint(alike[0]), to, tree_.meeting_level(from, to)});
  }
  return out;
}

// From the hosts up: what the uses below a subtree can carry is at most what they can below its children, and
// if all of them cross its cables, what these can.
double TreeTraffic::side_bound(std::span<const ChannelUse> on_channel, std::span<const Ends> ends,
                               bool leaving) const {
  struct Below {
    u32 subtree, source;
    double parts;
    u32 weight, meeting;  // the heaviest; the lowest level where a pair meets
  };
  std::vector<Below> all;
  for (std::size_t i = 0; i < ends.size(); ++i)
    all.push_back({leaving ? ends[i].from : ends[i].to, leaving ? on_channel[i].source : 0, 0,
                   on_channel[i].weight, ends[i].meeting});
  std::sort(all.begin(), all.end(), [](const Below& a, const Below& b) {
    return std::pair(a.subtree, a.source) < std::pair(b.subtree, b.source);
  });
  for (u32 k = 0; k < tree_.h(); ++k) {
    std::size_t kept = 0;
    for (const Below& below : all) {
      Below* last = kept > 0 ? &all[kept - 1] : nullptr;
      if (last && last->subtree == below.subtree && (k > 0 || last->source == below.source)) {
        last->parts += below.parts;
        last->weight = std::max(last->weight, below.weight);
        last->meeting = std::min(last->meeting, below.meeting);
      } else {
        all[kept++] = below;
      }
    }
    all.resize(kept);
    for (Below& b : all) {
      const double hosts = k == 0 && leaving ? static_cast<double>(uses_.members(b.source).size()) : 1;
      const double crossing = limit_[k] * hosts * b.weight;
      if (b.meeting > k) b.parts = k == 0 ? crossing : std::min(b.parts, crossing);
      b.subtree /= tree_.m[k];
    }
  }
  double sum = 0;
  for (const Below& b : all) sum += b.parts;
  return sum;
}

double TreeTraffic::bound(std::span<const ChannelUse> on_channel) const {
  const std::vector<Ends> pairs = ends(on_channel);
  return std::min(side_bound(on_channel, pairs, true), side_bound(on_channel, pairs, false));
}

TreeTraffic::Heaviest TreeTraffic::solve(std::span<const ChannelUse> on_channel) const {
  const std::vector<Ends> pairs = ends(on_channel);
  LinearProgram program;
  for (const ChannelUse& use : on_channel) program.add_column(use.weight);
  struct Term {
    u64 row;  // its subtree
    u32 column;
  };
  std::vector<Term> terms;
  std::vector<LinearProgram::Entry> row;
  const auto add_rows = [&](double limit, bool is_group) {
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
      return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
    for (std::size_t i = 0; i < terms.size();) {
      const u64 number = terms[i].row;
      row.clear();
      for (; i < terms.size() && terms[i].row == number; ++i) row.push_back({terms[i].column, 1});
      const auto hosts = is_group ? uses_.members(static_cast<u32>(number)).size() : 1;
      program.add_row(-unlimited, limit * static_cast<double>(hosts), row);
    }
    terms.clear();
  };
  u32 below = 1;  // M_k
  for (u32 k = 0; k < tree_.h(); below *= tree_.m[k++])
    for (bool leaving : {true, false}) {
      for (u32 i = 0; i < pairs.size(); ++i)
        if (pairs[i].meeting > k)
          terms.push_back(
              {leaving ? (k == 0 ? on_channel[i].source : pairs[i].from / below) : pairs[i].to / below, i});
      add_rows(limit_[k], leaving && k == 0);
    }
  LinearSolution solution = LinearSolver(program).maximise();
  if (solution.status != LinearSolution::Status::optimal)
    throw std::logic_error("the linear program of a channel was not solved; please report this");
  return {solution.value, std::move(solution.at)};
}

}  // namespace banyan::flow
