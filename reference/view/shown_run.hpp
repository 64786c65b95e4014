// The state of a run at one instant, as pictures show it; the run may be live or recorded.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/coupling/setting.hpp"

namespace shoal {

/// One number per vertex of the mesh, or per triangle.
struct ShownField {
  std::string name, unit;
  Location location = Location::vertex;
};

/// "elevation, m"; of a number without a unit only its name
inline std::string title_of(const ShownField& field) {
  return field.unit.empty() || field.unit == "1" ? field.name : field.name + ", " + field.unit;
}

struct ShownBody {
  std::string name;
  const Solid* solid;
  Pose pose;
};

/// A lasting action on the water around a point: an inflow, an outflow or a push.
struct ShownSource {
  bool is_push = false;
  int number = 0;                          ///< identifies it in inputs that remove it
  Vector3 at = Vector3::Zero();            ///< m, position of a push
  Index face = 0;                          ///< triangle of a source, which moves with the surface
  Vector3 weights = Vector3::Zero();       ///< barycentric coordinates of the source in it
  double radius = 0;                       ///< m; for a push σ
  double discharge = 0;                    ///< m³/s
  Vector3 acceleration = Vector3::Zero();  ///< m/s²
  double until = 0;                        ///< s, end time, possibly infinite
};

class ShownRun {
 public:
  virtual ~ShownRun() = default;
  virtual const Mesh& mesh() const = 0;
  virtual const Mesh& triangles() const { return mesh(); }  ///< the triangles of values per triangle
  virtual const Vector& area() const = 0;                   ///< [nF] m², of triangles()
  virtual const Vector& bed() const = 0;                    ///< [nV] m, below the surface at rest
  virtual const Geometry& geometry() const = 0;             ///< of mesh() at this instant
  virtual bool has_velocity() const = 0;
  /// Besides depth, elevation and speed.
  virtual std::vector<ShownField> fields() const = 0;
  /// Reads "depth_at_vertices", one of fields(), or "velocity" per triangle if has_velocity().
  virtual void sample(const std::string& name, Values& values) const = 0;
  virtual std::vector<ShownBody> bodies() const = 0;
  virtual double dt() const = 0;       ///< s, the step
  virtual double time() const = 0;     ///< s
  virtual double gravity() const = 0;  ///< m/s², of the scene
  virtual std::vector<ShownSource> sources() const { return {}; }
  /// m, depth above which the scene counts land as wet; 0: undefined.
  virtual double wet_depth() const { return 0; }
  /// [nF] m, η and h of the scheme's cells if these are the triangles of the mesh; otherwise returns false and sets nothing.
  virtual bool sample_cells(Vector& /*depth*/, Vector& /*elevation*/) const { return false; }
  /// [3, nF] m/s², the acceleration by gravity and forces on triangles() (Angst 2007, 5.13). Requires has_velocity() and
  /// has_acceleration().
  virtual bool has_acceleration() const { return false; }
  virtual void sample_acceleration(Values& /*values*/) const {}
  /// [3, 2n] m, ends of the bones of its skeleton; no columns if it has none.
  virtual Points skeleton() const { return Points(3, 0); }
};

}  // namespace shoal
