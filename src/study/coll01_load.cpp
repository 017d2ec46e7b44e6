// Coll et al. 2001, Figures 3 to 7: bandwidth and latency against load and message size, and striping.
#include <algorithm>
#include <cmath>

#include "study/coll01.hpp"

namespace banyan::study::coll01 {

void Figures::bandwidth_and_latency() {
  curves(3, "4 KB", five, 4);
  curves(5, "64 KB", five, 64);
  bool same = true;
  std::string accepted;
  for (const Line& line : five) {
    const RailResult& r = at(line, 64, 0.1);
    same &= !r.saturated && std::abs(r.accepted - r.offered) <= std::max(0.05 * r.offered, r.half_width);
    accepted += (accepted.empty() ? "" : ", ") + percent(r.accepted);
  }
  holds("fig3.before", same, accepted + " %");
  more("fig3.basic_over_dynamic", peak(basic, 4), peak(dynamic, 4));
  more("fig3.basic_over_local", peak(basic, 4), peak(local, 4),
       "tested with 32 hosts: neither how processes send nor a NIC's processor that also sees the ends of "
       "messages that were not reserved turns this round");
  more("fig4.dynamic_latency", latency(dynamic, 4, 0.05),
       std::max(latency(basic, 4, 0.05), latency(local, 4, 0.05)));
  more("fig5.dynamic_over_basic", peak(dynamic, 64), peak(basic, 64));
  more("fig5.local_over_basic", peak(local, 64), peak(basic, 64));
  more("fig5.dynamic_over_local", peak(dynamic, 64), peak(local, 64));
  more("basic.falls", peak(basic, 4), peak(basic, 64));
  more("dynamic.rises", peak(dynamic, 64), peak(dynamic, 4));
  const double of_dynamic = peak(dynamic_striped, 64) / peak(dynamic, 64),
               of_local = peak(local_striped, 64) / peak(local, 64);
  holds("stripe.bandwidth", std::abs(of_dynamic - 1) <= 0.05 && std::abs(of_local - 1) <= 0.05,
        fmt::format("striped over not striped: dynamic {:.3f}, local-dynamic {:.3f}", of_dynamic, of_local));
}

void Figures::striping() {
  const auto reduction = [&](const Line& plain, const Line& striped, u32 kb, double load) {
    return 100 * (1 - latency(striped, kb, load) / latency(plain, kb, load));
  };
  const double of_dynamic = reduction(dynamic, dynamic_striped, 64, 0.05),
               of_local = reduction(local, local_striped, 64, 0.05);
  const std::string why =
      "four stripes cannot save more than 75 %; tested with 32 hosts: a NIC that answers at once gives 57 % "
      "for "
      "dynamic; a guess: rails are busy with other messages more often here";
  out_.number("stripe.dynamic", of_dynamic, why);
  out_.number("stripe.local", of_local, why);
  more("stripe.local_more", of_local, of_dynamic);
  more("stripe.size", of_dynamic, reduction(dynamic, dynamic_striped, 16, 0.05));
  more("stripe.load", of_dynamic, reduction(dynamic, dynamic_striped, 64, 0.15));
  const double half = latency({"", "dynamic", 0.5}, 64, 0.05);
  holds("stripe.most", latency(dynamic, 64, 0.05) > half && half > latency(dynamic_striped, 64, 0.05),
        fmt::format("{:.0f}, {:.0f}, {:.0f} cycles", latency(dynamic, 64, 0.05), half,
                    latency(dynamic_striped, 64, 0.05)));
}

void Figures::sizes() {
  const std::vector<u32> all =
      quick_ ? std::vector<u32>{4, 8, 32, 64} : std::vector<u32>{1, 2, 4, 8, 16, 32, 64, 128, 256};
  show("Figure 7, mean message latency in cycles at a load of 0.15, where that is below saturation", "KB",
       all, five, [&](const Line& line, u32 kb) {
         const RailResult& r = at(line, kb, 0.15);
         return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency);
       });
  const auto best = [&](u32 kb) {
    const Line* out = nullptr;
    for (const Line& line : five) {
      const RailResult& r = at(line, kb, 0.15);
      if (!r.saturated && (!out || r.latency < at(*out, kb, 0.15).latency)) out = &line;
    }
    return std::string(out ? out->name : "none");
  };
  bool saturated = true, is_local = true, is_dynamic = true;
  std::string unsaturated, best_below, best_above;
  const auto note = [](std::string& to, const std::string& what) { to += (to.empty() ? "" : "; ") + what; };
  for (const u32 kb : all) {
    if (kb < 8 && !at(dynamic, kb, 0.15).saturated) {
      saturated = false;
      note(unsaturated, fmt::format("{} KB", kb));
    }
    if (kb == 16) continue;
    (kb < 16 ? is_local : is_dynamic) &= best(kb) == (kb < 16 ? local_striped : dynamic_striped).name;
    note(kb < 16 ? best_below : best_above, fmt::format("{} KB: {}", kb, best(kb)));
  }
  holds(
      "fig7.saturated", saturated, unsaturated.empty() ? "saturated" : "not saturated: " + unsaturated,
      "tested with 32 hosts: dynamic is saturated with 4 KB if a NIC's processor takes 600 cycles, not 400");
  holds("fig7.short", is_local, best_below);
  holds("fig7.long", is_dynamic, best_above,
        "the two striped lines cross later here; where they do depends on what reserving costs");
}

}  // namespace banyan::study::coll01
