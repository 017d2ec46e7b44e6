// What the fabric costs, as it was planned.
#include "size/cost.hpp"

#include "study/measure.hpp"
#include "study/prices.hpp"
#include "topology/outline.hpp"

namespace banyan::study {
namespace {

struct CostOptions {
  FilePath prices;
  HallOptions hall;
  static void fields(auto& self, auto&& f) {
    f("prices", self.prices, "a price list; without one, placeholders that are nobody's prices");
    HallOptions::fields(self.hall, f);
  }
};

struct CostAnswer : Cost {
  PriceList prices{};
  u32 hosts = 0, links = 0;
  std::optional<std::string> remark{};

  double per_host(double amount) const { return amount / hosts; }

  static void fields(auto& self, auto&& f) {
    const std::string& currency = self.prices.currency;
    f("switches", self.switches, "", "that are bought");
    f("switch_ports", self.switch_ports, "", "of these");
    f("ports_used", self.ports_used, "", "of these, with a cable");
    f("nics", self.nics, "", "that are bought");
    f("racks", self.racks, "", "that hosts and switches fill");
    f("cables", self.links, "", "of any length");
    f("cables_copper", self.cables_of(CableKind::copper), "", "of copper");
    f("cables_active_optical", self.cables_of(CableKind::active_optical), "", "with optics of their own");
    f("cables_transceivers", self.cables_of(CableKind::transceivers), "",
      "fibres with a transceiver at each end");
    f("cable_metres", self.cable_metres, "m", "of all cables");
    f("longest_cable", self.longest_cable, "m", "of any");
    f("watts", self.watts(), "W", "of all that is bought");
    f("watts_per_host", self.per_host(self.watts()), "W", "");
    f("money", self.money(), currency, "for all that is bought");
    f("money_per_host", self.per_host(self.money()), currency, "");
    f("money_switches", self.of_switches.money, currency, "for switches");
    f("money_cables", self.of_cables.money, currency, "for cables");
    f("money_nics", self.of_nics.money, currency, "for NICs");
    f("remark", self.remark, "", "where prices are nobody's");
  }
};

CostAnswer ask_cost(const Situation& at, const CostOptions& options) {
  PriceList prices = open_prices(options.prices);
  const Fabric& fabric = at.topology.fabric;
  const u32 built_in = topology::built_in_switches(at.topology);
  CostAnswer out{cost(fabric, options.hall, prices, built_in, at.topology.planes), std::move(prices),
                 fabric.hosts(), fabric.links() - (built_in > 0 ? fabric.nics() : 0)};
  if (out.prices.placeholder) out.remark = "placeholder prices: nobody's offer";
  return out;
}

double cost_seconds(const PointWork& work, const CostOptions&) { return 1e-7 * work.topology.fabric.links(); }

}  // namespace

StudyMeasure cost_measure() {
  return make_measure<ask_cost, cost_seconds>("cost", "switches, cables, ports, watts and money", Needs::plan,
                                              "money");
}

}  // namespace banyan::study
