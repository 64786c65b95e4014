// Bodies in water: buoyancy, momentum, counted columns; and worlds saved, restored and replayed.
#include "solvers/coupling/world.hpp"

#include "tests/support/message.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace shoal::test {
namespace {

constexpr double fluid_density = 1;  // of a trial

/// A world without bodies as yet, which fall with this.
BodiesSetting falling(const Vector3& gravity) {
  BodiesSetting setting;
  setting.gravity = gravity;
  return setting;
}

/// A model in a world.
struct Pool {
  explicit Pool(const Configuration& setup, double dt, const CollisionOptions& collision = {})
      : trial(setup) {
    trial.prepare(dt);
    setting.collision = collision;
    bed.resize(trial.surface.mesh.vertex_count);
    for (Index i = 0; i < bed.size(); ++i) bed[i] = setup.bed_depth(trial.surface.x.col(i));
  }
  void enter(World& world) { world.add(*trial.water, setting, bed); }

  /// ρ ∫ η v, kg m/s.
  Vector3 momentum() const {
    const ShallowWater& water = *trial.water;
    Values velocity, depth;
    water.sample("velocity", velocity);
    water.sample("depth_at_faces", depth);
    const Vector& area = water.discretization().find_output("depth_at_faces")->area();
    return fluid_density * velocity * area.cwiseProduct(depth.row(0).transpose());
  }

  Trial trial;
  CouplingSetting setting;
  Vector bed;
};

Configuration flat_pool(const std::string& mesh = "rectangle:48x48:4x4") {
  Configuration setup;
  setup.mesh = mesh;
  return setup;
}

/// The volume of a ball below a plane at the height d above its lowest point.
double cap(double radius, double d) {
  return std::numbers::pi * d * d * (radius - d / 3);
}

/// The impulse of one step on a body held at rest in still water is ρ g times the displaced volume.
TEST(Collision, lifts_a_body_by_the_weight_of_the_water_that_it_displaces) {
  const double dt = 1e-3, radius = 0.6;
  struct Case {
    std::shared_ptr<const Solid> solid;
    double draft, volume, tolerance;
  };
  const auto ball = std::make_shared<Ball>(radius);
  const Vector3 size(1.2, 0.9, 0.8);
  const auto box = std::make_shared<Box>(size);
  // Lines in a square of side 1/24: the box's edges are missed by half a line at most, the ball is smooth.
  const std::vector<Case> cases = {{ball, 0.3, cap(radius, 0.3), 0.01},
                                   {ball, 0.9, cap(radius, 0.9), 0.01},
                                   {box, 0.1, 0.1 * 1.2 * 0.9, 0.03},
                                   {box, 0.5, 0.5 * 1.2 * 0.9, 0.03}};
  for (const Case& one : cases) {
    CollisionOptions collision;
    collision.columns = ColumnRule::all;
    Pool pool(flat_pool(), dt, collision);
    World world(falling(Vector3::Zero()));
    pool.enter(world);
    const bool is_ball = one.solid == ball;
    const double height = one.draft - (is_ball ? radius : 0.5 * size.z());  // of the centre below the water
    world.add({{.name = "body", .solid = one.solid, .pose = {.position = Vector3(2.01, 1.98, -height)}}});
    StageClock clock;
    ASSERT_TRUE(world.step(dt, clock).ok);
    const Collision& done = world.coupling(0)->collision();
    const Vector3 lift = done.ledger().on_bodies_normal / dt;
    const double weight = fluid_density * gravity * one.volume;
    EXPECT_NEAR(lift.z(), weight, one.tolerance * weight);
    EXPECT_NEAR(lift.head<2>().norm(), 0, 1e-12 * weight);
    EXPECT_NEAR(done.immersed_volume()[0], one.volume, one.tolerance * one.volume);
    EXPECT_NEAR((world.bodies().velocity(0) * world.bodies().mass(0) - lift * dt).norm(), 0, 1e-12 * weight);
  }
}

/// Water is held on its surface by aₙ, whatever its contributions: a body is lifted by ρ |aₙ| times the displaced volume.
TEST(Collision, lifts_a_body_by_what_holds_the_water_on_the_surface) {
  const double dt = 1e-4, radius = 0.6, draft = 0.4, tolerance = 0.01;
  struct Case {
    const char* name;
    double own, body, moving, held;  // m/s²; aₙ = own + body − moving
  };
  for (const Case& one :
       {Case{"the scene's own", -4, 0, 0, 4}, Case{"of a body force", -gravity, -5, 0, gravity + 5},
        Case{"of both, nearly none", -gravity, 9, 0, gravity - 9}, Case{"of both, none", -gravity, 12, 0, 0},
        Case{"of a surface that is lifted", -gravity, 0, 3, gravity + 3}})
    for (const std::string scheme : {"fefv", "kinetic", "dec"}) {
      SCOPED_TRACE(scheme + std::string(", ") + one.name);
      Configuration setup = flat_pool();
      setup.discretization = scheme;
      setup.normal_acceleration = [&](const Vector3&) { return one.own; };
      if (one.body != 0) setup.body_acceleration = [&](const Vector3&) { return Vector3(0, 0, one.body); };
      setup.parameters = {{"inertia", one.moving != 0 ? std::string("on") : std::string("off")}};
      CollisionOptions collision;
      collision.columns = ColumnRule::all;
      Pool pool(setup, dt, collision);
      World world(falling(Vector3::Zero()));
      pool.enter(world);
      if (one.moving != 0)
        pool.trial.water->follow(
            [rest = pool.trial.surface.x, &one](double time, Points& x) {
              x = rest;
              x.row(2).array() += 0.5 * one.moving * time * time;
            },
            dt);
      world.add({{.name = "ball",
                  .solid = std::make_shared<Ball>(radius),
                  .density = 1e6,
                  .pose = {.position = Vector3(2.01, 1.98, radius - draft)}}});
      StageClock clock;
      ASSERT_TRUE(world.step(dt, clock).ok);  // the inertia of the surface is then known
      const Vector3 before = world.coupling(0)->collision().ledger().on_bodies_normal;
      ASSERT_TRUE(world.step(dt, clock).ok);
      const double lift = (world.coupling(0)->collision().ledger().on_bodies_normal - before).z() / dt;
      const double weight = fluid_density * cap(radius, draft);
      EXPECT_NEAR(lift, weight * one.held, tolerance * weight * gravity);
    }
}

/// Under `emerging` the rim of a ball that is more than half immersed does not count.
TEST(Collision, counts_the_columns_of_its_rule) {
  const double radius = 0.6, draft = 0.9;
  const auto immersed = [&](ColumnRule rule, double centre) {
    CollisionOptions collision;
    collision.columns = rule;
    Pool pool(flat_pool("rectangle:96x96:4x4"), 1e-3, collision);
    World world(falling(Vector3::Zero()));
    pool.enter(world);
    world.add({{.name = "ball",
                .solid = std::make_shared<Ball>(radius),
                .pose = {.position = Vector3(2.01, 1.98, centre)}}});
    StageClock clock;
    EXPECT_TRUE(world.step(1e-3, clock).ok);
    return world.coupling(0)->collision().immersed_volume()[0];
  };
  const double above = radius - draft;
  EXPECT_NEAR(immersed(ColumnRule::all, above), cap(radius, draft), 0.01);
  EXPECT_NEAR(immersed(ColumnRule::joined, above), cap(radius, draft), 0.01);
  // Inside the circle r² = R² − (d−R)² where it emerges: ∫ (√(R²−r²) + (d−R)) 2πr dr.
  const double offset = draft - radius;
  const double inner = 2 * std::numbers::pi / 3 * (std::pow(radius, 3) - std::pow(offset, 3)) +
                       std::numbers::pi * offset * (radius * radius - offset * offset);
  EXPECT_NEAR(immersed(ColumnRule::emerging, above), inner, 0.01);
  // Wholly under water, the bed being at −1.
  EXPECT_NEAR(immersed(ColumnRule::all, -0.65),
              4 * std::numbers::pi / 3 * std::pow(radius, 3) - cap(radius, 0.25), 0.01);
  EXPECT_EQ(immersed(ColumnRule::joined, -0.65), 0);
  EXPECT_EQ(immersed(ColumnRule::emerging, -0.65), 0);
}

/// Measured in the water and on the body: drag along the surface transfers momentum without loss.
TEST(Collision, keeps_the_momentum_along_the_surface) {
  for (const DragLaw law : {DragLaw::quadratic, DragLaw::linear}) {
    CollisionOptions collision;
    collision.drag_law = law;
    Pool pool(flat_pool(), 1e-3, collision);
    World world(falling(Vector3::Zero()));
    pool.enter(world);
    world.add({{.name = "ball",
                .solid = std::make_shared<Ball>(0.5),
                .density = 0.5,
                .pose = {.position = Vector3(2, 2, 0.1)},
                .velocity = Vector3(3, -1, -2)}});
    // Only the exchange: the water's own forces would change its momentum at the walls.
    const double dt = 1e-9;  // over which pressure does nothing
    const Vector3 water = pool.momentum(), body = world.entrances()[0].body.velocity;
    StageClock clock;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(world.step(dt, clock).ok);
    const Vector3 gained = pool.momentum() - water;
    const Vector3 lost = world.bodies().mass(0) * (body - world.bodies().velocity(0));
    EXPECT_GT(gained.x(), 1e-12);
    EXPECT_NEAR(gained.x(), lost.x(), 1e-6 * gained.x());
    EXPECT_NEAR(gained.y(), lost.y(), 1e-6 * gained.x());
    const CollisionLedger& ledger = world.coupling(0)->collision().ledger();
    EXPECT_NEAR((ledger.on_water_along - gained).norm(), 0, 1e-6 * gained.norm());
    EXPECT_NEAR((ledger.on_bodies_along + ledger.on_water_along).norm(), 0, 1e-15 * gained.norm());
    EXPECT_NEAR(lost.z(), -ledger.on_bodies_normal.z(), 1e-6 * std::abs(lost.z()));
  }
}

/// What `measure` finds in a world in which a ball of 1 m falls towards a pool.
double of_falling_ball(double speed, double height, const std::function<double(World&)>& measure) {
  Pool pool(flat_pool(), 0.01);
  World world(falling(Vector3::Zero()));
  pool.enter(world);
  world.add({{.name = "ball",
              .solid = std::make_shared<Ball>(0.5),
              .density = 0.5,
              .pose = {.position = Vector3(2, 2, height)},
              .velocity = Vector3(0, 0, -speed)}});
  return measure(world);
}

TEST(Collision, allows_steps_in_which_bodies_near_the_water_move_by_a_part_of_their_size) {
  const auto allowed = [](double speed, double height) {
    return of_falling_ball(speed, height, [](World& world) { return world.dt_of_paths(0.1, 0.01); });
  };
  EXPECT_DOUBLE_EQ(allowed(400, 2), 0.1 / 400);
  EXPECT_DOUBLE_EQ(allowed(20, 0.5), 0.1 / 20);
  EXPECT_EQ(allowed(5, 0.5), 0.01);
  EXPECT_EQ(allowed(400, 50), 0.01) << "it is far away";
  EXPECT_EQ(allowed(0, 0.5), 0.01);
}

/// The pool may lie between two positions at which it is sought.
TEST(Collision, notes_a_body_that_passes_by_more_than_its_size_in_a_step) {
  const auto skipped = [](double speed, double height) {  // lengths of the ball; 0: none
    return of_falling_ball(speed, height, [](World& world) {
      StageClock clock;
      EXPECT_TRUE(world.step(0.01, clock).ok);
      const auto& contact = world.coupling(0)->collision().skipped_contact();
      EXPECT_EQ(contact.body, contact.length > 0 ? 0 : -1);
      return contact.length;
    });
  };
  EXPECT_EQ(skipped(90, 2), 0);
  EXPECT_DOUBLE_EQ(skipped(400, 2), 4);
  EXPECT_EQ(skipped(400, 50), 0) << "it is far away";
}

TEST(Collision, notes_a_body_that_passes_between_vertices_and_far_above_a_low_zero_level) {
  const auto skipped_contact = [](const std::string& mesh, double bed_depth) {
    Configuration setup = flat_pool(mesh);
    setup.bed_depth = [bed_depth](const Vector3&) { return bed_depth; };
    setup.initial.depth = [](const Vector3&) { return 0.1; };
    Pool pool(setup, 0.01);
    World world(falling(Vector3::Zero()));
    pool.enter(world);
    world.add({{.name = "high",
                .solid = std::make_shared<Ball>(0.25),
                .density = 0.5,
                .pose = {.position = Vector3(1.3, 1.7, 3 - bed_depth)},
                .velocity = Vector3(0, 100, 0)}});
    world.add({{.name = "low",
                .solid = std::make_shared<Ball>(0.25),
                .density = 0.5,
                .pose = {.position = Vector3(1.3, 1.7, 0.05 - bed_depth)},
                .velocity = Vector3(0, 0, -100)}});
    StageClock clock;
    EXPECT_TRUE(world.step(0.01, clock).ok);
    return world.coupling(0)->collision().skipped_contact();
  };
  EXPECT_EQ(skipped_contact("rectangle:4x4:4x4", 0.1).body, 1);
  EXPECT_EQ(skipped_contact("rectangle:48x48:4x4", -5).body, 1);
}

/// At rest the coefficient of the quadratic law is ½ C ρ A⊥ |v| with the half of the ball under water: moved along n,
/// ∫ A⊥ = Σ |n_s·n|·A/|n_s·n| = the disc of the water line.
TEST(Collision, drags_with_the_area_that_meets_the_water) {
  const double dt = 1e-9, radius = 0.5, speed = 2;
  CollisionOptions collision;
  collision.drag = 0.7;
  Pool pool(flat_pool("rectangle:96x96:4x4"), dt, collision);
  World world(falling(Vector3::Zero()));
  pool.enter(world);
  world.add({{.name = "ball",
              .solid = std::make_shared<Ball>(radius),
              .density = 1e9,
              .pose = {.position = Vector3(2.01, 1.98, 0)},
              .velocity = Vector3(0, 0, -speed)}});
  StageClock clock;
  ASSERT_TRUE(world.step(dt, clock).ok);
  const double disc = std::numbers::pi * radius * radius;
  const CollisionLedger& ledger = world.coupling(0)->collision().ledger();
  const double buoyancy = fluid_density * gravity * cap(radius, radius);
  const double drag = ledger.on_bodies_normal.z() / dt - buoyancy;
  const double formula = 0.5 * 0.7 * fluid_density * disc * speed * speed;
  EXPECT_NEAR(drag, formula, 0.03 * formula);
  EXPECT_NEAR(ledger.on_water_normal.z(), -ledger.on_bodies_normal.z(), 1e-12);  // nothing pushed away yet
  EXPECT_NEAR(ledger.on_surface().norm(), 0, 1e-12);
}

/// However thin the water and however large the drag.
TEST(Collision, never_turns_the_relative_velocity) {
  Configuration setup = flat_pool("rectangle:24x24:4x4");
  setup.bed_depth = [](const Vector3&) { return 1e-3; };
  setup.initial.depth = [](const Vector3&) { return 1e-3; };
  CollisionOptions collision;
  collision.drag = 1e6;
  collision.push = 0;
  Pool pool(setup, 1e-3, collision);
  World world(falling(Vector3::Zero()));
  pool.enter(world);
  world.add({{.name = "ball",
              .solid = std::make_shared<Ball>(1),
              .density = 1e-3,
              .pose = {.position = Vector3(2, 2, 0.999)},
              .velocity = Vector3(1, 0, -0.01)}});
  StageClock clock;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(world.step(1e-3, clock).ok);
    Values velocity;
    pool.trial.water->sample("velocity", velocity);
    EXPECT_LE(velocity.row(0).maxCoeff(), 1);
    EXPECT_GE(world.bodies().velocity(0).x(), 0);
  }
}

/// A body that floats has left when it is removed: the water gets back no push and no weight, and what the body still had of energy
/// counts neither as lost to the water nor as gained.
TEST(World, keeps_its_books_where_a_body_is_removed) {
  Pool pool(flat_pool(), 0.01);
  World world(falling(Vector3(0, 0, -9.81)));
  pool.enter(world);
  world.add({{.name = "ball",
              .solid = std::make_shared<Ball>(0.6),
              .density = 0.5,
              .pose = {.position = Vector3(2.01, 1.98, 0.2)},
              .velocity = Vector3(0.5, 0, -1)}});
  world.add(
      {{.name = "late", .solid = std::make_shared<Ball>(0.3), .pose = {.position = Vector3(1, 1, 1)}}, 1000});
  StageClock clock;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.step(0.01, clock).ok);
  const Coupling& coupling = *world.coupling(0);
  ASSERT_GT(coupling.collision().immersed_volume()[0], 0.01);
  const double lost = world.energy_of_bodies_lost();
  ASSERT_GT(lost, 0);
  EXPECT_EQ(message_of([&] { world.remove_body("bal"); }), "body 'bal' does not exist");
  EXPECT_EQ(message_of([&] { world.remove_body("late"); }), "body 'late' has not entered yet");
  world.remove_body("ball");
  EXPECT_EQ(message_of([&] { world.remove_body("ball"); }), "body 'ball' has been removed already");
  EXPECT_NEAR(world.energy_of_bodies_lost(), lost, 1e-12 * lost);
  EXPECT_EQ(world.bodies().energy(), 0);
  const CollisionLedger before = coupling.collision().ledger();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world.step(0.01, clock).ok);
  EXPECT_EQ(coupling.collision().ledger().on_water_normal, before.on_water_normal);
  EXPECT_EQ(coupling.collision().ledger().on_bodies_along, before.on_bodies_along);
  EXPECT_EQ(coupling.collision().immersed_volume()[0], 0);
  EXPECT_NEAR(world.energy_of_bodies_lost(), lost, 1e-12 * lost);
}

/// Two models under a body that bounces between them, a source, a push and a second body that enters later; inputs added
/// at the beginning or on the way, saved in the middle and restored.
TEST(World, is_saved_restored_and_replayed_with_the_same_bits) {
  const double dt = 0.01;
  struct Everything {
    Pool lower, upper;
    World world;
    StageClock clock;
    static Configuration sphere(const std::string& scheme) {
      Configuration setup;
      setup.mesh = "icosphere:2";
      setup.discretization = scheme;
      setup.integrator = "ssprk3";
      return setup;
    }
    Everything(double dt)
        : lower(sphere("fefv"), dt), upper(sphere("kinetic"), dt), world(falling(Vector3(0, 0, -9.81))) {
      lower.enter(world);
      upper.enter(world);
      world.add({{.name = "ball",
                  .solid = std::make_shared<Ball>(0.3),
                  .density = 0.4,
                  .pose = {.position = Vector3(0.1, 0, 1.2)}}});
    }
    void add_inputs() {
      world.add({{.name = "late",
                  .solid = std::make_shared<Box>(Vector3(0.4, 0.3, 0.2)),
                  .density = 0.8,
                  .pose = {.position = Vector3(1.2, 0.1, 0)},
                  .velocity = Vector3(-3, 0, 0)},
                 0.2});
      world.add(0,
                Source{.point = Vector3(0, 1, 0), .radius = 0.5, .discharge = 0.1, .interval = {0.25, 0.5}});
      world.add(1, Source{.point = Vector3(0, 0, -1),
                          .radius = 0.2,
                          .discharge = -2,  // more than there is
                          .interval = {0.25, 0.5}});
      world.add(1, Push{.point = Vector3(0, -1, 0),
                        .acceleration = Vector3(0, 0, 2),
                        .width = 0.5,
                        .interval = {0.3, 0.4}});
    }
    void run(int steps, double dt) {
      for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(dt, clock).ok);
    }
    void expect_same(const Everything& other) const {
      EXPECT_EQ(lower.trial.water->state().q, other.lower.trial.water->state().q);
      EXPECT_EQ(upper.trial.water->state().q, other.upper.trial.water->state().q);
      ASSERT_EQ(world.bodies().count(), other.world.bodies().count());
      for (int i = 0; i < world.bodies().count(); ++i) {
        EXPECT_EQ(world.bodies().pose(i).position, other.world.bodies().pose(i).position);
        EXPECT_EQ(world.bodies().angular_velocity(i), other.world.bodies().angular_velocity(i));
      }
      EXPECT_EQ(world.coupling(0)->collision().ledger().on_water_normal,
                other.world.coupling(0)->collision().ledger().on_water_normal);
    }
  };
  Everything whole(dt), replayed(dt), resumed(dt);
  whole.add_inputs();
  resumed.add_inputs();
  Archive archive;
  whole.run(35, dt);  // in the middle of source and push, after both bodies have come
  whole.world.save(archive);
  whole.run(30, dt);
  replayed.run(15, dt);
  replayed.add_inputs();  // before any of them begins
  replayed.run(50, dt);
  whole.expect_same(replayed);
  resumed.run(3, dt);
  resumed.world.restore(archive);
  resumed.run(30, dt);
  whole.expect_same(resumed);
  EXPECT_EQ(whole.world.bodies().count(), 2);
  EXPECT_GT(whole.world.coupling(0)->collision().ledger().on_bodies_normal.norm(), 0);
  EXPECT_NEAR(whole.lower.trial.water->ledger().mass_source, 0.1 * 0.25, 1e-12);
}

}  // namespace
}  // namespace shoal::test
