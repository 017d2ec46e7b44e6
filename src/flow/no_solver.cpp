// In place of linear_program.cpp in a build without Clp (BANYAN_CLP=OFF).
#include "base/error.hpp"
#include "flow/linear_program.hpp"

namespace banyan::flow {

bool has_linear_programs() { return false; }

struct LinearSolver::Model {};

void LinearProgram::add_row(double, double, std::span<const Entry>) {}

LinearSolver::LinearSolver(const LinearProgram&) { throw InputError(no_linear_programs); }
LinearSolver::~LinearSolver() = default;
void LinearSolver::set_objective(std::span<const double>) {}
void LinearSolver::add_columns(std::span<const NewColumn>) {}
LinearSolution LinearSolver::solve(double) { return {LinearSolution::Status::unfinished, 0, {}, {}}; }

}  // namespace banyan::flow
