// Thacker's bowls, also with friction: the equations, by differences; periods; and shorelines.
#include "experiments/scenes/thacker.hpp"
#include "tests/support/watched_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

const ParabolicBowl bowl = {.depth = 0.1, .radius = 1, .gravity = 9.81};

/// Of η_t + ∇·(ηv) = 0 and v_t + v·∇v = −g∇h − c v, by central differences.
template <class Flow>
void expect_solution(const ParabolicBowl& shape, const Flow& flow, double friction = 0) {
  constexpr double step = 1e-4;
  constexpr double tolerance = 1e-7;  // differences of second order of fields of size and scale one
  const auto depth = [&](double x, double y, double t) {
    return shape.bed_depth(x, y) + flow.at(x, y, t).elevation;
  };
  const auto flux = [&](double x, double y, double t) -> Eigen::Vector2d {
    return depth(x, y, t) * flow.at(x, y, t).velocity;
  };
  const auto slope = [](auto&& f) { return (f(step) - f(-step)) / (2 * step); };
  for (const double t : {0.0, 0.3, 1.1, 1.9})
    for (const auto& [x, y] : {std::pair{0.1, 0.2}, {-0.3, 0.4}, {0.5, -0.1}}) {
      const Eigen::Vector2d v = flow.at(x, y, t).velocity;
      const double mass = slope([&](double e) { return depth(x, y, t + e); }) +
                          slope([&](double e) { return flux(x + e, y, t).x(); }) +
                          slope([&](double e) { return flux(x, y + e, t).y(); });
      EXPECT_NEAR(mass, 0, tolerance);
      for (int i = 0; i < 2; ++i) {
        const double along_x = slope([&](double e) { return flow.at(x + e, y, t).velocity[i]; }),
                     along_y = slope([&](double e) { return flow.at(x, y + e, t).velocity[i]; });
        const double momentum = slope([&](double e) { return flow.at(x, y, t + e).velocity[i]; }) +
                                v.x() * along_x + v.y() * along_y +
                                shape.gravity * slope([&](double e) {
                                  return flow.at(x + (i == 0) * e, y + (i == 1) * e, t).elevation;
                                }) +
                                friction * v[i];
        EXPECT_NEAR(momentum, 0, tolerance);
      }
    }
}

TEST(PlanarBowl, SatisfiesTheEquations) {
  const PlanarBowl flow(bowl, 0.5);
  expect_solution(bowl, flow);
  EXPECT_NEAR(flow.period(), 4.485701465, 1e-9);
  EXPECT_NEAR(flow.at(0.1, 0.7, 0.9).velocity.norm(), 0.5 * 2 * std::numbers::pi / flow.period(), 1e-12);
}

TEST(PlanarBowl, SatisfiesTheEquationsWithFriction) {
  for (const bool canal : {false, true})
    for (const double friction : {0.01, 0.6, 2.7}) {  // 2ω = 2.8
      ParabolicBowl shape = bowl;
      shape.canal = canal;
      expect_solution(shape, PlanarBowl(shape, 0.5, friction), friction);
    }
}

/// u = −B e^(−ct/2) sin st with B = σω²/s, and the elevation at the centre, of Sampson, Easton & Singh (2006).
TEST(PlanarBowl, OfACanalIsThatOfSampson) {
  const ParabolicBowl canal = {.depth = 10, .radius = 3000, .gravity = 9.81, .canal = true};
  constexpr double c = 0.001, offset = 900;
  const double p = std::sqrt(8 * 9.81 * 10) / 3000, s = 0.5 * std::sqrt(p * p - c * c),
               b = offset * p * p / (4 * s);
  const PlanarBowl flow(canal, offset, c);
  EXPECT_NEAR(flow.period(), 2 * std::numbers::pi / s, 1e-9);
  for (const double t : {0.0, 300.0, 1500.0}) {
    const double wave = std::exp(-0.5 * c * t);
    EXPECT_NEAR(flow.at(100, 5, t).velocity.x(), -b * wave * std::sin(s * t), 1e-12);
    EXPECT_EQ(flow.at(100, 5, t).velocity.y(), 0);
    const double slope = b * wave / 9.81 * (s * std::cos(s * t) + 0.5 * c * std::sin(s * t));
    EXPECT_NEAR((flow.at(50, 0, t).elevation - flow.at(-50, 0, t).elevation) / 100, slope, 1e-12);
  }
}

TEST(RadialBowl, SatisfiesTheEquations) {
  const RadialBowl flow(bowl, 0.8);
  expect_solution(bowl, flow);
  EXPECT_NEAR(flow.period(), 2.242850733, 1e-9);
}

/// Over a period on 40 cells. Mass to round-off, and energy less the work of friction within the dissipation of each scheme.
TEST(ParabolaFriction, IsFollowedByEveryScheme) {
  struct Row {
    std::string scheme;
    double depth, energy;
  };
  constexpr double round_off = 1e-14;
  for (const Row& row :
       {Row{test::fefv, 0.025, 0.01},
        {test::dec, 0.03, 0.005},
        {test::kinetic, 0.05, 0.03},
        {"discretization = 'hllc'\nintegrator = 'ssprk3'\nparameters.reconstruction = 'linear'\n", 0.005,
         0.001}}) {
    test::WatchedRun run("scene = 'parabola-friction'\nmesh = 'rectangle:40x2:10000x500'\ndt = 'auto'\n" +
                         row.scheme);
    run.to_the_end();
    EXPECT_LT(run.largest("l1_error"), row.depth) << row.scheme;
    EXPECT_LT(run.unaccounted(), row.energy) << row.scheme;
    EXPECT_LT(run.end("work_friction"), -0.15 * run.start("energy_total")) << row.scheme;
    EXPECT_NEAR(run.end("mass") / run.start("mass"), 1, round_off) << row.scheme;
    EXPECT_GE(run.end("min_depth"), 0) << row.scheme;
  }
}

/// The shoreline is at the documented position.
TEST(Bowls, HaveTheirShorelines) {
  constexpr double round_off = 1e-14;
  const PlanarBowl planar(bowl, 0.5);
  const double quarter = planar.period() / 4;
  for (const double angle : {0.0, 1.0, 2.5}) {
    const double x = std::cos(angle), y = 0.5 + std::sin(angle);  // the circle about (0, σ)
    EXPECT_NEAR(planar.at(x, y, quarter).elevation + bowl.bed_depth(x, y), 0, round_off);
  }
  const RadialBowl radial(bowl, 0.8);
  EXPECT_NEAR(radial.at(0.8, 0, 0).elevation + bowl.bed_depth(0.8, 0), 0, round_off);
  EXPECT_NEAR(radial.largest_radius(), 1.25, round_off);
  EXPECT_NEAR(radial.at(0, 1.25, radial.period() / 2).elevation + bowl.bed_depth(0, 1.25), 0, round_off);
}

}  // namespace
}  // namespace shoal
