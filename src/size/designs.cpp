#include "size/designs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "topology/bisection.hpp"
#include "topology/family.hpp"

namespace banyan::size {
namespace {

constexpr u32 host_limit = 10'000'000, port_limit = 4096;

void check_demand(const SizeDemand& demand) {
  if (demand.hosts < 1 || demand.hosts > host_limit)
    throw InputError(fmt::format("--hosts{}: expected how many hosts the machine has at least, 1 to {}",
                                 demand.hosts == 0 ? "" : fmt::format(" {}", demand.hosts), host_limit));
  if (demand.ports < 2 || demand.ports > port_limit)
    throw InputError(fmt::format("--ports {}: expected switches of 2 to {} ports", demand.ports, port_limit));
  if (demand.rails < 1 || demand.rails > demand.ports)
    throw InputError(fmt::format("--rails {}: expected 1 to {} rails, no more than a switch has ports",
                                 demand.rails, demand.ports));
  if (demand.taper < 1 || demand.taper > demand.ports)
    throw InputError(fmt::format("--taper {}: expected 1 (none) to {}", demand.taper, demand.ports));
  if (demand.hosts_at_most < demand.hosts)
    throw InputError(fmt::format("--hosts-at-most {}: fewer than the {} hosts of --hosts",
                                 demand.hosts_at_most, demand.hosts));
  for (const auto& [name, share] : {std::pair("fill", demand.fill), {"host-ports", demand.host_ports}})
    if (!(share >= 0 && share <= 1))
      throw InputError(fmt::format("--{} {}: expected a share of the ports, 0 to 1", name, share));
}

void check_limits(const SizeRequest& request) {
  DesignLimits::each(request.limits, [](std::string_view option, auto asked, auto&&...) {
    if (asked < 0) throw InputError(fmt::format("--{} {}: expected 0 (any) or more", option, asked));
  });
  if (request.limits.least_bisection > 1)
    throw InputError(fmt::format("--least-bisection {}: expected a share of full, up to 1 or 100%",
                                 request.limits.least_bisection));
  if (request.limit == 0) throw InputError("--limit 0: expected to list 1 or more");
}

[[noreturn]] void refuse_family(const std::string& name) {
  const bool is_known = std::any_of(families().begin(), families().end(),
                                    [&](const Family& family) { return lower(family.name) == lower(name); });
  throw InputError(
      fmt::format("--family {}: {}expected one of {}", name,
                  is_known ? "'size' proposes no shapes of this family (docs/size.md says why); " : "",
                  fmt::join(proposing_families(), ", ")));
}

std::vector<const Family*> chosen_families(const std::vector<std::string>& names) {
  std::vector<const Family*> out;
  for (const Family& family : families())
    if (family.propose) out.push_back(&family);
  if (names.empty()) return out;
  std::vector<const Family*> chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(out.begin(), out.end(),
                                    [&](const Family* family) { return lower(family->name) == lower(name); });
    if (found == out.end()) refuse_family(name);
    if (std::find(chosen.begin(), chosen.end(), *found) == chosen.end()) chosen.push_back(*found);
  }
  return chosen;
}

void check_interrupt() {
  if (base::interrupted()) throw base::Interrupted();
}

std::vector<Design> propose(const SizeDemand& demand, const std::vector<const Family*>& families) {
  std::vector<Design> out;
  base::Progress progress("shapes", 0);
  const auto tick = [&] {
    check_interrupt();
    progress.advance();
  };
  const Family* family = nullptr;
  const auto take = [&](Outline&& outline) {
    const ThroughputBounds bounds = throughput_bounds(outline);
    out.push_back({family->name, std::move(outline), bounds});
  };
  for (const Family* each : families) {
    family = each;
    family->propose(Proposals(demand, take, tick));
  }
  return out;
}

// A limit in words and numbers.
struct Limit {
  std::string_view option;
  double asked;
  bool is_greatest;
  std::function<double(const Design&, const SizeDemand&)> value;

  bool keeps(const Design& c, const SizeDemand& demand) const {
    const double has = value(c, demand), slack = 1e-9 * std::abs(asked);
    return is_greatest ? has <= asked + slack : has >= asked - slack;
  }
  double excess(const Design& c, const SizeDemand& demand) const {
    return keeps(c, demand) ? 0 : std::abs(value(c, demand) - asked) / asked;
  }
};

double share_of_ports(const Design& c, const SizeDemand& demand, u64 ports) {
  return static_cast<double>(ports) / (static_cast<double>(c.outline.bought_switches()) * demand.ports);
}

std::vector<Limit> given_limits(const DesignLimits& limits) {
  std::vector<Limit> out;
  DesignLimits::each(limits, [&](std::string_view option, auto asked, std::string_view, bool is_greatest,
                                 double (*value)(const Design&)) {
    if (asked != 0)
      out.push_back({option, static_cast<double>(asked), is_greatest,
                     [value](const Design& c, const SizeDemand&) { return value(c); }});
  });
  return out;
}

// What all proposals for a demand meet, as limits for those for a wider one.
void add_demand(std::vector<Limit>& out, const SizeDemand& demand) {
  using C = const Design&;
  using D = const SizeDemand&;
  out.push_back({"hosts-at-most", static_cast<double>(demand.hosts_at_most), true,
                 [](C c, D) { return static_cast<double>(c.outline.hosts); }});
  out.push_back(
      {"fill", demand.fill, false, [](C c, D d) { return share_of_ports(c, d, c.outline.ports_used()); }});
  out.push_back({"host-ports", demand.host_ports, false,
                 [](C c, D d) { return share_of_ports(c, d, c.outline.nics()); }});
  std::erase_if(out, [](const Limit& limit) { return limit.asked == 0; });
}

bool is_within(const Design& c, const std::vector<Limit>& limits, const SizeDemand& demand) {
  return std::all_of(limits.begin(), limits.end(), [&](const Limit& l) { return l.keeps(c, demand); });
}

// The bisection as `describe` finds it; or that of a cut that is known to be too small, which is found
// sooner.
void measure_bisection(Design& c, double least) {
  const Topology built = make_topology(c.outline.notation);
  for (const u32 tries : {4U, topology::BisectionOptions{}.max_tries}) {
    const Bisection found = topology::search_bisection(built.fabric, {.max_tries = tries});
    const bool is_expected = !c.outline.distances_exact;  // of a random fabric, not the cut of this one
    c.outline.bisection.links = is_expected ? found.links : std::min(c.outline.bisection.links, found.links);
    if (c.bisection_ratio() < least * (1 - 1e-9)) break;
  }
  c.is_measured = true;
  c.throughput = throughput_bounds(c.outline);
}

// The keys of the best candidates, as many as are listed.
class ListedKeys {
 public:
  explicit ListedKeys(u32 limit) : limit_(limit) {}

  bool has_room(double key) const { return keys_.size() < limit_ || key <= keys_.top(); }
  void add(double key) {
    keys_.push(key);
    if (keys_.size() > limit_) keys_.pop();
  }

 private:
  u32 limit_;
  std::priority_queue<double> keys_;
};

class Sizer {
 public:
  static constexpr u64 max_to_build = 20'000;          // cables of a fabric without a shape
  static constexpr u64 cables_at_once = 40'000'000;    // that are looked at one by one
  static constexpr u64 cables_again = 8'000'000;       // that are, where some stood for all before
  static constexpr u64 max_to_measure = 200'000;       // cables of a fabric whose bisection is searched for
  static constexpr u64 cables_to_measure = 1'000'000;  // of all of them

  Sizer(const SizeRequest& request, const PriceList& prices)
      : request_(request),
        demand_(request.demand),
        prices_(prices),
        limits_(given_limits(cabled(request.limits, prices))) {}

  SizeResult run() {
    check_demand(demand_);
    check_limits(request_);
    const auto families = chosen_families(request_.families);
    SizeResult out;
    std::vector<Design> all = priced(propose(demand_, families));
    out.considered = all.size();
    out.estimated = std::any_of(all.begin(), all.end(), [](const Design& c) {
      return !c.cost.exact && c.outline.shape.index() > 0;  // a random fabric is an estimate anyway
    });
    std::vector<Design> within = taken_within(all, out);
    if (within.empty()) return with_nearest(std::move(out), std::move(all), families);
    out.within_limits = within.size();
    mark_front(within);
    out.cheapest = cheapest_of(within);
    const auto is_off = [](const Design& c) { return !c.on_front; };
    out.on_front = within.size() - static_cast<u64>(std::count_if(within.begin(), within.end(), is_off));
    if (request_.front) std::erase_if(within, is_off);
    out.candidates = best_of(std::move(within));
    return out;
  }

 private:
  // No cable is longer than the longest of the price list.
  static DesignLimits cabled(DesignLimits limits, const PriceList& prices) {
    const double most = prices.longest_cable();
    limits.longest_cable = limits.longest_cable > 0 ? std::min(limits.longest_cable, most) : most;
    return limits;
  }

  // Those of `all` that are within the limits. Where only their bisection is open, it is measured, the best
  // first, until what is to be listed is found. The others stay, and the rest of the open ones is counted.
  std::vector<Design> taken_within(std::vector<Design>& all, SizeResult& out) const {
    std::vector<Design> within;
    std::vector<Design*> open;
    for (Design& c : all)
      if (is_within(c, limits_, demand_))
        within.push_back(std::move(c));
      else if (is_open(c))
        open.push_back(&c);
    std::sort(open.begin(), open.end(), [this](const Design* a, const Design* b) { return better(*a, *b); });
    ListedKeys listed(request_.front ? ~0U : request_.limit);
    for (const Design& c : within) listed.add(key(c));
    u64 looked = 0;  // cables
    for (Design* c : open) {
      const u64 cables = c->outline.links;
      if (cables > max_to_measure || looked + cables > cables_to_measure || !listed.has_room(key(*c))) {
        ++out.unmeasured;
        continue;
      }
      looked += cables;
      check_interrupt();
      measure_bisection(*c, request_.limits.least_bisection);
      if (!is_within(*c, limits_, demand_)) continue;
      listed.add(key(*c));
      within.push_back(std::move(*c));
    }
    return within;
  }

  // Whether it is within all limits if no cut is better than the one that is known.
  bool is_open(Design& c) const {
    if (c.is_measured || c.outline.bisection.exact || request_.limits.least_bisection == 0) return false;
    c.is_measured = true;
    const bool is_known_to_be_out = !is_within(c, limits_, demand_);
    c.is_measured = false;
    return !is_known_to_be_out;
  }

  // Where all candidates together have very many cables, the price of each is estimated from some cables of
  // each class.
  std::vector<Design> priced(std::vector<Design> all) const {
    constexpr u64 few = cables_at_once, budget = 12'000'000, least = 32, classes = 5;
    u64 links = 0;
    for (const Design& c : all) links += c.outline.links;
    const u64 most = links <= few ? few : std::max(least, budget / (classes * (u64{all.size()} + 1)));
    base::Progress progress("prices", all.size());
    for (Design& c : all) {
      check_interrupt();
      progress.advance();
      c.cost = cost(c.outline, demand_.ports, request_.hall, prices_, most);
      if (c.outline.links <= std::min(most, max_to_build)) c.cost = exact_cost(c);
    }
    return all;
  }

  Cost exact_cost(const Design& c) const {
    if (c.cost.exact) return c.cost;
    if (c.outline.shape.index() > 0) return cost(c.outline, demand_.ports, request_.hall, prices_);
    if (c.outline.links > max_to_build) return cost(c.outline, demand_.ports, request_.hall, prices_, 4096);
    Cost out = cost(make_topology(c.outline.notation).fabric, request_.hall, prices_);
    out.of_switches = c.cost.of_switches, out.switch_ports = c.cost.switch_ports;  // all of the same ports
    return out;
  }

  double key(const Design& c) const {
    switch (request_.order) {
      case DesignOrder::price:
        return c.cost.money();
      case DesignOrder::throughput:
        return -c.throughput.worst;
      case DesignOrder::distance:
        return c.outline.distances.average;
      case DesignOrder::value:
        break;
    }
    return c.cost.money() / c.throughput.worst;
  }
  auto keys(const Design& c) const {
    return std::tuple(key(c), c.cost.money(), c.outline.distances.average,
                      std::string_view(c.outline.notation));
  }
  bool better(const Design& a, const Design& b) const { return keys(a) < keys(b); }

  // With exact prices, unless there are very many cables. Exact prices may show that another one is better:
  // it is left out.
  std::vector<Design> cheapest_of(const std::vector<Design>& all) const {
    std::vector<Design> out;
    u64 looked = 0;  // cables
    for (const Design* c : staircase(all)) {
      Design& design = out.emplace_back(*c);
      looked += design.cost.exact ? 0 : design.outline.links;
      if (looked < cables_again) design.cost = exact_cost(design);
    }
    const std::vector<Design> priced = out;
    out.clear();
    for (const Design* c : staircase(priced)) out.push_back(*c);
    return out;
  }

  // Each has more throughput than all that are cheaper. Of equals, the one with the shortest paths.
  static std::vector<const Design*> staircase(const std::vector<Design>& all) {
    const auto keys = [](const Design* c) {
      return std::tuple(c->price(), -c->throughput.worst, c->outline.distances.average,
                        std::string_view(c->outline.notation));
    };
    std::vector<const Design*> out;
    for (const Design& c : all)
      if (c.on_front) out.push_back(&c);
    std::sort(out.begin(), out.end(), [&](const Design* a, const Design* b) { return keys(a) < keys(b); });
    double most = 0;
    std::erase_if(out, [&](const Design* c) {
      if (c->throughput.worst <= most) return true;
      most = c->throughput.worst;
      return false;
    });
    return out;
  }

  // The best, in the order of their exact prices. So all whose price was estimated from some of their cables
  // are priced again until enough have been.
  std::vector<Design> best_of(std::vector<Design> all) const {
    const auto better_first = [this](const Design& a, const Design& b) { return better(a, b); };
    std::sort(all.begin(), all.end(), better_first);
    std::vector<Design> out;
    u64 looked = 0;  // cables
    for (std::size_t i = 0; i < all.size() && (i < 2 * request_.limit || looked < cables_again); ++i) {
      if (!all[i].cost.exact) looked += all[i].outline.links;
      all[i].cost = exact_cost(all[i]);
      if (is_within(all[i], limits_, demand_)) out.push_back(std::move(all[i]));
    }
    std::sort(out.begin(), out.end(), better_first);
    if (out.size() > request_.limit) out.resize(request_.limit);
    return out;
  }

  // Those with the most hosts, where nothing has as many as are asked for.
  static std::vector<Design> largest(SizeDemand demand, const std::vector<const Family*>& families) {
    std::vector<Design> out;
    demand.hosts_at_most = demand.hosts - 1;
    for (demand.hosts /= 2; out.empty() && demand.hosts > 0; demand.hosts /= 2)
      out = propose(demand, families);
    for (std::vector<Design> more = out; !more.empty(); more = propose(demand, families)) {
      u32 hosts = 0;
      for (const Design& c : more) hosts = std::max(hosts, c.outline.hosts);
      std::erase_if(more, [&](const Design& c) { return c.outline.hosts < hosts; });
      out = std::move(more);
      demand.hosts = hosts + 1;
      if (demand.hosts > demand.hosts_at_most) break;
    }
    return out;
  }

  // Where no family has a candidate that fills the ports as asked, families are asked again: for half the
  // shares of ports and for up to four times the hosts; and where that fails, for fewer hosts.
  SizeResult with_nearest(SizeResult out, std::vector<Design> all,
                          const std::vector<const Family*>& families) const {
    std::vector<Limit> limits = limits_;
    if (all.empty()) {
      add_demand(limits, demand_);
      SizeDemand wider = demand_;
      wider.fill /= 2, wider.host_ports /= 2;
      wider.hosts_at_most = std::max(demand_.hosts_at_most, 4 * demand_.hosts);
      all = propose(wider, families);
      if (all.empty()) {
        all = largest(wider, families);
        limits.push_back(
            {"hosts", static_cast<double>(demand_.hosts), false,
             [](const Design& c, const SizeDemand&) { return static_cast<double>(c.outline.hosts); }});
      }
      all = priced(std::move(all));
      out.considered = all.size();
    }
    if (all.empty()) return out;
    const auto lacks = [&](const Design& c) {
      u32 unmet = 0;
      double excess = 0;
      for (const Limit& limit : limits) unmet += !limit.keeps(c, demand_), excess += limit.excess(c, demand_);
      return std::pair(unmet, excess);
    };
    const auto nearest = std::min_element(all.begin(), all.end(), [&](const Design& a, const Design& b) {
      const auto [la, lb] = std::pair(lacks(a), lacks(b));
      return la != lb ? la < lb : better(a, b);
    });
    nearest->cost = exact_cost(*nearest);
    for (const Limit& limit : limits)
      if (!limit.keeps(*nearest, demand_))
        out.unmet.push_back({std::string(limit.option), limit.asked, limit.value(*nearest, demand_)});
    out.nearest.push_back(std::move(*nearest));
    return out;
  }

  const SizeRequest& request_;
  const SizeDemand& demand_;
  const PriceList& prices_;
  const std::vector<Limit> limits_;
};

}  // namespace

namespace {

double share_of_full(const Outline& outline, u64 cut) {
  if (outline.hosts < 2) return 0;
  return std::min(1.0, static_cast<double>(cut) / (static_cast<double>(outline.nics()) / 2.0));
}

}  // namespace

double Design::bisection_ratio() const { return share_of_full(outline, outline.bisection.links); }

double Design::sure_bisection_ratio() const {
  return is_measured ? bisection_ratio() : share_of_full(outline, outline.proved_cut);
}

std::vector<std::string_view> proposing_families() {
  std::vector<std::string_view> out;
  for (const Family& family : families())
    if (family.propose) out.push_back(family.name);
  return out;
}

void mark_front(std::vector<Design>& candidates) {
  struct Point {
    std::array<double, 4> cost;  // less is better
    u32 candidate;
    bool operator<(const Point& other) const { return cost < other.cost; }
  };
  std::vector<Point> points, front;
  for (u32 i = 0; i < candidates.size(); ++i) {
    const Design& c = candidates[i];
    points.push_back({{c.cost.money(), -c.throughput.worst, c.outline.distances.average,
                       -static_cast<double>(cables_to_part_hosts(c.outline))},
                      i});
  }
  std::sort(points.begin(), points.end());
  const auto beats = [](const Point& a, const Point& b) {
    bool better = false;
    for (u32 k = 0; k < 4; ++k) {
      if (a.cost[k] > b.cost[k]) return false;
      better |= a.cost[k] < b.cost[k];
    }
    return better;
  };
  for (const Point& point : points) {  // those that beat it come first
    if (std::any_of(front.begin(), front.end(), [&](const Point& other) { return beats(other, point); }))
      continue;
    front.push_back(point);
    candidates[point.candidate].on_front = true;
  }
}

SizeResult size_machine(const SizeRequest& request, const PriceList& prices) {
  return Sizer(request, prices).run();
}

}  // namespace banyan::size
