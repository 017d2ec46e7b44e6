// The options that every family shares: capacity and latency of its classes of links, host links first.
#pragma once
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/notation.hpp"

namespace banyan::topology {

// One value holds for all classes, otherwise one for each: capacity=1/2/4.
std::vector<LinkClass> read_link_classes(const Notation& notation, std::size_t classes);

// Options of a canonical notation: keeps what differs from the default, "; hosts=7, capacity=1/4".
class OptionWriter {
 public:
  OptionWriter& add(std::string_view key, u64 value, u64 default_value);
  OptionWriter& add(std::string_view key, const std::vector<u32>& values, u32 default_value);
  OptionWriter& add(std::string_view key, std::string_view value);
  OptionWriter& add_links(const std::vector<LinkClass>& classes);
  std::string str() const { return out_; }

 private:
  void append(std::string_view key, const std::string& value);
  std::string out_;
};

std::string join(const std::vector<u32>& numbers, std::string_view separator);

}  // namespace banyan::topology
