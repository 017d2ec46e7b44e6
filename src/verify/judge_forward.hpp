// The judge for any forward, including one that is not in the Forward variant.
#pragma once
#include "verify/destination_judge.hpp"
#include "verify/escape_judge.hpp"
#include "verify/explain.hpp"
#include "verify/judge.hpp"

namespace banyan::verify {

// The findings about pairs and channels, before a verdict is made from them.
struct ForwardFindings {
  PairFindings pairs;
  Seen seen;
};

// Adds figures about channels, from the number of destinations of each.
void add_channels(const Fabric& fabric, const IdVector<Channel, u32>& destinations,
                  const IdVector<Node, u32>& level, Verdict& verdict);

// Adds what does not depend on the kind of forward.
void add_figures(const Fabric& fabric, const PairFindings& pairs, const Seen& seen,
                 const JudgeOptions& options, Verdict& verdict);

// Explains the first fault of a header whose pair is known to fail.
template <class F>
std::string explain_failure(const Fabric& fabric, const F& forward, const Witness& witness,
                            Evidence::Kind wanted, Evidence& evidence) {
  std::string text;
  evidence = {wanted, {}, {}, {witness.from}, {witness.to}};
  trace(fabric, forward, witness.from, witness.to, witness.header, [&](std::span<const Step> steps) {
    const bool loops = steps.back().why == Loss::circles;
    if (!steps.back().lost() || loops != (wanted == Evidence::Kind::loop)) return false;
    text = describe_failure(fabric, witness.from, witness.to, steps);
    evidence.channels = channels_of(steps);
    return true;
  });
  return text;
}

// Names a pair for every dependency of the cycle, where a short search finds one.
template <class F>
std::string explain_cycle(const Fabric& fabric, const F& forward, const Source& source,
                          const std::vector<LanedChannel>& cycle, const std::vector<Attachment>& attached,
                          Evidence& evidence) {
  constexpr u64 max_steps = 20'000'000;
  std::vector<Waiter> waiters;
  for (LanedChannel held : cycle) waiters.push_back({held});
  std::size_t open = cycle.size();
  u64 tried = 0;
  const auto look = [&](Nic from, Nic to, std::span<const Step> steps) {
    if (++tried > max_steps) return true;
    if (steps.size() < 2) return false;
    const Step &held = steps[steps.size() - 2], &wanted = steps.back();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const LanedChannel next = cycle[(i + 1) % cycle.size()];
      if (waiters[i].from != none<Nic> || held.channel != cycle[i].channel ||
          wanted.channel != next.channel || !(held.lanes >> cycle[i].lane & 1) ||
          !(wanted.lanes >> next.lane & 1))
        continue;
      waiters[i].from = from;
      waiters[i].to = to;
      --open;
    }
    return open == 0;
  };
  each_start(attached, source, [&](Nic from, Nic to, const Header& header) {
    return trace(fabric, forward, from, to, header,
                 [&](std::span<const Step> steps) { return look(from, to, steps); });
  });
  add_deadlock(evidence, waiters);
  return describe_cycle(fabric, waiters);
}

// Examines all pairs, or those to some destinations.
template <class F>
ForwardFindings examine(const Fabric& fabric, const F& forward, const Source& source,
                        const std::vector<Attachment>& attached, unsigned threads,
                        const IdVector<Nic, bool>* only = nullptr) {
  const bool by_attachment = source.reads() != Reads::nic && enters_alike(forward);
  const std::vector<Origin> origins = origins_of(attached, by_attachment);
  std::vector<u32> goals;
  for (u32 a = 0; a < attached.size(); ++a)
    if (!only ||
        std::any_of(attached[a].nics.begin(), attached[a].nics.end(), [&](Nic nic) { return (*only)[nic]; }))
      goals.push_back(a);

  std::vector<PairFindings> found(goals.size());
  Workers<DestinationJudge<F>> workers;
  const auto make = [&] {
    return std::make_unique<DestinationJudge<F>>(fabric, forward, source, attached, origins);
  };
  Progress progress("judging destinations", goals.size());
  parallel_ranges(
      goals.size(), threads,
      [&](u64 first, u64 last) {
        auto worker = workers.take(make);
        for (u64 a = first; a < last; ++a) found[a] = worker->judge(goals[a], only);
        workers.give_back(std::move(worker));
      },
      &progress);

  ForwardFindings out{{}, Seen(fabric)};
  for (const PairFindings& part : found) out.pairs.merge(part);
  workers.each([&](const DestinationJudge<F>& worker) { out.seen.merge(worker.seen); });
  return out;
}

template <class F>
Verdict judge(const Fabric& fabric, const F& forward, const Source& source,
              const JudgeOptions& options = {}) {
  const std::vector<Attachment> attached = attachments(fabric);
  const auto [pairs, seen] = examine(fabric, forward, source, attached, options.threads);
  Verdict verdict;
  add_figures(fabric, pairs, seen, options, verdict);
  std::vector<std::string> why;
  const auto more = [&]() -> Evidence& { return verdict.evidence.emplace_back(); };
  if (pairs.lost.to != none<Nic>)
    why.push_back(explain_failure(fabric, forward, pairs.lost, Evidence::Kind::lost, more()));
  if (!verdict.loop_free)
    why.push_back(explain_failure(fabric, forward, pairs.loop, Evidence::Kind::loop, more()));
  if (!verdict.deadlock_free && has_escape(forward)) {
    if constexpr (MayHaveEscape<F>)
      why.push_back(judge_escape(fabric, forward, source, attached, options.threads, verdict));
  } else if (!verdict.deadlock_free)
    why.push_back(explain_cycle(fabric, forward, source, seen.waits.cycle(), attached, more()));
  for (const std::string& text : why)
    if (!text.empty()) verdict.counterexample += (verdict.counterexample.empty() ? "" : "\n") + text;
  return verdict;
}

}  // namespace banyan::verify
