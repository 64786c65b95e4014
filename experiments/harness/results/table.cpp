// `shoal table`: columns by name, and their text, Markdown, CSV and LaTeX.
#include "experiments/harness/results/table.hpp"

#include "experiments/harness/results/orders.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace shoal {
namespace {

// With more snapshots than this, elevation_error shows the last one only (elevation_error@T shows any).
constexpr std::size_t max_error_columns = 8;

using Runs = std::vector<RecordedRun>;

struct Column {
  std::string header;
  bool numeric = true;
  std::function<Cell(const RecordedRun&)> value;
  std::string name = "";  // "" for the requested name
};

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

/// A statistic of a series: its "median", "max", "min" or "mean"; ignores NaN (not measured).
Cell reduced(std::vector<double> values, const std::string& how) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return "";
  if (how == "max") return *std::ranges::max_element(values);
  if (how == "min") return *std::ranges::min_element(values);
  if (how == "mean")
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return median(values);
}

Cell milliseconds(const RecordedRun& run, const std::string& stage, const std::string& how) {
  std::vector<double> values = run.timing(stage);
  if (how != "median" && values.size() > 1) values.erase(values.begin());
  for (double& value : values) value *= 1e3;
  return reduced(values, how);
}

/// The energy scale ρgH²·area for a run that starts with almost no energy.
double energy_scale(const RecordedRun& run) {
  return run.group().number("energy_scale", 0);
}

/// The external contributions to the energy.
const std::vector<std::string>& works() {
  static const std::vector<std::string> names = {"work_geometry", "work_forces", "work_source"};
  return names;
}

Cell energy_left(const RecordedRun& run) {
  const std::vector<double> energy = run.diagnostics("energy_total");
  if (run.outcome().outcome != "finished" || energy.empty() || energy.front() == 0) return "";
  // Remaining and added energy cannot be distinguished.
  for (const std::string& source : works())
    if (const std::vector<double> work = run.diagnostics(source);
        !work.empty() && !(work.back() <= 10 * energy.front()))
      return "";
  if (energy.front() < 1e-14 * energy_scale(run)) return "";  // round-off
  return energy.back() / energy.front();
}

/// max |(a − work) − a(0)| / a(0), divided by `scale` instead if a(0) is below 1e-14 of it.
Cell largest_drift(const RecordedRun& run, const std::string& quantity,
                   const std::vector<std::string>& sources, double scale) {
  std::vector<double> values = run.diagnostics(quantity);
  if (values.empty()) return "";
  const double reference = std::abs(values.front()) < 1e-14 * scale ? scale : std::abs(values.front());
  if (reference == 0) return "";
  for (const std::string& source : sources) {
    const std::vector<double> given = run.diagnostics(source);
    if (given.empty() && source == "work_source") continue;  // file of a version without sources
    if (given.size() != values.size()) return "";
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= given[i];
  }
  double largest = 0;
  for (const double value : values) {
    const double drift = std::abs(value - values.front()) / reference;
    if (!(drift <= largest)) largest = drift;  // also for NaN
  }
  return largest;
}

/// M √(gH) √A, kg m²/s, of the water at rest.
double angular_momentum_scale(const RecordedRun& run) {
  const double energy = energy_scale(run);  // ρgH²A
  const std::vector<double> mass = run.diagnostics("mass");
  if (energy == 0 || mass.empty()) return 0;
  const double gravity = run.group().number("gravity"), depth = energy / (mass.front() * gravity),
               area = mass.front() / (run.group().number("density") * depth);
  return mass.front() * std::sqrt(gravity * depth * area);
}

/// max |L − L(0)| / |L(0)|; none if the flow initially has no angular momentum: |L(0)| is round-off, or below 1e-6 of the largest |L|,
/// as on a surface that starts to turn, where it is that of the differences of positions for the velocity of the surface.
Cell angular_momentum_drift(const RecordedRun& run) {
  const std::vector<double> values = run.diagnostics("angular_momentum");  // three of a row
  if (values.size() < 3) return "";
  const Eigen::Map<const Eigen::Matrix3Xd> momentum(values.data(), 3,
                                                    static_cast<Eigen::Index>(values.size() / 3));
  const double start = momentum.col(0).norm();
  if (!(start > 1e-6 * momentum.colwise().norm().maxCoeff()) || start < 1e-13 * angular_momentum_scale(run))
    return "";
  return (momentum.colwise() - momentum.col(0)).colwise().norm().maxCoeff<Eigen::PropagateNaN>() / start;
}

constexpr std::string_view component_names = "xyz";

/// "momentum" of "momentum.x", a component of a vector; the whole name of any other diagnostic.
std::string dataset_of(const std::string& diagnostic) {
  const std::size_t size = diagnostic.size();
  const bool is_component = size > 2 && diagnostic[size - 2] == '.' &&
                            component_names.find(diagnostic.back()) != std::string_view::npos;
  return is_component ? diagnostic.substr(0, size - 2) : diagnostic;
}

/// One value per row, of a scalar or of a component of a vector; empty if the run has none.
std::vector<double> series(const RecordedRun& run, const std::string& diagnostic) {
  const std::size_t rows = run.diagnostics("time").size();
  const std::string dataset = dataset_of(diagnostic);
  std::vector<double> values = run.diagnostics(dataset);
  if (dataset == diagnostic) return values.size() == rows ? values : std::vector<double>();
  if (values.size() != rows * component_names.size()) return {};
  std::vector<double> component(rows);
  for (std::size_t i = 0; i < rows; ++i)
    component[i] = values[i * component_names.size() + component_names.find(diagnostic.back())];
  return component;
}

Cell diagnostic_at(const RecordedRun& run, const std::string& name, std::ptrdiff_t row) {
  const std::vector<double> values = series(run, name);
  if (values.empty() || row < 0) return "";
  return values[static_cast<std::size_t>(row)];
}

std::string unit_of(const Runs& runs, const std::string& name) {
  const std::string diagnostic = dataset_of(name);
  for (const RecordedRun& run : runs) {
    if (!run.group().has("diagnostics") || !run.group().open_group("diagnostics").has(diagnostic)) continue;
    const std::string unit = run.group().open_group("diagnostics").open_dataset(diagnostic).text("unit");
    return unit == "1" ? "" : " [" + unit + "]";
  }
  return "";
}

/// The value at the recorded step nearest to `time`; the heading says so if a run has no step exactly there.
Column diagnostic_column(const Runs& runs, const std::string& header, const std::string& dataset,
                         double time) {
  bool near = false;
  for (const RecordedRun& run : runs)
    if (const std::ptrdiff_t row = run.row_at(time); row >= 0)
      near = near || std::abs(run.diagnostics("time")[static_cast<std::size_t>(row)] - time) > 1e-9 * time;
  return {fmt::format("{}, {}t = {:.6g} s", header, near ? "near " : "", time), true,
          [=](const RecordedRun& run) { return diagnostic_at(run, dataset, run.row_at(time)); }};
}

/// "error (no v·∇v)": names the equations of the solution if the scene has several solutions and all runs use the same one.
std::string error_heading(const Runs& runs) {
  std::set<std::string> solutions;
  for (const RecordedRun& run : runs)
    if (run.group().has_attribute("solution")) solutions.insert(run.group().text("solution"));
  return solutions.size() == 1 ? fmt::format("error ({})", *solutions.begin()) : "error";
}

/// NAME@max, NAME@min and NAME@mean. Times exclude the first step, which also touches memory and sets up solvers; diagnostics
/// exclude the row of t = 0. Empty if there is no such name.
std::vector<Column> reduced_column(const std::string& base, const std::string& how, const Runs& runs,
                                   const ColumnOffer& offer) {
  const std::string stage = base == "ms_per_step" ? "total" : base.rfind("ms_", 0) == 0 ? base.substr(3) : "";
  if (offer.stages.count(stage))
    return {{fmt::format("{} {} [ms]", how, stage == "total" ? "step" : stage), true,
             [=](const RecordedRun& run) { return milliseconds(run, stage, how); }}};
  if (!offer.diagnostics.count(base)) return {};
  return {{fmt::format("{} {}{}", how, in_words(base), unit_of(runs, base)), true,
           [=](const RecordedRun& run) -> Cell {
             std::vector<double> values = series(run, base);
             if (values.size() > 1) values.erase(values.begin());
             return reduced(values, how);
           }}};
}

/// NAME@above:X, the time of the first row above X; blank if there is none.
Column first_above(const std::string& base, double limit) {
  return {fmt::format("time of {} > {:g} [s]", in_words(base), limit), true,
          [=](const RecordedRun& run) -> Cell {
            const std::vector<double> values = series(run, base);
            const auto first = std::ranges::find_if(values, [&](double value) { return value > limit; });
            if (first == values.end()) return "";
            return run.diagnostics("time")[static_cast<std::size_t>(first - values.begin())];
          }};
}

/// None if the initial flow does not rotate.
Cell enstrophy_drift(const RecordedRun& run) {
  const std::vector<double> values = run.diagnostics("potential_enstrophy");
  if (values.empty() || !(values.front() > 1e-9 * *std::ranges::max_element(values))) return "";
  return largest_drift(run, "potential_enstrophy", {}, 0);
}

Cell seconds(const RecordedRun& run) {
  const std::vector<double> steps = run.timing("total");
  if (steps.empty()) return "";
  return std::accumulate(steps.begin(), steps.end(), 0.0);
}

/// A column that all runs have.
struct NamedColumn {
  const char *name, *header;
  bool numeric;
  Cell (*value)(const RecordedRun&);
};

constexpr NamedColumn named_columns[] = {
    {"id", "id", false, [](const RecordedRun& run) -> Cell { return run.id(); }},
    {"file", "file", false, [](const RecordedRun& run) -> Cell { return run.file(); }},
    {"energy_left", "energy left", true, energy_left},
    {"energy_drift", "energy drift", true,
     [](const RecordedRun& run) { return largest_drift(run, "energy_total", works(), energy_scale(run)); }},
    {"mass_drift", "mass drift", true,
     [](const RecordedRun& run) { return largest_drift(run, "mass", {"mass_source"}, 0); }},
    {"enstrophy_drift", "enstrophy drift", true, enstrophy_drift},
    {"angular_momentum_drift", "angular momentum drift", true, angular_momentum_drift},
    {"seconds", "time [s]", true, seconds},
    {"ms_per_step", "ms per step", true,
     [](const RecordedRun& run) { return milliseconds(run, "total", "median"); }}};

/// The column or, for elevation_error, columns of one name.
std::vector<Column> columns_of(const std::string& name, const Runs& runs, const ColumnOffer& offer,
                               bool csv) {
  const auto at = name.find('@');
  const std::string base = name.substr(0, at);
  if (const std::string how = at == std::string::npos ? "" : name.substr(at + 1);
      how == "max" || how == "min" || how == "mean") {
    if (std::vector<Column> column = reduced_column(base, how, runs, offer); !column.empty()) return column;
  } else if (how.starts_with("above:")) {
    const double limit = parse_number(how.substr(6), fmt::format("column '{}'", name));
    if (!std::isfinite(limit)) throw Error(fmt::format("column '{}': {} is not finite", name, limit));
    if (offer.diagnostics.count(base)) return {first_above(base, limit)};
  } else if (at != std::string::npos) {
    double time = -1;
    try {
      time = parse_number(how, "");
    } catch (const Error&) {
    }
    if (!(time >= 0 && std::isfinite(time)))
      throw Error(fmt::format("column '{}': '{}' is not a time ≥ 0, max, min, mean or above:X", name, how));
    if (base == "elevation_error")
      return {diagnostic_column(runs, error_heading(runs), "l2_error_elevation", time)};
    if (offer.diagnostics.count(base))
      return {diagnostic_column(runs, in_words(base) + unit_of(runs, base), base, time)};
  }
  for (const NamedColumn& one : named_columns)
    if (name == one.name) return {{one.header, one.numeric, one.value}};
  if (name == "outcome")
    return {{"outcome", false, [csv](const RecordedRun& run) -> Cell {
               return csv ? run.outcome().outcome : outcome_text(run);
             }}};
  if (name == "elevation_error") {
    std::vector<Column> columns;
    if (!offer.diagnostics.count("l2_error_elevation")) return columns;  // scenes without a solution
    for (const double time : offer.snapshot_times) {
      columns.push_back(diagnostic_column(runs, error_heading(runs), "l2_error_elevation", time));
      columns.back().name = fmt::format("elevation_error@{:.6g}", time);
    }
    return columns;
  }
  if (name.starts_with("ms_") && offer.stages.count(name.substr(3)))
    return {{fmt::format("{} [ms]", name.substr(3)), true, [stage = name.substr(3)](const RecordedRun& run) {
               return milliseconds(run, stage, "median");
             }}};
  if (offer.attributes.count(name)) {
    const bool is_time =
        name == "dt" || name == "t_end" || name == "t_reached" || name == "negative_depth_time";
    return {{in_words(name) + (is_time ? " [s]" : ""), name != "mesh",
             [=](const RecordedRun& run) { return run_attribute(run, name); }}};
  }
  if (offer.diagnostics.count(name))
    return {{in_words(name) + unit_of(runs, name) + ", end", true, [=](const RecordedRun& run) {
               return diagnostic_at(run, name,
                                    static_cast<std::ptrdiff_t>(run.diagnostics("time").size()) - 1);
             }}};
  if (offer.vectors.count(base)) {
    const std::string how = name.substr(base.size());
    throw Error(fmt::format("column '{}': '{}' is a vector; write {}.x{}, {}.y{} or {}.z{}", name, base, base,
                            how, base, how, base, how));
  }
  const std::vector<std::string> known = offer.names();
  if (at != std::string::npos && std::ranges::find(known, base) != known.end())
    throw Error(fmt::format("column '{}': '{}' is not a diagnostic, which 'shoal list diagnostics' lists",
                            name, base));
  const std::string near = did_you_mean(base, known);
  if (runs.empty())  // of a plan
    throw Error(fmt::format("column '{}' does not exist{}; see 'shoal table -h'", name, near));
  throw Error(fmt::format(
      "column '{}': the results do not contain it{} 'shoal table -h' and 'shoal list diagnostics' "
      "list all columns",
      name, near.empty() ? ";" : near));
}

/// The default columns plus, after `integrator`, other settings that differ between the runs.
std::vector<std::string> varying_columns(const Results& results) {
  std::vector<std::string> names = default_columns();
  std::vector<std::string> attributes;
  for (const KeyEntry& key : run_keys())
    if (key.column == KeyColumn::where_different || key.column == KeyColumn::in_orders_too)
      attributes.push_back(key.attribute);
  attributes.push_back("solution");
  const std::vector<std::string> varying = varying_attributes(results.runs(), std::move(attributes));
  names.insert(std::ranges::find(names, "integrator") + 1, varying.begin(), varying.end());
  if (results.files() > 1) names.insert(names.begin(), "file");
  for (const char* attribute : {"dt", "substeps"})  // missing if all runs are refused
    if (std::ranges::none_of(results.runs(),
                             [&](const RecordedRun& run) { return run.group().has_attribute(attribute); }))
      std::erase(names, attribute);
  const auto has_parts = [](const RecordedRun& run) {
    return !run.diagnostics("component_mass_drift").empty();
  };
  if (std::ranges::any_of(results.runs(), has_parts))
    names.insert(std::ranges::find(names, "mass_drift") + 1, "component_mass_drift@max");
  return names;
}

/// One of a table's conditions on its runs.
struct Condition {
  Column column;
  std::string comparison, text;
  std::optional<double> number;  ///< that `text` is

  bool holds(const RecordedRun& run) const {
    const Cell cell = column.value(run);
    if (cell == Cell("")) return comparison == "!=";  // an empty cell
    const double* value = std::get_if<double>(&cell);
    if (!value) return (std::get<std::string>(cell) == text) == (comparison == "=");
    if (!number) return comparison == "!=";
    constexpr double rounding = 1e-9;  // relative; accepts 1/60 typed as 0.0166666667
    const bool equal = std::abs(*value - *number) <= rounding * std::max(std::abs(*value), std::abs(*number));
    if (comparison == "=") return equal;
    if (comparison == "!=") return !equal;
    if (equal) return comparison.size() == 2;  // <= or >=
    return comparison.front() == '<' ? *value < *number : *value > *number;
  }
};

/// The first column of a name.
Column column_of(const std::string& name, const Runs& runs, const ColumnOffer& offer) {
  std::vector<Column> columns = columns_of(name, runs, offer, true);
  if (columns.empty()) return {name, true, [](const RecordedRun&) { return Cell(""); }};
  return std::move(columns.front());
}

Condition condition_of(const std::string& text, const Runs& runs, const ColumnOffer& offer) {
  const std::size_t begin = text.find_first_of("=!<>"),
                    end = std::min(text.find_first_not_of("=!<>", begin), text.size());
  const std::string comparison = begin == std::string::npos ? "" : text.substr(begin, end - begin);
  const std::vector<std::string> comparisons = {"=", "!=", "<", "<=", ">", ">="};
  const std::string name(trimmed(std::string_view(text).substr(0, begin)));
  if (std::ranges::find(comparisons, comparison) == comparisons.end() || name.empty())
    throw Error(
        fmt::format("condition '{}': not of the form NAME=VALUE, with one of {}", text, join(comparisons)));
  const std::string value(trimmed(std::string_view(text).substr(end)));
  Condition condition{column_of(name, runs, offer), comparison, name == "id" ? run_id(value) : value, {}};
  try {
    if (const double number = parse_number(value, ""); !std::isnan(number)) condition.number = number;
  } catch (const Error&) {
  }
  if (!condition.number && comparison != "=" && comparison != "!=")
    throw Error(fmt::format("condition '{}': '{}' is not a number, as {} requires", text, value, comparison));
  return condition;
}

/// Runs that satisfy all conditions, in the requested order.
std::vector<const RecordedRun*> chosen_runs(const Runs& runs, const TableView& view,
                                            const ColumnOffer& offer) {
  std::vector<const RecordedRun*> chosen;
  for (const RecordedRun& run : runs) chosen.push_back(&run);
  for (const std::string& text : view.where) {
    const Condition condition = condition_of(text, runs, offer);
    std::erase_if(chosen, [&](const RecordedRun* run) { return !condition.holds(*run); });
  }
  for (auto name = view.order.rbegin(); name != view.order.rend(); ++name) {  // the first name counts most
    const bool down = name->starts_with('-');
    const Column column = column_of(name->substr(down ? 1 : 0), runs, offer);
    std::map<const RecordedRun*, Cell> cells;
    for (const RecordedRun* run : chosen) {
      cells[run] = column.value(*run);
      if (const double* number = std::get_if<double>(&cells[run]); number && std::isnan(*number))
        cells[run] = "";
    }
    std::ranges::stable_sort(chosen, [&](const RecordedRun* a, const RecordedRun* b) {
      const Cell &left = cells[a], &right = cells[b];
      if ((left == Cell("")) != (right == Cell(""))) return right == Cell("");  // empty cells come last
      return down ? right < left : left < right;
    });
  }
  return chosen;
}

/// Why runs did not finish, or their warnings, one line each.
std::string footnotes(const Results& results, const std::vector<const RecordedRun*>& runs,
                      TableFormat format) {
  std::vector<std::string> notes;
  for (const RecordedRun* run : runs)
    if (!run->outcome().reason.empty())
      notes.push_back(fmt::format("{}{} {}: {}", results.files() > 1 ? run->file() + " " : "", run->id(),
                                  run->outcome().outcome, run->outcome().reason));
  for (const auto& [id, part] : results.lost())
    notes.push_back(fmt::format("{} interrupted: its part '{}' is missing or unreadable", id, part));
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? "\n" : "") + as_line(note, format) + "\n";
  return text;
}

}  // namespace

std::vector<const RecordedRun*> runs_where(const Results& results, const std::vector<std::string>& where) {
  return chosen_runs(results.runs(), {.where = where}, ColumnOffer(results));
}

std::string outcome_text(const RecordedRun& run) {
  const Outcome& outcome = run.outcome();
  if (outcome.outcome == "refused") return outcome.outcome;
  if (outcome.outcome == "finished") {
    const bool below =
        run.group().number("negative_depth_cells", 0) > 0;  // missing in files of earlier versions
    return below ? fmt::format("finished, η < 0 from t = {:.4g}", run.group().number("negative_depth_time"))
                 : "finished";
  }
  return fmt::format("{} at t = {:.4g}", outcome.outcome, outcome.t_reached);
}

ColumnOffer::ColumnOffer(const Results& results) {
  std::set<double> times;
  for (const RecordedRun& run : results.runs()) {
    for (const std::string& name : run.group().attribute_names()) attributes.insert(name);
    for (const double time : run.snapshot_times())
      if (time > 0 && time <= run.group().number("t_end") + run.group().number("dt")) times.insert(time);
    if (run.group().has("timing"))
      for (const std::string& name : run.group().open_group("timing").names()) stages.insert(name);
    if (!run.group().has("diagnostics")) continue;
    const hdf5::Group recorded = run.group().open_group("diagnostics");
    for (const std::string& name : recorded.names()) {
      if (diagnostics.count(name) || vectors.count(name)) continue;
      if (const hdf5::Extent size = recorded.open_dataset(name).extent();
          size.size() < 2 || size[1] != component_names.size()) {
        diagnostics.insert(name);
        continue;
      }
      vectors.insert(name);
      for (const char component : component_names) diagnostics.insert(name + "." + component);
    }
  }
  snapshot_times.assign(times.begin(), times.end());
  if (snapshot_times.size() > max_error_columns) snapshot_times = {snapshot_times.back()};
}

void ColumnOffer::add(const ColumnOffer& other) {
  attributes.insert(other.attributes.begin(), other.attributes.end());
  diagnostics.insert(other.diagnostics.begin(), other.diagnostics.end());
  vectors.insert(other.vectors.begin(), other.vectors.end());
  stages.insert(other.stages.begin(), other.stages.end());
}

std::vector<std::string> ColumnOffer::names() const {
  std::vector<std::string> all = {"elevation_error"};
  for (const NamedColumn& column : named_columns) all.emplace_back(column.name);
  all.insert(all.end(), attributes.begin(), attributes.end());
  all.insert(all.end(), diagnostics.begin(), diagnostics.end());
  for (const std::string& stage : stages) all.push_back("ms_" + stage);
  return all;
}

ColumnOffer planned_columns(const Catalog& catalog, const std::vector<PlannedRun>& plan) {
  ColumnOffer offer;
  for (const std::string& name : split_at_commas(
           "density,energy_scale,git_commit,git_dirty,gravity,mesh,outcome,parameters,reason,solution,"
           "state_checksum,steps,t_reached,triangles,vertices,subnormals,files_hash,mode_angular_frequency,"
           "theory_modulus,theory_phase,negative_depth_cells,negative_depth_time,negative_depth_rounding,"
           "dt_rule,dt_min,dt_max,no_reference,unknowns"))
    offer.attributes.insert(name);
  for (const KeyEntry& key : run_keys()) offer.attributes.insert(key.attribute);
  for (const PlannedRun& run : plan)
    for (const ParameterInfo& info : declared_parameters(catalog, run.configuration))
      offer.attributes.insert(info.name);
  offer.stages = {stage_names.begin(), stage_names.end()};
  offer.stages.insert("total");
  return offer;
}

void check_columns(const Experiment& experiment, const ColumnOffer& offer) {
  const auto check = [&](const LocatedText& column) {
    with_context(column.where, [&] { columns_of(column.text, {}, offer, false); });
  };
  for (const TableEntry& table : experiment.tables) {
    std::ranges::for_each(table.columns, check);
    for (const LocatedText& text : table.where)
      with_context(text.where, [&] { condition_of(text.text, {}, offer); });
    for (const LocatedText& text : table.order)
      with_context(text.where,
                   [&] { column_of(text.text.substr(text.text.starts_with('-') ? 1 : 0), {}, offer); });
    for (const LocatedText& error : table.errors)
      // Orders in time compare runs with each other; orders in space need errors recorded by the runs.
      if (!is_error_norm(error.text) || (table.orders && table.orders->text == "space")) check(error);
  }
}

Cell run_attribute(const RecordedRun& run, const std::string& name) {
  if (!run.group().has_attribute(name)) return "";
  const hdf5::Attribute value = run.group().attribute(name);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return std::isnan(*number) ? Cell("") : Cell(*number);
  return fmt::format("{}", fmt::join(std::get<std::vector<double>>(value), " "));
}

std::string in_words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::vector<std::string> varying_attributes(const std::vector<RecordedRun>& runs,
                                            std::vector<std::string> names) {
  for (const RecordedRun& run : runs) {
    for (const std::string& name : split_at_commas(run.group().text("parameters", "")))
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::erase_if(names, [&](const std::string& name) {
    std::set<Cell> values;
    for (const RecordedRun& run : runs)
      if (run.group().has_attribute(name)) values.insert(run_attribute(run, name));
    return values.size() < 2;
  });
  return names;
}

std::vector<double> column_values(const Results& results, const std::string& name) {
  const std::vector<Column> columns = columns_of(name, results.runs(), ColumnOffer(results), true);
  std::vector<double> values(columns.empty() ? results.runs().size() : 0, std::nan(""));
  if (columns.empty()) return values;
  for (const RecordedRun& run : results.runs()) {
    const Cell cell = columns.front().value(run);
    const double* number = std::get_if<double>(&cell);
    values.push_back(number ? *number : std::nan(""));
  }
  return values;
}

const std::vector<std::string>& default_columns() {
  static const std::vector<std::string> names = {
      "id",          "discretization", "integrator",      "dt",         "substeps", "outcome",
      "energy_left", "mass_drift",     "elevation_error", "ms_per_step"};
  return names;
}

std::string column_help() {
  return "Columns, separated by commas (default " + join(default_columns(), ",") +
         R"(,
plus, after integrator, any setting that differs between the runs):
  file                        name of the results file, if there are several files
  any attribute of the runs   id, scene, mesh_name, theta, t_reached, reason, ...
  unknowns                    values of depth and velocity between steps, on all vertices, edges or triangles
  dt, dt_min, dt_max          the step; with dt = auto (dt_rule) the initial, shortest and longest step
  negative_depth_cells, _time largest number of cells with negative depth after any step, and the time of the
                              first; ignores depths above -negative_depth_rounding times the largest depth
  energy_left                 final energy divided by initial energy
  energy_drift, mass_drift    max |E − W − E(0)| / E(0), where W is the work of forces, sources and the moving
                              surface (work_...); divided by ρgH² times the area if E(0) is below 1e-14 of
                              that; likewise for mass
  enstrophy_drift, angular_momentum_drift
                              likewise for potential_enstrophy and the vector angular_momentum, which are
                              recorded if the surface moves or its frame rotates; none if the angular momentum
                              starts below 1e-6 of its maximum
  elevation_error[@T]         l2_error_elevation in the row nearest to time T; without @T at each requested snapshot time
                              (only the last one if there are more than 8)
  seconds                     computing time of all steps, measured like ms_per_step
  ms_per_step, ms_STAGE       median time per step, excluding the energy budget (ms_work), diagnostics and
                              output; or median time of one stage (ms_solve), excluding nested stages
  any diagnostic[@T]          max_speed, energy_total, l1_error, ... at the end or in the row nearest to time T;
                              'shoal list diagnostics' explains all of them
  VECTOR.x, .y, .z            a component of a vector: momentum.x, angular_momentum.z@max
  NAME@max, @min, @mean       maximum, minimum or mean of a time or diagnostic over the run, excluding t = 0:
                              ms_per_step@max
  NAME@above:X                time of the first row in which a diagnostic exceeds X: l2_error@above:1e-3
)";
}

std::string make_table(const Results& results, TableFormat format, const TableView& view,
                       const ColumnOffer& planned) {
  ColumnOffer offer(results);
  offer.add(planned);
  std::vector<Column> columns;
  TextTable grid;
  for (const std::string& name : view.columns.empty() ? varying_columns(results) : view.columns) {
    if (results.runs().empty() && name != "id") continue;  // a file without runs has no other column
    for (Column& column : columns_of(name, results.runs(), offer, format == TableFormat::csv)) {
      grid.headings.push_back({column.header, column.numeric, column.name.empty() ? name : column.name});
      columns.push_back(std::move(column));
    }
  }
  const std::vector<const RecordedRun*> runs = chosen_runs(results.runs(), view, offer);
  for (const RecordedRun* run : runs) {
    grid.rows.emplace_back();
    for (const Column& column : columns) grid.rows.back().push_back(column.value(*run));
  }
  std::string in_common;
  if (format == TableFormat::latex && view.columns.empty())
    in_common = take_out_constants(grid, grid.headings.size(), view.digits);
  const bool has_notes = format == TableFormat::text || format == TableFormat::markdown;
  return in_common + format_table(grid, format, view.digits) +
         (has_notes ? footnotes(results, runs, format) : "");
}

}  // namespace shoal
