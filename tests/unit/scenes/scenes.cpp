// The scenes through the interface of the harness: their fields and refusals.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/scenes/scene.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace shoal {
namespace {

using Given = std::map<std::string, Value>;

SceneInstance make(const std::string& name, const Surface& surface, const Given& given = {}) {
  const SceneEntry& entry = test::catalog().scenes.find(name);
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  return make_scene(entry, surface, geometry, Parameters(entry.parameters, given));
}

SceneInstance make(const std::string& name, const std::string& mesh, const Given& given = {}) {
  return make(name, load_surface(mesh), given);
}

/// The message of the Error that making the scene throws; "" if it throws none.
template <class Mesh>
std::string error_message(const std::string& name, const Mesh& mesh, const Given& given = {}) {
  try {
    make(name, mesh, given);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The centroids of a surface's faces: points below the sphere, as triangle schemes use them.
Points centroids(const Surface& surface) {
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  Points points(3, surface.mesh.face_count());
  for (Index k = 0; k < surface.mesh.face_count(); ++k) points.col(k) = geometry.centroid(surface.mesh, k);
  return points;
}

Vector evaluate(const ScalarField& field, const Points& points) {
  Vector values(points.cols());
  for (Index i = 0; i < points.cols(); ++i) values[i] = field(points.col(i));
  return values;
}

Vector evaluate(const Reference& reference, const Points& points, double time) {
  Vector values;
  reference.depth(points, time, values);
  return values;
}

std::string small_mesh(const SceneEntry& entry) {
  if (entry.default_mesh.starts_with("icosphere")) return "icosphere:2";
  const auto size = entry.default_mesh.find(':', std::string("rectangle:").size());
  return "rectangle:50x4" + (size == std::string::npos ? ":10x0.4" : entry.default_mesh.substr(size));
}

/// A small mesh of this kind, with the radius required by the scene.
Surface small_surface(const SceneEntry& entry) {
  double radius = 1;
  for (const ParameterInfo& parameter : entry.parameters)
    if (parameter.name == "radius") radius = std::get<double>(parameter.fallback);
  return load_surface(small_mesh(entry), radius);
}

TEST(Scenes, AreDescribedCompletely) {
  std::set<std::string> names;
  for (const SceneEntry& entry : test::catalog().scenes) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is listed twice";
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.source.empty()) << entry.name;
    EXPECT_FALSE(entry.default_mesh.empty()) << entry.name;
    for (const ParameterInfo& parameter : entry.parameters)
      EXPECT_FALSE(parameter.meaning.empty()) << entry.name << " " << parameter.name;
  }
}

TEST(Scenes, ThatAreKnownOnASphereTakeNoPartOfOneAndNotTwo) {
  for (const std::string scene :
       {"sphere-bump", "sphere-mode", "shaken-sphere", "solid-rotation", "pulsating-ellipsoid",
        "pulsating-ellipsoid-2007", "spin-up", "zonal-ridge"}) {
    EXPECT_NE(error_message(scene, test::hemisphere("icosphere:2")).find("is not one complete sphere"),
              std::string::npos)
        << scene;
    Surface two = test::two_spheres("icosphere:2");
    for (Index i = 0; i < two.x.cols(); ++i)
      if (two.x(0, i) > 2.5) two.x(0, i) -= 5;
    EXPECT_NE(error_message(scene, two).find("is not one complete sphere"), std::string::npos) << scene;
    EXPECT_EQ(error_message(scene, "icosphere:2"), "") << scene;
  }
}

TEST(Scenes, HandOverACompleteStart) {
  for (const SceneEntry& entry : test::catalog().scenes) {
    SCOPED_TRACE(entry.name);
    const Surface surface = small_surface(entry);
    const SceneInstance instance = make(entry.name, surface);
    EXPECT_EQ(instance.forcing.normal_acceleration,
              Vector::Constant(surface.mesh.vertex_count, -instance.gravity));
    EXPECT_GT(instance.end, 0);
    EXPECT_FALSE(instance.sample_times.empty());
    EXPECT_LE(*std::max_element(instance.sample_times.begin(), instance.sample_times.end()), instance.end);
    for (const Points& points : {surface.x, centroids(surface)}) {
      const double lowest = evaluate(instance.initial.depth, points).minCoeff();
      const bool below_zero = entry.name.starts_with("bowl-") || entry.name == "parabola-friction" ||
                              entry.name == "slope-drop" || entry.name == "lake-outlet" ||
                              entry.name == "carrier-greenspan" ||
                              entry.name == "river",  // land, whose H is negative
          bell = entry.name == "cosine-bell",
                 dry = below_zero || bell || entry.name == "dam-dry" || entry.name == "krog-dam",
                 descends = entry.name == "macdonald";  // from above the zero level
      // Only places that sources may fill, and land, are dry.
      EXPECT_TRUE(lowest > 0 || (lowest == 0 && (instance.coupling || dry))) << lowest;
      if (!below_zero && !descends && !bell) {
        EXPECT_GT(evaluate(instance.bed_depth, points).minCoeff(), 0);
      }
    }
  }
}

/// Parameters with which a scene starts from its solution; otherwise the flow over a bump approaches it.
Given to_start(const SceneEntry& entry) {
  return entry.name.starts_with("bump-") ? Given{{"start", "steady"}} : Given{};
}

TEST(Scenes, StartFromTheirOwnSolutions) {
  for (const SceneEntry& entry : test::catalog().scenes) {
    const Surface surface = small_surface(entry);
    const SceneInstance instance = make(entry.name, surface, to_start(entry));
    for (std::size_t i = 0; i < instance.references.size(); ++i) {
      SCOPED_TRACE(entry.name + " " + instance.references[i].name);
      EXPECT_EQ(instance.references[i].name.empty(), i == 0);
      for (const Points& points : {surface.x, centroids(surface)}) {
        const Vector difference =
            evaluate(instance.references[i], points, 0) - evaluate(instance.initial.depth, points);
        // Exact but for the rings of sphere-bump: cubic interpolation, (Δθ/width)⁴ of the amplitude.
        EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-9 * instance.depth);
      }
    }
  }
}

TEST(Scenes, AreFoundByNameOrTheNearestIsSuggested) {
  EXPECT_EQ(test::catalog().scenes.find("dam-wet").name, "dam-wet");
  try {
    test::catalog().scenes.find("sphere-bmup");
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'sphere-bump'"), std::string::npos)
        << error.what();
  }
}

TEST(Scenes, NameThemselvesInErrors) {
  EXPECT_EQ(error_message("sphere-bump", "icosphere:1", {{"amplitude", -1.0}}).substr(0, 20),
            "scene 'sphere-bump':");
}

TEST(SphereScenes, RefuseAMeshThatIsNotTheSphere) {
  for (const char* name : {"sphere-bump", "sphere-mode"}) {
    EXPECT_NE(error_message(name, "torus:16x8").find("is not a sphere of radius 1"), std::string::npos);
    EXPECT_NE(error_message(name, load_surface("icosphere:1", 2)).find("has the distance 2"),
              std::string::npos);
    EXPECT_EQ(error_message(name, load_surface("icosphere:1", 2), {{"radius", 2.0}}), "");
    Surface dented = load_surface("icosphere:1");
    dented.x.col(3) *= 1 + 2e-6;
    EXPECT_NE(error_message(name, dented).find("is not a sphere"), std::string::npos);
  }
}

TEST(SphereBump, TakesTheReferenceThatWasChosenAsItsOwn) {
  const auto names = [](const Given& given) {
    std::vector<std::string> list;
    for (const Reference& reference : make("sphere-bump", "icosphere:1", given).references)
      list.push_back(reference.name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({}), (Names{"", "nonlinear_no_advection", "linear"}));
  EXPECT_EQ(names({{"amplitude", 1e-4}}), (Names{"", "nonlinear", "nonlinear_no_advection"}));
  EXPECT_EQ(names({{"reference", "linear"}}), (Names{"", "nonlinear", "nonlinear_no_advection"}));
  EXPECT_EQ(names({{"reference", "nonlinear-no-advection"}}), (Names{"", "nonlinear", "linear"}));
}

TEST(SphereBump, MovesWithItsCenter) {
  const Given elsewhere = {{"center", "3,0,4"}};
  Points at(3, 2);
  at.col(0) << 0.6, 0, 0.8;
  at.col(1) << -0.6, 0, -0.8;
  const SceneInstance moved = make("sphere-bump", "icosphere:1", elsewhere);
  EXPECT_NEAR(moved.initial.depth(at.col(0)), 1.1, 1e-15);
  Points poles(3, 2);
  poles.col(0) << 0, 0, 1;
  poles.col(1) << 0, 0, -1;
  const SceneInstance plain = make("sphere-bump", "icosphere:1");
  for (std::size_t i = 0; i < moved.references.size(); ++i)
    EXPECT_NEAR((evaluate(moved.references[i], at, 0.3) - evaluate(plain.references[i], poles, 0.3)).norm(),
                0, 1e-12);
  EXPECT_NE(error_message("sphere-bump", "icosphere:1", {{"center", "0,0,0"}}).find("'center'"),
            std::string::npos);
}

TEST(SphereBump, ScalesWithTheSphere) {
  // x → s x, t → √s t: lengths of all kinds times s under the same gravity.
  constexpr double s = 4;
  const SceneInstance unit = make("sphere-bump", "icosphere:1");
  const Surface surface = load_surface("icosphere:1", s);
  const SceneInstance large =
      make("sphere-bump", surface, {{"radius", s}, {"depth", s}, {"amplitude", 0.1 * s}});
  for (std::size_t i = 0; i < unit.references.size(); ++i)
    EXPECT_LE((evaluate(large.references[i], surface.x, 0.8 * std::sqrt(s)) / s -
               evaluate(unit.references[i], surface.x / s, 0.8))
                  .lpNorm<Eigen::Infinity>(),
              1e-10);
}

TEST(SphereMode, SatisfiesTheLinearEquations) {
  const Given given = {{"l", 5.0}, {"m", -2.0}, {"radius", 2.0}, {"depth", 0.5}, {"amplitude", 0.01}};
  const SceneInstance instance = make("sphere-mode", load_surface("icosphere:1", 2), given);
  const auto h = [&](const Vector3& x, double t) {
    return evaluate(instance.references.front(), x, t)[0] - 0.5;
  };
  const double e = 1e-3, t = 0.37;
  for (const Vector3& direction : {Vector3(1, 2, 3), Vector3(-2, 1, 0.3), Vector3(0.2, -1, -1)}) {
    const Vector3 x = 2 * direction.normalized();
    // h_tt = gH ∇²h: h is constant along rays, so ∇² on the sphere is that in space.
    double laplacian = -6 * h(x, t);
    for (int axis = 0; axis < 3; ++axis)
      laplacian += h(x + e * Vector3::Unit(axis), t) + h(x - e * Vector3::Unit(axis), t);
    laplacian /= e * e;
    const double h_tt = (h(x, t + e) - 2 * h(x, t) + h(x, t - e)) / (e * e);
    EXPECT_NEAR(h_tt, 9.81 * 0.5 * laplacian, 1e-5);  // terms of size ω²a = 0.37, relative truncation (ωe)²
    EXPECT_GT(std::abs(h_tt), 1e-3);
    EXPECT_NEAR(h(x, 1e-6), h(x, 0), 1e-12);  // at rest
  }
  EXPECT_FALSE(instance.initial.velocity);
}

TEST(Tilt, SwingsBetweenWallsAsLinearTheorySays) {
  constexpr double rounding = 1e-14;
  const double speed = std::sqrt(9.81 * 0.5), d = 0.05;
  for (const int side : {0, 1}) {
    const Given given = {
        {"slope", 0.02}, {"axis", std::string(side == 0 ? "1,0,0" : "0,1,0")}, {"depth", 0.5}};
    const SceneInstance instance = make("tilt", "rectangle:8x4:2x1", given);
    const auto h = [&](double along, double t) {
      const Vector3 x = along * Vector3::Unit(side) + 0.4 * Vector3::Unit(1 - side);
      return evaluate(instance.references.front(), x, t)[0] - 0.5;
    };
    for (const double t : {0.1, 0.37, 1.9}) {
      for (const double x : {0.3, 0.5, 0.7})  // h_tt = gH h_xx, over d'Alembert's parallelogram
        EXPECT_NEAR(h(x, t + d / speed) + h(x, t - d / speed), h(x + d, t) + h(x - d, t), rounding);
      const double wall = side == 0 ? 2 : 1, near = 1e-3;  // through which nothing flows
      EXPECT_NEAR(h(near, t), h(0, t), rounding);
      EXPECT_NEAR(h(wall - near, t), h(wall, t), rounding);
    }
    EXPECT_GT(std::abs(h(0, 0)), 0.009);                             // so that the test is not vacuous
    EXPECT_NEAR(h(0, 0.1), h(0, 0) + 0.02 * speed * 0.1, rounding);  // it sinks at once: no equilibrium
  }
}

TEST(StandingWave, SatisfiesTheLinearEquationsAndTheWalls) {
  const Given given = {{"m", 2.0}, {"n", 3.0}, {"depth", 0.5}, {"amplitude", 0.01}};
  const SceneInstance instance = make("standing-wave", "rectangle:8x4:2x1", given);
  const Reference& solution = instance.references.front();
  const auto h = [&](const Vector3& x, double t) { return evaluate(solution, x, t)[0] - 0.5; };
  const double e = 1e-4, t = 0.37;
  constexpr double tolerance =
      1e-6;  // terms of size ωa = 0.2 and gak = 1, relative truncation (ωe)²/6 = 1e-6
  const auto slope = [&](auto&& f) { return (f(e) - f(-e)) / (2 * e); };
  for (const Vector3& x : {Vector3(0.3, 0.2, 0), Vector3(1.7, 0.9, 0), Vector3(1.1, 0.45, 0)}) {
    double divergence = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const Vector3 unit = Vector3::Unit(axis);
      divergence += slope([&](double s) { return solution.velocity(x + s * unit, t)[axis]; });
      EXPECT_NEAR(slope([&](double s) { return solution.velocity(x, t + s)[axis]; }),
                  -9.81 * slope([&](double s) { return h(x + s * unit, t); }), tolerance);
    }
    EXPECT_NEAR(slope([&](double s) { return h(x, t + s); }), -0.5 * divergence, tolerance);
    EXPECT_GT(std::abs(divergence), 1e-3);
  }
  constexpr double rounding = 1e-15;
  for (const double along : {0.1, 0.6}) {
    for (const double x : {0.0, 2.0}) EXPECT_NEAR(solution.velocity({x, along, 0}, t).x(), 0, rounding);
    for (const double y : {0.0, 1.0}) EXPECT_NEAR(solution.velocity({along, y, 0}, t).y(), 0, rounding);
  }
  EXPECT_NE(error_message("standing-wave", "rectangle:8x4", {{"m", 0.0}, {"n", 0.0}}).find("'m'"),
            std::string::npos);
}

TEST(BumpFlows, KeepTheOrderOfTheirLevelsAndRefuseAMeshWithoutTheBump) {
  const SceneInstance instance = make("bump-shock", "rectangle:50x2:25x1");
  Points points = Points::Zero(3, 3);
  points.row(0) << 5, 11.6, 11.7;
  const Vector depth = evaluate(instance.references.front(), points, 200);
  EXPECT_GT(depth[0], 0.33);
  EXPECT_LT(depth[1], 0.12);
  EXPECT_GT(depth[2], 0.2);
  EXPECT_NEAR(instance.initial.depth({10, 0, 0}), 0.13, 1e-15);
  EXPECT_NE(error_message("bump-sub", "rectangle:50x2:11x1").find("the bump lies in (8, 12)"),
            std::string::npos);
  EXPECT_NE(error_message("bump-sub", "rectangle:50x2:25x1:periodic-x").find("is periodic"),
            std::string::npos);
}

TEST(SphereMode, RefusesOrdersThatDoNotExist) {
  EXPECT_NE(error_message("sphere-mode", "icosphere:1", {{"m", 5.0}}).find("[-4, 4]"), std::string::npos);
  EXPECT_NE(error_message("sphere-mode", "icosphere:1", {{"l", 2.5}}).find("whole number"),
            std::string::npos);
  EXPECT_NE(error_message("sphere-mode", "icosphere:1", {{"amplitude", 1.0}}).find("'amplitude'"),
            std::string::npos);
}

TEST(Rest, HasNoElevationOverEitherBed) {
  for (const char* mesh : {"icosphere:2", "torus:16x8", "rectangle:20x5"})
    for (const char* bed : {"flat", "bumps"}) {
      const Surface surface = load_surface(mesh);
      const SceneInstance instance = make("rest", surface, {{"bed", bed}, {"depth", 0.3}});
      const Vector depth = evaluate(instance.initial.depth, surface.x),
                   below = evaluate(instance.bed_depth, surface.x);
      EXPECT_EQ(depth, below);
      EXPECT_EQ(evaluate(instance.references.front(), surface.x, 3.0), below);
      const double spread = below.maxCoeff() - below.minCoeff();
      if (bed == std::string("flat"))
        EXPECT_EQ(spread, 0);
      else
        EXPECT_GT(spread, 0.1 * 0.3) << mesh;  // hills worth the name
      EXPECT_GE(below.minCoeff(), 0.5 * 0.3);
    }
}

TEST(Rest, HasIslandsWhereTheWaterIsLowered) {
  const Surface surface = load_surface("icosphere:3");
  const SceneInstance instance = make("rest", surface, {{"bed", "bumps"}, {"level", -0.8}});
  const Vector depth = evaluate(instance.initial.depth, surface.x),
               bed = evaluate(instance.bed_depth, surface.x);
  EXPECT_LT(bed.minCoeff(), -0.1);
  EXPECT_EQ(depth, bed.cwiseMax(0));
  EXPECT_EQ(evaluate(instance.references.front(), surface.x, 3.0), depth);
  EXPECT_NE(error_message("rest", surface, {{"level", -1.0}}).find("'level'"), std::string::npos);
}

TEST(LakeAtRest, HasAnIslandBelowTheLevelOfTheBump) {
  for (const double level : {0.5, 0.1}) {
    const SceneInstance instance = make("lake-at-rest", "rectangle:100x4:25x1", {{"level", level}});
    EXPECT_NEAR(instance.initial.depth({10, 0, 0}), std::max(0.0, level - 0.2), 1e-16);
    EXPECT_NEAR(instance.initial.depth({11, 0, 0}), std::max(0.0, level - 0.15), 1e-16);
    EXPECT_EQ(instance.initial.depth({3, 0, 0}), level);
  }
}

TEST(Bump, StandsOnTheHighestVertex) {
  const SceneInstance instance = make("bump", "icosphere:2");
  EXPECT_NEAR(instance.initial.depth(Vector3(0, 0, 1)), 1.1, 1e-12);
  EXPECT_NEAR(instance.initial.depth(Vector3(0, 0.3, 1 - 0.4)), 1 + 0.1 * std::exp(-1.0),
              1e-12);  // |x − center| = width
}

TEST(Bump, BreaksTiesByTheOrderOfTheInput) {
  Surface surface = load_surface("rectangle:6x4");  // flat: all vertices tie
  const auto first =
      std::find(surface.input_vertex.begin(), surface.input_vertex.end(), 0) - surface.input_vertex.begin();
  EXPECT_DOUBLE_EQ(make("bump", surface).initial.depth(surface.x.col(first)), 1.1);
  std::reverse(surface.input_vertex.begin(), surface.input_vertex.end());  // now a different one is first
  const auto other = static_cast<Index>(surface.input_vertex.size()) - 1 - first;
  ASSERT_NE(surface.x.col(first), surface.x.col(other));
  EXPECT_DOUBLE_EQ(make("bump", surface).initial.depth(surface.x.col(other)), 1.1);
}

TEST(Bump, RefusesToDigBelowTheBed) {
  EXPECT_NE(error_message("bump", "icosphere:1", {{"amplitude", -1.0}}).find("'amplitude'"),
            std::string::npos);
  EXPECT_EQ(error_message("bump", "icosphere:1", {{"amplitude", -0.999}}), "");
}

TEST(Scenes, NameTheParameterThatLeavesNoFluid) {
  EXPECT_NE(error_message("williamson-2", load_surface("icosphere:1", 6.37122e6), {{"period", 1.0}})
                .find("with these period, radius, gravity and coriolis"),
            std::string::npos);
  EXPECT_NE(error_message("tilt", "rectangle:4x4", {{"slope", 1e3}}).find("'slope'"), std::string::npos);
  EXPECT_NE(error_message("zonal-ridge", "icosphere:1", {{"rate", 1e3}}).find("with these rate,"),
            std::string::npos);
}

TEST(Scenes, WhoseDepthIsNotANumberAreRefused) {  // ∞ − ∞
  EXPECT_NE(
      error_message("zonal-ridge", "icosphere:1", {{"height", -1e308}, {"depth", 1e10}, {"rate", 1e200}}),
      "");
}

TEST(DamWet, HasItsFrontsInTheRightPlaces) {
  const SceneInstance instance = make("dam-wet", "rectangle:50x2:10x0.4");
  Points points = Points::Zero(3, 6);
  points.row(0) << 3.6711, 4.8167, 6.2597, 6.2599, 5.0, 9.9;
  const Vector depth = evaluate(instance.references.front(), points, 6);
  EXPECT_DOUBLE_EQ(depth[0], 0.005);
  EXPECT_NEAR(depth[1], 0.002539357, 1e-9);
  EXPECT_NEAR(depth[2], 0.002539357, 1e-9);
  EXPECT_DOUBLE_EQ(depth[3], 0.001);
  EXPECT_NEAR(depth[4], 0.002539357, 1e-9);
  EXPECT_DOUBLE_EQ(depth[5], 0.001);
  EXPECT_DOUBLE_EQ(instance.initial.depth(Vector3(5, 0.1, 0)), 0.005);  // on the dam: the water behind it
}

/// The message of the Error that starting from the scene's own state throws; "" if it throws none.
std::string start_error_message(const std::string& scheme, const Given& given) {
  const Surface surface = load_surface("icosphere:1");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const SceneInstance instance = make("eigenmode", surface, given);
  const DiscretizationEntry& entry = test::catalog().discretizations.find(scheme);
  const auto discretization =
      entry.make(surface.mesh, geometry, instance.bed_depth, Parameters(entry.parameters, {}));
  Forces forces;
  discretization->derive(instance.forcing, forces);
  try {
    instance.discrete_initial_state(*discretization, forces);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Channel, HasABoreThatKeepsMassAndMomentum) {
  constexpr double g = 9.81, still = 0.8, speed = 0.7, time = 3;
  const SceneInstance scene =
      make("channel", "rectangle:50x2:50x2:structured", {{"depth", still}, {"speed", speed}, {"gravity", g}});
  const auto depth_at = [&](double x) {
    return evaluate(scene.references.front(), Points(Vector3(x, 0.5, 0)), time)[0];
  };
  const double behind = depth_at(0.1);
  double low = 0, high = 50;
  for (int i = 0; i < 100; ++i) (depth_at(0.5 * (low + high)) > still ? low : high) = 0.5 * (low + high);
  const double front = low / time, flux = still * speed;
  constexpr double round_off = 1e-9;
  EXPECT_NEAR(front * (behind - still), flux, round_off);
  EXPECT_NEAR(front * flux, flux * flux / behind + 0.5 * g * (behind * behind - still * still), round_off);
  ASSERT_EQ(scene.forcing.boundaries.size(), 2u);
  EXPECT_DOUBLE_EQ(scene.forcing.boundaries[0].value.at(0), flux * 2);  // the channel is 2 m wide
  EXPECT_NE(error_message("channel", "icosphere:1"), "");
  EXPECT_NE(error_message("channel", "rectangle:5x2:5x2", {{"speed", 4.0}}), "");
}

TEST(SourceSink, SatisfiesTheLinearEquationsWithItsSource) {
  constexpr double g = 9.81, depth = 0.7, discharge = 2e-3, width = 0.4;
  const Surface surface = load_surface("icosphere:3");
  const SceneInstance scene =
      make("source-sink", surface, {{"depth", depth}, {"discharge", discharge}, {"width", width}});
  const auto elevation = [&](double angle, double time) {
    return evaluate(scene.references.front(), Points(Vector3(std::sin(angle), 0, std::cos(angle))), time)[0] -
           depth;
  };
  constexpr double step = 1e-3, tolerance = 1e-4;  // differences of second order, relative to the largest
  double largest = 0, worst = 0;
  for (const double time : {0.2, 0.5})
    for (double angle = 0.3; angle < 3; angle += 0.2) {
      const double now = elevation(angle, time);
      const double tt =
          (elevation(angle, time + step) + elevation(angle, time - step) - 2 * now) / (step * step);
      const double outer = std::sin(angle + step / 2) * (elevation(angle + step, time) - now);
      const double inner = std::sin(angle - step / 2) * (now - elevation(angle - step, time));
      const double laplacian = (outer - inner) / (step * step * std::sin(angle));
      largest = std::max(largest, std::abs(tt));
      worst = std::max(worst, std::abs(tt - g * depth * laplacian));
    }
  EXPECT_LT(worst, tolerance * largest);
  // At first it rises as water is added: the discharge over one cap.
  double sum = 0;
  constexpr int rings = 2000;
  constexpr double pi = 3.14159265358979323846;
  for (int i = 0; i < rings / 2; ++i) {
    const double angle = (i + 0.5) * pi / rings;
    sum += 2 * pi * std::sin(angle) * pi / rings * elevation(angle, 1e-4) / 1e-4;
  }
  EXPECT_NEAR(sum / discharge, 1, 1e-3);
  ASSERT_EQ(scene.forcing.distributed_inflows.size(), 2u);
}

TEST(Eigenmode, IsNumberedFromTheLowestWaveToTheHighest) {
  for (const char* mode : {"1", "41", "highest"})
    EXPECT_EQ(start_error_message("fefv", {{"mode", mode}}), "");
  EXPECT_NE(start_error_message("fefv", {{"mode", "42"}})
                .find("42 is too large: the scheme has 41 modes on this mesh"),
            std::string::npos);
  for (const char* mode : {"0", "-1", "1.5"})
    EXPECT_NE(start_error_message("fefv", {{"mode", mode}}).find("'mode'"), std::string::npos) << mode;
  EXPECT_NE(
      start_error_message("fefv", {{"mode", "top"}}).find("'top' is not a whole number ≥ 1, or highest"),
      std::string::npos);
}

TEST(Eigenmode, RefusesSchemesWithoutWaveOperators) {
  EXPECT_EQ(
      start_error_message("kinetic", {}).find("scene 'eigenmode': requires a scheme with wave operators"),
      0u);
}

TEST(DamWet, HasNoSolutionOnceAWaveHasReachedAWall) {
  const SceneInstance instance = make("dam-wet", "rectangle:50x2:10x0.4");
  const Points point = Vector3(2, 0, 0);
  EXPECT_TRUE(
      std::isfinite(evaluate(instance.references.front(), point, 22.5)[0]));  // 5/√(9.81·0.005) = 22.58
  EXPECT_TRUE(std::isnan(evaluate(instance.references.front(), point, 22.7)[0]));
}

TEST(DamWet, RefusesWhatItsSolutionDoesNotCover) {
  EXPECT_NE(error_message("dam-wet", "rectangle:50x2:4x0.4").find("'dam': 5 is outside"), std::string::npos);
  EXPECT_NE(error_message("dam-wet", "rectangle:50x2:10x0.4", {{"depth_right", 0.005}}).find("'depth_right'"),
            std::string::npos);
  EXPECT_NE(error_message("dam-wet", "icosphere:1").find("is not flat"), std::string::npos);
}

}  // namespace
}  // namespace shoal
