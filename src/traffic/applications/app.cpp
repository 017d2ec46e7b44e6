// Applications as patterns: their phases one after another, or what they send in all.
#include "traffic/applications/application.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct AppOptions {
  std::string name;
  u32 size = 0, repeats = 1, total = 0;
  static void fields(auto& self, auto&& f) {
    f("name", self.name,
      "amg, comd, minife, swfft, ffvc, mvmc, ntchem, milc, qball, hpl, hpcg, graph500, "
      "multi_pingpong or emdl");
    f("size", self.size, "of the problem, each application in its own unit; 0: the paper's");
    f("repeats", self.repeats, "how often a phase is listed at most, if it is repeated so often");
    f("total", self.total, "1: all that ranks send each other in one round, as a profiler adds it up");
  }
};

Traffic app(const PatternSetting& setting, const AppOptions& options) {
  if (options.name.empty()) throw InputError("app: expected an application, as in app:amg");
  if (options.total > 1) throw InputError(fmt::format("app: total must be 0 or 1, not {}", options.total));
  if (options.repeats == 0) throw InputError("app: repeats must be 1 or more");
  Profile profile = make_profile(options.name, setting.ranks, options.size);
  if (options.total == 1) profile.phases = {Phase{"total", 1, 0, {profile.totals()}}};
  std::vector<std::pair<u32, u32>> rounds;  // phase and round in it
  for (u32 p = 0; p < profile.phases.size(); ++p)
    for (u64 i = 0; i < std::min<u64>(options.repeats, profile.phases[p].repeats); ++i)
      for (u32 r = 0; r < profile.phases[p].rounds.size(); ++r) rounds.emplace_back(p, r);
  const u64 count = rounds.size();
  auto list = [profile = std::move(profile), rounds = std::move(rounds)](u64, u64, u64 round,
                                                                         std::vector<Demand>& out) {
    const auto [p, r] = rounds[round];
    out.insert(out.end(), profile.phases[p].rounds[r].begin(), profile.phases[p].rounds[r].end());
  };
  return {.ranks = setting.ranks, .list = std::move(list), .rounds = count, .in_bytes = true};
}

}  // namespace

Pattern app_pattern() {
  return make_pattern<app>("app", "domke19", "an application's messages, phase by phase, in bytes");
}

}  // namespace banyan::traffic
