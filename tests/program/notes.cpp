// The program's notes on a run.
#include "experiments/harness/catalog/catalog.hpp"

#include "experiments/harness/program/commands/list.hpp"
#include "experiments/harness/results/results.hpp"
#include "shoal.hpp"

#include <fstream>

namespace shoal {
namespace {

using test::Shoal;

TEST_F(Shoal, says_where_the_solution_is_that_of_other_equations) {
  const auto error_output_of = [&](const std::string& arguments) {
    EXPECT_EQ(shoal("run --mesh icosphere:1 --end 0.1 --dt 0.1 --fresh --output a.h5 " + arguments), 0);
    return error_output();
  };
  const auto is_said = [](const std::string& text) {
    return text.find("is for equations with") != text.npos;
  };
  EXPECT_TRUE(is_said(error_output_of("williamson-2")));
  EXPECT_FALSE(is_said(error_output_of("williamson-2 --advection bfecc")));
  EXPECT_FALSE(is_said(error_output_of("williamson-2 --discretization kinetic")));
  EXPECT_FALSE(is_said(error_output_of("pulsating-ellipsoid-2007")));
  EXPECT_TRUE(is_said(error_output_of("pulsating-ellipsoid-2007 --advection bfecc")));
  EXPECT_TRUE(is_said(error_output_of("pulsating-ellipsoid-2007 --param equations=full")));
}

TEST_F(Shoal, says_where_a_step_is_too_long_before_it_is_taken) {
  const std::string run =
      "run bump --mesh icosphere:4 --discretization dec --dt 0.5 --end 0.5 --fresh --output a.h5";
  EXPECT_NE(shoal(run), 2);
  EXPECT_NE(
      error_output().find("times the stable step of dec on icosphere:4; use --dt auto or --substeps auto"),
      std::string::npos)
      << error_output();
  EXPECT_EQ(shoal(run + " --substeps auto"), 0);
  EXPECT_EQ(error_output().find("the stable step"), std::string::npos) << error_output();
  EXPECT_EQ(shoal("run bump --mesh icosphere:4 --integrator newmark --dt 0.5 --end 0.5 --output b.h5"), 0);
  EXPECT_EQ(error_output().find("the stable step"), std::string::npos) << error_output();
}

TEST_F(Shoal, says_which_flat_triangle_makes_the_chosen_steps_short) {
  // A tetrahedron with a fifth vertex beside an edge, which makes face 3 flat.
  std::ofstream(folder_ / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.5 0.001 0\n"
                                         "f 1 3 5\nf 5 3 2\nf 1 4 3\nf 1 5 2\nf 1 2 4\nf 2 3 4\n";
  const std::string run = "run custom --mesh flat.obj --end 1e-4 --fresh --output a.h5 ";
  EXPECT_EQ(shoal(run), 0);
  EXPECT_NE(error_output().find("face 3 of flat.obj is only 0.001 m high"), std::string::npos)
      << error_output();
  EXPECT_EQ(shoal(run + "--integrator newmark"), 0);
  EXPECT_NE(error_output().find("m high"), std::string::npos) << error_output();
  EXPECT_EQ(shoal(run + "--integrator newmark --dt 1e-4"), 0);
  EXPECT_EQ(error_output().find("m high"), std::string::npos) << error_output();
}

TEST_F(Shoal, says_which_inputs_come_after_the_end) {
  const std::string run = "run custom --mesh icosphere:1 --end 0.02 --fresh --output a.h5 --inputs ";
  const std::string source = " source at=0,0,1 radius=0.5 discharge=0.01'";
  EXPECT_EQ(shoal(run + "'99" + source), 0);
  EXPECT_NE(error_output().find("1 of 1 inputs come at or after the end at 0.02 s and have no effect"),
            std::string::npos)
      << error_output();
  EXPECT_EQ(shoal(run + "'0.01" + source), 0);
  EXPECT_EQ(error_output().find("have no effect"), std::string::npos) << error_output();
}

TEST_F(Shoal, refuses_bodies_where_the_integrator_takes_no_sources_before_the_run) {
  const std::string integrator =
      " --mesh icosphere:1 --integrator implicit-euler-velocity --end 0.02 --output a.h5";
  EXPECT_EQ(shoal("run throw" + integrator), 2);
  EXPECT_NE(
      error_output().find(
          "bodies displace water, which acts as a source: implicit-euler-velocity does not support sources"),
      std::string::npos)
      << error_output();
  EXPECT_EQ(shoal("run rest --inputs '0.01 throw at=0,0,2 velocity=0,0,-3'" + integrator), 2);
}

TEST_F(Shoal, compares_runs_with_other_threads_as_equal) {
  const std::string run = "run sphere-bump --mesh icosphere:1 --end 0.02 --threads ";
  EXPECT_EQ(shoal(run + "1 --output a.h5"), 0);
  EXPECT_EQ(shoal(run + "2 --output b.h5"), 0);
  EXPECT_EQ(shoal("diff a.h5 b.h5"), 0);
}

TEST_F(Shoal, says_how_many_places_begin_dry) {
  const std::string run =
      "run custom --mesh icosphere:1 --end 0.01 --fresh --output a.h5 --param initial_elevation=";
  EXPECT_EQ(shoal(run + "-2*z"), 0);
  EXPECT_NE(error_output().find("of 42 cells are initially dry"), std::string::npos) << error_output();
  EXPECT_EQ(shoal(run + "0.1*z"), 0);
  EXPECT_EQ(error_output().find("dry"), std::string::npos) << error_output();
}

TEST_F(Shoal, says_where_a_pair_that_is_not_for_dry_land_meets_it) {
  const auto error_output_of = [&](const std::string& pair) {
    EXPECT_NE(shoal("run custom --mesh icosphere:2 --end 0.01 --fresh --output a.h5 --param "
                    "'bed_depth=0.1-0.5*z' --discretization " +
                    pair),
              2);
    return error_output();
  };
  const auto is_said = [](const std::string& text) {
    return text.find("does not support dry land: ") != text.npos;
  };
  const std::string of_roe = error_output_of("roe --integrator ssprk3");
  EXPECT_NE(of_roe.find("roe with ssprk3 does not support dry land: the flux may remove more"), of_roe.npos)
      << of_roe;
  EXPECT_TRUE(is_said(error_output_of("fefv --integrator newmark")));
  EXPECT_FALSE(is_said(error_output_of("fefv --integrator ssprk3")));
  EXPECT_FALSE(is_said(error_output_of("hllc --integrator ssprk3")));
}

TEST_F(Shoal, writes_beside_the_results_of_another_configuration) {
  const std::string run = "run rest --mesh icosphere:1 --end 0.1 ";
  const std::filesystem::path results = folder_ / "results/rest";
  EXPECT_EQ(shoal(run + "--dt 0.1"), 0);
  const std::string first = test::text_of(results / "rest.h5");
  EXPECT_EQ(shoal(run + "--dt 0.05"), 0);
  EXPECT_NE(output().find("results/rest/rest-2.h5: 1 finished"), std::string::npos) << output();
  EXPECT_NE(
      output().find("'results/rest/rest.h5' contains runs of a different configuration (there dt = 0.1, "
                    "here dt = 0.05) and is kept"),
      std::string::npos)
      << output();
  EXPECT_EQ(test::text_of(results / "rest.h5"), first);
  EXPECT_EQ(shoal(run + "--dt 0.05"), 0);
  EXPECT_NE(error_output().find("1 of 1 runs already computed"), std::string::npos) << error_output();
  EXPECT_EQ(shoal(run + "--dt 0.025 --output results/rest/rest.h5"), 2);
  EXPECT_FALSE(std::filesystem::exists(results / "rest-3.h5"));
}

TEST_F(Shoal, lists_kinds_then_entries_then_one_entry_with_its_parameters) {
  EXPECT_EQ(shoal("list"), 0);
  EXPECT_NE(output().find("scenes "), std::string::npos);
  EXPECT_NE(output().find("\ncompatibility "), std::string::npos);
  EXPECT_EQ(shoal("list scenes"), 0);
  EXPECT_NE(output().find("\nbump "), std::string::npos);
  EXPECT_EQ(output().find("--param"), std::string::npos);
  EXPECT_EQ(shoal("list scenes bump"), 0);
  const std::string bump = output();
  EXPECT_EQ(bump.rfind("bump\n", 0), 0u);
  EXPECT_NE(bump.find("--param amplitude="), std::string::npos);
  EXPECT_NE(bump.find("picture: draw one with shoal-app bump --headless --frames 1 --png DIR"),
            std::string::npos);
  EXPECT_EQ(shoal("run bump -h"), 0);
  EXPECT_NE(output().find(bump), std::string::npos);
  EXPECT_EQ(shoal("list scenes bump --json"), 0);
  EXPECT_EQ(output().rfind("[\n", 0), 0u);
  EXPECT_EQ(bump.find("solution_file"), std::string::npos);
  EXPECT_EQ(shoal("list scenes williamson-5"), 0);
  for (const char* text : {"\n    end: 1296000 s\n    snapshots: 432000, 864000, 1296000 s\n",
                           "\n    --param solution_file=...\n"})
    EXPECT_NE(output().find(text), std::string::npos) << output();
}

TEST_F(Shoal, explains_every_diagnostic_that_runs_record) {
  ASSERT_EQ(shoal("list diagnostics"), 0) << error_output();
  const std::string list = output();
  std::ofstream(folder_ / "runs.toml")
      << "scene = ['williamson-2', 'fill-shape', 'ball-drop', 'pulsating-ellipsoid', "
         "'eigenmode']\nend = 0.01\nsubsteps = 'auto'\ndt = 0.01\n"
         "discretization = ['fefv', 'dec', 'kinetic']\nintegrator = ['newmark', "
         "'ssprk3']\n"
         "parameters.dual = 'intrinsic'\nparameters.dry_outflow = 'closed'\n";
  ASSERT_EQ(shoal("sweep runs.toml --quiet --output runs.h5"), 0) << error_output();
  const Results results(folder_ / "runs.h5");
  std::set<std::string> recorded;
  for (const RecordedRun& run : results.runs())
    if (run.group().has("diagnostics"))
      for (const std::string& name : run.group().open_group("diagnostics").names()) recorded.insert(name);
  EXPECT_GT(recorded.size(), 60U);
  for (std::string name : recorded) {
    if (name.starts_with("ball_")) name.replace(0, 4, "BODY");
    if (name == "wet_shape") name = "wet_REGION";
    EXPECT_NE(("\n" + list).find("\n" + name + " "), std::string::npos) << name;
  }
  // None has the generic meaning of a limit.
  EXPECT_EQ(list.find("elements where this limit is active"), std::string::npos) << list;
  EXPECT_EQ(shoal("list diagnostics film_sites"), 0);
  EXPECT_NE(output().find("advection_depth"), std::string::npos) << output();
}

TEST_F(Shoal, lists_the_columns_of_a_diagnostic_by_the_name_of_its_entry) {
  ASSERT_EQ(shoal("list diagnostics flow"), 0) << error_output();
  for (const char* column : {"momentum\n", "max_speed\n"})
    EXPECT_NE(output().find(column), std::string::npos) << output();
  EXPECT_EQ(output().find("energy_total"), std::string::npos) << output();
}

TEST(Lists, contain_the_diagnostics_of_a_plugin) {
  Catalog catalog = builtin();
  catalog.diagnostics.add({"extra", [](const Simulation&) -> std::vector<DiagnosticColumn> {
                             return {{{"extra_column", "m", "of a plugin"}, [](Instant&, double*) {}}};
                           }});
  for (const char* name : {"extra", "extra_column"}) {
    const std::string text = make_list(catalog, {"diagnostics", name});
    EXPECT_NE(text.find("extra_column\n    of a plugin"), std::string::npos) << text;
  }
}

TEST_F(Shoal, lists_the_outputs_of_a_discretization) {
  for (const DiscretizationEntry& scheme : builtin().discretizations) {
    ASSERT_EQ(shoal("list discretizations " + scheme.name), 0) << error_output();
    for (const char* output_of_all :
         {"velocity (m/s, 3 components, faces)", "depth_at_faces (m, faces)", "vorticity (1/s, vertices)"})
      EXPECT_NE(output().find(output_of_all), std::string::npos) << output();
  }
}

// scripts/application.sh draws the pictures named by the page.
TEST(Pictures, are_there_of_every_scene) {
  const std::filesystem::path folder = std::filesystem::path(SHOAL_SOURCE) / "results/scenes";
  const std::string page = test::text_of(folder / "README.md");
  for (const SceneEntry& scene : builtin().scenes) {
    EXPECT_TRUE(std::filesystem::exists(folder / (scene.name + ".png"))) << scene.name;
    EXPECT_NE(page.find("build/release/shoal-app " + scene.name + " "), std::string::npos) << scene.name;
  }
}

}  // namespace
}  // namespace shoal
