// The tree of switches that Slurm's topology files describe, whatever their syntax. Read ports are numbered
// in order: what is below first, then the switch above.
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
  FabricFile build() &&;  // throws InputError unless it is a tree

 private:
  struct Switch {
    u32 node;
    std::vector<u32> below;
    std::optional<double> capacity;
    u64 line;
  };

  u32 read_child(const std::string& name, bool is_switch, u32 parent);
  void check_tree() const;
  void connect();

  RawFabric raw_;
  u64 line_ = 0;
  std::vector<Switch> switches_;
  std::vector<u32> parent_;  // by raw node; itself: none
};

// The logical switches of a fabric, with names that Slurm allows and not too many. Throws InputError.
std::vector<LogicalSwitch> slurm_switches(const Topology& topology);

}  // namespace banyan::formats
