#include "traffic/applications/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"

namespace banyan::traffic {

const Registry<Application>& applications() {
  static const Registry<Application> all{
      "application",
#define APPLICATION(name) BANYAN_PLUGIN(Application, name##_application),
#include "traffic/applications/applications.def"
#undef APPLICATION
  };
  return all;
}

Profile make_profile(std::string_view name, u32 ranks, u32 size) {
  const Application& application = applications().at(name);
  if (ranks == 0) throw InputError("an application needs at least one rank");
  if (size > 1'000'000) throw InputError(fmt::format("{}: size must be at most 1000000, not {}", name, size));
  return application.make(ranks, size == 0 ? application.size : size);
}

double Profile::seconds() const {
  double out = 0;
  for (const Phase& phase : phases) out += static_cast<double>(phase.repeats) * phase.seconds;
  return out;
}

u64 Profile::messages() const {
  u64 out = 0;
  for (const Phase& phase : phases)
    for (const auto& round : phase.rounds) out += phase.repeats * round.size();
  return out;
}

double Profile::bytes() const {
  double out = 0;
  for (const Demand& d : totals()) out += d.amount;
  return out;
}

std::vector<Demand> Profile::totals() const {
  std::map<std::pair<Rank, Rank>, double> sums;
  for (const Phase& phase : phases)
    for (const auto& round : phase.rounds)
      for (const Demand& d : round) sums[{d.from, d.to}] += static_cast<double>(phase.repeats) * d.amount;
  std::vector<Demand> out;
  for (const auto& [pair, amount] : sums) out.push_back({pair.first, pair.second, amount});
  return out;
}

Traffic traffic_of(const Profile& profile, std::size_t phase) {
  const auto list = [rounds = profile.phases[phase].rounds](u64, u64, u64 round, std::vector<Demand>& out) {
    if (round < rounds.size()) out.insert(out.end(), rounds[round].begin(), rounds[round].end());
  };
  return {.ranks = profile.ranks,
          .list = list,
          .rounds = std::max<u64>(1, profile.phases[phase].rounds.size()),
          .in_bytes = true};
}

ProfileMaker& ProfileMaker::phase(std::string name, u64 repeats, double seconds) {
  profile_.phases.push_back({std::move(name), repeats, seconds});
  return *this;
}

ProfileMaker& ProfileMaker::round(std::vector<Demand> messages) {
  std::erase_if(messages, [](const Demand& d) { return d.from == d.to; });
  if (!messages.empty()) profile_.phases.back().rounds.push_back(std::move(messages));
  return *this;
}

ProfileMaker& ProfileMaker::halo(const RankGrid& grid, const std::vector<std::vector<int>>& steps,
                                 bool periodic, const std::function<double(const std::vector<int>&)>& bytes) {
  std::vector<Demand> messages;
  for (u32 rank = 0; rank < profile_.ranks; ++rank)
    for (const auto& step : steps)
      messages.push_back(
          message(rank, grid.neighbour(rank, step, periodic), static_cast<u64>(std::llround(bytes(step)))));
  return round(std::move(messages));
}

ProfileMaker& ProfileMaker::collective(const Chosen& chosen) {
  for (u64 r = 0; r < chosen.schedule.rounds; ++r) {
    std::vector<Demand> messages;
    chosen.schedule.list(r, messages);
    round(std::move(messages));
  }
  return *this;
}

ProfileMaker& ProfileMaker::in_groups(const std::vector<std::vector<u32>>& groups,
                                      const std::function<Chosen(u32)>& make) {
  std::vector<std::vector<Demand>> rounds;
  for (const std::vector<u32>& group : groups) {
    const Chosen chosen = make(static_cast<u32>(group.size()));
    rounds.resize(std::max<std::size_t>(rounds.size(), chosen.schedule.rounds));
    std::vector<Demand> messages;
    for (u64 r = 0; r < chosen.schedule.rounds; ++r) {
      messages.clear();
      chosen.schedule.list(r, messages);
      for (const Demand& d : messages)
        rounds[r].push_back({Rank{group[index(d.from)]}, Rank{group[index(d.to)]}, d.amount});
    }
  }
  for (auto& messages : rounds) round(std::move(messages));
  return *this;
}

double boundary(const std::vector<double>& n, const std::vector<int>& step) {
  double out = 1;
  for (std::size_t d = 0; d < n.size(); ++d)
    if (step[d] == 0) out *= n[d];
  return out;
}

}  // namespace banyan::traffic
