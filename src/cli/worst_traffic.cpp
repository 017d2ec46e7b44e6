#include "cli/worst_traffic.hpp"

#include <fmt/format.h>

#include <ostream>

namespace banyan::cli {
namespace {

constexpr std::size_t max_flows = 20;  // that people are shown

std::string channel_name(const Fabric& fabric, Channel c) {
  if (c == none<Channel>) return "no channel: no host reaches another";
  return fmt::format("{}:{} -> {}", fabric.name(fabric.from(c)), fabric.port_label(c),
                     fabric.name(fabric.to(c)));
}

void print_flows(std::ostream& out, const Fabric& fabric, const std::vector<Flow>& flows) {
  for (std::size_t i = 0; i < flows.size() && i < max_flows; ++i)
    out << fmt::format("    {} -> {}  {:.6g}\n", fabric.name(fabric.node(flows[i].from)),
                       fabric.name(fabric.node(flows[i].to)), flows[i].demand);
  if (flows.size() > max_flows) out << fmt::format("    and {} more\n", flows.size() - max_flows);
}

void write_channel(JsonWriter& json, std::string_view key, const Fabric& fabric, Channel c) {
  json.key(key);
  if (c == none<Channel>) {
    json.null();
    return;
  }
  json.begin_object().field("channel", index(c)).field("name", channel_name(fabric, c)).end_object();
}

void write_flows(JsonWriter& json, std::string_view key, const Fabric& fabric,
                 const std::vector<Flow>& flows) {
  json.key(key).begin_array();
  for (const Flow& flow : flows)
    json.begin_object()
        .field("from", index(fabric.host(flow.from)))
        .field("to", index(fabric.host(flow.to)))
        .field("demand", flow.demand)
        .end_object();
  json.end_array();
}

}  // namespace

void print_worst_permutation(std::ostream& out, const Fabric& fabric, const WorstPermutation& worst) {
  out << fmt::format("  {:<20}{:.6g} on {}{}\n", "worst permutation", worst.load,
                     channel_name(fabric, worst.channel), worst.is_exact ? "" : " (shares rounded)");
  print_flows(out, fabric, worst.on_channel);
}

void write_worst_permutation(JsonWriter& json, const Fabric& fabric, const WorstPermutation& worst) {
  json.field("worst_permutation_load", worst.load).field("worst_permutation_exact", worst.is_exact);
  write_channel(json, "worst_permutation_channel", fabric, worst.channel);
  write_flows(json, "worst_permutation_flows", fabric, worst.on_channel);
  std::vector<u32> to;
  for (Host host : worst.to) to.push_back(index(host));
  json.field("worst_permutation", to);
}

void print_oblivious_ratio(std::ostream& out, const Fabric& fabric, const ObliviousRatio& worst) {
  out << fmt::format("  {:<20}{:.6g} on {}{}\n", "oblivious ratio", worst.ratio,
                     channel_name(fabric, worst.channel), worst.is_exact ? "" : " (shares rounded)");
  print_flows(out, fabric, worst.matrix);
}

void write_oblivious_ratio(JsonWriter& json, const Fabric& fabric, const ObliviousRatio& worst) {
  json.field("oblivious_ratio", worst.ratio).field("oblivious_exact", worst.is_exact);
  write_channel(json, "oblivious_channel", fabric, worst.channel);
  write_flows(json, "oblivious_matrix", fabric, worst.matrix);
}

}  // namespace banyan::cli
