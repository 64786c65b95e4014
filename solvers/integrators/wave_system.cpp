#include "solvers/integrators/wave_system.hpp"

namespace shoal {

const Wave& require_wave(const Discretization& discretization) {
  const Wave* wave = offered<Wave>(discretization);
  if (!wave) throw Refusal("this integrator needs wave operators, which the discretization does not offer");
  return *wave;
}

std::string wave_obstacle(const DiscretizationEntry& scheme) {
  if (scheme.offers_capability(Capability::wave)) return "";
  return "needs wave operators (adjoint gradient and divergence), which an upwind flux does not have";
}

WaveSystem::WaveSystem(const Wave& wave, const LinearSolverEntry& solver, const Parameters& parameters)
    : wave_(wave), matrix_(wave.stiffness_pattern()), solver_(solver.make(parameters)) {
  solver_->analyze(matrix_);
}

StepReport WaveSystem::prepare(const Vector& m, double c, const Vector& w, StageClock& clock) {
  {
    const auto stage = clock.measure(Stage::assembly);
    wave_.assemble(m, c, w, matrix_);
  }
  const auto stage = clock.measure(Stage::factorization);
  const SolverReport report = solver_->factorize(matrix_);
  return {report.ok, report.reason};
}

StepReport WaveSystem::solve(const Vector& right_side, Vector& solution, StageClock& clock) {
  const auto stage = clock.measure(Stage::solve);
  const SolverReport report = solver_->solve(right_side, solution);
  return {report.ok, report.reason};
}

void wave_pressure(const Discretization& discretization, const Wave& wave, const Vector& volume,
                   Vector& pressure) {
  const Cells& cells = discretization.cells();
  pressure = wave.root_acceleration().array() * (volume.array() / cells.area.array() - cells.bed.array());
}

}  // namespace shoal
