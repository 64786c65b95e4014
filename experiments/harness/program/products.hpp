// Products of an experiment's results: tables, written here, and figures, drawn by scripts.
#pragma once

#include "experiments/harness/results/table.hpp"

namespace shoal {

/// The table of a results file; without columns, its default table of runs, frontiers or modes. `planned` as in make_table.
std::string table_of(const Results& results, TableFormat format, TableView view,
                     const ColumnOffer& planned = {});

/// Throws Error, with file and line, if the description of a table or figure is invalid: an unknown form, a script that is
/// not in plots_folder(), a table that is never made. check_columns checks the columns.
void check_products(const Experiment& experiment);

/// A file and its contents.
struct Product {
  std::filesystem::path path;
  std::string text;
};

/// The tables of an experiment, in the folder of its results `output`. Throws Error if a column does not exist.
std::vector<Product> tables_of(const Catalog& catalog, const Experiment& experiment,
                               const std::filesystem::path& output);

/// The folder of the scripts that draw figures: scripts/plots in the working directory, otherwise in the checkout in which the
/// program was built, otherwise beside the installed program.
std::filesystem::path plots_folder();

/// For each figure, a line that a shell can pass to Python: the script, its input file, its arguments and the name of its
/// output.
///     scripts/plots/columns.py results/a/table.csv vertices ms_per_step --lines integrator --name columns
std::string figure_commands(const Experiment& experiment, const std::filesystem::path& output);

}  // namespace shoal
