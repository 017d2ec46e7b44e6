// Linear programs, solved by Clp: a thin interface, so that only one .cpp includes Clp's header.
#pragma once
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace banyan::flow {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();
inline constexpr double solver_tolerance = 1e-7;

// False in a build without Clp (BANYAN_CLP=OFF): a solver then throws InputError.
bool has_linear_programs();
inline constexpr const char* no_linear_programs = "this build has no linear programs (BANYAN_CLP=OFF)";

// Columns are numbered from 0 and are at least 0; rows are sums over them.
class LinearProgram {
 public:
  struct Entry {
    u32 column;
    double value;
  };

  u32 add_column(double objective = 0) {
    objective_.push_back(objective);
    return static_cast<u32>(objective_.size() - 1);
  }
  void add_row(double least, double maximum, std::span<const Entry> entries);  // each column at most once
  u32 columns() const { return static_cast<u32>(objective_.size()); }
  u32 rows() const { return static_cast<u32>(least_.size()); }

 private:
  friend class LinearSolver;
  std::vector<double> objective_, least_, max_;
  std::vector<int> starts_ = {0}, columns_;
  std::vector<double> values_;
};

struct LinearSolution {
  enum class Status : u8 { optimal, infeasible, unbounded, unfinished };
  Status status;
  double value;                // of the objective
  std::vector<double> at;      // by column
  std::vector<double> prices;  // by row: how much the value grows with its right side
};

// Keeps the last basis: when the objective changes or columns are added, the next solution starts from it.
class LinearSolver {
 public:
  static constexpr double tolerance = 1e-9;  // of rows, and of the gain of a column

  explicit LinearSolver(const LinearProgram& program);
  ~LinearSolver();
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;

  void set_objective(std::span<const double> by_column);
  struct NewColumn {
    double objective;
    std::vector<std::pair<u32, double>> entries;  // row and value
  };
  void add_columns(std::span<const NewColumn> columns);  // after the existing ones, in this order
  LinearSolution minimise() { return solve(1); }
  LinearSolution maximise() { return solve(-1); }

 private:
  LinearSolution solve(double direction);
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace banyan::flow
