// Tables of an experiment file, written by `sweep`, `frontier` and `table`; and its figures.
#include "shoal.hpp"

namespace shoal {
namespace {

namespace fs = std::filesystem;
using test::text_of;

class Products : public test::Shoal {
 protected:
  void write(const std::string& text) const { std::ofstream(folder_ / "small.toml") << text; }
  std::string made(const std::string& name) const { return text_of(folder_ / "results" / "small" / name); }

  const std::string runs_ =
      "scene = 'rest'\nmesh = 'icosphere:1'\nend = 0.2\ntogether = ['integrator', 'dt']\n"
      "integrator = ['explicit', 'newmark']\ndt = 'geometric:0.2:0.1:2'\n";
  const std::string table_ =
      "[[table]]\nfile = ['table.csv', 'table.md']\ncolumns = ['id', 'integrator', 'dt']\n";
  const std::string csv_ = "id,integrator,dt\n0001,explicit,0.2\n0002,newmark,0.1\n";
};

TEST_F(Products, tables_are_written_when_the_runs_are_done) {
  write(runs_ + table_);
  ASSERT_EQ(shoal("sweep small.toml"), 0) << error_output();
  EXPECT_EQ(output(),
            "results/small/small.h5: 2 finished\nresults/small/table.csv\nresults/small/table.md\n");
  EXPECT_EQ(made("table.csv"), csv_);
  EXPECT_EQ(made("table.md").rfind("| id   | integrator | dt [s] |\n", 0), 0u) << made("table.md");
}

TEST_F(Products, tables_that_have_changed_are_written_without_computing) {
  write(runs_);
  ASSERT_EQ(shoal("sweep small.toml"), 0) << error_output();
  const auto age = fs::last_write_time(folder_ / "results/small/small.h5");
  write(runs_ + table_);
  ASSERT_EQ(shoal("table small.toml"), 0) << error_output();
  EXPECT_EQ(output(), "results/small/table.csv\nresults/small/table.md\n");
  EXPECT_EQ(made("table.csv"), csv_);
  EXPECT_EQ(fs::last_write_time(folder_ / "results/small/small.h5"), age);
  fs::remove(folder_ / "results/small/table.csv");
  ASSERT_EQ(shoal("sweep small.toml"), 0) << error_output();
  EXPECT_NE(error_output().find("2 of 2 runs already computed"), std::string::npos) << error_output();
  EXPECT_EQ(made("table.csv"), csv_);
}

TEST_F(Products, tables_lie_beside_the_results_wherever_these_are) {
  write(runs_ + table_);
  ASSERT_EQ(shoal("sweep small.toml --quiet --output elsewhere/a.h5"), 0) << error_output();
  EXPECT_EQ(output(), "");
  EXPECT_EQ(text_of(folder_ / "elsewhere/table.csv"), csv_);
  fs::remove(folder_ / "elsewhere/table.csv");
  ASSERT_EQ(shoal("table small.toml --output elsewhere/a.h5"), 0) << error_output();
  EXPECT_EQ(text_of(folder_ / "elsewhere/table.csv"), csv_);
}

TEST_F(Products, an_experiment_may_be_of_frontiers) {
  write(
      "scene = 'bump'\nmesh = 'icosphere:1'\ncompute = 'frontier'\nparameters.amplitude = 1e-3\n"
      "[[table]]\nfile = 'table.csv'\ncolumns = ['id', 'outcome']\n");
  ASSERT_EQ(shoal("sweep small.toml --quiet"), 0) << error_output();
  EXPECT_EQ(made("table.csv"), "id,outcome\n0001,found\n");
}

TEST_F(Products, where_all_runs_are_refused_their_columns_are_empty) {
  write(
      "scene = 'rest'\nmesh = 'icosphere:1'\ndiscretization = 'kinetic'\nintegrator = 'newmark'\n"
      "[[table]]\nfile = 'table.csv'\ncolumns = ['id', 'outcome', 'max_speed@max']\n");
  ASSERT_EQ(shoal("sweep small.toml"), 0) << error_output();
  EXPECT_EQ(made("table.csv"), "id,outcome,max_speed@max\n0001,refused,\n");
}

TEST_F(Products, figures_are_commands_for_python) {
  write(runs_ + table_ +
        "[[figure]]\nfile = 'dt.png'\nscript = 'columns.py'\nfrom = 'table.csv'\narguments = ['id', 'dt']\n");
  ASSERT_EQ(shoal("figures small.toml"), 0) << error_output();
  // This folder has no scripts of its own.
  EXPECT_EQ(output(), SHOAL_SOURCE "/scripts/plots/columns.py results/small/table.csv id dt --name dt\n");
}

}  // namespace
}  // namespace shoal
