// `shoal converge`: computing, resuming and printing; orders.py compares its numbers with those of the file.
#include "shoal.hpp"

#include <map>
#include <sstream>
#include <vector>

namespace shoal {
namespace {

namespace fs = std::filesystem;
using test::text_of;

class Converge : public test::Shoal {
 protected:
  const std::string runs_ =
      "converge williamson-2 --discretization dec --integrator ssprk3 --advection vector-invariant --dt auto "
      "--end 21600 --mesh icosphere:1,2,3 --output a.h5";
};

TEST_F(Converge, prints_the_same_from_the_file_and_computes_nothing_twice) {
  ASSERT_EQ(shoal(runs_ + " --as csv --quiet"), 0) << error_output();
  const std::string table = output();
  EXPECT_TRUE(
      table.starts_with("refined,discretization,integrator,mesh,at,h,dt,error,finished,value,at_start,order,"
                        "fitted_order,fitted_standard_error,falls_short,is_large,is_unsettled\nspace,dec,"
                        "ssprk3,icosphere,level 1,"))
      << table;
  const auto age = fs::last_write_time(folder_ / "a.h5");
  ASSERT_EQ(shoal("converge a.h5 --as csv"), 0) << error_output();
  EXPECT_EQ(output(), table);
  EXPECT_EQ(fs::last_write_time(folder_ / "a.h5"), age);
  ASSERT_EQ(shoal(runs_ + " --as csv"), 0) << error_output();
  EXPECT_EQ(output(), "a.h5: 3 finished\n" + table);
  EXPECT_NE(error_output().find("3 of 3 runs already computed"), std::string::npos) << error_output();
}

TEST_F(Converge, goes_on_where_it_was_stopped) {
  ASSERT_EQ(shoal(runs_ + " --as csv --quiet"), 0) << error_output();
  const std::string table = output();
  fs::rename(folder_ / "a.h5", folder_ / "whole.h5");
  // Stopped by a signal as soon as there is a file.
  constexpr int terminated = 143;
  const std::string slow = runs_ +
                           " --quiet --as csv & while kill -0 $! && ! ls a.h5; do sleep 0.01; done >messages "
                           "2>&1; kill -TERM $!; wait $!";
  const int code = shoal(slow);
  EXPECT_TRUE(code == terminated || code == 0) << code << error_output();
  ASSERT_EQ(shoal(runs_ + " --as csv --quiet"), 0) << error_output();
  EXPECT_EQ(output(), table);
}

TEST_F(Converge, looks_at_conditions_before_it_computes) {
  EXPECT_EQ(shoal(runs_ + " --quiet --where discretisation=dec"), 2);
  EXPECT_NE(error_output().find("column 'discretisation' does not exist"), std::string::npos)
      << error_output();
  EXPECT_FALSE(fs::exists(folder_ / "a.h5"));
  EXPECT_EQ(shoal(runs_ + " --quiet --where discretization=fefv"), 2);
  EXPECT_NE(error_output().find("there is no run for an order where discretization=fefv"), std::string::npos)
      << error_output();
}

TEST_F(Converge, takes_the_runs_digits_and_columns_that_a_page_has_room_for) {
  ASSERT_EQ(shoal("converge sphere-mode --discretization fefv,dec --mesh icosphere:1,2,3 --errors "
                  "l2_error_elevation --quiet --as tex --output b.h5"),
            0);
  EXPECT_NE(output().find("%   integrator: explicit"), std::string::npos) << output();
  EXPECT_NE(output().find("%   mesh: icosphere"), std::string::npos) << output();
  EXPECT_NE(output().find("{level~1}"), std::string::npos) << output();
  ASSERT_EQ(shoal("converge b.h5 --errors l2_error_elevation --as md --where discretization=dec --digits 2"),
            0);
  EXPECT_EQ(output().find("fefv"), std::string::npos) << output();
  EXPECT_NE(output().find("dec"), std::string::npos) << output();
  ASSERT_EQ(shoal("converge b.h5 --errors l2_error_elevation --as md --digits 9"), 0);
  EXPECT_NE(output().find("fefv"), std::string::npos) << output();
}

/// The error of dec oscillates: on the coarser mesh it is smaller at the end than before, so that the order there is 1 and over the
/// run 2. That of fefv exceeds a third of the wave.
TEST_F(Converge, takes_the_largest_error_over_the_run_and_marks_large_ones) {
  ASSERT_EQ(shoal("converge sphere-mode --discretization dec,fefv --dt 0.01 --end 1 --mesh icosphere:1,2 "
                  "--errors l2_error_elevation,l2_error_elevation@max --quiet --as csv --output m.h5"),
            0)
      << error_output();
  std::map<std::string, std::vector<double>> value;  // of dec, by error
  std::istringstream lines(output());
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    if (cells[1] == "dec") value[cells[7]].push_back(std::stod(cells[9]));
  }
  const std::vector<double>&end = value["l2_error_elevation"], &largest = value["l2_error_elevation@max"];
  ASSERT_EQ(end.size(), 2U) << output();
  ASSERT_EQ(largest.size(), 2U) << output();
  EXPECT_NEAR(end[0] / end[1], 2, 0.1) << output();
  EXPECT_NEAR(largest[0] / largest[1], 4, 0.4) << output();
  ASSERT_EQ(shoal("converge m.h5 --as md --errors l2_error"), 0);
  EXPECT_EQ(output().find(" ! |"), output().find(" ! |", output().find("| fefv"))) << output();
  EXPECT_NE(output().find(" ! |\n\n! not asymptotic"), std::string::npos) << output();
}

TEST_F(Converge, shows_the_floor_of_a_reconstruction_below_its_error) {
  ASSERT_EQ(shoal(runs_ + " --as md --quiet"), 0) << error_output();
  const std::string table = output();
  const auto velocity = table.find("| l2 error velocity "), floor = table.find("| l2 error velocity, t = 0 "),
             own = table.find("| l2 error own velocity ");
  EXPECT_TRUE(velocity < floor && floor < own && own != std::string::npos) << table;
  EXPECT_EQ(table.find("| l2 error, t = 0 "), std::string::npos) << table;
  // What is left of depths of 1 m and elevations of 1e-4 m by rounding is none.
  ASSERT_EQ(
      shoal("converge sphere-mode --mesh icosphere:1,2 --errors l2_error_elevation --quiet --output b.h5"),
      0);
  EXPECT_EQ(output().find("t = 0"), std::string::npos) << output();
}

TEST_F(Converge, writes_booktabs) {
  ASSERT_EQ(shoal(runs_ + " --as tex --quiet --errors l1_error,linf_error_velocity"), 0) << error_output();
  EXPECT_TRUE(output().starts_with("% The same in all rows:\n%   discretization: dec\n")) << output();
  EXPECT_NE(output().find("\n% \\usepackage{booktabs,siunitx}\n\\begingroup"), std::string::npos) << output();
  EXPECT_NE(output().find("\\midrule\nl1 error & "), std::string::npos) << output();
  for (const char* heading : {"error & {level~1}", "& order &", "& fitted \\\\"})
    EXPECT_NE(output().find(heading), std::string::npos) << output();
  EXPECT_NE(output().find(" $\\pm$ "), std::string::npos);
  EXPECT_TRUE(output().ends_with("\\bottomrule\n\\end{tabular}\n\\endgroup\n"));
}

TEST_F(Converge, a_family_that_breaks_the_order_is_marked) {
  ASSERT_EQ(
      shoal("converge williamson-2 --discretization dec --integrator ssprk3 --advection vector-invariant "
            "--dt auto "
            "--end 43200 --mesh icosphere,random-sphere:2,3,4 --errors l2_error_own_velocity --as md --quiet "
            "--output b.h5"),
      0)
      << error_output();
  const std::string table = output();
  const auto random = table.find("| random-sphere |"), mark = table.find(" ↓ |");
  EXPECT_NE(mark, std::string::npos) << table;
  EXPECT_LT(random, mark);
  EXPECT_NE(table.find("lower than that of another family"), std::string::npos) << table;
}

TEST_F(Converge, runs_that_did_not_finish_leave_a_gap_and_a_reason) {
  const std::string run =
      "converge sphere-mode --discretization dec --dt 0.01 --quiet --as md --output c.h5 --mesh ";
  ASSERT_EQ(shoal(run + "icosphere,jittered-sphere:1,2,4"), 0) << error_output();
  EXPECT_NE(output().find("| – "), std::string::npos) << output();
  EXPECT_NE(output().find(
                "\ndec explicit on jittered-sphere:4 (0006): refused: the circumcentric dual does not exist"),
            std::string::npos)
      << output();
  ASSERT_EQ(shoal(run + "jittered-sphere:4,5 --fresh"), 2);
  EXPECT_TRUE(error_output().starts_with("shoal: no order, because no run finished; dec explicit on"))
      << error_output();
}

TEST_F(Converge, an_experiment_names_tables_of_orders) {
  std::ofstream(folder_ / "small.toml") << "scene = 'bump'\nmesh = 'icosphere:1'\nintegrator = "
                                           "'newmark'\nend = 0.2\ndt = 'geometric:0.02:0.0025:4'\n"
                                           "[[table]]\nfile = ['orders.md', 'orders.csv']\norders = "
                                           "'time'\nerrors = ['l2_error', 'energy_drift']\n";
  ASSERT_EQ(shoal("sweep small.toml"), 0) << error_output();
  EXPECT_EQ(output(),
            "results/small/small.h5: 4 finished\nresults/small/orders.md\nresults/small/orders.csv\n");
  const std::string table = text_of(folder_ / "results/small/orders.csv");
  ASSERT_EQ(shoal("converge results/small/small.h5 --as csv --errors l2_error,energy_drift"), 0)
      << error_output();
  EXPECT_EQ(output(), table);
  ASSERT_EQ(shoal("converge small.toml --quiet --errors l2_error,energy_drift --as csv"), 0)
      << error_output();
  EXPECT_EQ(output(), table);
}

}  // namespace
}  // namespace shoal
