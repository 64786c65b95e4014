// A scene: domain, bed, initial state, forcing, times and, if known, the exact solution.
#pragma once

#include "discretizations/discretization.hpp"
#include "experiments/motions/motion.hpp"
#include "solvers/coupling/setting.hpp"

#include <optional>

namespace shoal {

/// A reference solution, evaluated at a scheme's own points: (points [3, n], time ≥ 0) → values [n]. Any thread may call it. NaN
/// where the solution is not valid (a wave has reached a wall).
struct Reference {
  std::string name;  ///< "" for the scene's own solution; otherwise the suffix of its errors, e.g. "linear"
  std::function<void(const Points& points, double time, Vector& depth)> depth;  ///< total depth η, m
  /// m/s, relative to the surface, or in space if `absolute`; its tangential part is used. Empty if unknown.
  std::function<Vector3(const Vector3& point, double time)> velocity{};
  std::optional<bool> advection{};  ///< whether its equations include v·∇v; empty: valid for both
  bool still = false;               ///< the water is at rest, so that friction has no effect
  bool absolute = false;            ///< whether `velocity` is the velocity in space
  bool friction = false;            ///< whether its equations include the linear friction of the run
  bool bed_friction = false;  ///< whether its equations include the friction of the run by manning or chezy
  /// Values computed per second of the solution, from t = 0; 0: a formula.
  double work_rate = 0;
  /// Its name when another reference is the scene's own solution, in scenes with several candidates.
  std::string suffix{};
  /// The equations that it solves, for the heading of a table: "nonlinear", "no v·∇v"; "" if obvious.
  std::string equations{};
};

/// A standing wave h = z cos ωt of a scheme's own linear equations.
struct Mode {
  Vector elevation;              ///< [cells] z, max |z| = 1
  double angular_frequency = 0;  ///< ω, 1/s
};

/// A standing wave h = a shape(x) cos ωt of the scene's solution. Its amplitude is tracked like that of a Mode.
struct TrackedWave {
  ScalarField shape;
  double angular_frequency = 0;  ///< ω, 1/s
};

/// An initial state defined by a scheme's own operators instead of fields in space.
struct DiscreteInitialState {
  State state;
  /// Tracked during the run by the diagnostics mode_amplitude and mode_residual and the attribute mode_angular_frequency.
  std::optional<Mode> mode;
};

/// A named part of the surface whose wet fraction is recorded.
struct Region {
  std::string name;  ///< "left leg"
  Array<Index> vertices;
};

/// One scene with its parameters resolved, on one surface.
struct SceneInstance {
  double depth = 1;  ///< m, scale of H: rest depth of the instability criterion
  double gravity = 9.81;
  double density = 1000;
  double end = 1;                    ///< s
  std::vector<double> sample_times;  ///< default snapshots, s
  /// H(x), m, at t = 0; elevation is h = η − H. The bed is attached to the mesh: on a moving surface each point keeps its H, so that
  /// a hill moves with the mesh.
  ScalarField bed_depth;
  Fields initial;
  /// If set, the run starts from this instead of the projection of `initial`. Throws Refusal if the scheme lacks the required
  /// operators.
  std::function<DiscreteInitialState(const Discretization&, const Forces&)> discrete_initial_state;
  std::optional<TrackedWave> wave;  ///< tracked by the diagnostics of modes
  Motion motion;                    ///< if set, the surface moves; at t = 0 it gives the mesh's own positions
  /// Whether the velocity of `initial` is in space instead of relative to the surface, which moves from the start.
  bool starts_absolute = false;
  /// If set, the velocity is a passive field advected by this flow, and everything else is frozen.
  VectorField advecting_velocity;
  /// Whether the velocity of `initial` is held, so that only the depth evolves.
  bool holds_velocity = false;
  Forcing forcing;                          ///< the permanent forcing, [nV] of the surface it was made for
  std::vector<TimedForce> forces;           ///< additional forces as functions of time
  std::optional<CouplingSetting> coupling;  ///< if set, the coupling to the space around
  BodiesSetting bodies;                     ///< requires a coupling
  std::vector<Region> regions;
  double wet_depth = 0;               ///< m, depth above which the surface counts as wet
  std::vector<Reference> references;  ///< the first is the scene's solution
  /// Whether the first reference should be the one whose equations include v·∇v exactly if those of the run do.
  bool solution_of_the_run = false;
  std::string no_reference;  ///< why the references are not valid and were dropped; otherwise ""

  /// Makes the reference with this `advection` the scene's solution, if solution_of_the_run and there is one.
  void choose_solution(bool advection);

  /// Drops the references, if any.
  void drop_references(const std::string& reason) {
    if (references.empty()) return;
    references.clear();
    no_reference = reason;
  }
};

struct SceneEntry {
  std::string name;
  std::string summary;
  std::string source;  ///< citation: document and section, or DOI
  std::string default_mesh;
  std::string default_motion = "none";
  /// For schemes without an advection of their own and integrators that support it.
  std::string default_advection = "none";
  double default_dt = 0;  ///< s; 0: auto
  ParameterInfos parameters{};
  /// Defaults of parameters declared by other parts of the run that differ from theirs.
  std::map<std::string, Value> defaults{};
  /// Whether make() uses edges, walls, rings or the geometry of the surface. Without, positions and triangles suffice.
  bool needs_edges = true;
  /// Throws Error if a parameter does not suit the surface.
  std::function<SceneInstance(const Surface&, const Geometry&, const Parameters&)> make{};
};

/// entry.make(), with the scene's name in front of error messages.
SceneInstance make_scene(const SceneEntry& entry, const Surface& surface, const Geometry& geometry,
                         const Parameters& parameters);

}  // namespace shoal
