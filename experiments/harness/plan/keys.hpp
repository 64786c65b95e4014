// The keys of a run. Each is one field of a configuration and one entry of a table that experiment files, command lines, results,
// reruns and tables use.
#pragma once

#include "discretizations/common/options.hpp"
#include "experiments/harness/catalog/catalog.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shoal {

/// The complete configuration of a run; equal configurations give the same bits.
struct RunConfiguration {
  std::string scene;
  std::string discretization;      ///< default: the first of the list
  std::string integrator;          ///< likewise
  std::string linear_solver;       ///< "" for integrators without linear systems
  std::string advection = "none";  ///< "built-in" if the scheme's own flux transports the momentum
  std::string splitting;           ///< resolved: one of the list
  std::string mesh;
  std::string motion = "none";  ///< of the surface, unless the scene moves it
  std::string boundaries;       ///< conditions (boundaries.hpp); "" for the scene's
  std::string inputs;           ///< interactions during the run (inputs.hpp); "" for none
  std::optional<double> dt;     ///< s; absent: auto, safety · substeps · stable_dt (Simulation::meet)
  std::optional<int> substeps;  ///< absent: auto, the smallest k with dt/k ≤ safety · stable_dt(t = 0)
  std::optional<double> end;    ///< s; absent: the scene's
  std::string snapshots;        ///< "0.1,0.5" or "every:0.1"; "" for the scene's sample times
  std::int64_t diagnostics_every = 1;  ///< steps
  int threads = 1;
  std::int64_t seed = 0;
  std::map<std::string, Value> parameters;  ///< the given ones; others have their defaults

  auto operator<=>(const RunConfiguration&) const = default;  ///< any order, to find equal ones
  bool operator==(const RunConfiguration&) const = default;
};

/// The type of a value and of its attribute in results.
enum class KeyKind { text, number, whole };

/// The tables that have a column for it.
enum class KeyColumn {
  on_demand,
  always,
  where_different,  ///< between the runs
  in_orders_too     ///< likewise, and it distinguishes the lines of a table of orders
};

/// Entries are resolved in the order of the table. Optional functions may be empty.
struct KeyEntry {
  std::string name;                   ///< in experiment files; option names have - instead of _
  std::string attribute;              ///< in results
  const char* placeholder = nullptr;  ///< of the option's value; null if there is no option
  const char* help = nullptr;
  KeyKind kind = KeyKind::text;
  KeyColumn column = KeyColumn::where_different;
  bool has_commas = false;                 ///< a single value may contain commas
  bool concerns_recording = false;         ///< concerns what is recorded, not what is computed
  bool takes_auto = false;                 ///< accepts "auto", which means no value
  bool may_be_absent = false;              ///< results omit it if it has no value
  const char* absent = nullptr;            ///< its text in results if it has no value
  const char* unrecorded_value = nullptr;  ///< its value in all runs whose results do not record it
  const char* unused = nullptr;            ///< a specific message if no run uses it

  /// Whether a configuration uses it; if empty, all do.
  std::function<bool(const Catalog&, const RunConfiguration&)> applies = {};
  std::function<void(const Catalog&, RunConfiguration&)> set_default = {};
  /// Throws Error.
  std::function<void(const Catalog&, RunConfiguration&, const Value&)> set = {};
  /// Changes it during a run; empty if that is impossible. Throws Error.
  std::function<void(const Catalog&, RunConfiguration&, const std::string&)> change = {};
  std::function<std::optional<Value>(const RunConfiguration&)> get = {};
  /// Its value as a setting; nothing if none is needed. If empty, get() is used.
  std::function<std::optional<Value>(const RunConfiguration&)> written = {};

  // For keys whose values are names from a list; `parameters` if its entries have some:
  std::function<std::vector<std::string>(const Catalog&)> names = {};
  std::function<ParameterInfos(const Catalog&, const std::string& name)> parameters = {};

  bool is_used(const Catalog& catalog, const RunConfiguration& c) const {
    return !applies || applies(catalog, c);
  }
};

/// The keys of `shoal run` and of the top level of an experiment file, in the order of resolution and display.
const std::vector<KeyEntry>& run_keys();
/// Null if there is no key of this name.
const KeyEntry* find_key(const std::string& name);

/// Null if there is none, or if the scheme has its own.
const AdvectionEntry* added_advection(const Catalog& catalog, const RunConfiguration& configuration);

}  // namespace shoal
