// What the harness does with water on triangles it does with any model: steps, records, saves, resumes, tables and differences.
#include "tests/support/other_models.hpp"

#include "experiments/harness/results/diff.hpp"
#include "experiments/harness/results/inspect.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/storage/xdmf.hpp"
#include "experiments/harness/system/stop_signals.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace shoal {
namespace {

class OtherModels : public testing::Test {
 protected:
  template <class Made, class... Arguments>
  Outcome compute_as(const std::string& name, const RunConfiguration& c, const SavePlan& saves,
                     std::int64_t stop_after, Arguments... arguments) {
    const StopSignals signals;
    const std::filesystem::path path = file(name);
    hdf5::File results = create_results(test::catalog(), path, test::placeholder(), "a test");
    const auto make = [&] { return test::observed<Made>(c, arguments...); };
    first_step_ = 0;
    RunHooks hooks;
    hooks.stepped = [&](const auto& run) {
      if (first_step_ == 0) first_step_ = run.steps_done();
      if (run.steps_done() == stop_after) std::raise(SIGINT);
    };
    const Outcome outcome = compute(results, "0001", c, make, hooks, saves);
    Xdmf xdmf(XdmfFiles(path, {"0001"}));
    xdmf.update(results, "0001");
    xdmf.write();
    results.close();
    return outcome;
  }
  Outcome carry(const std::string& name, const RunConfiguration& c = test::of_tracer(),
                const SavePlan& saves = {}, std::int64_t stop_after = 0) {
    return compute_as<test::Tracer>(name, c, saves, stop_after, 12, 8);
  }

  std::filesystem::path file(const std::string& name) const { return folder_ / (name + ".h5"); }
  std::string xdmf_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / (name + ".xdmf")).rdbuf();
    return text.str();
  }

  test::TemporaryFolder folder_;
  std::int64_t first_step_ = 0;  // of the last run
};

TEST_F(OtherModels, are_stepped_and_recorded_where_their_values_lie) {
  const Outcome outcome = carry("a");
  EXPECT_EQ(outcome.outcome, "finished") << outcome.reason;
  EXPECT_EQ(outcome.steps, 20);
  const Results results(file("a"));
  const hdf5::Group& run = results.runs().front().group();
  const hdf5::Group snapshots = run.open_group("snapshots");
  const hdf5::Extent six_times_96 = {6, 96}, vectors = {6, 96, 3};
  EXPECT_EQ(snapshots.open_dataset("tracer").extent(), six_times_96);
  EXPECT_EQ(snapshots.open_dataset("wind").extent(), vectors);
  EXPECT_EQ(snapshots.open_dataset("tracer").text("location"), "face");
  EXPECT_EQ(snapshots.open_dataset("tracer").text("mesh"), "/meshes/" + run.text("mesh") + "/topology");
  const hdf5::Group mesh = results.root().open_group("meshes").open_group(run.text("mesh"));
  const hdf5::Extent squares = {96, 4};
  EXPECT_EQ(mesh.open_dataset("faces").extent(), squares);
  EXPECT_EQ(mesh.open_dataset("vertices").rows(), 13U * 9U);

  const std::vector<double> mass = results.runs().front().diagnostics("mass"),
                            middle = results.runs().front().diagnostics("middle");
  ASSERT_EQ(mass.size(), 21U);
  EXPECT_NEAR(mass.back(), mass.front(), 1e-12 * mass.front());
  EXPECT_EQ(middle.size(), 3 * mass.size());
  EXPECT_EQ(results.runs().front().timing("advection").size(), 20U);
}

TEST_F(OtherModels, are_shown_by_tables_and_inspect_and_ParaView) {
  carry("a");
  const Results results(file("a"));
  const std::string table =
      make_table(results, TableFormat::csv, {.columns = {"scene", "discretization", "mass@3"}});
  EXPECT_NE(table.find("cloud,upwind,"), std::string::npos) << table;
  make_table(results, TableFormat::text, {});
  const std::string inspected = describe_results(results, file("a"));
  EXPECT_NE(inspected.find("117 vertices, 96 faces"), std::string::npos) << inspected;
  EXPECT_NE(xdmf_of("a").find("TopologyType=\"Quadrilateral\" NumberOfElements=\"96\""), std::string::npos);
}

TEST_F(OtherModels, differ_where_their_numbers_do) {
  carry("a");
  carry("b");
  EXPECT_TRUE(diff(Results(file("a")), Results(file("b")), {}).equal);
  RunConfiguration other = test::of_tracer();
  other.dt = 0.125;
  carry("c", other);
  const DiffReport report = diff(Results(file("a")), Results(file("c")), {});
  EXPECT_FALSE(report.equal);
  EXPECT_NE(report.text.find("snapshots/tracer"), std::string::npos) << report.text;
}

TEST_F(OtherModels, go_on_from_where_they_were_saved_with_the_same_bits) {
  const WorkFolder work(file("cut"));
  const SavePlan saves{.file = save_path(file("cut"), "0001"),
                       .previous = previous_results_path(file("cut"), "0001"),
                       .identity = "this",
                       .interval = 1e9};
  carry("whole");
  EXPECT_EQ(carry("cut", test::of_tracer(), saves, 7).outcome, "interrupted");
  ASSERT_TRUE(keep_partial(hdf5::File(file("cut"), hdf5::Access::read), "0001"));
  EXPECT_EQ(carry("cut", test::of_tracer(), saves).outcome, "finished");
  EXPECT_EQ(first_step_, 9);  // the signal takes effect after one more
  const DiffReport report = diff(Results(file("whole")), Results(file("cut")), {});
  EXPECT_TRUE(report.equal) << report.text;
}

TEST_F(OtherModels, meet_given_times_in_steps_as_long_as_they_allow) {
  RunConfiguration c = test::of_tracer();
  c.dt.reset();
  c.snapshots = "0.5,1.7";
  EXPECT_EQ(carry("a", c).outcome, "finished");
  const Results results(file("a"));
  const std::vector<double> times =
      results.runs().front().group().open_group("snapshots").open_dataset("time").read();
  EXPECT_EQ(times, (std::vector<double>{0, 0.5, 1.7, 5}));
  EXPECT_LE(results.runs().front().group().number("dt_max"), 0.5 * test::Tracer(12, 8).stable_dt());
}

TEST_F(OtherModels, say_themselves_where_they_are_unstable) {
  RunConfiguration c = test::of_tracer();
  c.dt = 2;
  c.end = 100;
  c.snapshots = "";
  const Outcome outcome = carry("a", c);
  EXPECT_EQ(outcome.outcome, "unstable");
  EXPECT_EQ(outcome.reason, "the tracer has grown to 10 kg/m^2");
}

TEST_F(OtherModels, may_be_points_that_move) {
  RunConfiguration c = test::of_tracer();
  c.discretization = "particles";
  EXPECT_EQ(compute_as<test::Particles>("a", c, {}, 0, 5).outcome, "finished");
  const Results results(file("a"));
  const hdf5::Group& run = results.runs().front().group();
  EXPECT_FALSE(results.root().open_group("meshes").open_group(run.text("mesh")).has("faces"));
  EXPECT_EQ(run.open_group("snapshots").open_dataset("positions").extent(), (hdf5::Extent{6, 5, 3}));
  describe_results(results, file("a"));
  EXPECT_NE(xdmf_of("a").find("TopologyType=\"Polyvertex\" NumberOfElements=\"5\""), std::string::npos);
}

}  // namespace
}  // namespace shoal
