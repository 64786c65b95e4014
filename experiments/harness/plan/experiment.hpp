// Experiments as given by the user: keys with alternative values (from a TOML file or the command line), and the runs of
// their product.
#pragma once

#include "experiments/harness/plan/keys.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shoal {

constexpr int max_jobs = 4096;        // runs at once
constexpr int max_table_digits = 17;  // significant digits of numbers in a table

/// One key and its list of values.
struct Setting {
  std::string key;
  bool is_parameter = false;  ///< from [parameters] or --param
  std::vector<Value> alternatives;
  std::string where;  ///< for messages: "bump.toml:4:1: dt", "--dt"
};

/// Keys whose lists, of equal length, advance together instead of multiplying. They form one axis of the product, at the
/// position of the first of them.
struct Together {
  std::vector<std::string> names;  ///< keys or, failing that, parameters; "parameters.NAME": a parameter only
  std::string where;
};

/// A part of an experiment, with its own product.
struct Case {
  std::vector<Setting> settings;
  std::optional<std::vector<Together>> together = {};  ///< replaces that of the experiment
};

/// A text of a file and its position there.
struct LocatedText {
  std::string text;
  std::string where;
};

/// A table made from the results: a row per run, or orders of convergence. File names are relative to the folder of the
/// results.
struct TableEntry {
  std::vector<LocatedText> files;
  std::vector<LocatedText> columns;  ///< empty: those of `shoal table`
  std::vector<LocatedText> where;    ///< conditions on the runs
  std::vector<LocatedText> order;    ///< columns
  int digits = 4;
  std::optional<LocatedText> orders;  ///< "space", "time" or "both": a table of orders instead of runs
  std::vector<LocatedText> errors;    ///< errors of which it gives the orders; empty: as `shoal converge`
  std::optional<LocatedText> format;  ///< as for `shoal table --as`; absent: from the suffix of the file
};

/// A figure or file made by a script of scripts/plots.
struct FigureEntry {
  LocatedText file;                 ///< a name in the folder of the results
  LocatedText script;               ///< a name in scripts/plots
  std::optional<LocatedText> from;  ///< the table that the script reads; absent: the results
  std::vector<LocatedText> arguments;
};

/// A set of runs: the product of all lists in the order written; the last key varies fastest. Each case inherits the settings,
/// overrides some of them in place, appends its own, and has its own product. Tables and figures are made from the results
/// and do not affect the runs.
struct Experiment {
  std::string name;
  std::string title;
  std::string output;  ///< path of the results; "" for results/<name>/<name>.h5
  bool quiet = false;
  int jobs = 1;           ///< runs at once, unless the command line overrides it
  bool frontier = false;  ///< computes the largest stable time step of each combination instead of a run
  std::vector<Setting> settings;
  std::vector<Together> together;
  std::vector<Case> cases;
  std::vector<TableEntry> tables;
  std::vector<FigureEntry> figures;
};

/// Where the user gave the value of a key or parameter: "dt" → "bump.toml:4:1: dt".
using SourceLocations = std::map<std::string, std::string>;

struct PlannedRun {
  RunConfiguration configuration;
  std::string refusal;          ///< why scheme and integrator are incompatible; "" if they are not
  SourceLocations places = {};  ///< of the settings used
};

/// The message of a mistake without its beginning "parameter 'NAME': " or "NAME: ", which a location replaces.
std::string without_name(const std::string& message, const std::string& name);

/// Runs `body` and prefixes the message of a SettingError with the location of the value, if known.
template <class Body>
auto with_place(const SourceLocations& places, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const SettingError& error) {
    const auto place = places.find(error.setting());
    throw Error(place == places.end() ? error.what()
                                      : place->second + ": " + without_name(error.what(), error.setting()));
  }
}

/// The parameters declared by an entry of a list, whose kind is the name of a key, or, with kind "", by a part of every run that
/// `owner` describes.
struct Declaration {
  std::string kind, owner;
  ParameterInfos parameters;
};
/// All declarations of parameters, in the order of the keys.
std::vector<Declaration> declarations(const Catalog& catalog);

/// The parts that declare a parameter, as "NAME, NAME", or ""; appends the names of all parameters to `names`.
std::string declarers(const Catalog& catalog, const std::string& parameter,
                      std::set<std::string>* names = nullptr);

/// Reads an experiment. `source` names the file in messages; its stem is the default name. Throws Error with line and
/// column, and MachineError if the file cannot be read.
Experiment read_experiment(const std::filesystem::path& path);
Experiment parse_experiment(const std::string& text, const std::string& source);

/// The values represented by one value of a key: several for a rule or a list in a text, such as "geometric:A:B:N" for a
/// number (number_rule.hpp) or "icosphere:2,3" for a mesh (generators.hpp). Errors begin with `where`.
std::vector<Value> alternatives_of(const std::string& key, bool is_parameter, const Value& value,
                                   const std::string& where);

/// TOML text from which parse_experiment reads the same runs; without tables and figures.
std::string to_toml(const Experiment& experiment);

/// All runs in order. Keys that a combination does not use are dropped, and equal combinations run once. Throws Error if a
/// name, number or parameter is wrong, no combination uses a key, or the lists give too many combinations.
std::vector<PlannedRun> expand(const Catalog& catalog, const Experiment& experiment);

/// Options of the program for the choice of the time step.
struct StepOptions {
  double safety = 0.5;  ///< the target CFL number
  static Options<StepOptions> describe();
};

/// Further options for dt = auto.
struct AutoStepOptions {
  double growth = 1.1;      ///< maximum ratio of a step to the previous one
  double min_ratio = 1e-6;  ///< minimum ratio of a step to the first one
  double part_of_period =
      0.05;  ///< largest step relative to the shortest period of the motion, of forces and of boundary values
  double body_path =
      0.1;  ///< largest path of a body near the water in a step, relative to its smallest extent
  static Options<AutoStepOptions> describe();
};

/// The parameters of both. They choose the steps of a run and do not otherwise affect it.
ParameterInfos step_parameters();

/// Options of generated meshes whose size can be chosen; scenes on a sphere declare them themselves.
struct MeshOptions {
  double radius = 1;  ///< m
  static Options<MeshOptions> describe();
};

/// Options of mesh files.
struct MeshFileOptions {
  double weld = 0;  ///< m
  static Options<MeshFileOptions> describe();
};

/// The order of a mesh's triangles in memory, and so of sums over them. All runs accept these options.
struct OrderOptions {
  int parts = 1;  ///< see in_compact_parts()
  static Options<OrderOptions> describe();
};
/// The options' parameters if one of them is given.
ParameterInfos order_parameters(const std::map<std::string, Value>& given);

/// The parameters declared by scene, scheme, integrator, linear solver, advection and motion of a run, plus `radius` if it
/// scales the surface, `weld` if the surface is read from a file, and `safety` if a step is chosen. Each name occurs once.
ParameterInfos declared_parameters(const Catalog& catalog, const RunConfiguration& configuration);
/// These parameters with their values.
Parameters parameters_of(const Catalog& catalog, const RunConfiguration& configuration);

/// The times given by "0.1,0.5" or, up to `end`, by "every:0.1". Throws Error if the text is invalid, an interval is
/// shorter than the step `dt` (s; 0: not known yet), or there are more than a million snapshots.
std::vector<double> snapshot_times(const std::string& text, double end, double dt, const std::string& where);

}  // namespace shoal
