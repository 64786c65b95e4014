// packets: transport, momentum, the speed of waves, shocks and overlapping packets, against the theory of grid.md.
#include "tests/support/surfaces.hpp"
#include "tests/support/trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal::test {
namespace {

constexpr double pi = std::numbers::pi;

Configuration on(const std::string& mesh, std::map<std::string, Value> parameters = {}) {
  return {
      .mesh = mesh, .discretization = "packets", .integrator = "own", .parameters = std::move(parameters)};
}

/// Without gravity: packets alone.
Configuration free_flow(const std::string& mesh, std::map<std::string, Value> parameters = {}) {
  Configuration setup = on(mesh, std::move(parameters));
  setup.parameters["normal_acceleration_max"] = "none";
  setup.normal_acceleration = [](const Vector3&) { return 0.0; };
  return setup;
}

/// [cells] values of one row of cells, in the order of x.
std::vector<double> depth_of(const Trial& trial) {
  const Vector depth = trial.volume().cwiseQuotient(trial.discretization->cells().area);
  return {depth.begin(), depth.end()};
}
TEST(Packets, uniform_flow_on_a_periodic_plane_is_steady) {
  for (const char* rule : {"momentum", "mean", "listing"})
    for (const double s : {1.0, 1.05, 2.0}) {
      Configuration setup =
          on("rectangle:9x7:9x7:structured:periodic", {{"packet_velocity", rule}, {"smoothing", s}});
      setup.initial.velocity = [](const Vector3&) { return Vector3(0.7, -1.3, 0); };
      Trial trial(setup);
      trial.prepare(0.2);
      trial.run(50);
      EXPECT_LT(trial.max_elevation(), 1e-13) << rule << s;
      const Values v = trial.sample("velocity");
      EXPECT_LT((v.colwise() - Vector3(0.7, -1.3, 0)).cwiseAbs().maxCoeff(), 1e-12) << rule << s;
    }
}

TEST(Packets, depth_stays_positive_and_mass_is_kept_at_courant_number_50) {
  for (const char* walls : {"bounce", "clamp"}) {
    Configuration setup = free_flow("rectangle:20x16:20x16:structured", {{"wall_packets", walls}});
    setup.initial.depth = [](const Vector3& x) { return x.x() < 8 ? 1.0 : 0.0; };
    setup.initial.velocity = [](const Vector3& x) {
      return Vector3(50 * std::cos(x.y()), 40 * std::sin(x.x()), 0);
    };
    Trial trial(setup);
    const double before = trial.mass();
    trial.prepare(1);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(trial.step().ok);
      EXPECT_GE(trial.volume().minCoeff(), 0);
      EXPECT_NEAR(trial.mass() / before, 1, 1e-14 * (i + 1));
    }
  }
}

/// One fast cell, far away, makes all packets be traced one by one; else those of whole rows move together.
TEST(Packets, packets_of_a_row_move_as_one_by_one) {
  struct Case {
    const char* mesh;
    double courant;  // largest displacement of the other cells, in cells
  };
  for (const Case& one : {Case{"rectangle:40x13:40x13:structured", 0.2},
                          {"rectangle:40x13:40x13:structured", 0.45},
                          {"rectangle:40x13:40x13:structured", 0.7},
                          {"rectangle:40x13:40x13:structured:periodic", 0.45},
                          {"rectangle:40x1:40x1:structured", 0.4}})
    for (const char* rule : {"momentum", "mean", "listing"})
      for (const char* beyond : {"zero", "mirror"})
        for (const auto& [s, n] : {std::pair(1.0, 2), std::pair(1.05, 2), std::pair(1.05, 3),
                                   std::pair(1.2, 4), std::pair(2.0, 2), std::pair(1.3, 1)}) {
          const auto after_a_step = [&](double fastest) {
            Configuration setup = free_flow(one.mesh, {{"packet_velocity", rule},
                                                       {"smoothing", s},
                                                       {"packets", double(n)},
                                                       {"wall_velocity", beyond}});
            setup.initial.depth = [](const Vector3& x) {
              return x.y() > 6 && x.x() < 4 ? 0 : 1 + 0.3 * std::sin(x.x()) * std::cos(2 * x.y());
            };
            setup.initial.velocity = [&one, fastest](const Vector3& x) {
              if (x.x() > 20 && x.x() < 21 && x.y() < 1) return Vector3(fastest, 0, 0);
              return Vector3(one.courant * std::cos(3 * x.x() + x.y()),
                             one.courant * std::sin(2 * x.x() * x.y()), 0);
            };
            Trial trial(setup);
            trial.prepare(1);
            trial.run(1);
            return std::pair(Vector(trial.volume()), Vector(trial.velocity()));
          };
          const auto [volume, velocity] = after_a_step(0);
          const auto [volume_of_each, velocity_of_each] = after_a_step(3);
          const Index cells = volume.size();
          const Trial trial(free_flow(one.mesh));
          for (Index c = 0; c < cells; ++c) {
            const double x = trial.discretization->cells().points(0, c);
            if (x > 16 && x < 28) continue;
            const std::string where = fmt::format("{} C = {} {} {} s = {} N = {} x = {}", one.mesh,
                                                  one.courant, rule, beyond, s, n, x);
            EXPECT_NEAR(volume[c], volume_of_each[c], 1e-14) << where;
            EXPECT_NEAR(velocity[c], velocity_of_each[c], 1e-13) << where;
            EXPECT_NEAR(velocity[cells + c], velocity_of_each[cells + c], 1e-13) << where;
          }
        }
}

/// Where water stays away from walls. Lee & O'Sullivan 2007 attribute the loss of momentum of their rule to velocities that cancel;
/// but Σ v is conserved, while Σ η v is not.
TEST(Packets, each_rule_conserves_its_own_sum) {
  const auto sums = [](const char* rule) {
    Configuration setup = free_flow("rectangle:24x24:24x24:structured:periodic", {{"packet_velocity", rule}});
    setup.initial.depth = [](const Vector3& x) { return 1 + 0.5 * std::sin(2 * pi * x.x() / 24); };
    setup.initial.velocity = [](const Vector3& x) {
      return Vector3(0.5 + 0.4 * std::cos(2 * pi * x.x() / 24), 0.3 * std::sin(2 * pi * x.y() / 24), 0);
    };
    Trial trial(setup);
    const auto measure = [&] {
      const Index cells = trial.volume().size();
      return Eigen::Vector2d(trial.velocity().head(cells).sum(),
                             trial.velocity().head(cells).dot(trial.volume()));
    };
    const Eigen::Vector2d before = measure();
    trial.prepare(0.6);
    trial.run(10);
    return Eigen::Vector2d((measure() - before).cwiseQuotient(before).cwiseAbs());
  };
  EXPECT_LT(sums("momentum")[1], 1e-14);
  EXPECT_GT(sums("momentum")[0], 1e-3);
  EXPECT_LT(sums("listing")[0], 1e-14);
  EXPECT_GT(sums("listing")[1], 1e-3);
  EXPECT_GT(sums("mean")[0], 1e-4);
  EXPECT_GT(sums("mean")[1], 1e-4);
}

/// How far a bump of velocity goes in a flow U, over U t.
double transport_speed(const char* rule) {
  constexpr double flow = 1;
  Configuration setup =
      free_flow("rectangle:160x3:160x3:structured:periodic", {{"packet_velocity", rule}, {"smoothing", 1.0}});
  setup.initial.velocity = [](const Vector3& x) {
    return Vector3(flow + 0.01 * std::exp(-std::pow((x.x() - 30) / 6, 2)), 0, 0);
  };
  Trial trial(setup);
  const auto centre = [&] {
    double sum = 0, moment = 0;
    const Cells& cells = trial.discretization->cells();
    for (Index c = 0; c < cells.count(); ++c) {
      const double bump = trial.velocity()[c] - flow;
      sum += bump;
      moment += bump * cells.points(0, c);
    }
    return moment / sum;
  };
  const double before = centre();
  trial.prepare(0.3);
  trial.run(100);
  return (centre() - before) / (flow * 30);
}

TEST(Packets, velocity_moves_with_the_flow_and_twice_as_fast_in_the_listing) {
  EXPECT_NEAR(transport_speed("momentum"), 1, 0.02);
  EXPECT_NEAR(transport_speed("mean"), 1, 0.02);
  EXPECT_NEAR(transport_speed("listing"), 2, 0.04);
}

/// ω of the first standing wave of a channel of 32 cells over √(gH) k; the wave must be so small that packets still overlap.
double wave_speed(double s, int n) {
  constexpr int cells = 32;
  Configuration setup = on("rectangle:32x1:32x1:structured", {{"smoothing", s}, {"packets", double(n)}});
  const double k = pi / cells;
  setup.initial.depth = [k](const Vector3& x) { return 1 + 1e-7 * std::cos(k * x.x()); };
  Trial trial(setup);
  const auto amplitude = [&] {
    double sum = 0;
    for (Index c = 0; c < cells; ++c) sum += trial.elevation()[c] * std::cos(k * (c + 0.5));
    return sum;
  };
  trial.prepare(0.3 / std::sqrt(gravity));
  std::vector<double> crossings;
  for (double t = 0, before = amplitude(); crossings.size() < 3; t += trial.dt) {
    if (!trial.step().ok || t > 100) return 0;
    const double now = amplitude();
    if (before * now < 0) crossings.push_back(t + trial.dt * before / (before - now));
    before = now;
  }
  const double omega = 2 * pi / (crossings[2] - crossings[0]);
  return omega / (std::sqrt(gravity) * k);
}

TEST(Packets, small_waves_run_at_the_root_of_2_over_s_where_packets_overlap) {
  for (const double s : {1.05, 1.2, 1.5, 2.0, 2.9})
    EXPECT_NEAR(wave_speed(s, 2) / std::sqrt(2 / s), 1, 0.01) << s;
  EXPECT_NEAR(wave_speed(1.05, 3) / std::sqrt(2 / 1.05), 1, 0.01);
}

/// Packets leave with the velocity 1/2N of a cell behind the side, which amplifies waves that run against the flow:
/// smoothing must balance it, (s − 1)/s > (C/2)(1 − 2NU/c), C = cΔt/Δ (grid.md).
double growth_in_a_flow(double s, int n, double courant, double flow) {
  constexpr int cells = 24;
  const double c = std::sqrt(gravity), k = 2 * pi / cells;
  Configuration setup =
      on("rectangle:24x3:24x3:structured:periodic", {{"smoothing", s}, {"packets", double(n)}});
  setup.initial.depth = [k](const Vector3& x) { return 1 + 1e-6 * std::cos(k * x.x()); };
  setup.initial.velocity = [=](const Vector3& x) {
    return Vector3(flow * c - 1e-6 * c * std::cos(k * x.x()), 0, 0);
  };
  Trial trial(setup);
  trial.prepare(courant / c);
  const double before = trial.max_elevation();
  trial.run(static_cast<int>(60 / courant));
  return trial.max_elevation() / before;
}

TEST(Packets, waves_against_a_flow_grow_unless_smoothing_outweighs_the_bias_of_the_sides) {
  EXPECT_GT(growth_in_a_flow(1.05, 2, 0.4, 0.1), 1);   // 0.048 < 0.12
  EXPECT_LT(growth_in_a_flow(1.25, 2, 0.4, 0.1), 1);   // 0.2 > 0.12
  EXPECT_LT(growth_in_a_flow(1.05, 2, 0.08, 0.1), 1);  // 0.048 > 0.024
  EXPECT_LT(growth_in_a_flow(1.05, 2, 0.4, 0.3), 1);   // U > c/2N
  EXPECT_LT(growth_in_a_flow(1.05, 6, 0.4, 0.1), 1);   // U > c/2N
  EXPECT_GT(growth_in_a_flow(1, 2, 0.1, 0.1), 1);
}

/// √(gη) Δt/Δ of the stable step in a uniform flow of `flow` √(gη): that of waves, or where packets leave their overlap the one of
/// grid.md at which waves against the flow cease to decay.
double stable_courant(double s, int n, double flow) {
  const double c = std::sqrt(gravity);
  Configuration setup =
      on("rectangle:24x3:24x3:structured:periodic", {{"smoothing", s}, {"packets", double(n)}});
  setup.initial.velocity = [=](const Vector3&) { return Vector3(flow * c, 0, 0); };
  return c * Trial(setup).stable_dt();
}

TEST(Packets, stable_steps_are_those_at_which_waves_against_a_flow_decay) {
  const double of_waves = std::sqrt(1.05);
  EXPECT_NEAR(stable_courant(1.05, 2, 0), of_waves, 1e-12);
  EXPECT_NEAR(stable_courant(1.05, 2, 0.01), of_waves, 1e-12);                          // within the overlap
  EXPECT_NEAR(stable_courant(1.05, 2, 0.05), 0.05 / (4 * 0.05), 1e-12);                 // the overlap
  EXPECT_NEAR(stable_courant(1.05, 2, 0.1), 2 * (0.05 / 1.05) / (1 - 4 * 0.1), 1e-12);  // the law
  EXPECT_NEAR(stable_courant(1.05, 2, 0.3), of_waves, 1e-12);                           // U > c/2N
}

/// The part by which a checkerboard of depths decays per step.
TEST(Packets, smoothing_damps_the_checkerboard) {
  for (const auto& [s, n] : {std::pair(1.0, 2), std::pair(1.05, 2), std::pair(1.2, 3)}) {
    Configuration setup =
        free_flow("rectangle:16x1:16x1:structured", {{"smoothing", s}, {"packets", double(n)}});
    setup.initial.depth = [](const Vector3& x) { return 1 + (static_cast<int>(x.x()) % 2 ? 0.01 : -0.01); };
    Trial trial(setup);
    trial.prepare(0.1);
    trial.run(1);
    // Cells beside walls have one neighbour.
    EXPECT_NEAR(trial.elevation()[7] / 0.01, 1 - 2 * (s - 1) / (n * s), 1e-12);
  }
}

/// Depth on the plateau and the place of the shock of a dam break of 300 cells after 6 s.
std::pair<double, double> dam(const char* rule, double s, double right) {
  Configuration setup = on("rectangle:300x1:300x1:structured", {{"packet_velocity", rule}, {"smoothing", s}});
  setup.initial.depth = [right](const Vector3& x) { return x.x() < 150 ? 10 : right; };
  Trial trial(setup);
  const int steps = static_cast<int>(std::lround(6 / (0.2 / std::sqrt(gravity * 10))));
  trial.prepare(6.0 / steps);
  trial.run(steps);
  const std::vector<double> depth = depth_of(trial);
  const double plateau = right == 5 ? 7.269 : 3.962;
  double shock = 0, sum = 0;
  int count = 0;
  for (int i = 0; i < 300; ++i) {
    if (depth[i] > 0.5 * (plateau + right)) shock = i + 0.5 - 150;
    if (i > 170 && i < 195) sum += depth[i], ++count;
  }
  return {sum / count, shock};
}

TEST(Packets, with_momentum_a_dam_breaks_at_the_right_speed) {
  const auto [plateau, shock] = dam("momentum", 1, 5);
  EXPECT_NEAR(plateau, 7.269, 0.01 * 7.269);
  EXPECT_NEAR(shock, 56.1, 1);
  const auto [low_plateau, low_shock] = dam("momentum", 1, 1);
  EXPECT_NEAR(low_plateau, 3.962, 0.01 * 3.962);
  EXPECT_NEAR(low_shock, 58.9, 1.5);
  EXPECT_LT(dam("listing", 1, 1).first, 0.9 * 3.962);
}

/// The source says that uneven ground is easy; overlapping packets move water downhill.
TEST(Packets, overlapping_packets_creep_downhill_unless_the_exchange_at_rest_is_removed) {
  const auto creep = [](double s, const char* flux) {
    Configuration setup = on("rectangle:40x1:40x1:structured", {{"smoothing", s}, {"rest_flux", flux}});
    setup.bed_depth = [](const Vector3& x) { return 2 + 0.8 * std::sin(2 * pi * x.x() / 40); };
    setup.initial.depth = setup.bed_depth;
    Trial trial(setup);
    trial.prepare(0.3 / std::sqrt(gravity * 2.8));
    trial.run(400);
    return trial.max_elevation();
  };
  EXPECT_LT(creep(1, "kept"), 1e-14);
  EXPECT_NEAR(creep(1.05, "kept"), 3.7e-3, 0.5e-3);
  EXPECT_LT(creep(1.05, "removed"), 3e-14);
  EXPECT_LT(creep(1.05, "whole"), 3e-14);
}

}  // namespace
}  // namespace shoal::test
