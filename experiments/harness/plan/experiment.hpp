// Experiments as given by the user: keys with their alternatives (from a TOML file or the command line), and
// the runs of their product.
#pragma once

#include "experiments/harness/plan/keys.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shoal {

constexpr int max_jobs = 4096;        // runs at once
constexpr int max_table_digits = 17;  // of numbers in a table

/// One key with the values it takes in turn.
struct Setting {
  std::string key;
  bool is_parameter = false;  ///< from [parameters] or --param
  std::vector<Value> alternatives;
  std::string where;  ///< for messages: "bump.toml:4:1: dt", "--dt"
};

/// Keys whose lists, of equal lengths, advance together instead of multiplying: one axis of the product,
/// which stands where the first of them stands.
struct Together {
  std::vector<std::string> names;  ///< a key or else a parameter; "parameters.NAME" for a parameter only
  std::string where;
};

/// Part of an experiment with its own product.
struct Case {
  std::vector<Setting> settings;
  std::optional<std::vector<Together>> together = {};  ///< in place of the experiment's
};

/// A text of a file and where it stands.
struct LocatedText {
  std::string text;
  std::string where;
};

/// A table that is made of the results: a row per run, or orders of convergence. Files are names in the folder
/// of the results.
struct TableEntry {
  std::vector<LocatedText> files;
  std::vector<LocatedText> columns;  ///< none: those of `shoal table`
  std::vector<LocatedText> where;    ///< conditions on the runs
  std::vector<LocatedText> order;    ///< columns
  int digits = 4;
  std::optional<LocatedText> orders;  ///< "space", "time" or "both": orders, in place of runs
  std::vector<LocatedText> errors;    ///< of which orders are taken; none: those of `shoal converge`
  std::optional<LocatedText> format;  ///< of `shoal table --as`; absent: by the suffix of the file
};

/// What a script of scripts/plots draws or writes.
struct FigureEntry {
  LocatedText file;                 ///< a name in the folder of the results
  LocatedText script;               ///< a name in scripts/plots
  std::optional<LocatedText> from;  ///< the table that the script reads; absent: the results
  std::vector<LocatedText> arguments;
};

/// A set of runs: the product of all lists, in the order written (the last key varies fastest). With cases,
/// each one inherits the settings, overrides some of them in place, adds its own behind them, and has its own
/// product. Tables and figures are made of the results and change no run.
struct Experiment {
  std::string name;
  std::string title;
  std::string output;  ///< path of the results; "" for results/<name>/<name>.h5
  bool quiet = false;
  int jobs = 1;           ///< runs at once where the command line does not say
  bool frontier = false;  ///< the largest stable time step of each combination is computed, not its run
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
  SourceLocations places = {};  ///< of the settings that it uses
};

/// The message of a mistake without "parameter 'NAME': " or "NAME: " in front, for where a place stands
/// there.
std::string without_name(const std::string& message, const std::string& name);

/// Runs `body`, putting before the message of a SettingError where the value was given, if it was.
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

/// The parts that declare a parameter, as "NAME, NAME", "" for none; all parameters that there are go into `names`.
std::string declarers(const Catalog& catalog, const std::string& parameter,
                      std::set<std::string>* names = nullptr);

/// Reads an experiment. `source` stands for the file in messages; its stem is the default name. Throws Error
/// with line and column, MachineError if the file cannot be read.
Experiment read_experiment(const std::filesystem::path& path);
Experiment parse_experiment(const std::string& text, const std::string& source);

/// The values that one value of a key stands for, more than one where it is a rule or a list in a text:
/// "geometric:A:B:N" of a number (number_rule.hpp), "icosphere:2,3" of a mesh (generators.hpp). Throws Error with
/// `where`.
std::vector<Value> alternatives_of(const std::string& key, bool is_parameter, const Value& value,
                                   const std::string& where);

/// TOML text that parse_experiment reads back to the same runs; without tables and figures.
std::string to_toml(const Experiment& experiment);

/// All runs in order. A key that a combination does not use is dropped, and equal combinations run once.
/// Throws Error where a name, a number or a parameter is wrong, where no combination uses a key, or where the
/// lists make more combinations than allowed.
std::vector<PlannedRun> expand(const Catalog& catalog, const Experiment& experiment);

/// Options of the runner itself where it chooses a step.
struct StepOptions {
  double safety = 0.5;  ///< the target CFL number
  static Options<StepOptions> describe();
};

/// And where dt = auto.
struct AutoStepOptions {
  double growth = 1.1;  ///< a step over the one before, at most
  double least = 1e-6;  ///< a step over the first, at least
  static Options<AutoStepOptions> describe();
};

/// Options of the runner where the mesh is generated by size; scenes on a sphere declare them themselves.
struct MeshOptions {
  double radius = 1;  ///< m
  static Options<MeshOptions> describe();
};

/// The same of a mesh file.
struct MeshFileOptions {
  double weld = 0;  ///< m
  static Options<MeshFileOptions> describe();
};

/// The parameters that scene, scheme, integrator, linear solver, advection and motion of a run declare,
/// `radius` where the surface scales with it, `weld` where it is read from a file, and `safety` where a step is chosen. A name declared twice
/// stands once.
ParameterInfos declared_parameters(const Catalog& catalog, const RunConfiguration& configuration);
/// The same with their values.
Parameters parameters_of(const Catalog& catalog, const RunConfiguration& configuration);

/// The times of "0.1,0.5" or, up to `end`, of "every:0.1". Throws Error if the text is wrong, if an interval
/// is shorter than the step `dt` (s; 0: not known yet), or if it asks for more than a million snapshots.
std::vector<double> snapshot_times(const std::string& text, double end, double dt, const std::string& where);

}  // namespace shoal
