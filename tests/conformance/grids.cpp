// Requirements on every scheme for square cells, under the integrator `own`: the counterparts of conformance.cpp and model.cpp.
#include "discretizations/common/parallel.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/trial.hpp"

#include <cmath>
#include <random>

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
      CHECK(of_velocity <= 1e-12);
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
