// Transforms between fields on a Gaussian grid of the unit sphere and their spherical harmonics, by libsharp.
#pragma once

#include "experiments/scenes/harmonics.hpp"

#include <memory>

namespace shoal {

/// Components along increasing colatitude and longitude.
struct TangentMap {
  Vector south, east;
};

/// On a grid on which the products of two fields are exact up to L.
class SphericalTransform {
 public:
  explicit SphericalTransform(int truncation);
  ~SphericalTransform();
  SphericalTransform(const SphericalTransform&) = delete;
  SphericalTransform& operator=(const SphericalTransform&) = delete;

  int truncation() const { return truncation_; }
  /// [3, n] unit vectors; and the directions of a TangentMap there.
  const Points& points() const { return points_; }
  const Points& south() const { return south_; }
  const Points& east() const { return east_; }

  void synthesise(const Harmonics& harmonics, Vector& map) const;
  void synthesise(const VectorHarmonics& harmonics, TangentMap& map) const;
  void analyse(const Vector& map, Harmonics& harmonics) const;
  void analyse(const TangentMap& map, VectorHarmonics& harmonics) const;

 private:
  struct Plan;
  int truncation_;
  std::unique_ptr<Plan> plan_;
  Points points_, south_, east_;
};

}  // namespace shoal
