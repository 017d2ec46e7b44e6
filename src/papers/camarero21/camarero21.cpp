// The judge of Camarero, Martínez and Beivide: what two abstracts say of Polarized routing.
#include <fmt/format.h>

#include "papers/paper.hpp"

namespace banyan::papers {
namespace {

// A network that was tested, and the routings beside `polarized`.
struct DirectNetwork {
  std::string part;
  std::vector<std::string> traffics, others, made_for_it;
};

std::vector<DirectNetwork> direct_networks(bool quick) {
  std::vector<DirectNetwork> out = {
      {"Jellyfish",
       {"uniform", "shift:8", "permutation", "bit-complement"},
       {"dfsssp", "minadaptive", "valiant", "ugal"},
       {}},
      {"HyperX",
       {"uniform", "shift:8", "permutation", "bit-complement"},
       {"dor", "minadaptive", "valiant", "ugal", "dal", "omniwar"},
       {"dal", "omniwar"}},
      {"Dragonfly",
       {"uniform", "shift:32", "permutation"},
       {"dfsssp", "minadaptive", "valiant", "ugal", "par"},
       {"ugal", "par"}},
  };
  if (quick)
    for (DirectNetwork& network : out) network.traffics.resize(2);
  return out;
}

Interval direct_accepted(const StudyRows& rows, const DirectNetwork& network, std::string_view engine,
                         std::string_view traffic) {
  return simulated(rows.point(network.part, {engine, traffic}), "accepted");
}

// What `polarized` accepts over the best of some others.
Interval polarized_over(const StudyRows& rows, const DirectNetwork& network, std::string_view traffic,
                        const std::vector<std::string>& others) {
  Interval best{0, 0};
  for (const std::string& engine : others)
    if (const Interval here = direct_accepted(rows, network, engine, traffic); here.mean > best.mean)
      best = here;
  return ratio(direct_accepted(rows, network, "polarized", traffic), best);
}

// Of claims about all cells.
struct AllCells {
  Holds holds = Holds::yes;
  std::string found;

  void add(std::string_view what, const Interval& ratio, double at_least) {
    const Holds here = is_more(ratio, {at_least, 0});
    if (here == Holds::no || (here == Holds::unknown && holds == Holds::yes)) holds = here;
    found += fmt::format("{}{} {:.2f}", found.empty() ? "" : ", ", what, ratio.mean);
  }
};

// At full load a quick run is too short to be steady.
Holds unless_quick(Holds holds, bool quick) { return quick ? Holds::unknown : holds; }

// Whether `polarized` gains more than 30 % over the best of some others under two traffics at least.
struct JellyfishGain {
  Holds holds = Holds::no;
  std::string found;
};

JellyfishGain gain_on_jellyfish(const StudyRows& rows, const DirectNetwork& jellyfish,
                                const std::vector<std::string>& others) {
  u32 sure = 0, possible = 0;
  JellyfishGain out;
  for (const std::string& traffic : jellyfish.traffics) {
    const Interval over = polarized_over(rows, jellyfish, traffic, others);
    const Holds more = is_more(over, {1.3, 0});
    sure += more == Holds::yes;
    possible += more != Holds::no;
    out.found += fmt::format("{}{} {:+.0f} %", out.found.empty() ? "" : ", ", traffic, 100 * (over.mean - 1));
  }
  out.holds = sure >= 2 ? Holds::yes : possible >= 2 ? Holds::unknown : Holds::no;
  return out;
}

void judge_gains_on_jellyfish(Reproduction& out, const StudyRows& rows, const DirectNetwork& jellyfish,
                              bool quick) {
  const std::string why = guess(
      "their state of the art on Jellyfish, such as k shortest paths, and their traffic are not in the "
      "abstract");
  const JellyfishGain all = gain_on_jellyfish(rows, jellyfish, jellyfish.others);
  out.ordering("jellyfish.gain", unless_quick(all.holds, quick), why, all.found);
  JellyfishGain one;
  for (const std::string engine : {"minadaptive", "valiant", "ugal"}) {
    const JellyfishGain here = gain_on_jellyfish(rows, jellyfish, {engine});
    if (here.holds == Holds::yes || one.holds == Holds::no) one.holds = here.holds;
    one.found += fmt::format("{}over {}: {}", one.found.empty() ? "" : "; ", engine, here.found);
  }
  out.ordering("jellyfish.gain.one", unless_quick(one.holds, quick), why, one.found);
}

void show_direct_networks(Reproduction& out, const StudyRows& rows,
                          const std::vector<DirectNetwork>& networks) {
  for (const DirectNetwork& network : networks) {
    std::vector<std::string> columns = {"traffic"};
    columns.insert(columns.end(), network.others.begin(), network.others.end());
    columns.push_back("polarized");
    std::vector<Cells> cells;
    for (const std::string& traffic : network.traffics) {
      Cells row = {traffic};
      for (std::size_t i = 1; i < columns.size(); ++i)
        row.push_back(fmt::format("{:.1f}", 100 * direct_accepted(rows, network, columns[i], traffic).mean));
      cells.push_back(std::move(row));
    }
    out.show("Accepted at full load on " + network.part + ", in % of what hosts can send", std::move(columns),
             std::move(cells));
  }
}

void judge_camarero21(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume("readings and margins were chosen after a trial run of the same fabrics");
  out.assume(
      "points at full load run for 3,000 cycles (600 with --quick); what ends in its warm-up decides "
      "nothing");
  out.assume(
      "the text that is judged is the abstract, and that of the article in IEEE Micro that followed it: "
      "sections and figures were not at hand");
  out.assume(
      "about 1,000 hosts, as the abstracts name no sizes: Jellyfish(128,16; hosts=8, seed=1), HyperX(8x16; "
      "hosts=8), Dragonfly(4,8,4)");
  out.assume(
      "traffic, which the abstracts do not name: uniform; adverse are permutation, bit-complement, every "
      "switch "
      "to the next, on a Dragonfly every group to the next");
  out.assume(
      "8 lanes of 40 flits, packets of 10 flits, virtual cut-through, one cycle for link and switch each; "
      "packets for different outputs pass each other; performance is what is accepted at full load");
  const std::vector<DirectNetwork> networks = direct_networks(options.quick);
  show_direct_networks(out, rows, networks);
  judge_gains_on_jellyfish(out, rows, networks[0], options.quick);
  AllCells uniform, adverse, adhoc;
  for (const DirectNetwork& network : networks)
    for (const std::string& traffic : network.traffics) {
      const std::string what = fmt::format("{} {}", network.part, traffic);
      const Interval over = polarized_over(rows, network, traffic, network.others);
      (traffic == "uniform" ? uniform : adverse).add(what, over, 0.99);
      if (!network.made_for_it.empty())
        adhoc.add(what, polarized_over(rows, network, traffic, network.made_for_it), 0.95);
    }
  const std::string penalties = guess("the penalties of the paper for each kind of hop are not modelled");
  out.ordering("uniform", unless_quick(uniform.holds, options.quick), penalties, uniform.found);
  out.ordering("adverse", unless_quick(adverse.holds, options.quick), penalties, adverse.found);
  out.ordering("adhoc", unless_quick(adhoc.holds, options.quick), penalties, adhoc.found);
}

}  // namespace

Paper camarero21_paper() {
  return {"camarero21",
          "Camarero, Martínez and Beivide: Polarized routing: an efficient and versatile algorithm for large "
          "direct networks",
          judge_camarero21};
}

}  // namespace banyan::papers
