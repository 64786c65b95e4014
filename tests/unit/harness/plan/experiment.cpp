// Experiments: the runs defined by keys, lists and cases of a file.
#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/thesis.hpp"

#include "discretizations/common/error.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace shoal {
namespace {

std::vector<PlannedRun> plan(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "test.toml"));
}

/// What `body` complains about, for comparison with the sentence expected.
template <class Body>
std::string error_message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}
std::string error_message(const std::string& text) {
  return error_message_of([&] { plan(text); });
}

std::vector<std::string> names(const std::vector<PlannedRun>& runs) {
  std::vector<std::string> result;
  for (const PlannedRun& run : runs)
    result.push_back(run.configuration.discretization + " " + run.configuration.integrator);
  return result;
}

TEST(Experiment, the_product_follows_the_order_written_and_the_last_key_varies_fastest) {
  const auto runs = plan(R"(
    scene = "rest"
    integrator = ["newmark", "explicit"]
    dt = [0.2, 0.1]
    discretization = ["fefv", "dec"])");
  EXPECT_EQ(names(runs),
            (std::vector<std::string>{"fefv newmark", "dec newmark", "fefv newmark", "dec newmark",
                                      "fefv explicit", "dec explicit", "fefv explicit", "dec explicit"}));
  EXPECT_EQ(runs[1].configuration.dt, 0.2);
  EXPECT_EQ(runs[2].configuration.dt, 0.1);
}

TEST(Experiment, a_parameter_may_be_named_with_its_part) {
  const auto runs = plan(R"(
    scene = "bowl-planar"
    discretization = ["fefv", "hllc"]
    integrator = "ssprk3"
    parameters.fefv.dry_depth = 1e-3
    parameters.discretization.normal_acceleration_max = "none")");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(std::get<double>(runs[0].configuration.parameters.at("dry_depth")), 1e-3);
  EXPECT_EQ(runs[1].configuration.parameters.count("dry_depth"), 0u);
  for (const PlannedRun& run : runs)
    EXPECT_EQ(std::get<std::string>(run.configuration.parameters.at("normal_acceleration_max")), "none");
}

TEST(Experiment, a_parameter_named_with_its_part_overrides_the_plain_name) {
  const auto runs = plan(R"(
    scene = "bowl-planar"
    discretization = ["fefv", "dec"]
    integrator = "ssprk3"
    parameters.dec.dry_depth = 1e-3
    parameters.dry_depth = 2e-3)");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(std::get<double>(runs[0].configuration.parameters.at("dry_depth")), 2e-3);
  EXPECT_EQ(std::get<double>(runs[1].configuration.parameters.at("dry_depth")), 1e-3);
}

TEST(Experiment, a_plain_name_with_two_meanings_is_refused) {
  std::vector<std::string> owners;
  for (const DiscretizationEntry& scheme : test::catalog().discretizations)
    if (std::ranges::any_of(scheme.parameters, [](const auto& info) { return info.name == "dry_depth"; }))
      owners.push_back(scheme.name);
  EXPECT_EQ(error_message("scene = 'bowl-planar'\nintegrator = 'ssprk3'\ndiscretization = ['fefv', 'hllc']\n"
                          "parameters.dry_depth = 1e-3"),
            "test.toml:4:12: dry_depth: ambiguous, a parameter of both fefv and hllc; write fefv.dry_depth "
            "or hllc.dry_depth");
  EXPECT_EQ(error_message("scene = 'bowl-planar'\nintegrator = 'ssprk3'\nparameters.hllc.dry_depth = 1e-3"),
            "test.toml:3:17: dry_depth: no run of this experiment has the parameter 'hllc.dry_depth', which "
            "belongs to " +
                join(owners));
}

TEST(Experiment, lists_in_the_table_of_parameters_take_part_in_the_product) {
  const auto runs =
      plan("scene = 'sphere-bump'\n[parameters]\namplitude = [0.1, 0.2]\nwidth = ['1/2', 0.25]");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(std::get<double>(runs[1].configuration.parameters.at("amplitude")), 0.1);
  EXPECT_EQ(std::get<double>(runs[1].configuration.parameters.at("width")), 0.25);
  EXPECT_EQ(std::get<double>(runs[2].configuration.parameters.at("width")), 0.5);
}

TEST(Experiment, fractions_in_quotes_are_numbers) {
  EXPECT_EQ(plan("scene = 'rest'\ndt = '1/60'")[0].configuration.dt, 1.0 / 60);
}

TEST(Experiment, a_key_that_a_combination_does_not_use_is_dropped_and_equal_combinations_run_once) {
  const auto runs = plan(R"(
    scene = "rest"
    dt = 0.1
    integrator = ["explicit", "newmark", "semi-implicit"]
    substeps = [2, 4]
    linear_solver = "cholmod"
    parameters.theta = [0.5, 0.6])");
  EXPECT_EQ(names(runs), (std::vector<std::string>{"fefv explicit", "fefv explicit", "fefv newmark",
                                                   "fefv semi-implicit", "fefv semi-implicit"}));
  EXPECT_EQ(runs[0].configuration.linear_solver, "");
  EXPECT_EQ(runs[0].configuration.parameters.count("theta"), 0u);
  EXPECT_EQ(runs[2].configuration.substeps, 1);
  EXPECT_EQ(runs[2].configuration.linear_solver, "cholmod");
}

TEST(Experiment, a_scheme_that_transports_momentum_has_no_use_for_advection) {
  const auto runs = plan("scene = 'rest'\nadvection = 'none'\ndiscretization = ['fefv', 'dec', 'kinetic']");
  EXPECT_EQ(runs[0].configuration.advection, "none");
  EXPECT_EQ(runs[1].configuration.advection, "none");
  EXPECT_EQ(runs[2].configuration.advection, "built-in");
  EXPECT_EQ(error_message("scene = 'rest'\nadvection = 'none'\ndiscretization = 'kinetic'"),
            "test.toml:2:1: advection: the fluxes of the schemes of this experiment include the advection; "
            "no other can be added");
}

TEST(Experiment, runs_that_differ_in_a_seed_without_effect_are_one) {
  EXPECT_EQ(plan("scene = 'rest'\nmotion = ['crumple', 'twist']\nseed = [1, 2, 3]").size(), 4u);
  EXPECT_EQ(error_message("scene = 'rest'\nseed = 3"),
            "test.toml:2:1: seed: no run of this experiment uses it");
}

TEST(Experiment, equal_numbers_written_differently_are_one_run) {
  EXPECT_EQ(plan("scene = 'rest'\ndt = ['1/4', 0.25]").size(), 1u);
}

TEST(Experiment, a_key_that_no_combination_uses_is_the_users_mistake) {
  EXPECT_EQ(error_message("scene = 'rest'\nintegrator = 'newmark'\nsubsteps = 3"),
            "test.toml:3:1: substeps: no run of this experiment uses it");
  EXPECT_EQ(error_message("scene = 'rest'\nlinear_solver = 'cholmod'"),
            "test.toml:2:1: linear_solver: no integrator of this experiment solves a linear system");
  EXPECT_NE(error_message("scene = 'rest'\nlinear_solver = 'cholmud'").find("did you mean 'cholmod'?"),
            std::string::npos);
  EXPECT_EQ(error_message("scene = 'rest'\n[parameters]\ntheta = 0.5"),
            "test.toml:3:1: theta: no run of this experiment has the parameter 'theta', which belongs to "
            "semi-implicit");
  EXPECT_EQ(error_message("scene = 'rest'\n[parameters]\nthetta = 0.5"),
            "test.toml:3:1: thetta: there is no parameter 'thetta'; did you mean 'theta'?");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = 0.1\nparameters.safety = 0.5"),
            "test.toml:3:12: safety: no run of this experiment has the parameter 'safety', which belongs to "
            "dt = auto and substeps = auto");
}

TEST(Experiment, how_a_velocity_is_carried_is_no_parameter_where_there_is_none) {
  const std::string moving = "scene = 'breathing-sphere'\nparameters.carried_velocity = 'rotated'\n";
  EXPECT_EQ(plan(moving)[0].configuration.parameters.count("carried_velocity"), 1u);
  for (const std::string integrator : {"newmark", "implicit-euler"}) {
    EXPECT_EQ(error_message(moving + "integrator = '" + integrator + "'"),
              "test.toml:2:12: carried_velocity: no run of this experiment has the parameter "
              "'carried_velocity', which belongs to integrators that carry a velocity, on moving surfaces");
    EXPECT_NE(error_message("scene = 'bump'\nmotion = 'squash'\nparameters.carried_velocity = 'rotated'\n"
                            "integrator = '" +
                            integrator + "'"),
              "");
  }
}

TEST(Experiment, cases_inherit_override_and_have_their_own_products) {
  const auto runs = plan(R"(
    scene = "rest"
    dt = [0.2, 0.1]
    [[case]]
    integrator = "newmark"
    [[case]]
    discretization = "kinetic"
    dt = 0.05
    substeps = "auto")");
  EXPECT_EQ(names(runs), (std::vector<std::string>{"fefv newmark", "fefv newmark", "kinetic explicit"}));
  EXPECT_EQ(runs[2].configuration.dt, 0.05);
  EXPECT_FALSE(runs[2].configuration.substeps.has_value());
}

/// "icosphere:1 0.1" of each run.
std::vector<std::string> meshes_and_steps(const std::string& text) {
  std::vector<std::string> result;
  for (const PlannedRun& run : plan(text))
    result.push_back(fmt::format("{} {}", run.configuration.mesh, *run.configuration.dt));
  return result;
}
using Texts = std::vector<std::string>;

TEST(Experiment, lists_that_advance_together_do_not_multiply) {
  EXPECT_EQ(meshes_and_steps(R"(
    scene = "rest"
    together = ["mesh", "dt"]
    mesh = ["icosphere:1", "icosphere:2", "icosphere:3"]
    dt = "geometric:0.4:0.1:3")"),
            (Texts{"icosphere:1 0.4", "icosphere:2 0.2", "icosphere:3 0.1"}));
}

TEST(Experiment, a_group_stands_where_the_first_of_its_keys_stands) {
  const std::string between = "integrator = ['explicit', 'newmark']\n";
  const auto runs = plan("scene = 'rest'\nmesh = ['icosphere:1', 'icosphere:2']\n" + between +
                         "dt = [0.2, 0.1]\ntogether = ['dt', 'mesh']");
  EXPECT_EQ(names(runs), (Texts{"fefv explicit", "fefv newmark", "fefv explicit", "fefv newmark"}));
  EXPECT_EQ(runs[1].configuration.mesh, "icosphere:1");
  EXPECT_EQ(runs[1].configuration.dt, 0.2);
  EXPECT_EQ(runs[2].configuration.dt, 0.1);
}

TEST(Experiment, there_may_be_several_groups_and_parameters_in_them) {
  const auto runs = plan(R"(
    scene = "sphere-bump"
    together = [["mesh", "dt"], ["parameters.amplitude", "width"]]
    mesh = ["icosphere:1", "icosphere:2"]
    dt = [0.2, 0.1]
    [parameters]
    amplitude = [0.1, 0.2, 0.3]
    width = ["1/10", 0.2, 0.3])");
  ASSERT_EQ(runs.size(), 6u);
  for (const PlannedRun& run : runs)
    EXPECT_EQ(run.configuration.parameters.at("width"), run.configuration.parameters.at("amplitude"));
  EXPECT_EQ(runs[3].configuration.mesh, "icosphere:2");
}

TEST(Experiment, a_case_overrides_lists_of_a_group_in_place_and_may_have_groups_of_its_own) {
  EXPECT_EQ(
      meshes_and_steps(R"(
    scene = "rest"
    together = ["mesh", "dt"]
    mesh = ["icosphere:1", "icosphere:2"]
    dt = [0.2, 0.1]
    [[case]]
    discretization = "dec"
    [[case]]
    mesh = ["icosphere:1", "icosphere:2", "icosphere:3"]
    dt = [0.4, 0.3, 0.2]
    [[case]]
    together = []
    discretization = "kinetic")"),
      (Texts{"icosphere:1 0.2", "icosphere:2 0.1", "icosphere:1 0.4", "icosphere:2 0.3", "icosphere:3 0.2",
             "icosphere:1 0.2", "icosphere:1 0.1", "icosphere:2 0.2", "icosphere:2 0.1"}));
}

TEST(Experiment, mistakes_in_groups_are_named_with_line_and_column) {
  EXPECT_EQ(error_message("scene = 'rest'\ntogether = ['end', 'dt']\nend = [1, 2, 3]\ndt = [0.1, 0.2]"),
            "test.toml:2:1: together: lists that advance together must have the same length: 'end' "
            "(test.toml:3:1: end) has 3, 'dt' (test.toml:4:1: dt) has 2");
  EXPECT_EQ(error_message("scene = 'rest'\ntogether = ['mesh', 'dt']\ndt = 1"),
            "test.toml:2:1: together: 'mesh' has no list to advance");
  EXPECT_EQ(error_message("scene = 'rest'\ntogether = ['end', 'dtt']\ndt = 1\nend = 2"),
            "test.toml:2:1: together: 'dtt' has no list to advance; did you mean 'dt'?");
  EXPECT_EQ(error_message("scene = 'rest'\ntogether = [['end', 'dt'], ['dt', 'scene']]\ndt = 1\nend = 2"),
            "test.toml:2:1: together: 'dt' occurs in two groups");
  EXPECT_EQ(error_message("scene = 'rest'\ntogether = ['dt', 'dt']\ndt = 1"),
            "test.toml:2:1: together: 'dt' occurs twice");
  for (const char* wrong : {"'dt'", "['dt']", "['dt', 3]", "[['dt', 'end'], 'mesh']", "[['dt']]", "3"})
    EXPECT_EQ(
        error_message(fmt::format("scene = 'rest'\ndt = 1\nend = 2\ntogether = {}", wrong)),
        "test.toml:4:1: together: names of at least two keys or parameters are allowed, [\"mesh\", \"dt\"], "
        "or lists of such");
}

TEST(Experiment, a_rule_stands_for_its_numbers_alone_or_in_a_list) {
  const auto runs = plan(
      "scene = 'sphere-bump'\ndt = [0.3, 'geometric:0.2:0.05:3']\nparameters.amplitude = "
      "'arithmetic:0.1:0.3:3'");
  ASSERT_EQ(runs.size(), 12u);
  EXPECT_EQ(runs[0].configuration.dt, 0.3);
  EXPECT_EQ(runs[6].configuration.dt, 0.1);
  EXPECT_EQ(std::get<double>(runs[1].configuration.parameters.at("amplitude")), 0.2);
  EXPECT_EQ(plan("scene = 'rest'\nsubsteps = 'geometric:1:8:4'")[3].configuration.substeps, 8);
}

TEST(Experiment, a_list_of_meshes_stands_for_each_of_them) {
  std::vector<std::string> meshes;
  for (const PlannedRun& run :
       expand(test::catalog(), parse_experiment("scene = 'rest'\n"
                                                "mesh = ['blob:1', 'icosphere,uv-sphere:1,2']\n",
                                                "test.toml")))
    meshes.push_back(run.configuration.mesh);
  EXPECT_EQ(meshes,
            (std::vector<std::string>{"blob:1", "icosphere:1", "icosphere:2", "uv-sphere:1", "uv-sphere:2"}));
}

TEST(Experiment, numbers_of_a_rule_that_are_not_allowed_are_named_with_the_rule) {
  EXPECT_EQ(
      error_message("scene = 'rest'\nsubsteps = 'geometric:1:8:3'"),
      "test.toml:2:1: substeps: geometric:1:8:3: '2.8284271247461903' is not a whole number ≥ 1 or auto");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = 'geometric:1:8'")
                .rfind("test.toml:2:1: dt: 'geometric:1:8' has 3 parts", 0),
            0u);
  EXPECT_EQ(error_message("scene = 'rest'\nmesh = 'geometric:1:8:3'").rfind("no complaint", 0), 0u)
      << "the name of a mesh is read when it is made";
}

TEST(Experiment, tables_and_figures_change_no_run_and_are_not_recorded) {
  const std::string runs = "scene = 'rest'\ndt = [0.1, 0.2]\n";
  const Experiment experiment = parse_experiment(
      runs + "[[table]]\nfile = 'a.csv'\ncolumns = ['id', 'dt']\n[[figure]]\nfile = 'a.png'\nscript = 'a.py'",
      "test.toml");
  EXPECT_EQ(experiment.tables.size(), 1u);
  EXPECT_EQ(experiment.figures.size(), 1u);
  EXPECT_EQ(to_toml(experiment), to_toml(parse_experiment(runs, "test.toml")));
}

TEST(Experiment, impossible_pairs_are_refused_with_a_reason_and_stay_in_order) {
  const auto runs = plan("scene = 'rest'\ndiscretization = 'kinetic'\nintegrator = ['explicit', 'newmark']");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].refusal, "");
  EXPECT_NE(runs[1].refusal, "");
}

TEST(Experiment, boundaries_are_a_key_and_their_mistakes_are_named) {
  const auto runs = plan(
      "scene = 'channel'\nintegrator = ['explicit', 'newmark']\n"
      "boundaries = ['left = discharge 0.1', 'right = outflow']");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].configuration.boundaries, "left = discharge 0.1");
  EXPECT_EQ(runs[1].refusal, "");
  EXPECT_EQ(runs[2].refusal, "");
  EXPECT_EQ(
      runs[3].refusal,
      "boundaries: newmark treats gravity implicitly and supports only walls and discharges, because the "
      "flux through other boundaries depends on the state");
  EXPECT_EQ(error_message("scene = 'channel'\nboundaries = 'left = sluice 1'"),
            "test.toml:2:1: boundaries: 'left = sluice 1': 'sluice' is not a kind of boundary; kinds: wall, "
            "discharge, level, outflow, inflow, sponge");
}

TEST(Experiment, mistakes_are_named_with_line_and_column) {
  EXPECT_EQ(error_message("scene = 'rest'\nintegratr = 'newmark'"),
            "test.toml:2:1: integratr: no such key; did you mean 'integrator'?");
  EXPECT_EQ(error_message("scene = 'rest'\n  dt = 'soon'"),
            "test.toml:2:3: dt: 'soon' is not a positive number, a fraction such as 1/60, or auto");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = -1"),
            "test.toml:2:1: dt: '-1' is not a positive number, a fraction such as 1/60, or auto");
  EXPECT_EQ(error_message("scene = 'rest'\nsubsteps = 1.5"),
            "test.toml:2:1: substeps: '1.5' is not a whole number ≥ 1 or auto");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = []"), "test.toml:2:1: dt: the list is empty");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = true"),
            "test.toml:2:1: dt: only numbers, texts and lists of these are allowed");
  EXPECT_EQ(error_message("scene = 'rest'\nsnapshots = '0.1,x'"),
            "test.toml:2:1: snapshots: 'x' is not a number");
  EXPECT_EQ(error_message("dt = 1"), "experiment 'test': the scene is missing; see 'shoal list scenes'");
  EXPECT_EQ(error_message("scene = 'rest'\nname = '../up'"),
            "test.toml:2:1: name: '../up' cannot name a file: letters, digits, - and _ are allowed");
  EXPECT_EQ(error_message("scene = 'rest'\ndt = = 1").rfind("test.toml:2:6: ", 0), 0u);
  EXPECT_EQ(error_message("scene = 'rset'").rfind("test.toml:1:1: scene: scene 'rset' does not exist", 0),
            0u);
}

TEST(Experiment, lists_that_come_to_more_runs_than_anybody_wants_are_refused_at_once) {
  std::string lists = "scene = 'rest'";
  for (const char* key : {"dt", "end", "seed", "threads", "diagnostics"}) {
    lists += fmt::format("\n{} = [1", key);
    for (int k = 2; k <= 1000; ++k) lists += fmt::format(", {}", k);
    lists += "]";
  }
  EXPECT_EQ(error_message(lists),
            "experiment 'test': its lists give 1e+15 combinations; at most 100000 are allowed");
}

TEST(Experiment, texts_that_the_fuzzer_keeps_are_runs_that_read_back_or_are_refused) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHOAL_FUZZ_CORPUS "/toml")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    ++count;
    try {
      const Experiment experiment = parse_experiment(text, "fuzz.toml");
      const auto runs = expand(test::catalog(), experiment),
                 again = expand(test::catalog(), parse_experiment(to_toml(experiment), "again.toml"));
      ASSERT_EQ(runs.size(), again.size()) << entry.path();
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].configuration, again[i].configuration) << entry.path();
        EXPECT_EQ(runs[i].refusal, again[i].refusal) << entry.path();
      }
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_FALSE(message.empty()) << entry.path();
      EXPECT_EQ(message.find_first_of("\n\r"), std::string::npos) << entry.path();
    }
  }
  EXPECT_GT(count, 0);
}

TEST(Experiment, a_parameter_that_a_scene_refuses_is_named_where_it_was_given) {
  const auto runs = plan("scene = 'rest'\n[parameters]\ndepth = 2\ngravity = 1");
  EXPECT_EQ(runs[0].places.at("depth"), "test.toml:3:1: depth");
  EXPECT_EQ(error_message_of(
                [&] { with_place(runs[0].places, [] { throw parameter_error("depth", "2 is too deep"); }); }),
            "test.toml:3:1: depth: 2 is too deep");
  EXPECT_EQ(error_message_of([&] {
              with_place(runs[0].places, [] { throw parameter_error("density", "1000 is heavy"); });
            }),
            "parameter 'density': 1000 is heavy");
}

/// `inspect` prints it with an indent.
TEST(Experiment, its_text_reads_back_where_all_its_lines_are_indented) {
  Experiment experiment =
      parse_experiment("scene = 'rest'\nmesh = \"a\\nb.obj\"\ntitle = \"c\\nd\"", "test.toml");
  std::string indented = "    ";
  for (const char c : to_toml(experiment)) indented += c == '\n' ? std::string("\n    ") : std::string(1, c);
  const Experiment again = parse_experiment(indented, "again.toml");
  EXPECT_EQ(again.title, "c\nd");
  EXPECT_EQ(std::get<std::string>(again.settings[1].alternatives.front()), "a\nb.obj");
}

TEST(Experiment, its_text_reads_back_to_the_same_runs) {
  const Experiment experiment = parse_experiment(R"(
    name = "both \"cases\""
    title = "a \\ b"
    scene = "sphere-bump"
    compute = "frontier"
    dt = ["1/60", "geometric:0.025:0.1:4"]
    end = [1, 2, 3, 4, "5/3"]
    together = ["parameters.width", "amplitude"]
    [parameters]
    width = [0.5, 1e-1]
    amplitude = "arithmetic:0.1:0.2:2"
    [[case]]
    together = [["dt", "end"], ["width", "amplitude"]]
    integrator = ["explicit", "newmark"]
    [[case]]
    together = []
    parameters.amplitude = 1e-4
    snapshots = "every:0.5")",
                                                 "test.toml");
  const Experiment again = parse_experiment(to_toml(experiment), "again.toml");
  EXPECT_EQ(again.name, experiment.name);
  EXPECT_EQ(again.title, experiment.title);
  EXPECT_EQ(again.frontier, experiment.frontier);
  const auto before = expand(test::catalog(), experiment), after = expand(test::catalog(), again);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(before[i].configuration, after[i].configuration) << i;
}

TEST(Experiment, the_name_is_the_stem_of_the_file_unless_it_is_given) {
  EXPECT_EQ(parse_experiment("scene = 'rest'", "folder/still.toml").name, "still");
  EXPECT_EQ(parse_experiment("name = 'calm'\nscene = 'rest'", "folder/still.toml").name, "calm");
}

TEST(Experiment, snapshot_times_are_a_list_or_an_interval) {
  EXPECT_EQ(snapshot_times("0.025,1/2,7", 1, 0.1, "snapshots"), (std::vector<double>{0.025, 0.5, 7}));
  const std::vector<double> quarters = {0, 0.25, 0.5, 0.75, 1};
  EXPECT_EQ(snapshot_times("every:0.25", 1, 0.1, "snapshots"), quarters);
  EXPECT_EQ(snapshot_times("every:0.25", 1, 0.25, "snapshots"), quarters);
  EXPECT_EQ(error_message_of([] { snapshot_times("every:0", 1, 0.1, "--snapshots"); }),
            "--snapshots: 'every:0' would take infinitely many snapshots");
  EXPECT_EQ(error_message_of([] { snapshot_times("-1", 1, 0.1, "--snapshots"); }),
            "--snapshots: '-1' is not a time ≥ 0");
}

TEST(Experiment, snapshots_come_once_a_step_and_a_million_times_at_most) {
  EXPECT_EQ(
      error_message_of([] { snapshot_times("every:1e-12", 1, 0.1, "snapshots"); }),
      "snapshots: 'every:1e-12' is shorter than the time step of 0.1 s; a step can be recorded only once");
  EXPECT_EQ(error_message_of([] { snapshot_times("every:1e-6", 20, 1e-6, "snapshots"); }),
            "snapshots: 'every:1e-6' would take 2e+07 snapshots until 20 s; at most 1000000 are allowed");
}

TEST(Experiment, whole_numbers_are_kept_whole_or_refused) {
  EXPECT_EQ(plan("scene = 'rest'\ndiagnostics = 'every:4294967296'")[0].configuration.diagnostics_every,
            4294967296);
  EXPECT_EQ(error_message("scene = 'rest'\ndiagnostics = 'every:1e30'"),
            "test.toml:2:1: diagnostics: '1e30' is too large; at most 9007199254740992 is allowed");
  EXPECT_EQ(error_message("scene = 'rest'\nsubsteps = 4294967297"),
            "test.toml:2:1: substeps: '4294967297' is too large; at most 1000000 is allowed");
  EXPECT_EQ(error_message("scene = 'rest'\nthreads = 4294967297"),
            "test.toml:2:1: threads: '4294967297' is too large; at most 256 is allowed");
}

TEST(Thesis, sets_the_parameters_that_the_run_has_and_that_are_not_given) {
  Experiment experiment = parse_experiment(
      "scene = 'sphere-bump'\ninputs = '# by hand'\n"
      "parameters.lower_angle = 5\nparameters.fefv.max_divergence_edge = '7'\n",
      "test.toml");
  add_thesis_settings(test::catalog(), experiment);
  RunConfiguration c = expand(test::catalog(), experiment).front().configuration;
  EXPECT_EQ(c.parameters.at("lower_angle"), Value(5.0)) << "as given";
  EXPECT_EQ(c.parameters.at("max_divergence_edge"), Value("7")) << "as given";
  for (const auto& [name, value] : thesis_parameters())
    if (name != "lower_angle" && name != "max_divergence_edge" && name != "body_density") {
      EXPECT_EQ(c.parameters.at(name), value) << name;
    }
  EXPECT_FALSE(c.parameters.count("body_density")) << "the scene has no body of its own";

  Experiment other =
      parse_experiment("scene = 'ball-drop'\ndiscretization = 'dec'\nintegrator = 'newmark'\n", "test.toml");
  add_thesis_settings(test::catalog(), other);
  c = expand(test::catalog(), other).front().configuration;
  EXPECT_EQ(c.parameters.at("body_density"), Value(500.0));
  for (const char* name : {"lower_angle", "friction", "artificial_level"})
    EXPECT_FALSE(c.parameters.count(name)) << name << ", which the run has not";
}

}  // namespace
}  // namespace shoal
