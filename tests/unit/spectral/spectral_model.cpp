// The spectral model against exact solutions, and its files in runs.
#include "experiments/spectral/spectral_model.hpp"

#include "experiments/harness/fields/harmonic_solution.hpp"
#include "tests/support/temporary.hpp"
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

constexpr double radius = 6.37122e6;
constexpr int truncation = 21;

struct Trial {
  const SceneEntry& entry;
  Surface surface = load_surface("icosphere:2", radius);
  Parameters parameters;
  SceneInstance scene;

  explicit Trial(const std::string& name, const std::map<std::string, Value>& given = {})
      : entry(test::catalog().scenes.find(name)),
        parameters(entry.parameters, given),
        scene(entry.make(surface, make_geometry(surface.mesh, surface.x), parameters)) {}

  double depth_error(const SpectralModel& model) const {
    Vector exact;
    scene.references[0].depth(surface.x, model.time(), exact);
    const HarmonicSum sum(truncation);
    double largest = 0;
    for (Eigen::Index i = 0; i < exact.size(); ++i)
      largest = std::max(largest, std::abs(sum.scalar(model.state().depth, surface.x.col(i)) - exact[i]));
    return largest / exact.maxCoeff();
  }
  double velocity_error(const SpectralModel& model) const {
    const HarmonicSum sum(truncation);
    double largest = 0;
    for (const auto& x : surface.x.colwise())
      largest = std::max(
          largest,
          (sum.vector(model.state().velocity, x) - scene.references[0].velocity(x, model.time())).norm());
    return largest;
  }
};

TEST(SpectralModel, has_the_exact_solutions_of_zonal_and_turning_flow) {
  for (const char* name : {"williamson-2", "laeuter-3"}) {
    SCOPED_TRACE(name);
    const Trial trial(name, {{"angle", 0.6}});
    SpectralModel model(trial.scene, radius, {.truncation = truncation, .step = 600});
    EXPECT_LT(trial.depth_error(model), 1e-13);
    while (model.time() < 86400) model.step();
    EXPECT_LT(trial.depth_error(model), 1e-8);
    EXPECT_LT(trial.velocity_error(model), 1e-5);  // of 39 m/s
    EXPECT_LT(model.mass_drift(), 1e-14);
    EXPECT_LT(std::abs(model.energy_drift()), 1e-9);
  }
}

TEST(SpectralModel, has_fourth_order_in_time) {
  const Trial trial("laeuter-3");
  const auto error = [&](double step) {
    SpectralModel model(trial.scene, radius, {.truncation = truncation, .step = step});
    while (model.time() < 86400) model.step();
    return trial.depth_error(model);
  };
  EXPECT_GT(test::order(error(1200), error(600)), 3.8);
}

TEST(SpectralModel, damps_short_waves_after_each_step) {
  constexpr double step = 600, damping_time = 3600;
  const Trial trial("williamson-6");
  SpectralModel free(trial.scene, radius, {.truncation = truncation, .step = step}),
      damped(trial.scene, radius, {.truncation = truncation, .step = step, .damping_time = damping_time});
  free.step();
  damped.step();
  for_each_harmonic(truncation, [&](std::size_t i, int l, int) {
    const double ratio = l * (l + 1.0) / (truncation * (truncation + 1.0));
    const double left = std::exp(-step / damping_time * ratio * ratio);
    EXPECT_LT(std::abs(damped.state().velocity.curl[i] - left * free.state().velocity.curl[i]), 1e-12);
    EXPECT_LT(std::abs(damped.state().depth[i] - (l == 0 ? 1 : left) * free.state().depth[i]), 1e-9);
  });
}

TEST(SpectralModel, refuses_what_it_would_leave_out) {
  for (const auto& [name, given] : std::map<std::string, std::map<std::string, Value>>{
           {"breathing-zonal-flow", {{"radius", radius}}}, {"shaken-sphere", {{"radius", radius}}}}) {
    const Trial trial(name, given);
    EXPECT_THROW(SpectralModel(trial.scene, radius, {.truncation = truncation, .step = 600}), Refusal)
        << name;
  }
}

TEST(HarmonicSolution, is_the_solution_of_runs_at_its_times) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "solution.h5").string();
  const Trial trial("laeuter-3");
  SpectralModel model(trial.scene, radius, {.truncation = truncation, .step = 600});
  HarmonicSolution solution{.scene = "laeuter-3",
                            .parameters = own_parameters(trial.entry, trial.parameters),
                            .truncation = truncation,
                            .step = 600,
                            .times = {1200}};
  model.step();
  model.step();
  solution.depth = {model.state().depth};
  solution.velocity = {model.state().velocity};
  solution.write(path);

  const std::string text =
      "scene = 'laeuter-3'\nmesh = 'icosphere:2'\ndt = 600\nend = 1800\ndiscretization = 'dec'\n"
      "integrator = 'ssprk3'\n";
  test::WatchedRun exact(text), compared(text + "parameters.solution_file = '" + path + "'\n");
  for (int i = 0; i < 3; ++i) {
    exact.step_and_note();
    compared.step_and_note();
    for (const char* column : {"l2_error", "l2_error_velocity", "l2_error_own_velocity"}) {
      if (i == 1)
        EXPECT_NEAR(compared.end(column) / exact.end(column), 1, 1e-4) << column;
      else
        EXPECT_TRUE(std::isnan(compared.end(column))) << column;
    }
  }
  for (const std::string& wrong :
       {std::string("parameters.angle = 0.1\n"), std::string("parameters.gravity = 9.8\n")})
    EXPECT_THROW(test::WatchedRun(text + wrong + "parameters.solution_file = '" + path + "'\n"),
                 SettingError);
  EXPECT_THROW(test::WatchedRun(text + "parameters.solution_file = 'none.h5'\n"), SettingError);
  EXPECT_THROW(test::WatchedRun("scene = 'williamson-6'\nparameters.solution_file = '" + path + "'\n"),
               SettingError);

  // A file older than a parameter holds for its default.
  solution.parameters.erase("angle");
  const std::string older = (folder / "older.h5").string();
  solution.write(older);
  EXPECT_NO_THROW(test::WatchedRun(text + "parameters.solution_file = '" + older + "'\n"));
  EXPECT_THROW(
      test::WatchedRun(text + "parameters.angle = 0.1\nparameters.solution_file = '" + older + "'\n"),
      SettingError);
}

}  // namespace
}  // namespace shoal
