// Solids in water: which water columns a solid cuts, and the forces between water and solid (Angst 2007, 6.2).
// solvers/coupling/collision.md gives the formulas and the choices that the source leaves open.
#pragma once

#include "solvers/coupling/bodies.hpp"
#include "solvers/shallow_water.hpp"

#include <limits>

namespace shoal {

/// Impulses exchanged by water and bodies since the start, N s.
struct CollisionLedger {
  Vector3 on_bodies_along = Vector3::Zero();   ///< along the surface, by drag
  Vector3 on_water_along = Vector3::Zero();    ///< its opposite
  Vector3 on_bodies_normal = Vector3::Zero();  ///< normal to the surface, by buoyancy and drag
  Vector3 on_water_normal = Vector3::Zero();   ///< normal to the surface, by the push and drag
  /// The impulse on the support of the surface: it balances the two normal impulses.
  Vector3 on_surface() const { return -on_bodies_normal - on_water_normal; }
};

/// The part of a triangle's water column that a solid cuts, with what is known of the water there. Consists of doubles only, because
/// processes exchange it.
struct ColumnCut {
  double face;           ///< index in the whole surface
  Vector3 neighbours;    ///< the same of the adjacent triangles, or none
  double level;          ///< highest elevation at the vertices of these triangles, m
  double face_depth;     ///< η of the triangle, m
  Vector3 velocity;      ///< of the water, in space, m/s
  double area;           ///< m²
  double depth;          ///< η, m
  double bed;            ///< H, m
  double gravity;        ///< |aₙ|, m/s²
  double in, out;        ///< heights above the bed at which the solid begins and ends, m
  Vector3 foot;          ///< on the bed
  Vector3 normal;        ///< of the triangle
  Vector3 solid_normal;  ///< outward, at the point of entry
  double facing;         ///< m², area of the solid's tangent plane at that point within the column
  double counts;         ///< 0 or 1
};

/// One of the parts of equal area into which a triangle is divided: barycentric weights of its centre and of its corners.
struct TrianglePart {
  Vector3 middle;
  Eigen::Matrix3d corners;  // a column each
};

/// The water columns of one model, and their exchange of momentum with bodies.
class Collision {
 public:
  /// `bed` [nV] is the bed depth H, m.
  Collision(const CollisionOptions& options, Vector bed);
  /// Throws SettingError.
  void configure(const CollisionOptions& options);
  void set_bed(const Vector& bed) { bed_ = bed; }

  /// Exchanges momentum between bodies and water over a step of dt, in which `acting` are the other forces. Impulses along
  /// the surface act at once or, if the scheme carries no velocity, as a body acceleration; impulses normal to it are part
  /// of aₙ. Both accelerations are constant over the step. The bodies receive their impulses in their next step.
  void act(Bodies& bodies, double dt, ShallowWater& water, const Forcing& acting);
  void add_to(ForceSum& sum) const;

  /// Largest stable step of the bodies, s: 2/ω of the floating body that oscillates fastest, whose restoring force comes
  /// from the columns it emerged from in the last act(). Infinite if none floats. `fastest_body` is the number of that body.
  double stable_dt() const { return stable_dt_; }
  int fastest_body() const { return fastest_body_; }

  /// The longest time, s, at most dt, in which no body near the water moves farther relative to the surface than
  /// `part` of its smallest extent.
  double dt_of_paths(const Bodies& bodies, double part, double dt, const ShallowWater& water);

  /// A body so fast that it was in contact with the water it crossed in some steps only, or in none.
  struct SkippedContact {
    int body = -1;      ///< −1: none has
    double length = 0;  ///< longest step, relative to the body's smallest extent; above 1
  };
  const SkippedContact& skipped_contact() const { return skipped_contact_; }

  double rays_per_triangle() const { return static_cast<double>(parts_.size()); }
  const CollisionLedger& ledger() const { return ledger_; }
  /// The bed near each body at the beginning of the last step; empty unless bodies touch the bed.
  const std::vector<Ground>& grounds() const { return grounds_; }
  /// [bodies] m³ below the surrounding water level at the beginning of the last step.
  const Array<double>& immersed_volume() const { return immersed_; }

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void find_columns(const ShallowWater& water);
  void prepare(const ShallowWater& water);
  void find_grounds(const Bodies& bodies, double dt, const ShallowWater& water);
  void find_gravity(const ShallowWater& water, const Forcing& forcing);
  double passing_speed(const Bodies& bodies, int body, double dt) const;
  void record_skipped_contact(const Bodies& bodies, int body, double dt);
  double reach_of(const Solid& solid) const;
  void cut_solid(const Solid& solid, const Pose& pose);
  void describe_column(Index face, ColumnCut& cut) const;
  Index face_here(const ColumnCut& cut) const;
  void choose_columns();
  double level_around() const;
  void exchange(Bodies& bodies, int body, double dt, double density);
  void give_to_water(double dt, ShallowWater& water);

  CollisionOptions options_;
  std::vector<TrianglePart> parts_;
  Vector bed_, gravity_;         // [nV]
  Points normals_;               // [3, nV]
  const Mesh* mesh_ = nullptr;   // its faces are the bases of the columns
  const Mesh* whole_ = nullptr;  // of the scheme, for reductions over all processes
  const Geometry* geometry_ = nullptr;
  const Points* surface_velocity_ = nullptr;  // [3, nV], or without columns at rest
  Values depth_, face_depth_, velocity_;      // at vertices; at faces; at faces, in space
  std::vector<ColumnCut> cuts_;               // of all processes, in the order of the triangles
  Array<char> state_;  // [cuts] of the flood fill over columns, at the first cut of each triangle
  Array<Index> front_;
  Points impulse_;              // [3, nF] on the water along the surface, N s
  Vector push_;                 // [nF] N s normal to it
  Vector normal_acceleration_;  // [nV] m/s² in this step; valid, as is the next member, if touched_
  Points body_acceleration_;    // [3, nV] for schemes that carry no velocity
  Vector no_volume_;
  bool touched_ = false;  // in this step, by any body
  double stable_dt_ = std::numeric_limits<double>::infinity();
  int fastest_body_ = 0;
  SkippedContact skipped_contact_;
  CollisionLedger ledger_;
  std::vector<Ground> grounds_;
  Array<double> immersed_;
};

}  // namespace shoal
