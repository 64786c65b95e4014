// The planar and the radial oscillation.
#include "experiments/scenes/thacker.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

PlanarBowl::PlanarBowl(const ParabolicBowl& bowl, double offset, double friction)
    : bowl_(bowl),
      offset_(offset),
      friction_(friction),
      frequency_(bowl.planar_frequency()),
      damped_frequency_(std::sqrt(frequency_ * frequency_ - 0.25 * friction * friction)) {}

double PlanarBowl::period() const {
  return 2 * std::numbers::pi / damped_frequency_;
}

BowlFlow PlanarBowl::at(double x, double y, double time) const {
  const double s = damped_frequency_, ratio = frequency_ / s, decay = 0.5 * friction_ / s;
  const double size = offset_ * std::exp(-0.5 * friction_ * time), cosine = std::cos(s * time),
               sine = std::sin(s * time);
  Eigen::Vector2d centre = size * Eigen::Vector2d(cosine + decay * sine, ratio * sine),
                  velocity = size * frequency_ * Eigen::Vector2d(-ratio * sine, cosine - decay * sine);
  if (bowl_.canal) centre.y() = velocity.y() = 0;
  const double curvature = bowl_.depth / (bowl_.radius * bowl_.radius);
  return {curvature * (2 * centre.dot(Eigen::Vector2d(x, y)) - centre.squaredNorm()), velocity};
}

RadialBowl::RadialBowl(const ParabolicBowl& bowl, double initial_radius)
    : bowl_(bowl),
      initial_radius_(initial_radius),
      frequency_(std::sqrt(8 * bowl.gravity * bowl.depth) / bowl.radius) {
  const double a4 = std::pow(bowl.radius, 4), r4 = std::pow(initial_radius, 4);
  amplitude_ = (a4 - r4) / (a4 + r4);
}

double RadialBowl::period() const {
  return 2 * std::numbers::pi / frequency_;
}

double RadialBowl::largest_radius() const {
  return bowl_.radius * bowl_.radius / initial_radius_;
}

BowlFlow RadialBowl::at(double x, double y, double time) const {
  const double rest = 1 - amplitude_ * amplitude_, part = 1 - amplitude_ * std::cos(frequency_ * time);
  const double squared = (x * x + y * y) / (bowl_.radius * bowl_.radius);
  return {bowl_.depth * (std::sqrt(rest) / part - 1 - squared * (rest / (part * part) - 1)),
          0.5 * frequency_ * amplitude_ * std::sin(frequency_ * time) / part * Eigen::Vector2d(x, y)};
}

}  // namespace shoal
