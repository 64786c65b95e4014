// Scene `galewsky`: a balanced jet at middle latitudes; a small bump triggers its breakup into vortices.
#include "experiments/scenes/planet.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace shoal {
namespace {

constexpr double southern = std::numbers::pi / 7, northern = std::numbers::pi / 2 - southern;  // θ₀, θ₁

/// The zonal flow and its depth in balance,
///
///     u = u₀/eₙ exp(1/((θ − θ₀)(θ − θ₁))) between θ₀ and θ₁,    eₙ = exp(−4/(θ₁ − θ₀)²),
///     gη = gη₀ − ∫ R u (f + u tan θ/R) dθ,    f = 2Ω sin θ,
///
/// with η₀ such that the mean depth is the given one.
class Jet {
 public:
  Jet(const PlanetOptions& planet, double mean_depth, double speed)
      : radius_(planet.radius), gravity_(planet.fluid.gravity), rotation_(planet.coriolis), speed_(speed) {
    double weighted = 0;  // ∫ falls cos θ dθ
    for (std::size_t i = 0; i < parts; ++i) {
      const double from = at(i);
      falls_[i + 1] = falls_[i] + integral(from, at(i + 1));
      weighted += quadrature(from, at(i + 1), [&](double angle) {
        return (falls_[i] + integral(from, angle)) * std::cos(angle);
      });
    }
    weighted += falls_.back() * (1 - std::sin(northern));
    southern_depth_ = mean_depth + 0.5 * weighted / gravity_;
  }

  double speed_at(double angle) const {
    if (angle <= southern || angle >= northern) return 0;
    const double width = northern - southern;
    return speed_ * std::exp(4 / (width * width) + 1 / ((angle - southern) * (angle - northern)));
  }
  double depth_at(double angle) const {
    if (angle <= southern) return southern_depth_;
    if (angle >= northern) return southern_depth_ - falls_.back() / gravity_;
    const auto part = static_cast<std::size_t>((angle - southern) / (northern - southern) * parts);
    return southern_depth_ - (falls_[part] + integral(at(part), angle)) / gravity_;
  }

 private:
  static constexpr std::size_t parts = 200;  // with which the integral is exact to round-off

  static double at(std::size_t i) { return southern + (northern - southern) * double(i) / parts; }

  /// By the rule of Gauss with five points.
  template <class Function>
  static double quadrature(double from, double to, const Function& f) {
    constexpr std::array points = {0.0, 0.5384693101056831, 0.9061798459386640},
                         weights = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = weights[0] * f(middle);
    for (std::size_t i = 1; i < points.size(); ++i)
      sum += weights[i] * (f(middle - half * points[i]) + f(middle + half * points[i]));
    return half * sum;
  }
  double integral(double from, double to) const {
    return quadrature(from, to, [this](double angle) {
      const double u = speed_at(angle);
      return u * (2 * radius_ * rotation_ * std::sin(angle) + u * std::tan(angle));
    });
  }

  double radius_, gravity_, rotation_, speed_, southern_depth_ = 0;
  std::array<double, parts + 1> falls_{};  // g times the fall of the depth from θ₀, m²/s²
};

struct GalewskyOptions {
  PlanetOptions planet;
  double depth = 10000;  ///< m
  double speed = 80;     ///< m/s
  double bump = 120;     ///< m
  static Options<GalewskyOptions> describe() {
    using O = GalewskyOptions;
    return Options<O>()
        .part(&O::planet, PlanetOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "mean depth without the bump")
        .number("speed", "m/s", &O::speed, -unlimited, unlimited, "u₀, largest speed of the jet")
        .number("bump", "m", &O::bump, -unlimited, unlimited,
                "height of the bump; 0: the balanced jet, which is steady");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const GalewskyOptions& options) {
  const auto jet = std::make_shared<const Jet>(options.planet, options.depth, options.speed);
  const auto velocity = [jet](const Vector3& x) -> Vector3 {
    return jet->speed_at(latitude(x)) * Vector3::UnitZ().cross(x).normalized();
  };
  SceneInstance instance = water_on_planet(surface, options.planet, options.depth);
  instance.initial.depth = [jet, bump = options.bump](const Vector3& x) {
    const double angle = latitude(x), east = 3 * longitude(x), north = 15 * (std::numbers::pi / 4 - angle);
    return jet->depth_at(angle) + bump * std::cos(angle) * std::exp(-east * east - north * north);
  };
  instance.initial.velocity = velocity;
  require_wet_start(instance, surface, "speed, bump, radius, gravity and coriolis");
  if (options.bump == 0) {
    instance.references = {
        solution_at_points([jet](const Vector3& x, double) { return jet->depth_at(latitude(x)); },
                           [velocity](const Vector3& x, double) { return velocity(x); })};
    instance.references.front().advection = true;
  }
  instance.end = 6 * day;
  for (int i = 1; i <= 6; ++i) instance.sample_times.push_back(i * day);
  return instance;
}

}  // namespace

SceneEntry galewsky_scene() {
  return describe_scene(
      {.name = "galewsky",
       .summary = "a balanced jet on a rotating sphere; a bump triggers its breakup into vortices",
       .source = "Galewsky, Scott & Polvani 2004, Tellus A 56, 429, doi:10.3402/tellusa.v56i5.14436",
       .default_mesh = "icosphere:5",
       .default_advection = "vector-invariant",
       .needs_edges = false},
      make);
}

}  // namespace shoal
