#include "formats/attributes.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {

void Attributes::set(std::string_view name, std::string_view value) {
  struct Field {
    std::string_view name;
    std::string Attributes::*member;
  };
  static constexpr Field fields[] = {{"kind", &Attributes::kind},
                                     {"ports", &Attributes::ports},
                                     {"host", &Attributes::host},
                                     {"rail", &Attributes::rail},
                                     {"source_port", &Attributes::source_port},
                                     {"target_port", &Attributes::target_port},
                                     {"capacity", &Attributes::capacity},
                                     {"latency", &Attributes::latency}};
  for (const Field& field : fields)
    if (field.name == name) this->*field.member = std::string(value);
}

void Attributes::describe(const RawFabric& raw, RawNode& node, u64 line) const {
  if (!kind.empty()) raw.read_kind(node, kind, line);
  if (!ports.empty()) node.ports = trim(ports) == "0" ? 0 : raw.port_number(trim(ports), line);
  if (!host.empty()) node.name = host;
  if (!rail.empty()) raw.read_nic(node, trim(rail), line);
}

RawCable Attributes::cable(RawFabric& raw, u32 a, u32 b, u64 line) const {
  RawCable out{raw.end(a, source_port, line), raw.end(b, target_port, line), std::nullopt, 1, line};
  if (!capacity.empty()) out.capacity = raw.capacity_or_speed(trim(capacity), line);
  if (!latency.empty()) out.latency = raw.latency(trim(latency), line);
  return out;
}

}  // namespace banyan::formats
