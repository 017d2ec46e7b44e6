// Whatever fabric is written, reading gives back all that the format can carry.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "base/random.hpp"
#include "fabric/cabling_diff.hpp"
#include "fabric/names.hpp"
#include "formats/format.hpp"
#include "support/fabric_text.hpp"
#include "support/random_topology.hpp"
#include "topology/family.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::tests {
namespace {

std::string written(std::string_view format, const FabricFile& file) {
  std::ostringstream out;
  formats::formats().at(format).write(file, out);
  return out.str();
}

FabricFile read(std::string_view format, const std::string& text) {
  std::istringstream in(text);
  return formats::formats().at(format).read(in, "test");
}

const std::vector<std::string>& notations() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out = {"2 x XGFT(2; 3,3; 1,2)",
                                    "3 x HyperX(3x2; hosts=2, capacity=1/2/4)",
                                    "XGFT(2; 4,4; 1,2; hosts=3)",
                                    "XGFT(2; 2,4; 1,2; rails=2)",
                                    "XGFT(2; 4,4; 1,2; nics=4, leaves=2)",
                                    "XGFT(2; 4,3; 1,2; nics=2)",
                                    "PGFT(2; 2,3; 2,2; 2,3)",
                                    "XGFT(2; 3,3; 1,2; capacity=100/400, latency=1/3)",
                                    "XGFT(1; 12; 1)",
                                    "XGFT(3; 2,2,2; 1,1,1)"};
    for (const Family& family : families()) out.emplace_back(family.example);
    return out;
  }();
  return all;
}

// A fabric of any family, with some cables taken away.
FabricFile any_fabric() {
  Topology topology = make_topology(*rc::gen::elementOf(notations()));
  std::vector<Link> links, taken;
  topology.fabric.each_link([&](const Link& link) { links.push_back(link); });
  Random random(*rc::gen::arbitrary<u64>());
  random.shuffle(std::span(links));
  const auto share = *rc::gen::element(0, 0, 1, 10, 30, 100);
  for (const Link& link : links)
    if (random.below(100) < static_cast<u64>(share)) taken.push_back(link);
  topology.fabric = without(topology.fabric, taken);
  return {std::move(topology), {}};
}

RC_GTEST_PROP(Formats, JsonKeepsEverything, ()) {
  const FabricFile file = any_fabric();
  const FabricFile again = read("json", written("json", file));
  RC_ASSERT(again.topology.shape == file.topology.shape);
  RC_ASSERT(again.topology.planes == file.topology.planes);
  RC_ASSERT(canonical_notation(again.topology) == canonical_notation(file.topology));
  RC_ASSERT(again.topology.fabric.taken() == file.topology.fabric.taken());
  RC_ASSERT(fabric_text(again.topology.fabric, true) == fabric_text(file.topology.fabric, true));
  if (!std::holds_alternative<Irregular>(file.topology.shape))
    RC_ASSERT(again.topology.fabric == file.topology.fabric);
  RC_ASSERT(read("json", written("json", again)).topology.fabric == again.topology.fabric);
}

// Where a host has several NICs on a leaf, no format calls them rails.
RC_GTEST_PROP(Formats, TreesOfHostsWithSeveralNicsAreRecognisedFromFiles, ()) {
  const u32 leaves = draw(1, 3), on_leaf = draw(2, 4), hosts = draw(2, 4), groups = draw(2, 3),
            spines = draw(2, 4);
  const std::string notation =
      fmt::format("XGFT(2; {},{}; 1,{}; nics={}{})", hosts * on_leaf, groups * leaves, spines,
                  leaves * on_leaf, leaves > 1 ? fmt::format(", leaves={}", leaves) : "");
  const FabricFile file{make_topology(notation), {}};
  for (std::string_view format : {"csv", "ibnetdiscover", "graphml"}) {
    const FabricFile again = read(format, written(format, file));
    const auto found = recognise(again.topology.fabric);
    RC_LOG() << notation << " as " << format << '\n';
    if (const auto* refused = std::get_if<Unrecognised>(&found)) RC_FAIL(refused->why);
    const Topology topology = as_topology(again.topology.fabric, std::get<Recognition>(found));
    RC_ASSERT(canonical_notation(topology) == notation);
    RC_ASSERT(topology.fabric.endpoints() == file.topology.fabric.endpoints());
  }
}

RC_GTEST_PROP(Formats, JsonKeepsInfinibandIds, ()) {
  FabricFile file = any_fabric();
  file.ids = complete_ids(file.topology.fabric, {});
  RC_ASSERT(read("json", written("json", file)).ids == file.ids);
}

RC_GTEST_PROP(Formats, GraphsKeepNamesPortsCablesAndLinkClasses, ()) {
  const FabricFile file = any_fabric();
  for (std::string_view format : {"csv", "dot", "graphml"})
    RC_ASSERT(fabric_text(read(format, written(format, file)).topology.fabric, true) ==
              fabric_text(file.topology.fabric, true));
}

// A fabric of which some ports have texts beside them, as Ethernet switches have: swp49, 1/1/3, and odd ones.
FabricFile labelled(const FabricFile& file) {
  const Fabric& from = file.topology.fabric;
  Random random(*rc::gen::arbitrary<u64>());
  static const std::vector<std::string> stems = {"swp", "Ethernet", "1/1/",     "mlx5_", "et-0/0/",
                                                 "n",   "a b:",     "#\"\\<&>", "e",     "\xc3\xa9"};
  FabricBuilder builder(from.hosts(), from.columns());
  for (Node v : from.nodes())
    from.is_switch(v) ? void(builder.add_switch(from.ports(v)))
                      : builder.nic_ports(Nic{index(v)}, from.ports(v));
  for (Node v : from.nodes())
    if (from.is_switch(v))
      builder.name_switch(v, from.name(v));
    else if (index(v) < from.hosts())
      builder.name_host(Host{index(v)}, from.host_name(Host{index(v)}));
  from.each_link([&](const Link& link) {
    builder.connect(from.from(link.a), from.port(link.a), from.to(link.a), from.port(link.b),
                    builder.add_class(from.link_class(link.a)));
  });
  const u64 share = random.below(101);
  for (Node v : from.nodes()) {
    const std::string& stem = stems[random.below(stems.size())];
    for (Channel c : from.channels(v))
      if (from.cabled(c) && random.below(100) < share)
        builder.label_port(v, from.port(c), from.port_number(c),
                           index(from.port(c)) == 0 && stem.size() == 1
                               ? stem
                               : fmt::format("{}{}", stem, (index(from.port(c)) * 7 + 3) % 64));
  }
  return {Topology{std::move(builder).build(), Irregular{}, 1, "", ""}, {}};
}

std::multiset<std::string> cables_of(const Fabric& fabric) {
  std::multiset<std::string> out;
  fabric.each_link([&](const Link& link) {
    const std::string a = port_name(fabric, link.a), b = port_name(fabric, link.b);
    out.insert(std::min(a, b) + " - " + std::max(a, b));
  });
  return out;
}

RC_GTEST_PROP(Formats, LabelsOfPortsAreTheSameThroughAnyTwoFormats, ()) {
  const FabricFile file = labelled(any_fabric());
  const auto cables = cables_of(file.topology.fabric);
  std::vector<std::string_view> able;
  for (const Format& format : formats::formats())
    if (format.keeps_port_texts) able.push_back(format.name);
  RC_ASSERT(able.size() >= 5u);
  const std::string_view first = *rc::gen::elementOf(able), second = *rc::gen::elementOf(able);
  const FabricFile once = read(first, written(first, file));
  RC_ASSERT(cables_of(once.topology.fabric) == cables);
  RC_ASSERT(cables_of(read(second, written(second, once)).topology.fabric) == cables);
}

RC_GTEST_PROP(Formats, TheRepairOfAFabricWithLabelsNamesThem, ()) {
  const FabricFile file = labelled(any_fabric());
  const FabricFile again = read("graphml", written("graphml", file));
  RC_ASSERT(diff_cabling(file.topology.fabric, again.topology.fabric).is_empty());
}

// How many cables the NICs with several have.
u32 cables_beside_others(const Fabric& fabric) {
  u32 out = 0;
  for (Node v : fabric.nic_nodes())
    if (fabric.cabled_ports(v) > 1) out += fabric.cabled_ports(v);
  return out;
}

// InfiniBand has no word for rails: whether NICs have some is found again by leaves, or not.
std::string without_rails(std::string text) {
  for (std::size_t at = 0; (at = text.find(".r", at)) != text.npos; ++at) text[at + 1] = 'n';
  return text;
}

// But for NICs with several cables: InfiniBand addresses ports, so each of these is a NIC when it is read.
RC_GTEST_PROP(Formats, InfinibandTextKeepsNamesPortsAndCables, ()) {
  const FabricFile file = any_fabric();
  for (std::string_view format : {"ibnetdiscover", "ibsim"}) {
    const Fabric again = read(format, written(format, file)).topology.fabric;
    RC_ASSERT(cables_beside_others(again) == 0);
    RC_ASSERT(again.links() == file.topology.fabric.links());
    if (cables_beside_others(file.topology.fabric) == 0)
      RC_ASSERT(without_rails(fabric_text(again, false)) ==
                without_rails(fabric_text(file.topology.fabric, false)));
  }
}

RC_GTEST_PROP(Formats, InfinibandTextKeepsIds, ()) {
  FabricFile file = any_fabric();
  file = read("ibnetdiscover", written("ibnetdiscover", file));
  RC_ASSERT(read("ibnetdiscover", written("ibnetdiscover", file)).ids == file.ids);
  RC_ASSERT(read("json", written("json", file)).ids == file.ids);
}

RC_GTEST_PROP(Formats, ReadWrittenAndReadAgainIsTheSame, ()) {
  const FabricFile file = any_fabric();
  for (const Format& format : formats::formats()) {
    if (!format.read || !format.write) continue;
    const FabricFile once = read(format.name, written(format.name, file));
    const FabricFile twice = read(format.name, written(format.name, once));
    RC_ASSERT(once.topology.fabric == twice.topology.fabric);
  }
}

RC_GTEST_PROP(Formats, SlurmHasEveryHostOnce, ()) {
  const FabricFile file = any_fabric();
  const Fabric tree = read("slurm", written("slurm", file)).topology.fabric;
  RC_ASSERT(tree.hosts() == file.topology.fabric.hosts());
  std::set<std::string> names;
  for (u32 h = 0; h < tree.hosts(); ++h) names.insert(tree.host_name(Host{h}));
  for (u32 h = 0; h < tree.hosts(); ++h) RC_ASSERT(names.contains(file.topology.fabric.host_name(Host{h})));
}

RC_GTEST_PROP(Formats, AreToldByTheirFirstBytes, ()) {
  const FabricFile file = any_fabric();
  for (const Format& format : formats::formats()) {
    if (!format.write) continue;
    const std::string head = written(format.name, file).substr(0, 4096);
    const auto first = std::find_if(formats::formats().begin(), formats::formats().end(),
                                    [&](const Format& f) { return f.sniff(head); });
    RC_ASSERT(first != formats::formats().end());
    RC_ASSERT(first->read == format.read);
  }
}

// Bytes changed anywhere: an InputError or a fabric, never anything else.
RC_GTEST_PROP(Formats, DamagedTextIsRefusedOrRead, ()) {
  const FabricFile file = any_fabric();
  Random random(*rc::gen::arbitrary<u64>());
  for (const Format& format : formats::formats()) {
    if (!format.read || !format.write) continue;
    std::string text = written(format.name, file);
    for (u64 i = 0; i <= random.below(4); ++i) {
      const std::size_t at = random.below(text.size());
      if (random.below(2) == 0)
        text[at] = static_cast<char>(random.below(256));
      else
        text.erase(at, random.below(40));
      if (text.empty()) text = "x";
    }
    try {
      read(format.name, text);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace banyan::tests
