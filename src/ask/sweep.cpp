#include "ask/sweep.hpp"

#include <algorithm>
#include <tuple>

#include "ask/judged.hpp"
#include "base/parallel.hpp"
#include "base/permutation.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "topology/place.hpp"
#include "verify/change_judge.hpp"

namespace banyan::ask {
namespace {

// What a sweep takes away at once: a cable, or a switch with all its cables.
struct Victim {
  std::string name;
  std::vector<Link> cables;
};

// Every two of them, or as many as are wanted, drawn.
std::vector<Victim> pairs_of(const std::vector<Victim>& cables, u64 wanted, u64 seed) {
  std::vector<Victim> out;
  const auto add = [&](u64 a, u64 b) {
    out.push_back({cables[a].name + " and " + cables[b].name, {cables[a].cables[0], cables[b].cables[0]}});
  };
  const u64 count = cables.size(), all = count < 2 ? 0 : count * (count - 1) / 2;
  if (all <= wanted) {
    for (u64 a = 0; a < count; ++a)
      for (u64 b = a + 1; b < count; ++b) add(a, b);
    return out;
  }
  constexpr u64 pair_stream = 1;
  std::vector<u64> drawn;
  draw_some(all, wanted, seed, pair_stream, [&](u64 pair) { drawn.push_back(pair); });
  std::sort(drawn.begin(), drawn.end());
  u64 a = 0, first = 0;  // of the pairs in order, that of a and the cable after it
  for (const u64 pair : drawn) {
    while (pair >= first + (count - 1 - a)) first += count - 1 - a++;
    add(a, a + 1 + pair - first);
  }
  return out;
}

std::vector<Victim> victims(const Fabric& fabric, Sweep which, u64 wanted, u64 seed) {
  std::vector<Victim> out;
  if (which == Sweep::pairs) return pairs_of(victims(fabric, Sweep::links, wanted, seed), wanted, seed);
  if (which == Sweep::switches) {
    for (const Node node : fabric.switch_nodes()) out.push_back({fabric.name(node), {}});
    fabric.each_link([&](const Link& cable) {
      for (const Node end : {fabric.from(cable.a), fabric.from(cable.b)})
        if (fabric.is_switch(end)) out[index(end) - fabric.nics()].cables.push_back(cable);
    });
    std::erase_if(out, [](const Victim& victim) { return victim.cables.empty(); });  // dead already
    return out;
  }
  fabric.each_link([&](const Link& cable) {
    const bool at_host = !fabric.is_switch(fabric.from(cable.a)) || !fabric.is_switch(fabric.from(cable.b));
    if (which == Sweep::all || !at_host) out.push_back({cable_name(fabric, cable), {cable}});
  });
  return out;
}

class Sweeper {
 public:
  // `traffic` may be null: none is laid.
  Sweeper(const Situation& at, const FabricRouter& router, const Judged& before, const SweepTraffic* traffic)
      : whole_(at.topology),
        router_(router),
        before_(before),
        traffic_(traffic),
        change_(whole_.fabric, before.routing, {.threads = at.threads, .levels = levels(whole_)}) {}

  // Of its loads only what a GPU needs, in `patch`, if there is one and it can do that.
  SweepAnswer::Cable without(const Victim& victim, std::optional<SweepPatch>& patch) const {
    Topology rest = whole_;
    rest.fabric = fabric::without(whole_.fabric, victim.cables);
    SweepAnswer::Cable out{victim.name};
    RouteResult result = router_.reroute(before_.routing, whole_, rest);
    std::optional<SweptLoad> load;
    if (const auto* routing = std::get_if<Routing>(&result); routing && traffic_) {
      patch = traffic_->patch(rest.fabric, *routing);
      if (!patch) load = traffic_->without(rest, *routing);
    }
    auto found = cost(rest, std::move(result));
    if (const auto* reason = std::get_if<NotApplicable>(&found)) {
      out.not_applicable = reason->why;
      patch.reset();
    } else {
      out.cost = std::get<SweepAnswer::Cost>(std::move(found));
      out.cost->load = load;
    }
    return out;
  }
  // Its loads, by processors. The engine must apply without it.
  SweptLoad load(const Victim& victim) const {
    Topology rest = whole_;
    rest.fabric = fabric::without(whole_.fabric, victim.cables);
    const RouteResult result = router_.reroute(before_.routing, whole_, rest);
    return traffic_->without(rest, std::get<Routing>(result));
  }

 private:
  // By less work than judging anew, where that says the same.
  Result<SweepAnswer::Cost> cost(const Topology& rest, RouteResult result) const {
    if (const auto* routing = std::get_if<Routing>(&result))
      if (const auto quick = change_.after(rest.fabric, *routing, levels(rest)))
        return SweepAnswer::Cost{quick->yes, pairs_lost(before_, quick->arriving),
                                 quick->max_destinations_per_channel,
                                 quick->max_destinations_per_down_channel,
                                 entries_changed(before_.tables, std::get<Tables>(routing->forward))};
    const auto found = judged({rest}, std::move(result));
    if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
    const auto& after = std::get<Judged>(found);
    const Verdict& v = after.verdict;
    SweepAnswer::Cost out{v.yes(), pairs_lost(before_, after.arriving()), v.max_destinations_per_channel,
                          v.max_destinations_per_down_channel};
    if (const auto changes = count_entries({whole_}, before_, after)) out.entries_changed = changes->changed;
    return out;
  }

  const Topology& whole_;
  const FabricRouter& router_;
  const Judged& before_;
  const SweepTraffic* traffic_;
  ChangeJudge change_;
};

auto rank(const SweepAnswer::Cable& cable) {
  const SweepAnswer::Cost c = cable.cost.value_or(SweepAnswer::Cost{});
  return std::tuple(!cable.cost, !c.yes, c.pairs_lost, c.load.value_or(SweptLoad{}).max_load,
                    c.max_destinations_per_channel, c.entries_changed);
}

// Takes all victims away in turn, as many at once as a GPU counts loads of in one launch.
class SweepRun {
 public:
  // `traffic` may be null: none is laid.
  SweepRun(const Situation& at, const Sweeper& sweeper, const std::vector<Victim>& all, SweepTraffic* traffic)
      : at_(at), sweeper_(sweeper), all_(all), traffic_(traffic) {}

  void run(SweepAnswer& out, Progress& progress) {
    const bool has_gpu = traffic_ && traffic_->has_gpu();
    const std::size_t at_once =
        has_gpu ? std::clamp<u64>((u64{1} << 26) / traffic_->samples(), 1, 8192) : 8192;
    out.cables.resize(all_.size());
    for (std::size_t first = 0; first < all_.size(); first += at_once) {
      const std::size_t count = std::min(at_once, all_.size() - first);
      std::vector<std::optional<SweepPatch>> patches(count);
      const auto one = [&](u64 i) { out.cables[first + i] = sweeper_.without(all_[first + i], patches[i]); };
      parallel_for(count, at_.threads, one, &progress);
      if (traffic_ && traffic_->has_gpu()) out.left_to_processors += count_on_gpu(first, patches, out.cables);
      if (has_gpu && !traffic_->has_gpu() && at_.device == DeviceChoice::gpu) return;  // it failed
    }
  }

 private:
  // Loads of those that have a patch; of how many processors had to count instead, then or before.
  u64 count_on_gpu(std::size_t first, const std::vector<std::optional<SweepPatch>>& patches,
                   std::vector<SweepAnswer::Cable>& cables) {
    std::vector<std::size_t> asked, left;
    std::vector<const SweepPatch*> of;
    u64 counted = 0;
    for (std::size_t i = 0; i < patches.size(); ++i) {
      if (!patches[i]) {
        counted += cables[first + i].cost.has_value();
        continue;
      }
      asked.push_back(first + i);
      of.push_back(&*patches[i]);
    }
    try {
      const auto found = traffic_->on_gpu(of);
      for (std::size_t k = 0; k < asked.size(); ++k) {
        cables[asked[k]].cost->load = found[k];
        if (!found[k]) left.push_back(asked[k]);
      }
    } catch (const gpu::DeviceFailure& failure) {
      traffic_->leave_gpu(failure.what());
      if (at_.device == DeviceChoice::gpu) return 0;  // nobody will read it
      left = asked;
    }
    parallel_for(left.size(), at_.threads,
                 [&](u64 k) { cables[left[k]].cost->load = sweeper_.load(all_[left[k]]); });
    return counted + left.size();
  }

  const Situation& at_;
  const Sweeper& sweeper_;
  const std::vector<Victim>& all_;
  SweepTraffic* traffic_;
};

}  // namespace

bool SweepAnswer::all_yes() const {
  return std::all_of(cables.begin(), cables.end(), [](const Cable& c) { return c.cost && c.cost->yes; });
}

Topology damaged(const Topology& topology) {
  Topology out = topology;
  std::vector<Link> first;
  const Fabric& fabric = topology.fabric;
  fabric.each_link([&](const Link& cable) {
    if (first.empty() && fabric.is_switch(fabric.from(cable.a)) && fabric.is_switch(fabric.from(cable.b)))
      first.push_back(cable);
  });
  out.fabric = fabric::without(fabric, first);
  return out;
}

Result<SweepAnswer> sweep(const Situation& at, const FabricRouter& router, const FailOptions& options,
                          bool lays_traffic) {
  const Sweep which = options.sweep;
  if (which == Sweep::pairs && options.pairs == 0)
    throw InputError("--pairs is 0; expected at least 1, or no --pairs");
  const auto result = judged(at, router.route(at.topology));
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  const auto& before = std::get<Judged>(result);
  const std::vector<Victim> all = victims(at.topology.fabric, which, options.pairs, at.seed);
  std::optional<SweepTraffic> traffic;
  SweepAnswer out{.before = before.verdict};
  if (lays_traffic) {
    traffic.emplace(at, before.routing, options.samples);
    if (at.device != DeviceChoice::cpu)
      if (const auto reason = traffic->take_gpu(all.size()); reason && at.device == DeviceChoice::gpu)
        return *reason;
    out.load = traffic->before();
    out.samples = traffic->samples();
  } else if (at.device == DeviceChoice::gpu) {
    return NotApplicable{"a GPU counts loads of a sweep: expected samples"};
  }
  const Sweeper sweeper(at, router, before, traffic ? &*traffic : nullptr);
  Progress progress(which == Sweep::switches ? "switches"
                    : which == Sweep::pairs  ? "pairs"
                                             : "cables",
                    all.size(), at.screen);
  SweepRun(at, sweeper, all, traffic ? &*traffic : nullptr).run(out, progress);
  if (traffic) {
    out.device = traffic->device();
    out.device_failure = traffic->device_failure();
    if (!out.device_failure.empty() && at.device == DeviceChoice::gpu)
      return NotApplicable{out.device_failure};
  }
  std::stable_sort(out.cables.begin(), out.cables.end(),
                   [](const auto& a, const auto& b) { return rank(a) > rank(b); });
  return out;
}

}  // namespace banyan::ask
