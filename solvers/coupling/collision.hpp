// Solids in water: which columns of water they cut, and what water and solid do to each other (Angst 2007, 6.2). The
// formulas, what the source leaves open and how it is settled: solvers/coupling/collision.md.
#pragma once

#include "solvers/coupling/bodies.hpp"
#include "solvers/shallow_water.hpp"

#include <limits>

namespace shoal {

/// What water and bodies have done to each other since the start. Impulses in N s.
struct CollisionLedger {
  Vector3 on_bodies_along = Vector3::Zero();   ///< along the surface, by drag
  Vector3 on_water_along = Vector3::Zero();    ///< likewise: the same but for the sign
  Vector3 on_bodies_normal = Vector3::Zero();  ///< by buoyancy and drag across the surface
  Vector3 on_water_normal = Vector3::Zero();   ///< by the push and by drag across the surface
  /// What holds the surface takes up: the rest of the two normal impulses.
  Vector3 on_surface() const { return -on_bodies_normal - on_water_normal; }
};

/// A part of a triangle's column of water that a solid cuts.
struct ColumnCut {
  Index face;
  double area;           ///< m²
  double depth;          ///< η, m
  double bed;            ///< H, m
  double gravity;        ///< |aₙ|, m/s²
  double in, out;        ///< heights above the bed between which the solid is, m
  Vector3 foot;          ///< on the bed
  Vector3 normal;        ///< of the triangle
  Vector3 solid_normal;  ///< outward, where the solid is entered
  double facing;         ///< m², of the solid's tangent plane there within the column
  bool counts;
};

/// One of the parts of equal size into which a triangle is divided: weights of its middle and of its corners.
struct TrianglePart {
  Vector3 middle;
  Eigen::Matrix3d corners;  // a column each
};

/// The columns of one model's water, and their exchange with bodies.
class Collision {
 public:
  /// For the water on a bed at the depth `bed` [nV].
  Collision(const CollisionOptions& options, Vector bed);
  /// Throws SettingError.
  void configure(const CollisionOptions& options);

  /// What the bodies do to the water in a step of dt, on which `acting` acts besides: its impulses along the surface are
  /// exchanged at once, or where the water carries no velocity are a body acceleration; those across it are a part of aₙ.
  /// Both are held constant over the step. The bodies are given their impulses for their next step.
  void act(Bodies& bodies, double dt, ShallowWater& water, const Forcing& acting);
  void add_to(ForceSum& sum) const;

  /// s: 2/ω of the fastest body that floats, whose restoring force is that of the columns it emerged from in the last act();
  /// infinite where none does. Bodies are not stable in longer steps. And which body that is.
  double stable_dt() const { return stable_dt_; }
  int fastest_body() const { return fastest_body_; }

  /// A body that passed the water so fast that it met it in some steps only, or in none.
  struct SkippedContact {
    int body = -1;      ///< −1: none has
    double length = 0;  ///< largest way of a step over the body's smallest extent, more than 1
  };
  const SkippedContact& leap() const { return leap_; }

  double rays_per_triangle() const { return static_cast<double>(parts_.size()); }
  const CollisionLedger& ledger() const { return ledger_; }
  /// [bodies] m³, below the level around each as it was at the beginning of the last step.
  const Array<double>& immersed_volume() const { return immersed_; }

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void prepare(const ShallowWater& water);
  void find_gravity(const ShallowWater& water, const Forcing& forcing);
  void note_way(const Bodies& bodies, int body, double dt);
  double reach_of(const Solid& solid) const;
  void cut_solid(const Solid& solid, const Pose& pose);
  void choose_columns();
  double level_around() const;
  void exchange(Bodies& bodies, int body, double dt, double density);
  void give_to_water(double dt, ShallowWater& water);

  CollisionOptions options_;
  std::vector<TrianglePart> parts_;
  Vector bed_, gravity_;        // [nV]
  Points normals_;              // [3, nV]
  const Mesh* mesh_ = nullptr;  // whose faces the columns stand on
  const Geometry* geometry_ = nullptr;
  Values depth_, face_depth_, velocity_;  // at vertices; at faces; at faces, in space
  std::vector<ColumnCut> cuts_;
  Array<char> state_;  // [nF] of the flood over columns
  Array<Index> front_;
  Points impulse_;              // [3, nF] on the water along the surface, N s
  Vector push_;                 // [nF] N s across it
  Vector normal_acceleration_;  // [nV] m/s² in this step, with the next one valid where touched_
  Points body_acceleration_;    // [3, nV] of water without a velocity
  Vector no_volume_;
  bool touched_ = false;  // in this step, by any body
  double stable_dt_ = std::numeric_limits<double>::infinity();
  int fastest_body_ = 0;
  SkippedContact leap_;
  CollisionLedger ledger_;
  Array<double> immersed_;
};

}  // namespace shoal
