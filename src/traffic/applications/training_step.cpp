#include "traffic/applications/training_step.hpp"

#include <fmt/format.h>

#include "traffic/collectives/collectives.hpp"

namespace banyan::traffic {
namespace {

// Groups of ranks: group g has the ranks first(g) + i * stride.
struct Groups {
  u32 count, ranks, stride;
  u32 rank(u32 group, u32 i) const { return group / stride * stride * ranks + group % stride + i * stride; }

  // Ranks of a group that share a host of so many ranks. Throws InputError where hosts differ.
  u32 on_host(u32 of_host) const {
    if (stride >= of_host) return 1;
    const u32 together = std::min(ranks, of_host / stride);
    if (of_host % stride != 0 || ranks % together != 0)
      throw InputError(fmt::format("step: groups of {} ranks, {} apart, lie unevenly on hosts of {} ranks",
                                   ranks, stride, of_host));
    return together;
  }
};

// The algorithm of a collective in groups that may know hosts.
std::string algorithm_for(const std::string& asked, const Groups& groups, u32 local,
                          std::string_view of_hosts, std::string_view flat) {
  return asked != "auto" ? asked : std::string(local > 1 && groups.ranks > local ? of_hosts : flat);
}

// All groups do the same at once.
Traffic in_groups(const Groups& groups, Schedule schedule, std::string algorithm) {
  const u64 rounds = std::max<u64>(1, schedule.rounds);
  const auto list = [groups, schedule = std::move(schedule)](u64, u64, u64 round, std::vector<Demand>& out) {
    if (schedule.rounds == 0) return;
    std::vector<Demand> one;
    schedule.list(round, one);
    for (u32 group = 0; group < groups.count; ++group)
      for (const Demand& d : one)
        out.push_back(
            {Rank{groups.rank(group, index(d.from))}, Rank{groups.rank(group, index(d.to))}, d.amount});
  };
  return {.ranks = groups.count * groups.ranks,
          .list = list,
          .rounds = rounds,
          .in_bytes = true,
          .algorithm = std::move(algorithm)};
}

void require(bool holds, const std::string& what) {
  if (!holds) throw InputError("step: " + what);
}

void check_step(u32 ranks, const TrainingOptions& o) {
  for (const u32 value : {o.tensor, o.pipeline, o.expert, o.layers, o.hidden, o.sequence, o.micro_batch,
                          o.element, o.gradient, o.active_experts})
    require(value > 0, "a size is 0; expected at least 1");
  require(o.flops > 0, fmt::format("flops is {}; expected more than 0", o.flops));
  const u64 divided = u64{o.tensor} * o.pipeline;
  require(ranks % divided == 0, fmt::format("{} ranks cannot be divided into tensor={} times pipeline={}",
                                            ranks, o.tensor, o.pipeline));
  const u32 data = static_cast<u32>(ranks / divided);
  require(data % o.expert == 0, fmt::format("expert={} does not divide the {} copies", o.expert, data));
  require(o.layers % o.pipeline == 0,
          fmt::format("pipeline={} does not divide layers={}", o.pipeline, o.layers));
  require(o.expert == 1 || o.experts > 0, "expert groups need experts=N too");
  require(o.experts % o.expert == 0,
          fmt::format("expert={} does not divide experts={}", o.expert, o.experts));
  require(o.experts == 0 || o.active_experts <= o.experts,
          fmt::format("active-experts={} of experts={}", o.active_experts, o.experts));
  require(
      o.batch % (u64{data} * o.micro_batch) == 0,
      fmt::format("batch={} is no multiple of {} copies times micro-batch={}", o.batch, data, o.micro_batch));
}

// A group's tokens go to the ranks that hold their experts, and come back; likewise their gradients.
TrainingPhase expert_phase(const TrainingOptions& o, u32 ranks, u32 of_host, double activations,
                           double times) {
  const double to_each = activations * o.active_experts / (1.0 * o.tensor * o.expert);
  const Groups groups{ranks / o.expert, o.expert, o.tensor};
  const u32 local = groups.on_host(of_host);
  const Chosen chosen =
      alltoall(o.expert, {.bytes = static_cast<u64>(to_each),
                          .algorithm = algorithm_for(o.exchange, groups, local, "hierarchical", "pairwise"),
                          .local = local});
  return {"expert",           groups.count, o.expert,
          to_each * o.expert, times,        in_groups(groups, chosen.schedule, chosen.algorithm)};
}

// Between two stages, activations one way and gradients the other, divided among the tensor ranks.
TrainingPhase pipeline_phase(const TrainingOptions& o, u32 copies, double activations, double times) {
  const double bytes = activations / o.tensor;
  std::vector<Demand> round;
  for (u32 i = 0; i + 1 < o.pipeline; ++i) {
    round.push_back(message(i, i + 1, static_cast<u64>(bytes)));
    round.push_back(message(i + 1, i, static_cast<u64>(bytes)));
  }
  const Groups groups{o.tensor * copies, o.pipeline, o.tensor * copies};
  return {"pipeline", groups.count, o.pipeline,
          bytes,      times,        in_groups(groups, stored({std::move(round)}), "")};
}

}  // namespace

TrainingStep training_step(u32 ranks, const TrainingOptions& o, u32 of_host) {
  check_step(ranks, o);
  TrainingStep out;
  out.pipeline = o.pipeline;
  out.data = ranks / (o.tensor * o.pipeline);
  out.micro_batches =
      o.batch == 0 ? 4.0 * o.pipeline : static_cast<double>(o.batch) / out.data / o.micro_batch;

  const double h = o.hidden, layers = o.layers, tokens = 1.0 * o.sequence * o.micro_batch;
  const double attention = 4 * h * h, mlp = 8 * h * h, embedding = h * o.vocabulary;
  const double used_mlp = mlp * (o.experts > 0 ? o.active_experts : 1);
  const double all_mlp = mlp * std::max(1u, o.experts);
  out.parameters = layers * (attention + all_mlp) + embedding;
  // Of a token, forward and backward: six operations for each weight that it meets, and 12 s h in a layer for
  // its attention to the others.
  const double per_token = 6 * (layers * (attention + used_mlp) + embedding) + 12 * layers * h * o.sequence;
  out.computing = per_token * tokens * out.micro_batches / (o.tensor * o.pipeline * o.flops);

  const double layers_here = layers / o.pipeline, activations = tokens * h * o.element;
  const auto allreduce_of = [&](std::string name, Groups groups, double bytes, double times) {
    if (groups.ranks < 2) return;
    const u32 local = groups.on_host(of_host);
    const Chosen chosen =
        allreduce(groups.ranks, {.bytes = static_cast<u64>(bytes),
                                 .algorithm = algorithm_for(o.algorithm, groups, local, "rail-rings", "ring"),
                                 .local = local});
    out.phases.push_back({std::move(name), groups.count, groups.ranks, bytes, times,
                          in_groups(groups, chosen.schedule, chosen.algorithm)});
  };
  const u32 t = o.tensor, d = out.data, e = o.expert;
  allreduce_of("tensor", {ranks / t, t, 1}, activations, 4 * layers_here * out.micro_batches);
  if (e > 1)
    out.phases.push_back(expert_phase(o, ranks, of_host, activations, 4 * layers_here * out.micro_batches));
  if (o.pipeline > 1)
    out.phases.push_back(pipeline_phase(o, d, activations, out.micro_batches + o.pipeline - 1));
  const double dense = layers_here * (attention + (o.experts > 0 ? 0 : mlp)) / t;
  allreduce_of("data", {ranks / d, d, t}, dense * o.gradient, 1);
  if (o.experts > 0)
    allreduce_of("expert-data", {ranks / (d / e), d / e, t * e}, layers_here * all_mlp / e / t * o.gradient,
                 1);
  return out;
}

}  // namespace banyan::traffic
