// What pictures show of a run at an instant, whether it is computed now or was recorded.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/coupling/setting.hpp"

namespace shoal {

/// One number per vertex of the mesh, or per triangle.
struct ShownField {
  std::string name, unit;
  Location location = Location::vertex;
};

struct ShownBody {
  const Solid* solid;
  Pose pose;
};

/// What acts on the water around a point and goes on doing so: water that comes in or goes out, or a push.
struct ShownSource {
  bool is_push = false;
  int number = 0;                     ///< by which an input removes it
  Vector3 at = Vector3::Zero();       ///< m, of a push
  Index face = 0;                     ///< of the mesh, the place of a source, which goes with the surface
  Vector3 weights = Vector3::Zero();  ///< in it, barycentric
  double radius = 0;                  ///< m; of a push σ
  double discharge = 0;               ///< m³/s
  Vector3 acceleration = Vector3::Zero();  ///< m/s²
  double until = 0;                        ///< s, maybe infinite
};

class ShownRun {
 public:
  virtual ~ShownRun() = default;
  virtual const Mesh& mesh() const = 0;
  virtual const Mesh& triangles() const { return mesh(); }  ///< that values per triangle belong to
  virtual const Vector& area() const = 0;                   ///< [nF] m², of triangles()
  virtual const Vector& bed() const = 0;                    ///< [nV] m, below the surface at rest
  virtual const Geometry& geometry() const = 0;             ///< of the mesh at this instant
  virtual bool has_velocity() const = 0;
  /// Besides depth, elevation and speed.
  virtual std::vector<ShownField> fields() const = 0;
  /// "depth_at_vertices", one of fields() or, where there is one, "velocity" per triangle.
  virtual void sample(const std::string& name, Values& values) const = 0;
  virtual std::vector<ShownBody> bodies() const = 0;
  virtual double dt() const = 0;  ///< s, the step
  virtual std::vector<ShownSource> sources() const { return {}; }
  /// [nF] m, η and h of the scheme's cells where these are the triangles of the mesh; else false, and nothing is set.
  virtual double wet_depth() const {
    return 0;
  }  ///< m, above which the scene calls a place wet; 0: it says nothing
  virtual bool sample_cells(Vector& /*depth*/, Vector& /*elevation*/) const { return false; }
  /// [3, nF] m/s², by which gravity and forces change the velocity on triangles() (Angst 2007, 5.13). Only where there is a velocity and
  /// has_acceleration().
  virtual bool has_acceleration() const { return false; }
  virtual void sample_acceleration(Values& /*values*/) const {}
  /// [3, 2n] m, ends of the bones of its skeleton; no columns where it has none.
  virtual Points skeleton() const { return Points(3, 0); }
};

}  // namespace shoal
