#include "formats/json.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/json_writer.hpp"
#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

std::string json_quoted(const std::string& text) {
  std::ostringstream out;
  JsonWriter(out).value(printable(text));
  return out.str();
}
std::string hex(u64 guid) { return fmt::format("\"{:016x}\"", guid); }

// An array of rows, each on a line of its own.
class Section {
 public:
  Section(std::ostream& out, std::string_view name) : out_(out) { base::print(out_, ",\n\"{}\": [", name); }
  template <class... Cells>
  void row(const Cells&... cells) {
    out_ << (rows_++ == 0 ? "\n[" : ",\n[");
    std::string_view comma;
    ((base::print(out_, "{}{}", comma, cells), comma = ", "), ...);
    out_ << ']';
  }
  ~Section() { out_ << ']'; }

 private:
  std::ostream& out_;
  u64 rows_ = 0;
};

void write_link(Section& section, const Fabric& fabric, const Link& link) {
  section.row(index(fabric.from(link.a)), index(fabric.port(link.a)), index(fabric.from(link.b)),
              index(fabric.port(link.b)), fabric.link_class_index(link.a));
}

void write_ids(const Fabric& fabric, const InfinibandIds& ids, std::ostream& out) {
  {
    Section section(out, "infiniband_nodes");
    for (const auto& node : ids.nodes)
      section.row(hex(node.guid), hex(node.system_guid), hex(node.port0.guid), node.port0.lid,
                  u32{node.port0.lmc});
  }
  Section section(out, "infiniband_ports");
  for (Channel c : ids.nic_channels.ids())
    if (const auto& port = ids.nic_channels[c]; port.port > 0)
      section.row(index(fabric.from(c)), index(fabric.port(c)), hex(port.guid), port.lid, u32{port.lmc},
                  u32{port.port});
    else if (port != InfinibandIds::Attachment{})
      section.row(index(fabric.from(c)), index(fabric.port(c)), hex(port.guid), port.lid, u32{port.lmc});
}

void write_nodes(const Topology& topology, std::ostream& out) {
  const Fabric& fabric = topology.fabric;
  const bool names = fabric.named() || !topology.has_shape();
  Section section(out, "nodes");
  for (Node v : fabric.nodes()) {
    if (!names || (index(v) >= fabric.hosts() && !fabric.is_switch(v)))
      section.row(fabric.ports(v));
    else
      section.row(fabric.ports(v),
                  json_quoted(fabric.is_switch(v) ? fabric.name(v) : fabric.host_name(Host{index(v)})));
  }
}

void write_labels(const Fabric& fabric, std::ostream& out) {
  if (!fabric.has_port_labels()) return;
  std::optional<Section> section;
  for (Channel c : fabric.channels()) {
    const u32 number = fabric.port_number(c);
    const std::string text(fabric.port_text(c));
    const bool is_plain = number == index(fabric.port(c)) + 1;
    if (is_plain && text.empty()) continue;
    if (!section) section.emplace(out, "port_labels");
    if (text.empty())
      section->row(index(fabric.from(c)), index(fabric.port(c)), number);
    else if (is_plain)
      section->row(index(fabric.from(c)), index(fabric.port(c)), json_quoted(text));
    else
      section->row(index(fabric.from(c)), index(fabric.port(c)), number, json_quoted(text));
  }
}

// Only what differs from hosts that all have one NIC on each rail.
void write_endpoints(const Fabric& fabric, std::ostream& out) {
  {
    Section section(out, "nics");
    for (const Host host : IdRange<Host>(fabric.hosts()))
      for (u32 slot = 0; slot < fabric.nics(host); ++slot) {
        const Nic nic = fabric.nic(host, slot);
        const std::string_view adapter = fabric.endpoints().adapter(nic);
        if (adapter.empty())
          section.row(index(host), json_quoted(nic_text(fabric, nic)));
        else
          section.row(index(host), json_quoted(nic_text(fabric, nic)), json_quoted(std::string(adapter)));
      }
  }
  Section section(out, "roles");
  for (const Host host : IdRange<Host>(fabric.hosts()))
    if (const Role role = fabric.endpoints().role(host); role != Role::host)
      section.row(index(host), json_quoted(std::string(option_text(role))));
}

void write_vacant(const Fabric& fabric, std::ostream& out) {
  if (!fabric.has_vacant()) return;
  Section section(out, "vacant");
  for (const Nic nic : IdRange<Nic>(fabric.nics()))
    if (fabric.vacant(nic)) section.row(index(nic));
}

void write_json(const FabricFile& file, std::ostream& out) {
  const Fabric& fabric = file.topology.fabric;
  base::print(out, "{{\n\"banyan_fabric\": {}", json_version);
  if (const std::string notation = canonical_notation(file.topology); !notation.empty())
    base::print(out, ",\n\"notation\": {}", json_quoted(notation));
  const Endpoints& ends = fabric.endpoints();
  const bool is_plain = ends == Endpoints(ends.hosts(), ends.slots());
  base::print(out, ",\n\"hosts\": {},\n\"rails\": {}", ends.hosts(), is_plain ? ends.slots() : 1);
  if (file.unit.value > 0) base::print(out, ",\n\"capacity_unit\": \"{}\"", capacity_text(1, file.unit));
  {
    Section section(out, "link_classes");
    for (const LinkClass& link : fabric.link_classes()) section.row(link.capacity, link.latency);
  }
  write_nodes(file.topology, out);
  if (!is_plain) write_endpoints(fabric, out);
  write_vacant(fabric, out);
  {
    Section section(out, "links");
    fabric.each_link([&](const Link& link) { write_link(section, fabric, link); });
  }
  if (!fabric.taken().empty()) {
    Section section(out, "taken");
    for (const Link& link : fabric.taken()) write_link(section, fabric, link);
  }
  write_labels(fabric, out);
  if (!file.ids.empty()) write_ids(fabric, file.ids, out);
  out << "\n}\n";
}

}  // namespace

Format json_format() {
  return {
      "json",
      {".json"},
      "everything a fabric is, in JSON",
      [](std::string_view head) {
        head = trim(head);
        return head.starts_with('{') && trim(head.substr(1)).starts_with('"');
      },
      [](std::istream& in, const std::string& file) { return assemble(parse_json_fabric(in, file), file); },
      write_json,
      true};
}

}  // namespace banyan::formats
