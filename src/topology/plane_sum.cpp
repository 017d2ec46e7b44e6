#include "topology/plane_sum.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::topology {
namespace {

struct Summand {
  Shape shape;
  u32 planes;
  std::string notation() const {
    return std::visit(
        [&]<class S>(const S& s) -> std::string {
          if constexpr (std::same_as<S, Irregular>)
            return "";
          else
            return (planes == 1 ? "" : fmt::format("{} x ", planes)) + s.notation();
        },
        shape);
  }
};

u32 hosts_on_plane(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> u32 {
        if constexpr (std::same_as<S, Irregular>)
          return 0;
        else
          return s.hosts();
      },
      shape);
}

[[noreturn]] void refuse_sum(std::string_view notation, const std::string& why) {
  throw InputError(fmt::format("'{}': {}", notation, why));
}

// Neighbours of one shape are one summand.
class SumReader {
 public:
  explicit SumReader(std::string_view notation) : notation_(trim(notation)) {
    for (const std::string_view part : split_sum(notation)) add(part);
    if (planes_ > 256) refuse_sum(notation_, "expected up to 256 rails");
    if (ports_ > max_ports)
      refuse_sum(notation_, fmt::format("more than {} ports; that is too large", max_ports));
  }
  std::vector<Summand> summands{};
  std::string remark{};

 private:
  void add(std::string_view part) {
    if (part.empty()) refuse_sum(notation_, "expected a fabric before and behind every '+'");
    Topology made = make_topology(part);
    if (!made.has_shape()) refuse_sum(part, "this family cannot have several planes");
    if (made.fabric.columns() != made.planes) refuse_sum(part, std::string(has_all_nics));
    if (!summands.empty() && made.fabric.hosts() != hosts_on_plane(summands[0].shape))
      refuse_sum(
          notation_,
          fmt::format("every host stands on all planes: found {} hosts of '{}' and {} of '{}'",
                      hosts_on_plane(summands[0].shape), summands[0].notation(), made.fabric.hosts(), part));
    planes_ += made.planes;
    ports_ += made.fabric.channels().size();
    if (!made.remark.empty()) remark += (remark.empty() ? "" : "; ") + made.remark;
    if (!summands.empty() && summands.back().shape == made.shape)
      summands.back().planes += made.planes;
    else
      summands.push_back({std::move(made.shape), made.planes});
  }

  std::string_view notation_;
  u64 planes_ = 0, ports_ = 0;
};

// All planes of all summands, one after the other.
class SumBuilder {
 public:
  SumBuilder(const std::vector<Summand>& summands, u32 planes)
      : hosts_(hosts_on_plane(summands[0].shape)), builder_(hosts_, planes) {
    u32 first = 0;
    each_plane(summands, [&](const auto& shape) {
      for (u32 i = 0; i < hosts_; ++i) builder_.nic_ports(Nic{first * hosts_ + i}, nic_ports_of(shape));
      ++first;
    });
    std::vector<u32> first_switch = {hosts_ * planes};
    each_plane(summands, [&](const auto& shape) {
      shape.add_switches(builder_, fmt::format("r{}", first_switch.size() - 1));
      first_switch.push_back(first_switch.back() + planes_of(shape, 1).switches());
    });
    u32 plane = 0;
    each_plane(summands, [&](const auto& shape) {
      shape.connect(builder_, Plane{plane * hosts_, first_switch[plane]});
      ++plane;
    });
  }
  Fabric build() && { return std::move(builder_).build(); }

 private:
  template <class F>
  static void each_plane(const std::vector<Summand>& summands, F&& f) {
    for (const Summand& summand : summands)
      for (u32 i = 0; i < summand.planes; ++i)
        std::visit(
            [&]<class S>(const S& shape) {
              if constexpr (!std::same_as<S, Irregular>) f(shape);
            },
            summand.shape);
  }

  u32 hosts_;
  FabricBuilder builder_;
};

// The cables that the sum lacks, in the numbers of a group that lacks none.
std::vector<Link> taken_from(const Fabric& sum, const PlaneGroup& group) {
  const Fabric& own = group.topology.fabric;
  const auto channel = [&](Channel c) -> Channel {
    const u32 node = index(sum.from(c));
    if (node >= group.first_nic && node < group.end_nic())
      return own.channel(Node{node - group.first_nic}, sum.port(c));
    if (node >= group.first_switch && node < group.end_switch())
      return own.channel(Node{node - group.first_switch + own.nics()}, sum.port(c));
    return none<Channel>;
  };
  std::vector<Link> out;
  for (const Link& link : sum.taken())
    if (const Channel a = channel(link.a), b = channel(link.b); a != none<Channel> && b != none<Channel>)
      out.push_back({std::min(a, b), std::max(a, b)});
  return out;
}

}  // namespace

std::vector<std::string_view> split_sum(std::string_view notation) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < notation.size(); ++i) {
    depth += notation[i] == '(' ? 1 : notation[i] == ')' ? -1 : 0;
    if (notation[i] != '+' || depth != 0) continue;
    if (trim(notation.substr(i + 1)).starts_with('(')) continue;  // Dragonfly+(
    out.push_back(trim(notation.substr(begin, i - begin)));
    begin = i + 1;
  }
  out.push_back(trim(notation.substr(begin)));
  return out;
}

Topology make_sum(std::string_view notation) {
  const SumReader read(notation);
  const auto& summands = read.summands;
  Topology out = summands.size() == 1 ? build(summands[0].shape, summands[0].planes)
                                      : Topology{FabricBuilder(0).build(), Irregular{}};
  out.remark = read.remark;
  if (summands.size() == 1) return out;
  u32 planes = 0;
  for (const Summand& summand : summands) {
    out.notation += (planes == 0 ? "" : " + ") + summand.notation();
    planes += summand.planes;
  }
  out.fabric = SumBuilder(summands, planes).build();
  return out;
}

bool is_plane_sum(const Topology& topology) {
  return !topology.has_shape() && split_sum(topology.notation).size() > 1;
}

std::vector<PlaneGroup> plane_groups(const Topology& sum) {
  std::vector<PlaneGroup> out;
  u32 nic = 0, next = sum.fabric.nics();
  for (const std::string_view part : split_sum(sum.notation)) {
    out.push_back({make_topology(part), nic, next});
    PlaneGroup& group = out.back();
    group.topology.fabric = without(group.topology.fabric, taken_from(sum.fabric, group));
    nic = group.end_nic(), next = group.end_switch();
  }
  return out;
}

}  // namespace banyan::topology
