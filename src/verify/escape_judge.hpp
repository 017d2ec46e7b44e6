// Duato's condition: packets that may choose again while they wait never wait for ever, although the channel
// dependency graph has cycles, if they have an escape. It holds if
//   1. at every switch that a packet may come to, an escape is offered, and who follows escapes only arrives;
//   2. the extended dependency graph of the escape's channels is acyclic (extended_dependencies.hpp).
// (Duato, IEEE Trans. Parallel and Distributed Systems 1993 and 1995.) Which hops are escapes the forward
// says. It proves virtual cut-through, and wormhole where a queue is empty before it takes another head.
#pragma once
#include "verify/destination_judge.hpp"
#include "verify/escape_walk.hpp"
#include "verify/explain.hpp"
#include "verify/judge.hpp"

namespace banyan::verify {

// A place without an escape that arrives; of several, that of the pair with the lowest numbers.
struct DeadEnd {
  Nic to = none<Nic>, from = none<Nic>;
  Header header{};
  Node node{};
  u8 state = 0;

  bool is_there() const { return to != none<Nic>; }
  void take(const DeadEnd& other) {
    if (std::pair(other.to, other.from) < std::pair(to, from)) *this = other;
  }
};

// What one thread has found out about some destinations.
template <class F>
struct EscapeFindings {
  EscapeFindings(const Fabric& fabric, const F& forward)
      : walk(fabric, forward),
        is_escape(fabric.channels().size() * Dependencies::max_lanes),
        waits(fabric.channels().size()) {}

  EscapeWalk<F> walk;
  std::vector<bool> is_escape;  // by channel and lane, of channels between switches
  ExtendedDependencies waits;
  DeadEnd dead_end;
};

template <class F>
class EscapeJudge {
 public:
  using Vertex = ExtendedDependencies::Vertex;
  using Findings = EscapeFindings<F>;

  EscapeJudge(const Fabric& fabric, const F& forward, const Source& source,
              const std::vector<Attachment>& attached, unsigned threads)
      : fabric_(fabric),
        forward_(forward),
        source_(source),
        attached_(attached),
        origins_(origins_of(attached, source.reads() != Reads::nic && enters_alike(forward))),
        threads_(threads),
        found_(fabric, forward) {
    each_walk([](Findings& found, const DeadEnd& start) { find_escape(found, start); });
    if (!found_.dead_end.is_there())
      each_walk([this](Findings& found, const DeadEnd&) { find_waits(found); });
  }

  const DeadEnd& dead_end() const { return found_.dead_end; }
  const ExtendedDependencies& waits() const { return found_.waits; }

  // The numbers of the escape's channels, from 1 on; none if there is no such numbering.
  std::optional<Certificate> certificate() const {
    const std::vector<u32> numbers = found_.waits.numbering();
    if (numbers.empty()) return std::nullopt;
    Certificate out{.lanes = 1, .number = {}, .of_escape = true};
    for (Vertex v = 0; v < found_.is_escape.size(); ++v)
      if (found_.is_escape[v]) out.lanes = std::max(out.lanes, ExtendedDependencies::laned(v).lane + 1);
    out.number.resize(fabric_.channels().size() * std::size_t{out.lanes});
    for (Vertex v = 0; v < found_.is_escape.size(); ++v) {
      if (!found_.is_escape[v]) continue;
      const auto [channel, lane] = ExtendedDependencies::laned(v);
      out.number[index(channel) * std::size_t{out.lanes} + lane] = numbers[v] + 1;
    }
    return out;
  }

  // A path to the place without an escape, in words and as evidence.
  std::string explain_dead_end(Evidence& evidence) const {
    const DeadEnd& end = found_.dead_end;
    std::string text;
    evidence = {Evidence::Kind::no_escape, {}, {}, {end.from}, {end.to}};
    each_start(attached_, source_, [&](Nic from, Nic to, const Header& header) {
      if (to != end.to || !(header == end.header)) return false;
      return trace(fabric_, forward_, from, to, header, [&](std::span<const Step> steps) {
        const Step& last = steps.back();
        if (!last.leads_on() || last.node != end.node || last.state != end.state) return false;
        evidence.channels = channels_of(steps);
        evidence.from = {from};
        text = describe_dead_end(fabric_, from, to, evidence.channels);
        return true;
      });
    });
    return text;
  }

  // The cycle, with a pair for every dependency where a short search finds one.
  std::string explain_cycle(Evidence& evidence) {
    constexpr u64 max_walks = 100'000;
    const std::vector<Vertex> cycle = found_.waits.cycle();
    std::vector<Waiter> waiters;
    for (const Vertex v : cycle) waiters.push_back({ExtendedDependencies::laned(v)});
    std::size_t open = cycle.size();
    u64 walks = 0;
    each_start(attached_, source_, [&](Nic from, Nic to, const Header& header) {
      found_.walk.begin(header, to);
      found_.walk.from(from);
      each_wait(found_.walk, [&](Vertex held, const std::vector<Vertex>& wanted) {
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const Vertex next = cycle[(i + 1) % cycle.size()];
          if (waiters[i].from != none<Nic> || held != cycle[i] ||
              std::find(wanted.begin(), wanted.end(), next) == wanted.end())
            continue;
          waiters[i].from = from;
          waiters[i].to = to;
          --open;
        }
      });
      return open == 0 || ++walks == max_walks;
    });
    add_deadlock(evidence, waiters);
    return "the escape does not end: " + describe_cycle(fabric_, waiters);
  }

 private:
  // Walks every header to every destination and calls look(findings of this thread, the start).
  template <class Look>
  void each_walk(Look&& look) {
    Workers<Findings> workers;
    const auto make = [&] {
      auto out = std::make_unique<Findings>(fabric_, forward_);
      out->is_escape = found_.is_escape;
      return out;
    };
    Progress progress("judging escapes", attached_.size());
    parallel_ranges(
        attached_.size(), threads_,
        [&](u64 first, u64 last) {
          auto worker = workers.take(make);
          for (u64 goal = first; goal < last; ++goal)
            for (const Nic to : attached_[goal].nics) walk_to(to, attached_[goal].domain, *worker, look);
          workers.give_back(std::move(worker));
        },
        &progress);
    workers.each([&](const Findings& worker) {
      for (std::size_t v = 0; v < worker.is_escape.size(); ++v)
        if (worker.is_escape[v]) found_.is_escape[v] = true;
      found_.waits.merge(worker.waits);
      found_.dead_end.take(worker.dead_end);
    });
  }
  template <class Look>
  void walk_to(Nic to, u32 domain, Findings& found, Look&& look) const {
    Starts starts;
    for (u32 o = 0; o < origins_.size(); ++o) {
      const Nic from = source_at(origins_[o], to);
      if (from == none<Nic> || attached_[origins_[o].attachment].domain != domain) continue;
      for (u64 bytes : source_.sizes())
        for (u32 i = 0, ways = source_.count(from, to, bytes); i < ways; ++i)
          starts.add(starts.number(source_.way(from, to, bytes, i)), o);
    }
    for (u32 h = 0; h < starts.headers(); ++h) {
      DeadEnd start{.to = to, .header = starts.header(h)};
      found.walk.begin(start.header, to);
      starts.each(h, [&](u32 o) {
        start.from = std::min(start.from, source_at(origins_[o], to));
        found.walk.from(source_at(origins_[o], to));
      });
      look(found, start);
    }
  }
  // One of the NICs of an origin for all, but not the destination.
  Nic source_at(const Origin& origin, Nic to) const {
    const auto& nics = attached_[origin.attachment].nics;
    for (u32 i = origin.first; i < origin.first + origin.count; ++i)
      if (nics[i] != to) return nics[i];
    return none<Nic>;
  }

  static void find_escape(Findings& found, DeadEnd start) {
    for (const auto& place : found.walk.places())
      for (const auto& edge : found.walk.edges(place))
        if (edge.is_escape && found.walk.is_between_switches(place, edge))
          ExtendedDependencies::each_lane(edge.channel, edge.lanes,
                                          [&](Vertex v) { found.is_escape[v] = true; });
    if (const auto* place = found.walk.find_dead_end()) {
      start.node = place->node;
      start.state = place->state;
      found.dead_end.take(start);
    }
  }
  void find_waits(Findings& found) const {
    each_wait(found.walk, [&](Vertex held, const std::vector<Vertex>& wanted) {
      for (const Vertex v : wanted) found.waits.add(held, v);
    });
  }
  // f(a channel of the escape that a packet may hold, those of the escape for which it may then wait).
  template <class Visit>
  void each_wait(EscapeWalk<F>& walk, Visit&& f) const {
    for (const auto& place : walk.places())
      for (const auto& edge : walk.edges(place)) {
        if (!walk.is_between_switches(place, edge)) continue;
        ExtendedDependencies::each_lane(edge.channel, edge.lanes, [&](Vertex held) {
          if (found_.is_escape[held]) f(held, walk.wanted(edge.to));
        });
      }
  }

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  const std::vector<Attachment>& attached_;
  const std::vector<Origin> origins_;
  const unsigned threads_;
  Findings found_;  // of all threads
};

// Decides the condition and completes the verdict. Returns a counterexample in words, or nothing.
template <class F>
std::string judge_escape(const Fabric& fabric, const F& forward, const Source& source,
                         const std::vector<Attachment>& attached, unsigned threads, Verdict& verdict) {
  EscapeJudge<F> judge(fabric, forward, source, attached, threads);
  if (judge.dead_end().is_there()) return judge.explain_dead_end(verdict.evidence.emplace_back());
  verdict.certificate = judge.certificate();
  if (verdict.certificate) verdict.certificate->scope = verdict.pair_scope;
  if (!verdict.certificate) return judge.explain_cycle(verdict.evidence.emplace_back());
  verdict.deadlock_free = true;
  verdict.deadlock_proof = DeadlockProof::escape;
  return {};
}

}  // namespace banyan::verify
