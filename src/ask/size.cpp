#include "ask/size.hpp"

#include <algorithm>
#include <cmath>

namespace banyan::ask {
namespace {

SizeRequest request_of(const SizeOptions& options, const std::vector<std::string>& families) {
  SizeRequest out;
  out.demand = {options.hosts, options.ports,      options.rails, options.hosts_at_most,
                options.fill,  options.host_ports, options.taper, options.limits.expandable_to};
  if (options.hosts_at_most == 0) out.demand.hosts_at_most = options.hosts + options.hosts / 4;
  out.families = families;
  out.limits = options.limits;
  out.order = options.order;
  out.front = options.front;
  out.limit = options.limit;
  out.hall = options.hall;
  // A square hall, by default.
  if (out.hall.racks_per_row == 0 && options.hall.hosts_per_rack > 0) {
    const double racks = static_cast<double>(options.hosts) / options.hall.hosts_per_rack;
    const double long_side =
        std::sqrt(racks * options.hall.row_pitch / std::max(options.hall.rack_pitch, 1e-9));
    out.hall.racks_per_row = static_cast<u32>(std::clamp(std::ceil(long_side), 1.0, 1e6));
  }
  return out;
}

CandidateAnswer answer_of(const Design& c, u32 ports) {
  const Outline& o = c.outline;
  CandidateAnswer out;
  out.fabric = o.notation;
  out.family = c.family;
  out.rails = o.rails, out.hosts = o.hosts, out.switches = o.switches;
  out.built_in = o.built_in;
  out.links = o.links;
  out.bisection_ratio = c.bisection_ratio(), out.bisection_exact = o.bisection.exact;
  out.diameter = o.distances.diameter, out.mean_distance = o.distances.average;
  out.distances_exact = o.distances_exact;
  if (o.distances.shortest_paths_max > 0) out.shortest_paths_max = o.distances.shortest_paths_max;
  out.throughput_uniform = c.throughput.uniform, out.throughput_worst = c.throughput.worst;
  out.idle_ports = c.idle_ports(ports);
  out.cables_to_lose_host = o.rails;  // every NIC has one cable, and a plane without cuts is connected
  if (!o.cuts.empty()) out.cables_to_part_hosts = cables_to_part_hosts(o);
  out.expandable_to = o.grows_to;
  out.price = c.cost.money(), out.watts = c.cost.watts(), out.longest_cable = c.cost.longest_cable;
  out.cables_copper = c.cost.cables_of(CableKind::copper);
  out.cables_active_optical = c.cost.cables_of(CableKind::active_optical);
  out.cables_transceivers = c.cost.cables_of(CableKind::transceivers);
  out.price_exact = c.cost.exact;
  out.on_front = c.on_front;
  return out;
}

std::vector<OfferAnswer> offers_of(const PriceList& list) {
  std::vector<OfferAnswer> out;
  each_offer(list, [&](std::string item, const Offer& offer) {
    OfferAnswer& line = out.emplace_back();
    line = {std::move(item), offer.price.money, offer.price.watts, {}, offer.date, offer.source};
    if (offer.speed.value > 0) line.speed = offer.speed.value;
  });
  return out;
}

}  // namespace

SizeAnswer size(const SizeOptions& options, const std::vector<std::string>& families, const PriceList& list) {
  const PriceList prices = list.at_speed(options.speed);
  const SizeRequest request = request_of(options, families);
  const SizeResult found = size_machine(request, prices);
  SizeAnswer out;
  for (const Design& c : found.candidates) out.candidates.push_back(answer_of(c, options.ports));
  for (const Design& c : found.cheapest) out.cheapest.push_back(answer_of(c, options.ports));
  for (const Design& c : found.nearest) out.nearest.push_back(answer_of(c, options.ports));
  for (const UnmetLimit& limit : found.unmet) out.unmet.push_back({limit.option, limit.asked, limit.nearest});
  out.considered = found.considered, out.within_limits = found.within_limits;
  out.on_front = found.on_front;
  out.unmeasured = found.unmeasured;
  out.prices_estimated = found.estimated;
  out.currency = prices.currency;
  out.placeholder_prices = prices.placeholder;
  out.prices = offers_of(prices);
  out.racks_per_row = request.hall.racks_per_row;
  return out;
}

}  // namespace banyan::ask
