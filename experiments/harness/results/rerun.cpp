// From the attributes of recorded runs back to an experiment.
#include "experiments/harness/results/rerun.hpp"

#include "experiments/harness/run/surfaces.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shoal {
namespace {

Value to_value(const hdf5::Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&attribute)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&attribute)) return *number;
  throw MachineError("an attribute is a list instead of one value");
}

/// Builds the settings of one run, recorded at `where`.
class RecordedSettings {
 public:
  RecordedSettings(const Catalog& catalog, const RecordedRun& run, const std::string& where,
                   std::vector<std::string>& notes)
      : catalog_(catalog), run_(run.group()), id_(run.id()), where_(where), notes_(notes) {
    for (const KeyEntry& key : run_keys()) {
      if (key.set_default) key.set_default(catalog_, c_);
      if (!key.is_used(catalog_, c_)) continue;
      std::optional<Value> value = value_of(key);
      if (!value && key.takes_auto) value = "auto";
      if (!value) continue;
      key.set(catalog_, c_, *value);
      give(key.name, *value);
    }
    add_parameters();
  }

  const std::vector<Setting>& settings() const { return settings_; }

 private:
  void give(const std::string& key, const Value& value, bool is_parameter = false) {
    settings_.push_back({key, is_parameter, {value}, fmt::format("{}: {}", where_, key)});
  }

  /// Nothing if the run had none. Throws MachineError if it must have had one.
  std::optional<Value> value_of(const KeyEntry& key) const {
    if (key.name == "dt" && run_.has_attribute("dt_rule"))
      return {};  // only the first of several chosen steps
    if (!run_.has_attribute(key.attribute)) {
      if (key.unrecorded_value) return key.unrecorded_value;
      if (key.may_be_absent) return {};
    }
    const Value value = to_value(run_.attribute(key.attribute));
    if (value == Value("") || (key.absent && value == Value(key.absent))) return {};
    return value;
  }

  void add_parameters() {
    const std::vector<std::string> recorded = split_at_commas(run_.text("parameters", ""));
    std::set<std::string> known;
    for (const std::string& name : recorded)  // some are declared only where they are given
      if (run_.has_attribute(name)) c_.parameters[name] = to_value(run_.attribute(name));
    for (const ParameterInfo& info : declared_parameters(catalog_, c_)) {
      known.insert(info.name);
      if (!run_.has_attribute(info.name)) {
        notes_.push_back(
            fmt::format("note: run {} does not record '{}', which is new in this version; using its default",
                        id_, info.name));
        continue;
      }
      const Value value = to_value(run_.attribute(info.name));
      c_.parameters[info.name] = value;
      give(info.name, value, true);
    }
    for (const ParameterInfo& info : step_parameters())
      known.insert(info.name);  // dt, chosen by them, is given now
    for (const std::string& name : recorded)
      if (!name.empty() && !known.count(name))
        throw Error(fmt::format("this version has no parameter '{}'", name));
  }

  const Catalog& catalog_;
  const hdf5::Group& run_;
  std::string id_, where_;
  std::vector<std::string>& notes_;
  RunConfiguration c_;
  std::vector<Setting> settings_;
};

}  // namespace

Rerun make_rerun(const Catalog& catalog, const Results& results, const std::string& file,
                 const std::string& id) {
  for (const char* other : {"spectrum", "frontier"})
    if (results.root().has(other))
      throw Error(fmt::format(
          "results '{}': the file contains a {}; reproduce it with 'shoal {}'; its command line: {}", file,
          other, other, results.root().text("command")));
  Rerun rerun;
  rerun.experiment.name = visible(std::filesystem::path(file).stem().string()) + "-rerun";
  rerun.experiment.title =
      fmt::format("{} of {} once more", id.empty() ? "the runs" : "run " + id, visible(file));
  const std::string plugins = plugin_options(results.root());
  const std::string source =
      fmt::format("results '{}'{}{}", file, plugins.empty() ? "" : ", made with", plugins);
  std::vector<std::string> ids;
  for (const RecordedRun& run : results.runs()) {
    ids.push_back(run.id());
    if (!id.empty() && run.id() != id) continue;
    const std::string where = fmt::format("{}: run {}", source, run.id());
    with_context(where, [&] {
      rerun.experiment.cases.push_back({RecordedSettings(catalog, run, where, rerun.notes).settings()});
      rerun.meshes.push_back({run.group().text("mesh", ""), run.group().text("files_hash", ""), where});
    });
  }
  if (rerun.experiment.cases.empty())
    throw Error(ids.empty() ? fmt::format("results '{}': the file contains no runs", file)
                            : fmt::format("--run: results '{}' contain no run '{}'; runs: {} to {}", file, id,
                                          ids.front(), ids.back()));
  return rerun;
}

void check_meshes(const Catalog& catalog, const Rerun& rerun) {
  Surfaces surfaces(catalog);
  for (std::size_t i = 0; i < rerun.meshes.size(); ++i) {
    const Rerun::Meshes& before = rerun.meshes[i];
    Experiment one;
    one.cases = {rerun.experiment.cases[i]};
    const RunConfiguration c = expand(catalog, one).front().configuration;
    with_context(before.where, [&] {
      if (before.mesh.empty()) return;
      if (const std::string now = mesh_hash(surfaces.get(c)); now != before.mesh)
        throw Error(fmt::format("mesh '{}' has changed since it was recorded: its hash is {}, not {}", c.mesh,
                                now, before.mesh));
      if (!before.files.empty() && before.files != files_hash(catalog, c))
        throw Error("the files of its motion or its fields have changed since they were recorded");
    });
  }
}

}  // namespace shoal
