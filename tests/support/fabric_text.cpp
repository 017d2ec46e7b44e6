#include "support/fabric_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "formats/format.hpp"

namespace banyan::tests {

std::string fabric_text(const Fabric& fabric, bool with_link_classes) {
  std::vector<std::string> lines;
  for (Node v : fabric.nodes())
    lines.push_back(fmt::format("{} {} ports {}", fabric.is_switch(v) ? "switch" : "host", fabric.name(v),
                                printed_ports(fabric, v)));
  fabric.each_link([&](const Link& link) {
    std::string a = fmt::format("{}:{}", fabric.name(fabric.from(link.a)), fabric.port_label(link.a));
    std::string b = fmt::format("{}:{}", fabric.name(fabric.from(link.b)), fabric.port_label(link.b));
    if (b < a) std::swap(a, b);
    const LinkClass& kind = fabric.link_class(link.a);
    lines.push_back(with_link_classes
                        ? fmt::format("{} - {} capacity {} latency {}", a, b, kind.capacity, kind.latency)
                        : fmt::format("{} - {}", a, b));
  });
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace banyan::tests
