// Sources for every listed pair that supports them: the ledger equals the water taken by the stages, missing water is
// not taken, and rain has its own velocity.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/stepping.hpp"

#include <cmath>
#include <numbers>

using namespace shoal;
using test::Largest, test::step_until;

namespace {

constexpr double g = 9.81, density = 1000;
constexpr double round_off = 1e-12;  // relative, of sums over some hundred cells and steps

struct Setup {
  std::string discretization, integrator;
  std::string mesh = "rectangle:6x6:6x6:structured:periodic";
  double depth = 1;
  ScalarField bed = {};  ///< with the water up to its zero; of no value: `depth` everywhere
  Vector3 velocity = Vector3::Zero();
  Motion motion = {};
  std::map<std::string, Value> parameters = {};

  std::string name() const { return discretization + " × " + integrator + ", " + mesh; }
  const DiscretizationEntry& scheme() const { return test::catalog().discretizations.find(discretization); }
  const IntegratorEntry& stepper() const { return test::catalog().integrators.find(integrator); }
};

class Pool {
 public:
  explicit Pool(const Setup& setup)
      : setup_(setup),
        surface_(load_surface(setup.mesh)),
        water_(
            surface_.mesh, surface_.x,
            setup.bed ? setup.bed : [depth = setup.depth](const Vector3&) { return depth; },
            Forcing{Vector::Constant(surface_.mesh.vertex_count, -g)}, setting(setup),
            [&](const Discretization& scheme, const Forces&) {
              return scheme.project(
                  {[&](const Vector3& x) { return setup_.bed ? std::max(0.0, setup_.bed(x)) : setup_.depth; },
                   [&](const Vector3&) { return setup_.velocity; }});
            }) {}

  static ShallowWaterSetting setting(const Setup& setup) {
    const LinearSolverEntry& solver = test::catalog().linear_solvers.find("multifrontal");
    return with_parameters({.discretization = setup.scheme(),
                            .integrator = setup.stepper(),
                            .linear_solver = setup.stepper().uses_linear_solver ? &solver : nullptr},
                           setup.parameters);
  }

  Forcing forcing() const { return Forcing{Vector::Constant(surface_.mesh.vertex_count, -g)}; }
  bool step(double dt) { return water_.step(dt, clock_).ok; }
  ShallowWater* operator->() { return &water_; }
  const Surface& surface() const { return surface_; }
  const Cells& cells() const { return water_.discretization().cells(); }
  Vector depth() const { return water_.volume().cwiseQuotient(cells().area); }
  Values velocity() const {
    Values values;
    water_.sample("velocity", values);
    return values;
  }

 private:
  Setup setup_;
  Surface surface_;
  ShallowWater water_;
  StageClock clock_;
};

template <class Schemes>
std::vector<Setup> pairs_of(Schemes&& schemes) {
  std::vector<Setup> all;
  for (const DiscretizationEntry& scheme : schemes)
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      const Setup setup{scheme.name, integrator.name};
      const Parameters options = Pool::setting(setup).parameters;
      if (test::is_tested(scheme, integrator) && integrator.incompatibility(scheme, options).empty() &&
          integrator.mass_drift(options).empty())
        all.push_back(setup);
    }
  return all;
}
std::vector<Setup> pairs() {
  return pairs_of(test::surface_schemes());
}
template <class Capability>
std::vector<Setup> pairs_with() {
  return pairs_of(test::surface_schemes_with<Capability>());
}
/// On the default mesh.
std::vector<Setup> pairs_on_squares() {
  return pairs_of(test::catalog().discretizations);
}

/// Rain at this rate everywhere, with this velocity.
DistributedInflow rain(double rate, double area, std::optional<Points> velocity) {
  return {[](const Vector3&) { return 1.0; }, rate * area, std::move(velocity)};
}

}  // namespace

TEST_CASE("rain at rest slows a uniform flow so that its momentum stays", "[sources]") {
  for (Setup setup : pairs_on_squares()) {
    setup.velocity = Vector3(1, 0.5, 0);
    INFO(setup.name());
    Pool pool(setup);
    Forcing forcing = pool.forcing();
    const double area = pool->geometry().total_area();
    forcing.distributed_inflows = {rain(0.5, area, Points(3, 0))};
    pool->set_forcing(forcing);
    if (!pool->has_velocity()) {
      CHECK_THROWS_AS(pool.step(0.01), Refusal);
      continue;
    }
    constexpr int steps = 100;
    for (int i = 0; i < steps; ++i) REQUIRE(pool.step(0.01));
    // (η v)_t = 0: exact for one stage; Runge–Kutta methods have their error in v = M/η.
    constexpr double of_stages = 1e-5;
    const Values velocity = pool.velocity();
    CHECK((velocity.colwise() - Vector3(1, 0.5, 0) / 1.5).colwise().norm().maxCoeff<Eigen::PropagateNaN>() <
          of_stages);
    // ½ M²/η
    const double before = 0.5 * density * area * 1.25, now = before / 1.5;
    CHECK(pool->energy().kinetic == Approx(now).epsilon(1e-4));
    constexpr double of_step = 1e-3;  // of the energy at the middle of a step, second order
    CHECK(pool->ledger().work_source == Approx(now - before).epsilon(of_step));
  }
}

TEST_CASE("rain with the velocity of the water leaves it, rain with its own brings it", "[sources]") {
  for (Setup setup : pairs_on_squares()) {
    setup.velocity = Vector3(1, 0, 0);
    for (const bool own : {false, true}) {
      INFO(setup.name() << (own ? ", own" : ", of the water"));
      Pool pool(setup);
      if (own && !pool->has_velocity()) continue;
      Forcing forcing = pool.forcing();
      std::optional<Points> velocity;
      if (own) velocity = Vector3(0, 2, 5).replicate(1, pool.surface().mesh.vertex_count);
      forcing.distributed_inflows = {rain(0.5, pool->geometry().total_area(), velocity)};
      pool->set_forcing(forcing);
      for (int i = 0; i < 100; ++i) REQUIRE(pool.step(0.01));
      if (!pool->has_velocity()) {
        CHECK(pool.depth().minCoeff() == Approx(1.5).epsilon(round_off));
        continue;
      }
      const Vector3 expected = own ? Vector3(1 / 1.5, 2 * 0.5 / 1.5, 0) : Vector3(1, 0, 0);
      const Values found = pool.velocity();
      constexpr double of_stages = 1e-5;
      CHECK((found.colwise() - expected).colwise().norm().maxCoeff<Eigen::PropagateNaN>() < of_stages);
    }
  }
}

TEST_CASE("rain at rest in space slows water on a surface that slides along with it", "[sources]") {
  // Mesh and water go with 1 m/s: the velocity in space becomes 1/η, relative to the mesh 1/η − 1. Far from the walls,
  // of which nothing is felt before 3 m/√(gη).
  for (Setup setup : pairs_with<MovesWithSurface>()) {
    setup.mesh = "rectangle:6x6:6x6";
    INFO(setup.name());
    Pool pool(setup);
    if (!pool->has_velocity()) continue;
    const Points rest = pool.surface().x;
    pool->follow([&](double time, Points& x) { x = rest.colwise() + Vector3(time, 0, 0); }, 0.01);
    Forcing forcing = pool.forcing();
    forcing.distributed_inflows = {rain(0.5, pool->geometry().total_area(), Points(3, 0))};
    pool->set_forcing(forcing);
    for (int i = 0; i < 10; ++i) REQUIRE(pool.step(0.01));
    const Values velocity = pool.velocity();
    constexpr double of_walls = 1e-3;  // through the matrices of implicit steps
    Largest error;
    for (Index k = 0; k < velocity.cols(); ++k) {
      const Vector3 middle = pool->geometry().centroid(pool.surface().mesh, k) - Vector3(3.1, 3, 0);
      if (middle.cwiseAbs().maxCoeff() < 1) error.add((velocity.col(k) - Vector3(1 / 1.05 - 1, 0, 0)).norm());
    }
    CHECK(error.value() < of_walls);
  }
}

TEST_CASE("water that comes in on a dry slope gets no faster than it falls", "[sources]") {
  // From the upper end, 0.34 m above the lake, √(2g 0.34) = 2.6 m/s, and what the water spreads with besides.
  for (const char* mesh :
       {"rectangle:16x6:1.6x0.6", "rectangle:32x12:1.6x0.6", "rectangle:16x6:1.6x0.6:structured"})
    for (Setup setup : pairs()) {
      if (!setup.scheme().transports_momentum() || !setup.stepper().claims.positive) continue;
      setup.mesh = mesh;
      setup.bed = [](const Vector3& x) { return 0.3 - 0.4 * x.x(); };
      INFO(setup.name());
      Pool pool(setup);
      Forcing forcing = pool.forcing();
      forcing.distributed_inflows = {
          {[](const Vector3& x) { return std::exp(-100 * (x - Vector3(1.2, 0.3, 0)).squaredNorm()); }, 0.02,
           std::nullopt}};
      pool->set_forcing(forcing);
      double fastest = 0;
      step_until(
          2, [&] { return pool->time(); }, [&] { return std::min(0.01, 0.5 * pool->stable_dt()); },
          [&](double dt) {
            const bool ok = pool.step(dt) && pool->state().q.allFinite();
            fastest = std::max(fastest, pool.velocity().colwise().norm().maxCoeff());
            return ok;
          });
      CHECK(fastest < 3.3);
      CHECK(pool->volume().minCoeff() >= -1e-12);
    }
}

TEST_CASE("sinks take no water that is not there, and say how much they lack", "[sources]") {
  for (Setup setup : pairs_on_squares())
    for (const double speed : {0.0, 0.3}) {
      if (setup.scheme().square_cells && !setup.scheme().positive) continue;  // may end where land runs dry
      setup.depth = 0.01;
      setup.velocity = Vector3(speed, 0, 0);
      INFO(setup.name() << ", speed " << speed);
      Pool pool(setup);
      Forcing forcing = pool.forcing();
      const double area = pool->geometry().total_area(), start = pool->volume().sum();
      constexpr double rate = 0.02, dt = 0.02, end = 2;
      forcing.distributed_inflows = {rain(-rate, area, std::nullopt)};
      pool->set_forcing(forcing);
      for (int i = 0; i < static_cast<int>(end / dt); ++i) {
        REQUIRE(pool.step(dt));
        REQUIRE(pool->volume().minCoeff() >= 0);
      }
      const Ledger ledger = pool->ledger();
      const double gone = start - pool->volume().sum();
      CHECK(gone == Approx(start).epsilon(1e-6));
      CHECK(-ledger.mass_source == Approx(density * gone).epsilon(round_off));
      CHECK(ledger.mass_lacking == Approx(density * (rate * area * end - gone)).epsilon(round_off));
      if (pool->has_velocity()) CHECK(pool.velocity().allFinite());
    }
}

TEST_CASE("a discharge outwards takes no water that is not there", "[sources]") {
  for (Setup setup : pairs_with<OpensBoundaries>()) {
    setup.mesh = "rectangle:6x2:6x2";
    setup.depth = 0.05;
    INFO(setup.name());
    Pool pool(setup);
    Forcing forcing = pool.forcing();
    constexpr double rate = 0.4, dt = 0.01, end = 3;  // 0.6 m³ are there
    forcing.boundaries = parse_boundaries("left = discharge -0.4");
    pool->set_forcing(forcing);
    const double start = pool->volume().sum();
    for (int i = 0; i < static_cast<int>(end / dt); ++i) {
      REQUIRE(pool.step(dt));
      if (setup.scheme().transports_momentum() && setup.stepper().claims.positive)
        REQUIRE(pool->volume().minCoeff() >= 0);
    }
    const Ledger ledger = pool->ledger();
    const double gone = start - pool->volume().sum();
    CHECK(gone < start * (1 + round_off));
    CHECK(-ledger.mass_source == Approx(density * gone).epsilon(round_off));
    CHECK(ledger.mass_lacking == Approx(density * (rate * end - gone)).epsilon(round_off));
    CHECK(ledger.mass_lacking > 0);
  }
}

TEST_CASE("an exchange takes no water that is not there", "[sources]") {
  for (const Setup& setup : pairs_on_squares()) {
    INFO(setup.name());
    Pool pool(setup);
    const double start = pool->volume().sum(), there = pool->volume()[3];
    Vector volume = Vector::Zero(pool.cells().count());
    volume[3] = -1.5 * there;
    pool->exchange(volume, {});
    CHECK(pool->volume()[3] == Approx(0).margin(round_off * there));
    CHECK(pool->volume().sum() == Approx(start - there).epsilon(round_off));
    CHECK(pool->ledger().mass_source == Approx(-density * there).epsilon(round_off));
    CHECK(pool->ledger().mass_lacking == Approx(0.5 * density * there).epsilon(round_off));
  }
}

TEST_CASE("rain that varies is booked as the stages took it, on surfaces at rest and in motion",
          "[sources]") {
  for (Setup setup : pairs())
    for (const bool moves : {false, true}) {
      if (moves && !setup.scheme().offers_capability<MovesWithSurface>()) continue;
      setup.mesh = "icosphere:2";
      INFO(setup.name() << (moves ? ", moving" : ", at rest"));
      Pool pool(setup);
      const Points rest = pool.surface().x;
      const auto now = std::make_shared<double>(0);
      Forcing forcing = pool.forcing();
      forcing.distributed_inflows = {
          {[now](const Vector3& x) { return 1.5 + x.x() + std::sin(9 * *now); }, 0, std::nullopt},
          {[](const Vector3& x) { return 1 + 0.5 * x.y(); }, 0, std::nullopt}};
      pool->set_forcing(forcing);
      TimedForces rain({{.add =
                             [now](double time, const WaterNow&, double, ForceSum& sum) {
                               *now = time;
                               sum.distributed_inflow(0).discharge = 0.3 * (1 + std::sin(9 * time));
                               sum.distributed_inflow(1).discharge = -0.2 * (1 + std::cos(5 * time));
                             },
                         .works = false}});
      pool->add_term(rain);
      if (moves)
        pool->follow([&](double time, Points& x) { x = (1 + 0.1 * std::sin(4 * time)) * rest; }, 0.01);
      const double start = pool->volume().sum();
      for (int i = 0; i < 60; ++i) {
        REQUIRE(pool.step(0.01));
        const double booked = pool->ledger().mass_source / density;
        REQUIRE(std::abs(pool->volume().sum() - start - booked) < round_off * start);
      }
      CHECK(pool->ledger().mass_lacking == 0);
      CHECK(pool->ledger().mass_source != 0);
    }
}

TEST_CASE("energy less what sources and sinks give stays what it was", "[sources]") {
  // Rain at rest in one half and a sink in the other, on still water: the budget has the error of a step.
  for (Setup setup : pairs()) {
    if (setup.scheme().dissipative) continue;
    setup.mesh = "icosphere:2";
    INFO(setup.name());
    Pool pool(setup);
    if (!pool->has_velocity()) continue;
    Forcing forcing = pool.forcing();
    forcing.distributed_inflows = {
        {[](const Vector3& x) { return std::max(0.0, x.z()); }, 0.05, Points(3, 0)},
        {[](const Vector3& x) { return std::max(0.0, -x.z()); }, -0.05, std::nullopt}};
    pool->set_forcing(forcing);
    for (int i = 0; i < 800; ++i) REQUIRE(pool.step(0.5 / 800));
    const double gained = pool->energy().total(), given = pool->ledger().work_source;
    CHECK(given > 0);
    // First-order explicit and implicit steps damp or lead; model.cpp compares the longest wave with theory.
    const auto& theory = setup.stepper().amplification;
    const double left =
        theory ? std::pow(theory({std::sqrt(2 * g), 0.5 / 800, 1, Pool::setting(setup).parameters}).modulus,
                          1600)
               : 1;
    constexpr double first_order = 0.02;
    if (left < 1 - first_order)
      CHECK(gained < given);
    else
      CHECK(gained == Approx(given).epsilon(first_order));
  }
}
