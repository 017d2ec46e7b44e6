#include "cli/simulate_nic.hpp"

#include <fmt/format.h>

#include <iostream>

#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/options_argument.hpp"
#include "qsnet/bench.hpp"

namespace banyan::cli {
namespace {

using qsnet::BenchTable;

void print(const BenchTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(column.size());
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += fmt::format("  {:>{}}", cells[i], widths[i]);
    std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  };
  std::cout << '\n' << table.title << '\n';
  line(table.columns);
  for (const auto& row : table.rows) line(row);
}

void write(const NicRun& run, const qsnet::Parameters& parameters, const std::vector<BenchTable>& tables) {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("fabric", run.fabric);
  json.field("engine", run.engine.engine).field("nic", run.nic).field("traffic", run.traffic);
  json.key("options").begin_object();
  write_options(json, parameters);
  json.end_object().key("tables").begin_array();
  for (const BenchTable& table : tables)
    json.begin_object()
        .field("title", table.title)
        .field("columns", table.columns)
        .field("rows", table.rows)
        .end_object();
  json.end_array().end_object();
}

qsnet::Parameters parameters_of(const std::string& nic) {
  const PluginText text = parse_plugin(nic);
  if (text.name != "elan3") throw InputError(fmt::format("unknown NIC '{}'; expected elan3", text.name));
  return read_options<qsnet::Parameters>(text);
}

}  // namespace

Exit simulate_nic(const Topology& topology, NicRun run) {
  const qsnet::Parameters parameters = parameters_of(run.nic);
  const PluginText traffic = parse_plugin(run.traffic);
  if (traffic.name != "bench")
    throw InputError(
        fmt::format("--nic runs benchmarks: --traffic is '{}'; expected bench:NAME", run.traffic));
  const auto options = read_options<qsnet::BenchOptions>(traffic);
  const qsnet::Bench& bench = qsnet::benches().at(options.name);
  if (run.engine.engine.empty()) run.engine.engine = "adaptive";
  const RouteResult result = run.engine.route(topology);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
  const u32 all = topology.fabric.hosts(), hosts = options.hosts == 0 ? all : options.hosts;
  if (hosts < 2 || hosts > all)
    throw InputError(fmt::format("hosts is {}; expected 2 to {}, as the fabric has", hosts, all));
  const qsnet::Routes routes(topology, std::get<Routing>(result));
  const auto tables = bench.run({routes, parameters, hosts, options.smallest, options.largest});
  if (run.as_json) {
    write(run, parameters, tables);
  } else {
    std::cout << fmt::format("{}: {} ({})\n", bench.name, bench.summary, bench.source);
    for (const BenchTable& table : tables) print(table);
  }
  return Exit::done;
}

}  // namespace banyan::cli
