// `shoal spectrum`: all linear waves of a scheme about fluid at rest, against those of the continuous
// equations.
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
  Index lowest = 0;  ///< only so many modes, for meshes too large for all; 0: all of them
};

/// e^{(−γ ± iω) t}: a wave with its mirror image of frequency −ω, or one that does not oscillate.
struct DiscreteMode {
  double angular_frequency = 0;  ///< ω ≥ 0, 1/s
  double decay_rate = 0;         ///< γ, 1/s; zero for schemes with wave operators
  int level = -1;                ///< of the continuous spectrum; −1 where none corresponds
  /// Of its elevation that lies in the resolved space, in [0, 1]; NaN where that is not known, or where it is
  /// the whole space because the scheme has no more depths than the mesh has vertices.
  double share = std::numeric_limits<double>::quiet_NaN();
  bool spurious = false;
};

/// Every unknown of the linearised scheme is in one mode; waves are two (±ω).
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

/// A mesh of nV vertices resolves nV scalar waves and interior vertices + components − χ flows without
/// divergence, χ Euler's characteristic; modes beyond that, or mostly outside the nV lowest continuous ones, are spurious.
/// Counting and computation: experiments/harness/spectrum/spectrum.md.
struct Spectrum {
  RunConfiguration configuration;
  std::string mesh_hash;
  double depth = 1, gravity = 9.81;
  Index vertices = 0;
  bool all = true;        ///< modes holds every wave
  Index lowest = 0;       ///< modes that were asked for; 0: all
  bool by_share = false;  ///< spurious waves are told by their share, not by their place in the order of ω
  ModeCounts counts;
  std::vector<DiscreteMode> modes;  ///< waves and constants, ascending ω
  Eigen::MatrixXd shapes;           ///< [cells, modes] elevations, max |h| = 1; empty without wave operators
  std::optional<ContinuousModes> continuous;
  double residual = 0;  ///< of the eigenproblem, relative
  double area = 0;      ///< m²
  /// Forward Euler keeps every mode bounded up to this step, min 2γ/(γ² + ω²), s; NaN with wave operators,
  /// whose waves it amplifies at any step.
  double forward_euler_limit = std::numeric_limits<double>::quiet_NaN();
  double stable_dt = 0;  ///< what the scheme itself allows, s
};

/// Throws Refusal where the problem is too large or surface and scheme are incompatible.
Spectrum compute_spectrum(const Catalog& catalog, const SpectrumRequest& request);

/// One row per continuous level, `rows` at most (0: all); or per mode where no continuous spectrum is known.
TextTable spectrum_grid(const Spectrum& spectrum, Index rows);
TextTable count_grid(const Spectrum& spectrum);
/// Both as text for the terminal, with what the counts mean.
std::string describe_spectrum(const Spectrum& spectrum, TableFormat format, Index rows);

}  // namespace shoal
