// Dense eigenvectors, and the fit of a two-term recurrence.
#include "tests/support/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <stdexcept>

namespace shoal::test {

std::vector<Mode> wave_modes(const Simulation& simulation) {
  const Wave& wave = *offered<Wave>(*simulation.discretization);
  const Vector mass = simulation.discretization->cells().area.cwiseQuotient(wave.root_acceleration());
  Vector depth;
  wave.site_depth(simulation.state.volume, depth);
  SymmetricMatrix stiffness = wave.stiffness_pattern();
  wave.assemble(Vector::Zero(mass.size()), 1, depth.cwiseProduct(wave.site_root_acceleration()), stiffness);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(stiffness),
                                                                         mass.asDiagonal());
  std::vector<Mode> modes;
  for (Eigen::Index k = 0; k < mass.size(); ++k) {
    Vector elevation = solver.eigenvectors().col(k).cwiseQuotient(wave.root_acceleration());
    elevation /= elevation.cwiseAbs().maxCoeff();
    modes.push_back({std::sqrt(std::max(0.0, solver.eigenvalues()[k])), elevation});
  }
  return modes;
}

Amplification measure_amplification(Simulation& simulation, const Mode& mode, double amplitude, double dt,
                                    int least_steps) {
  // Half a period at least: on less the rows of the fit are nearly parallel.
  const int steps = std::max(least_steps, static_cast<int>(3 / (mode.angular_frequency * dt)));
  const Vector weight = simulation.discretization->cells().area.cwiseProduct(mode.elevation);
  const double scale = amplitude * weight.dot(mode.elevation);
  const auto wave_amplitude = [&] { return weight.dot(simulation.elevation()) / scale; };

  simulation.state.volume += amplitude * weight;
  simulation.prepare(dt);
  std::vector<double> c = {wave_amplitude()};
  double size = 1;
  while (static_cast<int>(c.size()) < 4 ||
         (static_cast<int>(c.size()) <= steps && size > 1e-3 && size < 1e2)) {
    simulation.run(1);
    c.push_back(wave_amplitude());
    size = std::abs(c.back()) + std::abs(c[c.size() - 2]);
  }
  Eigen::MatrixX2d system(static_cast<Eigen::Index>(c.size()) - 2, 2);
  Vector right_side(system.rows());
  for (Eigen::Index n = 0; n < system.rows(); ++n) {
    const double* row = c.data() + n;
    const double unit = std::abs(row[0]) + std::abs(row[1]);  // every pair counts alike
    system.row(n) << row[1] / unit, row[0] / unit;
    right_side[n] = row[2] / unit;
  }
  // Where one factor alone is left (the other zero) the fit is not unique; the shortest has it as its larger
  // root.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixX2d> fitted;
  fitted.setThreshold(1e-4);
  const Eigen::Vector2d fit = fitted.compute(system).solve(right_side);
  return dominant_factor(fit[0], -fit[1]);
}

double folded(double phase) {
  return std::acos(std::cos(phase));
}

}  // namespace shoal::test
