#include "routing/node_demands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/print.hpp"
#include "base/text.hpp"

namespace banyan::routing {
namespace {

namespace fs = std::filesystem;
constexpr u64 max_weight = 255;

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

}  // namespace

NodeDemands::NodeDemands(u32 hosts, std::vector<HostDemand> demands) {
  std::erase_if(demands, [](const HostDemand& d) { return d.weight == 0 || d.from == d.to; });
  std::stable_sort(demands.begin(), demands.end(), [](const HostDemand& a, const HostDemand& b) {
    return std::pair(a.to, a.from) < std::pair(b.to, b.from);
  });
  first_.assign(hosts + 1, 0);
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const HostDemand& d = demands[i];
    if (i > 0 && demands[i - 1].to == d.to && demands[i - 1].from == d.from) {
      senders_.back().weight += d.weight;
      continue;
    }
    senders_.push_back({d.from, d.weight});
    ++first_[index(d.to) + 1];
  }
  for (u32 h = 0; h < hosts; ++h) first_[h + 1] += first_[h];
}

std::vector<HostDemand> normalised(std::vector<HostAmount> amounts) {
  std::stable_sort(amounts.begin(), amounts.end(), [](const HostAmount& a, const HostAmount& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  std::vector<HostAmount> sums;
  for (const HostAmount& a : amounts) {
    if (a.from == a.to || !(a.amount > 0)) continue;
    if (!sums.empty() && sums.back().from == a.from && sums.back().to == a.to)
      sums.back().amount += a.amount;
    else
      sums.push_back(a);
  }
  double maximum = 0;
  for (const HostAmount& a : sums) maximum = std::max(maximum, a.amount);
  std::vector<HostDemand> out;
  for (const HostAmount& a : sums) {
    const double weight = std::round(a.amount / maximum * static_cast<double>(max_weight));
    out.push_back({a.from, a.to, std::max(u64{1}, static_cast<u64>(weight))});
  }
  return out;
}

HostDemandsRead read_host_demands(std::istream& in, const std::string& file, const Fabric& fabric) {
  std::unordered_map<std::string, Host> hosts;
  for (u32 h = 0; h < fabric.hosts(); ++h) hosts.emplace(fabric.host_name(Host{h}), Host{h});
  HostDemandsRead out;
  u64 number = 0, known = 0;
  const auto host = [&](std::string_view name) {
    const auto found = hosts.find(std::string(name));
    ++(found == hosts.end() ? out.unknown : known);
    return found == hosts.end() ? none<Host> : found->second;
  };
  for (std::string text; std::getline(in, text);) {
    ++number;
    std::string_view line = std::string_view(text).substr(0, text.find('#'));
    const std::string_view source = take_word(line);
    if (source.empty()) continue;
    const Host from = host(source);
    while (!trim(line).empty()) {
      const std::string_view name = take_word(line), word = take_word(line);
      const auto weight = parse_unsigned(word);
      if (!weight || *weight > max_weight)
        throw InputError(
            Place{file, number},
            fmt::format("found '{}' behind '{}', expected a weight from 0 to {}", word, name, max_weight));
      if (const Host to = host(name); from != none<Host> && to != none<Host>)
        out.demands.push_back({from, to, *weight});
    }
  }
  if (known == 0 && out.unknown > 0)
    throw InputError(Place{file}, "found no host of this fabric, expected its hosts by name");
  return out;
}

void write_host_demands(std::ostream& out, const std::vector<HostDemand>& demands, const Fabric& fabric) {
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const HostDemand& d = demands[i];
    if (i == 0 || demands[i - 1].from != d.from)
      base::print(out, "{}{}", i == 0 ? "" : "\n", fabric.host_name(d.from));
    base::print(out, " {} {}", fabric.host_name(d.to), d.weight);
  }
  if (!demands.empty()) out << '\n';
}

NodeDemands open_node_demands(const std::string& path, const Fabric& fabric) {
  std::vector<std::string> files = {path};
  // A folder that others may write to says more than it should, and other things tomorrow.
  if (!is_reading_restricted() && fs::is_directory(path)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
  }
  std::vector<HostDemand> all;
  for (const std::string& file : files) {
    std::ifstream in = open_input(file);
    const auto read = read_host_demands(in, file, fabric).demands;
    all.insert(all.end(), read.begin(), read.end());
  }
  return NodeDemands(fabric.hosts(), std::move(all));
}

}  // namespace banyan::routing
