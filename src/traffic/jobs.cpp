#include "traffic/jobs.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "traffic/pattern.hpp"

namespace banyan {
namespace {

struct JobText {
  std::string ranks, traffic, placement = "linear";
};

JobText parse_job(const std::string& text) {
  JobText out;
  const std::pair<std::string_view, std::string*> fields[] = {
      {"ranks", &out.ranks}, {"traffic", &out.traffic}, {"placement", &out.placement}};
  constexpr std::array<std::string_view, 3> names = {"ranks", "traffic", "placement"};
  for (const std::string_view piece : split(text, ';')) {
    const auto equals = piece.find('=');
    const std::string_view key = trim(piece.substr(0, equals));
    const auto field =
        std::find_if(std::begin(fields), std::end(fields), [&](auto& f) { return f.first == key; });
    if (equals == piece.npos || field == std::end(fields))
      throw InputError(
          fmt::format("job '{}': found '{}', expected '{}=...'", text, piece, nearest(key, names)));
    *field->second = trim(piece.substr(equals + 1));
  }
  if (out.traffic.empty()) throw InputError(fmt::format("job '{}': expected traffic=...", text));
  return out;
}

u64 seed_of(u64 seed, u64 job) { return job == 0 ? seed : Random(seed, job).at(0); }

}  // namespace

std::vector<Job> make_jobs(const Topology& topology, std::span<const std::string> texts, u64 seed) {
  std::vector<Host> free = all_hosts(topology.fabric);
  std::vector<Job> out;
  for (const std::string& text : texts) {
    const JobText job = parse_job(text);
    u32 ranks = static_cast<u32>(free.size());
    if (!job.ranks.empty())
      read_option_value("ranks", job.ranks, ranks);
    else if (&text != &texts.back())
      throw InputError(
          fmt::format("job '{}': expected ranks=..., which only the last job may leave out", text));
    Placement placement = place({topology.fabric, free, ranks, seed_of(seed, out.size())}, job.placement);
    std::vector<bool> taken(topology.fabric.hosts());
    for (const Host host : placement) taken[index(host)] = true;
    std::erase_if(free, [&](Host host) { return taken[index(host)]; });
    out.push_back({make_traffic({topology, ranks}, job.traffic), std::move(placement)});
  }
  return out;
}

u64 rounds_of(std::span<const Job> jobs) {
  u64 rounds = 0;
  for (const Job& job : jobs) rounds = std::max(rounds, job.traffic.rounds);
  return rounds;
}

void append_flows(std::span<const Job> jobs, u64 seed, u64 sample, u64 round, std::vector<Flow>& out) {
  std::vector<Demand> demands;
  for (u64 i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (job.traffic.rounds == 0) continue;
    demands.clear();
    job.traffic.list(seed_of(seed, i), sample, round % job.traffic.rounds, demands);
    append_flows(demands, job.placement, out);
  }
}

}  // namespace banyan
