#include "tests/support/order.hpp"

#include <cmath>
#include <limits>

namespace shoal::test {
bool limited_by_kinks(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  return scheme.order_limit.order < integrator.claims.order;
}

double typical_error(int steps, bool kinks, const std::function<double(int)>& error) {
  if (!kinks) return error(steps);
  constexpr int samples = 8;
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    const int number = steps * (samples + i) / samples;
    const double ratio = static_cast<double>(number) / steps;
    sum += std::pow(error(number) * ratio * ratio, 2);
  }
  return std::sqrt(sum / samples);
}

OrderInTime order_in_time(const Configuration& setup, int claimed) {
  constexpr double end = 0.25;
  const auto solve = [&](int steps) -> Vector {
    Trial simulation(setup);
    simulation.prepare(end / steps);
    simulation.run(steps);
    return simulation.volume();
  };
  const IntegratorEntry& integrator =
      setup.integrator_entry ? *setup.integrator_entry : catalog().integrators.find(setup.integrator);
  const bool high = claimed >= 4;
  const int min_steps = integrator.claims.order >= 5 ? 16 : high ? 32 : 64, max_steps = 64 * min_steps;
  const Vector reference = solve(max_steps);
  // Each step of the reference rounds each volume once or a few times, to either side.
  const double rounding = std::numeric_limits<double>::epsilon() * std::sqrt(max_steps) * reference.norm();
  std::vector<double> sizes, errors;
  const bool kinks = limited_by_kinks(catalog().discretizations.find(setup.discretization), integrator);
  for (const int steps : {min_steps, 2 * min_steps, 4 * min_steps, 8 * min_steps}) {
    sizes.push_back(end / steps);
    errors.push_back(typical_error(steps, kinks, [&](int n) { return (solve(n) - reference).norm(); }));
  }
  if (high) {  // drop one of four errors: the last if it is round-off, otherwise the first
    const bool drowns = errors.back() < min_above_rounding * rounding;
    const auto left_out = drowns ? 3 : 0;
    sizes.erase(sizes.begin() + left_out);
    errors.erase(errors.begin() + left_out);
  }
  return {slope(sizes, errors), errors.back() / rounding};
}

}  // namespace shoal::test
