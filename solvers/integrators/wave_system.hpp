// The one linear system of all implicit integrators, diag(m) + c·K(w), with its solver.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// Throws Refusal if the scheme has no wave operators; the lists refuse such pairs before.
const Wave& require_wave(const Discretization& discretization);

/// The reason why a scheme cannot serve an implicit integrator, or "".
std::string wave_obstacle(const DiscretizationEntry& scheme);

class WaveSystem {
 public:
  WaveSystem(const Wave& wave, const LinearSolverEntry& solver, const Parameters& parameters);

  /// Assembles and factorizes diag(m) + c·K(w).
  StepReport prepare(const Vector& m, double c, const Vector& w, StageClock& clock);
  StepReport solve(const Vector& right_side, Vector& solution, StageClock& clock);

 private:
  const Wave& wave_;
  SymmetricMatrix matrix_;
  std::unique_ptr<LinearSolver> solver_;
};

/// p = r h = √|aₙ| (V/A − H), whose gradient drives the velocity.
void wave_pressure(const Discretization& discretization, const Wave& wave, const Vector& volume,
                   Vector& pressure);

}  // namespace shoal
