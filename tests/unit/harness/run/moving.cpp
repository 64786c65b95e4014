// Moving surfaces: exact invariants, and comparison with theory.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "tests/support/trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

RunConfiguration configured(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration;
}

/// Calls `check` with "discretization = …, integrator = …" of every pair that exists, or of those alone whose scheme
/// damps no wave.
template <class Check>
void for_every_pair(const Check& check, bool undamped_alone = false) {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators)
      if (integrator.incompatibility(scheme, {}).empty() && !(undamped_alone && scheme.dissipative))
        check("discretization = '" + scheme.name + "'\nintegrator = '" + integrator.name + "'\n",
              integrator.carries_velocity);
}

const std::string barycentric = "parameters.carried_velocity = 'barycentric'\n";  // the model of the thesis

/// A breathing sphere under `settings`: depths are exact and nothing flows.
void expect_nothing_but_the_depth_changes(const std::string& settings) {
  const RunConfiguration c =
      configured("scene = 'breathing-sphere'\nmesh = 'icosphere:2'\ndt = 0.01\nend = 1\n" + settings);
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  StageClock clock;
  const double mass = simulation.water().volume().sum();
  while (simulation.steps_done() < simulation.steps()) {
    ASSERT_TRUE(simulation.step(clock).ok) << settings;
    const Cells& cells = simulation.discretization().cells();
    const Vector depth = simulation.water().volume().cwiseQuotient(cells.area);
    Vector exact;
    simulation.scene().references.front().depth(cells.points, simulation.time(), exact);
    ASSERT_LT((depth - exact).lpNorm<Eigen::Infinity>(), 1e-11) << settings << simulation.time();
    ASSERT_NEAR(simulation.water().volume().sum(), mass, 1e-13 * mass) << settings;
    if (simulation.water().has_velocity()) {
      Values velocity;
      simulation.water().sample("velocity", velocity);
      ASSERT_LT(velocity.lpNorm<Eigen::Infinity>(), 1e-11) << settings;
    }
  }
}

TEST(BreathingSphere, changes_nothing_but_the_depth) {
  for_every_pair([](const std::string& pair, bool carries_velocity) {
    expect_nothing_but_the_depth_changes(pair + (carries_velocity ? barycentric : ""));
  });
}

TEST(BreathingSphere, changes_nothing_but_the_depth_with_any_option_of_the_integrators) {
  for (const std::string reference : {"mean", "initial", "local"})
    for (const std::string integrator : {"newmark", "implicit-euler", "newmark-analytic"})
      expect_nothing_but_the_depth_changes("integrator = '" + integrator + "'\n" +
                                           (integrator == "newmark-analytic" ? barycentric : "") +
                                           "parameters.reference_depth = '" + reference + "'\n");
  for (const std::string option : {"displacement_damping = 3", "rayleigh = 2", "mass_rescale = 'on'"})
    expect_nothing_but_the_depth_changes("integrator = 'newmark'\n[parameters]\n" + option + "\n");
}

/// A run in memory.
struct RunInMemory {
  explicit RunInMemory(const std::string& text)
      : configuration(configured(text)), surface(load_surface(test::catalog(), configuration)) {
    begin();
  }
  /// On the surface turned by `rotation`.
  RunInMemory(const std::string& text, const Eigen::Matrix3d& rotation)
      : configuration(configured(text)), surface(load_surface(test::catalog(), configuration)) {
    surface.x = rotation * surface.x;
    begin();
  }
  void begin() { simulation.emplace(test::catalog(), configuration, surface); }
  bool step() { return simulation->step(clock).ok; }
  Vector depth() const {
    return simulation->water().volume().cwiseQuotient(simulation->discretization().cells().area);
  }

  RunConfiguration configuration;
  Surface surface;
  std::optional<Simulation> simulation;
  StageClock clock;
};

/// The largest difference of depth in 100 frames.
double difference_of_depth(RunInMemory& one, RunInMemory& other) {
  double largest = 0;
  for (int frame = 0; frame < 100; ++frame) {
    EXPECT_TRUE(one.step() && other.step());
    largest = std::max(largest, (one.depth() - other.depth()).lpNorm<Eigen::Infinity>());
  }
  return largest;
}

constexpr double invariance = 1e-10;  // of the depth: roundings of positions of 10 m, over 100 frames

TEST(RigidMotion, changes_nothing) {
  for_every_pair([](const std::string& pair, bool) {
    const std::string common = "mesh = 'icosphere:2'\ndt = '1/120'\nend = 2\n" + pair;
    RunInMemory still("scene = 'bump'\n" + common);
    RunInMemory moving("scene = 'rigid-motion'\nparameters.motion_velocity = '6,-9,4'\n" + common);
    EXPECT_LT(difference_of_depth(still, moving), invariance) << pair;
    EXPECT_GT(moving.simulation->water().geometry().x.rowwise().mean().norm(), 9);
  });
}

TEST(RigidMotion, is_not_felt_with_advection_and_inertia_either) {
  for (const AdvectionEntry& advection : test::catalog().advections) {
    const std::string common =
        "mesh = 'icosphere:2'\ndt = '1/120'\nend = 2\nadvection = '" + advection.name + "'\n";
    RunInMemory still("scene = 'bump'\n" + common);
    RunInMemory moving(
        "scene = 'rigid-motion'\nparameters.motion_velocity = '6,-9,4'\nparameters.inertia = 'on'\n" +
        common);
    EXPECT_LT(difference_of_depth(still, moving), invariance) << advection.name;
  }
}

/// On dual edges that are short, and beside right angles, no result may depend on the last digit.
const std::vector<std::string> bad_triangles = {"torus:32x24", "blob:3", "blob:3:slivers",
                                                "rectangle:20x20:jittered"};

TEST(RigidMotion, changes_nothing_on_bad_triangles) {
  for (const std::string& mesh : bad_triangles)
    for (const char* advection : {"none", "vector-invariant"}) {
      const std::string common = "mesh = '" + mesh +
                                 "'\ndt = '1/4800'\nend = '100/4800'\ndiscretization = 'dec'\n"
                                 "parameters.dual = 'intrinsic'\nadvection = '" +
                                 advection + "'\n";
      RunInMemory still("scene = 'bump'\n" + common);
      RunInMemory moving("scene = 'rigid-motion'\nparameters.motion_velocity = '600,-900,400'\n" + common);
      EXPECT_LT(difference_of_depth(still, moving), invariance) << mesh << " " << advection;
    }
}

Eigen::Matrix3d rotation_by(double angle) {
  return Eigen::AngleAxisd(angle, Vector3(0.3, -0.5, 0.9).normalized()).toRotationMatrix();
}

TEST(RotatedMesh, gives_the_same_depths_on_bad_triangles) {
  for (const std::string& mesh : bad_triangles)
    for (const double angle : {0.7, 1.3, 1.9, 2.5}) {
      const Eigen::Matrix3d rotation = rotation_by(angle);
      const Vector3 center = load_surface(mesh).x.col(7), turned = rotation * center;
      const auto text = [&](const Vector3& c) {
        return fmt::format(
            "scene = 'bump'\nmesh = '{}'\ndt = '1/4800'\nend = '100/4800'\nparameters.center = "
            "'{:.17g},{:.17g},{:.17g}'\ndiscretization = 'dec'\nparameters.dual = 'intrinsic'\n",
            mesh, c.x(), c.y(), c.z());
      };
      RunInMemory one(text(center)), other(text(turned), rotation);
      EXPECT_LT(difference_of_depth(one, other), invariance) << mesh;
    }
}

TEST(RotatedMesh, gives_the_same_depths) {
  const Eigen::Matrix3d rotation = rotation_by(0.7);
  const Vector3 center = Vector3(0.2, 0.3, 1).normalized(), turned = rotation * center;
  for_every_pair([&](const std::string& pair, bool) {
    const auto text = [&](const Vector3& c) {
      return fmt::format(
          "scene = 'bump'\nmesh = 'blob:2'\ndt = '1/2400'\nend = 2\nparameters.center = "
          "'{:.17g},{:.17g},{:.17g}'\n{}{}",
          c.x(), c.y(), c.z(), pair,
          pair.find("'dec'") == std::string::npos ? "" : "parameters.dual = 'intrinsic'\n");
    };
    RunInMemory one(text(center)), other(text(turned), rotation);
    EXPECT_LT(difference_of_depth(one, other), invariance) << pair;
  });
}

/// The largest error of the depth in 2.4 s, over the largest elevation.
double shaken_error(const std::string& settings) {
  RunInMemory run("scene = 'shaken-sphere'\ndt = '1/480'\nend = 2.4\n" + settings);
  const SceneInstance& scene = run.simulation->scene();
  double largest = 0, error = 0;
  while (run.simulation->steps_done() < run.simulation->steps()) {
    EXPECT_TRUE(run.step());
    Vector exact;
    scene.references.front().depth(run.simulation->discretization().cells().points, run.simulation->time(),
                                   exact);
    largest = std::max(largest, (exact.array() - scene.depth).abs().maxCoeff());
    error = std::max(error, (run.depth() - exact).lpNorm<Eigen::Infinity>());
  }
  return error / largest;
}

TEST(ShakenSphere, is_approached_with_the_first_order_of_a_flux_that_damps) {
  std::vector<double> edge, error;
  for (const int level : {2, 3, 4}) {
    edge.push_back(std::pow(0.5, level));
    error.push_back(shaken_error(fmt::format("mesh = 'icosphere:{}'\ndiscretization = 'kinetic'\n", level)));
  }
  EXPECT_GT(test::slope(edge, error), 0.8) << error[0] << " " << error[1] << " " << error[2];
}

TEST(ShakenSphere, answers_as_linear_theory_says) {
  constexpr double tolerance = 0.02;  // note of the scene: 2 % at the crest of the wave
  for_every_pair(
      [](const std::string& pair, bool) {
        const double error = shaken_error("mesh = 'icosphere:3'\n" + pair);
        // implicit-euler and newmark-analytic damp: their theoretical errors at this step are 4 and 2 %.
        const bool damps =
            pair.find("implicit-euler") != std::string::npos || pair.find("analytic") != std::string::npos;
        EXPECT_LT(error, damps ? 0.06 : tolerance) << pair;
      },
      true);
}

TEST(ShakenSphere, is_struck_where_it_sets_off_suddenly) {
  for (const char* start : {"rest", "forced"}) {
    RunInMemory run(std::string("scene = 'shaken-sphere'\nmesh = 'icosphere:3'\ndt = '1/480'\nend = 1\n") +
                    "parameters.onset = 'sudden'\nparameters.start = '" + start + "'\n");
    const SceneInstance& scene = run.simulation->scene();
    while (run.simulation->steps_done() < run.simulation->steps()) ASSERT_TRUE(run.step());
    Vector exact;
    scene.references.front().depth(run.simulation->discretization().cells().points, run.simulation->time(),
                                   exact);
    constexpr double tolerance = 0.02;  // as above
    EXPECT_LT((run.depth() - exact).lpNorm<Eigen::Infinity>(),
              tolerance * (exact.array() - scene.depth).abs().maxCoeff())
        << start;
  }
}

/// Growth rate of the amplitude, from the energy after `from` s on.
double growth(const std::string& text, double from, double& frequency) {
  RunInMemory run(text);
  frequency = run.simulation->mode()->angular_frequency;
  std::vector<double> time, logarithm;
  while (run.simulation->steps_done() < run.simulation->steps()) {
    EXPECT_TRUE(run.step());
    if (run.simulation->time() < from) continue;
    time.push_back(run.simulation->time());
    logarithm.push_back(0.5 * std::log(run.simulation->water().energy().total()));
  }
  const Eigen::Map<Vector> t(time.data(), static_cast<Eigen::Index>(time.size())),
      l(logarithm.data(), t.size());
  const Vector centred = t.array() - t.mean();
  return centred.dot(l) / centred.squaredNorm();
}

TEST(PulsatingGravity, makes_a_wave_grow_as_the_theory_of_resonance_says) {
  constexpr double tolerance = 0.05;
  for_every_pair(
      [](const std::string& pair, bool) {
        const double dt = 1.0 / 240;
        double frequency = 0;
        const double rate =
            growth("scene = 'pulsating-gravity'\nmesh = 'icosphere:1'\ndt = '1/240'\nend = 16\n" + pair, 4,
                   frequency);
        const double epsilon = 0.1, decay = 0.5 * frequency * frequency *
                                            dt;  // of implicit-euler, half of it in newmark-analytic
        const double expected =
            epsilon * frequency / 4 - (pair.find("implicit-euler") != std::string::npos ? decay
                                       : pair.find("analytic") != std::string::npos     ? 0.5 * decay
                                                                                        : 0);
        EXPECT_NEAR(rate / expected, 1, tolerance) << pair;
      },
      true);
}

TEST(BreathingSphere, drives_no_flow_with_inertia) {
  // By the edge-work split a radial acceleration has no tangential part, and its normal part is the same at every
  // vertex, since their normals are exact on a sphere.
  for (const int level : {2, 3, 4}) {
    RunInMemory run(fmt::format("scene = 'breathing-sphere'\nmesh = 'icosphere:{}'\ndt = '1/480'\nend = "
                                "0.5\nparameters.inertia = 'on'\n",
                                level) +
                    barycentric);
    while (run.simulation->steps_done() < run.simulation->steps()) ASSERT_TRUE(run.step());
    const ShallowWater& water = run.simulation->water();
    EXPECT_LT(std::sqrt(2 * water.discretization().kinetic_energy(water.state())), 1e-10) << level;
  }
}

TEST(AutomaticStep, is_that_of_the_smallest_triangles_on_the_way) {
  const auto dt = [](const std::string& motion) {
    return RunInMemory("scene = 'bump'\nmesh = 'icosphere:3'\nend = 64\ndt = 'auto'\nmotion = '" + motion +
                       "'\n")
        .simulation->dt();
  };
  EXPECT_LT(dt("squash"),
            0.6 * dt("none"));  // an axis shrinks to a fifth, with edges of at most 0.3 of their length
  EXPECT_NEAR(dt("translation") / dt("none"), 1, 1e-12);
}

/// A value of the current row of diagnostics, by its name.
double value(Diagnostics diagnostics, const std::string& name) {
  const std::vector<double> row = diagnostics.evaluate(diagnostics.energy(), {});
  std::size_t place = 0;
  for (const Quantity& quantity : diagnostics.quantities()) {
    if (quantity.name == name) return row.at(place);
    place += static_cast<std::size_t>(quantity.components);
  }
  return std::nan("");
}

/// The order of an error of `pulsating-ellipsoid-2007` at its end, from meshes of 162 and 642 vertices.
double ellipsoid_order(const std::string& settings, const std::string& error) {
  std::vector<double> edge, errors;
  for (const int level : {2, 3}) {
    RunInMemory run(
        fmt::format("scene = 'pulsating-ellipsoid-2007'\nmesh = 'icosphere:{}'\ndt = '1/{}'\nend = 0.5\n"
                    "parameters.amplitude = 0.5\n",
                    level, level == 2 ? 120 : 480) +
        settings);
    while (run.simulation->steps_done() < run.simulation->steps()) EXPECT_TRUE(run.step());
    edge.push_back(std::pow(0.5, level));
    errors.push_back(value(Diagnostics(*run.simulation), error));
  }
  return test::slope(edge, errors);
}

TEST(PulsatingEllipsoid2007, is_approached_with_the_order_of_each_scheme) {
  const std::string fefv, dec = "discretization = 'dec'\n",
                          kinetic = "discretization = 'kinetic'\nparameters.equations = 'full'\n",
                          linear =
                              "parameters.equations = 'linear'\nparameters.reference_depth = 'initial'\n"
                              "parameters.depth_gradient = 'exact'\n";
  EXPECT_GT(ellipsoid_order(fefv, "l2_error"), 1.7);
  EXPECT_GT(ellipsoid_order(fefv, "l2_error_velocity"), 1.0);
  EXPECT_GT(ellipsoid_order(fefv + "integrator = 'semi-implicit'\n", "l2_error"), 1.7);
  EXPECT_GT(ellipsoid_order(dec, "l2_error"), 1.8);
  EXPECT_GT(ellipsoid_order(dec, "l2_error_velocity"), 1.2);
  EXPECT_GT(ellipsoid_order(kinetic, "l2_error"), 1.0);
  EXPECT_GT(ellipsoid_order(fefv + linear + "integrator = 'newmark'\n", "l2_error"), 1.7);
  EXPECT_GT(ellipsoid_order(dec + linear + "integrator = 'newmark'\n", "l2_error"), 1.8);
  // Without ∇η̃·v_t the equation is another one.
  EXPECT_LT(ellipsoid_order(fefv + "parameters.equations = 'linear'\nparameters.reference_depth = 'initial'\n"
                                   "integrator = 'newmark'\n",
                            "l2_error"),
            0.3);
}

TEST(References, are_left_out_with_a_sentence_where_they_do_not_hold) {
  const auto reason = [](const std::string& settings) {
    const RunInMemory run("mesh = 'icosphere:2'\nend = 0.1\n" + settings);
    const SceneInstance& scene = run.simulation->scene();
    EXPECT_EQ(scene.references.empty(), !scene.no_reference.empty()) << settings;
    return scene.no_reference;
  };
  const std::string ellipsoid = "scene = 'pulsating-ellipsoid-2007'\n", shaken = "scene = 'shaken-sphere'\n";
  EXPECT_EQ(reason(ellipsoid), "");
  EXPECT_EQ(reason(ellipsoid + "integrator = 'newmark'"), "");
  EXPECT_EQ(reason(shaken), "");
  EXPECT_EQ(reason("scene = 'rest'\nparameters.friction = 1"), "");
  EXPECT_EQ(reason("scene = 'breathing-sphere'\nparameters.friction = 1\nparameters.inertia = 'on'"), "");
  for (const std::string& settings :
       {ellipsoid + "parameters.carried_velocity = 'rotated'", ellipsoid + "parameters.inertia = 'on'",
        ellipsoid + "parameters.friction = 0.1", shaken + "parameters.inertia = 'off'",
        shaken + "parameters.friction = 0.1", std::string("scene = 'sphere-bump'\nparameters.friction = 0.1"),
        std::string("scene = 'sphere-bump'\nmotion = 'squash'")})
    EXPECT_NE(reason(settings), "") << settings;
}

TEST(Squash, leaves_dec_its_step_where_edges_stop_being_Delaunay) {
  RunInMemory run(
      "scene = 'squash'\ndiscretization = 'dec'\ndt = '1/240'\nend = 2\nparameters.friction = 2\n" +
      barycentric);
  double clamped = 0;
  while (run.simulation->steps_done() < run.simulation->steps()) {
    ASSERT_TRUE(run.step());
    ASSERT_LT(run.depth().maxCoeff(), 3) << run.simulation->time();
    clamped = std::max(clamped, value(Diagnostics(*run.simulation), "clamped_duals"));
  }
  EXPECT_GT(clamped, 100);
  EXPECT_EQ(value(Diagnostics(*run.simulation), "clamped_duals"), 0) << "the sphere is round again";
}

/// Mass and the bound of `squash` over 10⁴ frames.
TEST(MovingSurfaces, keep_every_gram_over_ten_thousand_frames) {
  const std::string schemes[] = {
      "integrator = 'explicit'\nsubsteps = 4\nparameters.friction = 2\n",
      "integrator = 'semi-implicit'\nparameters.friction = 2\n",
      "integrator = 'newmark'\nparameters.rayleigh = 2\n",
      "discretization = 'dec'\nparameters.dual = 'barycentric'\nsubsteps = 8\nparameters.friction = 2\n",
      "discretization = 'kinetic'\nsubsteps = 16\nparameters.friction = 2\n"};
  for (const SceneEntry& entry : test::catalog().scenes) {
    const bool moves = entry.default_motion != "none" || entry.name == "breathing-sphere" ||
                       entry.name == "shaken-sphere" || entry.name == "pulsating-ellipsoid-2007";
    if (!moves || entry.default_motion == "skin") continue;  // bodies with a skin have tests of their own
    for (const std::string& scheme : schemes) {
      RunInMemory run("scene = '" + entry.name + "'\nmesh = 'icosphere:1'\ndt = '1/60'\nend = '10000/60'\n" +
                      scheme);
      const double mass = run.simulation->water().volume().sum();
      while (run.simulation->steps_done() < run.simulation->steps() && run.step()) {
        const ConstBlock volume = run.simulation->water().volume();
        if (!(run.depth().cwiseAbs().maxCoeff() < 1e3)) break;  // unstable
        ASSERT_LE(std::abs(volume.sum() - mass), 1e-12 * volume.cwiseAbs().sum())
            << entry.name << " " << scheme << run.simulation->time();
        if (entry.name == "squash") {
          ASSERT_LE(run.depth().cwiseAbs().maxCoeff(), 3) << scheme << run.simulation->time();
        }
      }
      if (entry.name == "crumple")
        EXPECT_GT(run.simulation->steps_done(), 200) << scheme;
      else
        EXPECT_EQ(run.simulation->steps_done(), 10000) << entry.name << " " << scheme;
    }
  }
}

TEST(Crumple, ends_with_a_reason_and_not_with_a_crash) {
  for_every_pair([](const std::string& pair, bool) {
    RunInMemory run(
        "scene = 'crumple'\nmesh = 'icosphere:1'\ndt = '1/30'\nend = 40\nparameters.motion_amplitude = 1\n" +
        pair);
    StepReport report;
    while (report.ok && run.simulation->steps_done() < run.simulation->steps())
      report = run.simulation->step(run.clock);
    EXPECT_TRUE(report.ok || !report.reason.empty()) << pair;
  });
}

TEST(Motion, cannot_be_given_to_a_scene_that_has_its_own) {
  try {
    RunInMemory("scene = 'breathing-sphere'\nmesh = 'icosphere:1'\nmotion = 'twist'\n");
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("moves its surface itself"), std::string::npos) << error.what();
  }
}

TEST(BreathingSphere, tells_how_far_its_triangles_are_stretched) {
  const RunConfiguration c =
      configured("scene = 'breathing-sphere'\nmesh = 'icosphere:2'\ndt = 0.25\nend = 1\n");
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  const double angle = value(diagnostics, "min_angle");
  EXPECT_GT(angle, 50);
  EXPECT_LT(angle, 60);
  EXPECT_DOUBLE_EQ(value(diagnostics, "max_area_ratio"), 1);
  StageClock clock;
  for (const double radius : {1.3, 1.0, 0.7}) {
    simulation.step(clock);
    EXPECT_NEAR(value(diagnostics, "max_area_ratio"), std::max(radius * radius, 1 / (radius * radius)),
                1e-12);
    EXPECT_NEAR(value(diagnostics, "min_angle"), angle, 1e-11);
  }
}

}  // namespace
}  // namespace shoal
