// Coll et al. 2001, Figures 3 to 7: bandwidth and latency against load and message size, and striping.
#include <algorithm>
#include <cmath>

#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {

void Figures::bandwidth_and_latency() {
  curves(3, "4 KB", five, 4,
         {"half", "fig3.basic_over_dynamic", "fig3.basic_over_local", "basic.falls", "dynamic.rises"},
         {"fig4.dynamic_latency"});
  curves(
      5, "64 KB", five, 64,
      {"fig3.before", "fig5.dynamic_over_basic", "fig5.local_over_basic", "fig5.dynamic_over_local",
       "stripe.bandwidth"},
      {"stripe.dynamic", "stripe.local", "stripe.local_more", "stripe.size", "stripe.load", "stripe.most"});
  Holds same = Holds::yes;
  std::string accepted;
  for (const Curve& line : five) {
    const RailResult r = at(line, 64, 0.1);
    same = all_hold({same, decided(!r.saturated), is_close(r.accepted, {r.offered, 0}, 0.05)});
    accepted += (accepted.empty() ? "" : ", ") + percent(r.accepted);
  }
  holds("fig3.before", same, accepted + " %", known("a load of 0.1 is beyond saturation then"));
  more("fig3.basic_over_dynamic", peak(basic, 4), peak(dynamic, 4));
  more("fig3.basic_over_local", peak(basic, 4), peak(local, 4),
       tested("with 32 hosts, neither how processes send nor a NIC's processor that also sees the ends of "
              "messages that were not reserved turns this round"));
  more("fig4.dynamic_latency", latency(dynamic, 4, 0.05),
       maximum_of(latency(basic, 4, 0.05), latency(local, 4, 0.05)));
  more("fig5.dynamic_over_basic", peak(dynamic, 64), peak(basic, 64));
  more("fig5.local_over_basic", peak(local, 64), peak(basic, 64));
  more("fig5.dynamic_over_local", peak(dynamic, 64), peak(local, 64));
  more("basic.falls", peak(basic, 4), peak(basic, 64));
  more("dynamic.rises", peak(dynamic, 64), peak(dynamic, 4));
  holds("stripe.bandwidth",
        all_hold({is_close(peak(dynamic_striped, 64), peak(dynamic, 64), 0.05),
                  is_close(peak(local_striped, 64), peak(local, 64), 0.05)}),
        fmt::format("striped over not striped: dynamic {:.3f}, local-dynamic {:.3f}",
                    ratio(peak(dynamic_striped, 64), peak(dynamic, 64)).mean,
                    ratio(peak(local_striped, 64), peak(local, 64)).mean),
        guess("a striped message holds several rails, and in saturation others wait for each of them"));
}

void Figures::striping() {
  const auto reduction = [&](const Curve& plain, const Curve& striped, u32 kb, double load) {
    const Interval left = ratio(latency(striped, kb, load), latency(plain, kb, load));
    return Interval{100 * (1 - left.mean), 100 * left.half_width};
  };
  const Interval of_dynamic = reduction(dynamic, dynamic_striped, 64, 0.05),
                 of_local = reduction(local, local_striped, 64, 0.05);
  const std::string why = tested(
      "with 32 hosts, a NIC that answers at once gives 57 % for dynamic; four stripes cannot save more than "
      "75 %");
  out_.number("stripe.dynamic", of_dynamic, why);
  out_.number("stripe.local", of_local, why);
  more("stripe.local_more", of_local, of_dynamic);
  more("stripe.size", of_dynamic, reduction(dynamic, dynamic_striped, 16, 0.05));
  more("stripe.load", of_dynamic, reduction(dynamic, dynamic_striped, 64, 0.15));
  const Interval none = latency(dynamic, 64, 0.05), half = latency({"", "dynamic", 0.5}, 64, 0.05),
                 whole = latency(dynamic_striped, 64, 0.05);
  holds("stripe.most", all_hold({is_more(none, half), is_more(half, whole)}),
        fmt::format("{:.0f}, {:.0f}, {:.0f} cycles", none.mean, half.mean, whole.mean));
}

void Figures::sizes() {
  const std::vector<u32> all =
      quick_ ? std::vector<u32>{4, 8, 32, 64} : std::vector<u32>{1, 2, 4, 8, 16, 32, 64, 128, 256};
  show("Figure 7, mean message latency in cycles at a load of 0.15, where that is below saturation", "KB",
       all, five,
       [&](const Curve& line, u32 kb) {
         const RailResult r = at(line, kb, 0.15);
         return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency.mean);
       },
       {"fig7.saturated", "fig7.short", "fig7.long"});
  const auto best = [&](u32 kb) {
    const Curve* out = nullptr;
    for (const Curve& line : five) {
      const RailResult r = at(line, kb, 0.15);
      if (!r.saturated && (!out || r.latency.mean < at(*out, kb, 0.15).latency.mean)) out = &line;
    }
    return std::string(out ? out->name : "none");
  };
  bool saturated = true;
  Holds is_local = Holds::yes, is_dynamic = Holds::yes;
  std::string unsaturated, best_below, best_above;
  const auto note = [](std::string& to, const std::string& what) { to += (to.empty() ? "" : "; ") + what; };
  for (const u32 kb : all) {
    if (kb < 8 && !at(dynamic, kb, 0.15).saturated) {
      saturated = false;
      note(unsaturated, fmt::format("{} KB", kb));
    }
    if (kb == 16) continue;
    const Curve& wanted = kb < 16 ? local_striped : dynamic_striped;
    Holds& so_far = kb < 16 ? is_local : is_dynamic;
    for (const Curve& line : five)
      if (line.name != wanted.name && !at(line, kb, 0.15).saturated)
        so_far = all_hold({so_far, decided(!at(wanted, kb, 0.15).saturated),
                           is_more(at(line, kb, 0.15).latency, at(wanted, kb, 0.15).latency)});
    note(kb < 16 ? best_below : best_above, fmt::format("{} KB: {}", kb, best(kb)));
  }
  holds(
      "fig7.saturated", decided(saturated),
      unsaturated.empty() ? "saturated" : "not saturated: " + unsaturated,
      tested("with 32 hosts, dynamic is saturated with 4 KB if a NIC's processor takes 600 cycles, not 400"));
  holds("fig7.short", is_local, best_below,
        guess("where the striped lines cross depends on what reserving costs"));
  holds("fig7.long", is_dynamic, best_above,
        guess("where the striped lines cross depends on what reserving costs"));
}

}  // namespace banyan::papers::coll01
