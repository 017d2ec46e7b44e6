#include "ask/nic.hpp"

#include <fmt/format.h>

namespace banyan::ask {
namespace {

qsnet::Parameters parameters_of(const std::string& nic) {
  const PluginText text = parse_plugin(nic);
  if (text.name != "elan3") throw InputError(fmt::format("unknown NIC '{}'; expected elan3", text.name));
  return read_options<qsnet::Parameters>(text);
}

}  // namespace

NicAnswer nic(const Situation& at, const std::string& nic) {
  NicAnswer out{{parameters_of(nic)}};
  const PluginText traffic = parse_plugin(at.traffic);
  if (traffic.name != "bench")
    throw InputError(
        fmt::format("--nic runs benchmarks: --traffic is '{}'; expected bench:NAME", at.traffic));
  const auto options = read_options<qsnet::BenchOptions>(traffic);
  out.bench = &qsnet::benches().at(options.name);
  const u32 all = at.topology.fabric.hosts(), hosts = options.hosts == 0 ? all : options.hosts;
  if (hosts < 2 || hosts > all)
    throw InputError(fmt::format("hosts is {}; expected 2 to {}, as the fabric has", hosts, all));
  const qsnet::Routes routes(at.topology, *at.routing);
  for (qsnet::BenchTable& table :
       out.bench->run({routes, out.options.options, hosts, options.smallest, options.largest}))
    out.tables.push_back({std::move(table)});
  return out;
}

}  // namespace banyan::ask
