// The tree of switches that Slurm's topology files describe, whatever their syntax. Read ports are numbered
// in order: what is below first, then the switch above. Slurm wants a tree, and people write what they have:
// a node below two switches is a host with a NIC on each, a switch below two has a cable to each, and the
// remark of the topology lists them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/logical_tree.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {

struct SlurmSwitch {
  std::string name{};
  std::vector<std::string> nodes{}, below{};  // one of the two is empty
  std::optional<double> speed{};
  u64 line = 0;
};

class SlurmTree {
 public:
  explicit SlurmTree(const std::string& file) : raw_(file) {}

  const RawFabric& raw() const { return raw_; }
  void expand(std::string_view hostlist, std::vector<std::string>& out, u64 line) const;  // appends
  void add(const SlurmSwitch& here);
  // Blocks of nodes are switches below one root.
  void add_blocks(const std::vector<SlurmSwitch>& blocks);
  FabricFile build() &&;  // throws InputError for a switch below itself

 private:
  struct Switch {
    u32 node;
    std::vector<u32> below;
    std::optional<double> capacity;
    u64 line;
  };

  u32 read_child(const std::string& name, bool is_switch);
  u32 further_nic(u32 node, u32 slot);
  void drop_repeated();
  void check_order() const;
  void connect();
  std::string remark() const;

  RawFabric raw_;
  u64 line_ = 0;
  std::vector<Switch> switches_;
  std::vector<u32> above_;  // by raw node: switches that it is below
};

// The logical switches of a fabric, with names that Slurm allows and not too many. Throws InputError.
std::vector<LogicalSwitch> slurm_switches(const Topology& topology);

}  // namespace banyan::formats
