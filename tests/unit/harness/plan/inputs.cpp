// Inputs as text, and changes of the configuration during a run.
#include "experiments/harness/plan/change.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

TEST(Inputs, are_read_as_they_are_written) {
  const std::string text =
      "0 change friction=2 integrator=newmark\n"
      "0.1 throw size=0.7 density=1200.5 at=1,2,3 velocity=0,-1e-07,3 spin=0,0,2\n"
      "0.1 throw body=box\n"
      "0.1 throw body=mesh size=2 file='a cup.obj' at=0,0,2\n"
      "0.2 source at=0,0,1 radius=0.25 discharge=-0.05 lasting=2\n"
      "0.2 source at=0,1,0 divergence=-25.7\n"
      "0.3 push at=1,0,0 acceleration=0,0,9 width=0.3 lasting=0.5\n"
      "0.35 remove source=1\n"
      "0.35 remove push=12\n"
      "0.36 remove body=thrown-1\n"
      "0.4 drag to=0.1,0.2,0.30000000000000004\n"
      "0.5 clip name='two words' weight=0.5 delay=0\n"
      "0.6 action name=\"it's\" delay=1\n"
      "0.6 action name=walk hold=on\n"
      "0.7 clip_speed speed=0\n";
  const std::vector<Input> inputs = parse_inputs(text);
  ASSERT_EQ(inputs.size(), 15u);
  std::string again;
  for (const Input& input : inputs) again += to_text(input) + "\n";
  EXPECT_EQ(again, text);
  const auto& body = std::get<ThrowInput>(inputs[1].action);
  EXPECT_EQ(body.velocity, Vector3(0, -1e-7, 3));
  EXPECT_EQ(std::get<ThrowInput>(inputs[2].action).shape, BodyShape::box);
  EXPECT_EQ(std::get<ThrowInput>(inputs[3].action).file, "a cup.obj");
  EXPECT_EQ(std::get<SourceInput>(inputs[4].action).lasting, 2);
  EXPECT_EQ(std::get<SourceInput>(inputs[5].action).divergence, -25.7);
  EXPECT_EQ(std::get<RemoveInput>(inputs[7].action).source, 1);
  EXPECT_EQ(std::get<RemoveInput>(inputs[8].action).push, 12);
  EXPECT_EQ(std::get<RemoveInput>(inputs[9].action).body, "thrown-1");
  EXPECT_EQ(std::get<DragInput>(inputs[10].action).to.z(), 0.30000000000000004);
  EXPECT_EQ(std::get<ClipInput>(inputs[11].action).name, "two words");
  EXPECT_EQ(std::get<ActionInput>(inputs[12].action).name, "it's");
}

TEST(Inputs, may_have_comments_fractions_and_empty_lines) {
  const std::vector<Input> inputs =
      parse_inputs("# a session\n\n 1/4  throw  at=0,0,2   # a ball\r\n\t1 drag\n");
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].time, 0.25);
  EXPECT_EQ(std::get<ThrowInput>(inputs[0].action).at, Vector3(0, 0, 2));
  EXPECT_TRUE(parse_inputs("").empty());
}

TEST(Inputs, of_sources_and_pushes_may_last_without_end) {
  const std::vector<Input> inputs =
      parse_inputs("0.02 source at=0,0,1 lasting=inf\n0.03 push lasting=inf at=1,0,0\n0.04 source lasting=1");
  EXPECT_EQ(to_text(inputs[0]), "0.02 source at=0,0,1") << "as without";
  EXPECT_EQ(to_text(inputs[1]), "0.03 push at=1,0,0 lasting=inf");
  EXPECT_EQ(to_text(parse_inputs(to_text(inputs[1])).front()), to_text(inputs[1]));
  EXPECT_EQ(std::get<SourceInput>(inputs[2].action).lasting, 1);
  for (const char* wrong : {"lasting=nan", "lasting=-inf", "lasting=-1", "radius=inf", "lasting=long"})
    EXPECT_THROW(parse_inputs(std::string("0.1 source at=0,0,1 ") + wrong), Error) << wrong;
}

TEST(Inputs, say_in_which_line_what_is_wrong) {
  const auto error_message = [](const std::string& text) {
    return test::message_of([&] { parse_inputs(text); });
  };
  EXPECT_EQ(error_message("0 drag\n1 trow at=0,0,2"),
            "inputs: line 2: 'trow' is none of change, throw, source, push, remove, drag, clip, action, "
            "clip_speed; "
            "did you "
            "mean 'throw'?");
  EXPECT_EQ(error_message("soon drag"), "inputs: line 1: its time: 'soon' is not a number");
  EXPECT_NE(error_message("-1 drag").find("the time -1 is not a number of seconds ≥ 0"), std::string::npos);
  EXPECT_NE(error_message("nan drag").find("≥ 0"), std::string::npos);
  EXPECT_NE(
      error_message("2 drag\n1 drag").find("line 2: the time 1 s is before that of the previous input, 2 s"),
      std::string::npos);
  EXPECT_NE(error_message("1").find("TIME KIND NAME=VALUE"), std::string::npos);
  EXPECT_NE(error_message("1 throw ball").find("'ball' is not NAME=VALUE"), std::string::npos);
  EXPECT_NE(error_message("1 throw sise=1").find("throw has no 'sise'"), std::string::npos);
  EXPECT_NE(error_message("1 throw size=1 size=2").find("'size' is given twice"), std::string::npos);
  EXPECT_NE(error_message("1 throw size=-1").find("size"), std::string::npos);
  EXPECT_NE(error_message("1 throw size=nan").find("size"), std::string::npos);
  EXPECT_NE(error_message("1 throw at=1,2").find("three numbers"), std::string::npos);
  EXPECT_NE(error_message("1 clip name='walk").find("the quote of name is not closed"), std::string::npos);
  EXPECT_NE(error_message("1 remove source=-1").find("source"), std::string::npos);
  EXPECT_NE(error_message("1 remove source=1.5").find("source"), std::string::npos);
  EXPECT_NE(error_message("1 remove push=nan").find("push"), std::string::npos);
  EXPECT_NE(error_message("1 change").find("no change given"), std::string::npos);
}

RunConfiguration configuration(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration;
}

TEST(Change, takes_what_the_new_parts_need_and_leaves_the_rest) {
  RunConfiguration c = configuration(
      "scene = 'sphere-bump'\nintegrator = 'newmark'\nlinear_solver = 'eigen-cg'\ndt = 0.01\n"
      "[parameters]\nrayleigh = 0.5\namplitude = 0.02\n");
  c.substeps = 1;
  const RunConfiguration next =
      changed(test::catalog(), c, {{{"integrator", "explicit"}, {"friction", "0.25"}, {"substeps", "3"}}});
  EXPECT_EQ(next.integrator, "explicit");
  EXPECT_EQ(next.linear_solver, "");
  EXPECT_EQ(next.parameters.count("rayleigh"), 0u);
  EXPECT_EQ(next.parameters.at("friction"), Value(0.25));
  EXPECT_EQ(next.parameters.at("amplitude"), Value(0.02));
  EXPECT_EQ(next.substeps, 3);
  const RunConfiguration back = changed(test::catalog(), next, {{{"integrator", "newmark"}}});
  EXPECT_EQ(back.linear_solver, test::catalog().linear_solvers.front().name);
  EXPECT_EQ(back.substeps, 1);
  EXPECT_EQ(changed(test::catalog(), next, {{{"discretization", "kinetic"}}}).advection, "built-in");
}

TEST(Change, is_refused_where_it_cannot_be) {
  const RunConfiguration c = configuration("scene = 'sphere-bump'\ndt = 0.01\n");
  const auto error_message = [&](const std::string& key, const std::string& value) {
    return test::message_of([&] { changed(test::catalog(), c, {{{key, value}}}); });
  };
  EXPECT_NE(error_message("integrator", "newmak").find("did you mean 'newmark'"), std::string::npos);
  EXPECT_NE(error_message("fricton", "1").find("the run has no 'fricton' to change; did you mean 'friction'"),
            std::string::npos);
  EXPECT_NE(error_message("friction", "much").find("not a number"), std::string::npos);
  EXPECT_NE(error_message("friction", "-1").find("friction"), std::string::npos);
  EXPECT_NE(error_message("substeps", "0").find("whole number"), std::string::npos);
  EXPECT_THROW(changed(test::catalog(), c, {{{"discretization", "kinetic"}, {"integrator", "newmark"}}}),
               Refusal);
}

TEST(Settings, of_a_configuration_are_read_back_to_it) {
  for (const std::string text :
       {"scene = 'sphere-bump'\ninputs = '''0.1 throw at=0,0,2\n0.2 drag to=0,0,1'''\nend = 1\n",
        "scene = 'character'\nmesh = 'figure:300'\nintegrator = 'semi-implicit'\nadvection = 'bfecc'\n"
        "diagnostics = 'every:3'\nsnapshots = '0.1,0.2'\nthreads = 2\n[parameters]\ndry_outflow = 'open'\n"
        "clips = 'walk:0.5'\n",
        "scene = 'bump'\nmesh = 'rectangle:8x8:1x1'\nboundaries = 'left = wall'\ndiscretization = 'dec'\n"
        "motion = 'crumple'\nseed = 7\nsubsteps = 'auto'\n"}) {
    const RunConfiguration c = configuration(text);
    Experiment experiment;
    experiment.name = "again";
    experiment.settings = settings_of(test::catalog(), c, "test");
    EXPECT_EQ(expand(test::catalog(), experiment).front().configuration, c) << text;
    EXPECT_EQ(
        expand(test::catalog(), parse_experiment(to_toml(experiment), "again.toml")).front().configuration, c)
        << text;
  }
}

}  // namespace
}  // namespace shoal
