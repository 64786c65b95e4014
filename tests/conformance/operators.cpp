// Symmetry and adjointness of the wave operators of every scheme that offers them.
#include "tests/support/stepping.hpp"
#include "tests/support/trial.hpp"

using namespace shoal;
using namespace shoal::test;

namespace {

constexpr double round_off = 1e-12;  // sums of some thousand products

/// The schemes that offer wave operators, with the thesis's angle clamp switched off: it breaks D = −GᵀW by
/// design.
Trial simulation_with(const DiscretizationEntry& entry, const std::string& mesh) {
  Configuration setup;
  setup.mesh = mesh;
  setup.discretization = entry.name;
  setup.integrator = "newmark";
  setup.parameters = {{"dual", "intrinsic"}};
  return Trial(setup);
}

template <class Body>
void for_every_wave_scheme(const Body& body) {
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry) || !entry.offers_capability<Wave>()) continue;
    for (const std::string mesh :
         {"icosphere:2", "torus:24x12", "rectangle:12x8:jittered", "rectangle:12x8:structured"}) {
      INFO(entry.name << " on " << mesh);
      const Trial simulation = simulation_with(entry, mesh);
      body(simulation, WaveSide(simulation.right_side));
    }
  }
}

Vector laplacian_by_operators(const WaveSide& wave, const Vector& p, const Vector& weight,
                              Eigen::Index flow_size) {
  Vector flow = Vector::Zero(flow_size), out = Vector::Zero(p.size());
  wave.add_gradient(p, 1, Vector::Ones(wave.sites()), flow);
  wave.add_outflow(flow, -1, weight, out);
  return out;
}

}  // namespace

TEST_CASE("the gradient of a constant is zero", "[operators]") {
  for_every_wave_scheme([](const Trial& simulation, const WaveSide& wave) {
    Vector flow = Vector::Zero(simulation.velocity().size());
    wave.add_gradient(Vector::Constant(simulation.volume().size(), 3.7), 1, Vector::Ones(wave.sites()), flow);
    CHECK(flow.cwiseAbs().maxCoeff() == 0);
  });
}

TEST_CASE("outflows add up to zero", "[operators]") {
  for_every_wave_scheme([](const Trial& simulation, const WaveSide& wave) {
    Vector out = Vector::Zero(simulation.volume().size());
    wave.add_outflow(random_vector(simulation.velocity().size(), 1), 1, random_vector(wave.sites(), 2), out);
    CHECK(std::abs(out.sum()) <= round_off * out.cwiseAbs().sum());
  });
}

TEST_CASE("divergence times gradient is symmetric and positive for random depths", "[operators]") {
  for_every_wave_scheme([](const Trial& simulation, const WaveSide& wave) {
    const Eigen::Index cells = simulation.volume().size(), flow = simulation.velocity().size();
    const Vector weight = random_vector(wave.sites(), 3).array() + 1.0;
    const Vector p = random_vector(cells, 4), q = random_vector(cells, 5);
    const Vector kp = laplacian_by_operators(wave, p, weight, flow),
                 kq = laplacian_by_operators(wave, q, weight, flow);
    CHECK(std::abs(q.dot(kp) - p.dot(kq)) <= round_off * q.norm() * kp.norm());
    CHECK(p.dot(kp) > 0);
  });
}

TEST_CASE("the assembled matrix is diag(m) + c·K, with K = −D G", "[operators]") {
  for_every_wave_scheme([](const Trial& simulation, const WaveSide& wave) {
    const Eigen::Index cells = simulation.volume().size();
    const Vector weight = random_vector(wave.sites(), 3).array() + 1.0,
                 m = random_vector(cells, 6).array() + 2.0;
    const Vector p = random_vector(cells, 4);
    SymmetricMatrix matrix = wave.stiffness_pattern();
    wave.assemble(m, 0.7, weight, matrix);
    const Vector by_matrix = matrix.selfadjointView<Eigen::Lower>() * p;
    const Vector by_operators =
        m.cwiseProduct(p) + 0.7 * laplacian_by_operators(wave, p, weight, simulation.velocity().size());
    Vector by_product = m.cwiseProduct(p);
    wave.add_stiffness(p, 0.7, weight, by_product);
    CHECK((by_matrix - by_operators).norm() <= round_off * by_operators.norm());
    CHECK((by_product - by_operators).norm() <= round_off * by_operators.norm());
  });
}

TEST_CASE("what the gradient takes from the potential energy the flow gains", "[operators]") {
  // g hᵀV_t + Σ W η̄ u·u_t = 0 for any state: D(η) = −Gᵀ W diag(η̄).
  for_every_wave_scheme([](const Trial& simulation, const WaveSide&) {
    const Discretization& scheme = *simulation.discretization;
    const Field &volume = scheme.volume(), &flow = scheme.velocity();
    State state = simulation.state;
    const Cells& cells = scheme.cells();
    state[volume] =
        cells.area.cwiseProduct(Vector(random_vector(cells.count(), 8) * 0.5 + Vector::Ones(cells.count())));
    state[flow] = random_vector(flow.size, 9);
    State rate = simulation.zero();
    scheme.add_rates(state, simulation.forces, waves_and_forces, 1, rate);
    const Vector h = state[volume].cwiseQuotient(cells.area) - cells.bed;
    const double potential_rate = gravity * h.dot(rate[volume]);
    State forward = state, backward = state;
    const double step =
        state[flow].norm() / rate[flow].norm();  // quadratic: exact for any; this one rounds least
    forward[flow] += step * rate[flow];
    backward[flow] -= step * rate[flow];
    const double kinetic_rate =
        (scheme.kinetic_energy(forward) - scheme.kinetic_energy(backward)) / (2 * step);
    CHECK(std::abs(potential_rate + kinetic_rate) <=
          round_off * gravity * h.cwiseAbs().dot(rate[volume].cwiseAbs()));
  });
}

namespace {

/// Area-weighted mean error of a face vector field, away from walls, relative to the field.
double relative_error(const Trial& simulation, const Values& field, const VectorField& exact) {
  const Mesh& mesh = simulation.surface.mesh;
  std::vector<char> at_wall(static_cast<std::size_t>(mesh.vertex_count), 0);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e))
      for (int end = 0; end < 2; ++end) at_wall[static_cast<std::size_t>(mesh.edges(end, e))] = 1;
  double error = 0, size = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    bool inside = true;
    for (int c = 0; c < 3; ++c) inside = inside && !at_wall[static_cast<std::size_t>(mesh.faces(c, k))];
    if (!inside) continue;
    const Vector3 expected = exact(simulation.geometry.centroid(mesh, k));
    error += simulation.geometry.face_area[k] * (field.col(k) - expected).norm();
    size += simulation.geometry.face_area[k] * expected.norm();
  }
  return error / size;
}

}  // namespace

/// An integrator that the scheme supports, for tests that take no step.
static std::string some_integrator(const DiscretizationEntry& scheme) {
  for (const IntegratorEntry& integrator : catalog().integrators)
    if (integrator.incompatibility(scheme, Parameters(scheme.parameters, {})).empty()) return integrator.name;
  return "explicit";
}

TEST_CASE("under varying normal acceleration the momentum term converges to aₙ∇h + ½η∇aₙ", "[operators]") {
  const auto acceleration = [](const Vector3& x) { return -9.81 * (1 + 0.3 * x.x() + 0.2 * x.y() * x.y()); };
  const auto elevation = [](const Vector3& x) { return 0.1 * std::sin(2 * x.x() + x.y()); };
  const auto bed = [](const Vector3& x) { return 1 + 0.2 * std::cos(x.y()); };
  const auto exact = [&](const Vector3& x) -> Vector3 {
    const double slope_h = 0.1 * std::cos(2 * x.x() + x.y());
    return acceleration(x) * Vector3(2 * slope_h, slope_h, 0) +
           0.5 * (bed(x) + elevation(x)) * -9.81 * Vector3(0.3, 0.4 * x.y(), 0);
  };
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry)) continue;
    INFO(entry.name);
    std::vector<double> sizes, errors;
    for (const int n : {10, 20, 40}) {
      Configuration setup;
      setup.mesh = "rectangle:" + std::to_string(n) + "x" + std::to_string(n) + ":staggered";
      setup.discretization = entry.name;
      setup.integrator = some_integrator(entry);
      setup.bed_depth = bed;
      setup.normal_acceleration = acceleration;
      setup.initial.depth = [&](const Vector3& x) { return bed(x) + elevation(x); };
      const Trial simulation(setup);
      const Discretization& scheme = *simulation.discretization;
      State rate = simulation.zero();
      scheme.add_rates(simulation.state, simulation.forces, waves_and_forces, 1, rate);
      // From rest, the rate read as a state is the acceleration.
      rate[scheme.volume()] = simulation.volume();
      Values field;
      scheme.sample(rate, simulation.forces, "velocity", field);
      sizes.push_back(1.0 / n);
      errors.push_back(relative_error(simulation, field, exact));
    }
    CAPTURE(errors);
    CHECK(errors.back() < 0.02);
    CHECK(slope(sizes, errors) >= 0.9);
  }
}

/// On the unit sphere: an output at the vertices converges to its exact values for this flow, of first order at least in L2.
static void check_convergence(const std::string& output, const VectorField& flow, const ScalarField& exact,
                              double scale) {
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry)) continue;
    INFO(entry.name);
    std::vector<double> sizes, errors;
    for (const int level : {2, 3, 4}) {
      Configuration setup{.mesh = "icosphere:" + std::to_string(level),
                          .discretization = entry.name,
                          .integrator = some_integrator(entry)};
      setup.initial.velocity = flow;
      const Trial simulation(setup);
      const Vector values = simulation.sample(output).transpose();
      const Vector& area = simulation.discretization->find_output(output)->area();
      double error = 0;
      for (Index i = 0; i < values.size(); ++i)
        error += area[i] * std::pow(values[i] - exact(simulation.geometry.x.col(i)), 2);
      sizes.push_back(1.0 / (1 << level));
      errors.push_back(std::sqrt(error / area.sum()));
    }
    CAPTURE(errors);
    CHECK(errors.back() < 0.01 * scale);
    CHECK(slope(sizes, errors) >= 0.9);
  }
}

TEST_CASE("the vorticity of a rigid rotation is twice its rate", "[operators]") {
  const Vector3 omega(0.3, -0.2, 0.5);
  check_convergence(
      "vorticity", [=](const Vector3& x) -> Vector3 { return omega.cross(x); },
      [=](const Vector3& x) { return 2 * omega.dot(x); }, omega.norm());
}

TEST_CASE("the divergence of the tangential part of a constant c is −2 c·n on the unit sphere",
          "[operators]") {
  const Vector3 c(0.3, -0.2, 0.5);
  check_convergence(
      "divergence", [=](const Vector3& x) -> Vector3 { return c - x * x.dot(c) / x.squaredNorm(); },
      [=](const Vector3& x) { return -2 * c.dot(x); }, c.norm());
}

TEST_CASE("a flow along walls has no vorticity there", "[operators]") {
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry)) continue;
    INFO(entry.name);
    Configuration setup{.mesh = "rectangle:16x8:staggered",
                        .discretization = entry.name,
                        .integrator = some_integrator(entry)};
    setup.initial.velocity = [](const Vector3&) { return Vector3(1, 0, 0); };
    const Trial simulation(setup);
    const Vector vorticity = simulation.sample("vorticity").transpose();
    const Points& x = simulation.geometry.x;
    const double left = x.row(0).minCoeff(), right = x.row(0).maxCoeff();
    Largest found;
    for (Index i = 0; i < vorticity.size(); ++i)  // the walls across the flow are out of account
      if (x(0, i) > left + 0.2 && x(0, i) < right - 0.2) found.add(std::abs(vorticity[i]));
    CHECK(found.value() <= 1e-10);
  }
}
