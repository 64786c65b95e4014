// Coupling of water to the surrounding space: depth-dependent accelerations, and sources.
#include "solvers/coupling/world.hpp"

#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

/// A trial with coupled steps.
class Coupled {
 public:
  Coupled(const Configuration& setup, const CouplingSetting& setting, double dt) : dt_(dt), trial_(setup) {
    trial_.prepare(dt);
    Vector bed(trial_.surface.mesh.vertex_count);
    for (Index i = 0; i < bed.size(); ++i) bed[i] = setup.bed_depth(trial_.surface.x.col(i));
    world_.add(*trial_.water, setting, bed);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport report = world_.step(dt_, clock_);
      ASSERT_TRUE(report.ok) << report.reason;
    }
  }
  const ShallowWater& water() const { return *trial_.water; }
  Vector depth() const { return water().volume().cwiseQuotient(water().discretization().cells().area); }

 private:
  double dt_;
  Trial trial_;
  StageClock clock_;
  World world_;
};

TEST(ArtificialAcceleration, is_that_of_the_formula_up_to_its_limit) {
  ArtificialAccelerationOptions options;
  options.strength = 2;
  const ArtificialAcceleration depth(options);
  EXPECT_EQ(depth.magnitude(options.level), 0);
  EXPECT_NEAR(depth.magnitude(0.1), 2 * (std::exp(0.8) - 1), 1e-14);
  EXPECT_NEAR(depth.magnitude(0.5), 2 * (std::exp(-2.4) - 1), 1e-14);
  EXPECT_EQ(depth.magnitude(-0.2), options.limit);
  options.depth_dependent = false;
  const ArtificialAcceleration constant(options);
  for (const double elevation : {-0.2, 0.1, 0.5}) EXPECT_EQ(constant.magnitude(elevation), 2);

  Points acceleration = Points::Constant(3, 2, 1);
  EXPECT_EQ(depth.add(Eigen::Vector2d(options.level, -0.2), Points::Zero(3, 2), acceleration), 1);
  EXPECT_EQ(acceleration.col(0), Vector3(1, 1, 1));
  EXPECT_EQ(acceleration.col(1), Vector3(1, 1 - options.limit, 1));
}

TEST(ArtificialAcceleration, points_to_the_nearest_of_several_points) {
  ArtificialAccelerationOptions options;
  options.points = {{0, 0, 2}, {0, 0, -3}};
  const ArtificialAcceleration field(options);
  EXPECT_LT((field.direction({2, 0, 0}) - Vector3(-1, 0, 1).normalized()).norm(), 1e-15);
  EXPECT_LT((field.direction({0, 1, -2}) - Vector3(0, -1, -1).normalized()).norm(), 1e-15);
  EXPECT_EQ(field.direction({0, 0, 2}), Vector3::Zero());
  ArtificialAccelerationOptions far;
  far.points = {{1e200, 0, 0}, {0, -1e160, 0}};
  EXPECT_LT((ArtificialAcceleration(far).direction({1, 2, 3}) + Vector3::UnitY()).norm(), 1e-15);
  options.depth_dependent = false;
  Points x(3, 2), acceleration = Points::Zero(3, 2);
  x << 0, 0, 0, 0, 1, -2;
  EXPECT_EQ(ArtificialAcceleration(options).add(Eigen::Vector2d::Zero(), x, acceleration), 0);
  EXPECT_EQ(acceleration.col(0), Vector3(0, 0, 1));
  EXPECT_EQ(acceleration.col(1), Vector3(0, 0, -1));
}

/// Along −x on flat ground (6.2) is balanced by the pressure where g h' = −s (exp(−(h−α)/σ) − 1):
/// h = α + σ log(1 − C exp(s x/(gσ))).
TEST(ArtificialAcceleration, gathers_water_in_the_profile_of_its_balance) {
  constexpr double bed = 0.2, layer = 0.2, length = 16;
  ArtificialAccelerationOptions options;
  options.direction = -Vector3::UnitX();
  options.limit = 1e6;
  const double rate = options.strength / (gravity * options.width);
  const auto profile = [&](double front, double x) {
    const double c = (1 - std::exp(-(options.level + bed) / options.width)) * std::exp(rate * (x - front));
    return x < front ? bed + options.level + options.width * std::log1p(-c) : 0;
  };
  // The position of the front follows from the volume.
  const auto volume = [&](double front) {
    constexpr int parts = 4000;
    double sum = 0;
    for (int i = 0; i < parts; ++i) sum += profile(front, (i + 0.5) * length / parts) * length / parts;
    return sum;
  };
  double front = length, low = 0;
  for (int i = 0; i < 40; ++i)
    (volume(0.5 * (low + front)) > layer * length ? front : low) = 0.5 * (low + front);
  for (const std::string scheme : {"fefv", "dec"}) {
    Configuration setup;
    setup.mesh = "rectangle:128x8:16x1";
    setup.discretization = scheme;
    setup.parameters = {{"dry_outflow", "closed"}, {"friction", 3.0}};
    if (scheme == "dec") setup.parameters["dual"] = "intrinsic";
    setup.bed_depth = [](const Vector3&) { return bed; };
    setup.initial.depth = [](const Vector3&) { return layer; };
    Coupled basin(setup, {.artificial_acceleration = options}, 0.02);
    basin.run(4000);
    const Cells& cells = basin.water().discretization().cells();
    const Vector depth = basin.depth();
    double error = 0;
    for (Index i = 0; i < depth.size(); ++i)
      error += cells.area[i] * std::abs(depth[i] - profile(front, cells.points(0, i)));
    EXPECT_LT(error, 0.01 * layer * length) << scheme;
    EXPECT_GT(depth.minCoeff(), -0.05 * layer) << scheme;
  }
}

TEST(Source, adds_what_it_discharges_while_it_is_open) {
  constexpr double dt = 0.02;
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    Configuration setup;
    setup.discretization = scheme;
    const std::vector<Source> sources = {
        {.point = Vector3::UnitX(), .radius = 0.3, .discharge = 0.01},
        {.point = -Vector3::UnitX(), .radius = 0.1, .discharge = -0.02, .interval = {0.05, 0.11}}};
    Coupled sphere(setup, {.artificial_acceleration = {}, .sources = sources}, dt);
    const double before = sphere.water().volume().sum();
    sphere.run(10);
    const double added = 0.01 * 10 * dt - 0.02 * 0.06;
    EXPECT_NEAR(sphere.water().volume().sum() - before, added, 1e-12) << scheme;
    EXPECT_NEAR(sphere.water().ledger().mass_source, added, 1e-15) << scheme;
    // Where the water is, before the waves from there have come far.
    double near = 0;
    const Cells& cells = sphere.water().discretization().cells();
    for (Index i = 0; i < cells.count(); ++i)
      if (cells.points(0, i) > 0) near += sphere.water().volume()[i] - cells.area[i];
    EXPECT_NEAR(near, 0.01 * 10 * dt, 0.02 * 0.01 * 10 * dt) << scheme;
  }
}

TEST(Source, that_reaches_nothing_is_refused) {
  CouplingSetting setting;
  setting.sources = {{.point = Vector3(100, 0, 0), .radius = 0.1, .discharge = 1, .interval = {0.02}}};
  Coupled sphere({}, setting, 0.01);
  sphere.run(2);
  EXPECT_THROW(sphere.run(1), Error);  // at its beginning
}

}  // namespace
}  // namespace shoal::test
