// One row per run of a results file, as text, Markdown, CSV or LaTeX.
#pragma once

#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/text_table.hpp"

#include <set>

namespace shoal {

/// What runs offer as columns.
struct ColumnOffer {
  std::set<std::string> attributes, diagnostics, stages;
  std::vector<double> snapshot_times;  ///< of all runs, ascending

  ColumnOffer() = default;
  explicit ColumnOffer(const Results& results);
  void add(const ColumnOffer& other);
  std::vector<std::string> names() const;
};

/// What the runs of a plan will offer but for their diagnostics, which show when they are set up.
ColumnOffer planned_columns(const Catalog& catalog, const std::vector<PlannedRun>& plan);

/// Throws Error, with file and line, where a table of an experiment asks for a column that is not offered, or for
/// orders of one.
void check_columns(const Experiment& experiment, const ColumnOffer& offer);

/// What a table shows of the runs.
struct TableView {
  std::vector<std::string> columns = {};  ///< none: the default ones
  std::vector<std::string> where =
      {};  ///< all of which hold: "discretization=fefv", "dt<=1/60"; = != < <= > >=
  std::vector<std::string> order =
      {};          ///< by these columns, "-NAME" from the largest on; none: as the runs stand
  int digits = 4;  ///< significant ones of numbers; CSV has all
};

/// The runs for which all these conditions hold, in the order of the file. Throws Error where one is wrong.
std::vector<const RecordedRun*> runs_where(const Results& results, const std::vector<std::string>& where);

/// The table of a results file with the columns named, or the default ones if there are none. A name is
///     an attribute of the runs      id, scene, dt, theta, outcome, …
///     energy_left                   E(end)/E(0)
///     energy_drift, mass_drift      max |E − work − E(0)|/E(0), max |m − m(0)|/m(0)
///     elevation_error[@T]           l2_error_elevation; without @T one column per snapshot time asked for
///     ms_per_step, ms_STAGE         median of timing/total or timing/STAGE, ms
///     a diagnostics' name[@T]       its value at time T or at the end.
/// Throws Error with the nearest name where there is no such column, and where a condition cannot be understood; columns of
/// `planned` that no run came to have are empty.
std::string make_table(const Results& results, TableFormat format, const TableView& view,
                       const ColumnOffer& planned = {});

/// The numbers of one column, run by run; NaN where a run has none. Throws Error as make_table does.
std::vector<double> column_values(const Results& results, const std::string& name);
/// What tells one run from others: `names` of attributes that have different values, and with them all parameters
/// that have.
std::vector<std::string> varying_attributes(const std::vector<RecordedRun>& runs,
                                            std::vector<std::string> names);
/// "finished, η < 0 from t = 1.5", "unstable at t = 0.1"
std::string outcome_text(const RecordedRun& run);
/// An attribute of a run; "" if it has none of that name.
Cell run_attribute(const RecordedRun& run, const std::string& name);
/// A name in words: l2_error_velocity → l2 error velocity.
std::string in_words(std::string name);

const std::vector<std::string>& default_columns();
/// The lines above, for the command line's help.
std::string column_help();

}  // namespace shoal
