// Coll et al. 2001, Figures 8 to 11: more hosts and more rails.
#include <algorithm>
#include <cmath>

#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {
namespace {

const std::string held_while_asking = guess(
    "a process asks on all free rails and holds them until all have replied, and with more rails more of "
    "them "
    "are held in vain");

}  // namespace

void Figures::nodes() {
  const std::vector<u32> all = {32, 64, 128};
  show("Figure 8, maximum accepted load in %, 4 rails, 32 KB", "hosts", all,
       {basic, local, dynamic, dynamic_striped},
       [&](const Curve& line, u32 hosts) { return percent(maximum(hosts, 4, line, 32)); },
       {"fig8.32", "fig8.128", "fig8.loss"},
       {{32, 32, 136 * maximum(32, 4, basic, 32).mean, 136 * maximum(32, 4, basic, 32).mean,
         "36 % above basic", "dynamic"},
        {128, 128, 129 * maximum(128, 4, basic, 32).mean, 129 * maximum(128, 4, basic, 32).mean,
         "29 % above basic", "dynamic"}});
  const auto gain = [&](std::string_view id, u32 hosts) {
    const Interval over = maximum(hosts, 4, basic, 32);
    out_.number(
        id, gain_over(maximum(hosts, 4, dynamic, 32), over),
        tested(fmt::format("with striping it is {:.0f} %, and how processes send decides most of it (last "
                           "tables)",
                           gain_over(maximum(hosts, 4, dynamic_striped, 32), over).mean)));
  };
  gain("fig8.32", 32);
  gain("fig8.128", 128);
  const auto loss = [&](const Curve& line) {
    const Interval change = gain_over(maximum(128, 4, line, 32), maximum(64, 4, line, 32));
    return Interval{-change.mean, change.half_width};
  };
  const Interval of_basic = loss(basic), of_dynamic = loss(dynamic);
  out_.number(
      "fig8.loss",
      Interval{(of_basic.mean + of_dynamic.mean) / 2,
               std::hypot(of_basic.half_width, of_dynamic.half_width) / 2},
      guess(fmt::format("basic {:.1f} %, dynamic {:.1f} %: our tree of 128 hosts is not theirs, which no "
                        "quaternary tree has",
                        of_basic.mean, of_dynamic.mean)));
}

void Figures::rails_by_size() {
  const std::vector<u32> kbs = quick_ ? std::vector<u32>{4, 16, 64} : std::vector<u32>{1, 4, 16, 64, 256};
  const std::vector<u32> counts = {1, 2, 4};
  std::vector<Curve> lines;
  for (const u32 count : counts)
    for (const Curve& line : {basic, dynamic_striped})
      lines.push_back(
          {fmt::format("{}, {} rail{}", line.policy, count, count > 1 ? "s" : ""), line.policy, line.stripe});
  show("Figure 9, maximum accepted load in %, 32 hosts", "KB", kbs, lines,
       [&](const Curve& line, u32 kb) {
         const auto place = static_cast<std::size_t>(&line - lines.data());
         return percent(maximum(32, counts[place / 2], line, kb));
       },
       {"fig9.dynamic", "fig9.basic", "fig9.rails"});
  std::string rises, falls;  // where they do not
  Holds does_rise = Holds::yes, does_fall = Holds::yes;
  for (const u32 count : counts)
    for (std::size_t i = 1; i < kbs.size(); ++i) {
      const auto note = [&](const Curve& line, std::string& where, Holds& so_far, bool up) {
        const Interval before = maximum(32, count, line, kbs[i - 1]),
                       after = maximum(32, count, line, kbs[i]);
        const Holds here = up ? is_more(after, before) : is_more(before, after);
        so_far = all_hold({so_far, here});
        if (here != Holds::yes)
          where += fmt::format("{}{} rails, {} to {} KB: {} to {} %", where.empty() ? "" : "; ", count,
                               kbs[i - 1], kbs[i], percent(before), percent(after));
      };
      note(dynamic_striped, rises, does_rise, true);
      note(basic, falls, does_fall, false);
    }
  holds("fig9.dynamic", does_rise, rises.empty() ? "everywhere" : "not clearly so: " + rises,
        held_while_asking);
  holds("fig9.basic", does_fall, falls.empty() ? "everywhere" : "not clearly so: " + falls,
        guess("with one rail there is no choice, and short messages pay for the way instead"));
  more("fig9.rails", maximum(32, 4, dynamic_striped, 64), maximum(32, 1, dynamic_striped, 64),
       held_while_asking);
}

void Figures::rails_maximum() {
  const std::vector<u32> counts = quick_ ? std::vector<u32>{1, 4, 7} : std::vector<u32>{1, 2, 3, 4, 5, 6, 7};
  show("Figure 10, maximum accepted load in %, 32 hosts, 32 KB", "rails", counts, {basic, dynamic_striped},
       [&](const Curve& line, u32 n) { return percent(maximum(32, n, line, 32)); },
       {"fig10.basic", "fig10.dynamic", "superlinear"},
       {{7, 7, 60 * maximum(32, 1, basic, 32).mean, 60 * maximum(32, 1, basic, 32).mean,
         "40 % below one rail", "basic"}});
  const auto lost = [&](const Curve& line) {
    const Interval gain = gain_over(maximum(32, 7, line, 32), maximum(32, 1, line, 32));
    return Interval{-gain.mean, gain.half_width};
  };
  out_.number("fig10.basic", lost(basic),
              guess("a bus that loses time when it turns, and processes that are released when their message "
                    "begins, may be what it takes; the table of readings shows both"));
  more("fig10.dynamic", maximum(32, 7, dynamic_striped, 32), maximum(32, 1, dynamic_striped, 32),
       held_while_asking);
  Holds is_superlinear = Holds::yes;
  std::string found;
  for (const u32 kb : {16u, 64u}) {
    const Interval seven = maximum(32, 7, dynamic_striped, kb), one = maximum(32, 1, dynamic_striped, kb);
    is_superlinear = all_hold({is_superlinear, is_more(seven, one)});
    found += fmt::format("{}{} KB: {:.2f} times", found.empty() ? "" : "; ", kb, 7 * seven.mean / one.mean);
  }
  holds("superlinear", is_superlinear, found, held_while_asking);
}

void Figures::rails_latency() {
  const std::vector<u32> counts = quick_ ? std::vector<u32>{1, 4, 7} : std::vector<u32>{1, 2, 3, 4, 5, 6, 7};
  const auto of = [&](u32 count, const Curve& line) { return at(32, count, line, 32, 0.15).latency; };
  show("Figure 11, mean message latency in cycles, 32 hosts, 32 KB, load 0.15", "rails", counts, five,
       [&](const Curve& line, u32 count) { return fmt::format("{:.0f}", of(count, line).mean); },
       {"fig11.basic", "fig11.injection", "fig11.striped", "fig11.local", "fig11.unstriped"});
  const auto one_and_seven = [&](const Curve& a, const Curve& b) {
    return fmt::format("1 and 7 rails: {} {:.0f} and {:.0f}, {} {:.0f} and {:.0f}", a.name, of(1, a).mean,
                       of(7, a).mean, b.name, of(1, b).mean, of(7, b).mean);
  };
  more("fig11.basic", of(7, basic), of(1, basic),
       guess("a process waits here for its whole message to leave"));
  const double growth = of(7, basic).mean - of(1, basic).mean;
  const double inside = at(32, 7, basic, 32, 0.15).inside - at(32, 1, basic, 32, 0.15).inside;
  holds(
      "fig11.injection", all_hold({is_more(of(7, basic), of(1, basic)), decided(2 * inside < growth)}),
      fmt::format("of {:.0f} cycles more with 7 rails, packets spend {:.0f} in the network", growth, inside));
  holds("fig11.striped",
        all_hold({is_more(of(1, dynamic_striped), of(7, dynamic_striped)),
                  is_more(of(1, local_striped), of(7, local_striped))}),
        one_and_seven(dynamic_striped, local_striped));
  more("fig11.local", of(7, dynamic_striped), of(7, local_striped));
  const auto stays = [&](const Curve& line) {
    const Interval one = of(1, line);
    return is_more({1.05 * one.mean, 1.05 * one.half_width}, of(7, line));
  };
  holds("fig11.unstriped", all_hold({stays(dynamic), stays(local)}), one_and_seven(dynamic, local),
        held_while_asking);
}

}  // namespace banyan::papers::coll01
