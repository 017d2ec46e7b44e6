// The options that all families share: capacity and latency of their link classes, host links first.
#pragma once
#include <string>
#include <vector>

#include "base/units.hpp"
#include "fabric/fabric.hpp"
#include "topology/notation.hpp"

namespace banyan::topology {

inline constexpr Speed usual_link{
    50e9};  // 400G: that of a link of capacity 1, unless a question says otherwise

// Reads one value for all classes, or one for each: capacity=1/2/4, or capacity=200G/400G, which are shares
// of the usual link. Throws InputError.
std::vector<LinkClass> read_link_classes(const Notation& notation, std::size_t classes);

// Whether the capacities of a notation are speeds.
bool has_speeds(std::string_view fabric);

// Writes the options of a canonical notation that differ from the default: "; hosts=7, capacity=1/4".
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
