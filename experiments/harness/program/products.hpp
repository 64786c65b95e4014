// Products of an experiment's results: tables, which are written here, and figures, which scripts draw.
#pragma once

#include "experiments/harness/results/table.hpp"

namespace shoal {

/// The table of a results file; without columns its own: of its runs, frontiers or modes. `planned` as in
/// make_table.
std::string table_of(const Results& results, TableFormat format, TableView view,
                     const ColumnOffer& planned = {});

/// Throws Error, with file and line, where a table or figure is wrong in itself: a form that does not exist,
/// a script that is not in plots_folder(), a table that nothing makes. Columns are checked by check_columns.
void check_products(const Experiment& experiment);

/// A file and what is to be in it.
struct Product {
  std::filesystem::path path;
  std::string text;
};

/// The tables of an experiment, beside its results `output`. Throws Error where a column does not exist.
std::vector<Product> tables_of(const Catalog& catalog, const Experiment& experiment,
                               const std::filesystem::path& output);

/// Where the scripts are that draw figures: scripts/plots here, else of the checkout that the program was built in, else beside
/// the installed program.
std::filesystem::path plots_folder();

/// A line for each figure that a shell can pass to Python: the script, the file that it reads, its arguments
/// and the name of what it makes.
///     scripts/plots/columns.py results/a/table.csv vertices ms_per_step --lines integrator --name columns
std::string figure_commands(const Experiment& experiment, const std::filesystem::path& output);

}  // namespace shoal
