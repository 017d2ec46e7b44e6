// What the fabric costs, as it was planned.
#include "study/cost.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

struct CostOptions {
  std::string prices;
  HallOptions hall;
  static void fields(auto& self, auto&& f) {
    f("prices", self.prices, "a price list; without one, placeholders that are nobody's prices");
    HallOptions::fields(self.hall, f);
  }
};

Found measure_cost(const Situation& at, const CostOptions& options) {
  const PriceList prices = open_prices(options.prices);
  const Cost c = cost(at.topology.fabric, options.hall, prices);
  const double hosts = at.topology.fabric.hosts();
  Found out;
  out.add("switches", c.switches);
  out.add("switch_ports", static_cast<double>(c.switch_ports));
  out.add("ports_used", static_cast<double>(c.ports_used));
  out.add("nics", c.nics);
  out.add("racks", c.racks);
  out.add("cables", at.topology.fabric.links());
  for (std::size_t i = 0; i < prices.cables.size(); ++i)
    out.add("cables_" + prices.cables[i].name, static_cast<double>(c.cables[i]));
  out.add("cable_metres", c.cable_metres, "m");
  out.add("longest_cable", c.longest_cable, "m");
  out.add("watts", c.watts(), "W");
  out.add("watts_per_host", c.watts() / hosts, "W");
  out.add("money", c.money(), prices.currency);
  out.add("money_per_host", c.money() / hosts, prices.currency);
  out.add("money_switches", c.of_switches.money, prices.currency);
  out.add("money_cables", c.of_cables.money, prices.currency);
  out.add("money_nics", c.of_nics.money, prices.currency);
  if (prices.placeholder) out.texts.emplace_back("remark", "placeholder prices: nobody's offer");
  return out;
}

double cost_seconds(const Topology& t, const CostOptions&) { return 1e-7 * t.fabric.links(); }

}  // namespace

StudyMeasure cost_measure() {
  return make_measure<measure_cost, cost_seconds>("cost", "switches, cables, ports, watts and money",
                                                  Needs::plan, "money");
}

}  // namespace banyan::study
