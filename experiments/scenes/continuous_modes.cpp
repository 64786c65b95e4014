// Recognizes the surface and lists its waves by wavenumber.
#include "experiments/scenes/continuous_modes.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/scenes/spherical_harmonic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <tuple>

namespace shoal {
namespace {

constexpr double tolerance = 1e-6;  // relative; leaves room for coordinates written with seven digits

bool is_sphere(const Surface& surface) {
  const Vector distance = surface.x.colwise().norm();
  return surface.mesh.closed() && surface.mesh.euler_characteristic() == 2 &&
         distance.maxCoeff() - distance.minCoeff() <= tolerance * distance.maxCoeff();
}

/// Flat, and as large as its bounding box.
bool is_rectangle(const Surface& surface) {
  if (surface.mesh.closed()) return false;
  const Vector3 size = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  const double area = make_geometry(surface.mesh, surface.x).total_area();
  return size.z() <= tolerance * size.norm() && std::abs(area - size.x() * size.y()) <= tolerance * area;
}

ContinuousModes sphere_modes(double radius, Index count) {
  ContinuousModes modes{fmt::format("sphere of radius {:g} m", radius), "l", {}};
  Index found = 0;
  for (int l = 0; found < count; ++l) {
    ContinuousLevel level{std::to_string(l), std::sqrt(l * (l + 1.0)) / radius, 2 * l + 1, {}};
    level.sample = [l](const Points& points) {
      Eigen::MatrixXd values(points.cols(), 2 * l + 1);
      for (int m = -l; m <= l; ++m) {
        const SphericalHarmonic harmonic(l, m);
        for (Eigen::Index i = 0; i < points.cols(); ++i)
          values(i, m + l) = harmonic(points.col(i).normalized());
      }
      return values;
    };
    found += level.multiplicity;
    modes.levels.push_back(std::move(level));
  }
  return modes;
}

ContinuousModes rectangle_modes(const Vector3& corner, double a, double b, Index count) {
  ContinuousModes modes{fmt::format("rectangle of {:g} m by {:g} m with walls", a, b), "m,n", {}};
  struct Pair {
    int m, n;
    double k;
  };
  const auto wave = [&](int m, int n) { return Pair{m, n, std::numbers::pi * std::hypot(m / a, n / b)}; };
  const auto later = [](const Pair& p, const Pair& q) {
    return std::tie(p.k, p.m, p.n) > std::tie(q.k, q.m, q.n);
  };
  // In ascending order from (0, 0) up to the level of the last requested one, whatever the aspect ratio of the rectangle.
  std::priority_queue<Pair, std::vector<Pair>, decltype(later)> next_pairs(later);
  std::vector<Pair> pairs;
  for (next_pairs.push(wave(0, 0)); !next_pairs.empty();) {
    const Pair next = next_pairs.top();
    next_pairs.pop();
    if (static_cast<Index>(pairs.size()) >= count &&
        next.k > (1 + 2 * tolerance) * pairs[static_cast<std::size_t>(count) - 1].k)
      break;
    pairs.push_back(next);
    next_pairs.push(wave(next.m + 1, next.n));
    if (next.m == 0) next_pairs.push(wave(0, next.n + 1));
  }
  for (std::size_t first = 0, next = 0; first < pairs.size() && static_cast<Index>(first) < count;
       first = next) {
    while (next < pairs.size() && pairs[next].k - pairs[first].k <= tolerance * pairs[first].k) ++next;
    const std::vector<Pair> level(pairs.begin() + static_cast<std::ptrdiff_t>(first),
                                  pairs.begin() + static_cast<std::ptrdiff_t>(next));
    std::vector<std::string> names;
    for (const Pair& pair : level) names.push_back(fmt::format("{},{}", pair.m, pair.n));
    modes.levels.push_back(
        {join(names, " "), level.front().k, static_cast<Index>(level.size()), [=](const Points& points) {
           Eigen::MatrixXd values(points.cols(), static_cast<Eigen::Index>(level.size()));
           for (Eigen::Index j = 0; j < values.cols(); ++j) {
             const double p = level[static_cast<std::size_t>(j)].m * std::numbers::pi / a;
             const double q = level[static_cast<std::size_t>(j)].n * std::numbers::pi / b;
             for (Eigen::Index i = 0; i < points.cols(); ++i)
               values(i, j) =
                   std::cos(p * (points(0, i) - corner.x())) * std::cos(q * (points(1, i) - corner.y()));
           }
           return values;
         }});
  }
  return modes;
}

}  // namespace

std::optional<ContinuousModes> continuous_modes(const Surface& surface, Index count) {
  if (is_sphere(surface)) return sphere_modes(surface.x.colwise().norm().mean(), count);
  if (!is_rectangle(surface)) return std::nullopt;
  const Vector3 low = surface.x.rowwise().minCoeff(), high = surface.x.rowwise().maxCoeff();
  return rectangle_modes(low, high.x() - low.x(), high.y() - low.y(), count);
}

}  // namespace shoal
