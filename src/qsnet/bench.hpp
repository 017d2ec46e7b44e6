// A benchmark is a function from a machine and options to tables, and a line in benches.def.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "qsnet/parameters.hpp"
#include "qsnet/routes.hpp"

namespace banyan::qsnet {

struct BenchOptions {
  std::string name;
  u32 hosts = 8;
  u64 smallest = 0, largest = 1 << 20;

  static void fields(auto& self, auto&& f) {
    f("name", self.name, "which benchmark");
    f("hosts", self.hosts, "that take part, where more than two can; 0: all");
    f("smallest", self.smallest, "size of messages, in bytes");
    f("largest", self.largest, "size of messages, in bytes");
  }
};

struct BenchSetting {
  const Routes& routes;
  const Parameters& parameters;
  u32 hosts;  // that take part
  u64 smallest, largest;
};

// The paper's value stands in a column of its own, where its text gives one.
struct BenchTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Bench {
  std::string_view name, source, summary;
  std::vector<BenchTable> (*run)(const BenchSetting&);
};

const Registry<Bench>& benches();

// 0 and powers of two, from the smallest to the largest; throws InputError where there is none
std::vector<u64> message_sizes(const BenchSetting& setting);
std::vector<u32> host_counts(u32 least, u32 maximum);  // every one to 8, then powers of two, and the most

}  // namespace banyan::qsnet
