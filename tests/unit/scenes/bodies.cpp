// Bodies in water: their draft and frequency of oscillation, and the ring wave of a falling ball.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct Flow {
  explicit Flow(const std::string& text)
      : configuration(expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface(load_surface(test::catalog(), configuration)),
        simulation(test::catalog(), configuration, surface) {}
  void step() {
    const StepReport report = simulation.step(clock);
    ASSERT_TRUE(report.ok) << report.reason;
  }
  double height() const { return simulation.world().bodies().pose(0).position.z(); }
  Vector elevation() const {
    Values values;
    simulation.water().sample("depth_at_vertices", values);
    return values.row(0).transpose().array() - simulation.scene().depth;
  }

  RunConfiguration configuration;
  Surface surface;
  Simulation simulation;
  StageClock clock;
};

/// A box of height 0.5 m lies as deep as its density says. The water beside it stands above its level at rest by what has
/// been pushed away from under the box.
TEST(Float, comes_to_rest_at_the_depth_of_Archimedes) {
  for (const std::string scheme : {"fefv", "kinetic"})
    for (const double density : {300, 500, 800}) {
      const double draft = 0.5 * density / 1000;
      Flow pool("scene = 'float'\nmesh = 'rectangle:40x40:5x5'\nend = 20\ndt = '1/100'\ndiscretization = '" +
                scheme + "'\n[parameters]\nfriction = 1\nbody_position = '2.5,2.5," +
                std::to_string(0.25 - draft + 0.01) + "'\nbody_density = " + std::to_string(density));
      double mean = 0;
      int count = 0;
      while (pool.simulation.steps_done() < pool.simulation.steps()) {
        pool.step();
        if (pool.simulation.time() < 15) continue;
        mean += pool.height();
        ++count;
      }
      const Vector elevation = pool.elevation();
      double beside = 0;  // in a corner
      for (Index i = 0; i < elevation.size(); ++i)
        if (pool.surface.x.col(i).head<2>().norm() < 0.5) beside = elevation[i];
      EXPECT_NEAR(beside - (mean / count - 0.25), draft, 0.03 * draft) << scheme << " " << density;
      EXPECT_LT(std::abs(beside), 0.02);
    }
}

/// The time between two upward crossings of the mean height; 0 if there are fewer than two.
double first_period(Flow& pool, double middle) {
  std::vector<double> crossings;
  double before = pool.height();
  while (pool.simulation.steps_done() < pool.simulation.steps() && crossings.size() < 2) {
    pool.step();
    const double now = pool.height();
    if (before < middle && now >= middle)
      crossings.push_back(pool.simulation.time() - pool.simulation.dt() * (now - middle) / (now - before));
    before = now;
  }
  return crossings.size() == 2 ? crossings[1] - crossings[0] : 0;
}

/// ω² = ρ g A/m = g/draft, if waves leave the pool.
TEST(Float, bobs_at_the_frequency_of_its_restoring_force) {
  for (const double density : {500, 800}) {
    const double draft = 0.5 * density / 1000;
    Flow pool(
        "scene = 'float'\nmesh = 'rectangle:64x64:8x8'\nend = 4\ndt = '1/120'\n"
        "boundaries = 'left = outflow; right = outflow; top = outflow; bottom = outflow'\n"
        "[parameters]\nbody_position = '4,4," +
        std::to_string(0.25 - draft + 0.02) + "'\nbody_density = " + std::to_string(density));
    const double period = first_period(pool, 0.25 - draft);
    EXPECT_NEAR(period, 2 * std::numbers::pi * std::sqrt(draft / 9.81), 0.05 * period) << density;
  }
}

/// Something as light as 300 kg/m³ keeps its motion for no more than two periods where the push throws water out of its way;
/// without the push it bobs as the restoring force has it.
TEST(Float, bobs_at_that_frequency_however_light_where_it_pushes_no_water) {
  const double draft = 0.5 * 0.3;
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    Flow pool("scene = 'float'\nmesh = 'rectangle:48x48:6x6'\nend = 3\ndt = '1/120'\ndiscretization = '" +
              scheme +
              "'\nboundaries = 'left = outflow; right = outflow; top = outflow; bottom = outflow'\n"
              "[parameters]\nbody_push = 0\nbody_density = 300\nbody_position = '3,3," +
              std::to_string(0.25 - draft + 0.02) + "'\n");
    const double period = first_period(pool, 0.25 - draft);
    EXPECT_NEAR(period, 2 * std::numbers::pi * std::sqrt(draft / 9.81), 0.01 * period) << scheme;
  }
}

std::string refusal_of(const std::string& text) {
  try {
    const Flow flow(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// No line would meet them for certain, or those that meet them lie beyond the seam.
TEST(Float, refuses_bodies_that_the_columns_cannot_hold) {
  const std::string pool = "scene = 'float'\nend = 1\nmesh = 'rectangle:16x16:8x8";
  EXPECT_EQ(refusal_of(pool + "'\n"), "");
  EXPECT_NE(refusal_of(pool + "'\n[parameters]\nbody_box = '0.1,1,1'\n").find("slips between the lines"),
            std::string::npos);
  EXPECT_EQ(refusal_of(pool + "'\n[parameters]\nbody_box = '0.1,1,1'\ncolumn_rays = 25\n"), "");
  EXPECT_NE(refusal_of(pool + ":structured:periodic'\n").find("periodic"), std::string::npos);
}

/// A body a thousandth as heavy as water bobs at some hundred 1/s.
TEST(Float, of_something_light_is_unstable_in_long_steps_and_stable_in_those_chosen_for_it) {
  const std::string text = "scene = 'float'\nmesh = 'rectangle:16x16:8x8'\nend = 1\n";
  Flow long_steps(text + "dt = '1/60'\n[parameters]\nbody_density = 1\n");
  Diagnostics diagnostics(long_steps.simulation);
  long_steps.step();
  EXPECT_NE(diagnostics.instability(diagnostics.energy()).find("body 'body' is so light"), std::string::npos);

  Flow chosen(text + "dt = 'auto'\n[parameters]\nbody_density = 1\n");
  Diagnostics calm(chosen.simulation);
  while (chosen.simulation.steps_done() < chosen.simulation.steps()) {
    chosen.step();
    ASSERT_EQ(calm.instability(calm.energy()), "") << chosen.simulation.time();
  }
  EXPECT_LT(chosen.simulation.world().bodies().velocity(0).norm(), 10);
}

/// The crest of the ring travels around the sphere at √(gη).
TEST(BallDrop, makes_a_wave_in_a_ring_with_the_speed_of_waves) {
  Flow sphere(
      "scene = 'ball-drop'\nmesh = 'icosphere:5'\nend = 1.6\ndt = '1/240'\n[parameters]\nbody_size = 0.1\n");
  const auto crest = [&] {
    constexpr int bins = 90;
    Vector sum = Vector::Zero(bins), count = Vector::Zero(bins);
    const Vector elevation = sphere.elevation();
    for (Index i = 0; i < elevation.size(); ++i) {
      const double angle = std::acos(sphere.surface.x(2, i) / sphere.surface.x.col(i).norm());
      const auto bin = std::min(bins - 1, static_cast<int>(angle / std::numbers::pi * bins));
      sum[bin] += elevation[i];
      count[bin] += 1;
    }
    const Vector mean = sum.cwiseQuotient(count.cwiseMax(1));
    int first = bins - 2;  // the ball bobs and sends more rings after it
    const double min_mean = 0.2 * mean.tail(bins - 10).maxCoeff();
    while (first > 10 && !(mean[first] > min_mean && mean[first] >= mean[first - 1])) --first;
    // The top of the parabola through three bins.
    const double a = mean[first - 1], b = mean[first], c = mean[first + 1];
    const double shift = 0.5 * (a - c) / (a - 2 * b + c);
    return (first + 0.5 + shift) * std::numbers::pi / bins;
  };
  std::vector<std::pair<double, double>> places;
  while (sphere.simulation.steps_done() < sphere.simulation.steps()) {
    sphere.step();
    if (sphere.simulation.time() > 0.7) places.emplace_back(sphere.simulation.time(), crest());
  }
  double t = 0, x = 0, tt = 0, tx = 0;
  const auto n = static_cast<double>(places.size());
  for (const auto& [time, angle] : places) {
    t += time / n;
    x += angle / n;
    tt += time * time / n;
    tx += time * angle / n;
  }
  const double speed = (tx - t * x) / (tt - t * t);
  EXPECT_NEAR(speed, std::sqrt(9.81 * 0.2), 0.03 * speed);
}

/// The momentum lost by the ball equals the impulse of the water's forces; it emerges on the other side.
TEST(Throw, goes_through_the_water_and_books_its_impulse) {
  Flow sphere("scene = 'throw'\nmesh = 'icosphere:4'\nend = 1\n[parameters]\nbody_columns = 'all'\n");
  const World& world = sphere.simulation.world();
  const Vector3 start = world.bodies().pose(0).position, velocity = world.bodies().velocity(0);
  double nearest = start.norm();
  const double before = sphere.simulation.water().volume().sum();
  while (sphere.simulation.steps_done() < sphere.simulation.steps()) {
    sphere.step();
    nearest = std::min(nearest, world.bodies().pose(0).position.norm());
  }
  const Bodies& bodies = world.bodies();
  const CollisionLedger& ledger = world.coupling(0)->collision().ledger();
  const Vector3 gained = bodies.mass(0) * (bodies.velocity(0) - velocity),
                weight = bodies.mass(0) * sphere.simulation.time() * bodies.gravity();
  EXPECT_LT((gained - weight - ledger.on_bodies_along - ledger.on_bodies_normal).norm(),
            1e-11 * gained.norm());
  EXPECT_GT(ledger.on_bodies_along.norm(), 0);
  EXPECT_LT(nearest, 1) << "it has missed";
  EXPECT_LT(bodies.pose(0).position.dot(start), 0) << "it has not come out";
  EXPECT_NEAR(sphere.simulation.water().volume().sum(), before, 1e-12 * before);
}

/// While the surface gathers speed the water lags behind, in proportion to the acceleration.
TEST(Drag, leaves_the_water_behind) {
  const auto shift = [](double displacement) {
    Flow sphere(fmt::format(
        "scene = 'drag'\nmesh = 'icosphere:3'\nend = 0.6\n[parameters]\ndrag_displacement = '{},0,0'\n",
        displacement));
    while (sphere.simulation.steps_done() < sphere.simulation.steps()) sphere.step();
    const Vector area = sphere.simulation.water().geometry().vertex_area;
    return sphere.elevation().cwiseProduct(area).dot(sphere.surface.x.row(0).transpose());
  };
  const double one = shift(1e-3), two = shift(2e-3);
  EXPECT_LT(one, 0);
  EXPECT_NEAR(two / one, 2, 0.02);
  EXPECT_NEAR(shift(-1e-3) / one, -1, 0.02);
}

/// A ball of 0.3 m and the sphere of 1280 triangles inscribed in it sink to nearly the same depth (measured: 1.3e-4 m apart).
TEST(BallDrop, takes_a_mesh_by_its_name_for_a_body) {
  constexpr double farthest = 2e-4;  // m
  const std::string text =
      "scene = \"ball-drop\"\nmesh = \"icosphere:3\"\nsubsteps = \"auto\"\n[parameters]\n"
      "body_position = \"0,0,1.1\"\n";
  Flow ball(text + "body = \"ball\"\nbody_size = 0.3\n");
  Flow mesh(text + "body = \"mesh\"\nbody_size = 0.15\nbody_file = \"icosphere:3\"\n");
  while (ball.simulation.time() < 0.3) {
    ball.step();
    mesh.step();
  }
  EXPECT_LT(ball.height(), 1);
  EXPECT_NEAR(mesh.height(), ball.height(), farthest);
}

std::string pool_with_box(const std::string& parameters) {
  return "scene = 'float'\nmesh = 'rectangle:24x24:3x3'\ndt = '1/200'\nend = 4\ndiscretization = 'hllc'\n"
         "integrator = 'ssprk2'\n[parameters]\nbody_size = 0.4\nbody_box = '1,1,1'\n" +
         parameters;
}

/// m Δv = m g t + the impulses of water and bed.
double momentum_missing(const Flow& flow) {
  const World& world = flow.simulation.world();
  const Bodies& bodies = world.bodies();
  const CollisionLedger& ledger = world.coupling(0)->collision().ledger();
  const Vector3 weight = bodies.mass(0) * world.time() * bodies.gravity();
  return (bodies.mass(0) * bodies.velocity(0) -
          (weight + ledger.on_bodies_along + ledger.on_bodies_normal + bodies.ground_impulse()))
             .norm() /
         weight.norm();
}

/// On dry land, and at the bottom of a pool, where the bed carries the weight less the buoyancy.
TEST(BedContact, holds_what_sinks_or_falls) {
  for (const bool dry : {true, false}) {
    Flow pool(pool_with_box(
        "depth = 1\nbody_bed = 'contact'\nbody_density = 2000\nbody_position = '1.53,1.47,-0.5'\n" +
        std::string(dry ? "initial_elevation = '-1'\n" : "")));
    const World& world = pool.simulation.world();
    const double volume = pool.simulation.water().total_volume(), begin = 3;
    Vector3 impulse = Vector3::Zero();
    double from = 0;
    while (pool.simulation.steps_done() < pool.simulation.steps()) {
      pool.step();
      if (pool.simulation.time() < begin) impulse = world.bodies().ground_impulse(), from = world.time();
    }
    EXPECT_NEAR(pool.height(), -1 + 0.2, 1e-3) << dry;
    EXPECT_LT(world.bodies().velocity(0).norm(), 0.01) << dry;
    const double immersed = world.coupling(0)->collision().immersed_volume()[0];
    EXPECT_NEAR(immersed, dry ? 0 : 0.4 * 0.4 * 0.4, 0.05 * 0.4 * 0.4 * 0.4);  // of the columns
    const double force = 9.81 * (world.bodies().mass(0) - 1000 * immersed);
    EXPECT_NEAR((world.bodies().ground_impulse() - impulse).z() / (world.time() - from), force, 1e-3 * force);
    EXPECT_LT(momentum_missing(pool), 1e-11);
    EXPECT_NEAR(pool.simulation.water().total_volume(), volume, 1e-13 * 9);
  }
}

/// Deep enough below it, the bed changes no bit.
TEST(BedContact, leaves_alone_what_floats) {
  const std::string floating = "depth = 1\nbody_density = 400\nbody_position = '1.5,1.5,0.1'\n";
  Flow contact(pool_with_box(floating + "body_bed = 'contact'\n")),
      pass(pool_with_box(floating + "body_bed = 'pass'\n"));
  for (int i = 0; i < 300; ++i) {
    contact.step();
    pass.step();
  }
  EXPECT_EQ(contact.simulation.world().bodies().ground_impulse(), Vector3::Zero());
  EXPECT_EQ(contact.height(), pass.height());
  EXPECT_EQ(contact.elevation(), pass.elevation());
  EXPECT_LT(momentum_missing(contact), 1e-11);
}

/// On a curved surface the bed lies H below it along the normal.
TEST(BedContact, is_a_sphere_below_a_sphere) {
  Flow ball(
      "scene = 'ball-drop'\nmesh = 'icosphere:4'\ndt = '1/200'\nend = 3\n[parameters]\ndepth = 0.2\n"
      "initial_elevation = '-0.2'\ndry_outflow = 'closed'\nbody = 'box'\nbody_size = 0.3\nbody_bed = "
      "'contact'\n"
      "body_position = '0,0,1.2'\n");
  while (ball.simulation.steps_done() < ball.simulation.steps()) ball.step();
  EXPECT_NEAR(ball.height(), 0.8 + 0.15, 2e-3);
  EXPECT_LT(ball.simulation.world().bodies().velocity(0).norm(), 0.01);
}

/// The boxes of the river are carried along; some of them touch the bed.
TEST(River, carries_boxes_that_touch_its_bed) {
  Flow river(
      "scene = 'river'\nmesh = 'rectangle:60x30:6x3'\nend = 5\ndiscretization = 'hllc'\nintegrator = "
      "'ssprk2'\n"
      "dt = '1/200'\n");
  const Bodies& bodies = river.simulation.world().bodies();
  ASSERT_EQ(bodies.count(), 40);
  double start = 0, end = 0;
  for (int i = 0; i < bodies.count(); ++i) start += bodies.pose(i).position.x() / bodies.count();
  while (river.simulation.steps_done() < river.simulation.steps()) river.step();
  for (int i = 0; i < bodies.count(); ++i) {
    end += bodies.pose(i).position.x() / bodies.count();
    EXPECT_GT(bodies.pose(i).position.z(), -0.3) << i;
  }
  EXPECT_GT(end, start + 0.5);
  EXPECT_GT(bodies.ground_impulse().norm(), 0);
}

/// Bodies push water beside dry land, also of schemes that hold the flow there.
TEST(River, runs_with_schemes_of_waves) {
  for (const std::string scheme : {"fefv", "dec"}) {
    Flow river("scene = 'river'\nmesh = 'rectangle:60x30:6x3'\nend = 0.2\ndiscretization = '" + scheme +
               "'\ndt = '1/200'\nparameters.boxes = 8\n");
    while (river.simulation.steps_done() < river.simulation.steps()) river.step();
    EXPECT_NEAR(river.simulation.time(), 0.2, 1e-9) << scheme;
  }
}

}  // namespace
}  // namespace shoal
