// The scenes on rotating spheres: the formulas satisfy the equations and have the published numbers, and the schemes converge.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/message.hpp"
#include "tests/support/watched_run.hpp"

#include <cstdio>
#include <numbers>
#include <tuple>

namespace shoal {
namespace {

constexpr double radius = 6.37122e6, day = 86400;

SceneInstance instance(const std::string& scene, const std::map<std::string, Value>& given = {}) {
  const Surface surface = load_surface("icosphere:1", radius);
  const SceneEntry& entry = test::catalog().scenes.find(scene);
  return entry.make(surface, make_geometry(surface.mesh, surface.x), Parameters(entry.parameters, given));
}

Vector3 at(double longitude, double latitude) {
  return radius * Vector3(std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                          std::sin(latitude));
}

/// Differences along the tangent plane of the sphere. Fields are constant along the radius, so that those in space equal these.
template <class Field>
auto derivative(const Field& field, const Vector3& x, const Vector3& along, double step)
    -> decltype(field(x)) {
  return (field(x + step * along) - field(x - step * along)) / (2 * step);
}

Vector3 gradient(const ScalarField& field, const Vector3& x, double step) {
  Vector3 sum = Vector3::Zero();
  for (int c = 0; c < 3; ++c) sum[c] = derivative(field, x, Vector3::Unit(c), step);
  return sum;
}

double divergence(const VectorField& field, const Vector3& x, double step) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += derivative(field, x, Vector3::Unit(c), step)[c];
  return sum;
}

/// v·∇v + f n×v + g∇h, in the tangent plane.
Vector3 acceleration(const SceneInstance& scene, const ScalarField& depth, const VectorField& velocity,
                     const Vector3& x, double step) {
  const Vector3 n = x.normalized(), v = velocity(x);
  const ScalarField elevation = [&](const Vector3& y) { return depth(y) - scene.bed_depth(y); };
  const Vector3 sum = v.norm() * derivative(velocity, x, v.normalized(), step) +
                      2 * scene.forcing.rotation.dot(n) * n.cross(v) +
                      scene.gravity * gradient(elevation, x, step);
  return sum - n * n.dot(sum);
}

TEST(SphereSuite, has_solutions_of_the_equations) {
  constexpr double step = 1e-4 * radius, seconds = 10;
  struct Trial {
    const char* scene;
    std::map<std::string, Value> given;
    double tolerance;
  };
  // The error of the differences is step² times a third derivative: the jet is 1/6 rad wide.
  for (const Trial& trial : {Trial{"williamson-2", {{"angle", 0.7}}, 1e-7},
                             {"williamson-5", {{"mountain", 0.0}}, 1e-7},
                             {"laeuter-3", {}, 1e-6},
                             {"galewsky", {{"bump", 0.0}}, 1e-4}}) {
    const SceneInstance scene = instance(trial.scene, trial.given);
    const bool has_reference = !scene.references.empty();
    const auto depth = [&](const Vector3& x, double time) {
      if (!has_reference) return scene.initial.depth(x);
      Vector values;
      scene.references[0].depth(x, time, values);
      return values[0];
    };
    const auto velocity = [&](const Vector3& x, double time) -> Vector3 {
      return has_reference ? scene.references[0].velocity(x, time) : scene.initial.velocity(x);
    };
    for (const double time : {0.0, 1e4, 2.5 * day})
      for (const Vector3& x : {at(0.3, 0.8), at(-2.5, 0.6), at(1.2, -0.4), at(2.9, 1.0)}) {
        const Vector3 n = x.normalized(), v = velocity(x, time);
        if (time == 0) {
          EXPECT_NEAR(depth(x, 0), scene.initial.depth(x), 1e-12 * scene.depth);
          EXPECT_LT((v - scene.initial.velocity(x)).norm(), 1e-12);
          EXPECT_LT(std::abs(v.dot(n)), 1e-12 * (v.norm() + 1));
        }
        const auto now = [&](const auto& field) {
          return [&, time](const Vector3& y) { return field(y, time); };
        };
        const auto rate = [&](const auto& field) -> decltype(field(x, 0)) {
          return (field(x, time + seconds) - field(x, time - seconds)) / (2 * seconds);
        };
        const Vector3 momentum = rate(velocity) + acceleration(scene, now(depth), now(velocity), x, step);
        const double mass =
            rate(depth) +
            divergence([&](const Vector3& y) -> Vector3 { return depth(y, time) * velocity(y, time); }, x,
                       step);
        SCOPED_TRACE(trial.scene);
        const double scale = 2 * scene.forcing.rotation.norm() * 10;  // Coriolis at 10 m/s
        EXPECT_LT((momentum - n * n.dot(momentum)).norm(), trial.tolerance * scale);
        EXPECT_LT(std::abs(mass), trial.tolerance * depth(x, time) * 10 / radius);
      }
  }
}

/// The wave of williamson-6 starts without a change of its divergence, which is zero.
TEST(SphereSuite, has_a_balanced_wave) {
  constexpr double step = 1e-3 * radius;
  const double largest = 4e-5 * 4e-5;  // vorticity², 1/s²
  for (const double number : {4, 1, 2}) {
    const SceneInstance scene = instance("williamson-6", {{"wavenumber", number}});
    for (const Vector3& x : {at(0.3, 0.8), at(-2.5, 0.2), at(1.2, -0.4), at(2.9, 1.2), at(0.5, 1.57)}) {
      EXPECT_LT(std::abs(divergence(scene.initial.velocity, x, step)), 1e-5 * 4e-5);
      const double tendency = divergence(
          [&](const Vector3& y) {
            return acceleration(scene, scene.initial.depth, scene.initial.velocity, y, step);
          },
          x, step);
      EXPECT_LT(std::abs(tendency), 1e-4 * largest) << number;
    }
  }
}

TEST(SphereSuite, has_the_numbers_of_its_sources) {
  const SceneInstance mountain = instance("williamson-5");
  const Vector3 top = at(1.5 * std::numbers::pi, std::numbers::pi / 6);
  EXPECT_NEAR(mountain.bed_depth(top), 3960, 1e-6);
  EXPECT_NEAR(mountain.bed_depth(at(1.5 * std::numbers::pi, std::numbers::pi * (1 / 6.0 + 1 / 18.0))), 4960,
              1e-6);
  const SceneInstance smooth = instance("williamson-5", {{"mountain_shape", "smooth"}});
  EXPECT_NEAR(smooth.bed_depth(top), 3960, 1e-6);
  EXPECT_NEAR(smooth.bed_depth(at(1.5 * std::numbers::pi, std::numbers::pi * (1 / 6.0 + 1 / 18.0))),
              5960 - 2000 / std::numbers::e, 1e-6);
  EXPECT_NEAR(mountain.initial.depth(at(0, 0)), 5960, 1e-9);
  EXPECT_NEAR(mountain.initial.velocity(at(0, 0)).y(), 20, 1e-12);

  const SceneInstance wave = instance("williamson-6");
  EXPECT_NEAR(wave.initial.depth(radius * Vector3::UnitZ()), 8000, 1e-9);
  EXPECT_NEAR(wave.initial.velocity(at(std::numbers::pi / 4, 0)).norm(), 2 * radius * 7.848e-6, 1e-9);
  for (const double number : {1, 2, 3}) {
    const SceneInstance other = instance("williamson-6", {{"wavenumber", number}});
    const Vector3 pole = -radius * Vector3::UnitZ();
    const double speed = number == 1 ? radius * 7.848e-6 : 0;  // across the pole
    EXPECT_NEAR(other.initial.velocity(pole).norm(), speed, 1e-9);
    EXPECT_NEAR(other.initial.depth(pole), 8000 - speed * speed / (2 * 9.80616), 1e-9);
  }

  const SceneInstance jet = instance("galewsky", {{"bump", 0.0}});  // ours, by an independent computation
  EXPECT_NEAR(jet.initial.depth(at(0, -1)), 10158.186, 1e-3);
  EXPECT_NEAR(jet.initial.depth(radius * Vector3::UnitZ()), 9071.208, 1e-3);
  EXPECT_NEAR(jet.initial.velocity(at(1, std::numbers::pi / 4)).norm(), 80, 1e-9);
  EXPECT_NEAR(instance("galewsky").initial.depth(at(0, std::numbers::pi / 4)) -
                  jet.initial.depth(at(0, std::numbers::pi / 4)),
              120 * std::sqrt(0.5), 1e-9);
}

/// Whichever parameter leaves no water, the message has the depth from which there is some.
TEST(SphereSuite, names_the_depth_that_is_needed) {
  for (const auto& [scene, others, name, value] :
       std::vector<std::tuple<std::string, std::string, std::string, double>>{
           {"galewsky", "speed, bump, ", "speed", 800},
           {"galewsky", "speed, bump, ", "depth", 100},
           {"galewsky", "speed, bump, ", "gravity", 0.1},
           {"williamson-5", "speed, mountain, ", "speed", 800},
           {"williamson-5", "speed, mountain, ", "mountain", 1e5},
           {"williamson-5", "speed, mountain, ", "coriolis", 1},
           {"williamson-6", "rate, amplitude, ", "amplitude", 1e-3},
           {"williamson-2", "period, ", "period", 4000},
           {"laeuter-3", "period, ", "depth", 100}}) {
    const std::string message = test::message_of([&, scene = scene, name = name, value = value] {
      instance(scene, {{name, value}});
    });
    double depth = 0, needed = 0;
    ASSERT_EQ(
        std::sscanf(message.c_str(), "parameter 'depth': %lf is not greater than %lf, by", &depth, &needed),
        2)
        << message;
    EXPECT_NE(message.find("with these " + others), std::string::npos) << message;
    if (name == "depth") {
      EXPECT_EQ(depth, value);
    }
    EXPECT_LE(depth, needed * 1.00001);  // the message has six digits
    std::map<std::string, Value> given = {{name, value}};
    given["depth"] = 0.9999 * needed;
    EXPECT_THROW(instance(scene, given), SettingError);
    given["depth"] = 1.0001 * needed;
    EXPECT_NO_THROW(instance(scene, given));
  }
  EXPECT_NE(test::message_of([&] {
              instance("galewsky", {{"speed", 1e300}});
            }).find("not finite"),
            std::string::npos);
}

/// Relative l2 errors of laeuter-3 after six hours, levels 3 and 4.
TEST(SphereSuite, is_approached_with_the_order_of_each_scheme) {
  const std::pair<std::string, double> expected[] = {
      {"discretization = 'dec'\nintegrator = 'ssprk3'\nsplitting = 'none'\n", 1.8},
      {"discretization = 'fefv'\nintegrator = 'ssprk3'\nsplitting = 'none'\n", 1.5},
      {"discretization = 'hllc'\nintegrator = 'ssprk3'\nparameters.reconstruction = 'linear'\n"
       "parameters.limiter = 'none'\n",
       1.9}};
  for (const auto& [scheme, order] : expected) {
    const auto error = [&, scheme = scheme](int level) {
      test::WatchedRun run(
          fmt::format("scene = 'laeuter-3'\nmesh = 'icosphere:{}'\nend = 21600\ndt = 'auto'\n", level) +
          scheme);
      return run.to_the_end().end("l2_error");
    };
    const double coarse = error(3), fine = error(4);
    EXPECT_GT(test::order(coarse, fine), order) << scheme << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace shoal
