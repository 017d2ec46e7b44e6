// Any bytes are read as demands, or refused with an InputError; what was read keeps within what it says of
// itself, and written as a list reads back the same.
#include "traffic/demand_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"

static void check(bool good) {
  if (!good) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    DemandFile file = read_demands(in, "fuzz");
    check(!file.round_end.empty() && file.round_end.back() == file.demands.size());
    check(std::is_sorted(file.round_end.begin(), file.round_end.end()));
    std::string list = file.in_bytes ? "from,to,bytes,round\n" : "from,to,amount,round\n";
    for (std::size_t i = 0; i < file.demands.size(); ++i) {
      const Demand& d = file.demands[i];
      check(index(d.from) < file.ranks && index(d.to) < file.ranks && d.amount >= 0);
      const auto round =
          std::upper_bound(file.round_end.begin(), file.round_end.end(), i) - file.round_end.begin();
      list += fmt::format("{},{},{},{}\n", index(d.from), index(d.to), d.amount, round);
    }
    if (file.demands.empty()) return 0;
    std::istringstream again(list);
    const DemandFile second = read_demands(again, "again");
    check(second.demands == file.demands && second.in_bytes == file.in_bytes);
  } catch (const InputError&) {
  }
  return 0;
}
