// Assembly, factorization and solve of diag(m) + c·K, timed by stage.
#include "solvers/integrators/wave_system.hpp"

#include "solvers/linear/flush_subnormals.hpp"

namespace shoal {

namespace {

constexpr const char* no_wave_operators =
    "requires wave operators (adjoint gradient and divergence), which an upwind flux does not provide; the "
    "implicit integrator "
    "for such a flux is rosenbrock";

StepReport noted(const SolverReport& report, StageClock& clock) {
  SolverWork work;
  work.iterations = report.iterations;
  work.factorizations = report.factorizations;
  work.residual = report.residual;
  clock.add(work);
  return {report.ok, report.reason};
}

}  // namespace

std::string wave_incompatibility(const DiscretizationEntry& scheme, const Parameters& options) {
  return scheme.offers_capability<Wave>() ? scheme.unavailable<Wave>(options) : no_wave_operators;
}

std::string flux_incompatibility(const DiscretizationEntry& scheme, const Parameters& options) {
  std::string reason = wave_incompatibility(scheme, options);
  if (reason.empty() && scheme.leaves_depth_to_transport(options))
    reason =
        "with continuity = advective there is no flux for this integrator to solve for; use continuity = "
        "flux, or an integrator that computes the depth rate from the velocity";
  return reason;
}

WaveSystem::WaveSystem(const WaveSide& wave, const LinearSolverEntry& solver, const Parameters& parameters)
    : wave_(wave), solver_(make_solver(solver, parameters, wave.mesh(), wave.cells())) {
  analyze();
}

void WaveSystem::analyze() {
  pattern_version_ = wave_.pattern_version();
  matrix_ = wave_.stiffness_pattern();
  solver_->analyze(matrix_);
}

StepReport WaveSystem::prepare(const Vector& m, double c, const Vector& w, StageClock& clock) {
  if (pattern_version_ != wave_.pattern_version()) {
    const auto stage = clock.measure(Stage::factorization);
    analyze();
    SolverWork work;
    work.analyses = 1;
    clock.add(work);
  }
  {
    const auto stage = clock.measure(Stage::assembly);
    wave_.assemble(m, c, w, matrix_);
  }
  const FlushSubnormals flush;
  return noted(solver_->factorize(matrix_, clock), clock);
}

StepReport WaveSystem::solve(const Vector& right_side, Vector& solution, StageClock& clock) {
  const FlushSubnormals flush;
  return noted(solver_->solve(right_side, solution, clock), clock);
}

}  // namespace shoal
