// A scene: domain, bed, initial state, forcing, times and, where there is one, the solution.
#pragma once

#include "discretizations/discretization.hpp"
#include "experiments/motions/motion.hpp"
#include "solvers/coupling/setting.hpp"

#include <optional>

namespace shoal {

/// A solution to compare with, evaluated at a scheme's own points: (points [3, n], time ≥ 0) → values [n].
/// Any thread may call it. Not a number where the solution does not hold (a wave has reached a wall).
struct Reference {
  std::string name;  ///< "" for the scene's own solution; otherwise the suffix of its errors, e.g. "linear"
  std::function<void(const Points& points, double time, Vector& depth)> depth;  ///< total depth η, m
  /// Relative to the surface, or in space where `absolute`, m/s; its tangential part is used. Empty where it
  /// is not known.
  std::function<Vector3(const Vector3& point, double time)> velocity{};
  std::optional<bool> advection{};  ///< whether its equations hold v·∇v; empty where they may or may not
  bool still = false;               ///< nothing flows in it, so that friction changes nothing
  bool absolute = false;            ///< whether the velocity is that in space
  bool friction = false;            ///< whether its equations hold the friction of the run
  /// Values that it computes for each second of the solution, from t = 0 on; 0: a formula.
  double work_rate = 0;
  /// Its name where it is not the scene's own solution, of scenes that have several which may be that.
  std::string suffix{};
  /// Which it solves, as the heading of a table says it: "nonlinear", "no v·∇v"; "" where that is clear.
  std::string equations{};
};

/// A standing wave h = z cos ωt of a scheme's own linear equations.
struct Mode {
  Vector elevation;              ///< [cells] z, max |z| = 1
  double angular_frequency = 0;  ///< ω, 1/s
};

/// The part of a scene that is defined by a scheme's own operators and not by fields in space.
struct DiscreteInitialState {
  State state;
  /// Followed along the run: diagnostics mode_amplitude and mode_residual, attribute mode_angular_frequency.
  std::optional<Mode> mode;
};

/// A named part of the surface, of which is recorded how much is wet.
struct Region {
  std::string name;  ///< "left leg"
  Array<Index> vertices;
};

/// One scene with its parameters resolved, on one surface.
struct SceneInstance {
  double depth = 1;  ///< scale of H, m: rest depth for the instability threshold
  double gravity = 9.81;
  double density = 1000;
  double end = 1;                    ///< s
  std::vector<double> sample_times;  ///< default snapshots, s
  /// H(x), m, at t = 0; elevation is h = η − H. The bed belongs to the mesh point: where the surface moves its points
  /// keep their H, so that a hill goes with the mesh and not with the place in space.
  ScalarField bed_depth;
  Fields initial;
  /// Where set, the run starts from this instead of the projection of `initial`. Throws Refusal where the
  /// scheme lacks the operators for it.
  std::function<DiscreteInitialState(const Discretization&, const Forces&)> discrete_initial_state;
  Motion motion;  ///< where set, the surface moves: the mesh's own positions at t = 0
  /// The velocity of `initial` is that in space, not relative to the surface that moves from the start.
  bool starts_absolute = false;
  /// Where set, the velocity is a passive field that this flow carries, and nothing else happens.
  VectorField advecting_velocity;
  Forcing forcing;                          ///< what always acts, [nV] of the surface it was made for
  std::vector<TimedForce> forces;           ///< what acts besides, as functions of time
  std::optional<CouplingSetting> coupling;  ///< where set, to the space around
  BodiesSetting bodies;                     ///< which need a coupling
  std::vector<Region> regions;
  double wet_depth = 0;               ///< m, above which a place counts as wet
  std::vector<Reference> references;  ///< the first is the scene's solution
  /// The first is to be the one whose equations hold v·∇v where those of the run do.
  bool solution_of_the_run = false;
  std::string no_reference;  ///< why the scene's references do not hold and are left out; "" else

  /// Makes the reference with `advection` the scene's solution, where that is to be the run's and there is one.
  void choose_solution(bool advection);

  /// Leaves out the references, if there are any.
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
  std::string default_motion = "none";  ///< of the surface, where nothing else is asked for
  /// Where nothing else is asked for, with the schemes that have none of their own and integrators that take it.
  std::string default_advection = "none";
  double default_dt = 0;  ///< s; 0 stands for auto
  ParameterInfos parameters{};
  /// Of parameters that other parts of the run declare, where its default differs from theirs.
  std::map<std::string, Value> defaults{};
  /// Throws Error where a parameter and the surface do not fit.
  std::function<SceneInstance(const Surface&, const Geometry&, const Parameters&)> make{};
};

/// entry.make(), with the scene's name before the messages of its errors.
SceneInstance make_scene(const SceneEntry& entry, const Surface& surface, const Geometry& geometry,
                         const Parameters& parameters);

}  // namespace shoal
