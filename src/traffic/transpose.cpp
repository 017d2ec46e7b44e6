// Ranks as a matrix by rows: row r, column c sends to the place of row c, column r in the transposed matrix.
#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct TransposeOptions {
  u32 rows = 0;
  static void fields(auto& self, auto&& f) {
    f("rows", self.rows, "of the matrix; 0: as square as it can be");
  }
};

u32 squarest(u32 n) {
  u32 rows = 1;
  for (u32 i = 2; u64{i} * i <= n; ++i)
    if (n % i == 0) rows = i;
  return rows;
}

Traffic transpose(const PatternSetting& setting, const TransposeOptions& options) {
  const u32 n = setting.ranks, rows = options.rows == 0 ? squarest(n) : options.rows;
  if (n % rows != 0)
    throw InputError(fmt::format(
        "transpose: {} ranks do not form a matrix of {} rows; expected a divisor of the ranks", n, rows));
  if (options.rows == 0 && rows == 1 && n > 1)
    throw InputError(
        fmt::format("transpose: {} ranks are a prime number and do not form a matrix of several rows", n));
  const auto list = [n, rows, columns = n / rows](u64, u64, u64, std::vector<Demand>& out) {
    for (u32 i = 0; i < n; ++i) out.push_back({Rank{i}, Rank{i % columns * rows + i / columns}});
  };
  return {.ranks = n, .list = list};
}

}  // namespace

Pattern transpose_pattern() {
  return make_pattern<transpose>("transpose", "",
                                 "ranks as a matrix: row r, column c sends to row c, column r");
}

}  // namespace banyan::traffic
