// A simulation by names, for tests: mesh, discretization and integrator from the lists, with given
// parameters.
#pragma once

#include "discretizations/list.hpp"
#include "discretizations/mesh/surface.hpp"
#include "solvers/advection/advection.hpp"
#include "solvers/integrators/list.hpp"
#include "solvers/splitting.hpp"

#include <random>

namespace shoal::test {

constexpr double gravity = 9.81;

struct Configuration {
  std::string mesh = "icosphere:2";
  std::string discretization = "fefv";
  std::string integrator = "explicit";
  std::string linear_solver = "cholmod";
  std::string advection = "none";
  std::string splitting = {};  ///< empty: default_splitting()
  std::map<std::string, Value> parameters = {};
  ScalarField bed_depth = [](const Vector3&) { return 1.0; };
  ScalarField normal_acceleration = [](const Vector3&) { return -gravity; };
  VectorField body_acceleration = {};  ///< m/s²; none where absent
  Vector3 rotation = Vector3::Zero();  ///< Ω of the frame, rad/s
  Fields initial = {};
  int substeps = 0;  ///< 0: the integrator's default
};

/// Owns everything a run needs. `prepare(dt)` must come before the first step.
class Simulation {
 public:
  explicit Simulation(const Configuration& setup);
  Simulation(const Simulation&) = delete;  // the discretization refers to our mesh and geometry
  Simulation& operator=(const Simulation&) = delete;

  void prepare(double dt);
  StepReport step();
  void run(int steps);  ///< throws std::runtime_error where a step fails

  /// The integrator is told by its own refresh().
  void set_forcing(const Forcing& forcing) { discretization->derive(forcing, forces); }

  Block volume() { return state[discretization->volume()]; }  // where a depth rate's state has it as well
  ConstBlock volume() const { return state[discretization->volume()]; }
  Block velocity() { return state[discretization->velocity()]; }
  ConstBlock velocity() const { return state[discretization->velocity()]; }
  ConstBlock volume_rate() const { return state[integrator->layout()["volume_rate"]]; }
  /// A state of the discretization's that is zero, for rates.
  State zero() const { return zero_state(discretization->layout()); }

  /// Of the terms that the integrator takes.
  double stable_dt() const { return discretization->stable_dt(state, forces, terms); }
  /// [components, elements] an output of the scheme at the present state.
  Values sample(const std::string& output) const;

  double mass() const { return volume().sum(); }
  double potential_energy() const;  ///< ½g Σ A(h−h̄)², per density
  double energy() const { return potential_energy() + integrator->kinetic_energy(state); }
  Vector elevation() const;
  double max_elevation() const { return elevation().cwiseAbs().maxCoeff(); }

  Surface surface;
  Geometry geometry;
  const DiscretizationEntry& discretization_entry;
  const IntegratorEntry& integrator_entry;
  Parameters parameters;
  const SplittingEntry* splitting = nullptr;
  Terms terms;  ///< that the integrator takes
  std::unique_ptr<Discretization> discretization;
  Forces forces;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Advection> advection;  ///< null where there is none
  State state;
  int substeps = 1;
  double dt = 0;
  StageClock clock;

 private:
  SplitFlows flows_;
};

/// Gravity and forces: what every integrator takes.
constexpr Terms waves_and_forces = Term::gravity | Term::force;

/// Uniform in [−1, 1], seeded: the same on every run.
Vector random_vector(Eigen::Index size, unsigned seed);

/// ω of the highest wave at this state, by power iteration on (A/r)⁻¹ K(s η̄).
double highest_frequency(const Simulation& simulation);

/// ω of the Rayleigh quotient of `shape` (values at cells) in the scheme's own operators, depth and gravity.
double discrete_frequency(const Simulation& simulation, const Vector& shape, double depth);

/// Least-squares slope of log y against log x.
double slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace shoal::test
