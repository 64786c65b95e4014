// Assembly, factorization and solve of diag(m) + c·K, timed by stage.
#include "solvers/integrators/wave_system.hpp"

namespace shoal {

namespace {

constexpr const char* no_wave_operators =
    "needs wave operators (adjoint gradient and divergence), which an upwind flux does not have";

}  // namespace

const Wave& require_wave(const Discretization& discretization, Use use) {
  const Wave* wave = offered<Wave>(discretization);
  if (!wave) throw Refusal(no_wave_operators);
  discretization.require(use);
  return *wave;
}

std::string wave_obstacle(const DiscretizationEntry& scheme) {
  return scheme.offers_capability(Capability::wave) ? "" : no_wave_operators;
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

}  // namespace shoal
