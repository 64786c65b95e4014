#include "reference/session/plan_to_play.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/results/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace shoal {
namespace {

/// Defaults of Angst 2007, table C.2: the limit of external accelerations, the smoothing of the inertia and of aₙ. On a surface moved only by
/// hand, velocities are carried as there, so that dragging acts on the water only through these accelerations.
void set_drag_defaults(const Catalog& catalog, RunConfiguration& c) {
  const auto declares = [](const ParameterInfos& infos, const std::string& name) {
    return std::any_of(infos.begin(), infos.end(),
                       [&](const ParameterInfo& info) { return info.name == name; });
  };
  if (declares(catalog.scenes.find(c.scene).parameters, "inertia")) return;  // the scene moves the surface
  std::vector<std::pair<const char*, Value>> defaults = {
      {"acceleration_limit", 4.0}, {"inertia_smoothing", 0.5}, {"normal_smoothing", 0.5}};
  if (c.motion == "none") {
    defaults.emplace_back("inertia", "on");
    defaults.emplace_back("carried_velocity", "barycentric");
  }
  const ParameterInfos declared = declared_parameters(catalog, c);
  for (const auto& [name, value] : defaults)
    if (declares(declared, name)) c.parameters.emplace(name, value);
}

}  // namespace

PlannedRun plan_to_play(const Catalog& catalog, const Experiment& experiment) {
  const auto given = [&](const char* key) {
    return std::any_of(experiment.settings.begin(), experiment.settings.end(),
                       [&](const Setting& one) { return one.key == key; });
  };
  Experiment open = experiment;
  if (!given("inputs")) open.settings.push_back({"inputs", false, {no_inputs}, "inputs"});
  if (!given("advection")) try {
      Experiment carried = open;
      carried.settings.push_back({"advection", false, {"semi-lagrangian"}, "advection"});
      if (PlannedRun planned = expand(catalog, carried).front(); planned.refusal.empty()) {
        set_drag_defaults(catalog, planned.configuration);
        return planned;
      }
    } catch (const Error&) {  // tried again below as written
    }
  PlannedRun planned = expand(catalog, open).front();
  if (planned.refusal.empty()) set_drag_defaults(catalog, planned.configuration);
  return planned;
}

void fit_to_model(const Catalog& catalog, Experiment& experiment) {
  constexpr double depth_of_model = 0.1, amplitude_of_model = 0.02,
                   width_of_model = 0.1;  // of its longest side
  const auto open = [&](const std::string& key) {
    return std::none_of(experiment.settings.begin(), experiment.settings.end(),
                        [&](const Setting& setting) { return setting.key == key; });
  };
  const PlannedRun planned = expand(catalog, experiment).front();
  double size = 0;
  try {
    const Surface surface = load_surface(catalog, planned.configuration);
    size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).maxCoeff();
  } catch (...) {
    return;  // the simulation loads it again and reports the error, in the window if there is one
  }
  for (const auto& [name, part] :
       {std::pair("depth", depth_of_model), std::pair("amplitude", amplitude_of_model),
        std::pair("width", width_of_model)})
    if (open(name))
      experiment.settings.push_back({name, true, {fmt::format("{:.3g}", part * size)}, "MODEL"});
  const bool has_substeps = catalog.integrators.find(planned.configuration.integrator).default_substeps > 0;
  if (has_substeps && open("substeps"))
    experiment.settings.push_back({"substeps", false, {std::string("auto")}, "MODEL"});
}

PlannedRun run_of_experiment(const Catalog& catalog, const std::string& file, const std::string& id) {
  const Experiment experiment = read_experiment(file);
  if (experiment.frontier) throw Error(fmt::format("'{}' contains a frontier, not runs", file));
  const std::vector<PlannedRun> runs = expand(catalog, experiment);
  const std::string wanted = id.empty() ? run_id(std::size_t{0}) : run_id(id);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (run_id(i) == wanted) return runs[i];
  throw Error(
      fmt::format("--run: '{}' has no run {}; its last is {}", file, wanted, run_id(runs.size() - 1)));
}

std::vector<std::string> files_to_show(const std::string& folder) {
  std::vector<std::string> extensions = mesh_extensions(), names;
  extensions.insert(extensions.end(), {".h5", ".toml"});
  std::error_code failure;
  for (std::filesystem::directory_iterator it(folder.empty() ? "." : folder, failure), end;
       !failure && it != end; it.increment(failure)) {
    const std::filesystem::path path = it->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.')) continue;
    if (it->is_directory(ignored))
      names.push_back(path.filename().string() + "/");
    else if (std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end())
      names.push_back(path.filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::variant<RunConfiguration, Recording> subject_of_file(const Catalog& catalog, const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension();
  if (extension == ".h5") return Recording{file, ""};
  PlannedRun planned;
  if (extension == ".toml") {
    planned = run_of_experiment(catalog, file, "");
  } else {
    const std::vector<std::string>& meshes = mesh_extensions();
    if (std::find(meshes.begin(), meshes.end(), extension) == meshes.end())
      throw Error(fmt::format("'{}' is neither results (.h5) nor an experiment (.toml) nor a mesh ({})", file,
                              join(meshes)));
    Experiment experiment;
    experiment.name = "window";
    experiment.settings = {{"scene", false, {std::string(model_scene)}, "scene"},
                           {"mesh", false, {file}, "MODEL"}};
    fit_to_model(catalog, experiment);
    planned = plan_to_play(catalog, experiment);
  }
  if (!planned.refusal.empty()) throw Refusal(planned.refusal);
  return planned.configuration;
}

}  // namespace shoal
