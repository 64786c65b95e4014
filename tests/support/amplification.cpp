// The fit of a two-term recurrence.
#include "tests/support/amplification.hpp"

#include <Eigen/QR>
#include <cmath>

namespace shoal::test {

Amplification measure_amplification(Trial& simulation, const StandingWave& wave, double amplitude, double dt,
                                    int min_steps) {
  // At least half a period: with less, the rows of the fit are nearly parallel.
  const int steps = std::max(min_steps, static_cast<int>(3 / (wave.angular_frequency * dt)));
  const Vector weight = simulation.discretization->cells().area.cwiseProduct(wave.elevation);
  const double scale = amplitude * weight.dot(wave.elevation);
  const auto wave_amplitude = [&] { return weight.dot(simulation.elevation()) / scale; };

  simulation.volume() += amplitude * weight;
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
    const double unit = std::abs(row[0]) + std::abs(row[1]);  // gives every pair the same weight
    system.row(n) << row[1] / unit, row[0] / unit;
    right_side[n] = row[2] / unit;
  }
  // If only one factor remains (the other is zero), the fit is not unique; the solution of least norm has this factor as its larger
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
