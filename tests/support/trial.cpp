// Simulations defined by names, and measurements of them for tests.
#include "tests/support/trial.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace shoal::test {

namespace {

Parameters parameters_of(const Configuration& setup, const Trial& trial) {
  return with_parameters({.discretization = trial.discretization_entry,
                          .integrator = trial.integrator_entry,
                          .linear_solver = &trial.linear_solver_entry,
                          .advection = trial.advection_entry},
                         setup.parameters)
      .parameters;
}

std::unique_ptr<Discretization> scheme_of(const Configuration& setup, const Trial& trial) {
  const DiscretizationEntry& entry = trial.discretization_entry;
  const std::string reason = trial.integrator_entry.incompatibility(entry, trial.parameters);
  if (!reason.empty()) throw Refusal(reason);
  const bool advects = setup.advection != "none" || entry.transports_momentum();
  return entry.make(trial.surface.mesh, trial.geometry, setup.bed_depth, trial.parameters,
                    advects ? Terms::all() : Terms::all().without(Term::advection));
}

}  // namespace

Trial::Trial(const Configuration& setup)
    : surface(setup.surface ? *setup.surface : load_surface(setup.mesh)),
      geometry(make_geometry(surface.mesh, surface.x)),
      discretization_entry(catalog().discretizations.find(setup.discretization)),
      integrator_entry(setup.integrator_entry ? *setup.integrator_entry
                                              : catalog().integrators.find(setup.integrator)),
      linear_solver_entry(catalog().linear_solvers.find(setup.linear_solver)),
      advection_entry(setup.advection != "none" ? &catalog().advections.find(setup.advection) : nullptr),
      parameters(parameters_of(setup, *this)),
      discretization(scheme_of(setup, *this)),
      right_side(*discretization),
      forces(right_side.forces()),
      bed_depth_(setup.bed_depth),
      forces_in_time_(setup.forces),
      forced_(setup.forced),
      motion_(setup.motion) {
  substeps = setup.substeps ? setup.substeps : std::max(1, integrator_entry.default_substeps);
  forcing.normal_acceleration.resize(surface.mesh.vertex_count);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    forcing.normal_acceleration[i] = setup.normal_acceleration(geometry.x.col(i));
  if (setup.body_acceleration) {
    forcing.body_acceleration.resize(3, surface.mesh.vertex_count);
    for (Index i = 0; i < surface.mesh.vertex_count; ++i)
      forcing.body_acceleration.col(i) = setup.body_acceleration(geometry.x.col(i));
  }
  forcing.rotation = setup.rotation;
  forcing.boundaries = setup.boundaries;
  right_side.derive(forcing);
  state = discretization->project(setup.initial);

  splitting = setup.splitting.empty() ? default_splitting(integrator_entry, advection_entry)
                                      : catalog().splittings.find(setup.splitting);
  terms = integrated_terms(splitting, discretization_entry, integrator_entry, advection_entry);
}

void Trial::prepare(double step_size) {
  dt = step_size;
  water = std::make_unique<ShallowWater>(
      surface.mesh, geometry.x, bed_depth_, forcing,
      ShallowWaterSetting{
          .discretization = discretization_entry,
          .integrator = integrator_entry,
          .linear_solver = integrator_entry.uses_linear_solver ? &linear_solver_entry : nullptr,
          .advection = advection_entry,
          .splitting = &splitting,
          .parameters = parameters,
          .substeps = substeps,
          .density = 1,
          .forced = forced_},
      [&](const Discretization&, const Forces&) { return state; });
  water->add_term(forces_in_time_);
  if (motion_) water->follow(motion_, dt);
  state = water->state();
}

void Trial::set_forcing(const Forcing& next) {
  forcing = next;
  right_side.derive(forcing);
  if (water) water->set_forcing(forcing);
}

void Trial::move_to(const Points& x, const Forcing& next) {
  compute_geometry(surface.mesh, x, geometry);
  offered<MovesWithSurface>(*discretization)->refresh(water ? nullptr : &state);
  set_forcing(next);
  if (water) water->move_to(x, dt, clock);
}

StepReport Trial::step() {
  const StepReport report = water->step(dt, clock);
  state = water->state();
  return report;
}

double Trial::kinetic_energy() const {
  return water ? water->kinetic_energy(state) : right_side.kinetic_energy(state);
}

std::unique_ptr<Integrator> make_integrator(const Trial& simulation) {
  return shoal::make_integrator(
      simulation.integrator_entry, simulation.discretization_entry,
      {simulation.right_side, simulation.parameters, &simulation.linear_solver_entry, simulation.terms});
}

Values Trial::sample(const std::string& output) const {
  Values values;
  discretization->sample(state, forces, output, values, right_side.scratch());
  return values;
}

void Trial::run(int steps) {
  for (int i = 0; i < steps; ++i)
    if (const StepReport report = step(); !report.ok) throw std::runtime_error(report.reason);
}

Vector Trial::elevation() const {
  const Cells& cells = discretization->cells();
  return volume().cwiseQuotient(cells.area) - cells.bed;
}

double Trial::potential_energy() const {
  const Vector& area = discretization->cells().area;
  const Vector h = elevation();
  const double mean = h.dot(area) / area.sum();
  return 0.5 * gravity * (area.array() * (h.array() - mean).square()).sum();
}

Vector random_vector(Eigen::Index size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector vector(size);
  for (double& value : vector) value = uniform(engine);
  return vector;
}

double highest_frequency(const Trial& simulation) {
  const WaveSide wave(simulation.right_side);
  const Vector& area = simulation.discretization->cells().area;
  Vector depth;
  wave.site_depth(simulation.volume(), depth);
  const Vector weight = depth.cwiseProduct(WaveForces::of(simulation.forces).site_root_acceleration);
  const Vector mass = area.cwiseQuotient(WaveForces::of(simulation.forces).root_acceleration);
  Vector p = random_vector(area.size(), 7), image(area.size());
  double eigenvalue = 0;
  for (int iteration = 0; iteration < 3000; ++iteration) {
    image.setZero();
    wave.add_stiffness(p, 1, weight, image);
    const double next = p.dot(image) / p.dot(mass.cwiseProduct(p));
    p = image.cwiseQuotient(mass);
    p /= p.norm();
    if (std::abs(next - eigenvalue) < 1e-9 * next) return std::sqrt(next);
    eigenvalue = next;
  }
  return std::sqrt(eigenvalue);
}

double discrete_frequency(const Trial& simulation, const Vector& shape, double depth) {
  const WaveSide wave(simulation.right_side);
  const Vector& area = simulation.discretization->cells().area;
  Vector image = Vector::Zero(shape.size());
  wave.add_stiffness(shape, gravity * depth, Vector::Ones(wave.sites()), image);
  return std::sqrt(shape.dot(image) / shape.dot(area.cwiseProduct(shape)));
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double lx = std::log(x[i]), ly = std::log(y[i]);
    sx += lx;
    sy += ly;
    sxx += lx * lx;
    sxy += lx * ly;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace shoal::test
