// Coll et al. 2001, Figures 8 to 11: more hosts and more rails.
#include <algorithm>
#include <cmath>

#include "study/coll01.hpp"

namespace banyan::study::coll01 {
namespace {

const std::string held_while_asking =
    "a guess: a process asks on all free rails and holds them until all have replied, and with more rails "
    "more of "
    "them are held in vain";

}  // namespace

void Figures::nodes() {
  const std::vector<u32> all = {32, 64, 128};
  show("Figure 8, maximum accepted load in %, 4 rails, 32 KB", "hosts", all,
       {basic, local, dynamic, dynamic_striped},
       [&](const Line& line, u32 hosts) { return percent(maximum(hosts, 4, line, 32)); });
  const auto gain = [&](std::string_view id, u32 hosts) {
    const double over = maximum(hosts, 4, basic, 32);
    const double striped = 100 * (maximum(hosts, 4, dynamic_striped, 32) / over - 1);
    out_.number(
        id, 100 * (maximum(hosts, 4, dynamic, 32) / over - 1),
        fmt::format("not said: with striping it is {:.0f} %, and how processes send decides most of it "
                    "(last table)",
                    striped));
  };
  gain("fig8.32", 32);
  gain("fig8.128", 128);
  const auto loss = [&](const Line& line) {
    return 100 * (1 - maximum(128, 4, line, 32) / maximum(64, 4, line, 32));
  };
  out_.number("fig8.loss", (loss(basic) + loss(dynamic)) / 2,
              fmt::format("basic {:.1f} %, dynamic {:.1f} %", loss(basic), loss(dynamic)));
}

void Figures::rails_by_size() {
  const std::vector<u32> kbs = quick_ ? std::vector<u32>{4, 16, 64} : std::vector<u32>{1, 4, 16, 64, 256};
  const std::vector<u32> counts = {1, 2, 4};
  std::vector<Line> lines;
  for (const u32 count : counts)
    for (const Line& line : {basic, dynamic_striped})
      lines.push_back(
          {fmt::format("{}, {} rail{}", line.policy, count, count > 1 ? "s" : ""), line.policy, line.stripe});
  show("Figure 9, maximum accepted load in %, 32 hosts", "KB", kbs, lines, [&](const Line& line, u32 kb) {
    const auto place = static_cast<std::size_t>(&line - lines.data());
    return percent(maximum(32, counts[place / 2], line, kb));
  });
  std::string rises, falls;  // where they do not
  for (const u32 count : counts)
    for (std::size_t i = 1; i < kbs.size(); ++i) {
      const auto note = [&](const Line& line, std::string& where, double sign) {
        const double before = maximum(32, count, line, kbs[i - 1]), after = maximum(32, count, line, kbs[i]);
        if (sign * (after - before) < 0)
          where += fmt::format("{}{} rails, {} to {} KB: {} to {} %", where.empty() ? "" : "; ", count,
                               kbs[i - 1], kbs[i], percent(before), percent(after));
      };
      note(dynamic_striped, rises, 1);
      note(basic, falls, -1);
    }
  holds("fig9.dynamic", rises.empty(), rises.empty() ? "everywhere" : "not so: " + rises);
  holds("fig9.basic", falls.empty(), falls.empty() ? "everywhere" : "not so: " + falls);
  more("fig9.rails", maximum(32, 4, dynamic_striped, 64), maximum(32, 1, dynamic_striped, 64),
       held_while_asking);
}

void Figures::rails_maximum() {
  const std::vector<u32> counts = quick_ ? std::vector<u32>{1, 4, 7} : std::vector<u32>{1, 2, 3, 4, 5, 6, 7};
  show("Figure 10, maximum accepted load in %, 32 hosts, 32 KB", "rails", counts, {basic, dynamic_striped},
       [&](const Line& line, u32 n) { return percent(maximum(32, n, line, 32)); });
  out_.number(
      "fig10.basic", 100 * (1 - maximum(32, 7, basic, 32) / maximum(32, 1, basic, 32)),
      "tested: 38 % if each process takes rails in turns of its own, not a host for all of its processes");
  more("fig10.dynamic", maximum(32, 7, dynamic_striped, 32), maximum(32, 1, dynamic_striped, 32),
       held_while_asking);
  bool is_superlinear = true;
  std::string found;
  for (const u32 kb : {16u, 64u}) {
    const double ratio = maximum(32, 7, dynamic_striped, kb) / maximum(32, 1, dynamic_striped, kb);
    is_superlinear &= ratio > 1;
    found += fmt::format("{}{} KB: {:.2f} times", found.empty() ? "" : "; ", kb, 7 * ratio);
  }
  holds("superlinear", is_superlinear, found, held_while_asking);
}

void Figures::rails_latency() {
  const std::vector<u32> counts = quick_ ? std::vector<u32>{1, 4, 7} : std::vector<u32>{1, 2, 3, 4, 5, 6, 7};
  const auto of = [&](u32 count, const Line& line) { return at(32, count, line, 32, 0.15).latency; };
  show("Figure 11, mean message latency in cycles, 32 hosts, 32 KB, load 0.15", "rails", counts, five,
       [&](const Line& line, u32 count) { return fmt::format("{:.0f}", of(count, line)); });
  const auto one_and_seven = [&](const Line& a, const Line& b) {
    return fmt::format("1 and 7 rails: {} {:.0f} and {:.0f}, {} {:.0f} and {:.0f}", a.name, of(1, a),
                       of(7, a), b.name, of(1, b), of(7, b));
  };
  more("fig11.basic", of(7, basic), of(1, basic),
       "tested: it does if each process takes rails in turns of its own");
  holds("fig11.striped",
        of(7, dynamic_striped) < of(1, dynamic_striped) && of(7, local_striped) < of(1, local_striped),
        one_and_seven(dynamic_striped, local_striped));
  more("fig11.local", of(7, dynamic_striped), of(7, local_striped));
  holds("fig11.unstriped", of(7, dynamic) <= 1.05 * of(1, dynamic) && of(7, local) <= 1.05 * of(1, local),
        one_and_seven(dynamic, local));
}

}  // namespace banyan::study::coll01
