// Under any forces, a run that is stopped at any step and resumed from its checkpoint has the same bits. Every scene
// of the catalogue, on fixed and moving surfaces, stopped twice at random steps.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/saved_run.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <random>

namespace shoal {
namespace {

constexpr int steps = 14;

RunConfiguration configured(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "resume.toml")).front().configuration;
}

/// A run in memory, with the bits of its output and of its complete state.
class Course {
 public:
  Course(const RunConfiguration& configuration, const Surface& surface)
      : simulation_(test::catalog(), configuration, surface), diagnostics_(simulation_) {
    note();
  }

  /// Up to the end of the run, which may be early.
  void run_to(int step) {
    while (report_.ok && simulation_.steps_done() < step) {
      clock_.reset();
      report_ = simulation_.step(clock_);
      if (report_.ok) note();
    }
  }
  const StepReport& report() const { return report_; }
  std::int64_t steps_done() const { return simulation_.steps_done(); }

  Archive saved() const {
    Archive all, part;
    simulation_.save(part);
    all.put("simulation.", part);
    part = {};
    diagnostics_.save(part);
    all.put("diagnostics.", part);
    return all;
  }
  void go_on_from(const Archive& archive) {
    diagnostics_.restore(archive.part("diagnostics."));
    simulation_.restore(archive.part("simulation."));
  }
  const Simulation& simulation() const { return simulation_; }

  /// "" or the difference, with the step at which it first appears.
  std::string difference_from(const Course& whole) const {
    for (const auto& [step, row] : rows_) {
      if (step == 0) continue;
      const std::vector<double>& other = whole.rows_.at(step);
      for (std::size_t i = 0; i < row.size(); ++i)
        if (std::memcmp(&row[i], &other[i], sizeof(double)) != 0)
          return fmt::format("{} at step {}: {} for {}", name_of(i), step, row[i], other[i]);
    }
    const Archive mine = saved(), others = whole.saved();
    for (const auto& [name, values] : others.values()) {
      if (!mine.has(name) || mine.vector(name).size() != values.size()) return name + " is not alike";
      if (values.size() && std::memcmp(mine.vector(name).data(), values.data(),
                                       sizeof(double) * static_cast<std::size_t>(values.size())) != 0)
        return fmt::format("{} at the end, by {}", name, (mine.vector(name) - values).cwiseAbs().maxCoeff());
    }
    if (mine.values().size() != others.values().size()) return "more is saved";
    if (report_.reason != whole.report_.reason) return report_.reason + " for " + whole.report_.reason;
    return "";
  }

 private:
  void note() {
    std::vector<double> row = diagnostics_.evaluate(diagnostics_.energy(), clock_.work());
    for (const OutputInfo& output : simulation_.water().outputs()) {
      if (!simulation_.water().has_velocity()) break;  // a depth rate replaces it
      Values values;
      simulation_.water().sample(output.name, values);
      row.push_back(values.sum());
    }
    rows_[simulation_.steps_done()] = std::move(row);
  }
  std::string name_of(std::size_t place) const {
    for (const Quantity& quantity : diagnostics_.quantities()) {
      if (place < static_cast<std::size_t>(quantity.components)) return quantity.name;
      place -= static_cast<std::size_t>(quantity.components);
    }
    return "the output " + simulation_.water().outputs()[place].name;
  }

  Simulation simulation_;
  Diagnostics diagnostics_;
  StageClock clock_;
  StepReport report_;
  std::map<std::int64_t, std::vector<double>> rows_;
};

/// Through the file in which a run is saved.
Archive through_a_file(const Archive& archive) {
  const test::TemporaryFolder folder;
  write_saved_run(folder / "saved", "a test", archive);
  return *read_saved_run(folder / "saved", "a test");
}

/// Stops at `first`, resumes, stops at `second`, resumes to the end.
std::string difference_of_resumed(const RunConfiguration& configuration, int first, int second) {
  const Surface surface = load_surface(test::catalog(), configuration);
  Course whole(configuration, surface);
  whole.run_to(steps);
  if (whole.steps_done() <= second) second = static_cast<int>(std::max<std::int64_t>(1, whole.steps_done()));
  first = std::min(first, second);
  if (whole.steps_done() == 0) return "";  // refused in its first step
  Archive archive;
  for (const int part : {0, 1}) {
    Course course(configuration, surface);
    if (part == 1) course.go_on_from(archive);
    course.run_to(part == 0 ? first : second);
    archive = through_a_file(course.saved());
  }
  Course last(configuration, surface);
  last.go_on_from(archive);
  last.run_to(steps);
  const std::string difference = last.difference_from(whole);
  return difference.empty() ? "" : fmt::format("stopped at {} and {}: {}", first, second, difference);
}

/// Of a scene's default mesh, with few triangles.
std::string coarse(const std::string& mesh) {
  const auto begins = [&](const char* family) { return mesh.starts_with(family); };
  if (begins("icosphere")) return "icosphere:2";
  if (begins("torus")) return "torus:12x8";
  if (begins("figure")) return "figure:300";
  if (begins("rectangle")) {
    const std::size_t x = mesh.find('x'), size = mesh.find(':', x);
    const int columns = std::stoi(mesh.substr(10)), rows = std::stoi(mesh.substr(x + 1));
    return fmt::format("rectangle:{}x{}{}", std::min(columns, 14), std::min(rows, 10),
                       size == std::string::npos ? "" : mesh.substr(size));
  }
  return mesh;
}

struct Method {
  const char* name;
  const char* text;
};
const Method methods[] = {
    {"fefv explicit", "discretization = 'fefv'\nintegrator = 'explicit'\nadvection = 'semi-lagrangian'\n"},
    {"fefv ssprk3", "discretization = 'fefv'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"},
    {"dec dormand-prince",
     "discretization = 'dec'\nintegrator = 'dormand-prince'\nparameters.dual = 'intrinsic'\n"
     "parameters.error_tolerance = 3e-3\n"},
    {"dec ssprk3 lie",
     "discretization = 'dec'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\nsplitting = 'lie'\n"
     "parameters.dual = 'intrinsic'\n"},
    {"dec semi-implicit",
     "discretization = 'dec'\nintegrator = 'semi-implicit'\nlinear_solver = 'lagged-cholesky'\n"
     "parameters.dual = 'intrinsic'\n"},
    {"roe ssprk2", "discretization = 'roe'\nintegrator = 'ssprk2'\n"},
    {"kinetic ssprk3", "discretization = 'kinetic'\nintegrator = 'ssprk3'\nthreads = 2\n"},
    {"fefv newmark", "discretization = 'fefv'\nintegrator = 'newmark'\nlinear_solver = 'eigen-cg'\n"},
};

/// With the settings that each of them adds to a run.
const char* const motions[] = {
    "motion = 'turning'\n",
    "motion = 'squash'\nparameters.inertia = 'on'\n",
    "motion = 'twist'\nparameters.inertia = 'on'\nparameters.normal_smoothing = 0.3\n",
    "motion = 'shake'\nparameters.inertia = 'on'\nparameters.flow_inertia = 'on'\n",
    "motion = 'drag'\nparameters.carried_velocity = 'barycentric'\nparameters.inertia = 'on'\n"
    "parameters.inertia_smoothing = 0.4\n",
    "motion = 'bulge'\n"};

class Resume : public testing::TestWithParam<std::string> {
 protected:
  /// Compares if scene and text are compatible. Returns whether they are.
  bool compare(const std::string& text) {
    RunConfiguration configuration;
    try {
      configuration = configured(text);
      const Surface surface = load_surface(test::catalog(), configuration);
      const Course start(configuration, surface);
      moves_itself_ = moves_itself_ || start.simulation().moves();
      stands_ = surface.mesh.periodic() || start.simulation().scene().holds_velocity;
      configuration.dt = start.simulation().dt();
      configuration.substeps = start.simulation().substeps();
      configuration.parameters.erase("safety");
    } catch (const Error&) {
      return false;  // the scene does not take it
    }
    std::uniform_int_distribution<int> stop(1, steps - 1);
    const int one = stop(random_), other = stop(random_);
    EXPECT_EQ(difference_of_resumed(configuration, std::min(one, other), std::max(one, other)), "") << text;
    return true;
  }
  std::mt19937 random_{20};
  bool moves_itself_ = false, stands_ = false;
};

TEST_P(Resume, has_the_same_bits) {
  const SceneEntry& scene = test::catalog().scenes.find(GetParam());
  const std::string common =
      fmt::format("scene = '{}'\nmesh = '{}'\n", scene.name,
                  scene.name == "river" ? "rectangle:30x15:6x3"  // on coarser ones its boxes are too small
                                        : coarse(scene.default_mesh));
  int still = 0, moving = 0;
  for (const Method& method : methods) {
    still += compare(common + method.text);
    const std::size_t any = std::uniform_int_distribution<std::size_t>(0, std::size(motions) - 1)(random_);
    moving += compare(common + method.text + motions[any]);
  }
  moving += compare(common + methods[0].text + motions[0]);
  EXPECT_GT(still, 0);
  EXPECT_TRUE(moving > 0 || moves_itself_ || stands_);
}

std::vector<std::string> names_of_scenes() {
  std::vector<std::string> names;
  for (const SceneEntry& scene : test::catalog().scenes) names.push_back(scene.name);
  return names;
}

std::string test_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Resume, testing::ValuesIn(names_of_scenes()),
                         [](const auto& one) { return test_name(one.param); });

/// What scenes do not let act by themselves: inputs, forces that are given, boundaries. Time steps of 0.01 s.
struct Action {
  const char* name;
  const char* text;
};
void PrintTo(const Action& action, std::ostream* stream) {
  *stream << action.name;
}

class ResumeAction : public testing::TestWithParam<Action> {};

const char* const surfaces[] = {"", "motion = 'turning'\n", "motion = 'shake'\nparameters.inertia = 'on'\n"};

TEST_P(ResumeAction, has_the_same_bits) {
  std::mt19937 random(31);
  std::uniform_int_distribution<int> stop(1, steps - 1);
  int compared = 0;
  for (const Method& method : methods)
    for (const char* surface : surfaces) {
      const std::string text = std::string("dt = 0.01\nend = 1\n") + method.text + surface + GetParam().text;
      RunConfiguration configuration;
      try {
        configuration = configured(text);
        Course(configuration, load_surface(test::catalog(), configuration));
      } catch (const Error&) {
        continue;
      }
      const int one = stop(random), other = stop(random);
      EXPECT_EQ(difference_of_resumed(configuration, std::min(one, other), std::max(one, other)), "") << text;
      ++compared;
    }
  EXPECT_GE(compared, 4);
}

const Action actions[] = {
    {"inputs", R"(
       scene = 'sphere-bump'
       mesh = 'icosphere:2'
       inputs = """
         0.01 throw size=0.8 at=0,0,1.4 velocity=0,0,-4
         0.02 source at=0,0,1 radius=0.4 discharge=0.1 lasting=0.035
         0.03 push at=1,0,0 acceleration=0,3,0 width=0.5 lasting=0.063
         0.04 source at=0,1,0 radius=0.4 discharge=-0.2
         0.045 source at=0,-1,0 divergence=-2 lasting=0.06
         0.05 drag to=0.2,0,0
         0.06 push at=0,1,0 acceleration=0,0,1 width=0.4 lasting=inf
         0.07 change body_drag=2 artificial_strength=1 density=900 acceleration_limit=2
         0.09 push at=0,0,-1 acceleration=1,0,2 width=0.3 lasting=0.01
         0.10 drag to=0,0,0.1
         0.105 throw size=0.6 at=0,1.6,0 velocity=0,-3,0
         0.12 remove body=thrown-1
       """
     )"},
    {"changes", R"(
       scene = 'sphere-bump'
       mesh = 'icosphere:2'
       inputs = """
         0.02 source at=0,0,1 radius=0.4 discharge=0.1
         0.03 push at=1,0,0 acceleration=0,3,0 width=0.5 lasting=0.2
         0.04 change discretization=kinetic integrator=ssprk3 advection=none splitting=none substeps=2
         0.08 change discretization=fefv integrator=explicit substeps=2
         0.09 change density=1200
         0.1 change depth=0.7
         0.11 change friction=0.5
       """
     )"},
    {"clips", R"(
       scene = 'character'
       mesh = 'figure:300'
       inputs = """
         0.02 action name=jump hold=on delay=0.03
         0.09 action name=jump weight=0 delay=0.05
       """
     )"},
    {"gathering", R"(
       scene = 'fill-shape'
       mesh = 'icosphere:2'
       parameters.artificial_points = '0,0,5;0,5,0'
     )"},
    {"given_forces", R"(
       scene = 'custom'
       mesh = 'icosphere:2'
       [parameters]
       normal_acceleration = '-9.81 + sin(40*t)*x'
       body_acceleration = '(t < 0.05 ? 1 : -1), y*cos(30*t), 0.2'
       rain = '0.1*max(0, sin(50*t + z)) - 0.02'
     )"},
    {"given_forces_on_a_scene_with_its_own", R"(
       scene = 'torus-force'
       mesh = 'torus:12x8'
       [parameters]
       push_duration = 0.055
       body_acceleration = '0, 0, 2*sin(60*t)'
       rain = '0.05*t'
     )"},
    {"a_pulse_and_a_given_force", R"(
       scene = 'bump'
       mesh = 'icosphere:2'
       [parameters]
       push = 0.5
       push_time = 0.07
       push_duration = 0.033
       coriolis = 0.4
       friction = 0.3
       body_acceleration = '0.1, 0.2, 0.3'
     )"},
    {"open_boundaries", R"(
       scene = 'custom'
       mesh = 'rectangle:10x8:4x3'
       boundaries = 'left = discharge 0:0.1,0.035:0.4,0.2:-0.1; right = outflow; top = level 0:0,0.06:0.1,0.1:0'
       parameters.rain = '0.1*cos(20*t)'
     )"},
    {"gravity_that_pulsates", R"(
       scene = 'pulsating-gravity'
       mesh = 'icosphere:2'
       parameters.epsilon = 0.5
     )"},
};

INSTANTIATE_TEST_SUITE_P(Of, ResumeAction, testing::ValuesIn(actions),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace shoal
