// Tables by degree, wave number, latitude and time: those of fields that are known, and refusals with their reasons.
#include "experiments/harness/results/sphere_fields.hpp"

#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/sweep/execute.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace shoal {
namespace {

constexpr double pi = std::numbers::pi, radius = 6.37122e6, day = 86400;

double number(const Cell& cell) {
  return std::holds_alternative<double>(cell) ? std::get<double>(cell) : std::nan("");
}

class SphereFields : public testing::Test {
 protected:
  std::filesystem::path compute(const std::string& text) {
    ExecutionOptions options;
    options.output = folder_ / fmt::format("{}.h5", ++files_);
    options.quiet = true;
    options.command = "a test";
    execute(test::catalog(), parse_experiment(text, "test.toml"), options);
    return options.output;
  }
  /// The numbers after file, run, discretization, mesh and time.
  static std::vector<std::vector<double>> rows(const std::filesystem::path& file,
                                               const SphereRequest& request) {
    require_readable_fields(file);
    std::vector<std::vector<double>> found;
    for (const std::vector<Cell>& row : sphere_table({file}, request).table.rows) {
      found.emplace_back();
      for (std::size_t i = 5; i < row.size(); ++i) found.back().push_back(number(row[i]));
    }
    return found;
  }

  test::TemporaryFolder folder_;
  int files_ = 0;
};

/// The start of steady zonal flow: v = u₀ cos θ eastwards, η = H − K sin²θ.
TEST_F(SphereFields, of_zonal_flow_are_those_of_its_formula) {
  constexpr double speed = 2 * pi * radius / (12 * day), depth = 2.94e4 / 9.80616;
  const double fall = (radius * 7.292e-5 * speed + 0.5 * speed * speed) / 9.80616;
  for (const char* scheme :
       {"discretization = 'fefv'\nadvection = 'vector-invariant'",
        "discretization = 'dec'\nadvection = 'vector-invariant'", "discretization = 'hllc'"}) {
    SCOPED_TRACE(scheme);
    const auto file = compute(fmt::format(R"(
      scene = "williamson-2"
      integrator = "ssprk3"
      mesh = "icosphere:3"
      dt = 100
      end = 100
      snapshots = "0"
      {})",
                                          scheme));
    constexpr double of_mesh = 0.006;  // vectors of triangles and of the sphere
    const auto degrees = rows(file, {.by = "degree", .times = {0}});
    ASSERT_EQ(degrees.size(), 16U);
    double elsewhere = 0;
    for (const std::vector<double>& row : degrees) {
      EXPECT_NEAR(row[1], row[0] == 2 ? 4 / 45.0 * fall * fall : 0, 1e-9 * fall * fall);
      if (row[0] > 1) elsewhere += row[2];
      EXPECT_LT(row[3], 1e-6 * speed * speed);
    }
    EXPECT_NEAR(degrees[0][2], speed * speed / 3, of_mesh * speed * speed / 3);
    EXPECT_LT(elsewhere, 1e-5 * speed * speed);
    for (const std::vector<double>& row : rows(file, {.by = "latitude", .times = {0}})) {
      const double sine = std::sin(row[0] * pi / 180), cosine = std::cos(row[0] * pi / 180);
      EXPECT_NEAR(row[1], depth - fall * sine * sine, 1e-8 * depth);
      EXPECT_NEAR(row[2], speed * cosine, of_mesh * speed);
      EXPECT_NEAR(row[3], 0, of_mesh * speed);
    }
  }
}

/// Two waves of given amplitude at a latitude, the first of which moves.
HarmonicSolution moving_waves(const std::vector<double>& times, double crest, double speed) {
  HarmonicSolution solution;
  solution.scene = "williamson-6";
  solution.truncation = 8;
  solution.times = times;
  for (const double time : times) {
    Harmonics depth(harmonics_count(8));
    for_each_harmonic(8, [&](std::size_t i, int l, int m) {
      if (l == 0) depth[i] = 1e4;
      if (l == 4 && m == 4) depth[i] = std::polar(3.0, -4 * pi / 180 * (crest + speed * time / day));
      if (l == 5 && m == 3) depth[i] = {0, 0.3};
    });
    solution.depth.push_back(depth);
    solution.velocity.push_back({Harmonics(depth.size()), Harmonics(depth.size())});
  }
  return solution;
}

TEST_F(SphereFields, of_a_wave_are_its_amplitude_crest_and_speed) {
  const std::string file = folder_ / "waves.h5";
  moving_waves({0, 1 * day, 7 * day, 14 * day}, 20, 12.5).write(file);
  const auto found = rows(file, {.by = "time", .wave_number = 4});
  ASSERT_EQ(found.size(), 4U);
  // |Y_44| = 3/16 √(35/2π) cos⁴θ
  const double amplitude = 2 * 3 * 3 / 16.0 * std::sqrt(35 / (2 * pi)) / 4;
  constexpr double round_off = 1e-9;
  for (std::size_t i = 0; i < 4; ++i) {
    const double time = std::vector{0.0, 1.0, 7.0, 14.0}[i];
    EXPECT_NEAR(found[i][0], amplitude, round_off);
    EXPECT_NEAR(found[i][1], 20 + 12.5 * time, round_off);
    if (i > 0) {
      EXPECT_NEAR(found[i][2], 12.5, round_off);
    }
    EXPECT_NEAR(found[i][3], 0.01, round_off);
  }
  const auto later = rows(file, {.by = "time", .times = {1 * day, 7 * day}, .wave_number = 4, .speed = 13});
  EXPECT_NEAR(later[1][2], 12.5, round_off);  // 75° further, of a wave 90° long

  // Slower than half a wave in the first interval, or a speed is given; a wave that is not there has no crest.
  const auto notes = [&](const SphereRequest& request) { return sphere_table({file}, request).notes; };
  ASSERT_EQ(notes({.by = "time", .wave_number = 4}).size(), 1U);
  EXPECT_NE(notes({.by = "time", .times = {1 * day, 7 * day}, .wave_number = 4})
                .front()
                .find("half its length, 45°, between its first two snapshots, 6 d apart; if it may be faster "
                      "than 7.5 °/d"),
            std::string::npos);
  EXPECT_TRUE(notes({.by = "time", .wave_number = 4, .speed = 0}).empty());
  EXPECT_TRUE(notes({.by = "time", .times = {1 * day}, .wave_number = 4}).empty());
  EXPECT_TRUE(notes({.by = "time", .wave_number = 2}).empty());
  for (const std::vector<double>& row : rows(file, {.by = "time", .wave_number = 2})) {
    EXPECT_TRUE(std::isnan(row[1]));
    EXPECT_TRUE(std::isnan(row[2]));
  }

  const auto waves = rows(file, {.by = "wavenumber", .times = {0}});
  EXPECT_NEAR(waves[4][1], 2 * 9 / (4 * pi), round_off);
  EXPECT_NEAR(waves[3][1], 2 * 0.09 / (4 * pi), round_off);
  EXPECT_NEAR(waves[4][4], 20, round_off);
}

TEST_F(SphereFields, of_a_damaged_solution_are_refused_with_the_place) {
  const auto message = [&](const std::function<void(hdf5::Group&)>& damage) {
    const std::string file = folder_ / "damaged.h5";
    moving_waves({0, 1 * day, 7 * day}, 20, 12.5).write(file);
    hdf5::File damaged(file, hdf5::Access::update);
    hdf5::Group root = damaged.root();
    damage(root);
    damaged.close();
    return test::message_of([&] { sphere_table({file}, {}); });
  };
  const auto written = [](const char* name, const hdf5::Extent& extent, const std::vector<double>& values) {
    return [=](hdf5::Group& root) {
      root.remove(name);
      root.write(name, extent, values);
    };
  };
  const auto with_truncation = [](double truncation) {
    return [=](hdf5::Group& root) { root.set("truncation", truncation); };
  };
  const double nan = std::nan("");
  const std::vector<double> zeros(3 * 45 * 2);
  std::vector<double> infinite = zeros;
  infinite[100] = HUGE_VAL;
  for (const auto& [damage, words] : std::vector<std::pair<std::function<void(hdf5::Group&)>, std::string>>{
           {with_truncation(8.5), "truncation 8.5 is not a whole number"},
           {with_truncation(nan), "truncation nan is not"},
           {written("time", {3}, {0, nan, 7 * day}), "/time: nan s at place 1"},
           {written("time", {3}, {0, 7 * day, 1 * day}), "/time: 86400 s at place 2"},
           {written("time", {3}, {0, 0, 1 * day}), "/time: 0 s at place 1"},
           {written("time", {3, 1}, {0, 1, 2}), "/time: not a row"},
           {written("time", {0}, {}), "no times"},
           {written("depth", {3, 90}, zeros), "/depth: not 3 times 45 pairs"},
           {written("curl", {3, 2, 45}, zeros), "/curl: not 3 times 45 pairs"},
           {written("gradient", {3, 45, 2}, infinite), "/gradient: not all numbers are finite"}})
    EXPECT_NE(message(damage).find(words), std::string::npos) << message(damage);
}

/// The amplitude of a wave that symmetry excludes is round-off, 1e-12 m and below in 3000 m, in every direction.
TEST_F(SphereFields, of_round_off_have_no_speed) {
  const auto file = compute(R"(
    scene = "williamson-2"
    discretization = "hllc"
    integrator = "ssprk3"
    mesh = "icosphere:1"
    dt = 2000
    end = 20000
    snapshots = "0,10000,20000")");
  for (const std::vector<double>& row : rows(file, {.by = "time", .degree = 3, .wave_number = 1})) {
    EXPECT_LT(row[0], 1e-11);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(std::isnan(row[i]));
  }
  EXPECT_TRUE(sphere_table({file}, {.by = "time", .degree = 3, .wave_number = 1}).notes.empty());
  try {
    sphere_table({file}, {.by = "degree", .times = {0, 9000}, .degree = 3});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at 9000 s; the nearest is at 10000 s"), std::string::npos)
        << error.what();
  }
}

/// A run is measured by the same numbers as a solution: the depth of the scene has no degree above 10.
TEST_F(SphereFields, of_a_run_at_its_start_are_those_of_its_formula) {
  const auto file = compute(R"(
    scene = "williamson-6"
    discretization = "hllc"
    integrator = "ssprk3"
    mesh = "icosphere:3"
    dt = 100
    end = 100
    snapshots = "0")");
  const auto found = rows(file, {.by = "time", .times = {0}, .degree = 12, .wave_number = 4});
  constexpr double rate = 7.848e-6, c2 = 0.5;
  const double amplitude =
      radius * radius / 9.80616 * 2 * (7.292e-5 + rate) * rate * c2 * c2 * (26 - 25 * c2) / 30;
  EXPECT_NEAR(found[0][0], amplitude, 1e-8 * amplitude);
  EXPECT_NEAR(std::remainder(found[0][1], 90), 0, 1e-8);
  EXPECT_LT(found[0][3], 1e-16);
}

TEST_F(SphereFields, refuse_what_is_no_sphere_and_degrees_that_the_mesh_does_not_resolve) {
  const auto torus = compute("scene = 'bump'\nmesh = 'torus:12x8'\ndt = 0.01\nend = 0.01");
  EXPECT_NE(test::message_of([&] { sphere_table({torus}, {}); }).find("not a sphere"), std::string::npos);
  const auto coarse = compute("scene = 'bump'\nmesh = 'icosphere:1'\ndt = 0.01\nend = 0.01");
  EXPECT_NE(test::message_of([&] { sphere_table({coarse}, {.degree = 9}); }).find("up to the degree 3"),
            std::string::npos);
  EXPECT_NE(test::message_of([&] { sphere_table({coarse}, {.run = "0007"}); }).find("no run '0007'"),
            std::string::npos);
}

}  // namespace
}  // namespace shoal
