// The rate of every flow on channels and host ports of given capacity, by one of two models.
//
// Max-min fair shares (Bertsekas and Gallager, Data Networks, section 6.5.2), by progressive filling: all
// rates rise together, and a flow stops when one of its channels is full. A flow with several ways loads each
// of its channels with its rate times the share there, and stops as a whole. Contention (ORCS; Hoefler,
// Schneider, Lumsdaine 2008): a flow gets the capacity divided by the number of flows on the worst of its
// channels. What others cannot use stays unused.
#pragma once
#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "flow/incidence.hpp"
#include "flow/inside.hpp"

namespace banyan::flow {

enum class RateModel : u8 { max_min, contention };
constexpr std::array<std::string_view, 2> option_names(RateModel) { return {"max-min", "contention"}; }

// The meaning of demands that are not in bytes. weight: a flow that asks for twice as much gets twice as much
// where they share, and the minimum of rate over demand is 1 over the maximum load. limit: all flows are
// equal, and none gets more than it asks for, where a demand of 1 is what a link of capacity 1 carries. none:
// all are equal. The contention model counts flows, whatever they ask for. Messages in bytes are always
// equal: a network does not know how long they are.
enum class DemandUse : u8 { weight, limit, none };
constexpr std::array<std::string_view, 3> option_names(DemandUse) { return {"weight", "limit", "none"}; }

struct RateOptions {
  RateModel model = RateModel::max_min;
  double link = 1;  // what a link of capacity 1 carries each way
  double host =
      std::numeric_limits<double>::infinity();  // the maximum that a NIC sends, and that it receives
  DemandUse demands = DemandUse::weight;
  Inside inside = {};     // of the hosts, for flows that list its channels
  bool is_alone = false;  // no flow meets another: each gets what it would get alone
};

// Reads "max-min", "contention:link=4000,host=3250,demands=limit"; host=0 means no limit. Throws InputError.
RateOptions read_rate_options(std::string_view text);

// Computes rates repeatedly on one fabric, reusing its memory.
class RateSolver {
 public:
  RateSolver(const Fabric& fabric, const RateOptions& options);  // throws InputError

  // The rates by flow, valid until the next call. `maximum`, empty or by flow, limits single flows. A host
  // that sends to itself gets its limit, or infinity.
  const std::vector<double>& solve(const Incidence& flows, std::span<const double> maximum = {});

  // The same, with the demands of the flows; `listed` belongs to them, and is changed. A flow that asks for
  // nothing gets nothing.
  const std::vector<double>& solve(Incidence& listed, std::span<const Flow> flows, Demands demands);

  double capacity(Channel c) const { return capacity_[index(c)]; }  // including the limit of the host
  const std::vector<double>& capacities() const { return capacity_; }
  void set_capacity(Channel c, double capacity) { capacity_[index(c)] = capacity; }  // 0: it carries nothing
  RateModel model() const { return model_; }
  bool is_alone() const { return is_alone_; }
  // NICs of several ports share the host's limit among them: their flows have two more channels each. The
  // result is valid until the next call.
  bool limits_nics() const { return nics_are_limits_; }
  const Incidence& with_nics(const Incidence& flows);

 private:
  struct Fill {
    double left, weight;  // remaining capacity; shares of the flows that still rise
    u32 rising;           // number of flows that still rise
  };
  struct Level {
    double rate;
    u32 channel;
    bool operator>(const Level& o) const { return rate > o.rate || (rate == o.rate && channel > o.channel); }
  };

  const std::vector<double>& solve_weighted(Incidence& listed);
  void set_limits(const Incidence& flows, std::span<const double> maximum);
  void list_by_channel(const Incidence& flows);
  void sort_limits();
  void max_min(const Incidence& flows, std::span<const double> maximum);
  void contention(const Incidence& flows, std::span<const double> maximum);
  void stop(const Incidence& flows, u32 flow, double rate);
  void start_heap();
  void replace_top(double rate);

  const Fabric& fabric_;
  RateModel model_;
  bool is_alone_;
  DemandUse demands_;
  double link_;
  bool nics_are_limits_ = false;  // NICs of several ports share the host's limit among them
  // By channel of the fabric, then of the inside of hosts, then what a NIC sends, then what it receives.
  std::vector<double> capacity_;
  u32 nic_limits_ = 0;  // where those begin
  std::vector<Fill> fill_;
  std::vector<u32> first_, flows_on_;  // channel -> flows
  std::vector<Level> heap_;
  std::vector<double> limit_, wanted_;  // by flow: its rate if alone; by channel: their sum
  std::vector<u32> by_limit_;
  std::vector<double> rates_, asked_;
  Incidence extended_;
};

// Computes the rates once, by flow.
std::vector<double> rates(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                          const RateOptions& options = {});

}  // namespace banyan::flow
