// The keys of a run. Each is one field of a configuration and one entry of a table, from which experiment files, command lines,
// results, reruns and tables take it.
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

/// Everything that fixes one run; equal configurations give the same bits.
struct RunConfiguration {
  std::string scene;
  std::string discretization;      ///< the first of the list where none is asked for
  std::string integrator;          ///< likewise
  std::string linear_solver;       ///< "" for integrators that solve nothing
  std::string advection = "none";  ///< "built-in" where the scheme's own flux transports the momentum
  std::string splitting;           ///< resolved: one of the list
  std::string mesh;
  std::string motion = "none";  ///< of the surface, where the scene does not move it
  std::string boundaries;       ///< conditions (boundaries.hpp); "" for the scene's
  std::string inputs;           ///< what is done to it while it runs (inputs.hpp); "" for nothing
  std::optional<double> dt;     ///< s; absent: auto, safety · substeps · stable_dt (Simulation::meet)
  std::optional<int> substeps;  ///< absent: auto, the smallest k with dt/k ≤ safety · stable_dt(t = 0)
  std::optional<double> end;    ///< s; absent: the scene's
  std::string snapshots;        ///< "0.1,0.5" or "every:0.1"; "" for the scene's sample times
  std::int64_t diagnostics_every = 1;  ///< steps
  int threads = 1;
  std::int64_t seed = 0;
  std::map<std::string, Value> parameters;  ///< those given; the others take their defaults

  auto operator<=>(const RunConfiguration&) const = default;  ///< any order, to find equal ones
  bool operator==(const RunConfiguration&) const = default;
};

/// Of what kind a value is, and its attribute in results.
enum class KeyKind { text, number, whole };

/// Where tables have a column of it.
enum class KeyColumn {
  on_demand,
  always,
  where_different,  ///< between the runs
  in_orders_too     ///< likewise, and it tells the lines of a table of orders apart
};

/// What stands above an entry in the table is resolved before it. Functions that may be missing are empty.
struct KeyEntry {
  std::string name;                   ///< in experiment files; as an option with - for _
  std::string attribute;              ///< in results
  const char* placeholder = nullptr;  ///< of the value of the option; null where there is no option
  const char* help = nullptr;
  KeyKind kind = KeyKind::text;
  KeyColumn column = KeyColumn::where_different;
  bool has_commas = false;         ///< in one value
  bool says_what_is_kept = false;  ///< and not what is computed
  bool takes_auto = false;         ///< "auto" for no value
  bool may_be_absent = false;      ///< from results, without a value
  const char* absent = nullptr;    ///< what results have in place of no value
  const char* earlier = nullptr;   ///< the value that all runs had whose results do not name it
  const char* unused = nullptr;    ///< why no combination uses it, more closely than in general

  /// Whether a configuration uses it, which all do if this is empty.
  std::function<bool(const Catalog&, const RunConfiguration&)> applies = {};
  std::function<void(const Catalog&, RunConfiguration&)> set_default = {};
  /// Throws Error.
  std::function<void(const Catalog&, RunConfiguration&, const Value&)> set = {};
  /// While it runs; empty where that cannot be. Throws Error.
  std::function<void(const Catalog&, RunConfiguration&, const std::string&)> change = {};
  std::function<std::optional<Value>(const RunConfiguration&)> get = {};
  /// As a setting, nothing where none is needed; empty: as get().
  std::function<std::optional<Value>(const RunConfiguration&)> written = {};

  // Of one whose values are the names of a list with parameters:
  std::function<std::vector<std::string>(const Catalog&)> names = {};
  std::function<ParameterInfos(const Catalog&, const std::string& name)> parameters = {};

  bool is_used(const Catalog& catalog, const RunConfiguration& c) const {
    return !applies || applies(catalog, c);
  }
};

/// In the order in which they are resolved and shown: those of `shoal run` and of the top level of an experiment file.
const std::vector<KeyEntry>& run_keys();
/// Null where there is none of this name.
const KeyEntry* find_key(const std::string& name);

/// Null where there is none, or the scheme has its own.
const AdvectionEntry* added_advection(const Catalog& catalog, const RunConfiguration& configuration);

}  // namespace shoal
