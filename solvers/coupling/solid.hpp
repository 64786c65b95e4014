// Rigid solids and their intersections with lines: balls and boxes in closed form, closed triangle meshes by ray casting.
#pragma once

#include "solvers/coupling/setting.hpp"

#include <memory>

namespace shoal {

/// The intersection of a solid with the ray origin + t direction, t ≥ 0.
struct LineCut {
  bool hits = false;
  double in = 0;                     ///< t of the first entry; 0 if the ray begins inside
  double out = 0;                    ///< t of the last exit
  Vector3 normal = Vector3::Zero();  ///< outward unit normal of the solid at `in`
};

/// The shape of a solid of uniform density, about its centre of mass and along its principal axes.
class Solid {
 public:
  virtual ~Solid() = default;

  double volume() const { return volume_; }                    ///< m³
  double bounding_radius() const { return radius_; }           ///< m, about the centre of mass
  double smallest_extent() const { return smallest_extent_; }  ///< m, along a principal axis
  /// [3] moments of inertia about the principal axes, divided by the density, m⁵.
  const Vector3& second_moments() const { return second_moments_; }

  /// The intersection of the solid at this pose with a ray in space whose direction is a unit vector.
  LineCut cut(const Pose& pose, const Vector3& origin, const Vector3& direction) const;

 protected:
  Solid(double volume, double radius, double smallest_extent, const Vector3& second_moments)
      : volume_(volume),
        radius_(radius),
        smallest_extent_(smallest_extent),
        second_moments_(second_moments) {}
  /// In the coordinates of the solid.
  virtual LineCut cut_at_rest(const Vector3& origin, const Vector3& direction) const = 0;

 private:
  double volume_, radius_, smallest_extent_;
  Vector3 second_moments_;
};

class Ball final : public Solid {
 public:
  /// Throws Error unless the radius is positive.
  explicit Ball(double radius);
  double radius() const { return bounding_radius(); }

 private:
  LineCut cut_at_rest(const Vector3& origin, const Vector3& direction) const override;
};

class Box final : public Solid {
 public:
  /// Throws Error unless all three sizes, m, are positive.
  explicit Box(const Vector3& size);
  const Vector3& half_size() const { return half_; }

 private:
  LineCut cut_at_rest(const Vector3& origin, const Vector3& direction) const override;

  Vector3 half_;
};

/// The interior of a closed triangle mesh. Everything between the first entry and the last exit of a line counts as solid,
/// including hollows. Embree intersects the lines, in single precision relative to the size of the solid.
class TriangleSolid final : public Solid {
 public:
  /// Throws Error unless the faces [3, nF] are closed, oriented outward, and enclose a volume.
  TriangleSolid(const Faces& faces, const Points& x);
  ~TriangleSolid() override;

  const Faces& faces() const { return faces_; }
  const Points& points() const { return x_; }  ///< [3, nV] about the centre of mass, along the principal axes
  const Pose& rest() const { return rest_; }   ///< maps it to the given positions

 private:
  struct Measured;
  struct Scene;
  TriangleSolid(const Faces& faces, Measured measured);
  static Measured measure(const Faces& faces, const Points& x);
  LineCut cut_at_rest(const Vector3& origin, const Vector3& direction) const override;

  Faces faces_;
  Points x_;
  Pose rest_;
  std::unique_ptr<Scene> scene_;
};

/// The interior of a closed mesh, generated or of a file (load_surface()), its coordinates times `scale`. Throws like load_surface() and
/// TriangleSolid().
std::shared_ptr<const TriangleSolid> read_solid(const std::string& path, double scale);

}  // namespace shoal
