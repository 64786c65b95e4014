// A rerun equals its run, and differences are reported with place and size.
#include "experiments/harness/results/diff.hpp"

#include "experiments/harness/results/rerun.hpp"
#include "experiments/harness/sweep/execute.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

const std::string runs = R"(
  scene = "bump"
  mesh = "icosphere:1"
  end = 0.3
  dt = ["auto", 0.1]
  snapshots = "0.1"
  discretization = ["fefv", "dec", "kinetic"]
  integrator = ["explicit", "newmark"]
  substeps = "auto"
  parameters.amplitude = 0.07)";

class Diff : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_ / (name + ".h5"); }
  std::filesystem::path compute(const std::string& name, const Experiment& experiment, int jobs = 1) {
    ExecutionOptions options;
    options.output = file(name);
    options.quiet = true;
    options.jobs = jobs;
    options.command = "a test";
    execute(test::catalog(), experiment, options);
    return options.output;
  }
  std::filesystem::path compute(const std::string& name, const std::string& text, int jobs = 1) {
    return compute(name, parse_experiment(text, "test.toml"), jobs);
  }
  static DiffReport compared(const std::filesystem::path& a, const std::filesystem::path& b,
                             const Comparison& comparison = {}) {
    return diff(Results(a), Results(b), comparison);
  }
  static bool names(const DiffReport& report, const std::string& text) {
    return report.text.find(text) != std::string::npos;
  }
  /// A copy in which one number is another.
  std::filesystem::path changed(const std::filesystem::path& from, const std::string& group,
                                const std::string& name, double add) {
    const auto to = file("changed");
    std::filesystem::copy_file(from, to);
    hdf5::File copy(to, hdf5::Access::update);
    hdf5::Group members = copy.root().open_group("runs").open_group("0001").open_group(group);
    std::vector<double> values = members.open_dataset(name).read();
    const hdf5::Extent size = members.open_dataset(name).extent();
    values[values.size() / 2] += add;
    members.remove(name);
    members.write(name, size, values);
    copy.close();
    return to;
  }

  test::TemporaryFolder folder_;
};

TEST_F(Diff, two_processes_at_once_give_the_bits_of_one) {
  const DiffReport report = compared(compute("a", runs, 1), compute("b", runs, 2));
  EXPECT_TRUE(report.equal) << report.text;
  EXPECT_TRUE(names(report, "numbers equal bit for bit"));
}

TEST_F(Diff, a_rerun_of_all_runs_is_equal_to_them_refused_ones_and_chosen_steps_included) {
  const auto a = compute("a", runs);
  const Rerun rerun = make_rerun(test::catalog(), Results(a), a.string(), "");
  EXPECT_TRUE(rerun.notes.empty());
  const DiffReport report = compared(a, compute("b", rerun.experiment));
  EXPECT_TRUE(report.equal) << report.text;
}

TEST_F(Diff, a_rerun_of_runs_that_end_before_the_scenes_snapshots_is_equal_to_them) {
  const auto a = compute("a", "scene = 'sphere-bump'\nmesh = 'icosphere:1'\ndt = 0.1\nend = 0.3");
  const DiffReport report =
      compared(a, compute("b", make_rerun(test::catalog(), Results(a), a.string(), "").experiment));
  EXPECT_TRUE(report.equal) << report.text;
}

TEST_F(Diff, a_rerun_of_a_run_compared_with_a_solution_file_is_equal_to_it) {
  const auto a = compute("a", R"(
    scene = "williamson-5"
    mesh = "icosphere:1"
    dt = 3600
    end = 7200
    parameters.solution_file = ")" SHOAL_REFERENCES R"(/williamson-5.h5")");
  const DiffReport report =
      compared(a, compute("b", make_rerun(test::catalog(), Results(a), a.string(), "").experiment));
  EXPECT_TRUE(report.equal) << report.text;
}

TEST_F(Diff, a_rerun_of_moving_and_advected_runs_is_equal_to_them) {
  const auto a = compute("a", R"(
    scene = ["bump", "crumple"]
    mesh = "icosphere:1"
    motion = ["squash", "crumple"]
    advection = ["none", "semi-lagrangian", "bfecc", "vector-invariant"]
    seed = 3
    end = 0.1
    parameters.inertia = "on"
    parameters.friction = 1)");
  const DiffReport report =
      compared(a, compute("b", make_rerun(test::catalog(), Results(a), a.string(), "").experiment));
  EXPECT_TRUE(report.equal) << report.text;
}

TEST_F(Diff, a_rerun_of_runs_that_change_their_scheme_is_equal_to_them) {
  const auto a = compute("a", R"(
    scene = 'sphere-bump'
    mesh = 'icosphere:2'
    dt = '1/60'
    end = 1
    snapshots = 'every:0.1'
    advection = 'semi-lagrangian'
    inputs = '''
      0.1 throw at=0,0,2 velocity=0,0,-3 spin=1,2,3
      0.2 drag to=0.5,0,0
      0.3 change discretization=dec advection=none
      0.5 change discretization=kinetic integrator=ssprk2
      0.7 change discretization=fefv integrator=newmark
      0.9 change integrator=explicit''')");
  const DiffReport report =
      compared(a, compute("b", make_rerun(test::catalog(), Results(a), a.string(), "").experiment));
  EXPECT_TRUE(report.equal) << report.text;

  const Results results(a);
  const RecordedRun& run = results.runs().front();
  EXPECT_EQ(run.outcome().outcome, "finished") << run.outcome().reason;
  const std::vector<double> times = run.diagnostics("time"), momentum = run.diagnostics("momentum");
  for (std::size_t row = 0; row < times.size(); ++row)  // newmark carries no velocity
    EXPECT_EQ(std::isnan(momentum[3 * row]), times[row] > 0.7001 && times[row] < 0.9001) << times[row];
  const hdf5::Group snapshots = run.group().open_group("snapshots");
  const std::vector<double> depth = snapshots.open_dataset("depth").read(),
                            time = snapshots.open_dataset("time").read();
  const std::size_t cells = depth.size() / time.size();
  for (std::size_t i = 0; i < time.size(); ++i)  // dec and kinetic have it on faces
    EXPECT_EQ(std::isnan(depth[i * cells]), time[i] > 0.3001 && time[i] < 0.7001) << time[i];
  for (const double value : snapshots.open_dataset("depth_at_vertices").read())
    EXPECT_TRUE(std::isfinite(value));
  const std::vector<double> positions = snapshots.open_dataset("positions").read();
  EXPECT_NEAR(positions[positions.size() - 3] - positions[positions.size() / time.size() - 3], 0.5, 0.01);
}

/// Both have a parameter of the same name with different defaults.
TEST_F(Diff, a_rerun_of_runs_that_change_to_parts_with_other_defaults_is_equal_to_them) {
  for (const std::string parts : {"integrator = 'implicit-euler'\ninputs = '0.1 change integrator=newmark'",
                                  "integrator = 'newmark'\ninputs = '0.1 change integrator=implicit-euler'",
                                  "advection = 'semi-lagrangian'\ninputs = '0.1 change advection=bfecc'",
                                  "integrator = 'implicit-euler'\nlinear_solver = 'petsc'\ninputs = '0.1 "
                                  "change linear_solver=eigen-cg'"}) {
    const auto a =
        compute("a", "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/60'\nend = 0.3\n" + parts);
    const Results results(a);
    EXPECT_EQ(results.runs().front().outcome().outcome, "finished") << parts;
    const DiffReport report =
        compared(a, compute("b", make_rerun(test::catalog(), results, a.string(), "").experiment));
    EXPECT_TRUE(report.equal) << parts << report.text;
    std::filesystem::remove(a);
    std::filesystem::remove(file("b"));
  }
}

TEST_F(Diff, a_rerun_of_one_run_is_equal_to_that_one) {
  const auto a = compute("a", runs);
  const auto b = compute("b", make_rerun(test::catalog(), Results(a), a.string(), "0004").experiment);
  const DiffReport report = compared(a, b);
  EXPECT_FALSE(report.equal) << "the others are only in one file";
  EXPECT_TRUE(names(report, "only in the first file: run 0001 (bump fefv explicit icosphere:1)"));
  EXPECT_TRUE(names(report, "numbers equal bit for bit"));
  Comparison one;
  one.run = "0004";
  EXPECT_TRUE(compared(a, b, one).equal);
  one.run = "4";
  EXPECT_THROW(compared(a, b, one), Error);
}

TEST_F(Diff, a_rerun_takes_what_was_recorded_and_not_what_is_the_default_now) {
  const auto a = compute("a", runs);
  {
    hdf5::File file(a, hdf5::Access::update);
    file.root().open_group("runs").open_group("0001").set("amplitude", 0.03);
    file.close();
  }
  const Rerun rerun = make_rerun(test::catalog(), Results(a), a.string(), "0001");
  const std::vector<PlannedRun> plan = expand(test::catalog(), rerun.experiment);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(std::get<double>(plan.front().configuration.parameters.at("amplitude")), 0.03);
  EXPECT_TRUE(Results(a).runs().front().group().has_attribute("dt_rule"));
  EXPECT_FALSE(plan.front().configuration.dt) << "a step that followed the water follows it again";
}

TEST_F(Diff, a_rerun_says_which_run_mesh_or_parameter_it_cannot_have) {
  const auto a = compute("a", runs);
  const auto message = [&](const std::string& id) -> std::string {
    try {
      check_meshes(test::catalog(), make_rerun(test::catalog(), Results(a), "a.h5", id));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("17"), "--run: results 'a.h5' contain no run '17'; runs: 0001 to 0012");
  {
    hdf5::File file(a, hdf5::Access::update);
    file.root().open_group("runs").open_group("0001").set("mesh_name", "icosphere:2");
    file.root().open_group("runs").open_group("0002").set("parameters", "amplitude, viscosity");
    file.close();
  }
  EXPECT_EQ(message("0001").rfind(
                "results 'a.h5': run 0001: mesh 'icosphere:2' has changed since it was recorded", 0),
            0u);
  EXPECT_EQ(message("0002"), "results 'a.h5': run 0002: this version has no parameter 'viscosity'");
}

TEST_F(Diff, a_number_that_differs_is_named_with_row_time_and_size) {
  const auto a = compute("a", runs);
  const auto b = changed(a, "diagnostics", "min_depth", 0.25);
  const DiffReport report = compared(a, b);
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(names(report, "run 0001: diagnostics/min_depth: 1 of ")) << report.text;
  EXPECT_TRUE(names(report, "(t = ")) << report.text;
  EXPECT_TRUE(names(report, "largest difference 0.25")) << report.text;
  EXPECT_TRUE(names(report, "code equal, configuration equal, numbers different")) << report.text;
  Comparison loose;
  loose.rtol = 0.5;
  EXPECT_TRUE(compared(a, b, loose).equal);
  loose.rtol = 0.1;
  EXPECT_FALSE(compared(a, b, loose).equal);
}

TEST_F(Diff, a_value_that_is_no_number_in_one_file_differs_at_any_tolerance) {
  const auto a = compute("a", runs);
  const auto b = changed(a, "snapshots", "depth", std::numeric_limits<double>::quiet_NaN());
  Comparison loose;
  loose.rtol = 10;
  const DiffReport report = compared(a, b, loose);
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(names(report, "in one file only a value is not finite")) << report.text;
  EXPECT_TRUE(compared(b, b).equal) << "NaN and NaN are the same";
}

TEST_F(Diff, another_commit_is_named_and_the_numbers_are_judged_apart) {
  const auto a = compute("a", runs), b = file("b");
  std::filesystem::copy_file(a, b);
  {
    hdf5::File file(b, hdf5::Access::update);
    file.root().set("git_commit", "another");
    file.root().set("cpu", "another");
    file.close();
  }
  const DiffReport report = compared(a, b);
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(names(report, " | another")) << report.text;
  EXPECT_TRUE(names(report, "not counted\n  cpu: ") || names(report, "  cpu: ")) << report.text;
  EXPECT_TRUE(names(report, "code different, configuration equal, numbers equal bit for bit")) << report.text;
  Comparison numbers;
  numbers.numbers_only = true;
  EXPECT_TRUE(compared(a, b, numbers).equal);
}

TEST_F(Diff, a_plugin_of_one_run_is_a_difference_of_code) {
  const auto a = compute("a", runs), b = file("b");
  std::filesystem::copy_file(a, b);
  const auto with_plugin = [](const std::filesystem::path& path) {
    hdf5::File file(path, hdf5::Access::update);
    file.root().set("plugins", "extra.so");
    file.close();
  };
  with_plugin(b);
  const DiffReport report = compared(a, b);
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(names(report, "plugins: none | extra.so")) << report.text;
  EXPECT_TRUE(names(report, "code different, configuration equal, numbers equal bit for bit")) << report.text;
  with_plugin(a);
  EXPECT_TRUE(compared(a, b).equal);
  EXPECT_TRUE(names(compared(a, b), "compared by path, not by content: extra.so")) << compared(a, b).text;
}

TEST_F(Diff, a_change_of_many_runs_stands_once_with_the_runs) {
  const std::string two = "scene = 'rest'\nmesh = ['icosphere:0', 'icosphere:1']\nend = 0.1\ndt = 0.1\n";
  const DiffReport all = compared(compute("a", two), compute("b", two + "parameters.depth = 2\n"));
  EXPECT_TRUE(names(all, "  all 2 runs: depth: 1 | 2\n")) << all.text;
  EXPECT_EQ(all.text.find("depth: 1 | 2"), all.text.rfind("depth: 1 | 2")) << all.text;
  const std::string three = "scene = 'rest'\nmesh = 'icosphere:0'\nend = 0.1\ndt = 0.1\nparameters.depth = ";
  const DiffReport some = compared(compute("c", three + "[1, 2, 3]"), compute("d", three + "[1, 4, 5]"));
  EXPECT_TRUE(names(some, "  run 0002: depth: 2 | 4\n")) << some.text;
  EXPECT_TRUE(names(some, "  run 0003: depth: 3 | 5\n")) << some.text;
}

TEST_F(Diff, another_time_step_is_a_difference_of_configuration) {
  const std::string one = "scene = 'rest'\nmesh = 'icosphere:0'\nend = 0.1\ndt = ";
  const DiffReport report = compared(compute("a", one + "0.1"), compute("b", one + "0.05"));
  EXPECT_FALSE(report.equal);
  EXPECT_TRUE(names(report, "run 0001: dt: 0.1 | 0.05")) << report.text;
  EXPECT_TRUE(names(report, "diagnostics/time: size [2] | [3]")) << report.text;
}

}  // namespace
}  // namespace shoal
