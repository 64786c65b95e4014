// `shoal spectrum`: all linear waves of a scheme about fluid at rest, compared with those of the continuous equations.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/results/text_table.hpp"
#include "experiments/scenes/continuous_modes.hpp"

#include <Eigen/Core>
#include <limits>

namespace shoal {

/// The problem: a configuration of scene `rest`.
struct SpectrumRequest {
  RunConfiguration configuration;
  Index lowest = 0;  ///< number of lowest modes, for meshes too large for all; 0: all modes
};

/// e^{(−γ ± iω) t}: a wave together with its counterpart of frequency −ω, or a mode that does not oscillate.
struct DiscreteMode {
  double angular_frequency = 0;  ///< ω ≥ 0, 1/s
  double decay_rate = 0;         ///< γ, 1/s; zero for schemes with wave operators
  int level = -1;                ///< the corresponding level of the continuous spectrum; −1 if none
  /// The fraction of its elevation in the resolved space, in [0, 1]. NaN if that space is unknown, or if it is the whole space
  /// because the scheme has no more depth unknowns than the mesh has vertices.
  double share = std::numeric_limits<double>::quiet_NaN();
  bool spurious = false;
};

/// The numbers of modes of each kind. Their total is the number of unknowns of the linearised scheme; a wave counts twice (±ω).
struct ModeCounts {
  Index depth_unknowns = 0, velocity_unknowns = 0;
  Index constant = 0;                             ///< elevation constant, no flow
  Index waves = 0, spurious_waves = 0;            ///< pairs ±ω
  Index stationary = 0, spurious_stationary = 0;  ///< ω = 0, γ = 0
  Index damped = 0, spurious_damped = 0;          ///< ω = 0, γ > 0
  Index growing = 0;                              ///< γ < 0
  Index total() const {
    return constant + 2 * (waves + spurious_waves) + stationary + spurious_stationary + damped +
           spurious_damped + growing;
  }
};

/// A mesh of nV vertices resolves nV scalar waves and (interior vertices + components − χ) divergence-free flows, with the Euler
/// characteristic χ. Modes in excess of these, or mostly outside the nV lowest continuous ones, are spurious.
/// Counting and computation: experiments/harness/spectrum/spectrum.md.
struct Spectrum {
  RunConfiguration configuration;
  std::string mesh_hash;
  double depth = 1, gravity = 9.81;
  Index vertices = 0;
  bool all = true;        ///< `modes` contains every wave
  Index lowest = 0;       ///< number of modes requested; 0: all
  bool by_share = false;  ///< spurious waves are identified by their share, not by their rank in ω
  ModeCounts counts;
  std::vector<DiscreteMode> modes;  ///< waves and constants, ascending ω
  Eigen::MatrixXd shapes;           ///< [cells, modes] elevations, max |h| = 1; empty without wave operators
  std::optional<ContinuousModes> continuous;
  double residual = 0;  ///< of the eigenproblem, relative
  double area = 0;      ///< m²
  /// The step up to which forward Euler keeps every mode bounded, min 2γ/(γ² + ω²), s; NaN with wave operators, whose waves it
  /// amplifies at any step.
  double forward_euler_limit = std::numeric_limits<double>::quiet_NaN();
  double stable_dt = 0;  ///< the stable step stated by the scheme, s
};

/// Throws Refusal if the problem is too large or surface and scheme are incompatible.
Spectrum compute_spectrum(const Catalog& catalog, const SpectrumRequest& request);

/// One row per continuous level, at most `rows` (0: all); one row per mode if no continuous spectrum is known.
TextTable spectrum_grid(const Spectrum& spectrum, Index rows);
TextTable count_grid(const Spectrum& spectrum);
/// Both as text for the terminal, with an explanation of the counts.
std::string describe_spectrum(const Spectrum& spectrum, TableFormat format, Index rows);

}  // namespace shoal
