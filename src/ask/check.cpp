#include "ask/check.hpp"

#include <algorithm>

#include "ask/any_hash.hpp"
#include "fabric/names.hpp"
#include "topology/place.hpp"

namespace banyan::ask {

namespace {

// f of the routing, or of all its next hops where switches hash.
template <class F>
auto with_all_next_hops(const Situation& at, F&& f) -> Result<decltype(f(*at.routing))> {
  const auto open = any_hash(at.topology.fabric, *at.routing);
  if (!open) return f(*at.routing);
  if (const auto* reason = std::get_if<NotApplicable>(&*open)) return *reason;
  return f(std::get<Routing>(*open));
}

std::optional<NotApplicable> refuse_shifts_of_hashes(const Routing& routing) {
  if (!hashes(routing)) return std::nullopt;
  return NotApplicable{"switches hash: no load is certain in all shifts; load --hashes says what to expect"};
}

}  // namespace

Result<Verdict> verdict(const Situation& at, const JudgedPairs& options) {
  return with_all_next_hops(at, [&](const Routing& routing) {
    return judge(at.topology.fabric, routing,
                 {.threads = at.threads, .pairs = options.pairs, .levels = levels(at.topology)});
  });
}

Result<CheckAnswer> check(const Situation& at, const JudgedPairs& options) {
  auto found = verdict(at, options);
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  CheckAnswer out{std::get<Verdict>(std::move(found))};
  if (at.routing->source.choice()) out.choice = report_choice(at.topology.fabric, *at.routing);
  return out;
}

Result<CertificateAnswer> holds(const Situation& at, const Certificate& certificate) {
  return with_all_next_hops(at, [&](const Routing& routing) {
    return CertificateAnswer{recheck(certificate, at.topology.fabric, routing)};
  });
}

Result<CertificateAnswer> holds(const Situation& at, const ShiftCertificate& certificate) {
  if (const auto reason = refuse_shifts_of_hashes(*at.routing)) return *reason;
  return CertificateAnswer{recheck_shifts(certificate, at.topology.fabric, *at.routing)};
}

Result<ShiftsAnswer> shifts(const Situation& at, const ShiftsOptions& options) {
  constexpr std::size_t max_listed = 16;
  const Fabric& fabric = at.topology.fabric;
  if (const auto reason = refuse_shifts_of_hashes(*at.routing)) return *reason;
  auto result = judge_shifts(fabric, *at.routing, options);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return *reason;
  ShiftsAnswer out{std::get<ShiftVerdict>(std::move(result))};
  const ShiftVerdict& v = out.verdict;
  if (v.channel != none<Channel>) out.worst_channel = port_name(fabric, v.channel);
  for (std::size_t i = 0; i < std::min(max_listed, v.flows.size()); ++i)
    out.flows.push_back({fabric.name(fabric.node(v.flows[i].from)), fabric.name(fabric.node(v.flows[i].to)),
                         static_cast<double>(v.flows[i].units) / static_cast<double>(v.per)});
  return out;
}

}  // namespace banyan::ask
