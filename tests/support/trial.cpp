// Simulations by names, and the measures that tests take of them.
#include "tests/support/trial.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace shoal::test {

Trial::Trial(const Configuration& setup)
    : surface(setup.surface ? *setup.surface : load_surface(setup.mesh)),
      geometry(make_geometry(surface.mesh, surface.x)),
      discretization_entry(catalog().discretizations.find(setup.discretization)),
      integrator_entry(setup.integrator_entry ? *setup.integrator_entry
                                              : catalog().integrators.find(setup.integrator)),
      linear_solver_entry(catalog().linear_solvers.find(setup.linear_solver)),
      parameters(discretization_entry.parameters, setup.parameters),
      bed_depth_(setup.bed_depth),
      forces_in_time_(setup.forces),
      motion_(setup.motion) {
  if (setup.advection != "none") advection_entry = &catalog().advections.find(setup.advection);
  for (const ParameterInfos& more :
       {integrator_entry.parameters, shallow_water_parameters(integrator_entry),
        describe_options<MovingSurfaceOptions>(), describe_options<InertiaOptions>(),
        linear_solver_entry.parameters, advection_entry ? advection_entry->parameters : ParameterInfos{}})
    parameters.merge(Parameters(more, setup.parameters));
  substeps = setup.substeps ? setup.substeps : std::max(1, integrator_entry.default_substeps);

  const std::string reason = integrator_entry.incompatibility(discretization_entry, parameters);
  if (!reason.empty()) throw Refusal(reason);
  const bool advects = setup.advection != "none" || discretization_entry.transports_momentum();
  discretization = discretization_entry.make(surface.mesh, geometry, setup.bed_depth, parameters,
                                             advects ? Terms::all() : Terms::all().without(Term::advection));
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
  discretization->derive(forcing, forces);
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
          .density = 1},
      [&](const Discretization&, const Forces&) { return state; });
  water->add_term(forces_in_time_);
  if (motion_) water->follow(motion_, dt);
  state = water->state();
}

void Trial::set_forcing(const Forcing& next) {
  forcing = next;
  discretization->derive(forcing, forces);
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
  return water ? water->integrator().kinetic_energy(state) : discretization->kinetic_energy(state);
}

std::unique_ptr<Integrator> make_integrator(const Trial& simulation) {
  return shoal::make_integrator(
      simulation.integrator_entry, simulation.discretization_entry,
      {*simulation.discretization, simulation.parameters, &simulation.linear_solver_entry, simulation.terms});
}

Values Trial::sample(const std::string& output) const {
  Values values;
  discretization->sample(state, forces, output, values);
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
  const Wave& wave = *offered<Wave>(*simulation.discretization);
  const Vector& area = simulation.discretization->cells().area;
  Vector depth;
  wave.site_depth(simulation.volume(), depth);
  const Vector weight = depth.cwiseProduct(simulation.forces.site_root_acceleration);
  const Vector mass = area.cwiseQuotient(simulation.forces.root_acceleration);
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
  const Wave& wave = *offered<Wave>(*simulation.discretization);
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
