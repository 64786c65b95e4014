// Requirements on every discretization × integrator and every advection. The pairs come from the lists: a new scheme
// is tested as soon as it is listed, and an impossible pair must be refused with a reason.
#include "discretizations/common/parallel.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/order.hpp"
#include "tests/support/trial.hpp"

using namespace shoal;
using namespace shoal::test;

namespace {

struct Pair {
  const DiscretizationEntry* discretization;
  const IntegratorEntry* integrator;
  std::string name() const { return discretization->name + " × " + integrator->name; }
  Claims claims() const { return claims_of(*discretization, *integrator); }
  bool possible() const { return integrator->incompatibility(*discretization, {}).empty(); }
};

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const DiscretizationEntry& discretization : surface_schemes())
    for (const IntegratorEntry& integrator : catalog().integrators)
      if (is_tested(discretization, integrator)) pairs.push_back({&discretization, &integrator});
  return pairs;
}

std::vector<Pair> possible_pairs() {
  std::vector<Pair> pairs;
  for (const Pair& pair : all_pairs())
    if (pair.possible()) pairs.push_back(pair);
  return pairs;
}

/// The advections that work between the two, none included.
std::vector<const AdvectionEntry*> advections_of(const Pair& pair) {
  std::vector<const AdvectionEntry*> list;
  for (const AdvectionEntry& entry : catalog().advections) {
    const bool built_in = pair.discretization->transports_momentum() && entry.name != "none";
    if (!built_in && entry.incompatibility(*pair.discretization, *pair.integrator, {}).empty())
      list.push_back(&entry);
  }
  return list;
}

/// The splittings that join the pair to it: all but none for most, none as well where the integrator takes
/// every term.
std::vector<const SplittingEntry*> splittings_of(const Pair& pair, const AdvectionEntry& advection) {
  std::vector<const SplittingEntry*> list;
  for (const SplittingEntry& entry : catalog().splittings)
    if (splitting_incompatibility(entry, *pair.integrator, &advection).empty()) list.push_back(&entry);
  return list;
}

/// Every advection with every splitting that joins it.
std::vector<std::pair<const AdvectionEntry*, const SplittingEntry*>> joined_advections_of(const Pair& pair) {
  std::vector<std::pair<const AdvectionEntry*, const SplittingEntry*>> list;
  for (const AdvectionEntry* advection : advections_of(pair))
    for (const SplittingEntry* splitting : splittings_of(pair, *advection))
      list.emplace_back(advection, splitting);
  return list;
}

/// Parameters that select what an advection carries, or the form of the scheme's own rate, if there is a choice.
std::vector<std::map<std::string, Value>> variants_of(const Pair& pair, const AdvectionEntry& advection) {
  std::vector<std::map<std::string, Value>> variants = {{}};
  for (const ParameterInfo& info : advection.parameters)
    if (info.name == "carries") variants.push_back({{"carries", "one-form"}});
  if (!advection.is_rate || advection.name == "none") return variants;
  for (const ParameterInfo& info : pair.discretization->parameters) {
    if (info.name != "advection_form") continue;
    for (const std::string& form : info.choices)
      if (Value(form) != info.fallback &&
          pair.integrator
              ->incompatibility(*pair.discretization,
                                Parameters(pair.discretization->parameters, {{info.name, form}}))
              .empty())
        variants.push_back({{info.name, form}});
  }
  return variants;
}

std::string name_of(const std::map<std::string, Value>& variant) {
  return variant.empty() ? "" : ", " + to_string(variant.begin()->second);
}

/// A smooth state with waves and flow, far from dry.
Fields waves(double amplitude) {
  Fields fields;
  fields.depth = [amplitude](const Vector3& x) {
    return 1 + amplitude * std::sin(2 * x.x() + 1) * std::cos(x.y() - x.z());
  };
  fields.velocity = [amplitude](const Vector3& x) {
    return Vector3(amplitude * Vector3(-x.y(), x.x(), 0.3));
  };
  return fields;
}

double varying_acceleration(const Vector3& x) {
  return -gravity * (1 + 0.2 * x.x() + 0.1 * x.y() * x.z());
}

Configuration setup_for(const Pair& pair, const std::string& mesh) {
  Configuration setup;
  setup.parameters = {{"dual", "intrinsic"}};  // dec on meshes that are not Delaunay
  setup.mesh = mesh;
  setup.discretization = pair.discretization->name;
  setup.integrator = pair.integrator->name;
  return setup;
}

}  // namespace

TEST_CASE("an impossible pair is refused with a reason", "[conformance]") {
  int refused = 0;
  for (const Pair& pair : all_pairs()) {
    if (pair.possible()) continue;
    ++refused;
    INFO(pair.name());
    CHECK(pair.integrator->incompatibility(*pair.discretization, {}).find("requires") != std::string::npos);
    CHECK_THROWS_AS(Trial(setup_for(pair, "icosphere:1")), Refusal);
  }
  if (tested_entries().empty()) CHECK(refused > 0);
}

TEST_CASE("a refused explicit method would amplify: two-stage Runge-Kutta on undamped waves",
          "[conformance]") {
  // |z|² = 1 + a⁴/4 at the highest wave, a = 1: 25 % per step. The refusal is necessary.
  for (const DiscretizationEntry& scheme : surface_schemes()) {
    if (!is_tested(scheme) || !scheme.offers_capability<Wave>() || scheme.dissipative) continue;
    INFO(scheme.name);
    Trial simulation({.discretization = scheme.name, .initial = waves(1e-3)});
    const double dt = 1 / highest_frequency(simulation), before = simulation.energy();
    State first = simulation.state, second;
    for (int step = 0; step < 200; ++step) {
      first = simulation.state;
      simulation.discretization->add_rates(simulation.state, simulation.forces, waves_and_forces, dt, first);
      second = first;
      simulation.discretization->add_rates(first, simulation.forces, waves_and_forces, dt, second);
      simulation.state.q = 0.5 * (simulation.state.q + second.q);
    }
    CHECK_FALSE(simulation.energy() <= 10 * before);  // NaN included
  }
}

TEST_CASE("water at rest stays at rest", "[conformance]") {
  constexpr double tolerance = 1e-12;
  const ScalarField flat = [](const Vector3&) { return 1.0; };
  const ScalarField bumpy = [](const Vector3& x) {
    return 1 + 0.3 * std::sin(5 * x.x() + 2) * std::cos(4 * x.y() - 3 * x.z());
  };
  const std::string mesh = GENERATE("icosphere:2", "torus:24x12", "rectangle:12x8:jittered",
                                    "rectangle:12x8:structured", "blob:3", "blob:3:slivers");
  for (const Pair& pair : possible_pairs())
    for (const ScalarField& bed : {flat, bumpy}) {
      INFO(pair.name() << " on " << mesh
                       << (bed(Vector3(0.3, 0.2, 0.1)) == 1.0 ? ", flat bed" : ", bumpy bed"));
      Configuration setup = setup_for(pair, mesh);
      setup.bed_depth = bed;
      setup.initial.depth = bed;
      Trial simulation(setup);
      simulation.prepare(0.5 * simulation.substeps * simulation.stable_dt());
      simulation.run(200);
      CHECK(simulation.max_elevation() <= tolerance);
      const double wave_speed = std::sqrt(gravity);
      if (pair.integrator->carries_velocity) {
        const Values velocity = simulation.sample("velocity");
        CHECK(velocity.colwise().norm().maxCoeff() <= tolerance * wave_speed);
      } else {
        CHECK(simulation.volume_rate()
                  .cwiseQuotient(simulation.discretization->cells().area)
                  .cwiseAbs()
                  .maxCoeff() <= tolerance * wave_speed);
      }
    }
}

TEST_CASE("the number of threads does not change a bit", "[conformance]") {
  for (const Pair& pair : possible_pairs())
    for (const AdvectionEntry* advection : advections_of(pair))
      for (const auto& variant : variants_of(pair, *advection)) {
        INFO(pair.name() << ", advection " << advection->name << name_of(variant));
        std::vector<State> states;
        for (const int threads : {1, 2, 3}) {
          set_thread_count(threads);
          Configuration setup = setup_for(pair, "icosphere:4");
          setup.advection = advection->name;
          setup.parameters.insert(variant.begin(), variant.end());
          setup.initial = waves(0.1);
          if (pair.integrator->carries_velocity) setup.rotation = {0.1, -0.2, 0.3};
          Trial simulation(setup);
          simulation.prepare(0.5 * simulation.substeps * simulation.stable_dt());
          simulation.run(3);
          states.push_back(simulation.state);
        }
        set_thread_count(1);
        for (const State& state : states) CHECK((state.q.array() == states.front().q.array()).all());
      }
}

TEST_CASE("an advection leaves water at rest alone, and mass where there is a flux", "[conformance]") {
  constexpr double at_rest = 1e-12, of_mass = 1e-13;
  const ScalarField bumpy = [](const Vector3& x) {
    return 1 + 0.3 * std::sin(5 * x.x() + 2) * std::cos(4 * x.y() - 3 * x.z());
  };
  const std::string mesh =
      GENERATE("icosphere:2", "torus:24x12", "rectangle:12x8:jittered", "blob:2:slivers");
  for (const Pair& pair : possible_pairs())
    for (const auto& [advection, splitting] : joined_advections_of(pair))
      for (const auto& variant : variants_of(pair, *advection)) {
        if (advection->name == "none") continue;
        INFO(pair.name() << " on " << mesh << ", advection " << advection->name << name_of(variant)
                         << ", splitting " << splitting->name);
        Configuration setup = setup_for(pair, mesh);
        setup.advection = advection->name;
        setup.parameters.insert(variant.begin(), variant.end());
        setup.splitting = splitting->name;
        setup.bed_depth = bumpy;
        setup.initial.depth = bumpy;
        setup.rotation = {0.1, -0.2, 0.3};
        Trial still(setup);
        still.prepare(0.5 * still.substeps * still.stable_dt());
        still.run(50);
        CHECK(still.max_elevation() <= at_rest);
        const Values velocity = still.sample("velocity");
        CHECK(velocity.colwise().norm().maxCoeff() <= at_rest * std::sqrt(gravity));

        setup.initial = waves(0.1);
        Trial moving(setup);
        moving.prepare(0.5 * moving.substeps * moving.stable_dt());
        const double before = moving.mass();
        moving.run(50);
        if (pair.claims().conserves_mass) CHECK(std::abs(moving.mass() / before - 1) <= of_mass);
      }
}

TEST_CASE("Coriolis's force leaves water at rest alone, and order and mass as they are claimed",
          "[conformance]") {
  constexpr double margin = 0.15, of_mass = 1e-13;  // slope over two or three halvings
  for (const Pair& pair : possible_pairs()) {
    if (!pair.integrator->carries_velocity) continue;
    for (const SplittingEntry* splitting : splittings_of(pair, catalog().advections.front())) {
      INFO(pair.name() << ", splitting " << splitting->name);
      Configuration setup = setup_for(pair, "icosphere:1");
      setup.splitting = splitting->name;
      setup.rotation = {0.5, -1, 1.5};
      setup.substeps = 1;
      Trial still(setup);
      const Vector at_rest = still.volume();
      still.prepare(0.25 / 16);
      still.run(16);
      CHECK((still.volume() - at_rest).cwiseAbs().maxCoeff() <= 1e-13);
      // The rotation between two halves is of order 2.
      const int claimed = splitting->splits ? std::min(pair.claims().order, 2) : pair.claims().order;
      setup.initial = waves(claimed >= 4 ? 0.2 : 0.05);
      Trial moving(setup);
      const double mass = moving.mass();
      moving.prepare(0.25 / 64);
      moving.run(64);
      if (pair.claims().conserves_mass) CHECK(std::abs(moving.mass() / mass - 1) <= of_mass);
      CHECK(order_in_time(setup, claimed).order >= claimed - margin);
    }
  }
}

TEST_CASE("a force that is not a number ends the first step as data: it fails, or so is the depth soon",
          "[conformance]") {
  for (const Pair& pair : possible_pairs()) {
    INFO(pair.name());
    Configuration setup = setup_for(pair, "icosphere:1");
    setup.normal_acceleration = [](const Vector3&) { return std::numeric_limits<double>::quiet_NaN(); };
    Trial trial(setup);
    bool shown = false;
    try {
      trial.prepare(0.01);
      for (int i = 0; i < 3 && !shown; ++i) shown = !trial.step().ok || !trial.volume().allFinite();
    } catch (const Error&) {  // a force that is refused is shown too
      shown = true;
    }
    CHECK(shown);
  }
}

TEST_CASE("mass is kept to round-off where it is claimed", "[conformance]") {
  constexpr double tolerance = 1e-13;  // 300 steps of a few ulps each
  const std::string mesh = GENERATE("icosphere:2", "rectangle:12x8:staggered", "blob:3");
  const bool uniform = GENERATE(true, false);
  for (const Pair& pair : possible_pairs()) {
    if (!uniform && !pair.claims().conserves_mass) continue;  // its drift may take all the mass
    INFO(pair.name() << " on " << mesh << (uniform ? "" : ", varying normal acceleration"));
    Configuration setup = setup_for(pair, mesh);
    setup.initial = waves(0.1);
    if (!uniform) setup.normal_acceleration = varying_acceleration;
    Trial simulation(setup);
    simulation.prepare(0.5 * simulation.substeps * simulation.stable_dt());
    const double before = simulation.mass();
    simulation.run(300);
    const double drift = std::abs(simulation.mass() / before - 1);
    if (pair.claims().conserves_mass)
      CHECK(drift <= tolerance);
    else
      CHECK(drift > tolerance);  // the claim is data too: it must be withdrawn once it is false
  }
}

TEST_CASE("all integrators solve the same equations under varying normal acceleration", "[conformance]") {
  // Linear regime about η = H with aₙ varying by 30 %: after a short time all agree with the one of highest
  // order, but for the terms of second order in the amplitude that some leave out.
  for (const DiscretizationEntry& discretization : surface_schemes()) {
    if (!discretization.offers_capability<Wave>()) continue;
    std::map<std::string, Vector> elevation;
    const IntegratorEntry* best = nullptr;
    for (const IntegratorEntry& integrator : catalog().integrators) {
      const Pair pair{&discretization, &integrator};
      const bool is_best = !best || integrator.claims.order > best->claims.order;
      if (!pair.possible() || !(is_best || is_tested(discretization, integrator))) continue;
      if (is_best) best = &integrator;
      Configuration setup = setup_for(pair, "icosphere:2");
      setup.normal_acceleration = varying_acceleration;
      Trial simulation(setup);
      simulation.prepare(1e-4);
      simulation.run(500);
      elevation[integrator.name] = simulation.elevation();
    }
    const Vector& expected = elevation.at(best->name);
    REQUIRE(expected.norm() > 1e-3);
    for (const auto& [name, h] : elevation) {
      INFO(discretization.name << " × " << name);
      CHECK((h - expected).norm() <= 0.03 * expected.norm());
    }
  }
}

TEST_CASE("stable where stability is claimed", "[conformance]") {
  const std::string mesh = GENERATE("icosphere:2", "torus:24x12");
  for (const Pair& pair : possible_pairs()) {
    INFO(pair.name() << " on " << mesh);
    Configuration setup = setup_for(pair, mesh);
    setup.initial = waves(1e-5);
    Trial simulation(setup);
    const Claims& claims = pair.claims();
    const double part = pair.discretization->dissipative ? 1 : claims.stable_part;
    const double limit = part * simulation.substeps * simulation.stable_dt();
    simulation.prepare(claims.unconditional ? 10 * limit : 0.95 * limit);
    const double before = simulation.energy();
    simulation.run(1000);
    // Symplectic Euler near its limit conserves a modified energy instead of the energy: 1/(1 − 0.95²) ≈ 10.
    CHECK(simulation.energy() <= (claims.unconditional ? 1.01 : 10) * before);
  }
}

TEST_CASE("linear waves keep their energy where it is claimed", "[conformance]") {
  constexpr double tolerance = 1e-5;  // the nonlinear part of η̄ at relative amplitude 1e-6; newmark is exact
  const std::string mesh = GENERATE("icosphere:2", "blob:3", "blob:3:slivers");
  for (const Pair& pair : possible_pairs()) {
    if (!pair.claims().neutral) continue;
    INFO(pair.name() << " on " << mesh);
    Configuration setup = setup_for(pair, mesh);
    setup.initial = waves(1e-6);
    Trial simulation(setup);
    simulation.prepare(2 * simulation.stable_dt());
    const double before = simulation.energy();
    simulation.run(1000);
    CHECK(std::abs(simulation.energy() / before - 1) <= tolerance);
  }
}

TEST_CASE("stable_dt never exceeds 2/ω of the highest wave, and comes near it on good meshes",
          "[conformance]") {
  for (const DiscretizationEntry& discretization : surface_schemes()) {
    if (!is_tested(discretization) || !discretization.offers_capability<Wave>()) continue;
    for (const std::string mesh : {"icosphere:3", "torus:24x12", "blob:3:slivers", "rectangle:12x8:jittered"})
      for (const bool uniform : {true, false}) {
        INFO(discretization.name << " on " << mesh << (uniform ? "" : ", varying normal acceleration"));
        Configuration setup{.mesh = mesh, .discretization = discretization.name};
        setup.parameters = {{"dual", "intrinsic"}};
        setup.initial = waves(0.1);
        if (!uniform) setup.normal_acceleration = varying_acceleration;
        const Trial simulation(setup);
        const double fraction = simulation.stable_dt() * highest_frequency(simulation) / 2;
        CHECK(fraction <= 1 + 1e-6);
        if (mesh == "icosphere:3" && uniform) CHECK(fraction >= 0.85);
      }
  }
}
