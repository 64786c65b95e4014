// Simulations by names, and the measures that tests take of them.
#include "tests/support/simulation.hpp"

#include <cmath>
#include <stdexcept>

namespace shoal::test {

Simulation::Simulation(const Configuration& setup)
    : surface(load_surface(setup.mesh)),
      geometry(make_geometry(surface.mesh, surface.x)),
      discretization_entry(find_discretization(setup.discretization)),
      integrator_entry(find_integrator(setup.integrator)),
      parameters(discretization_entry.parameters, setup.parameters) {
  parameters.merge(Parameters(integrator_entry.parameters, setup.parameters));
  parameters.merge(Parameters(describe_options<MovingSurfaceOptions>(), setup.parameters));
  const LinearSolverEntry& solver = find_linear_solver(setup.linear_solver);
  parameters.merge(Parameters(solver.parameters, setup.parameters));
  const AdvectionEntry& advection_entry = find_advection(setup.advection);
  parameters.merge(Parameters(advection_entry.parameters, setup.parameters));
  substeps = setup.substeps ? setup.substeps : std::max(1, integrator_entry.default_substeps);

  discretization = discretization_entry.make(surface.mesh, geometry, setup.bed_depth, parameters);
  Forcing forcing;
  forcing.normal_acceleration.resize(surface.mesh.vertex_count);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    forcing.normal_acceleration[i] = setup.normal_acceleration(geometry.x.col(i));
  if (setup.body_acceleration) {
    forcing.body_acceleration.resize(3, surface.mesh.vertex_count);
    for (Index i = 0; i < surface.mesh.vertex_count; ++i)
      forcing.body_acceleration.col(i) = setup.body_acceleration(geometry.x.col(i));
  }
  forcing.rotation = setup.rotation;
  set_forcing(forcing);
  state = discretization->project(setup.initial);

  splitting = &find_splitting(setup.splitting.empty() ? default_splitting(integrator_entry, &advection_entry)
                                                      : setup.splitting);
  const std::string reason = splitting_incompatibility(*splitting, integrator_entry, &advection_entry);
  if (!reason.empty()) throw Refusal(reason);
  terms = integrated_terms(*splitting, discretization_entry, integrator_entry, &advection_entry);
  integrator =
      make_integrator(integrator_entry, discretization_entry, {*discretization, parameters, &solver, terms});
  integrator->set_substeps(substeps);
  if (splitting->splits || !advection_entry.is_rate)
    advection = advection_entry.make(*discretization, parameters);

  if (advection)
    flows_.transport = [this](double time) { advection->advect(state, forces, time, state, clock); };
  if (splitting->splits && integrator_entry.carries_velocity)
    flows_.turn = [this](double time) {
      if (forces.rotates) discretization->turn_velocity(time, forces, state);
    };
  flows_.integrate = [this](double time) { return integrator->step(state, forces, time, clock); };
}

void Simulation::prepare(double step_size) {
  dt = step_size;
  state = integrator->start(std::move(state), forces);
}

StepReport Simulation::step() {
  return splitting->step(flows_, dt);
}

Values Simulation::sample(const std::string& output) const {
  Values values;
  discretization->sample(state, forces, output, values);
  return values;
}

void Simulation::run(int steps) {
  for (int i = 0; i < steps; ++i)
    if (const StepReport report = step(); !report.ok) throw std::runtime_error(report.reason);
}

Vector Simulation::elevation() const {
  const Cells& cells = discretization->cells();
  return volume().cwiseQuotient(cells.area) - cells.bed;
}

double Simulation::potential_energy() const {
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

double highest_frequency(const Simulation& simulation) {
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

double discrete_frequency(const Simulation& simulation, const Vector& shape, double depth) {
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
