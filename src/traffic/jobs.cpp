#include "traffic/jobs.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/random.hpp"
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct JobText {
  std::string ranks, traffic, placement = "linear";
};

JobText parse_job(const std::string& text) {
  JobText out;
  const std::pair<std::string_view, std::string*> fields[] = {
      {"ranks", &out.ranks}, {"traffic", &out.traffic}, {"placement", &out.placement}};
  constexpr std::array<std::string_view, 3> names = {"ranks", "traffic", "placement"};
  std::set<std::string_view> seen;
  for (const std::string_view piece : split(text, ';')) {
    const auto equals = piece.find('=');
    const std::string_view key = trim(piece.substr(0, equals));
    const auto field =
        std::find_if(std::begin(fields), std::end(fields), [&](auto& f) { return f.first == key; });
    if (equals == piece.npos || field == std::end(fields))
      throw InputError(
          fmt::format("job '{}': found '{}', expected '{}=...'", text, piece, nearest(key, names)));
    if (!seen.insert(key).second) throw InputError(fmt::format("job '{}': {} is given twice", text, key));
    *field->second = trim(piece.substr(equals + 1));
  }
  if (out.traffic.empty()) throw InputError(fmt::format("job '{}': expected traffic=...", text));
  return out;
}

u64 seed_of(u64 seed, u64 job) { return job == 0 ? seed : Random(seed, job).at(0); }

}  // namespace

std::vector<Job> make_jobs(const Topology& topology, std::span<const std::string> texts, u64 seed) {
  std::vector<Host> free = traffic_hosts(topology.fabric);
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

Job together(std::vector<Job> jobs, ShorterJobs shorter) {
  if (jobs.size() == 1) return std::move(jobs[0]);
  Job out{{.ranks = 0, .list = {}, .rounds = 0}, {}};
  std::vector<u32> first_rank;
  for (const Job& job : jobs) {
    first_rank.push_back(out.traffic.ranks);
    out.traffic.ranks += job.traffic.ranks;
    out.traffic.rounds = std::max(out.traffic.rounds, job.traffic.rounds);
    out.traffic.is_random |= job.traffic.is_random;
    out.traffic.in_bytes |= job.traffic.in_bytes;
    for (const Host host : job.placement) out.placement.push_back(host);
  }
  out.traffic.list = [jobs = std::move(jobs), first_rank, shorter](u64 seed, u64 sample, u64 round,
                                                                   std::vector<Demand>& demands) {
    for (u64 i = 0; i < jobs.size(); ++i) {
      const Traffic& traffic = jobs[i].traffic;
      if (traffic.rounds == 0 || (round >= traffic.rounds && shorter == ShorterJobs::end)) continue;
      const std::size_t before = demands.size();
      traffic.list(seed_of(seed, i), sample, round % traffic.rounds, demands);
      for (std::size_t d = before; d < demands.size(); ++d) {
        demands[d].from = Rank{index(demands[d].from) + first_rank[i]};
        demands[d].to = Rank{index(demands[d].to) + first_rank[i]};
      }
    }
  };
  return out;
}

}  // namespace banyan::traffic
