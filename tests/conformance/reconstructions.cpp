// Requirements on the reconstruction of every listed finite-volume scheme. CMakeLists.txt puts them first, because a broken
// reconstruction fails most of the other tests as well.
#include "discretizations/finite_volume.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/trial.hpp"

using namespace shoal;
using namespace shoal::test;

namespace {

constexpr Terms flux_terms = Term::gravity | Term::advection;

/// visit(the name, its parameters) for every finite-volume scheme under test, with every reconstruction and limiter.
template <class Visit>
void for_each_reconstruction(const Visit& visit) {
  std::vector<std::map<std::string, Value>> reconstructions = {{}};
  for (const LimiterEntry& limiter : limiters())
    reconstructions.push_back({{"reconstruction", "linear"}, {"limiter", limiter.name}});
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry) || !entry.transports_momentum()) continue;
    const Trial trial({.mesh = "rectangle:2x2", .discretization = entry.name, .integrator = "explicit"});
    if (!dynamic_cast<const FiniteVolume*>(trial.discretization.get())) continue;
    for (const auto& parameters : reconstructions) {
      const std::string limiter = parameters.empty() ? "" : std::get<std::string>(parameters.at("limiter"));
      INFO("the reconstruction of '" << entry.name << "', limiter '" << limiter << "'");
      visit(entry.name, parameters);
    }
  }
}

State rates(const Trial& trial) {
  State rate = trial.zero();
  trial.discretization->add_rates(trial.state, trial.forces, flux_terms, 1, rate);
  return rate;
}

}  // namespace

TEST_CASE("a reconstruction of equal cells gives the state of the cells", "[conformance][reconstruction]") {
  // Then a uniform flow without walls has no rates; each is a sum of fluxes of up to 5 m³/s² through edges of 0.5 m.
  constexpr double round_off = 1e-13;
  for_each_reconstruction([&](const std::string& name, const std::map<std::string, Value>& parameters) {
    Configuration setup{
        .mesh = "rectangle:8x6:4x3:periodic", .discretization = name, .integrator = "explicit"};
    setup.initial.depth = [](const Vector3&) { return 0.7; };
    setup.initial.velocity = [](const Vector3&) { return Vector3(0.9, -0.4, 0); };
    setup.bed_depth = setup.initial.depth;
    setup.parameters = parameters;
    const State rate = rates(Trial(setup));
    CHECK(rate.q.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= round_off);
  });
}

TEST_CASE("a reconstruction swaps the sides where the cells of an edge are swapped",
          "[conformance][reconstruction]") {
  // The faces in the opposite order: the left cell of every edge becomes the right one.
  constexpr double round_off = 1e-12, dt = 1e-3;
  for_each_reconstruction([&](const std::string& name, const std::map<std::string, Value>& parameters) {
    Configuration setup{
        .surface = load_surface("icosphere:2"), .discretization = name, .integrator = "explicit"};
    setup.bed_depth = [](const Vector3& x) { return 1 + 0.2 * std::sin(3 * x.x() + x.y()); };
    setup.initial.depth = [](const Vector3& x) {
      return 1 + 0.3 * std::sin(2 * x.x() + 1) * std::cos(x.z());
    };
    setup.initial.velocity = [](const Vector3& x) { return Vector3(-x.y(), x.x(), 0.3 * x.y()); };
    setup.parameters = parameters;
    Configuration swapped = setup;
    const Mesh& mesh = setup.surface->mesh;
    swapped.surface->mesh = make_mesh(mesh.faces.rowwise().reverse(), mesh.vertex_count);
    const auto after_a_step = [&](const Configuration& configuration) {
      Trial trial(configuration);
      const State rate = rates(trial);
      trial.state.q += dt * rate.q;
      return std::pair(Vector(trial.volume()), trial.sample("velocity"));
    };
    const auto [volume, velocity] = after_a_step(setup);
    const auto [other_volume, other_velocity] = after_a_step(swapped);
    CHECK((volume - other_volume.reverse()).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= round_off);
    CHECK((velocity - other_velocity.rowwise().reverse()).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <=
          round_off);
  });
}

TEST_CASE("a reconstruction gives each side the water of its own cell", "[conformance][reconstruction]") {
  // Still water beside dry land on a flat bed: land loses none, and the water beside it does.
  for_each_reconstruction([&](const std::string& name, const std::map<std::string, Value>& parameters) {
    Configuration setup{.mesh = "rectangle:8x4:4x2", .discretization = name, .integrator = "explicit"};
    if (parameters.count("limiter") && parameters.at("limiter") == Value("none")) return;  // which overshoots
    setup.parameters = parameters;
    setup.bed_depth = [](const Vector3&) { return 1.0; };
    setup.initial.depth = [](const Vector3& x) { return x.x() < 2 ? 1.0 : 0.0; };
    const Trial trial(setup);
    const State rate = rates(trial);
    const ConstBlock gain = std::as_const(rate)[trial.discretization->volume()];
    Largest loss_of_land, gain_of_water;
    for (Index k = 0; k < gain.size(); ++k)
      (trial.volume()[k] > 0 ? gain_of_water : loss_of_land).add(trial.volume()[k] > 0 ? gain[k] : -gain[k]);
    CHECK(loss_of_land.value() <= 0);
    CHECK(gain_of_water.value() <= 1e-13);  // round-off of fluxes that cancel
    CHECK(gain.minCoeff() < -0.1);
  });
}

TEST_CASE("a slope accelerates a uniform flow alike in all cells, also at open boundaries",
          "[conformance][reconstruction]") {
  // V_t = 0, M_t = V g S; the pressures on edges of 0.5 m are up to 1.5 m⁴/s².
  constexpr double round_off = 1e-13, slope = 0.1, depth = 0.3;
  for_each_reconstruction([&](const std::string& name, const std::map<std::string, Value>& parameters) {
    if (parameters.empty()) return;  // in which the bed falls in steps between the cells
    for (const auto& [speed, boundaries] : {std::pair(3.0, "left = inflow 0.3 3; right = outflow"),
                                            std::pair(1.0, "left = inflow 0.3 1; right = level -0.4"),
                                            std::pair(1.0, "left = discharge 0.9; right = level -0.4"),
                                            std::pair(-1.0, "left = level 0; right = discharge 0.9")}) {
      Configuration setup{
          .mesh = "rectangle:8x6:4x3:structured", .discretization = name, .integrator = "explicit"};
      setup.parameters = parameters;
      setup.bed_depth = [](const Vector3& x) { return depth + slope * x.x(); };
      setup.initial.depth = [](const Vector3&) { return depth; };
      setup.initial.velocity = [speed = speed](const Vector3&) { return Vector3(speed, 0, 0); };
      setup.boundaries = parse_boundaries(boundaries);
      Trial trial(setup);
      const State rate = rates(trial);
      CHECK(rate[trial.discretization->volume()].cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= round_off);
      trial.state.q = rate.q;
      trial.volume() = trial.discretization->cells().area * depth;
      const Points acceleration = trial.sample("velocity");
      INFO(boundaries);
      CHECK((acceleration.colwise() - Vector3(gravity * slope, 0, 0))
                .cwiseAbs()
                .maxCoeff<Eigen::PropagateNaN>() <= round_off / 0.0375);  // divided by the volume of a cell
    }
  });
}

TEST_CASE("a uniform flow down a slope takes from open ends the energy that friction consumes",
          "[conformance][reconstruction]") {
  // ρ g q S L W t, with q = η v and a friction law in balance with the slope: k v² = g S.
  static constexpr double round_off = 1e-11, slope = 0.1, depth = 0.3, length = 4, width = 3;
  for_each_reconstruction([&](const std::string& name, const std::map<std::string, Value>& parameters) {
    if (parameters.empty()) return;  // in which the bed falls in steps between the cells
    for (const auto& [speed, boundaries] : {std::pair(3.0, "left = inflow 0.3 3; right = outflow"),
                                            std::pair(1.0, "left = inflow 0.3 1; right = level -0.4"),
                                            std::pair(1.0, "left = discharge 0.9; right = level -0.4")}) {
      Configuration setup{
          .mesh = "rectangle:8x6:4x3:structured", .discretization = name, .integrator = "ssprk2"};
      setup.parameters = parameters;
      setup.parameters["chezy"] = speed / std::sqrt(slope * depth);
      setup.bed_depth = [](const Vector3& x) { return depth + slope * x.x(); };
      setup.initial.depth = [](const Vector3&) { return depth; };
      setup.initial.velocity = [speed = speed](const Vector3&) { return Vector3(speed, 0, 0); };
      setup.boundaries = parse_boundaries(boundaries);
      INFO(boundaries);
      Trial trial(setup);
      const double dt = 0.5 * trial.stable_dt();
      constexpr int steps = 10;
      trial.prepare(dt);
      trial.run(steps);
      const Ledger ledger = trial.water->ledger();
      const double work =
          trial.water->density() * gravity * slope * depth * speed * length * width * steps * dt;
      CHECK(ledger.work_source == Approx(work).epsilon(round_off));
      CHECK(ledger.work_friction == Approx(-work).epsilon(round_off));
    }
  });
}
