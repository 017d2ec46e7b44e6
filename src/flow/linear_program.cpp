#include "flow/linear_program.hpp"

#include <Clp_C_Interface.h>

#include <algorithm>

namespace banyan::flow {

void LinearProgram::add_row(double least, double maximum, std::span<const Entry> entries) {
  least_.push_back(least);
  max_.push_back(maximum);
  for (const Entry& entry : entries) {
    columns_.push_back(static_cast<int>(entry.column));
    values_.push_back(entry.value);
  }
  starts_.push_back(static_cast<int>(columns_.size()));
}

bool has_linear_programs() { return true; }

struct LinearSolver::Model {
  Clp_Simplex* clp = Clp_newModel();
  bool has_basis = false;
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() { Clp_deleteModel(clp); }
};

LinearSolver::LinearSolver(const LinearProgram& program) : model_(std::make_unique<Model>()) {
  Clp_Simplex* clp = model_->clp;
  Clp_setLogLevel(clp, 0);
  Clp_setPrimalTolerance(clp, tolerance);
  Clp_setDualTolerance(clp, tolerance);
  const std::vector<double> zero(program.columns(), 0.0);
  Clp_resize(clp, 0, static_cast<int>(program.columns()));
  Clp_chgColumnLower(clp, zero.data());
  Clp_chgObjCoefficients(clp, program.objective_.data());
  Clp_addRows(clp, static_cast<int>(program.rows()), program.least_.data(), program.max_.data(),
              program.starts_.data(), program.columns_.data(), program.values_.data());
}

LinearSolver::~LinearSolver() = default;

void LinearSolver::set_objective(std::span<const double> by_column) {
  Clp_chgObjCoefficients(model_->clp, by_column.data());
}

void LinearSolver::add_columns(std::span<const NewColumn> columns) {
  const std::vector<double> zero(columns.size(), 0.0), maximum(columns.size(), unlimited);
  std::vector<double> objective, values;
  std::vector<int> starts = {0}, rows;
  for (const NewColumn& column : columns) {
    objective.push_back(column.objective);
    for (const auto& [row, value] : column.entries) {
      rows.push_back(static_cast<int>(row));
      values.push_back(value);
    }
    starts.push_back(static_cast<int>(rows.size()));
  }
  Clp_addColumns(model_->clp, static_cast<int>(columns.size()), zero.data(), maximum.data(), objective.data(),
                 starts.data(), rows.data(), values.data());
}

LinearSolution LinearSolver::solve(double direction) {
  Clp_Simplex* clp = model_->clp;
  Clp_setOptimizationDirection(clp, direction);
  if (model_->has_basis)
    Clp_primal(clp, 0);
  else
    Clp_initialSolve(clp);
  model_->has_basis = true;
  const double* at = Clp_primalColumnSolution(clp);
  const double* prices = Clp_dualRowSolution(clp);
  LinearSolution out{LinearSolution::Status::unfinished, Clp_objectiveValue(clp),
                     std::vector<double>(at, at + Clp_numberColumns(clp)),
                     std::vector<double>(prices, prices + Clp_numberRows(clp))};
  const int status = Clp_status(clp);
  if (status >= 0 && status <= 2) out.status = static_cast<LinearSolution::Status>(status);
  return out;
}

}  // namespace banyan::flow
