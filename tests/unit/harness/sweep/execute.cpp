// Results files: the contents written by a sweep, and resuming it.
#include "experiments/harness/sweep/execute.hpp"

#include "experiments/harness/results/diff.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/rerun.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/harness/storage/xdmf.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <numbers>
#include <thread>

namespace shoal {
namespace {

const std::string small = R"(
  scene = "sphere-bump"
  mesh = "icosphere:1"
  end = 0.3
  dt = 0.1
  snapshots = "0.1"
  discretization = ["fefv", "dec", "kinetic"]
  integrator = ["explicit", "newmark"]
  substeps = "auto")";

/// A results file of its own for each test.
class Sweep : public testing::Test {
 protected:
  Sweep() {
    options_.output = folder_ / "results.h5";
    options_.quiet = true;
    options_.command = "a test";
  }
  Execution run(const std::string& text = small) {
    return execute(test::catalog(), parse_experiment(text, "small.toml"), options_);
  }

  test::TemporaryFolder folder_;
  ExecutionOptions options_;
};

TEST_F(Sweep, every_run_has_an_outcome_and_a_refused_one_attributes_only) {
  const Execution execution = run();
  ASSERT_EQ(execution.outcomes.size(), 6u);
  const Results results(options_.output);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(execution.outcomes[i].outcome, "finished") << i;
    EXPECT_EQ(results.runs()[i].outcome().steps, 3);
    EXPECT_EQ(results.runs()[i].diagnostics("time").size(), 4u);
    EXPECT_EQ(results.runs()[i].timing("total").size(), 3u);
  }
  EXPECT_EQ(execution.outcomes[5].outcome, "refused");
  EXPECT_FALSE(execution.outcomes[5].reason.empty());
  EXPECT_TRUE(results.runs()[5].group().names().empty());
}

TEST_F(Sweep, depths_below_zero_are_named_in_outcome_table_and_file) {
  const std::string bump =
      "scene = 'bump'\nmesh = 'icosphere:2'\nintegrator = 'newmark'\ndt = 0.05\nend = 2\n";
  const Execution execution = run(bump + "parameters.amplitude = [2, 0.1]");
  ASSERT_EQ(execution.outcomes[0].outcome, "finished");
  EXPECT_NE(execution.outcomes[0].reason.find("negative depths in up to "), std::string::npos);
  EXPECT_EQ(execution.outcomes[1].reason, "");
  const Results results(options_.output);
  const hdf5::Group &below = results.runs()[0].group(), &above = results.runs()[1].group();
  EXPECT_GT(below.integer("negative_depth_cells"), 0);
  EXPECT_EQ(above.integer("negative_depth_cells"), 0);
  EXPECT_TRUE(std::isnan(above.number("negative_depth_time")));
  const std::vector<double> depth = results.runs()[0].diagnostics("min_depth"),
                            time = results.runs()[0].diagnostics("time");
  std::size_t first = 0;
  while (depth[first] >= 0) ++first;
  EXPECT_EQ(below.number("negative_depth_time"), time[first]);
  const std::string table =
      make_table(results, TableFormat::text, {{"id", "outcome", "negative_depth_cells"}});
  EXPECT_NE(table.find("0001  finished, η < 0 from t = "), std::string::npos) << table;
  EXPECT_NE(table.find("0001 finished: negative depths in up to "), std::string::npos) << table;
  EXPECT_EQ(table.find("0002 finished:"), std::string::npos) << table;
  EXPECT_EQ(make_table(results, TableFormat::csv, {{"id", "negative_depth_time"}}).find("nan"),
            std::string::npos);
}

TEST_F(Sweep, triangles_that_stop_being_Delaunay_are_named_in_outcome_and_table) {
  const Execution execution =
      run("scene = 'bump'\nmesh = 'icosphere:2'\ndiscretization = ['dec', 'fefv']\nintegrator = 'ssprk3'\n"
          "advection = 'vector-invariant'\nmotion = 'sliding'\ndt = 'auto'\nend = 3\n"
          "parameters.motion_shear = [0.1, 0.8]\nparameters.amplitude = 0.1");
  const std::string said = "clamped_duals: active at up to ";
  const Results results(options_.output);
  ASSERT_EQ(results.runs().size(), 4u);
  for (const RecordedRun& run : results.runs()) {
    const std::vector<double> clamped = run.diagnostics("clamped_duals");
    const bool clamps = !clamped.empty() && *std::max_element(clamped.begin(), clamped.end()) > 0;
    EXPECT_EQ(run.outcome().outcome, "finished") << run.id() << run.outcome().reason;
    EXPECT_EQ(run.outcome().reason.find(said) != std::string::npos, clamps) << run.id();
    const std::string table = make_table(results, TableFormat::text, {{"id", "outcome"}});
    EXPECT_EQ(table.find(run.id() + " finished: " + said) != std::string::npos, clamps) << table;
  }
  EXPECT_EQ(execution.outcomes[0].reason, "");
  EXPECT_NE(execution.outcomes[1].reason, "") << "dec under a shear of 0.8";
}

TEST_F(Sweep, limits_that_took_effect_before_a_run_was_lost_are_named_in_its_reason) {
  const Execution execution = run(
      "scene = 'custom'\nmesh = 'torus:32x16'\nmotion = 'twist'\ndiscretization = 'dec'\n"
      "integrator = 'ssprk3'\nadvection = 'vector-invariant'\nend = 0.6\ndt = 0.05\nparameters.depth = 0.3");
  const Outcome& outcome = execution.outcomes.front();
  EXPECT_EQ(outcome.outcome, "unstable");
  EXPECT_NE(outcome.reason.find("; clamped_duals: active at up to "), std::string::npos) << outcome.reason;
}

TEST_F(Sweep, a_limit_on_the_acceleration_is_named_although_it_acts_from_the_start) {
  const Execution execution =
      run("scene = 'custom'\nmesh = 'rectangle:4x4'\nend = 0.1\nparameters.normal_acceleration = [-0.2, -9]");
  EXPECT_NE(execution.outcomes[0].reason.find("clamped_accelerations: active at up to "), std::string::npos)
      << execution.outcomes[0].reason;
  EXPECT_NE(execution.outcomes[0].reason.find(" elements, from the start"), std::string::npos);
  EXPECT_EQ(execution.outcomes[1].reason, "");
}

// The flow of round-off beside the shore has a rotation that no projection resolves.
TEST_F(Sweep, a_still_lake_with_a_shore_is_finished_without_a_remark) {
  const Execution execution = run(
      "scene = 'custom'\nmesh = 'rectangle:12x12:1x1:jittered'\nadvection = 'vector-invariant'\nend = 0.1\n"
      "dt = 0.005\nintegrator = ['explicit', 'ssprk3']\n"
      "parameters.bed_depth = '0.2-((x-0.5)^2+(y-0.5)^2)*3'");
  for (const Outcome& outcome : execution.outcomes) EXPECT_EQ(outcome.reason, "");
}

// Supercritical flow, for which neither explicit nor steps without v·∇v are meant.
TEST_F(Sweep, water_that_is_faster_than_waves_is_named) {
  run("scene = 'custom'\nmesh = 'rectangle:8x8:2x2:periodic'\nend = 0.1\ndt = 'auto'\nparameters.depth = "
      "0.1\n"
      "parameters.initial_velocity = ['5,0,0', '0.5,0,0']\n[[case]]\nintegrator = 'explicit'\n"
      "advection = 'vector-invariant'\n[[case]]\nintegrator = 'ssprk3'\nadvection = ['none', "
      "'vector-invariant']");
  const Results results(options_.output);
  ASSERT_EQ(results.runs().size(), 6u);
  for (const RecordedRun& run : results.runs()) {
    const bool fast =
        run.group().text("initial_velocity") == "5,0,0" &&
        !(run.group().text("integrator") == "ssprk3" && run.group().text("advection") == "vector-invariant");
    EXPECT_EQ(run.outcome().reason.find("times as fast as waves") != std::string::npos, fast)
        << run.id() << run.outcome().reason;
  }
}

// The motion has swung back by the second and last row.
TEST_F(Sweep, limits_that_take_effect_between_the_rows_are_named) {
  const Execution execution =
      run("scene = 'bump'\nmesh = 'icosphere:2'\ndiscretization = 'dec'\nintegrator = 'ssprk3'\n"
          "advection = 'vector-invariant'\nmotion = 'sliding'\ndt = 0.01\nend = 2\n"
          "diagnostics = 'every:1000000'\nparameters.motion_shear = 0.8\nparameters.amplitude = 0.1");
  const Results results(options_.output);
  for (const double clamped : results.runs()[0].diagnostics("clamped_duals")) EXPECT_EQ(clamped, 0);
  EXPECT_NE(execution.outcomes[0].reason.find("clamped_duals: active at up to "), std::string::npos);
}

// With diagnostics = every:N too.
TEST_F(Sweep, depths_below_zero_are_seen_between_the_rows) {
  run("scene = 'bump'\nmesh = 'icosphere:2'\nintegrator = 'newmark'\ndt = 0.05\nend = 2\n"
      "parameters.amplitude = 2\ndiagnostics = ['every:1', 'every:1000']");
  const Results results(options_.output);
  for (const char* name : {"negative_depth_time"})
    EXPECT_EQ(results.runs()[0].group().number(name), results.runs()[1].group().number(name));
  EXPECT_EQ(results.runs()[0].group().integer("negative_depth_cells"),
            results.runs()[1].group().integer("negative_depth_cells"));
}

TEST_F(Sweep, snapshots_hold_velocity_where_there_is_one_and_the_depth_rate_elsewhere) {
  run();
  const Results results(options_.output);
  const auto extent = [&](std::size_t i, const std::string& name) -> hdf5::Extent {
    const hdf5::Group snapshots = results.runs()[i].group().open_group("snapshots");
    return snapshots.has(name) ? snapshots.open_dataset(name).extent() : hdf5::Extent{};
  };
  constexpr std::uint64_t n = 3, vertices = 42, faces = 80, edges = 120;
  EXPECT_EQ(extent(0, "depth"), (hdf5::Extent{n, vertices}));
  EXPECT_EQ(extent(0, "velocity"), (hdf5::Extent{n, faces, 3}));
  EXPECT_EQ(extent(0, "normal_velocity"), hdf5::Extent{});
  EXPECT_EQ(extent(1, "depth_rate"), (hdf5::Extent{n, vertices}));
  EXPECT_EQ(extent(1, "velocity"), hdf5::Extent{});
  EXPECT_EQ(extent(2, "depth"), (hdf5::Extent{n, faces}));
  EXPECT_EQ(extent(2, "normal_velocity"), (hdf5::Extent{n, edges}));
  EXPECT_EQ(extent(2, "depth_at_vertices"), (hdf5::Extent{n, vertices}));
  EXPECT_EQ(results.runs()[0].group().open_group("snapshots").text("location"), "vertex");
  EXPECT_EQ(results.runs()[2].group().open_group("snapshots").text("location"), "face");
}

// The circumcentres of dec drift in their triangles, and their bed with them.
TEST_F(Sweep, the_elevation_is_that_above_the_bed_where_the_cells_are_then) {
  const std::string squashed =
      "scene = 'bump'\nmotion = 'squash'\nmesh = 'icosphere:2'\ndiscretization = 'dec'\ndt = 0.05\nend = "
      "0.4\n"
      "substeps = 'auto'\nparameters.bed_depth = '1 + 0.5*x'";
  run(squashed);
  const RunConfiguration c =
      expand(test::catalog(), parse_experiment(squashed, "squashed.toml")).front().configuration;
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  const Vector bed_at_start = simulation.discretization().cells().bed;
  StageClock clock;
  while (simulation.steps_done() < simulation.steps()) ASSERT_TRUE(simulation.step(clock).ok);
  const Cells& cells = simulation.discretization().cells();
  EXPECT_GT((cells.bed - bed_at_start).lpNorm<Eigen::Infinity>(), 1e-3);
  const Vector elevation = simulation.water().volume().cwiseQuotient(cells.area) - cells.bed;
  const Results results(options_.output);
  const std::vector<double> recorded =
      results.runs()[0].group().open_group("snapshots").open_dataset("elevation").read();
  const std::size_t last = recorded.size() - static_cast<std::size_t>(cells.count());
  for (Index k = 0; k < cells.count(); ++k)
    EXPECT_EQ(recorded[last + static_cast<std::size_t>(surface.input_face[static_cast<std::size_t>(k)])],
              elevation[k]);
}

TEST_F(Sweep, conditions_of_tables_are_looked_at_before_anything_is_computed) {
  for (const char* table : {"orders = 'space'\nwhere = 'discretisation=dec'", "order = 'discretisation'"}) {
    try {
      run(small + "\n[[table]]\nfile = 'a.md'\n" + table);
      ADD_FAILURE() << table;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("column 'discretisation' does not exist"), std::string::npos)
          << error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(options_.output)) << table;
  }
}

TEST_F(Sweep, the_mesh_and_the_fields_are_in_the_order_of_the_input) {
  run("scene = 'sphere-bump'\nmesh = 'icosphere:2'\nend = 0.1\ndt = 0.1\nparameters.center = '1,0,0'");
  const Results results(options_.output);
  const RecordedRun& recorded = results.runs().front();
  const hdf5::Group mesh = results.root().open_group("meshes").open_group(recorded.group().text("mesh"));
  const std::vector<double> x = mesh.open_dataset("vertices").read();
  const std::vector<double> depth = recorded.group().open_group("snapshots").open_dataset("depth").read();
  const Surface surface = load_surface("icosphere:2");
  for (std::size_t i = 0; i < surface.input_vertex.size(); ++i) {
    const auto v = static_cast<std::size_t>(surface.input_vertex[i]);
    const Vector3 here = surface.x.col(static_cast<Index>(i));
    EXPECT_EQ(Vector3(x[3 * v], x[3 * v + 1], x[3 * v + 2]), here);
    const double angle = std::atan2(here.tail<2>().norm(), here.x());
    EXPECT_NEAR(depth[v], 1 + 0.1 * std::exp(-4 * angle * angle), 1e-14);
  }
  for (const std::int64_t vertex : mesh.open_dataset("faces").read_integers()) EXPECT_LT(vertex, 162);
}

TEST_F(Sweep, scenes_of_different_radii_do_not_share_a_sphere) {
  run("scene = ['rest', 'williamson-2']\nmesh = 'icosphere:1'\ndt = 1\nend = 1\ndiscretization = 'dec'\n");
  const Results results(options_.output);
  EXPECT_NE(results.runs()[0].group().text("mesh"), results.runs()[1].group().text("mesh"));
}

TEST_F(Sweep, started_again_it_computes_only_what_is_missing) {
  run();
  {
    hdf5::File file(options_.output, hdf5::Access::update);
    hdf5::Group runs = file.root().open_group("runs");
    runs.remove("0003");
    hdf5::Group cut = runs.open_group("0002");
    cut.set("outcome", "interrupted");
    cut.set("mark", "to be removed");
    runs.open_group("0001").set("mark", "kept");
    file.close();
  }
  const Execution execution = run();
  EXPECT_EQ(execution.outcomes.size(), 6u);
  const Results results(options_.output);
  EXPECT_TRUE(results.runs()[0].group().has_attribute("mark"));
  EXPECT_FALSE(results.runs()[1].group().has_attribute("mark"));
  EXPECT_EQ(results.runs()[1].outcome().outcome, "finished");
  EXPECT_EQ(results.runs()[2].id(), "0003");
  EXPECT_EQ(results.runs()[2].outcome().outcome, "finished");
}

TEST_F(Sweep, goes_on_with_another_number_of_threads) {
  const std::string one = small + "\nthreads = 1\n", two = small + "\nthreads = 2\n";
  run(one);
  {
    hdf5::File file(options_.output, hdf5::Access::update);
    file.root().open_group("runs").remove("0003");
    file.close();
  }
  EXPECT_EQ(run(two).outcomes.size(), 6u);
  const Results results(options_.output);
  EXPECT_EQ(results.runs()[1].group().integer("threads"), 1);  // with which it was computed
  EXPECT_EQ(results.runs()[2].group().integer("threads"), 2);
  // Runs compared by the number of threads are different runs.
  EXPECT_THROW(run(small + "\nthreads = [1, 2]\n"), Error);
}

/// Stopped as by Ctrl-C after some of its 10 000 steps.
TEST_F(Sweep, of_one_run_goes_on_with_another_number_of_threads_to_the_same_bits) {
  const std::string run_of = R"(
    scene = "bump"
    mesh = "icosphere:1"
    discretization = "kinetic"
    integrator = "ssprk3"
    dt = 0.001
    end = 10
    snapshots = "10"
    threads = )";
  options_.single = true;
  options_.save_interval = 0;
  run(run_of + "1");
  const auto whole = options_.output, cut = folder_ / "cut.h5";
  options_.output = cut;
  {
    const StopSignals signals;
    std::thread user([&] {
      while (!std::filesystem::exists(cut)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      kill(getpid(), SIGINT);
    });
    const Execution stopped = run(run_of + "1");
    user.join();
    ASSERT_EQ(stopped.outcomes.front().outcome, "interrupted");
    ASSERT_GT(stopped.outcomes.front().steps, 0);
  }
  const std::vector<double> until = Results(cut).runs().front().timing("total");
  EXPECT_EQ(run(run_of + "2").outcomes.front().outcome, "finished");
  const std::vector<double> in_all = Results(cut).runs().front().timing("total");
  ASSERT_EQ(in_all.size(), 10'000u);
  EXPECT_TRUE(std::equal(until.begin(), until.end(), in_all.begin())) << "what was computed is kept";
  const DiffReport report = diff(Results(whole), Results(cut), {});
  EXPECT_NE(report.text.find("numbers equal bit for bit"), std::string::npos) << report.text;
}

TEST_F(Sweep, goes_on_whatever_its_tables_are_and_checks_their_columns_first) {
  const auto with_column = [](const std::string& name) {
    return small + "\n[[table]]\nfile = 'a.md'\ncolumns = ['" + name + "']";
  };
  EXPECT_THROW(run(with_column("max_sped")), Error);
  EXPECT_FALSE(std::filesystem::exists(options_.output)) << "something was computed";
  run(with_column("max_speed"));
  {
    hdf5::File file(options_.output, hdf5::Access::update);
    file.root().set("mark", "kept");
    file.close();
  }
  run();
  run(with_column("max_speed@max"));
  EXPECT_THROW(run(with_column("max_sped")), Error);
  const Results results(options_.output);
  EXPECT_TRUE(results.root().has_attribute("mark"));
  // The columns offered by a plan are those of its runs.
  const ColumnOffer planned =
      planned_columns(test::catalog(), expand(test::catalog(), parse_experiment(small, "small.toml")));
  for (const std::string& name : ColumnOffer(results).attributes)
    EXPECT_TRUE(planned.attributes.count(name)) << name;
  for (const std::string& name : ColumnOffer(results).stages) EXPECT_TRUE(planned.stages.count(name)) << name;
}

TEST_F(Sweep, a_mesh_file_that_has_changed_does_not_go_on_as_if_it_had_not) {
  const std::filesystem::path mesh = folder_ / "sphere.off";
  const auto write = [&](const char* top) {
    std::ofstream(mesh) << "OFF\n4 4 0\n0 0 " << top
                        << "\n1 0 0\n0 1 0\n-1 -1 0\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n";
  };
  const std::string text = "scene = 'rest'\nend = 0.1\nmesh = '" + mesh.string() + "'";
  write("1");
  run(text);
  EXPECT_NO_THROW(run(text));
  write("2");
  EXPECT_THROW(run(text), Error);
  options_.fresh = true;
  EXPECT_NO_THROW(run(text));
}

TEST_F(Sweep, a_sequence_of_meshes_that_has_changed_does_not_go_on_or_run_again_as_if_it_had_not) {
  const auto write = [&](const char* name, double top) {
    std::ofstream(folder_ / name) << "OFF\n4 4 0\n0 0 " << top
                                  << "\n1 0 0\n0 1 0\n-1 -1 0\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n";
    return (folder_ / name).string();
  };
  const std::string text = "scene = 'rest'\nend = 0.1\nmotion = 'sequence'\nmesh = '" + write("1.off", 1) +
                           "'\nparameters.sequence = '" + (folder_ / "*.off").string() + "'";
  const auto rerun = [&] {
    check_meshes(test::catalog(),
                 make_rerun(test::catalog(), Results(options_.output), options_.output.string(), ""));
  };
  write("2.off", 1.5);
  run(text);
  EXPECT_NO_THROW(run(text));
  EXPECT_NO_THROW(rerun());
  write("2.off", 1.25);
  EXPECT_THROW(run(text), Error);
  EXPECT_THROW(rerun(), Error);
  options_.fresh = true;
  EXPECT_NO_THROW(run(text));
}

TEST_F(Sweep, a_file_of_another_configuration_is_refused_unless_fresh) {
  run("scene = 'rest'\nmesh = 'icosphere:0'\nend = 0.1");
  EXPECT_THROW(run(), Error);
  options_.fresh = true;
  EXPECT_EQ(run().outcomes.size(), 6u);
}

TEST_F(Sweep, a_file_that_is_not_of_results_is_never_replaced) {
  options_.fresh = true;
  options_.output.replace_extension(".obj");
  std::ofstream(options_.output) << "v 0 0 0\n";
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(std::filesystem::file_size(options_.output), 8u);
}

TEST_F(Sweep, somebody_elses_hdf5_file_is_not_replaced_even_by_fresh) {
  std::filesystem::create_directories(options_.output.parent_path());
  {
    hdf5::File file(options_.output, hdf5::Access::create);
    file.root().set("owner", "somebody else");
    file.close();
  }
  options_.fresh = true;
  EXPECT_THROW(run(), Error);
  const hdf5::File file(options_.output, hdf5::Access::read);
  EXPECT_EQ(file.root().text("owner"), "somebody else");
}

TEST_F(Sweep, an_unstable_run_stops_at_the_step_with_a_last_snapshot) {
  const Execution execution =
      run("scene = 'sphere-bump'\nmesh = 'icosphere:2'\nend = 50\ndt = 0.5\nsubsteps = 1");
  const Outcome& outcome = execution.outcomes.front();
  EXPECT_EQ(outcome.outcome, "unstable");
  EXPECT_FALSE(outcome.reason.empty());
  EXPECT_LT(outcome.steps, 100);
  EXPECT_EQ(outcome.t_reached, 0.5 * static_cast<double>(outcome.steps));
  const Results results(options_.output);
  const hdf5::Group& group = results.runs().front().group();
  EXPECT_EQ(group.open_group("snapshots").open_dataset("time").read().back(), outcome.t_reached);
  EXPECT_EQ(results.runs().front().diagnostics("time").back(), outcome.t_reached);
}

TEST_F(Sweep, diagnostics_every_n_steps_hold_the_first_and_the_last) {
  run("scene = 'rest'\nmesh = 'icosphere:0'\ndt = 0.01\nend = 0.1\ndiagnostics = 'every:4'");
  const std::vector<double> time = Results(options_.output).runs().front().diagnostics("time");
  ASSERT_EQ(time.size(), 4u);
  EXPECT_DOUBLE_EQ(time[1], 0.04);
  EXPECT_DOUBLE_EQ(time[3], 0.1);
}

TEST_F(Sweep, the_same_run_gives_the_same_bits) {
  run();
  const auto first = options_.output;
  options_.output.replace_extension(".again.h5");
  options_.fresh = true;
  run();
  const Results a(first), b(options_.output);
  for (std::size_t i = 0; i < 5; ++i)
    for (const char* name : {"depth", "depth_at_vertices"})
      EXPECT_EQ(a.runs()[i].group().open_group("snapshots").open_dataset(name).read(),
                b.runs()[i].group().open_group("snapshots").open_dataset(name).read());
}

TEST_F(Sweep, a_single_run_that_cannot_exist_is_the_users_mistake_and_leaves_no_file) {
  options_.single = true;
  EXPECT_THROW(run("scene = 'rest'\ndiscretization = 'kinetic'\nintegrator = 'newmark'"), Refusal);
  EXPECT_FALSE(std::filesystem::exists(options_.output));
}

TEST_F(Sweep, a_mistake_in_any_run_is_reported_before_anything_is_computed) {
  const std::string modes = "scene = 'sphere-mode'\nmesh = 'icosphere:1'\nend = 0.1\nparameters.m = 3\n";
  try {
    run(modes + "parameters.l = [4, 2, 5]");
    ADD_FAILURE() << "the sweep went through";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "run 0002 (sphere-mode fefv explicit icosphere:1 dt=0.0166667): small.toml:4:12: m: "
                 "scene 'sphere-mode': parameter 'm': 3 is outside [-l, l] = [-2, 2]");
  }
  EXPECT_FALSE(std::filesystem::exists(options_.output));
  EXPECT_EQ(run(modes + "parameters.l = [4, 5]").outcomes.size(), 2u);
}

TEST_F(Sweep, an_input_that_cannot_be_at_its_time_is_named_and_the_sweep_goes_on) {
  const std::string dragged = "scene = 'sphere-bump'\nmesh = 'icosphere:1'\ndt = 0.1\nend = 0.5\n";
  const Execution execution =
      run(dragged +
          "inputs = ['''0 drag to=0,0,0.1\n0.3 source at=100,0,0 radius=0.2''', '0 drag to=0,0,0.1', "
          "'0.1 change discretization=kinetic integrator=newmark']");
  ASSERT_EQ(execution.outcomes.size(), 3u);
  EXPECT_EQ(execution.outcomes[0].outcome, "input-refused");
  EXPECT_EQ(execution.outcomes[0].steps, 3);
  EXPECT_EQ(execution.outcomes[0].reason.find("invalid input '0.3 source at=100,0,0 radius=0.2': "), 0u);
  EXPECT_EQ(execution.outcomes[1].outcome, "finished") << execution.outcomes[1].reason;
  EXPECT_EQ(execution.outcomes[2].outcome, "refused");
  const Results results(options_.output);
  EXPECT_EQ(results.runs()[0].diagnostics("time").size(), 4u);
  run(dragged +
      "inputs = ['''0 drag to=0,0,0.1\n0.3 source at=100,0,0 radius=0.2''', '0 drag to=0,0,0.1', "
      "'0.1 change discretization=kinetic integrator=newmark']");  // the file is whole
}

TEST_F(Sweep, a_mesh_that_a_scheme_cannot_use_is_a_refusal_with_its_plain_reason) {
  const Execution execution =
      run("scene = 'rest'\nmesh = 'torus:8x4'\nend = 0.1\ndt = 0.1\ndiscretization = ['dec', 'fefv']");
  EXPECT_EQ(execution.outcomes[0].outcome, "refused");
  EXPECT_EQ(execution.outcomes[0].reason.rfind("the circumcentric dual does not exist", 0), 0u)
      << execution.outcomes[0].reason;
  EXPECT_EQ(execution.outcomes[1].outcome, "finished");
}

TEST_F(Sweep, snapshots_more_often_than_steps_are_the_users_mistake) {
  EXPECT_THROW(run("scene = 'rest'\nmesh = 'icosphere:0'\nend = 0.1\ndt = 0.01\nsnapshots = 'every:1e-12'"),
               Error);
  EXPECT_FALSE(std::filesystem::exists(options_.output));
}

TEST_F(Sweep, a_solver_that_fails_leaves_the_time_and_every_row_once) {
  // θΔt so large that the matrix is not finite.
  const std::string text =
      "scene = 'sphere-bump'\nmesh = 'icosphere:1'\nend = 1e200\ndt = 1e199\nintegrator = 'semi-implicit'";
  const Execution execution = run(text);
  EXPECT_EQ(execution.outcomes.front().outcome, "solver-failed");
  EXPECT_EQ(execution.outcomes.front().steps, 0);
  EXPECT_EQ(execution.outcomes.front().t_reached, 0);
  const Results results(options_.output);
  EXPECT_EQ(results.runs().front().diagnostics("time"), std::vector<double>{0});
  EXPECT_EQ(results.runs().front().group().open_group("snapshots").open_dataset("time").read(),
            std::vector<double>{0});
  EXPECT_EQ(results.runs().front().timing("total"), std::vector<double>{});
  EXPECT_EQ(run(text).outcomes.front().reason, execution.outcomes.front().reason) << "it is gone on with";
}

TEST_F(Sweep, beside_a_single_run_of_a_moving_surface_lies_an_xdmf_with_every_snapshot_and_its_positions) {
  options_.single = true;
  run("scene = 'breathing-sphere'\nmesh = 'icosphere:1'\ndt = 0.1\nend = 0.4\nsnapshots = '0.2'");
  std::ifstream file(std::filesystem::path(options_.output).replace_extension(".xdmf"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char* snapshot : {"000000", "000001", "000002"})
    EXPECT_NE(text.find(std::string("/xdmf/0001/") + snapshot + "/positions<"), std::string::npos)
        << snapshot;
  const Results results(options_.output);
  const hdf5::Dataset positions = results.runs()[0].group().open_group("snapshots").open_dataset("positions");
  EXPECT_EQ(positions.extent(), (hdf5::Extent{3, 42, 3}));
  const std::vector<double> x = positions.read();
  const auto radius = [&](std::size_t row) {
    return std::hypot(x[126 * row], x[126 * row + 1], x[126 * row + 2]);
  };
  EXPECT_NEAR(radius(1) / radius(0), 1 + 0.3 * std::sin(0.4 * std::numbers::pi), 1e-12);
}

TEST_F(Sweep, of_several_runs_each_has_an_xdmf_that_names_its_snapshots_and_no_others) {
  run();
  const XdmfFiles files(options_.output, run_ids(6));
  EXPECT_FALSE(std::filesystem::exists(files.single));
  EXPECT_FALSE(std::filesystem::exists(files.of("0006"))) << "the run is refused";
  for (const std::string& id : run_ids(5)) {
    std::ifstream file(files.of(id));
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find("../results.h5:/xdmf/" + id + "/000002/elevation<"), std::string::npos) << id;
    EXPECT_EQ(text.find("CollectionType"), text.rfind("CollectionType")) << id;
  }
}

}  // namespace
}  // namespace shoal
