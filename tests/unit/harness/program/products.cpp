// Tables and figures of experiment files; and the experiments of this repository.
#include "experiments/harness/program/products.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace shoal {
namespace {

std::string error_message(const std::string& text) {
  try {
    check_products(parse_experiment("scene = 'rest'\n" + text, "test.toml"));
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Products, mistakes_are_named_with_line_and_column) {
  EXPECT_EQ(error_message("[[table]]\ncolumns = ['id']"), "test.toml:2:1: [[table]] has no key 'file'");
  EXPECT_EQ(error_message("[[table]]\nfile = 'a.md'\ncolums = ['id']"),
            "test.toml:4:1: colums: no such key in [[table]], which has columns, digits, errors, file, "
            "format, order, orders, where; "
            "did you mean 'columns'?");
  EXPECT_EQ(error_message("[[table]]\nfile = 'a.md'\ncolumns = ['id', 3]"),
            "test.toml:4:18: columns: one text in quotes is allowed");
  EXPECT_EQ(error_message("[[table]]\nfile = ['a.md', 'a.dat']"),
            "test.toml:3:17: file: 'a.dat' ends in none of .txt, .md, .csv, .tex");
  EXPECT_EQ(error_message("[[table]]\nfile = 'a.csv'\nformat = 'cvs'"),
            "test.toml:4:1: format: 'cvs' is not one of text, md, csv, tex; did you mean 'csv'?");
  EXPECT_EQ(error_message("[[table]]\nfile = '../a.md'"),
            "test.toml:3:1: file: '../a.md' cannot name a file: letters, digits, - and _ are allowed");
  EXPECT_EQ(error_message("[[table]]\nfile = 'a.h5'\nformat = 'md'"),
            "test.toml:3:1: file: 'a.h5' could be the name of the results");
  EXPECT_EQ(error_message("[[table]]\nfile = 'a.md'\n[[figure]]\nfile = 'a.md'\nscript = 'a.py'"),
            "test.toml:5:1: file: 'a.md' is already written by test.toml:3:1: file");
  EXPECT_EQ(error_message("[[figure]]\nfile = 'a.png'"), "test.toml:2:1: [[figure]] has no key 'script'");
  EXPECT_EQ(error_message("[[figure]]\nfile = 'a.png'\nscript = '../a.py'"),
            "test.toml:4:1: script: '../a.py' is not the name of a Python script in scripts/plots");
  EXPECT_EQ(
      error_message(
          "[[table]]\nfile = 'a.csv'\n[[figure]]\nfile = 'a.png'\nscript = 'series.py'\nfrom = 'b.csv'"),
      "test.toml:7:1: from: 'b.csv' is not one of the tables of this experiment (a.csv); did you mean "
      "'a.csv'?");
  EXPECT_EQ(error_message("[[figure]]\nfile = 'a.png'\nscript = 'a.py'\narguments = [\"two\\nlines\"]"),
            "test.toml:5:14: arguments: a word without line breaks or other control characters is allowed");
  EXPECT_EQ(error_message("table = 'a.md'"), "test.toml:2:1: table: tables headed [[table]] are allowed");
  EXPECT_EQ(error_message("jobs = 0"), "test.toml:2:1: jobs: a whole number from 1 to 4096 is allowed");
  EXPECT_EQ(error_message("compute = 'frontiers'"),
            "test.toml:2:1: compute: 'frontiers' is not one of runs, frontier; did you mean 'frontier'?");
}

TEST(Products, columns_are_checked_before_there_are_results) {
  const auto check = [](const std::string& column) {
    const Experiment experiment = parse_experiment(
        "scene = 'rest'\n[[table]]\nfile = 'a.md'\ncolumns = ['" + column + "']", "test.toml");
    ColumnOffer offer = planned_columns(test::catalog(), expand(test::catalog(), experiment));
    offer.diagnostics = {"time", "max_depth"};
    check_columns(experiment, offer);
  };
  for (const char* known :
       {"id", "gravity", "max_depth@max", "max_depth@0.5", "ms_solve", "outcome", "energy_left"})
    EXPECT_NO_THROW(check(known)) << known;
  EXPECT_THROW(check("theta"), Error);  // which no run of it has
  try {
    check("max_dpth@max");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "test.toml:4:12: columns: column 'max_dpth@max' does not exist; did you mean 'max_depth'?; "
                 "see 'shoal table -h'");
  }
}

TEST(Products, the_command_of_a_figure_is_what_a_shell_takes) {
  const Experiment experiment = parse_experiment(R"(
    scene = "rest"
    [[table]]
    file = "table.csv"
    [[figure]]
    file = "a b.png"
    script = "columns.py"
    from = "table.csv"
    arguments = ["dt", "it's"]
    [[figure]]
    file = "series.png"
    script = "series.py")",
                                                 "test.toml");
  EXPECT_EQ(figure_commands(experiment, "results/x/x.h5"),
            (plots_folder() / "columns.py").string() + " results/x/table.csv dt 'it'\\''s' --name 'a b'\n" +
                (plots_folder() / "series.py").string() + " results/x/x.h5 --name series\n");
}

TEST(Products, a_figure_is_made_in_the_folder_of_the_results) {
  for (const char* argument : {"--output", "--out=/etc", "--o"})
    EXPECT_THROW(
        check_products(parse_experiment(fmt::format("scene = 'rest'\n[[figure]]\nfile = 'a.png'\nscript = "
                                                    "'columns.py'\narguments = ['{}']",
                                                    argument),
                                        "test.toml")),
        Error)
        << argument;
}

class Experiments : public testing::TestWithParam<std::string> {};

TEST_P(Experiments, are_well_formed_and_read_back_to_the_same_runs) {
  const std::filesystem::path path = std::filesystem::path(SHOAL_EXPERIMENTS) / (GetParam() + ".toml");
  const Experiment experiment = read_experiment(path);
  EXPECT_NO_THROW(check_products(experiment));
  EXPECT_FALSE(experiment.title.empty());
  const auto runs = expand(test::catalog(), experiment),
             again = expand(test::catalog(), parse_experiment(to_toml(experiment), "again.toml"));
  ASSERT_EQ(runs.size(), again.size());
  for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(runs[i].configuration, again[i].configuration) << i;
}

std::vector<std::string> names_of_experiments() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SHOAL_EXPERIMENTS))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Repository, Experiments, testing::ValuesIn(names_of_experiments()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace shoal
