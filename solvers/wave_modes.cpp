// Assembly of the wave operator of a scheme, and its eigenvectors as elevations.
#include "solvers/wave_modes.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "solvers/linear/eigenpairs.hpp"

#include <cmath>

namespace shoal {
namespace {

Index count_parts(const SymmetricMatrix& matrix) {
  DisjointSets sets = coupled_unknowns(matrix);
  Index parts = 0;
  for (Index i = 0; i < matrix.rows(); ++i) parts += sets.find(i) == i;
  return parts;
}

}  // namespace

WaveSpectrum::WaveSpectrum(const Discretization& discretization, const Forces& forces, VectorIn volume) {
  const Wave* wave = offered<Wave>(discretization);
  if (!wave)
    throw Refusal(
        "requires a scheme with wave operators (adjoint gradient and divergence), such as fefv or dec");
  root_acceleration_ = WaveForces::of(forces).root_acceleration;
  mass_ = discretization.cells().area.cwiseQuotient(root_acceleration_);
  const std::unique_ptr<Scratch> scratch = discretization.make_scratch();
  Vector depth;
  wave->site_depth(volume, depth, *scratch);
  stiffness_ = wave->stiffness_pattern();
  wave->assemble(Vector::Zero(mass_.size()), 1,
                 depth.cwiseProduct(WaveForces::of(forces).site_root_acceleration), stiffness_, *scratch);
  constant_modes_ = count_parts(stiffness_);
}

WaveModes WaveSpectrum::modes(Index first, Index count) const {
  Eigenpairs pairs = eigenpairs(stiffness_, mass_, first, count);
  WaveModes modes;
  modes.residual = pairs.residual;
  modes.angular_frequency.resize(count);
  for (Index j = 0; j < count; ++j)  // round-off leaves the constant modes some −1e-16 of the highest ω²
    modes.angular_frequency[j] = first + j < constant_modes_ ? 0 : std::sqrt(pairs.value[j]);
  modes.elevation = std::move(pairs.vector);
  modes.elevation.array().colwise() /= root_acceleration_.array();
  modes.elevation.array().rowwise() /= modes.elevation.cwiseAbs().colwise().maxCoeff().array();
  return modes;
}

}  // namespace shoal
