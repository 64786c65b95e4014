// One row per run of a results file, as text, Markdown, CSV or LaTeX.
#pragma once

#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/text_table.hpp"

#include <set>

namespace shoal {

/// The columns that runs offer.
struct ColumnOffer {
  std::set<std::string> attributes, diagnostics, stages;
  std::set<std::string> vectors;  ///< diagnostics of which only the components, in `diagnostics`, are columns
  std::vector<double> snapshot_times;  ///< of all runs, ascending

  ColumnOffer() = default;
  explicit ColumnOffer(const Results& results);
  void add(const ColumnOffer& other);
  std::vector<std::string> names() const;
};

/// The columns that the runs of a plan will offer, except for diagnostics, which are known only when the runs are set up.
ColumnOffer planned_columns(const Catalog& catalog, const std::vector<PlannedRun>& plan);

/// Throws Error, with file and line, if a table of an experiment requests a column that is not offered, or orders of one.
void check_columns(const Experiment& experiment, const ColumnOffer& offer);

/// The selection and format of a table of runs.
struct TableView {
  std::vector<std::string> columns = {};  ///< empty: the default columns
  std::vector<std::string> where =
      {};  ///< conditions, all required: "discretization=fefv", "dt<=1/60"; = != < <= > >=
  std::vector<std::string> order =
      {};          ///< columns to sort by, "-NAME" descending; empty: the order of the file
  int digits = 4;  ///< significant digits; CSV has all
};

/// The runs that satisfy all conditions, in the order of the file. Throws Error if a condition is invalid.
std::vector<const RecordedRun*> runs_where(const Results& results, const std::vector<std::string>& where);

/// The table of a results file with the columns named, or the default ones if there are none. A name is
///     an attribute of the runs      id, scene, dt, theta, outcome, …
///     energy_left                   E(end)/E(0)
///     energy_drift, mass_drift      max |E − work − E(0)|/E(0), max |m − m(0)|/m(0)
///     elevation_error[@T]           l2_error_elevation; without @T one column per requested snapshot time
///     ms_per_step, ms_STAGE         median of timing/total or timing/STAGE, ms
///     the name of a diagnostic[@T]  its value at time T or at the end; of a vector NAME.x, NAME.y, NAME.z.
/// Throws Error with the nearest name if a column does not exist, and if a condition is invalid; columns of `planned` that no
/// run has are empty.
std::string make_table(const Results& results, TableFormat format, const TableView& view,
                       const ColumnOffer& planned = {});

/// The numbers of one column, run by run; NaN if a run has none. Throws Error like make_table.
std::vector<double> column_values(const Results& results, const std::string& name);
/// The attributes that distinguish runs: those of `names` and all parameters whose values differ.
std::vector<std::string> varying_attributes(const std::vector<RecordedRun>& runs,
                                            std::vector<std::string> names);
/// "finished, η < 0 from t = 1.5", "unstable at t = 0.1"
std::string outcome_text(const RecordedRun& run);
/// An attribute of a run; "" if it does not exist.
Cell run_attribute(const RecordedRun& run, const std::string& name);
/// A name as words: l2_error_velocity → l2 error velocity.
std::string in_words(std::string name);

const std::vector<std::string>& default_columns();
/// The lines above, for the help of the command line.
std::string column_help();

}  // namespace shoal
