// A simulation for tests: mesh, discretization and integrator named in the catalogue, with given parameters.
#pragma once

#include "discretizations/mesh/surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/catalog.hpp"

#include <optional>

namespace shoal::test {

constexpr double gravity = 9.81;

struct Configuration {
  std::string mesh = "icosphere:2";
  std::optional<Surface> surface = {};  ///< in place of the mesh
  std::string discretization = "fefv";
  std::string integrator = "explicit";
  const IntegratorEntry* integrator_entry = nullptr;  ///< if given, replaces the one named above
  std::string linear_solver = "cholmod";
  std::string advection = "none";
  std::string splitting = {};  ///< empty: default_splitting()
  std::map<std::string, Value> parameters = {};
  ScalarField bed_depth = [](const Vector3&) { return 1.0; };
  ScalarField normal_acceleration = [](const Vector3&) { return -gravity; };
  VectorField body_acceleration = {};   ///< m/s²; empty: none
  Vector3 rotation = Vector3::Zero();   ///< Ω of the frame, rad/s
  std::vector<TimedForce> forces = {};  ///< further forces
  bool forced = false;                  ///< whether their work is measured
  BoundaryConditions boundaries = {};
  Motion motion = {};  ///< of the surface; empty: at rest
  Fields initial = {};
  int substeps = 0;  ///< 0: the integrator's default
};

/// A scheme on a surface with its forces and a state, which a test may use and change. After prepare(dt), a ShallowWater owns the
/// state and takes the steps.
class Trial {
 public:
  explicit Trial(const Configuration& setup);
  Trial(const Trial&) = delete;  // the discretization refers to our mesh and geometry
  Trial& operator=(const Trial&) = delete;

  /// Makes the ShallowWater with the present state and forces.
  void prepare(double dt);
  StepReport step();
  void run(int steps);  ///< throws std::runtime_error if a step fails

  void set_forcing(const Forcing& forcing);
  /// Moves the surface to x [3, nV] and sets its forcing. The water follows in the next step.
  void move_to(const Points& x, const Forcing& forcing);

  Block volume() { return state[discretization->volume()]; }  // to be changed before prepare()
  ConstBlock volume() const { return state[discretization->volume()]; }
  Block velocity() { return state[discretization->velocity()]; }
  ConstBlock velocity() const { return state[discretization->velocity()]; }
  ConstBlock volume_rate() const { return state[water->layout()["volume_rate"]]; }
  /// A zero state of the discretization, for rates.
  State zero() const { return zero_state(discretization->layout()); }

  /// The stable step for the terms that the integrator includes.
  double stable_dt() const { return right_side.stable_dt(state, terms); }
  /// [components, elements] an output of the scheme at the present state.
  Values sample(const std::string& output) const;

  double mass() const { return volume().sum(); }
  double potential_energy() const;  ///< ½g Σ A(h−h̄)², per density
  double energy() const { return potential_energy() + kinetic_energy(); }
  double kinetic_energy() const;
  Vector elevation() const;
  double max_elevation() const { return elevation().cwiseAbs().maxCoeff(); }

  Surface surface;
  Geometry geometry;
  const DiscretizationEntry& discretization_entry;
  const IntegratorEntry& integrator_entry;
  const LinearSolverEntry& linear_solver_entry;
  const AdvectionEntry* advection_entry;  ///< null if there is none
  Parameters parameters;
  SplittingEntry splitting;
  Terms terms;  ///< the terms that the integrator includes
  std::unique_ptr<Discretization> discretization;
  RightSide right_side;
  Forces& forces;  ///< of the right side
  Forcing forcing;
  State state;  ///< after prepare(), a copy of the state of the ShallowWater
  std::unique_ptr<ShallowWater> water;
  int substeps = 1;
  double dt = 0;
  StageClock clock;

 private:
  ScalarField bed_depth_;
  TimedForces forces_in_time_;
  bool forced_;
  Motion motion_;
};

/// A separate integrator of the simulation, with its own scheme and forces, to measure single parts.
std::unique_ptr<Integrator> make_integrator(const Trial& simulation);

/// Gravity and forces, which every integrator includes.
constexpr Terms waves_and_forces = Term::gravity | Term::force;

/// Uniform in [−1, 1], seeded: the same on every run.
Vector random_vector(Eigen::Index size, unsigned seed);

/// ω of the highest wave at this state, by power iteration on (A/r)⁻¹ K(s η̄).
double highest_frequency(const Trial& simulation);

/// ω of the Rayleigh quotient of `shape` (values at cells) in the scheme's own operators, depth and gravity.
double discrete_frequency(const Trial& simulation, const Vector& shape, double depth);

/// Least-squares slope of log y against log x.
double slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace shoal::test
