// The standing waves of a scheme with wave operators, about fluid at rest.
#pragma once

#include "discretizations/capabilities.hpp"

#include <Eigen/Core>

namespace shoal {

/// Solutions of K(s η̄) z = ω² (A/r) z, z = r h: elevations h cos ωt solve the scheme's linear equations
/// exactly in time.
struct WaveModes {
  Vector angular_frequency;   ///< [count] ω, 1/s, ascending
  Eigen::MatrixXd elevation;  ///< [cells, count] h, scaled to max |h| = 1; its largest entry is positive
  double residual = 0;        ///< residual of the eigenproblem, relative to the largest ω²
};

/// The eigenproblem of one scheme for fluid with `volume` [cells] (m³) at rest under these forces.
class WaveSpectrum {
 public:
  /// Throws Refusal if the scheme has no wave operators.
  WaveSpectrum(const Discretization& discretization, const Forces& forces, VectorIn volume);

  Index size() const { return static_cast<Index>(mass_.size()); }  ///< number of modes, one per cell
  /// Number of modes of frequency zero: elevations that are constant on each connected component of the mesh.
  Index constant_modes() const { return constant_modes_; }
  /// Modes first … first + count − 1 in ascending order of ω, constant modes first. Throws Refusal if eigenpairs() cannot
  /// compute them.
  WaveModes modes(Index first, Index count) const;
  double highest_angular_frequency() const { return modes(size() - 1, 1).angular_frequency[0]; }

 private:
  SymmetricMatrix stiffness_;
  Vector mass_, root_acceleration_;
  Index constant_modes_ = 0;
};

}  // namespace shoal
