#include "verify/choice_report.hpp"

#include <limits>

#include "base/assert.hpp"
#include "routing/walk.hpp"

namespace banyan::verify {
namespace {

constexpr u32 unreached = std::numeric_limits<u32>::max();

class Reporter {
 public:
  Reporter(const Fabric& fabric, const Routing& routing)
      : fabric_(fabric),
        tables_(std::get<Tables>(routing.forward)),
        source_(routing.source),
        choice_(*routing.source.choice()) {
    out_.groups = choice_.groups;
    for (u64 bytes : choice_.sizes)
      for (u32 from = 0; from < choice_.groups; ++from)
        for (u32 to = 0; to < choice_.groups; ++to)
          out_.cells.push_back({.bytes = bytes, .from = from, .to = to});
    for (u32 from = 0; from < choice_.groups; ++from)
      for (u32 to = 0; to < choice_.groups; ++to) out_.criteria.push_back({.from = from, .to = to});
  }

  ChoiceReport run() && {
    for (Node to : fabric_.nic_nodes()) {
      measure_distances(to);
      for (Node from : fabric_.nic_nodes())
        if (distance_[index(from)] != unreached && distance_[index(from)] > 2) add_pair(from, to);
    }
    for (ChoiceCell& cell : out_.cells)
      if (cell.pairs > 0) cell.extra /= static_cast<double>(cell.pairs);
    return std::move(out_);
  }

 private:
  // Breadth first from the destination; NICs do not forward.
  void measure_distances(Node to) {
    distance_.assign(fabric_.nodes().size(), unreached);
    distance_[index(to)] = 0;
    queue_.assign(1, to);
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (Channel c : fabric_.channels(queue_[i])) {
        if (!fabric_.cabled(c) || distance_[index(fabric_.to(c))] != unreached) continue;
        distance_[index(fabric_.to(c))] = distance_[index(queue_[i])] + 1;
        if (fabric_.is_switch(fabric_.to(c))) queue_.push_back(fabric_.to(c));
      }
  }

  u32 length(Node from, Node to, const Header& header) const {
    u32 steps = 0;
    const Step end = walk(fabric_, tables_, from, header, to, [&](Channel) { ++steps; });
    return end.arrived() ? steps : unreached;
  }

  void add_pair(Node from, Node to) {
    const u32 groups = choice_.groups, a = choice_.group[index(from)], b = choice_.group[index(to)];
    ChoiceCriteria& criteria = out_.criteria[std::size_t{a} * groups + b];
    bool some_shortest = false, some_around = false;
    ++criteria.pairs;
    for (std::size_t size = 0; size < choice_.sizes.size(); ++size) {
      ChoiceCell& cell = out_.cells[(size * groups + a) * groups + b];
      source_.ways(fabric_.nic(from), fabric_.nic(to), cell.bytes, ways_);
      u64 shortest = 0, around = 0, extra = 0;
      for (const Header& header : ways_) {
        const u32 steps = length(from, to, header);
        if (steps == unreached) continue;
        ++(steps == distance_[index(from)] ? shortest : around);
        extra += steps - distance_[index(from)];
      }
      const u64 ways = ways_.size();
      if (ways == 0 || shortest + around < ways) {
        ++cell.unreachable;
        continue;
      }
      ++cell.pairs;
      cell.shortest += shortest == ways;
      cell.around += around == ways;
      cell.extra += static_cast<double>(extra) / static_cast<double>(ways);
      some_shortest |= shortest > 0;
      some_around |= around > 0;
      if (size == 0) criteria.small_shortest += shortest == ways;
      if (size + 1 == choice_.sizes.size()) criteria.large_around += around == ways;
    }
    criteria.both += some_shortest && some_around;
  }

  const Fabric& fabric_;
  const Tables& tables_;
  const Source& source_;
  const AddressChoice& choice_;
  ChoiceReport out_;
  std::vector<u32> distance_;
  std::vector<Node> queue_;
  std::vector<Header> ways_;
};

}  // namespace

ChoiceCriteria ChoiceReport::all() const {
  ChoiceCriteria out;
  for (const ChoiceCriteria& c : criteria) {
    out.pairs += c.pairs;
    out.small_shortest += c.small_shortest;
    out.large_around += c.large_around;
    out.both += c.both;
  }
  return out;
}

ChoiceReport report_choice(const Fabric& fabric, const Routing& routing) {
  BANYAN_ASSERT(routing.source.choice() && std::holds_alternative<Tables>(routing.forward),
                "the routing has tables and a table of choices");
  return Reporter(fabric, routing).run();
}

}  // namespace banyan::verify
