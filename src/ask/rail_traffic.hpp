// Which rails carry a traffic between hosts with several NICs, and what of it crosses from one rail to
// another: whatever goes from a NIC of one column to a NIC of another (fabric/endpoints.hpp).
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "traffic/jobs.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::ask {

enum class CrossRail : u8 { allow, forbid };
constexpr std::array<std::string_view, 2> option_names(CrossRail) { return {"allow", "forbid"}; }

struct RailTraffic {
  static constexpr std::size_t max_listed = 16;

  struct Crossing {
    u32 source = 0, destination = 0;
    std::string source_nic{}, destination_nic{};

    static void fields(auto& self, auto&& f) {
      f("source", self.source, "", "the rank that sends");
      f("destination", self.destination, "", "the rank that receives");
      f("source_nic", self.source_nic, "", "the NIC that sends");
      f("destination_nic", self.destination_nic, "", "the NIC that receives, on another rail");
    }
  };
  std::vector<std::vector<double>> bytes{};
  double crossing_share = 0;
  std::optional<u64> forbidden{};
  std::optional<std::vector<Crossing>> crossings{};

  bool crosses() const { return crossing_share > 0; }
  bool breaks_rule() const { return forbidden.value_or(0) > 0; }

  static void fields(auto& self, auto&& f) {
    f("rail_bytes", self.bytes, "bytes",
      "of hosts with several NICs: what goes from which rail to which, a row for each rail of the sender's "
      "NIC, a column for each of the receiver's; a NIC without a rail counts as its slot, behind all rails "
      "if there are some; of traffic that is not in bytes, its amounts; of random traffic, the first sample");
    f("cross_rail_share", self.crossing_share, "", "the share of it that crosses from one rail to another");
    f("cross_rail_pairs", self.forbidden, "",
      "with cross-rail=forbid: pairs of ranks, with the NICs between which they cross rails");
    f("cross_rail", self.crossings, "", "the first 16 of these");
  }
};

// Adds up what demands put on rails, in the order in which messages take them. The fabric must outlive it.
class RailLedger {
 public:
  RailLedger(const Fabric& fabric, const Placement& placement, RailSplit split, CrossRail rule);

  void add(std::span<const Demand> demands);  // further ones
  RailTraffic result() const;

 private:
  // What crosses, each once, in order of ranks.
  struct Pair {
    Rank from, to;
    Nic source, destination;
    auto operator<=>(const Pair&) const = default;
  };
  RailTraffic::Crossing named(const Pair& pair) const;

  const Fabric& fabric_;
  traffic::RailFlows flows_;
  traffic::RailTurns turns_;
  CrossRail rule_;
  std::vector<std::vector<double>> bytes_;
  std::vector<Pair> pairs_;
  std::vector<Flow> parts_;
};

// Of all rounds of the traffic's first sample. Without a split, the first NICs carry all. Empty: no host has
// two NICs.
std::optional<RailTraffic> rail_traffic(const Fabric& fabric, const Job& job, const RailSplit& split,
                                        CrossRail rule, u64 seed);

}  // namespace banyan::ask
