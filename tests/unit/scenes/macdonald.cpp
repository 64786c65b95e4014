// macdonald: the balance of momentum over its bed, by differences, and how near each scheme stays to it.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/watched_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

using Given = std::map<std::string, Value>;

struct Channel {
  explicit Channel(const Given& given) : surface(load_surface("rectangle:20x2:1000x10")) {
    const SceneEntry& entry = test::catalog().scenes.find("macdonald");
    scene = entry.make(surface, make_geometry(surface.mesh, surface.x), Parameters(entry.parameters, given));
  }
  double depth(double x) const {
    Vector value;
    scene.references.front().depth(Vector3(x, 3, 0), 7, value);
    return value[0];
  }
  double speed(double x) const { return scene.references.front().velocity({x, 3, 0}, 7).x(); }
  double bed(double x) const { return -scene.bed_depth({x, 3, 0}); }

  Surface surface;
  SceneInstance scene;
};

struct Case {
  const char* profile;
  double discharge;
  double critical;  ///< m, where the flow becomes supercritical
  Given friction;
  double resistance(double depth, double speed) const {
    const double n = std::get<double>(friction.at("manning"));
    if (n > 0) return n * n * speed * speed / std::pow(depth, 4.0 / 3);
    const double c = std::get<double>(friction.at("chezy"));
    return speed * speed / (c * c * depth);
  }
};

const Case cases[] = {{"subcritical", 2, 1000, {{"manning", 0.033}}},
                      {"supercritical", 2.5, 0, {{"manning", 0.04}}},
                      {"transcritical", 2, 500, {{"manning", 0.0218}}},
                      {"subcritical", 2, 1000, {{"manning", 0.0}, {"chezy", 29.0}}}};

TEST(Macdonald, satisfies_the_balance_of_momentum) {
  constexpr double gravity = 9.81, step = 0.01, tolerance = 1e-9;  // of central differences, 1000 m
  for (const Case& one : cases) {
    Given given = one.friction;
    given["profile"] = std::string(one.profile);
    const Channel channel(given);
    const auto slope = [&](const auto& field, double x) {
      return (field(x + step) - field(x - step)) / (2 * step);
    };
    for (const double x : {1.0, 190.0, 333.3, 470.0, 505.0, 700.0, 999.0}) {
      SCOPED_TRACE(one.profile + std::to_string(x));
      const double depth = channel.depth(x), u = channel.speed(x);
      EXPECT_NEAR(depth * u, one.discharge, 1e-13);
      // u u_x + g (η + z)_x + g S_f = 0
      const double inertia = u * slope([&](double at) { return channel.speed(at); }, x) / gravity;
      const double pressure = slope([&](double at) { return channel.depth(at) + channel.bed(at); }, x);
      EXPECT_NEAR(inertia + pressure + one.resistance(depth, u), 0, tolerance);
      EXPECT_EQ(u > std::sqrt(gravity * depth), x > one.critical);
    }
  }
}

/// Sums of the slope over the length by another rule.
TEST(Macdonald, has_the_drop_of_its_slope) {
  constexpr double gravity = 9.81, tolerance = 1e-8;  // Simpson's rule with steps of 1/2 m
  const Case& one = cases[0];
  const Channel channel(one.friction);
  const auto slope = [&](double x) {
    const double s = x / 1000 - 0.5, depth = channel.depth(x), u = channel.speed(x);
    const double depth_slope = std::cbrt(4 / gravity) / 2 * std::exp(-16 * s * s) * -32 * s / 1000;
    return (u * u / (gravity * depth) - 1) * depth_slope - one.resistance(depth, u);
  };
  double drop = 0;
  constexpr int steps = 2000;
  for (int i = 0; i <= steps; ++i)
    drop += (i % steps == 0 ? 1 : i % 2 == 1 ? 4 : 2) * slope(i * 1000.0 / steps) * 1000 / steps / 3;
  EXPECT_NEAR(channel.bed(1000) - channel.bed(0), drop, tolerance);
  EXPECT_NEAR(channel.bed(1000), -channel.depth(1000), 1e-14);
}

/// Relative L1 of the depth at t = 300 s on 50 and 100 cells along the channel.
TEST(Macdonald, is_kept_by_every_scheme_with_its_order) {
  struct Row {
    std::string scheme;
    double error, order;
  };
  // The velocity of fefv is of first order.
  for (const Row& row : {Row{test::fefv, 2e-3, 0.9}, {test::dec, 2e-4, 1.5}, {test::kinetic, 0.03, 0.9}}) {
    const auto error = [&](int cells) {
      test::WatchedRun run(fmt::format(
          "scene = 'macdonald'\nmesh = 'rectangle:{}x2:1000x20:structured'\nend = 300\ndt = 'auto'\n"
          "parameters.profile = 'transcritical'\nparameters.manning = 0.0218\n{}",
          cells, row.scheme));
      return run.to_the_end().end("l1_error");
    };
    const double coarse = error(50), fine = error(100);
    EXPECT_LT(coarse, row.error) << row.scheme;
    EXPECT_GT(test::order(coarse, fine), row.order) << row.scheme << coarse << ", " << fine;
  }
}

/// The error at the open ends included: 50 and 100 cells, at t = 300 s.
TEST(Macdonald, is_kept_to_second_order_by_linear_reconstruction) {
  struct Row {
    const char* flux;
    const char* limiter;
    std::size_t profile;
  };
  for (const auto& [flux, limiter, profile] :
       {Row{"hllc", "none", 0}, Row{"kinetic", "kuzmin", 0}, Row{"hllc", "barth-jespersen", 1},
        Row{"roe", "venkatakrishnan", 2}}) {
    const auto error = [&](int cells) {
      test::WatchedRun run(fmt::format(
          "scene = 'macdonald'\nmesh = 'rectangle:{}x2:1000x{}:structured'\nend = 300\ndt = 'auto'\n"
          "discretization = '{}'\nintegrator = 'ssprk2'\nparameters.reconstruction = 'linear'\n"
          "parameters.limiter = '{}'\nparameters.profile = '{}'\nparameters.manning = {}",
          cells, 2000 / cells, flux, limiter, cases[profile].profile,
          std::get<double>(cases[profile].friction.at("manning"))));
      return run.to_the_end().end("l1_error");
    };
    const double coarse = error(50), fine = error(100);
    EXPECT_LT(coarse, 5e-4) << flux << limiter << profile;
    EXPECT_GT(test::order(coarse, fine), 1.8) << flux << limiter << profile << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace shoal
