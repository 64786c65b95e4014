// The planar and the radial oscillation.
#include "experiments/scenes/thacker.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

PlanarBowl::PlanarBowl(const ParabolicBowl& bowl, double offset)
    : bowl_(bowl), offset_(offset), frequency_(std::sqrt(2 * bowl.gravity * bowl.depth) / bowl.radius) {}

double PlanarBowl::period() const {
  return 2 * std::numbers::pi / frequency_;
}

BowlFlow PlanarBowl::at(double x, double y, double time) const {
  const double cosine = std::cos(frequency_ * time), sine = std::sin(frequency_ * time);
  const double slope = offset_ * bowl_.depth / (bowl_.radius * bowl_.radius);
  return {slope * (2 * x * cosine + 2 * y * sine - offset_),
          offset_ * frequency_ * Eigen::Vector2d(-sine, cosine)};
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
