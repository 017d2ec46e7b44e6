#include "ask/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ask/any_hash.hpp"
#include "engines/components.hpp"
#include "fabric/attachments.hpp"
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

namespace {

// Parts of the fabric without the largest of each plane, by the NICs in them.
std::vector<std::vector<Nic>> smaller_parts(const Fabric& fabric) {
  const IdVector<engines::Switch, engines::Switch> component = engines::components(fabric);
  std::map<std::pair<u32, u32>, std::vector<Nic>> parts;  // by plane and part
  for (const Nic nic : IdRange<Nic>(fabric.nics())) {
    if (fabric.vacant(nic)) continue;
    const Node leaf = switch_of(fabric, nic);
    const u32 part = leaf == none<Node>
                         ? index(nic)
                         : fabric.nics() + index(component[engines::Switch{index(leaf) - fabric.nics()}]);
    parts[{fabric.plane(nic), part}].push_back(nic);
  }
  std::map<u32, std::size_t> largest;  // by plane
  for (const auto& [key, nics] : parts) largest[key.first] = std::max(largest[key.first], nics.size());
  std::vector<std::vector<Nic>> out;
  for (auto& [key, nics] : parts)
    if (nics.size() == largest[key.first])
      largest[key.first] = ~std::size_t{0};  // the first of them is the plane
    else
      out.push_back(std::move(nics));
  return out;
}

// "h3.r1, h5.r1 and 4 more (plane 1) are not connected to the rest"
std::string in_words(const Fabric& fabric, const std::vector<Nic>& nics) {
  constexpr std::size_t few = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(few, nics.size()); ++i)
    out += (i ? ", " : "") + fabric.name(fabric.node(nics[i]));
  if (nics.size() > few) out += fmt::format(" and {} more", nics.size() - few);
  if (fabric.planes() > 1) out += fmt::format(" (plane {})", fabric.plane(nics.front()));
  return out + (nics.size() == 1 ? " is not connected to the rest" : " are not connected to the rest");
}

}  // namespace

Result<CheckAnswer> check(const Situation& at, const JudgedPairs& options) {
  auto found = verdict(at, options);
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  CheckAnswer out{std::get<Verdict>(std::move(found))};
  if (out.verdict.disconnected_pairs > 0)
    for (const std::vector<Nic>& nics : smaller_parts(at.topology.fabric))
      out.cut_off.push_back(in_words(at.topology.fabric, nics));
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
