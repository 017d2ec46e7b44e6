// Which fabrics a machine could have: candidates of all families, best first, each as a notation that every
// other question takes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/size_deep.hpp"
#include "size/designs.hpp"

namespace banyan::ask {

struct SizeOptions {
  u32 hosts = 0, ports = 64, rails = 1;
  u32 hosts_at_most = 0;
  Speed speed{};
  u32 taper = 1;
  double fill = 0.8, host_ports = 0.1;
  DesignLimits limits{};
  DesignOrder order = DesignOrder::value;
  bool front = false;
  u32 limit = 20;
  HallOptions hall{.racks_per_row = 0};

  static void fields(auto& self, auto&& f) {
    f("hosts", self.hosts, "hosts at least");
    f("hosts-at-most", self.hosts_at_most, "hosts at most; 0: a quarter more than --hosts");
    f("ports", self.ports, "ports of a switch");
    f("speed", self.speed, "speed of a switch's ports, such as 400G: what the price list has for it; 0: any");
    f("rails", self.rails,
      "NICs of a host: as planes, as rail-optimised trees, and as trees that put them on one leaf or on two");
    f("taper", self.taper,
      "also trees with up to so many cables down from a switch for one up; 2 allows 1.5, too");
    f("fill", self.fill, "least share of the switches' ports that have a cable");
    f("host-ports", self.host_ports, "least share of the switches' ports that lead to hosts");
    DesignLimits::fields(self.limits, f);
    f("order", self.order,
      "what is best: value (price for the throughput under the worst traffic), price, throughput, distance");
    f("front", self.front, "list only what is on the front; --deep and --step do so too");
    f("limit", self.limit, "candidates that are listed");
    HallOptions::fields(self.hall, f);
  }
};

struct CandidateAnswer {
  std::string fabric{}, family{};
  u32 rails = 1, hosts = 0, switches = 0, built_in = 0;
  u64 links = 0;
  double bisection_ratio = 0;
  bool bisection_exact = false;
  u32 diameter = 0;
  double mean_distance = 0;
  bool distances_exact = false;
  std::optional<u64> shortest_paths_max{};
  double throughput_uniform = 0, throughput_worst = 0;
  u64 idle_ports = 0;
  u32 cables_to_lose_host = 0;
  std::optional<u64> cables_to_part_hosts{};
  u32 expandable_to = 0;
  double price = 0, watts = 0, longest_cable = 0;
  u64 cables_copper = 0, cables_active_optical = 0, cables_transceivers = 0;
  bool price_exact = true;
  bool on_front = false;
  std::optional<std::vector<DeepState>> deep{};
  std::optional<std::vector<DeepStep>> steps{};

  static void fields(auto& self, auto&& f) {
    f("fabric", self.fabric, "", "its notation, which every other verb takes");
    f("family", self.family, "", "that proposed it");
    f("rails", self.rails, "", "NICs of a host");
    f("hosts", self.hosts, "", "machines");
    f("switches", self.switches, "", "of all planes, those within accelerators too");
    f("built_in", self.built_in, "",
      "of these, within accelerators: neither they nor their cables to hosts are bought");
    f("links", self.links, "", "cables, those of hosts included");
    f("bisection_ratio", self.bisection_ratio, "",
      "the fewest cables that halve the hosts, as a share of full");
    f("bisection_exact", self.bisection_exact, "",
      "false: of the best cut that a formula gives, or that a search found where the least bisection is "
      "limited; of a random fabric, the bound that it almost always keeps");
    f("diameter", self.diameter, "channels", "the longest distance between two hosts");
    f("mean_distance", self.mean_distance, "channels", "over pairs of hosts");
    f("distances_exact", self.distances_exact, "", "false: expected of a random fabric");
    f("shortest_paths_max", or_null(self.shortest_paths_max), "",
      "between two hosts; null: no formula is known");
    f("throughput_uniform", self.throughput_uniform, "",
      "upper bound on the share of the NICs' rate under uniform traffic, whatever the routing");
    f("throughput_worst", self.throughput_worst, "", "the same under the worst permutation");
    f("idle_ports", self.idle_ports, "", "of switches, without a cable");
    f("cables_to_lose_host", self.cables_to_lose_host, "", "the fewest cables whose loss cuts a host off");
    f("cables_to_part_hosts", or_null(self.cables_to_part_hosts), "",
      "the fewest cables between switches whose loss parts hosts; null: a plane is one switch");
    f("expandable_to", self.expandable_to, "", "hosts, by adding switches and cables and moving no cable");
    f("price", self.price, "", "of switches, cables and NICs, in `currency`");
    f("watts", self.watts, "W", "of switches, cables and NICs");
    f("longest_cable", self.longest_cable, "m", "in the hall");
    f("cables_copper", self.cables_copper, "", "cables of copper");
    f("cables_active_optical", self.cables_active_optical, "", "cables with optics of their own");
    f("cables_transceivers", self.cables_transceivers, "", "fibres with a transceiver at each end");
    f("price_exact", self.price_exact, "", "false, of a large random fabric: some cables stand for all");
    f("on_front", self.on_front, "",
      "whether none within the limits is as good in price, worst throughput, mean distance and cables that "
      "part hosts, and better in one");
    f("deep", self.deep, "", "with --deep: what routings make of the traffic, intact and broken");
    f("steps", self.steps, "", "with --step: a step of training, intact and broken");
  }
};

struct UnmetAnswer {
  std::string option{};
  double asked = 0, nearest = 0;

  static void fields(auto& self, auto&& f) {
    f("option", self.option, "", "the limit");
    f("asked", self.asked, "", "its value");
    f("nearest", self.nearest, "", "the value of the nearest candidate");
  }
};

struct OfferAnswer {
  std::string item{};
  double money = 0, watts = 0;
  std::optional<double> speed{};
  std::string date{}, source{};

  static void fields(auto& self, auto&& f) {
    f("item", self.item, "", "what it is");
    f("money", self.money, "", "in `currency`");
    f("watts", self.watts, "W", "that it draws");
    f("speed", or_null(self.speed), "bytes/s", "of its links; null: any");
    f("date", self.date, "", "since when");
    f("source", self.source, "", "who says so");
  }
};

struct SizeAnswer {
  std::vector<CandidateAnswer> candidates{}, cheapest{};
  u64 considered = 0, within_limits = 0, on_front = 0, unmeasured = 0;
  bool prices_estimated = false;
  std::string currency{};
  bool placeholder_prices = false;
  std::vector<OfferAnswer> prices{};
  u32 racks_per_row = 0;
  std::vector<CandidateAnswer> nearest{};
  std::vector<UnmetAnswer> unmet{};

  static void fields(auto& self, auto&& f) {
    f("candidates", self.candidates, "", "within all limits, best first");
    f("considered", self.considered, "", "candidates that were compared");
    f("within_limits", self.within_limits, "", "of these, within all limits");
    f("on_front", self.on_front, "", "of these, on the front");
    f("unmeasured", self.unmeasured, "",
      "that may be within the limits too: their bisection is neither proved nor was it measured, for others "
      "come first or they are large");
    f("prices_estimated", self.prices_estimated, "",
      "whether some cables stood for all when candidates were compared: near ties, the front may be wrong");
    f("cheapest", self.cheapest, "",
      "those that none beats in price and throughput under the worst traffic alone, by price");
    f("currency", self.currency, "", "of all prices");
    f("placeholder_prices", self.placeholder_prices, "", "true: the prices are nobody's offer");
    f("prices", self.prices, "", "the lines of the price list");
    f("racks_per_row", self.racks_per_row, "", "of the hall");
    f("nearest", self.nearest, "", "where none is within the limits: the one that lacks least");
    f("unmet", self.unmet, "", "the limits that this one does not keep");
  }
};

// `families`: empty for all. Throws InputError.
SizeAnswer size(const SizeOptions& options, const std::vector<std::string>& families,
                const PriceList& prices);

}  // namespace banyan::ask
