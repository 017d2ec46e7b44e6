#include "size/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "topology/cable_runs.hpp"

namespace banyan::size {
namespace {

void add(Price& sum, const Price& part) {
  sum.money += part.money;
  sum.watts += part.watts;
}

// Cables in their places.
class CableCounter {
 public:
  // A cable longer than `max_length` is priced as one of that length.
  CableCounter(Cost& out, const HallOptions& options, const PriceList& prices, double max_length = 1e300)
      : out_(out), options_(options), prices_(prices), max_length_(max_length), count_(prices.cables.size()) {
    out_.cables.resize(prices.cables.size());
  }

  // One cable that stands for `weight`.
  void add(u32 rack, u32 other, double weight = 1) {
    const double length = metres(options_, rack, other);
    count_[prices_.cable_class(std::min(length, max_length_))] += weight;
    out_.cable_metres += weight * length;
    out_.longest_cable = std::max(out_.longest_cable, length);
  }
  void finish() {
    for (std::size_t i = 0; i < count_.size(); ++i) {
      out_.cables[i] = static_cast<u64>(std::llround(count_[i]));
      const Price price = prices_.of_cable(i);
      out_.of_cables.money += price.money * count_[i];
      out_.of_cables.watts += price.watts * count_[i];
      out_.of_kind[static_cast<std::size_t>(prices_.cables[i].kind)] += out_.cables[i];
    }
  }

 private:
  Cost& out_;
  const HallOptions& options_;
  const PriceList& prices_;
  const double max_length_;
  std::vector<double> count_;  // by class; whole numbers where every cable stands for itself
};

// Cables by the way between their ends, which all that are as many rows and as many racks apart share. Two
// ends in the same rack are 0 apart.
class CablesByWay {
 public:
  CablesByWay(u32 racks, u32 racks_per_row)
      : in_row_(std::max(1U, std::min(racks, racks_per_row))),
        count_(u64{in_row_} * ((racks + in_row_ - 1) / in_row_)) {}

  void add(u32 rack, u32 other, u64 cables = 1) {
    count_[apart(rack / in_row_, other / in_row_) * in_row_ + apart(rack % in_row_, other % in_row_)] +=
        cables;
  }
  void count(CableCounter& counter) const {
    for (u32 way = 0; way < count_.size(); ++way)
      if (count_[way] > 0) counter.add(0, way, static_cast<double>(count_[way]));
  }

 private:
  static u32 apart(u32 a, u32 b) { return a < b ? b - a : a - b; }

  u32 in_row_;
  std::vector<u64> count_;  // by rows apart, then by racks apart
};

// f(i, weight) for all i below count; or, where they are more than `most`, for that many, spread by the
// golden ratio so that no period of the fabric is met.
template <class F>
void each_of(u64 count, u64 most, F&& f) {
  if (count <= most) {
    for (u64 i = 0; i < count; ++i) f(i, 1.0);
    return;
  }
  const double weight = static_cast<double>(count) / static_cast<double>(most);
  double at = 0.5;
  for (u64 i = 0; i < most; ++i) {
    f(std::min(count - 1, static_cast<u64>(at * static_cast<double>(count))), weight);
    at += std::numbers::phi - 1;
    at -= std::floor(at);
  }
}

// The cables of a class of a shape.
template <Outlined S>
void place_all(const S& shape, const Outline& outline, u32 link_class, const HallPlan& hall,
               CablesByWay& out) {
  const bool is_apart = link_class > 0 && hall.planes_stand_apart();
  for (u32 plane = 0; plane < (is_apart ? outline.planes : 1); ++plane)
    each_cable_run(shape, link_class, [&](CableRun run) {
      const u32 from = link_class == 0 ? hall.rack_of_host(run.from % outline.hosts)
                                       : hall.rack_of_switch(plane, run.from);
      const u64 cables = u64{run.parallel} * (is_apart ? 1 : outline.planes);
      for (u32 done = 0, step = 0; done < run.switches; done += step) {
        step = std::min(hall.switches_in_a_row(plane, run.to + done), run.switches - done);
        out.add(from, hall.rack_of_switch(plane, run.to + done), step * cables);
      }
    });
}

// The cables of a shape: of each class all, or `most` that stand for all.
template <Outlined S>
void place_cables(const S& shape, const Outline& outline, const HallPlan& hall, u64 most,
                  const HallOptions& options, CableCounter& counter) {
  for (u32 c = outline.built_in > 0 ? 1 : 0; c < shape.links.size(); ++c) {
    const u64 in_plane = shape.cables(c);
    if (in_plane * outline.planes <= most) {
      CablesByWay all(hall.racks(), options.racks_per_row);
      place_all(shape, outline, c, hall, all);
      all.count(counter);
      continue;
    }
    each_of(in_plane * outline.planes, most, [&](u64 i, double weight) {
      const u32 plane = static_cast<u32>(i / in_plane);
      const auto ends = shape.cable(c, i % in_plane);
      if (!ends) return;
      const u32 from =
          c == 0 ? hall.rack_of_host(ends->from % outline.hosts) : hall.rack_of_switch(plane, ends->from);
      counter.add(from, hall.rack_of_switch(plane, ends->to), weight);
    });
  }
}

// Hosts on switches in order, and cables between switches that are as good as random.
void place_random_cables(const Outline& outline, const HallPlan& hall, u64 most, CableCounter& counter) {
  const u32 hosts = outline.hosts / outline.switches;
  each_of(outline.hosts, most, [&](u64 host, double weight) {
    const u32 number = static_cast<u32>(host);
    counter.add(hall.rack_of_host(number), hall.rack_of_switch(0, number / hosts), weight);
  });
  const u64 pairs = u64{outline.switches} * outline.switches, shown = std::min<u64>({most, pairs, 4096});
  each_of(pairs, shown, [&](u64 pair, double) {
    counter.add(hall.rack_of_switch(0, static_cast<u32>(pair / outline.switches)),
                hall.rack_of_switch(0, static_cast<u32>(pair % outline.switches)),
                static_cast<double>(outline.switch_links()) / static_cast<double>(shown));
  });
}

}  // namespace

Cost cost(const Fabric& fabric, const HallOptions& options, const PriceList& prices, u32 built_in,
          u32 planes) {
  const Hall hall = furnish(fabric, options);
  const auto rack_of = [&](Node node) {
    return hall.rack_of[fabric.is_switch(node) ? fabric.hosts() + (index(node) - fabric.nics())
                                               : index(fabric.host(fabric.nic(node)))];
  };
  Cost out{.racks = hall.racks, .switches = fabric.switches() - built_in, .nics = fabric.nics()};
  CableCounter counter(out, options, prices);
  CablesByWay cables(hall.racks, options.racks_per_row);
  const u32 in_plane = std::max(1u, fabric.switches() / planes);
  const auto is_bought = [&](Node node) {
    return (index(node) - fabric.nics()) % in_plane >= built_in / planes;
  };
  for (const Node node : fabric.switch_nodes()) {
    if (!is_bought(node)) continue;
    const PriceList::Switch& bought = prices.switch_with(fabric.ports(node));
    add(out.of_switches, bought.price);
    out.switch_ports += bought.ports;
    out.ports_used += fabric.cabled_ports(node);
  }
  out.of_nics = {prices.nic().money * out.nics, prices.nic().watts * out.nics};
  fabric.each_link([&](const Link& link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    if (fabric.is_switch(a) || is_bought(b)) cables.add(rack_of(a), rack_of(b));
  });
  cables.count(counter);
  counter.finish();
  return out;
}

Cost cost(const Outline& outline, u32 switch_ports, const HallOptions& options, const PriceList& prices,
          u64 max_cables) {
  const HallPlan hall(outline, options);
  const PriceList::Switch& bought = prices.switch_with(switch_ports);
  Cost out{
      .racks = hall.racks(), .switches = outline.bought_switches(), .nics = static_cast<u32>(outline.nics())};
  out.switch_ports = u64{bought.ports} * out.switches;
  out.ports_used = outline.ports_used();
  out.of_switches = {bought.price.money * out.switches, bought.price.watts * out.switches};
  out.of_nics = {prices.nic().money * out.nics, prices.nic().watts * out.nics};
  CableCounter counter(out, options, prices, prices.longest_cable());
  std::visit(
      [&]<class S>(const S& shape) {
        if constexpr (Outlined<S>)
          place_cables(shape, outline, hall, max_cables, options, counter);
        else
          place_random_cables(outline, hall, max_cables, counter);
      },
      outline.shape);
  counter.finish();
  out.exact = outline.links <= max_cables && outline.shape.index() > 0;
  return out;
}

}  // namespace banyan::size
