// A simulation by names, for tests: mesh, discretization and integrator from the catalogue, with given
// parameters.
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
  const IntegratorEntry* integrator_entry = nullptr;  ///< in place of the one of that name, where it is given
  std::string linear_solver = "cholmod";
  std::string advection = "none";
  std::string splitting = {};  ///< empty: default_splitting()
  std::map<std::string, Value> parameters = {};
  ScalarField bed_depth = [](const Vector3&) { return 1.0; };
  ScalarField normal_acceleration = [](const Vector3&) { return -gravity; };
  VectorField body_acceleration = {};   ///< m/s²; none where absent
  Vector3 rotation = Vector3::Zero();   ///< Ω of the frame, rad/s
  std::vector<TimedForce> forces = {};  ///< that act besides
  BoundaryConditions boundaries = {};
  Motion motion = {};  ///< of the surface; at rest where absent
  Fields initial = {};
  int substeps = 0;  ///< 0: the integrator's default
};

/// A scheme on a surface with its forces and a state, which a test may use and change; from prepare(dt) on that
/// of a ShallowWater, which makes the steps.
class Trial {
 public:
  explicit Trial(const Configuration& setup);
  Trial(const Trial&) = delete;  // the discretization refers to our mesh and geometry
  Trial& operator=(const Trial&) = delete;

  /// Makes the ShallowWater of the present state and forces.
  void prepare(double dt);
  StepReport step();
  void run(int steps);  ///< throws std::runtime_error where a step fails

  void set_forcing(const Forcing& forcing);
  /// The surface lies at x [3, nV] from now on, and what acts there is `forcing`. The water on it arrives with
  /// the next step.
  void move_to(const Points& x, const Forcing& forcing);

  Block volume() { return state[discretization->volume()]; }  // to be changed before prepare()
  ConstBlock volume() const { return state[discretization->volume()]; }
  Block velocity() { return state[discretization->velocity()]; }
  ConstBlock velocity() const { return state[discretization->velocity()]; }
  ConstBlock volume_rate() const { return state[water->layout()["volume_rate"]]; }
  /// A state of the discretization's that is zero, for rates.
  State zero() const { return zero_state(discretization->layout()); }

  /// Of the terms that the integrator takes.
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
  const AdvectionEntry* advection_entry;  ///< null where there is none
  Parameters parameters;
  SplittingEntry splitting;
  Terms terms;  ///< that the integrator takes
  std::unique_ptr<Discretization> discretization;
  RightSide right_side;
  Forces& forces;  ///< of the right side
  Forcing forcing;
  State state;  ///< a copy of the ShallowWater's once there is one
  std::unique_ptr<ShallowWater> water;
  int substeps = 1;
  double dt = 0;
  StageClock clock;

 private:
  ScalarField bed_depth_;
  TimedForces forces_in_time_;
  Motion motion_;
};

/// The simulation's integrator alone, on its own scheme and forces, for measures of single parts.
std::unique_ptr<Integrator> make_integrator(const Trial& simulation);

/// Gravity and forces: what every integrator takes.
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
