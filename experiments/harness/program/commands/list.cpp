// `shoal list`: scenes, meshes, schemes, integrators, solvers, compatible pairs, and available experiments.
#include "experiments/harness/program/commands/list.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/entry.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "solvers/shallow_water.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

/// The entries of one kind, in the order of display.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// The properties that every list shows, and `more`.
struct Item {
  std::string name;
  std::string summary;
  ParameterInfos parameters = {};
  Facts more = {};
  std::string before_parameters = "--param ";
  std::string group = "";  ///< a name that shows all of its items
};

Json to_json(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  return std::get<std::string>(value);
}

Json bound(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const ParameterInfo& info) {
  Json json = {{"name", info.name},      {"unit", info.unit},      {"default", to_json(info.fallback)},
               {"min", bound(info.min)}, {"max", bound(info.max)}, {"meaning", info.meaning}};
  if (!info.choices.empty()) json["choices"] = info.choices;
  return json;
}

Json to_json(const Item& item) {
  Json json = {{"name", item.name}, {"summary", item.summary}, {"parameters", Json::array()}};
  for (const ParameterInfo& info : item.parameters) json["parameters"].push_back(to_json(info));
  for (const auto& [key, value] : item.more) json[key] = value;
  return json;
}

std::string spaced(std::string key) {
  std::ranges::replace(key, '_', ' ');
  return key;
}

std::string allowed(const ParameterInfo& info) {
  if (!info.choices.empty()) return join(info.choices, " | ");
  if (std::holds_alternative<std::string>(info.fallback)) return "";
  if (!std::isfinite(info.min) && !std::isfinite(info.max)) return "any";
  if (!std::isfinite(info.max)) return fmt::format(">= {:g}", info.min);
  if (!std::isfinite(info.min)) return fmt::format("<= {:g}", info.max);
  return fmt::format("{:g} .. {:g}", info.min, info.max);
}

std::string to_text(const Item& item) {
  std::string text = fmt::format("{}\n    {}\n", item.name, item.summary);
  for (const auto& [key, value] : item.more)
    if (!value.empty()) text += fmt::format("    {}: {}\n", spaced(key), value);
  for (const ParameterInfo& info : item.parameters) {
    const std::string fallback = to_string(info.fallback);
    const std::string unit = info.unit.empty() || info.unit == "1" ? "" : " " + info.unit;
    const std::string range = allowed(info);
    text += fmt::format("    {}{}={}{}{}\n        {}\n", item.before_parameters, info.name,
                        fallback.empty() ? "..." : fallback, unit, range.empty() ? "" : "  (" + range + ")",
                        info.meaning);
  }
  return text;
}

/// The path of the picture in a checkout; otherwise the command that draws one.
std::string picture_of(const SceneEntry& scene) {
  const std::filesystem::path picture = "results/scenes/" + scene.name + ".png";
  return std::filesystem::exists(picture)
             ? picture.string()
             : fmt::format("draw one with shoal-app {} --headless --frames 1 --png DIR", scene.name);
}

template <class Entries, class FactsOf>
std::vector<Item> items_of(const Entries& entries, const FactsOf& facts) {
  std::vector<Item> items;
  for (const auto& entry : entries) {
    items.push_back({.name = entry.name, .summary = entry.summary, .more = facts(entry)});
    if constexpr (requires { entry.parameters; }) items.back().parameters = entry.parameters;
  }
  return items;
}

template <class Entries>
std::vector<Item> items_of(const Entries& entries) {
  return items_of(entries, [](const auto&) { return Facts(); });
}

Facts facts_of(const SceneEntry& scene) {
  std::vector<std::string> defaults;
  for (const auto& [name, value] : scene.defaults) defaults.push_back(name + "=" + to_string(value));
  return {{"source", scene.source},
          {"picture", picture_of(scene)},
          {"mesh", scene.default_mesh},
          {"motion", scene.default_motion},
          {"advection", scene.default_advection},
          {"dt", scene.default_dt > 0 ? fmt::format("{:.6g} s", scene.default_dt) : "auto"},
          {"other_defaults", join(defaults)}};
}

/// Adds what a scene's entry does not hold: the end and the snapshots, unless the default surface does not suit the scene, and the
/// spectral solution with which runs of the scenes on a planet can be compared.
void complete(const Catalog& catalog, Item& scene) {
  const SceneEntry& entry = catalog.scenes.find(scene.name);
  try {
    const RunConfiguration run =
        expand(catalog, parse_experiment(fmt::format("scene = '{}'\n", entry.name), "list"))
            .front()
            .configuration;
    const Surface surface = load_surface(catalog, run);
    const SceneInstance instance =
        make_scene(entry, surface, make_geometry(surface.mesh, surface.x), parameters_of(catalog, run));
    scene.more.emplace_back("end", fmt::format("{:.10g} s", instance.end));
    if (const std::vector<double>& times = instance.sample_times; !times.empty())
      scene.more.emplace_back("snapshots", fmt::format("{:.10g} s", fmt::join(times, ", ")));
  } catch (const Error&) {
  }
  const auto has = [&](const char* name) {
    return std::ranges::any_of(entry.parameters, [&](const auto& info) { return info.name == name; });
  };
  if (has("radius") && has("coriolis"))
    for (const ParameterInfo& info : describe_options<SolutionFileOptions>())
      scene.parameters.push_back(info);
}

std::vector<Item> mesh_items() {
  std::vector<Item> items = items_of(mesh_families(), [](const MeshFamily& family) {
    return Facts{{"usage", family.usage}};
  });
  items.push_back(
      {.name = "file",
       .summary = "a file: " + join(mesh_extensions()) + "; see discretizations/mesh/formats/files.md",
       .more = {{"usage", "PATH, e.g. bunny.obj"}}});
  return items;
}

/// A small one.
Surface surface_for(const DiscretizationEntry& scheme) {
  return load_surface(scheme.square_cells ? "rectangle:3x3:structured" : "icosphere:1");
}

/// "velocity (m/s, 3 components, faces), …"; "" for a scheme that refuses these surfaces.
std::string outputs_of(const DiscretizationEntry& scheme) try {
  const Surface surface = surface_for(scheme);
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const auto flat = [](const Vector3&) { return 1.0; };
  const auto discretization = scheme.make(surface.mesh, geometry, flat, Parameters(scheme.parameters, {}));
  std::vector<std::string> outputs;
  for (const OutputInfo& output : discretization->outputs()) {
    const std::string place = output.location == Location::vertex ? "vertices"
                              : output.location == Location::edge ? "edges"
                              : output.location == Location::face ? "faces"
                                                                  : "whole";
    const std::string size = output.components == 1 ? "" : fmt::format("{} components, ", output.components);
    outputs.push_back(fmt::format("{} ({}, {}{})", output.name, output.unit, size, place));
  }
  return join(outputs);
} catch (const Error&) {
  return "";
}

Facts facts_of(const DiscretizationEntry& scheme) {
  std::vector<std::string> offers;
  for (const Offer& offer : scheme.offers) offers.push_back(offer.capability);
  const auto& limit = scheme.order_limit;
  return {
      {"offers", join(offers)},
      {"terms", to_string(scheme.terms)},
      {"inseparable_terms", to_string(scheme.inseparable)},
      {"depths_stay_positive", scheme.positive ? "up to the stable step" : ""},
      {"order_in_time", limit.reason.empty() ? "" : fmt::format("{} at most: {}", limit.order, limit.reason)},
      {"outputs", outputs_of(scheme)}};
}

std::vector<Item> integrator_items(const Catalog& catalog) {
  std::vector<Item> items = items_of(catalog.integrators, [&](const IntegratorEntry& integrator) {
    return Facts{
        {"substeps", integrator.default_substeps > 0
                         ? fmt::format("{} by default", integrator.default_substeps)
                         : "none"},
        {"order", std::to_string(integrator.claims.order)},
        {"implicit_terms", to_string(integrator.implicit_terms)},
        {"explicit_terms", to_string(integrator.explicit_terms)},
        {"linear_solver", integrator.uses_linear_solver ? catalog.linear_solvers.front().name : "none"}};
  });
  for (Item& item : items)
    for (const ParameterInfo& info : shallow_water_parameters(catalog.integrators.find(item.name)))
      item.parameters.push_back(info);
  return items;
}

Facts facts_of(const SplittingEntry& splitting) {
  return {{"order", splitting.splits ? std::to_string(splitting.order) : "as the integrator"}};
}

Facts facts_of(const BoundaryKindEntry& kind) {
  std::vector<std::string> units;
  for (const BoundaryKindEntry::Value& value : kind.values) units.push_back(value.unit);
  return {{"written", kind.written()},
          {"unit", join(units)},
          {"in_time", units.empty() ? "" : "each value may be a list T:VALUE,T:VALUE,..."}};
}

std::vector<Item> input_items() {
  std::vector<Item> items = items_of(input_kinds(), [](const InputKind& kind) {
    return Facts{{"written", "TIME " + kind.name + " NAME=VALUE …"}};
  });
  for (Item& item : items) item.before_parameters = "";
  return items;
}

/// Small runs with a rotating frame and a solution, a surface that moves, dry land, bodies, a mode, and several parts.
std::vector<std::string> probes(const Catalog& catalog) {
  std::vector<std::string> texts = {
      "scene = 'eigenmode'\nmesh = 'icosphere:1'\nintegrator = 'newmark'\n",
      "scene = 'ball-drop'\nmesh = 'icosphere:1'\n", "scene = 'fill-shape'\nmesh = 'icosphere:1'\n",
      "scene = 'pulsating-ellipsoid'\nmesh = 'icosphere:1'\nintegrator = ['newmark', 'ssprk3']\n",
      "scene = 'rest'\nmesh = 'letters:600'\n"};
  for (const DiscretizationEntry& scheme : catalog.discretizations)
    for (const char* scene : {"williamson-2", "fill-shape"})
      texts.push_back(
          fmt::format("scene = '{}'\nmesh = 'icosphere:1'\ndiscretization = '{}'\n", scene, scheme.name));
  return texts;
}

/// The name with BODY or REGION instead of the scene's name.
std::string general_name(std::string name, const Simulation& simulation) {
  const World& world = simulation.world();
  for (Index i = 0; i < world.entrances().size(); ++i)
    if (const std::string& body = world.entrances()[i].body.name; name.starts_with(body + "_"))
      name.replace(0, body.size(), "BODY");
  for (const Region& region : simulation.scene().regions)
    if (name == "wet_" + region.name) name = "wet_REGION";
  return name;
}

/// All quantities that diagnostics can record, each once, in the order of the list of diagnostics. They are collected from the
/// probes, which together cover every kind of diagnostic. Names chosen by a scene or its bodies are replaced by BODY or REGION.
/// Each with the name of its entry in the list.
std::vector<std::pair<std::string, Quantity>> known_quantities(const Catalog& catalog) {
  const List<DiagnosticEntry>& entries = catalog.diagnostics;
  std::map<std::string, std::vector<Quantity>> of_entry;
  const auto take = [&](const DiagnosticEntry& entry, const Simulation& simulation) {
    std::vector<Quantity>& known = of_entry[entry.name];
    for (const DiagnosticColumn& column : entry.columns(simulation)) {
      Quantity quantity = column.quantity;
      quantity.name = general_name(std::move(quantity.name), simulation);
      if (std::ranges::none_of(known, [&](const Quantity& one) { return one.name == quantity.name; }))
        known.push_back(std::move(quantity));
    }
  };
  const auto probe = [&](const std::string& text) {
    for (const PlannedRun& run : expand(catalog, parse_experiment(text, "diagnostics.toml"))) {
      if (!run.refusal.empty()) continue;
      const Surface surface = load_surface(catalog, run.configuration);
      const Simulation simulation(catalog, run.configuration, surface);
      for (const DiagnosticEntry& entry : entries) take(entry, simulation);
    }
  };
  for (const std::string& text : probes(catalog)) try {
      probe(text);
    } catch (const Error&) {  // incompatible scheme, possibly of a plugin
    }
  std::vector<std::pair<std::string, Quantity>> all;
  for (const DiagnosticEntry& entry : entries)
    for (Quantity& quantity : of_entry[entry.name]) all.emplace_back(entry.name, std::move(quantity));
  return all;
}

std::vector<Item> diagnostic_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const auto& [entry, quantity] : known_quantities(catalog)) {
    Item item{.name = quantity.name,
              .summary = quantity.meaning,
              .more = {{"unit", quantity.unit == "1" ? "none" : quantity.unit}}};
    if (quantity.components > 1) item.more.emplace_back("components", std::to_string(quantity.components));
    item.group = entry;
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<Item> experiment_items(const Catalog& catalog, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(folder))
    throw Error(fmt::format("list experiments: there is no folder '{}' here; use --folder", folder.string()));
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml" && entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Item> items;
  for (const fs::path& path : files) {
    const Experiment experiment = read_experiment(path);
    items.push_back(
        {.name = experiment.name,
         .summary = experiment.title,
         .more = {{"file", path.string()}, {"runs", std::to_string(expand(catalog, experiment).size())}}});
  }
  return items;
}

/// The options of scheme and integrator with their defaults.
Parameters defaults(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  Parameters options(scheme.parameters, {});
  options.merge(Parameters(integrator.parameters, {}));
  return options;
}

/// "SCHEME: of order 2 in time with A (3 by itself): …", one line; "" if the scheme limits no integrator.
std::string limited_orders(const Catalog& catalog, const DiscretizationEntry& scheme) {
  std::vector<std::string> limited;
  for (const IntegratorEntry& integrator : catalog.integrators)
    if (integrator.claims.order > scheme.order_limit.order &&
        integrator.incompatibility(scheme, defaults(scheme, integrator)).empty())
      limited.push_back(fmt::format("{} (otherwise {})", integrator.name, integrator.claims.order));
  if (limited.empty()) return "";
  return fmt::format("{}: order {} in time with {}: {}\n", scheme.name, scheme.order_limit.order,
                     join(limited), scheme.order_limit.reason);
}

/// Why a scheme and an integrator are incompatible, or do not support dry land; "" if they do.
struct Pair {
  Pair(const DiscretizationEntry& scheme, const IntegratorEntry& integrator)
      : reason(integrator.incompatibility(scheme, defaults(scheme, integrator))),
        on_dry_land(reason.empty() ? unfit_for_dry_land(scheme, integrator) : reason) {}
  std::string reason, on_dry_land;
};

/// What several processes need for a pair that is possible.
struct Sharing {
  Sharing(const DiscretizationEntry& scheme, const IntegratorEntry& integrator)
      : reason(part_incompatibility(scheme)),
        layers(layers_of_step(with_parameters({.discretization = scheme,
                                               .integrator = integrator,
                                               .substeps = std::max(1, integrator.default_substeps)}),
                              {})) {}
  std::string reason;  ///< why parts of a surface are refused, or ""
  int layers;          ///< of triangles around those of a process
};

Json compatibility_as_json(const Catalog& catalog) {
  Json all = Json::array();
  for (const DiscretizationEntry& scheme : catalog.discretizations)
    for (const IntegratorEntry& integrator : catalog.integrators) {
      const Pair pair(scheme, integrator);
      const bool possible = pair.reason.empty();
      const std::optional<Sharing> sharing =
          possible ? std::optional<Sharing>({scheme, integrator}) : std::nullopt;
      const bool shared = sharing && sharing->reason.empty();
      all.push_back({{"name", scheme.name + " " + integrator.name},
                     {"summary", possible ? "possible" : pair.reason},
                     {"parameters", Json::array()},
                     {"discretization", scheme.name},
                     {"integrator", integrator.name},
                     {"possible", possible},
                     {"reason", pair.reason},
                     {"dry_land", pair.on_dry_land.empty()},
                     {"dry_land_reason", pair.on_dry_land},
                     {"ranks", shared},
                     {"ranks_reason", sharing ? sharing->reason : pair.reason},
                     {"layers", shared ? Json(sharing->layers) : Json()},
                     {"order", possible ? Json(claims_of(scheme, integrator).order) : Json()}});
    }
  return all;
}

/// The layers of each pair that several processes can share, and why they cannot share others.
std::string sharing_table(const Catalog& catalog, std::size_t width) {
  std::string
      text = "\nseveral processes (mpirun): layers of triangles around those of each, without advection\n",
      reasons;
  for (const DiscretizationEntry& scheme : catalog.discretizations) {
    std::string row = fmt::format("{:<{}}", scheme.name, width);
    for (const IntegratorEntry& integrator : catalog.integrators) {
      std::string word = "-";
      if (Pair(scheme, integrator).reason.empty()) {
        const Sharing sharing(scheme, integrator);
        word = sharing.reason.empty() ? std::to_string(sharing.layers) : "no";
        if (!sharing.reason.empty() && reasons.find(sharing.reason) == std::string::npos)
          reasons += sharing.reason + "\n";
      }
      row += fmt::format("  {:<{}}", word, integrator.name.size());
    }
    text += row.erase(row.find_last_not_of(' ') + 1) + "\n";
  }
  return reasons.empty() ? text : text + "\n" + reasons;
}

std::string compatibility(const Catalog& catalog, bool ranks) {
  std::size_t width = 0;
  for (const DiscretizationEntry& scheme : catalog.discretizations)
    width = std::max(width, scheme.name.size());
  std::string text = std::string(width, ' '), dry = "\ndry land\n", reasons, dry_reasons, limits;
  for (const IntegratorEntry& integrator : catalog.integrators) text += "  " + integrator.name;
  for (const DiscretizationEntry& scheme : catalog.discretizations) {
    std::string row = fmt::format("{:<{}}", scheme.name, width), dry_row = row;
    for (const IntegratorEntry& integrator : catalog.integrators) {
      const Pair pair(scheme, integrator);
      const bool possible = pair.reason.empty();
      const auto add = [&](std::string& to, const char* word) {
        to += fmt::format("  {:<{}}", word, integrator.name.size());
      };
      add(row, possible ? "yes" : "-");
      add(dry_row, !possible ? "-" : pair.on_dry_land.empty() ? "yes" : "no");
      if (!possible)
        reasons += fmt::format("{} with {}: {}\n", scheme.name, integrator.name, pair.reason);
      else if (!pair.on_dry_land.empty())
        dry_reasons +=
            fmt::format("{} with {} on dry land: {}\n", scheme.name, integrator.name, pair.on_dry_land);
    }
    text += "\n" + row.erase(row.find_last_not_of(' ') + 1);
    dry += dry_row.erase(dry_row.find_last_not_of(' ') + 1) + "\n";
    limits += limited_orders(catalog, scheme);
  }
  text += "\n" + dry;
  for (const std::string& part : {reasons, dry_reasons, limits})
    if (!part.empty()) text += "\n" + part;
  return ranks ? text + sharing_table(catalog, width) : text;
}

struct Kind {
  std::string name, summary;
  std::function<std::vector<Item>(const Catalog&, const std::filesystem::path& folder)> items;
};

const std::vector<Kind>& kinds() {
  constexpr auto facts = [](const auto& entry) { return facts_of(entry); };
  using Folder = const std::filesystem::path&;
  static const std::vector<Kind> all = {
      {"scenes", "problems: surface, initial state, forces and, if known, the exact solution",
       [=](const Catalog& c, Folder) { return items_of(c.scenes, facts); }},
      {"meshes", "generated surfaces and supported file formats",
       [](const Catalog&, Folder) { return mesh_items(); }},
      {"discretizations", "spatial schemes",
       [=](const Catalog& c, Folder) { return items_of(c.discretizations, facts); }},
      {"integrators", "time integrators", [](const Catalog& c, Folder) { return integrator_items(c); }},
      {"linear-solvers", "linear solvers of implicit integrators",
       [](const Catalog& c, Folder) { return items_of(c.linear_solvers); }},
      {"advections", "advection of the velocity, for schemes without their own",
       [](const Catalog& c, Folder) { return items_of(c.advections); }},
      {"splittings", "coupling of transport, rotation and friction to the integrator",
       [=](const Catalog& c, Folder) { return items_of(c.splittings, facts); }},
      {"motions", "motions of the surface", [](const Catalog& c, Folder) { return items_of(c.motions); }},
      {"boundaries", "boundary conditions",
       [=](const Catalog&, Folder) { return items_of(boundary_kinds(), facts); }},
      {"inputs", "events that can be applied during a run",
       [](const Catalog&, Folder) { return input_items(); }},
      {"diagnostics", "quantities recorded during a run, available as columns of 'table'",
       [](const Catalog& c, Folder) { return diagnostic_items(c); }},
      {"compatibility", "compatible pairs of discretization and integrator, with reasons for the others", {}},
      {"experiments", "the experiment files in a folder", experiment_items},
  };
  return all;
}

std::string one_line_each(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::size_t width = 0;
  for (const auto& [name, summary] : lines) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, summary] : lines) text += fmt::format("{:<{}}  {}\n", name, width, summary);
  return text;
}

/// A sentence that explains the name; "" if it is unknown.
std::string whereabouts(const Catalog& catalog, const std::string& name,
                        const std::filesystem::path& folder) {
  for (const Kind& kind : kinds()) {
    if (!kind.items || (kind.name == "experiments" && !std::filesystem::is_directory(folder))) continue;
    for (const Item& item : kind.items(catalog, folder))
      if (item.name == name)
        return fmt::format("; '{0}' is one of the {1}, see list {1} {0}", name, kind.name);
  }
  return "";
}

const Kind& find_kind(const Catalog& catalog, const ListRequest& request) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    if (kind.name == request.kind) return kind;
    names.push_back(kind.name);
  }
  const std::string near = did_you_mean(request.kind, names);
  throw Error(fmt::format("list: '{}' is not one of {}{}", request.kind, join(names),
                          near.empty() ? whereabouts(catalog, request.kind, request.folder) : near));
}

std::vector<Item> chosen(const Catalog& catalog, const Kind& kind, const ListRequest& request) {
  std::vector<Item> items = kind.items(catalog, request.folder);
  if (request.name.empty()) return items;
  std::vector<std::string> names;
  for (Item& item : items) {
    if (item.name == request.name) {
      if (kind.name == "scenes") complete(catalog, item);
      return {std::move(item)};
    }
    names.push_back(item.name);
  }
  std::vector<Item> group;
  std::ranges::copy_if(items, std::back_inserter(group),
                       [&](const Item& item) { return item.group == request.name; });
  if (!group.empty()) return group;
  const std::string near = did_you_mean(request.name, names);
  throw Error(fmt::format("list {}: there is no '{}'{}", kind.name, request.name,
                          near.empty() ? whereabouts(catalog, request.name, request.folder) : near));
}

}  // namespace

std::vector<std::string> list_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

std::string make_list(const Catalog& catalog, const ListRequest& request) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (request.kind.empty()) {
    Json all = Json::array();
    for (const Kind& kind : kinds()) {
      lines.emplace_back(kind.name, kind.summary);
      all.push_back(to_json(Item{kind.name, kind.summary}));
    }
    if (request.json) return all.dump(2) + "\n";
    return one_line_each(lines) +
           "\n`list KIND` shows the entries of a kind, `list KIND NAME` one with its parameters.\n";
  }
  const Kind& kind = find_kind(catalog, request);
  if (!kind.items) {
    if (!request.name.empty()) throw Error(fmt::format("list {}: takes no name", kind.name));
    return request.json ? compatibility_as_json(catalog).dump(2) + "\n"
                        : compatibility(catalog, request.ranks);
  }
  if (request.ranks) throw Error("--ranks: only for `list compatibility`");
  const std::vector<Item> items = chosen(catalog, kind, request);
  if (request.json) {
    Json all = Json::array();
    for (const Item& item : items) all.push_back(to_json(item));
    return all.dump(2) + "\n";
  }
  if (!request.name.empty()) {
    std::string text;
    for (const Item& item : items) text += to_text(item);
    return text;
  }
  for (const Item& item : items) lines.emplace_back(item.name, item.summary);
  return one_line_each(lines) + fmt::format("\n`list {} {}` shows one with its parameters.\n", kind.name,
                                            items.empty() ? "NAME" : items.front().name);
}

Command list_command(Program& program) {
  const auto request = std::make_shared<ListRequest>();
  CLI::App& app = add_command(program, "list", "list scenes, meshes, schemes …, with their parameters",
                              example(program, "list scenes sphere-bump"));
  add_optional_argument(app, "KIND", request->kind, "scenes, meshes …; without KIND, the kinds are listed");
  add_optional_argument(app, "NAME", request->name,
                        "show this entry in full, or all columns of this diagnostic");
  add_flag(app, "--json", request->json, "print a JSON array");
  add_flag(app, "--ranks", request->ranks,
           "with 'compatibility': what several processes of mpirun can share");
  add_option(app, "--folder", request->folder, "DIR", "folder of experiments; default experiments");
  return {&app, [&program, request] {
            print(make_list(program.catalog, *request));
            return 0;
          }};
}

}  // namespace shoal
