// Tables of a small, hand-made results file.
#include "experiments/harness/results/table.hpp"

#include "tests/support/message.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace shoal {
namespace {

/// A finished run with four rows of diagnostics, an unstable one, and a refused one.
class Table : public testing::Test {
 protected:
  Table() : path_(folder_ / "table.h5") {
    hdf5::File file(path_, hdf5::Access::create);
    hdf5::Group root = file.root();
    root.set("format", "shoal");
    hdf5::Group runs = root.create_group("runs");
    add(runs, "0001", "explicit", {"finished", "", 0.3, 3});
    add(runs, "0002", "newmark_x", {"unstable", "the depth nan is not finite at vertex 7", 0.2, 2});
    hdf5::Group refused = runs.create_group("0003");
    refused.set("integrator", "ssprk2");
    record_outcome(refused, {"refused", "needs a dissipative flux", 0, 0});
    file.close();
  }

  static void add(hdf5::Group& runs, const std::string& id, const std::string& integrator,
                  const Outcome& outcome) {
    hdf5::Group run = runs.create_group(id);
    run.set("integrator", integrator);
    run.set("dt", 0.1);
    run.set("t_end", 0.3);
    run.set("diagnostics_every", std::int64_t{1});
    run.set("snapshots", "0.1,0.3");
    record_outcome(run, outcome);
    const auto rows = static_cast<std::size_t>(outcome.steps) + 1;
    hdf5::Group diagnostics = run.create_group("diagnostics");
    const auto write = [&](const std::string& name, std::vector<double> values, const std::string& unit) {
      values.resize(rows);
      diagnostics.write(name, {rows}, values).set("unit", unit);
    };
    write("time", {0, 0.1, 0.2, 0.3}, "s");
    write("mass", {1000, 1000, 1001, 1000}, "kg");
    write("mass_source", {0, 0, 0, 0}, "kg");
    write("energy_total", {8, 6, 4, 2}, "J");
    write("work_geometry", {0, 0, 0, 0}, "J");
    write("work_forces", {0, 0, 0, 0}, "J");
    write("l2_error_elevation", {0, 0.01, 0.02, 1.25e-5}, "1");
    std::vector<double> vectors;  // (i, 10 i, 100 i) in row i
    for (std::size_t i = 0; i < rows; ++i)
      for (const double factor : {1.0, 10.0, 100.0}) vectors.push_back(factor * static_cast<double>(i));
    diagnostics.write("momentum", {rows, 3}, vectors).set("unit", "kg m/s");
    run.create_group("timing").write("total", {3}, std::vector<double>{0.001, 0.009, 0.002});
  }

  std::string table(TableFormat format, const std::vector<std::string>& columns) const {
    return make_table(Results(path_), format, {.columns = columns});
  }

  test::TemporaryFolder folder_;
  std::filesystem::path path_;
};

TEST_F(Table, text_is_aligned_and_explains_what_did_not_finish) {
  EXPECT_EQ(
      table(TableFormat::text, {"id", "integrator", "outcome", "energy_left", "mass_drift", "ms_per_step"}),
      "id    integrator  outcome              energy left  mass drift  ms per step\n"
      "----  ----------  -------------------  -----------  ----------  -----------\n"
      "0001  explicit    finished                    0.25       0.001            2\n"
      "0002  newmark_x   unstable at t = 0.2            –       0.001            2\n"
      "0003  ssprk2      refused                        –           –            –\n"
      "\n"
      "0002 unstable: the depth nan is not finite at vertex 7\n"
      "0003 refused: needs a dissipative flux\n");
}

TEST_F(Table, errors_stand_at_every_snapshot_time_that_the_run_reached) {
  EXPECT_EQ(table(TableFormat::csv, {"id", "elevation_error"}),
            "id,elevation_error@0.1,elevation_error@0.3\n"
            "0001,0.01,1.25e-05\n"
            "0002,0.01,\n"
            "0003,,\n");
  EXPECT_EQ(table(TableFormat::csv, {"elevation_error@0.2", "energy_total@0.1", "energy_total"}),
            "elevation_error@0.2,energy_total@0.1,energy_total\n"
            "0.02,6,2\n0.02,6,4\n,,\n");
}

TEST_F(Table, csv_is_headed_by_the_names_of_columns_and_holds_plain_outcomes) {
  EXPECT_EQ(table(TableFormat::csv, {"id", "outcome", "t_reached"}),
            "id,outcome,t_reached\n0001,finished,0.3\n0002,unstable,0.2\n0003,refused,0\n");
}

TEST_F(Table, markdown_marks_the_alignment) {
  EXPECT_EQ(table(TableFormat::markdown, {"id", "dt"}),
            "| id   | dt [s] |\n"
            "| ---- | -----: |\n"
            "| 0001 |    0.1 |\n"
            "| 0002 |    0.1 |\n"
            "| 0003 |      – |\n"
            "\n"
            "0002 unstable: the depth nan is not finite at vertex 7\n"
            "0003 refused: needs a dissipative flux\n");
}

TEST_F(Table, shows_the_runs_that_are_asked_for_in_the_order_asked_for) {
  const auto ids = [&](const std::vector<std::string>& where, const std::vector<std::string>& order) {
    std::string text =
        make_table(Results(path_), TableFormat::csv, {.columns = {"id"}, .where = where, .order = order});
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  EXPECT_EQ(ids({"integrator=explicit"}, {}), "id 0001 ");
  EXPECT_EQ(ids({"integrator != explicit"}, {}), "id 0002 0003 ");
  EXPECT_EQ(ids({"dt=1/10"}, {}), "id 0001 0002 ");
  EXPECT_EQ(ids({"dt!=0.1"}, {}), "id 0003 ") << "it has none";
  EXPECT_EQ(ids({"dt<0.1"}, {}), "id ");
  EXPECT_EQ(ids({"dt<=0.1", "t_reached>0.25"}, {}), "id 0001 ");
  EXPECT_EQ(ids({"energy_total@0.2>=4"}, {}), "id 0001 0002 ");
  EXPECT_EQ(ids({"outcome=refused"}, {}), "id 0003 ");
  EXPECT_EQ(ids({"id=2"}, {}), "id 0002 ");
  EXPECT_EQ(ids({}, {"-id"}), "id 0003 0002 0001 ");
  EXPECT_EQ(ids({}, {"energy_total"}), "id 0001 0002 0003 ") << "what is not there comes last";
  EXPECT_EQ(ids({}, {"-energy_total"}), "id 0002 0001 0003 ");
  EXPECT_EQ(ids({}, {"dt", "-integrator"}), "id 0002 0001 0003 ");
  const auto error_message = [&](const std::vector<std::string>& where) -> std::string {
    try {
      ids(where, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_message({"dt"}),
            "condition 'dt': not of the form NAME=VALUE, with one of =, !=, <, <=, >, >=");
  EXPECT_EQ(error_message({"integrator<b"}), "condition 'integrator<b': 'b' is not a number, as < requires");
  EXPECT_NE(error_message({"intgrator=b"}).find("did you mean 'integrator'?"), std::string::npos);
}

TEST_F(Table, has_as_many_digits_as_are_asked_for) {
  EXPECT_EQ(make_table(Results(path_), TableFormat::text,
                       {.columns = {"l2_error_elevation"}, .where = {"id=0001"}, .digits = 3}),
            "l2 error elevation, end\n-----------------------\n               1.25e-05\n");
}

TEST_F(Table, of_refused_runs_alone_has_the_columns_that_there_are) {
  const std::filesystem::path path = folder_ / "refused.h5";
  hdf5::File file(path, hdf5::Access::create);
  file.root().set("format", "shoal");
  hdf5::Group run = file.root().create_group("runs").create_group("0001");
  run.set("discretization", "kinetic");
  run.set("integrator", "newmark");
  record_outcome(run, {"refused", "needs wave operators", 0, 0});
  file.close();
  const std::string text = make_table(Results(path), TableFormat::text, {});
  EXPECT_NE(text.find("0001  kinetic         newmark     refused"), std::string::npos) << text;
}

TEST_F(Table, has_the_seconds_of_a_run) {
  const std::string text = table(TableFormat::csv, {"id", "seconds"});
  const std::string head = "id,seconds\n0001,";
  ASSERT_TRUE(text.starts_with(head)) << text;
  EXPECT_DOUBLE_EQ(std::stod(text.substr(head.size())), 0.001 + 0.009 + 0.002);
  EXPECT_NE(text.find("\n0003,\n"), std::string::npos) << text;
}

TEST_F(Table, extremes_and_means_are_over_all_steps) {
  EXPECT_EQ(table(TableFormat::csv, {"id", "energy_total@max", "energy_total@mean", "ms_per_step@max"}),
            "id,energy_total@max,energy_total@mean,ms_per_step@max\n"
            "0001,6,4,9\n"
            "0002,6,5,9\n"
            "0003,,,\n");
}

TEST_F(Table, has_the_time_at_which_a_diagnostic_first_exceeds_a_limit) {
  EXPECT_EQ(table(TableFormat::csv, {"id", "mass@above:1000", "mass@above:2000"}),
            "id,mass@above:1000,mass@above:2000\n"
            "0001,0.2,\n"
            "0002,0.2,\n"
            "0003,,\n");
  for (const auto& [column, reason] : std::map<std::string, std::string>{
           {"mass@above:much", "'much' is not a number"},
           {"mass@above:nan", "nan is not finite"},
           {"mass@above:inf", "inf is not finite"},
           {"mass@nan", "'nan' is not a time"},
           {"mass@abov:1", "'abov:1' is not a time ≥ 0, max, min, mean or above:X"},
           {"foo@above:1", "the results do not contain it"},
           {"foo@max", "the results do not contain it"},
           {"mass_drift@above:0", "'mass_drift' is not a diagnostic"},
           {"mass_drift@max", "'mass_drift' is not a diagnostic"},
           {"mass_drift@3", "'mass_drift' is not a diagnostic"}}) {
    const std::string message = test::message_of([&, column = column] { table(TableFormat::csv, {column}); });
    EXPECT_NE(message.find("column '" + column + "'"), std::string::npos) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

TEST_F(Table, drift_of_energy_is_net_of_the_works_and_relative_to_a_scale_where_there_is_none_at_first) {
  const auto energy_drift = [&](const std::vector<double>& energy, double scale) {
    {
      hdf5::File file(path_, hdf5::Access::update);
      hdf5::Group run = file.root().open_group("runs").open_group("0001");
      run.set("energy_scale", scale);
      hdf5::Group diagnostics = run.open_group("diagnostics");
      const auto write = [&](const std::string& name, const std::vector<double>& values) {
        diagnostics.remove(name);
        diagnostics.write(name, {4}, values).set("unit", "J");
      };
      write("energy_total", energy);
      write("work_geometry", {0, 1, 1, 1});
      write("work_forces", {0, 0, 2, -3});
      file.close();
    }
    return table(TableFormat::csv, {"id", "energy_drift"});
  };
  // Net of the works 8, 8, 7, 9; 0, 0, -1, 1.
  EXPECT_EQ(energy_drift({8, 9, 10, 7}, 100).substr(0, 28), "id,energy_drift\n0001,0.125\n0");
  EXPECT_EQ(energy_drift({1e-30, 1, 2, -1}, 100).substr(0, 27), "id,energy_drift\n0001,0.01\n0");
}

TEST_F(Table, drift_of_angular_momentum_is_that_of_the_vector_and_none_where_nothing_turns_at_first) {
  const auto drift = [&](const std::vector<double>& momentum) {
    {
      hdf5::File file(path_, hdf5::Access::update);
      hdf5::Group diagnostics = file.root().open_group("runs").open_group("0001").open_group("diagnostics");
      if (diagnostics.has("angular_momentum")) diagnostics.remove("angular_momentum");
      diagnostics.write("angular_momentum", {4, 3}, momentum).set("unit", "kg m^2/s");
      file.close();
    }
    return table(TableFormat::csv, {"id", "angular_momentum_drift"});
  };
  const std::string heading = "id,angular_momentum_drift\n0001,";
  EXPECT_EQ(drift({0, 3, 4, 0, 3, 4, 3, 3, 8, 0, 3, 4}).substr(0, heading.size() + 2), heading + "1\n");
  for (const double round_off : {1e-12, 1e-8})
    EXPECT_EQ(drift({round_off, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0}).substr(0, heading.size() + 2),
              heading + "\n0");
}

TEST_F(Table, what_differs_between_runs_is_shown_without_being_asked_for) {
  {
    hdf5::File file(path_, hdf5::Access::update);
    hdf5::Group runs = file.root().open_group("runs");
    for (const auto& [id, solver, theta] : {std::tuple("0001", "cholmod", 0.5), {"0002", "petsc", 0.5}}) {
      hdf5::Group run = runs.open_group(id);
      run.set("discretization", "fefv");
      run.set("substeps", std::int64_t{1});
      run.set("linear_solver", solver);
      run.set("parameters", "depth, theta");
      run.set("depth", solver == std::string("petsc") ? 2.0 : 1.0);
      run.set("theta", theta);
    }
    file.close();
  }
  const std::string csv = table(TableFormat::csv, {});
  EXPECT_EQ(csv.substr(0, csv.find(",dt")), "id,discretization,integrator,linear_solver,depth");
}

TEST_F(Table, a_column_that_the_first_run_does_not_have_is_that_of_the_others) {
  {
    hdf5::File file(path_, hdf5::Access::update);
    hdf5::Group run = file.root().open_group("runs").open_group("0002");
    run.open_group("diagnostics")
        .write("solver_iterations", {3}, std::vector<double>{0, 7, 9})
        .set("unit", "1");
    file.close();
  }
  EXPECT_EQ(table(TableFormat::csv, {"id", "solver_iterations"}),
            "id,solver_iterations\n0001,\n0002,9\n0003,\n");
}

TEST_F(Table, a_part_that_is_not_beside_the_file_is_said_to_be_missing) {
  {
    hdf5::File file(path_, hdf5::Access::update);
    file.root().open_group("runs").link("0004", "table.h5.0004.part", "/runs/0004");
    file.close();
  }
  const std::string text = table(TableFormat::text, {"id", "integrator"});
  EXPECT_NE(text.find("0004 interrupted: its part '"), std::string::npos) << text;
}

TEST_F(Table, of_a_newer_format_is_not_guessed_at) {
  hdf5::File file(path_, hdf5::Access::update);
  file.root().set("format_version", std::int64_t{1000});
  file.close();
  EXPECT_THROW(Results{path_}, Error);
}

TEST_F(Table, latex_escapes_words_and_sets_powers_of_ten) {
  EXPECT_EQ(table(TableFormat::latex, {"integrator", "elevation_error@0.3"}),
            "% \\usepackage{booktabs,siunitx}\n"
            "\\begingroup\n"
            "\\begin{tabular}{lS[table-format=1.2e-1]}\n"
            "\\toprule\n"
            "integrator & {\\shortstack[c]{error, t =\\\\0.3 s}} \\\\\n"
            "\\midrule\n"
            "explicit & 1.25e-5 \\\\\n"
            "newmark\\_x & {--} \\\\\n"
            "ssprk2 & {--} \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n"
            "\\endgroup\n");
}

/// With the default fonts of LaTeX, in which <, > and | print as ¡, ¿ and a dash, and with no more than its own packages.
TEST(Latex, prints_every_character_of_words_as_itself) {
  const auto cell = [](const std::string& words) {
    TextTable grid;
    grid.headings.resize(1);
    grid.headings[0].text = "reason";
    grid.rows = {{Cell(words)}};
    const std::string table = format_table(grid, TableFormat::latex, 4), before = "\\midrule\n";
    const std::size_t begin = table.find(before) + before.size();
    return table.substr(begin, table.find(" \\\\\n\\bottomrule") - begin);
  };
  EXPECT_EQ(cell("finished, η < 0"), "finished, $\\eta$ $<$ 0");
  EXPECT_EQ(cell("|v|² > 2"), "$|$v$|$$^{2}$ $>$ 2");
  EXPECT_EQ(cell("a_b & 5 % of $x^{2}$, ~#1\\"),
            "a\\_b \\& 5 \\% of \\$x\\textasciicircum{}\\{2\\}\\$, \\textasciitilde{}\\#1\\textbackslash{}");
  EXPECT_EQ(cell("--dt is semi-implicit"), "-{}-dt is semi-implicit");
  EXPECT_EQ(cell("[m]"), "{[}m]") << "after the end of a row it would be the height of a gap";
  EXPECT_EQ(cell("*"), "{*}");
  EXPECT_EQ(cell(""), "--");
  // All of Shoal's texts: the remaining characters are letters, which LaTeX supports in UTF-8.
  for (const char* symbol : {"α", "β", "γ", "δ", "ε", "ζ", "η", "θ", "λ", "μ", "ξ", "π", "ρ", "σ",
                             "τ", "φ", "ψ", "ω", "Γ", "Δ", "Σ", "Ω", "²", "³", "⁴", "⁻", "₀", "₁",
                             "·", "×", "±", "−", "≤", "≥", "→", "∇", "√", "½", "°", "µ", "…", "–"}) {
    const std::string printed = cell(symbol);
    EXPECT_TRUE(std::all_of(printed.begin(), printed.end(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        << symbol << " " << printed;
  }
  EXPECT_EQ(cell("café"), "café");
}

TEST_F(Table, a_column_that_was_planned_and_that_no_run_came_to_have_is_empty) {
  ColumnOffer planned;
  planned.stages = {"solve"};
  EXPECT_EQ(make_table(Results(path_), TableFormat::csv, {{"id", "ms_solve"}}, planned),
            "id,ms_solve\n0001,\n0002,\n0003,\n");
  EXPECT_THROW(table(TableFormat::csv, {"id", "ms_solve"}), Error);
}

TEST_F(Table, a_column_is_a_component_of_a_vector) {
  EXPECT_EQ(table(TableFormat::csv, {"id", "momentum.x", "momentum.y@0.1", "momentum.z@max"}),
            "id,momentum.x,momentum.y@0.1,momentum.z@max\n0001,3,10,300\n0002,2,10,200\n0003,,,\n");
  for (const std::string column : {"momentum", "momentum@0.1", "momentum@max"}) {
    try {
      table(TableFormat::text, {column});
      ADD_FAILURE() << column;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what())
                      .starts_with("column '" + column + "': 'momentum' is a vector; write momentum.x"))
          << error.what();
    }
  }
}

TEST_F(Table, an_unknown_column_is_named_with_the_nearest) {
  try {
    table(TableFormat::text, {"enrgy_left"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "column 'enrgy_left': the results do not contain it; did you mean 'energy_left'? 'shoal "
                 "table -h' and "
                 "'shoal list diagnostics' list all columns");
  }
}

}  // namespace
}  // namespace shoal
