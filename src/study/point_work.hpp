// What decides how long a point takes, as far as it is known before anything is routed: the fabric, how far
// apart its hosts are and by how many ways, the kind of engine, and the size of the traffic.
#pragma once
#include <functional>
#include <string_view>

#include "topology/topology.hpp"
#include "traffic/jobs.hpp"

namespace banyan::study {

// How much an engine makes others work: one way for each destination that tables hold; the same, computed at
// every hop; several ways from which a source chooses; one way for each pair; several ways that packets
// choose from on their way; or also detours.
enum class EngineEffort : u8 { table, formula, paths, pair, adaptive, detours };
EngineEffort effort_of(std::string_view engine);  // by its name; table for one that is not known here

// Of a fabric, in the mean over a few pairs of NICs that reach each other.
struct FabricWays {
  u32 leaves = 0;       // switches with NICs
  double distance = 0;  // channels of a shortest way; 0: no NIC reaches another
  double shortest = 0;  // channels that are on any shortest way
};
FabricWays ways_of(const Fabric& fabric);

// References must outlive it.
struct PointWork {
  const Topology& topology;
  const FabricWays& ways;
  std::string_view engine{}, traffic{};  // their names
  std::function<Job()> job{};            // where there is traffic; none: every host sends one message

  EngineEffort effort() const { return effort_of(engine); }
  double nics() const { return topology.fabric.nics(); }
  double hosts() const { return topology.fabric.hosts(); }
  double switches() const { return topology.fabric.switches(); }
  double pairs()
      const;  // that are followed apart: hosts of a leaf are alike unless the engine asks who sends
  double intermediates() const;  // where a detour may lead: switches, or the groups of a Dragonfly
  double channels() const;       // on all ways of a pair

  struct Messages {
    double count = 0, amount = 0;
    bool in_bytes = false;
  };
  Messages messages() const;  // of all rounds, from a few of them
};

}  // namespace banyan::study
