// Boundaries under every pair of the lists: fluxes through them are accounted for, still water stays still,
// waves leave, flows stay, and a periodic rectangle has no seam.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/trial.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

using namespace shoal;

namespace {

constexpr double g = 9.81;

struct Setup {
  std::string discretization, integrator;
  std::string mesh = "rectangle:20x4:10x2";
  std::string boundaries = {};
  ScalarField bed = [](const Vector3&) { return 1.0; };
  Fields initial = {};
  std::function<Vector3(const Vector3&)> place = {};  ///< of the mesh in space
  double friction = 0;
  std::string advection = "none";
  bool dry_closed = false;  ///< dry_outflow

  std::string name() const {
    return discretization + " × " + integrator + ", " + mesh + ", " + boundaries + ", " + advection;
  }
  const DiscretizationEntry& scheme() const { return test::catalog().discretizations.find(discretization); }
  const IntegratorEntry& stepper() const { return test::catalog().integrators.find(integrator); }
};

class Basin {
 public:
  explicit Basin(const Setup& setup)
      : setup_(setup),
        surface_(load_surface(setup.mesh)),
        parameters_(parameters_of(setup)),
        water_(surface_.mesh, placed(), setup.bed, forcing(setup.boundaries), setting(setup_, parameters_),
               [&](const Discretization& scheme, const Forces&) { return scheme.project(setup.initial); }) {}

  static Parameters parameters_of(const Setup& setup) {
    ParameterInfos all = setup.scheme().parameters;
    for (const ParameterInfos& more : {setup.stepper().parameters, shallow_water_parameters(setup.stepper()),
                                       test::catalog().linear_solvers.find("multifrontal").parameters,
                                       test::catalog().advections.find(setup.advection).parameters})
      all.insert(all.end(), more.begin(), more.end());
    std::map<std::string, Value> values = {{"projection_tolerance", 1e-13}};
    if (setup.dry_closed) values["dry_outflow"] = "closed";
    return Parameters(all, values);
  }

  static ShallowWaterSetting setting(const Setup& setup, const Parameters& parameters) {
    return {
        .discretization = setup.scheme(),
        .integrator = setup.stepper(),
        .linear_solver = setup.stepper().uses_linear_solver
                             ? &test::catalog().linear_solvers.find("multifrontal")
                             : nullptr,
        .advection = setup.advection == "none" ? nullptr : &test::catalog().advections.find(setup.advection),
        .parameters = parameters};
  }

  Points placed() const {
    Points x = surface_.x;
    if (setup_.place)
      for (Index i = 0; i < x.cols(); ++i) x.col(i) = setup_.place(x.col(i));
    return x;
  }

  Forcing forcing(const std::string& boundaries) const {
    Forcing forcing{Vector::Constant(surface_.mesh.vertex_count, -g)};
    forcing.boundaries = parse_boundaries(boundaries);
    forcing.friction = setup_.friction;
    return forcing;
  }

  bool step(double dt) { return water_.step(dt, clock_).ok; }

  /// To `end`, in steps of half the stable one at the beginning or shorter.
  void run(double end, double part = 0.5) {
    const int steps = static_cast<int>(std::ceil(end / (part * water_.stable_dt())));
    for (int i = 0; i < steps; ++i) REQUIRE(step(end / steps));
  }

  Vector elevation() const {
    const Cells& cells = water_.discretization().cells();
    return water_.volume().cwiseQuotient(cells.area) - cells.bed;
  }
  const Cells& cells() const { return water_.discretization().cells(); }
  Values sample(const std::string& output) const {
    Values values;
    water_.sample(output, values);
    return values;
  }
  ShallowWater* operator->() { return &water_; }
  const ShallowWater* operator->() const { return &water_; }
  const Surface& surface() const { return surface_; }

 private:
  Setup setup_;
  Surface surface_;
  Parameters parameters_;
  ShallowWater water_;
  StageClock clock_;
};

bool possible(const Setup& setup) {
  const Parameters options = Basin::parameters_of(setup);
  return setup.stepper().incompatibility(setup.scheme(), options).empty();
}

std::vector<Setup> possible_pairs() {
  std::vector<Setup> pairs;
  for (const DiscretizationEntry& scheme : test::catalog().discretizations)
    for (const IntegratorEntry& integrator : test::catalog().integrators)
      if (const Setup setup{scheme.name, integrator.name};
          test::is_tested(scheme, integrator) && possible(setup))
        pairs.push_back(setup);
  return pairs;
}

/// Those whose steps contain a flux that depends on the state.
std::vector<Setup> explicit_pairs() {
  std::vector<Setup> pairs;
  for (const Setup& setup : possible_pairs())
    if (setup.stepper().explicit_terms.has(Term::gravity)) pairs.push_back(setup);
  return pairs;
}

/// One for each scheme: of the highest order up to this one, in whose steps others of higher order are no more stable.
std::vector<Setup> one_per_scheme(int highest_order = 3) {
  std::vector<Setup> setups;
  for (const DiscretizationEntry& scheme : test::catalog().discretizations) {
    Setup best{scheme.name, ""};
    for (const Setup& pair : explicit_pairs())
      if (pair.discretization == scheme.name && pair.stepper().claims.order <= highest_order &&
          (best.integrator.empty() || pair.stepper().claims.order > best.stepper().claims.order))
        best = pair;
    if (!best.integrator.empty()) setups.push_back(best);
  }
  return setups;
}

/// Those of `pairs`, and beside each the same with an advection that is a rate where one can be added.
std::vector<Setup> with_advection(const std::vector<Setup>& pairs) {
  std::vector<Setup> all;
  for (const Setup& pair : pairs)
    for (const AdvectionEntry& entry : test::catalog().advections) {
      if (entry.name != "none" && (!entry.is_rate || pair.scheme().transports_momentum())) continue;
      if (!entry.incompatibility(pair.scheme(), pair.stepper(), Basin::parameters_of(pair)).empty()) continue;
      all.push_back(pair);
      all.back().advection = entry.name;
    }
  return all;
}

/// A hump of this width about x, which runs to the right on water of depth 1.
Fields packet(double amplitude, double x0, double width) {
  const auto hump = [=](const Vector3& x) {
    return amplitude * std::exp(-std::pow((x.x() - x0) / width, 2));
  };
  return {[=](const Vector3& x) { return 1 + hump(x); },
          [=](const Vector3& x) { return Vector3(std::sqrt(g) * hump(x), 0, 0); }};
}

}  // namespace

TEST_CASE("what crosses a boundary is booked to round-off, or the pair refuses", "[boundaries]") {
  // Steps of random length make the highest waves grow, the faster the longer they are (largest-stable-step.md).
  std::uniform_real_distribution<double> part(0.05, 0.5);
  for (Setup setup : possible_pairs())
    for (const char* boundaries :
         {"left = discharge 0.3", "right = discharge -0.2", "left = level 0.05", "right = outflow",
          "left = inflow 1.02 0.5", "left = inflow 1 0.3 0.1; right = level 0:0,1:-0.05",
          "left = discharge 0:0,0.5:0.6; right = level 0:0,1:-0.05; top = outflow; bottom = wall"}) {
      setup.boundaries = boundaries;
      setup.initial = packet(0.1, 5, 2);
      INFO(setup.name());
      const BoundaryConditions conditions = parse_boundaries(boundaries);
      const bool takes = boundary_incompatibility(setup.stepper(), conditions).empty() &&
                         setup.stepper().mass_drift(Basin::parameters_of(setup)).empty();
      if (!takes) {
        CHECK_THROWS_AS(Basin(setup), Refusal);
        continue;
      }
      Basin basin(setup);
      std::mt19937 random(1);  // of its own: what is listed besides changes nothing here
      const double before = basin->volume().sum(), dt = basin->stable_dt();
      double booked = 0;
      for (int i = 0; i < 200; ++i) {
        REQUIRE(basin.step(part(random) * dt));
        constexpr double tolerance = 1e-12;
        const double added = basin->ledger().mass_source / 1000;
        booked = std::max(booked, std::abs(basin->volume().sum() - before - added));
        REQUIRE(booked < tolerance * before);
      }
      if (conditions.size() == 1 && conditions[0].kind == BoundaryKind::discharge)
        CHECK(basin->ledger().mass_source / 1000 ==
              Approx(conditions[0].value.at(0) * basin->time()).epsilon(1e-12));
      CHECK(std::isfinite(basin->ledger().work_source));
    }
}

TEST_CASE("a discharge that changes in time brings its integral", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    setup.boundaries = "left = discharge 0:0,0.3:0.6,0.4:-0.2";
    INFO(setup.name());
    Basin basin(setup);
    for (int i = 0; i < 50; ++i) REQUIRE(basin.step(0.013));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.09 + 0.02 - 0.2 * 0.25).epsilon(1e-11));
  }
}

TEST_CASE("still water stays still between open boundaries, over any bed", "[boundaries]") {
  const ScalarField bumpy = [](const Vector3& x) {
    return 1 + 0.3 * std::sin(x.x() + 1) * std::cos(2 * x.y());
  };
  for (Setup setup : explicit_pairs())
    for (const char* mesh : {"rectangle:20x4:10x2", "rectangle:12x6:6x3:structured"}) {
      setup.mesh = mesh;
      setup.boundaries = "left = level 0; right = outflow; top = discharge 0";
      setup.bed = bumpy;
      setup.initial.depth = bumpy;
      INFO(setup.name());
      Basin basin(setup);
      for (int i = 0; i < 200; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
      constexpr double tolerance = 1e-12;
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
      CHECK(basin.sample("velocity").colwise().norm().maxCoeff() < tolerance * std::sqrt(g));
    }
}

TEST_CASE("a wave packet leaves through an outflow", "[boundaries]") {
  // 10 cells from the crest to 1/e of the amplitude. What the boundary cell, of half a cell's length, sends
  // back is of first order in kΔx on cells whose depth is located off the boundary.
  for (Setup setup : one_per_scheme()) {
    setup.mesh = "rectangle:160x4:40x1";
    setup.boundaries = "right = outflow";
    constexpr double amplitude = 1e-5, max_reflected = 0.05;
    setup.initial = packet(amplitude, 30, 2.5);
    INFO(setup.name());
    Basin basin(setup);
    const double energy = basin->energy().total();
    basin.run(20 / std::sqrt(g));
    const double reflected = basin.elevation().cwiseAbs().maxCoeff() / amplitude;
    CAPTURE(reflected);
    CHECK(reflected < max_reflected);
    const double booked = (basin->energy().total() - basin->ledger().work() - energy) / energy;
    CAPTURE(booked);
    CHECK(booked < 0.01);  // the hump has left, or is damped by the flux
    if (!setup.scheme().dissipative) CHECK(booked > -0.01);
  }
}

TEST_CASE("a level that is raised sends out a wave of that height", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    setup.mesh = "rectangle:200x4:50x1";
    constexpr double level = 1e-4, end = 12;
    setup.boundaries = "left = level 0:0,1:1e-4";  // over a second: no ringing behind the front
    INFO(setup.name());
    Basin basin(setup);
    basin.run(end);
    const Vector h = basin.elevation();
    const double front = std::sqrt(g) * (end - 1);
    double worst = 0;
    for (Index i = 0; i < h.size(); ++i)
      if (basin.cells().points(0, i) < front - 8) worst = std::max(worst, std::abs(h[i] / level - 1));
    CAPTURE(worst);
    CHECK(worst < 0.02);
    // The flux behind it is c h, the volume c h t.
    CHECK(basin->ledger().mass_source / 1000 == Approx(std::sqrt(g) * level * (end - 0.5)).epsilon(0.02));
  }
}

TEST_CASE("water that enters through a level goes on to a steady flow", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme()))
    for (const char* mesh : {"rectangle:40x4:10x1", "rectangle:40x4:10x1:structured"}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      setup.mesh = mesh;
      setup.boundaries = "left = level 0:0,2:0.1; right = outflow";
      INFO(setup.name());
      Basin basin(setup);
      const double crossing = 10 / std::sqrt(g);
      basin.run(30 * crossing);
      // Kinetic: h = L at the boundary, and so everywhere. With vector-invariant the water comes from rest
      // outside: h + v²/2g = L.
      const bool from_rest = !setup.scheme().transports_momentum();
      const Values velocity = basin.sample("velocity"), depth = basin.sample("depth_at_faces");
      double worst = 0;
      for (Index k = 0; k < depth.cols(); ++k) {
        const double x = basin->geometry().centroid(basin.surface().mesh, k).x();
        const double head = depth(0, k) - 1 + (from_rest ? velocity.col(k).squaredNorm() / (2 * g) : 0);
        if (x > 1 && x < 9) worst = std::max(worst, std::abs(head / 0.1 - 1));
      }
      CAPTURE(worst);
      CHECK(worst < 1e-3);
    }
}

TEST_CASE("a level far above sends out a bore at the speed of Rankine and Hugoniot", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    if (!setup.scheme().transports_momentum()) continue;
    setup.mesh = "rectangle:200x2:50x0.5";
    setup.boundaries = "left = level 0.5";
    INFO(setup.name());
    Basin basin(setup);
    constexpr double end = 8, depth = 1.5;
    basin.run(end);
    const double flux = (depth - 1) * std::sqrt(0.5 * g * depth * (depth + 1));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * flux * end).epsilon(0.01));
    const Vector h = basin.elevation();
    for (Index i = 0; i < h.size(); ++i)
      if (basin.cells().points(0, i) < 0.7 * flux / 0.5 * end) CHECK(h[i] == Approx(0.5).epsilon(0.01));
  }
}

TEST_CASE("a discharge outwards takes what the water can give, and lacks the rest", "[boundaries]") {
  // On a bed that falls to the boundary, with a shore at the other end and a drop of 0.75 m in all.
  for (Setup setup : explicit_pairs()) {
    if (!setup.scheme().positive || !setup.stepper().claims.positive) continue;
    setup.mesh = "rectangle:20x1:2.5x0.125:structured";
    setup.bed = [](const Vector3& x) { return 0.5 - 0.3 * x.x(); };
    setup.initial.depth = [bed = setup.bed](const Vector3& x) { return std::max(0.0, bed(x)); };
    for (const double discharge : {-0.01, -0.1, -10.0}) {
      setup.boundaries = "left = discharge " + std::to_string(discharge);
      INFO(setup.name());
      Basin basin(setup);
      const double before = basin->volume().sum();
      double fastest = 0;
      while (basin->time() < 2) {
        REQUIRE(basin.step(0.5 * basin->stable_dt()));
        REQUIRE(basin->volume().minCoeff() >= 0);
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      }
      CHECK(fastest < std::sqrt(2 * g * 0.75));
      const Ledger ledger = basin->ledger();
      constexpr double round_off = 1e-12;
      CHECK(basin->volume().sum() == Approx(before + ledger.mass_source / 1000).margin(round_off * before));
      CHECK(ledger.mass_source - ledger.mass_lacking ==
            Approx(1000 * discharge * basin->time()).epsilon(round_off));
    }
  }
}

TEST_CASE("a discharge outwards draws no water faster than its waves", "[boundaries]") {
  // Through one end, and through one side until the channel is nearly empty; without v·∇v too. dec without v·∇v goes wrong
  // at right-angled triangles whatever the boundary (open-boundaries.md): none are there on merged squares.
  for (Setup setup : with_advection(possible_pairs()))
    for (const auto& [mesh, boundaries] :
         {std::pair("rectangle:20x5:2.5x0.6", "left = discharge -0.5"),
          std::pair("rectangle:20x5:2.5x0.6:structured", "bottom = discharge -5")}) {
      setup.mesh = mesh;
      setup.boundaries = boundaries;
      setup.bed = [](const Vector3&) { return 0.3; };
      setup.initial.depth = setup.bed;
      INFO(setup.name());
      if (!boundary_incompatibility(setup.stepper(), parse_boundaries(boundaries)).empty() ||
          !setup.stepper().mass_drift(Basin::parameters_of(setup)).empty() ||
          !setup.stepper().carries_velocity)
        continue;
      Basin basin(setup);
      const double before = basin->volume().sum();
      double lowest = 1, fastest = 0;
      while (basin->time() < 1) {
        REQUIRE(basin.step(0.5 * basin->stable_dt()));
        lowest = std::min(lowest, basin->volume().cwiseQuotient(basin.cells().area).minCoeff());
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      }
      CHECK(lowest > 0);
      CHECK(fastest < 2 * std::sqrt(g * 0.3));  // of a dam that breaks
      const Ledger ledger = basin->ledger();
      constexpr double round_off = 1e-12;
      CHECK(basin->volume().sum() == Approx(before + ledger.mass_source / 1000).margin(round_off * before));
      CHECK(ledger.mass_lacking > 0);
    }
}

TEST_CASE("a discharge onto a film keeps its steps short enough for the water that it brings",
          "[boundaries]") {
  // 1.25 m²/s, whose critical depth is 0.54 m, onto 0.02 m.
  for (Setup setup : with_advection(one_per_scheme(3))) {
    if (setup.scheme().transports_momentum() && !setup.scheme().positive) continue;
    setup.mesh = "rectangle:20x4:2x0.4:structured";
    setup.boundaries = "left = discharge 0.5";
    setup.bed = [](const Vector3&) { return 0.02; };
    setup.initial.depth = setup.bed;
    INFO(setup.name());
    Basin basin(setup);
    double fastest = 0;
    while (basin->time() < 1) {
      REQUIRE(basin.step(0.5 * basin->stable_dt()));
      fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
    }
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * basin->time()).epsilon(1e-12));
    CHECK(fastest <
          12);  // fefv with vector-invariant: 9 at the front, where u + 2c of the critical state is 7
  }
}

TEST_CASE("a level fills a dry basin through the critical state", "[boundaries]") {
  // What enters crosses the boundary with η = 0.5 m and u = √(gη) until what comes back from the wall drowns it.
  for (Setup setup : explicit_pairs()) {
    if (!setup.scheme().transports_momentum() || !setup.scheme().positive || !setup.stepper().claims.positive)
      continue;
    setup.mesh = "rectangle:16x4:4x0.5";
    setup.bed = [](const Vector3&) { return 0.5; };
    setup.initial.depth = [](const Vector3&) { return 0.0; };
    setup.boundaries = "left = level 0";
    INFO(setup.name());
    Basin basin(setup);
    constexpr double end = 0.8;
    for (int i = 0; i < 400; ++i) REQUIRE(basin.step(end / 400));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * 0.5 * std::sqrt(g * 0.5) * end).epsilon(1e-9));
  }
}

TEST_CASE("a flood from a level brings no more energy than is booked", "[boundaries]") {
  // Onto dry land, where films and the bore behind them lose some. At both ends of staggered rows dec has right angles.
  for (const std::string discretization : {"fefv", "dec"})
    for (const std::string kind : {"", ":structured"}) {
      Setup setup{discretization, "ssprk3"};
      setup.mesh = "rectangle:60x10:6x1" + kind;
      setup.advection = "vector-invariant";
      setup.dry_closed = true;
      setup.bed = [](const Vector3&) { return 0.0; };
      setup.initial.depth = setup.bed;
      setup.boundaries = "left = level 0.2";
      INFO(setup.name());
      Basin basin(setup);
      double gained = 0, fastest = 0;
      for (int i = 0; i < 600; ++i) {
        REQUIRE(basin.step(0.0025));
        gained = std::max(gained, basin->energy().total() - basin->ledger().work());
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      }
      CHECK(gained < 0.01 * basin->energy().kinetic);
      CHECK(fastest < 2.2 * std::sqrt(g * 0.2));  // 2c at the front of a dam that breaks
    }
}

TEST_CASE("a uniform flow stays between a discharge and a level", "[boundaries]") {
  for (Setup setup : with_advection(explicit_pairs())) {
    setup.boundaries = "left = discharge 0.6; right = level 0";
    setup.initial.velocity = [](const Vector3&) { return Vector3(0.3, 0, 0); };
    INFO(setup.name());
    Basin basin(setup);
    for (int i = 0; i < 400; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
    constexpr double tolerance = 1e-12;
    CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    CHECK(basin->ledger().mass_source == Approx(0).margin(1e-8));
  }
}

TEST_CASE("a uniform flow through a discharge forgets a disturbance", "[boundaries]") {
  // Along x: waves across a channel have hardly a group velocity along it and take their time to leave. What is left falls with
  // the damping of the integrator, too, which a leapfrog does not have.
  constexpr double amplitude = 1e-3, end = 400;
  constexpr int order = 3;
  for (Setup setup : with_advection(one_per_scheme(order)))
    for (const double froude : {0.2, 0.5, 0.9}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      const double tolerance = setup.stepper().claims.order < order ? 1e-5 : 1e-6;
      const double speed = froude * std::sqrt(g);
      setup.mesh = "rectangle:40x4:10x1:structured";
      setup.boundaries = "left = discharge " + std::to_string(speed) + "; right = level 0";
      setup.initial = {
          [=](const Vector3& x) { return 1 + amplitude * std::exp(-std::pow((x.x() - 4) / 1.5, 2)); },
          [=](const Vector3&) { return Vector3(speed, 0, 0); }};
      INFO(setup.name());
      Basin basin(setup);
      basin.run(end);
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    }
}

TEST_CASE("an inflow keeps a uniform flow, oblique and supercritical too", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme()))
    for (const double froude : {0.5, 1.5, 3.0}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      const double speed = froude * std::sqrt(g), across = 0.3 * speed;
      setup.mesh = "rectangle:16x4:4x1:structured:periodic-y";
      setup.boundaries = "left = inflow 1 " + std::to_string(speed) + " " + std::to_string(across) +
                         (froude > 1 ? "; right = outflow" : "; right = level 0");
      setup.initial.velocity = [=](const Vector3&) { return Vector3(speed, across, 0); };
      INFO(setup.name());
      Basin basin(setup);
      for (int i = 0; i < 400; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
      constexpr double tolerance = 1e-6;  // six digits of the speed are written
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    }
}

TEST_CASE("through an inflow a supercritical flow fills a channel", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme())) {
    if (!setup.scheme().transports_momentum()) continue;  // the others have no bores
    setup.mesh = "rectangle:40x2:10x0.5:structured";
    setup.boundaries = "left = inflow 1 6; right = outflow";
    setup.initial.velocity = [](const Vector3&) { return Vector3(4, 0, 0); };
    INFO(setup.name());
    Basin basin(setup);
    basin.run(40);
    constexpr double tolerance = 1e-6;
    CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    const Values velocity = basin.sample("velocity");
    CHECK((velocity.row(0).array() - 6).abs().maxCoeff() < tolerance);
  }
}

TEST_CASE("what does not fit an inflow is refused", "[boundaries]") {
  Setup setup = one_per_scheme().front();
  for (const char* boundaries : {"left = inflow 0 1", "left = inflow 1 -1", "left = inflow 0:1,1:0 2"}) {
    setup.boundaries = boundaries;
    CHECK_THROWS_AS(Basin(setup), SettingError);
  }
}

/// The power of what the fluxes between cells do to the energy of the mean of both states, W: zero but for schemes that dissipate.
double dissipated_power(const ShallowWater& water, const DiscretizationEntry& entry, const State& before) {
  if (!entry.dissipative) return 0;
  const Discretization& scheme = water.discretization();
  State mean = before, rate = before;
  mean.q = 0.5 * (before.q + water.state().q);
  rate.q.setZero();
  scheme.add_rates(mean, water.forces(), Terms(Term::gravity) | entry.inseparable, 1, rate);
  offered<OpensBoundaries>(scheme)->add_boundary_rates(mean, water.forces(), -1, rate, water.scratch());
  constexpr double delta = 1e-5, density = 1000;
  const auto energy = [&](double dt) {
    State state = mean;
    state.q += dt * rate.q;
    const Vector h = state[scheme.volume()].cwiseQuotient(scheme.cells().area) - scheme.cells().bed;
    return density * (scheme.kinetic_energy(state) + 0.5 * g * scheme.cells().area.dot(h.cwiseAbs2()));
  };
  return (energy(delta) - energy(-delta)) / (2 * delta);
}

TEST_CASE("energy = what there was + work + what came through the boundary, for every kind and friction",
          "[boundaries]") {
  // The ledger takes powers in the middle of steps, of second order; the schemes and ssprk3 are of higher order. What fluxes of
  // finite volumes dissipate between cells stands in no ledger and is measured here.
  constexpr double negligible = 1e-6, second_order = 3;
  constexpr int order = 3;  // whose steps are no longer than those of ssprk3
  for (Setup setup : with_advection(one_per_scheme(order)))
    for (const char* boundaries :
         {"left = wall", "left = discharge 0.6; right = level 0", "right = discharge -0.6; left = level 0",
          "left = level 0.05; right = level -0.05", "left = discharge 0.6; right = outflow",
          "left = inflow 1.02 0.4; right = level 0", "left = inflow 1 4; right = outflow",
          "left = discharge 0:0.6,1:0.7; top = outflow; right = level 0:0,1:0.05"})
      for (const double friction : {0.0, 0.2}) {
        if (setup.stepper().claims.order < order) continue;  // whose own error of the energy is as large
        // Without v·∇v the energy of waves of finite height changes in closed basins, too (wave_scheme.md).
        if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
        const std::string given = boundaries;
        const double speed = given.find("inflow 1 4") != std::string::npos ? 4 : 0.3;
        setup.mesh = "rectangle:16x4:4x1:structured";
        setup.boundaries = boundaries;
        setup.friction = friction;
        setup.initial = packet(0.1, 2, 1);
        setup.initial.velocity = [=, hump = setup.initial.velocity](const Vector3& x) -> Vector3 {
          return Vector3(given == "left = wall" ? 0 : speed, 0, 0) + hump(x);
        };
        INFO(setup.name() << ", friction " << friction);
        std::vector<double> left;
        for (const double part : {1.0 / 16, 1.0 / 32}) {
          Basin basin(setup);
          const double before = basin->energy().total();
          const int steps = static_cast<int>(std::ceil(1 / (part * basin->stable_dt())));
          double dissipated = 0;
          for (int i = 0; i < steps; ++i) {
            const State begin = basin->state();
            REQUIRE(basin.step(1.0 / steps));
            dissipated += dissipated_power(*basin.operator->(), setup.scheme(), begin) / steps;
          }
          left.push_back(std::abs(basin->energy().total() - basin->ledger().work() - dissipated - before) /
                         before);
        }
        CAPTURE(left);
        CHECK((left[1] < negligible || left[0] / left[1] > second_order));
      }
}

TEST_CASE("a discharge ends in a flow that is the same through every section, and does not drift",
          "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme())) {
    // Without v·∇v a flow on dec grows waves where triangles are right-angled (d_T = 0: the depth is taken
    // from downstream), as at the ends of staggered rows; merged squares have equal shares.
    setup.mesh = setup.advection == "none" ? "rectangle:40x4:10x1:structured" : "rectangle:40x4:10x1";
    setup.boundaries = "left = discharge 0:0,2:0.1; right = outflow";
    INFO(setup.name());
    Basin basin(setup);
    const double crossing = 10 / std::sqrt(g);
    basin.run(10 * crossing);
    const auto check = [&] {
      const Values velocity = basin.sample("velocity"), depth = basin.sample("depth_at_faces");
      const Geometry& geometry = basin->geometry();
      double worst = 0;  // away from the ends, where dec's vectors miss the edge of the boundary
      for (Index k = 0; k < depth.cols(); ++k) {
        const double x = geometry.centroid(basin.surface().mesh, k).x();
        if (x > 1 && x < 9) worst = std::max(worst, std::abs(velocity(0, k) * depth(0, k) / 0.1 - 1));
      }
      CAPTURE(worst);
      CHECK(worst < 0.02);
    };
    check();
    const double volume = basin->volume().sum();
    basin.run(100 * crossing);
    check();
    CHECK(basin->volume().sum() == Approx(volume).epsilon(1e-3));
  }
}

TEST_CASE("turned, raised on edge and in kilometres a basin does the same", "[boundaries]") {
  constexpr double scale = 1000;
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()) * Eigen::AngleAxisd(0.7, Vector3::UnitY()))
          .toRotationMatrix();
  for (Setup setup : explicit_pairs()) {
    setup.mesh = "rectangle:20x4:10x2";
    setup.boundaries = "left = discharge 0.3; right = outflow; top = level 0.02";
    setup.initial = packet(0.1, 5, 2);
    INFO(setup.name());
    Basin basin(setup);
    Setup large = setup;
    large.place = [&](const Vector3& x) { return Vector3(scale * (turn * x)); };
    const auto back = [&](const Vector3& x) { return Vector3(turn.transpose() * x / scale); };
    large.bed = [&](const Vector3& x) { return scale * setup.bed(back(x)); };
    large.initial = {[&](const Vector3& x) { return scale * setup.initial.depth(back(x)); },
                     [&](const Vector3& x) {
                       return Vector3(std::sqrt(scale) * (turn * setup.initial.velocity(back(x))));
                     }};
    large.boundaries = "left = discharge " + std::to_string(0.3 * std::pow(scale, 2.5)) +
                       "; right = outflow; top = level 20";
    Basin big(large);
    const double dt = 0.3 * basin->stable_dt();
    for (int i = 0; i < 100; ++i) REQUIRE((basin.step(dt) && big.step(std::sqrt(scale) * dt)));
    const Vector a = basin->volume(), b = big->volume();
    constexpr double tolerance = 1e-10;
    CHECK((b / std::pow(scale, 3) - a).cwiseAbs().maxCoeff() < tolerance * a.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("saved and restored with boundaries, a model goes on with the same bits", "[boundaries]") {
  for (Setup setup : explicit_pairs()) {
    setup.boundaries = "left = discharge 0:0,1:0.3; right = outflow; top = inflow 0:1,1:1.1 0.2 0:0,1:-0.1";
    INFO(setup.name());
    Basin whole(setup);
    Archive saved;
    for (int i = 0; i < 12; ++i) {
      if (i == 6) whole->save(saved);
      REQUIRE(whole.step(0.02));
    }
    Setup walls = setup;
    walls.boundaries.clear();
    Basin resumed(walls);
    resumed->restore(saved);
    for (int i = 6; i < 12; ++i) REQUIRE(resumed.step(0.02));
    CHECK((whole->state().q.array() == resumed->state().q.array()).all());
    CHECK(whole->ledger().mass_source == resumed->ledger().mass_source);
    CHECK(whole->ledger().work_source == resumed->ledger().work_source);
  }
}

TEST_CASE("a change of scheme keeps the boundaries", "[boundaries]") {
  for (Setup from : explicit_pairs())
    for (const Setup& to : explicit_pairs()) {
      from.boundaries = "left = discharge 0.3; right = level 0";
      INFO(from.name() + " → " + to.name());
      Basin basin(from);
      for (int i = 0; i < 5; ++i) REQUIRE(basin.step(0.01));
      const Parameters parameters = Basin::parameters_of(to);
      const double before = basin->volume().sum() - basin->ledger().mass_source / 1000;
      basin->change(Basin::setting(to, parameters));
      const double source = basin->ledger().mass_source;
      for (int i = 0; i < 5; ++i) REQUIRE(basin.step(0.01));
      CHECK(std::abs(basin->volume().sum() - basin->ledger().mass_source / 1000 - before) < 1e-12 * before);
      CHECK(basin->ledger().mass_source - source > 5);  // 15 kg came in, some has left by then
    }
}

TEST_CASE("a wave that has gone around a periodic rectangle is back, to the scheme's order", "[boundaries]") {
  for (Setup setup : one_per_scheme())
    for (const char* layout : {"periodic", "structured:periodic", "periodic-x"}) {
      INFO(setup.name() << layout);
      std::vector<double> sizes, errors;
      for (const int cells : {16, 32, 64}) {
        setup.mesh =
            "rectangle:" + std::to_string(cells) + "x4:8x" + std::to_string(32.0 / cells) + ":" + layout;
        const double k = 2 * std::numbers::pi / 8;
        constexpr double amplitude = 1e-6;
        const auto wave = [=](const Vector3& x) { return amplitude * std::sin(k * x.x()); };
        setup.initial = {[=](const Vector3& x) { return 1 + wave(x); },
                         [=](const Vector3& x) { return Vector3(std::sqrt(g) * wave(x), 0, 0); }};
        Basin basin(setup);
        const Vector before = basin.elevation();
        basin.run(8 / std::sqrt(g), 0.25);
        sizes.push_back(1.0 / cells);
        errors.push_back((basin.elevation() - before).norm() / before.norm());
      }
      CAPTURE(errors);
      CHECK(test::slope(sizes, errors) > (setup.scheme().dissipative ? 0.6 : 1.8));
    }
}

TEST_CASE("on a periodic rectangle data shifted by a cell give the solution shifted by a cell",
          "[boundaries]") {
  constexpr double width = 3, height = 2;
  std::vector<Setup> setups;
  for (const Setup& pair : explicit_pairs())
    for (const AdvectionEntry& entry : test::catalog().advections) {  // rates and transports
      if (!entry.incompatibility(pair.scheme(), pair.stepper(), Basin::parameters_of(pair)).empty()) continue;
      setups.push_back(pair);
      setups.back().advection = entry.name;
    }
  for (Setup setup : setups) {
    setup.mesh = "rectangle:12x8:3x2:structured:periodic";
    INFO(setup.name());
    const auto solution = [&](const Vector3& shift) {
      setup.initial = {[=](const Vector3& x) {
                         const Vector3 y = x - shift;
                         return 1 + 0.1 * std::sin(2 * std::numbers::pi * y.x() / width) *
                                        std::cos(4 * std::numbers::pi * y.y() / height);
                       },
                       [=](const Vector3& x) {
                         return Vector3(0.1 * std::cos(2 * std::numbers::pi * (x - shift).y() / height), 0.05,
                                        0);
                       }};
      Basin basin(setup);
      for (int i = 0; i < 100; ++i) REQUIRE(basin.step(0.01));
      return std::pair(basin.elevation(), Points(basin.cells().points));
    };
    const Vector3 shift(0.25, 0.25, 0);
    const auto [plain, points] = solution(Vector3::Zero());
    const auto [shifted, same_points] = solution(shift);
    const auto key = [&](const Vector3& x) {  // in twelfths of a cell, wrapped
      const auto wrap = [](double t, double period) {
        const long n = std::lround(t / period * 1200);
        return ((n % 1200) + 1200) % 1200;
      };
      return std::pair(wrap(x.x(), width), wrap(x.y(), height));
    };
    std::map<std::pair<long, long>, double> at;
    for (Index i = 0; i < plain.size(); ++i) at[key(points.col(i) + shift)] = plain[i];
    double worst = 0;
    for (Index i = 0; i < shifted.size(); ++i)
      worst = std::max(worst, std::abs(at.at(key(points.col(i))) - shifted[i]));
    CHECK(worst < 1e-12);
  }
}
