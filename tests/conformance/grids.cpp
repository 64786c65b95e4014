// Requirements on every scheme for square cells, under the integrator `own`: the counterparts of conformance.cpp and model.cpp.
#include "discretizations/common/parallel.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/trial.hpp"

#include <cmath>
#include <random>
#include <tuple>

using namespace shoal;
using namespace shoal::test;

namespace {

std::vector<std::string> tested_grids() {
  std::vector<std::string> names;
  for (const DiscretizationEntry& scheme : grid_schemes())
    if (is_tested(scheme)) names.push_back(scheme.name);
  return names;
}

/// 12 × 10 cells of 0.1 m without a corner and with an island.
bool in_bay(Index i, Index j) {
  return !(i >= 8 && j >= 6) && !(i >= 3 && i < 5 && j >= 3 && j < 6);
}

const ScalarField hills = [](const Vector3& x) {
  return 1 + 0.3 * std::sin(9 * x.x() + 2) * std::cos(7 * x.y() - 3 * x.z());
};

Configuration on(const std::string& scheme, Surface surface) {
  return {.surface = std::move(surface), .discretization = scheme, .integrator = "own"};
}

/// Waves and a swirl, without any symmetry.
Fields stirred(const Eigen::Matrix3d& map = Eigen::Matrix3d::Identity()) {
  const Eigen::Matrix3d back = map.inverse();
  return {[=](const Vector3& y) {
            const Vector3 x = back * y;
            return 1 + 0.05 * std::cos(8 * x.x() + 1) * std::sin(5 * x.y() - 2);
          },
          [=](const Vector3& y) {
            const Vector3 x = back * y;
            return Vector3(map * Vector3(0.2 * std::sin(6 * x.y()), 0.1 * std::cos(4 * x.x()), 0));
          }};
}

/// Rain may fall on cell 5, and a wind blows.
VectorField wind(const Eigen::Matrix3d& map = Eigen::Matrix3d::Identity()) {
  return [=](const Vector3&) { return Vector3(map * Vector3(0.3, -0.1, 0)); };
}

double half_of_stable(const Trial& trial) {
  return 0.5 * trial.stable_dt();
}

/// h and v at the points of the cells.
struct Water {
  Points at;
  Vector depth;
  Points velocity;
};

Water water_of(const Trial& trial) {
  const Cells& cells = trial.discretization->cells();
  Water water{cells.points, trial.volume().cwiseQuotient(cells.area), Points(3, cells.count())};
  const Values velocity = trial.sample("velocity");
  for (Index k = 0; k < velocity.cols(); ++k) water.velocity.col(cells.of_element[k]) = velocity.col(k);
  return water;
}

}  // namespace

TEST_CASE("grids: still water stays still over hills and around islands", "[grids]") {
  for (const std::string& scheme : tested_grids())
    for (const Surface& surface : {squares(12, 10, 0.1), squares(12, 10, 0.1, in_bay),
                                   load_surface("rectangle:12x10:1.2x1:structured:periodic"),
                                   load_surface("rectangle:9x1:9x1:structured")})
      for (const ScalarField& bed : {ScalarField([](const Vector3&) { return 1.0; }), hills}) {
        INFO(scheme << " on " << surface.name);
        Configuration setup = on(scheme, surface);
        setup.bed_depth = bed;
        setup.initial.depth = bed;
        Trial trial(setup);
        trial.prepare(half_of_stable(trial));
        trial.run(200);
        // A few units of round-off of the depth; velocities are sums of 200 steps of them.
        CHECK(trial.max_elevation() <= 3e-15);
        CHECK(trial.sample("velocity").colwise().norm().maxCoeff() <= 3e-14);
      }
}

TEST_CASE("grids: a lake with a shore stays still, or dry land is refused", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(40, 6, 0.1));
    setup.bed_depth = [](const Vector3& x) { return 0.5 - 0.4 * x.x() + 0.05 * std::sin(9 * x.y()); };
    setup.initial.depth = [bed = setup.bed_depth](const Vector3& x) { return std::max(0.0, bed(x)); };
    std::unique_ptr<Trial> trial;
    try {
      trial = std::make_unique<Trial>(setup);
    } catch (const Refusal& refusal) {
      CHECK(std::string(refusal.what()).find("water everywhere") != std::string::npos);
      continue;
    }
    const Vector before = trial->volume();
    trial->prepare(half_of_stable(*trial));
    trial->run(200);
    CHECK((trial->volume() - before).cwiseAbs().maxCoeff() <= 1e-16);
    CHECK(trial->velocity().cwiseAbs().maxCoeff() <= 1e-13);
  }
}

TEST_CASE("grids: mass is kept to round-off", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(12, 10, 0.1, in_bay));
    setup.bed_depth = hills;
    setup.initial = stirred();
    setup.body_acceleration = wind();
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    const double before = trial.mass();
    trial.run(1000);
    CHECK(std::abs(trial.mass() / before - 1) <= 1e-13);
    CHECK(trial.kinetic_energy() > 0);
  }
}

TEST_CASE("grids: the number of threads does not change a bit", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    std::vector<State> states;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      Configuration setup =
          on(scheme, squares(90, 70, 0.1, [](Index i, Index j) { return i != 40 || j > 30; }));
      setup.bed_depth = hills;
      setup.initial = stirred();
      setup.body_acceleration = wind();
      Trial trial(setup);
      trial.prepare(half_of_stable(trial));
      trial.run(5);
      states.push_back(trial.state);
    }
    set_thread_count(1);
    for (const State& state : states) CHECK((state.q.array() == states.front().q.array()).all());
  }
}

TEST_CASE("grids: turned and mirrored scenes give turned and mirrored water", "[grids]") {
  Eigen::Matrix3d quarter, mirror;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  mirror << -1, 0, 0, 0, 1, 0, 0, 0, 1;
  for (const std::string& scheme : tested_grids()) {
    const auto run = [&](const Eigen::Matrix3d& map) {
      Configuration setup = on(scheme, squares(12, 10, 0.1, in_bay, map));
      setup.bed_depth = [map](const Vector3& y) { return hills(map.inverse() * y); };
      setup.initial = stirred(map);
      setup.body_acceleration = wind(map);
      Trial trial(setup);
      trial.prepare(0.3 * 0.1 / std::sqrt(gravity));
      trial.run(40);
      return water_of(trial);
    };
    const Water plain = run(Eigen::Matrix3d::Identity());
    for (const Eigen::Matrix3d& map :
         {quarter, Eigen::Matrix3d(quarter * quarter), mirror, Eigen::Matrix3d(quarter * mirror)}) {
      INFO(scheme << " under\n" << map);
      const Water other = run(map);
      double of_depth = 0, of_velocity = 0;
      for (Index c = 0; c < plain.at.cols(); ++c) {
        Index d = 0;
        (other.at.colwise() - Vector3(map * plain.at.col(c))).colwise().norm().minCoeff(&d);
        of_depth = std::max(of_depth, std::abs(plain.depth[c] - other.depth[d]));
        of_velocity = std::max(of_velocity, (map * plain.velocity.col(c) - other.velocity.col(d)).norm());
      }
      CHECK(of_depth <= 1e-13);
      CHECK(of_velocity <= 1e-13);
      CHECK(plain.velocity.norm() > 0.1);
    }
  }
}

TEST_CASE("grids: depths stay positive where it is claimed", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    if (!catalog().discretizations.find(scheme).positive) continue;
    INFO(scheme);
    Configuration setup = on(scheme, squares(30, 4, 0.1));
    setup.bed_depth = [](const Vector3& x) { return 0.5 - 0.2 * x.x(); };
    setup.initial.depth = [](const Vector3& x) { return x.x() < 1 ? 0.8 : 0.0; };
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    for (int i = 0; i < 200; ++i) {
      REQUIRE(trial.step().ok);
      REQUIRE(trial.volume().minCoeff() >= 0);
    }
  }
}

TEST_CASE("grids: stable where stability is claimed", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(16, 12, 0.1));
    setup.initial.depth = [](const Vector3& x) { return 1 + 1e-5 * std::sin(91 * x.x() + 57 * x.y()); };
    Trial trial(setup);
    trial.prepare(0.95 * trial.stable_dt());
    const double before = trial.energy();
    trial.run(1000);
    CHECK(trial.energy() <= 10 * before);
  }
}

TEST_CASE("grids: steps of random length keep mass, and a restored run the bits", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(12, 10, 0.1, in_bay));
    setup.bed_depth = hills;
    setup.initial = stirred();
    Trial first(setup), second(setup);
    const double dt = half_of_stable(first), before = first.mass();
    first.prepare(dt);
    second.prepare(dt);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> part(0.5, 1);
    StageClock clock;
    for (int i = 0; i < 20; ++i) REQUIRE(first.water->step(part(random) * dt, clock).ok);
    Archive archive;
    first.water->save(archive);
    second.water->restore(archive);
    for (int i = 0; i < 20; ++i) {
      const double step = part(random) * dt;
      REQUIRE(first.water->step(step, clock).ok);
      REQUIRE(second.water->step(step, clock).ok);
    }
    CHECK((first.water->state().q.array() == second.water->state().q.array()).all());
    CHECK(std::abs(first.water->total_volume() / before - 1) <= 1e-13);
  }
}

TEST_CASE("grids: water and momentum that are exchanged are booked", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(12, 10, 0.1));
    setup.initial.depth = [](const Vector3&) { return 1.0; };
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    Vector volume = Vector::Zero(trial.discretization->cells().count());
    volume[7] = 1e-3;
    const Points impulse = Vector3(2e-4, -1e-4, 0).replicate(1, trial.surface.mesh.face_count());
    ShallowWater& water = *trial.water;
    const double before = water.total_volume(), energy = water.energy().total();
    water.exchange(volume, impulse);
    Values velocity;
    water.sample("velocity", velocity);
    Vector3 momentum = Vector3::Zero();
    const Cells& cells = water.discretization().cells();
    for (Index k = 0; k < velocity.cols(); ++k)
      momentum += 0.5 * water.volume()[cells.of_element[k]] * velocity.col(k);
    CHECK(water.total_volume() - before == Approx(1e-3).epsilon(1e-9));
    CHECK((momentum - impulse.rowwise().sum()).norm() <=
          0.2 * impulse.rowwise().sum().norm());  // walls stop the sides beside them
    CHECK(water.ledger().mass_source == Approx(1e-3).epsilon(1e-12));
    CHECK(water.ledger().work_source == Approx(water.energy().total() - energy).epsilon(1e-9));
  }
}

TEST_CASE("grids: the work of a wind is the gain of energy", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    Configuration setup = on(scheme, squares(40, 40, 0.1));
    setup.initial.depth = [](const Vector3&) { return 1.0; };
    setup.body_acceleration = [](const Vector3&) { return Vector3(0.01, 0, 0); };
    setup.forced = true;
    Trial trial(setup);
    trial.prepare(0.1 * trial.stable_dt());
    trial.run(10);  // waves have come a few cells from the walls
    const double gain = trial.water->energy().total();
    CHECK(gain > 0);
    CHECK(trial.water->ledger().work_forces == Approx(gain).epsilon(0.05));
  }
}

namespace {

/// With open boundaries; of height-map also other forms.
std::vector<std::pair<std::string, std::map<std::string, Value>>> opening_grids() {
  std::vector<std::pair<std::string, std::map<std::string, Value>>> all;
  for (const std::string& scheme : tested_grids()) {
    if (!catalog().discretizations.find(scheme).offers_capability<OpensBoundaries>()) continue;
    all.push_back({scheme, {}});
    if (scheme == "lattice-boltzmann") all.push_back({scheme, {{"tau", 0.8}}});
    // Of the source's packets, short waves grow unless steps are short (grid.md).
    if (scheme == "packets") all.back().second["smoothing"] = 2.0;
    if (scheme == "height-map")
      for (const char* form : {"none", "stelling", "semi-lagrangian"})
        all.push_back({scheme, {{"advection_form", form}}});
  }
  return all;
}

std::string name_of(const std::pair<std::string, std::map<std::string, Value>>& scheme) {
  std::string name = scheme.first;
  for (const auto& [parameter, value] : scheme.second) name += ", " + parameter + " = " + to_string(value);
  return name;
}

Configuration between(const std::pair<std::string, std::map<std::string, Value>>& scheme, const char* mesh,
                      const std::string& boundaries) {
  return {.mesh = mesh,
          .discretization = scheme.first,
          .integrator = "own",
          .parameters = scheme.second,
          .boundaries = parse_boundaries(boundaries)};
}

/// A hump that runs to the right on water of depth 1.
Fields hump(double amplitude, double middle, double width, double flow = 0) {
  const auto at = [=](const Vector3& x) {
    return amplitude * std::exp(-std::pow((x.x() - middle) / width, 2));
  };
  return {[=](const Vector3& x) { return 1 + at(x); },
          [=](const Vector3& x) { return Vector3(flow + std::sqrt(gravity) * at(x), 0, 0); }};
}

}  // namespace

TEST_CASE("grids: still water stays still between open boundaries, over hills", "[grids][boundaries]") {
  std::vector schemes = opening_grids();
  schemes.push_back({"packets", {{"smoothing", 1.05}}});
  for (const auto& scheme : schemes) {
    INFO(name_of(scheme));
    Configuration setup =
        between(scheme, "rectangle:12x6:1.2x0.6:structured",
                "left = level 0; right = outflow; top = discharge 0; bottom = sponge 0.3 2");
    setup.bed_depth = hills;
    setup.initial.depth = hills;
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    trial.run(200);
    constexpr double tolerance = 1e-13;
    CHECK(trial.max_elevation() <= tolerance);
    CHECK(trial.sample("velocity").colwise().norm().maxCoeff() <= tolerance * std::sqrt(gravity));
  }
}

TEST_CASE("grids: what crosses a boundary is booked to round-off", "[grids][boundaries]") {
  for (const auto& scheme : opening_grids())
    for (const char* boundaries :
         {"left = discharge 0.3", "right = discharge -0.2", "left = level 0.05", "right = outflow",
          "left = inflow 1.02 0.5", "left = inflow 1 0.3 0.1; right = level 0:0,1:-0.05",
          "left = discharge 0:0,0.5:0.6; right = level 0:0,1:-0.05; top = outflow; bottom = sponge 0.5 3"}) {
      INFO(name_of(scheme) << ", " << boundaries);
      Configuration setup = between(scheme, "rectangle:20x8:10x4:structured", boundaries);
      setup.initial = hump(0.1, 5, 2);
      Trial trial(setup);
      const double dt = half_of_stable(trial), before = trial.mass();
      trial.prepare(dt);
      std::mt19937_64 random(1);
      std::uniform_real_distribution<double> part(0.1, 1);
      StageClock clock;
      double booked = 0;
      for (int i = 0; i < 200; ++i) {
        REQUIRE(trial.water->step(part(random) * dt, clock).ok);
        const double added = trial.water->ledger().mass_source / trial.water->density();
        booked = std::max(booked, std::abs(trial.water->total_volume() - before - added));
      }
      CHECK(booked <= 1e-13 * before);
      if (setup.boundaries.size() == 1 && setup.boundaries[0].kind == BoundaryKind::discharge)
        CHECK(trial.water->ledger().mass_source / trial.water->density() ==
              Approx(setup.boundaries[0].value.at(0) * trial.water->time()).epsilon(1e-12));
      CHECK(std::isfinite(trial.water->ledger().work_source));
    }
}

/// A discharge into still water sends out a bore, behind which depth and velocity are uniform.
TEST_CASE("grids: the energy that a discharge brings is booked", "[grids][boundaries]") {
  constexpr double still = 0.5, q = 0.3;
  double deep = still, deeper = 2;  // u = q/deep = (deep − still) √(½ g (deep + still)/(deep still))
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (deep + deeper),
                 u = (middle - still) * std::sqrt(0.5 * gravity * (middle + still) / (middle * still));
    (u * middle < q ? deep : deeper) = middle;
  }
  for (const auto& scheme : opening_grids()) {
    const auto form = scheme.second.find("advection_form");
    if (form != scheme.second.end() && form->second != Value("stelling")) continue;  // keeps no momentum
    INFO(name_of(scheme));
    Configuration setup = between(scheme, "rectangle:80x8:10x1:structured", "left = discharge 0.3");
    setup.initial.depth = [](const Vector3&) { return still; };
    Trial trial(setup);
    const double dt = 0.5 * half_of_stable(trial);
    trial.prepare(dt);
    trial.run(static_cast<int>(4 / dt));
    const double time = trial.water->time(),
                 rise = q * time / 10;  // of the mean level, which energy refers to
    const double head = gravity * (deep - still - 0.5 * rise) + 0.5 * std::pow(q / deep, 2);
    CHECK(trial.water->ledger().work_source ==
          Approx(trial.water->density() * q * head * time).epsilon(0.02));
  }
}

TEST_CASE("grids: a wave packet leaves through an outflow", "[grids][boundaries]") {
  for (const auto& scheme : opening_grids()) {
    INFO(name_of(scheme));
    Configuration setup = between(scheme, "rectangle:160x1:40x0.25:structured", "right = outflow");
    constexpr double amplitude = 1e-5;
    setup.initial = hump(amplitude, 30, 2.5);
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    const double energy = trial.water->energy().total();
    while (trial.water->time() < 20 / std::sqrt(gravity)) REQUIRE(trial.step().ok);
    const double reflected = trial.max_elevation() / amplitude;
    CAPTURE(reflected);
    CHECK(reflected < 0.05);  // as for the other schemes (boundary_flows.cpp)
    const double booked = (trial.water->energy().total() - trial.water->ledger().work() - energy) / energy;
    CAPTURE(booked);
    CHECK(booked < 0.01);
  }
}

TEST_CASE("grids: a uniform flow stays between a discharge and a level, and through an inflow",
          "[grids][boundaries]") {
  for (const auto& scheme : opening_grids())
    for (const auto& [boundaries, speed, across] :
         {std::tuple("left = discharge 0.3; right = level 0", 0.3, 0.0),
          std::tuple("left = inflow 1 0.5 0.125; right = level 0", 0.5, 0.125),
          std::tuple("left = inflow 1 6; right = outflow", 6.0, 0.0)}) {
      if (scheme.first == "lattice-boltzmann" && speed > 1) continue;  // subcritical flow alone
      INFO(name_of(scheme) << ", " << boundaries);
      Configuration setup = between(scheme, "rectangle:16x4:4x1:structured:periodic-y", boundaries);
      setup.initial.velocity = [speed = speed, across = across](const Vector3&) {
        return Vector3(speed, across, 0);
      };
      Trial trial(setup);
      trial.prepare(half_of_stable(trial));
      for (int i = 0; i < 400; ++i) REQUIRE(trial.step().ok);
      CHECK(trial.max_elevation() <= 1e-12);
      const Values velocity = trial.sample("velocity");
      CHECK((velocity.row(0).array() - speed).abs().maxCoeff() <= 1e-11);
      CHECK((velocity.row(1).array() - across).abs().maxCoeff() <= 1e-11);
    }
}

TEST_CASE("grids: a restored run with open boundaries has the same bits, on any number of threads",
          "[grids][boundaries]") {
  for (const auto& scheme : opening_grids()) {
    INFO(name_of(scheme));
    const auto setup = [&](const std::string& boundaries) {
      Configuration one = between(scheme, "rectangle:80x60:8x6:structured", boundaries);
      one.initial = hump(0.1, 4, 1);
      return one;
    };
    const std::string boundaries =
        "left = discharge 0:0,1:0.3; right = outflow; top = inflow 0:1,1:1.1 0.2 0:0,1:-0.1";
    std::vector<State> states;
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      Trial whole(setup(boundaries)), resumed(setup(""));
      const double dt = half_of_stable(whole);
      whole.prepare(dt);
      resumed.prepare(dt);
      Archive saved;
      whole.run(4);
      whole.water->save(saved);
      whole.run(4);
      resumed.water->restore(saved);
      resumed.run(4);
      CHECK((whole.water->state().q.array() == resumed.water->state().q.array()).all());
      CHECK(whole.water->ledger().mass_source == resumed.water->ledger().mass_source);
      CHECK(whole.water->ledger().work_source == resumed.water->ledger().work_source);
      states.push_back(whole.water->state());
    }
    set_thread_count(1);
    for (const State& state : states) CHECK((state.q.array() == states.front().q.array()).all());
  }
}

TEST_CASE("grids: a discharge outwards takes what the water can give, and lacks the rest",
          "[grids][boundaries]") {
  for (const auto& scheme : opening_grids()) {
    INFO(name_of(scheme));
    Configuration setup = between(scheme, "rectangle:20x5:2.5x0.625:structured", "left = discharge -0.6");
    setup.bed_depth = [](const Vector3&) { return 0.3; };
    setup.initial.depth = setup.bed_depth;
    Trial trial(setup);
    const double before = trial.mass();
    trial.prepare(half_of_stable(trial));
    while (trial.water->time() < 1) {
      REQUIRE(trial.step().ok);
      REQUIRE(trial.water->volume().minCoeff() > 0);
    }
    const Ledger ledger = trial.water->ledger();
    const double density = trial.water->density();
    CHECK(trial.water->total_volume() == Approx(before + ledger.mass_source / density).epsilon(1e-12));
    CHECK(ledger.mass_lacking > 0);
    CHECK(ledger.mass_source - ledger.mass_lacking ==
          Approx(-0.6 * density * trial.water->time()).epsilon(1e-12));
  }
}

TEST_CASE("grids: a discharge over a bump ends in a flow that is the same through every section",
          "[grids][boundaries][slow]") {
  // bump-sub of SWASHES on 100 cells.
  for (const auto& scheme : opening_grids()) {
    INFO(name_of(scheme));
    if (scheme.first == "lattice-boltzmann")
      continue;  // waves grow at the crest unless steps are much shorter
    Configuration setup =
        between(scheme, "rectangle:100x1:25x0.25:structured", "left = discharge 1.105; right = level 0");
    setup.bed_depth = [](const Vector3& x) {
      return 2 - std::max(0.0, 0.2 - 0.05 * std::pow(x.x() - 10, 2));
    };
    setup.initial.depth = setup.bed_depth;
    Trial trial(setup);
    trial.prepare(half_of_stable(trial));
    const auto volume = [&] { return Vector(trial.water->volume()); };
    while (trial.water->time() < 300) REQUIRE(trial.step().ok);
    const Vector late = volume();
    const double begin = trial.water->time();
    const double mass = trial.water->ledger().mass_source;
    while (trial.water->time() < begin + 10) REQUIRE(trial.step().ok);
    // Where no cell changes, the same discharge crosses all sections: what enters leaves.
    CHECK((volume() - late).cwiseAbs().maxCoeff() <= 1e-5 * late.maxCoeff());
    CHECK(std::abs(trial.water->ledger().mass_source - mass) <= 1e-4 * trial.water->density() * 1.105 * 10);
  }
}

TEST_CASE("grids: other surfaces and integrators are refused", "[grids]") {
  for (const std::string& scheme : tested_grids()) {
    INFO(scheme);
    for (const char* mesh :
         {"icosphere:1", "rectangle:12x8", "rectangle:4x4:4x3:structured", "rectangle:12x8:jittered"}) {
      Configuration setup{.mesh = mesh, .discretization = scheme, .integrator = "own"};
      CHECK_THROWS_AS(Trial(setup), Refusal);
    }
    for (const IntegratorEntry& integrator : catalog().integrators)
      if (!integrator.calls_own_step)
        CHECK(integrator.incompatibility(catalog().discretizations.find(scheme), {}).find("requires rates") !=
              std::string::npos);
  }
  for (const DiscretizationEntry& scheme : surface_schemes())
    CHECK(catalog().integrators.find("own").incompatibility(scheme, {}).find("requires") !=
          std::string::npos);
}
