#include "verify/shift_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <sstream>
#include <unordered_map>

#include "base/error.hpp"
#include "fabric/attachments.hpp"
#include "fabric/names.hpp"
#include "routing/walk.hpp"

namespace banyan::verify {
namespace {

// NICs with neighbouring numbers that start alike, as far as the routing says so.
struct Group {
  u32 first, last;  // NICs
};

template <class F>
std::vector<Group> groups_of(const Fabric& fabric, const F& forward, const Source& source) {
  std::vector<Group> out;
  for (u32 nic = 0; nic < fabric.nics(); ++nic) {
    const bool may_join = nic && source.reads() != Reads::nic && enters_alike(forward);
    if (may_join && cabled_alike(fabric, Nic{nic - 1}, Nic{nic}, PairScope::rail) &&
        index(fabric.host(Nic{nic - 1})) + 1 == index(fabric.host(Nic{nic})))
      out.back().last = nic;
    else
      out.push_back({nic, nic});
  }
  return out;
}

// Holds the spans of one size of messages against every path that arrives, destinations in order.
template <Deterministic F>
class SpanCheck {
 public:
  SpanCheck(const ShiftCertificate::Part& part, const Fabric& fabric, const F& forward, const Source& source)
      : part_(part), fabric_(fabric), forward_(forward), source_(source), seen_(fabric.channels().size()) {}

  bool holds() {
    const std::vector<Group> groups = groups_of(fabric_, forward_, source_);
    for (u32 to = 0; to < fabric_.hosts(); ++to)
      for (u32 rail = 0; rail < fabric_.columns(); ++rail) {
        if (fabric_.in_column(Host{to}, rail) == none<Nic>) continue;
        for (const Group& group : groups)
          if (fabric_.column(Nic{group.first}) == rail && !holds(group, to, rail)) return false;
      }
    for (Channel c : seen_.ids())  // around the end of the ring
      if (const Seen& seen = seen_[c]; seen.any && part_.spans[c].suffices() &&
                                       seen.first + fabric_.hosts() - seen.last < part_.spans[c].gap)
        return false;
    return true;
  }

 private:
  struct Seen {
    bool any = false;
    u32 first = 0, last = 0, rail = 0;
  };

  bool holds(const Group& group, u32 to, u32 rail) {
    const u32 goal = index(fabric_.in_column(Host{to}, rail));
    const Group others{group.first + (group.first == goal), group.last - (group.last == goal)};
    if (group.first == goal && group.last == goal) return true;
    const Nic from{others.first};
    const u32 ways = source_.count(from, Nic{goal}, part_.bytes);
    for (u32 i = 0; i < ways; ++i) {
      if (part_.per % ways != 0) return false;
      if (!follow(fabric_.node(from), Node{goal}, source_.way(from, Nic{goal}, part_.bytes, i))) continue;
      for (auto c = path_.begin() + 1; c != path_.end(); ++c) {
        if (part_.spans[*c].suffices() && std::find(path_.begin(), c, *c) != c) return false;
        if (!holds(*c, others, goal, part_.per / ways)) return false;
      }
    }
    return true;
  }

  bool holds(Channel c, const Group& from, u32 goal, u64 units) {
    const ChannelSpan& span = part_.spans[c];
    const u32 hosts = fabric_.hosts(), to = index(fabric_.host(Nic{goal})), rail = fabric_.column(Nic{goal});
    const u32 lo = index(fabric_.host(Nic{from.first})), hi = index(fabric_.host(Nic{from.last}));
    if (span.length == 0 || lo < span.first || hi - span.first >= span.length) return false;
    if (!span.suffices()) {
      for (u32 i = lo; i <= hi; ++i) {
        if (i == to) continue;
        u64& sum = sums_[u64{index(c)} * hosts + (to + hosts - i) % hosts];
        sum += units;
        if (sum > part_.per) return false;
      }
      return true;
    }
    Seen& seen = seen_[c];
    const bool is_known = seen.any && seen.last == to && seen.rail == rail;
    if (seen.any && !is_known && to - seen.last < span.gap) return false;
    seen = {true, seen.any ? seen.first : to, to, rail};
    return true;
  }

  // Its own loop, not routing/walk.hpp: a recheck shares with the judge the step and the rule, no more.
  bool follow(Node at, Node goal, Header header) {
    LoopRule rule;
    path_.clear();
    for (;;) {
      const Step next = step(fabric_, forward_, at, header, goal);
      if (next.lost()) return false;
      path_.push_back(next.channel);
      if (next.arrived()) return true;
      if (rule.closes(next.node, next.state)) return false;
      at = next.node;
      header.state = next.state;
    }
  }

  const ShiftCertificate::Part& part_;
  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  IdVector<Channel, Seen> seen_;
  std::unordered_map<u64, u64> sums_;  // by channel and shift
  std::vector<Channel> path_;
};

template <class F>
bool recheck(const ShiftCertificate& certificate, const Fabric& fabric, const F& forward,
             const Source& source) {
  if constexpr (Deterministic<F>) {
    if (certificate.parts.size() != source.sizes().size()) return false;
    for (std::size_t i = 0; i < certificate.parts.size(); ++i) {
      const ShiftCertificate::Part& part = certificate.parts[i];
      if (part.bytes != source.sizes()[i] || part.spans.size() != fabric.channels().size() ||
          !SpanCheck(part, fabric, forward, source).holds())
        return false;
    }
    return true;
  }
  return false;
}

constexpr std::string_view shift_title = "banyan certificate of shifts, hosts";

// The numbers of a line, what follows a # left out; nothing if there is something else.
std::optional<std::vector<u64>> numbers(const std::string& line, std::string_view before) {
  if (!line.starts_with(before)) return std::nullopt;
  std::istringstream words(line.substr(before.size(), line.find('#') - before.size()));
  std::vector<u64> out;
  for (u64 number = 0; words >> number;) out.push_back(number);
  if (!words.eof()) return std::nullopt;
  return out;
}

}  // namespace

bool recheck_shifts(const ShiftCertificate& certificate, const Fabric& fabric, const Routing& routing) {
  if (certificate.hosts != fabric.hosts()) return false;
  return std::visit(
      [&](const auto& forward) { return recheck(certificate, fabric, forward, routing.source); },
      routing.forward);
}

void write_shift_certificate(std::ostream& out, const ShiftCertificate& certificate, const Fabric& fabric) {
  out << fmt::format("{} {}\n", shift_title, certificate.hosts)
      << "# No channel carries more than one flow in any shift: its sources lie in an interval of hosts "
         "that\n"
         "# is no longer than its destinations are apart. Where it is longer, flows have to be counted.\n"
         "# channel first length gap # port; a channel that is not listed is not used\n";
  for (const ShiftCertificate::Part& part : certificate.parts) {
    out << fmt::format("messages {} {} # of so many bytes; ways are worth a multiple of 1/{}\n", part.bytes,
                       part.per, part.per);
    for (Channel c : fabric.channels())
      if (const ChannelSpan& s = part.spans[c]; s.length)
        out << fmt::format("{} {} {} {} # {}\n", index(c), s.first, s.length, s.gap, port_name(fabric, c));
  }
}

ShiftCertificate read_shift_certificate(std::istream& in, const std::string& file, const Fabric& fabric) {
  const u64 channels = fabric.channels().size(), maximum = ~u32{0};
  ShiftCertificate out;
  std::string line;
  std::getline(in, line);
  const auto hosts = numbers(line, shift_title);
  if (!hosts || hosts->size() != 1 || hosts->front() > maximum)
    throw InputError({file, 1}, fmt::format("expected '{} N', found '{}'", shift_title, line));
  out.hosts = static_cast<u32>(hosts->front());
  for (u64 at = 2; std::getline(in, line); ++at) {
    if (const auto part = numbers(line, "messages"); part && part->size() == 2 && (*part)[1] > 0) {
      out.parts.push_back({(*part)[0], (*part)[1], IdVector<Channel, ChannelSpan>(channels)});
      continue;
    }
    const auto span = numbers(line, "");
    if (span && span->empty()) continue;
    if (!span || span->size() != 4 || out.parts.empty() || span->front() >= channels ||
        *std::max_element(span->begin(), span->end()) > maximum)
      throw InputError({file, at}, fmt::format("expected 'messages BYTES PER' or, behind it, 'CHANNEL FIRST "
                                               "LENGTH GAP', found '{}'",
                                               line));
    out.parts.back().spans[Channel{static_cast<u32>(span->front())}] = {
        static_cast<u32>((*span)[1]), static_cast<u32>((*span)[2]), static_cast<u32>((*span)[3])};
  }
  return out;
}

}  // namespace banyan::verify
