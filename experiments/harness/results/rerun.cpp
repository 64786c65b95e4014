// From the attributes of recorded runs back to an experiment.
#include "experiments/harness/results/rerun.hpp"

#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shoal {
namespace {

Value to_value(const hdf5::Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&attribute)) return static_cast<double>(*integer);
  return std::get<double>(attribute);
}

/// Builds the settings of one run.
class RecordedSettings {
 public:
  RecordedSettings(const Catalog& catalog, const RecordedRun& run, std::vector<std::string>& notes)
      : catalog_(catalog), run_(run.group()), id_(run.id()), notes_(notes) {
    c_.scene = run_.text("scene");
    c_.discretization = run_.text("discretization");
    c_.integrator = run_.text("integrator");
    c_.mesh = run_.text("mesh_name");
    for (const char* key : {"scene", "discretization", "integrator"}) add(key);
    if (run_.text("linear_solver") != "none") {
      c_.linear_solver = run_.text("linear_solver");
      add("linear_solver");
    }
    c_.advection = run_.text("advection");
    if (!catalog_.discretizations.find(c_.discretization).transports_momentum()) add("advection");
    // Earlier files were all split as `lie` is.
    c_.splitting = run_.has_attribute("splitting") ? run_.text("splitting") : "lie";
    if (catalog_.integrators.find(c_.integrator).carries_velocity) give("splitting", c_.splitting);
    give("mesh", c_.mesh);
    if (run_.has_attribute("motion")) {
      c_.motion = run_.text("motion");
      add("motion");
    }
    if (run_.has_attribute("boundaries")) {
      c_.boundaries = run_.text("boundaries");
      add("boundaries");
    }
    add_steps();
    if (run_.has_attribute("snapshots") && !run_.text("snapshots").empty()) add("snapshots");
    give("diagnostics", static_cast<double>(run_.integer("diagnostics_every")));
    add("threads");
    if (catalog_.motions.find(c_.motion).random) add("seed");
    add_parameters();
  }

  const std::vector<Setting>& settings() const { return settings_; }

  void check_mesh() const {
    if (!run_.has_attribute("mesh")) return;
    const std::string recorded = run_.text("mesh"), now = mesh_hash(load_surface(catalog_, c_));
    if (now != recorded)
      throw Error(fmt::format("mesh '{}' is not the one that was recorded: its hash is {}, not {}", c_.mesh,
                              now, recorded));
    if (run_.has_attribute("motion_hash") && run_.text("motion_hash") != motion_hash(catalog_, c_))
      throw Error(fmt::format("the files of motion = {} are not those that were recorded", c_.motion));
  }

 private:
  void give(const std::string& key, const Value& value, bool is_parameter = false) {
    settings_.push_back({key, is_parameter, {value}, fmt::format("run {}: {}", id_, key)});
  }
  void add(const std::string& key) { give(key, to_value(run_.attribute(key))); }

  void add_steps() {
    const bool has_dt = run_.has_attribute("dt"), has_substeps = run_.has_attribute("substeps");
    if (has_dt) c_.dt = run_.number("dt");
    give("dt", has_dt ? Value(*c_.dt) : Value("auto"));
    if (has_substeps) c_.substeps = static_cast<int>(run_.integer("substeps"));
    if (catalog_.integrators.find(c_.integrator).default_substeps > 0)
      give("substeps", has_substeps ? Value(static_cast<double>(*c_.substeps)) : Value("auto"));
    if (run_.has_attribute("t_end")) give("end", run_.number("t_end"));
  }

  void add_parameters() {
    const std::vector<std::string> recorded = run_.has_attribute("parameters")
                                                  ? split_at_commas(run_.text("parameters"))
                                                  : std::vector<std::string>{};
    std::set<std::string> known;
    for (const ParameterInfo& info : declared_parameters(catalog_, c_)) {
      known.insert(info.name);
      if (!run_.has_attribute(info.name)) {
        notes_.push_back(
            fmt::format("note: run {} does not record '{}', which this version has: its default is taken",
                        id_, info.name));
        continue;
      }
      const Value value = to_value(run_.attribute(info.name));
      c_.parameters[info.name] = value;
      give(info.name, value, true);
    }
    for (const std::string& name : recorded)
      if (!name.empty() && !known.count(name) &&
          name != "safety")  // by which dt was chosen, that is given now
        throw Error(fmt::format("this version does not know its parameter '{}'", name));
  }

  const Catalog& catalog_;
  const hdf5::Group& run_;
  std::string id_;
  std::vector<std::string>& notes_;
  RunConfiguration c_;
  std::vector<Setting> settings_;
};

}  // namespace

Rerun make_rerun(const Catalog& catalog, const Results& results, const std::string& file,
                 const std::string& id) {
  for (const char* other : {"spectrum", "frontier"})
    if (results.root().has(other))
      throw Error(
          fmt::format("results '{}': the file holds a {}, which 'shoal {}' computes again; its command "
                      "line: {}",
                      file, other, other, results.root().text("command")));
  Rerun rerun;
  rerun.experiment.name = std::filesystem::path(file).stem().string() + "-rerun";
  rerun.experiment.title = fmt::format("{} of {} once more", id.empty() ? "the runs" : "run " + id, file);
  const std::string plugins = plugin_options(results.root());
  const std::string source =
      fmt::format("results '{}'{}{}", file, plugins.empty() ? "" : ", made with", plugins);
  std::vector<std::string> ids;
  for (const RecordedRun& run : results.runs()) {
    ids.push_back(run.id());
    if (!id.empty() && run.id() != id) continue;
    with_context(fmt::format("{}: run {}", source, run.id()), [&] {
      const RecordedSettings recorded(catalog, run, rerun.notes);
      recorded.check_mesh();
      rerun.experiment.cases.push_back({recorded.settings()});
    });
  }
  if (rerun.experiment.cases.empty())
    throw Error(ids.empty() ? fmt::format("results '{}': the file holds no runs", file)
                            : fmt::format("--run: results '{}' hold no run '{}': they go from {} to {}", file,
                                          id, ids.front(), ids.back()));
  return rerun;
}

}  // namespace shoal
