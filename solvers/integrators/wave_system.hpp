// The one linear system of all implicit integrators, diag(m) + c·K(w), with its solver.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// The reason why a scheme is incompatible with implicit integrators under these options, or "".
std::string wave_incompatibility(const DiscretizationEntry& scheme, const Parameters& options);

/// The same for an integrator that changes the depth only by −D(η̄) u.
std::string flux_incompatibility(const DiscretizationEntry& scheme, const Parameters& options);

/// Assembles and solves; adds time and work to the clock of the caller.
class WaveSystem {
 public:
  WaveSystem(const WaveSide& wave, const LinearSolverEntry& solver, const Parameters& parameters);

  /// Assembles and factorizes diag(m) + c·K(w); repeats the analysis if the pattern has changed.
  StepReport prepare(const Vector& m, double c, const Vector& w, StageClock& clock);
  /// Iterations start from the incoming `solution` if the parameter `start` is warm.
  StepReport solve(const Vector& right_side, Vector& solution, StageClock& clock);

  void save(Archive& archive) const { solver_->save(archive); }
  void restore(const Archive& archive) { solver_->restore(archive, matrix_); }

 private:
  void analyze();

  const WaveSide wave_;
  Index pattern_version_ = 0;
  SymmetricMatrix matrix_;
  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace shoal
