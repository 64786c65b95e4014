// `shoal list`: scenes, meshes, schemes, integrators, solvers, compatible pairs, and the experiments at hand.
#include "experiments/harness/program/commands/list.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/program/commands/known_quantities.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "solvers/shallow_water.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

/// What every list has of an entry; `more` are facts of one kind, shown in this order.
struct Item {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::vector<std::pair<std::string, std::string>> more;
  std::string before_parameters = "--param ";
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

/// Where it lies in a checkout; else how one is drawn.
std::string picture_of(const SceneEntry& scene) {
  const std::filesystem::path picture = "results/scenes/" + scene.name + ".png";
  return std::filesystem::exists(picture)
             ? picture.string()
             : fmt::format("shoal-app {} --headless --frames 1 --png DIR draws one", scene.name);
}

std::vector<Item> scene_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const SceneEntry& scene : catalog.scenes) {
    std::vector<std::string> defaults;
    for (const auto& [name, value] : scene.defaults) defaults.push_back(name + "=" + to_string(value));
    items.push_back({scene.name,
                     scene.summary,
                     scene.parameters,
                     {{"source", scene.source},
                      {"picture", picture_of(scene)},
                      {"mesh", scene.default_mesh},
                      {"motion", scene.default_motion},
                      {"advection", scene.default_advection},
                      {"dt", scene.default_dt > 0 ? fmt::format("{:.6g} s", scene.default_dt) : "auto"},
                      {"other_defaults", join(defaults)}}});
  }
  return items;
}

std::vector<Item> mesh_items() {
  std::vector<Item> items;
  for (const MeshFamily& family : mesh_families())
    items.push_back({family.name, family.summary, {}, {{"usage", family.usage}}});
  items.push_back({"file",
                   "a file: " + join(mesh_extensions()) +
                       "; discretizations/mesh/formats/files.md says how they are read",
                   {},
                   {{"usage", "PATH, as bunny.obj"}}});
  return items;
}

std::vector<Item> discretization_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const DiscretizationEntry& scheme : catalog.discretizations) {
    std::vector<std::string> offers;
    for (const Offer& offer : scheme.offers) offers.push_back(offer.capability);
    items.push_back({scheme.name,
                     scheme.summary,
                     scheme.parameters,
                     {{"offers", join(offers)},
                      {"terms", to_string(scheme.terms)},
                      {"terms_of_one_flux", to_string(scheme.inseparable)},
                      {"depths_stay_positive", scheme.positive ? "up to the stable step" : ""},
                      {"order_in_time", scheme.order_limit.reason.empty()
                                            ? ""
                                            : fmt::format("{} at most: {}", scheme.order_limit.order,
                                                          scheme.order_limit.reason)}}});
  }
  return items;
}

std::vector<Item> integrator_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const IntegratorEntry& integrator : catalog.integrators) {
    ParameterInfos parameters = integrator.parameters;
    for (const ParameterInfo& info : shallow_water_parameters(integrator)) parameters.push_back(info);
    items.push_back(
        {integrator.name,
         integrator.summary,
         std::move(parameters),
         {{"substeps", integrator.default_substeps > 0
                           ? fmt::format("{} unless --substeps says otherwise", integrator.default_substeps)
                           : "none"},
          {"order", std::to_string(integrator.claims.order)},
          {"implicit_terms", to_string(integrator.implicit_terms)},
          {"explicit_terms", to_string(integrator.explicit_terms)},
          {"linear_solver", integrator.uses_linear_solver ? catalog.linear_solvers.front().name : "none"}}});
  }
  return items;
}

std::vector<Item> linear_solver_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const LinearSolverEntry& solver : catalog.linear_solvers)
    items.push_back({solver.name, solver.summary, solver.parameters, {}});
  return items;
}

std::vector<Item> advection_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const AdvectionEntry& advection : catalog.advections)
    items.push_back({advection.name, advection.summary, advection.parameters, {}});
  return items;
}

std::vector<Item> splitting_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const SplittingEntry& splitting : catalog.splittings)
    items.push_back(
        {splitting.name,
         splitting.summary,
         {},
         {{"order", splitting.splits ? std::to_string(splitting.order) : "that of the integrator"}}});
  return items;
}

std::vector<Item> motion_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const MotionEntry& motion : catalog.motions)
    items.push_back({motion.name, motion.summary, motion.parameters, {}});
  return items;
}

std::vector<Item> boundary_items() {
  std::vector<Item> items;
  for (const BoundaryKindEntry& kind : boundary_kinds()) {
    std::vector<std::string> units;
    for (const BoundaryKindEntry::Value& value : kind.values) units.push_back(value.unit);
    items.push_back({kind.name,
                     kind.summary,
                     {},
                     {{"written", kind.written()},
                      {"unit", join(units)},
                      {"in_time", units.empty() ? "" : "a value may be pairs T:VALUE,T:VALUE,..."}}});
  }
  return items;
}

std::vector<Item> input_items() {
  std::vector<Item> items;
  for (const InputKind& kind : input_kinds())
    items.push_back(
        {kind.name, kind.summary, kind.parameters, {{"written", "TIME " + kind.name + " NAME=VALUE …"}}, ""});
  return items;
}

std::vector<Item> diagnostic_items(const Catalog& catalog) {
  std::vector<Item> items;
  for (const Quantity& quantity : known_quantities(catalog)) {
    Item item{quantity.name, quantity.meaning, {}, {{"unit", quantity.unit == "1" ? "none" : quantity.unit}}};
    if (quantity.components > 1) item.more.emplace_back("components", std::to_string(quantity.components));
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<Item> experiment_items(const Catalog& catalog, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(folder))
    throw Error(
        fmt::format("list experiments: there is no folder '{}' here; --folder names the one to look in",
                    folder.string()));
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml" && entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Item> items;
  for (const fs::path& path : files) {
    const Experiment experiment = read_experiment(path);
    items.push_back(
        {experiment.name,
         experiment.title,
         {},
         {{"file", path.string()}, {"runs", std::to_string(expand(catalog, experiment).size())}}});
  }
  return items;
}

/// The options of both with their defaults.
Parameters defaults(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  Parameters options(scheme.parameters, {});
  options.merge(Parameters(integrator.parameters, {}));
  return options;
}

/// "SCHEME: of order 2 in time with A (3 by itself): …", a line; "" where the scheme limits no integrator.
std::string limited_orders(const Catalog& catalog, const DiscretizationEntry& scheme) {
  std::vector<std::string> limited;
  for (const IntegratorEntry& integrator : catalog.integrators)
    if (integrator.claims.order > scheme.order_limit.order &&
        integrator.incompatibility(scheme, defaults(scheme, integrator)).empty())
      limited.push_back(fmt::format("{} ({} by itself)", integrator.name, integrator.claims.order));
  if (limited.empty()) return "";
  return fmt::format("{}: of order {} in time with {}: {}\n", scheme.name, scheme.order_limit.order,
                     join(limited), scheme.order_limit.reason);
}

std::string compatibility(const Catalog& catalog, bool json) {
  if (json) {
    Json all = Json::array();
    for (const DiscretizationEntry& scheme : catalog.discretizations)
      for (const IntegratorEntry& integrator : catalog.integrators) {
        const std::string reason = integrator.incompatibility(scheme, defaults(scheme, integrator));
        all.push_back({{"name", scheme.name + " " + integrator.name},
                       {"summary", reason.empty() ? "possible" : reason},
                       {"parameters", Json::array()},
                       {"discretization", scheme.name},
                       {"integrator", integrator.name},
                       {"possible", reason.empty()},
                       {"reason", reason},
                       {"dry_land", reason.empty() && unfit_for_dry_land(scheme, integrator).empty()},
                       {"dry_land_reason", reason.empty() ? unfit_for_dry_land(scheme, integrator) : reason},
                       {"order", reason.empty() ? Json(claims_of(scheme, integrator).order) : Json()}});
      }
    return all.dump(2) + "\n";
  }
  std::size_t width = 0;
  for (const DiscretizationEntry& scheme : catalog.discretizations)
    width = std::max(width, scheme.name.size());
  std::string text = std::string(width, ' ');
  for (const IntegratorEntry& integrator : catalog.integrators) text += "  " + integrator.name;
  std::string reasons, limits, dry = fmt::format("\ndry land\n"), dry_reasons;
  text += "\n";
  for (const DiscretizationEntry& scheme : catalog.discretizations) {
    text += fmt::format("{:<{}}", scheme.name, width);
    for (const IntegratorEntry& integrator : catalog.integrators) {
      const std::string reason = integrator.incompatibility(scheme, defaults(scheme, integrator));
      text += fmt::format("  {:<{}}", reason.empty() ? "yes" : "-", integrator.name.size());
      if (!reason.empty()) reasons += fmt::format("{} with {}: {}\n", scheme.name, integrator.name, reason);
    }
    limits += limited_orders(catalog, scheme);
    dry += fmt::format("{:<{}}", scheme.name, width);
    for (const IntegratorEntry& integrator : catalog.integrators) {
      const bool possible = integrator.incompatibility(scheme, defaults(scheme, integrator)).empty();
      const std::string reason = unfit_for_dry_land(scheme, integrator);
      dry += fmt::format("  {:<{}}", !possible ? "-" : reason.empty() ? "yes" : "no", integrator.name.size());
      if (possible && !reason.empty())
        dry_reasons += fmt::format("{} with {} on dry land: {}\n", scheme.name, integrator.name, reason);
    }
    dry.erase(dry.find_last_not_of(' ') + 1);
    dry += "\n";
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text + dry + (reasons.empty() ? "" : "\n" + reasons) +
         (dry_reasons.empty() ? "" : "\n" + dry_reasons) + (limits.empty() ? "" : "\n" + limits);
}

struct Kind {
  std::string name, summary;
  std::function<std::vector<Item>(const Catalog&, const std::filesystem::path& folder)> items;
};

const std::vector<Kind>& kinds() {
  const auto of_catalog = [](std::vector<Item> (*make)(const Catalog&)) {
    return [make](const Catalog& catalog, const std::filesystem::path&) { return make(catalog); };
  };
  const auto fixed = [](std::vector<Item> (*make)()) {
    return [make](const Catalog&, const std::filesystem::path&) { return make(); };
  };
  static const std::vector<Kind> all = {
      {"scenes", "problems: a surface, an initial state, forces, a solution where there is one",
       of_catalog(scene_items)},
      {"meshes", "surfaces that are generated, and files that are read", fixed(mesh_items)},
      {"discretizations", "schemes in space", of_catalog(discretization_items)},
      {"integrators", "schemes in time", of_catalog(integrator_items)},
      {"linear-solvers", "solvers of implicit integrators", of_catalog(linear_solver_items)},
      {"advections", "transport of the velocity, for schemes without their own", of_catalog(advection_items)},
      {"splittings", "how transport, rotation and friction are joined to an integrator",
       of_catalog(splitting_items)},
      {"motions", "deformations of the surface", of_catalog(motion_items)},
      {"boundaries", "what happens at the edge of the water", fixed(boundary_items)},
      {"inputs", "what can be done to a run while it goes on", fixed(input_items)},
      {"diagnostics", "what is recorded along a run, which 'table' takes as columns",
       of_catalog(diagnostic_items)},
      {"compatibility", "which integrator goes with which discretization, and why not", {}},
      {"experiments", "the experiment files at hand", experiment_items},
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

/// Of what it is the name, as a sentence; "" where it is of nothing.
std::string whereabouts(const Catalog& catalog, const std::string& name,
                        const std::filesystem::path& folder) {
  for (const Kind& kind : kinds()) {
    if (!kind.items || (kind.name == "experiments" && !std::filesystem::is_directory(folder))) continue;
    for (const Item& item : kind.items(catalog, folder))
      if (item.name == name) return fmt::format("; '{0}' is one of the {1}: list {1} {0}", name, kind.name);
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
    if (item.name == request.name) return {std::move(item)};
    names.push_back(item.name);
  }
  const std::string near = did_you_mean(request.name, names);
  throw Error(fmt::format("list {}: there is no '{}'{}", kind.name, request.name,
                          near.empty() ? whereabouts(catalog, request.name, request.folder) : near));
}

}  // namespace

std::string make_list(const Catalog& catalog, const ListRequest& request) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (request.kind.empty()) {
    Json all = Json::array();
    for (const Kind& kind : kinds()) {
      lines.emplace_back(kind.name, kind.summary);
      all.push_back(to_json(Item{kind.name, kind.summary, {}, {}}));
    }
    if (request.json) return all.dump(2) + "\n";
    return one_line_each(lines) +
           "\n`list KIND` shows the entries of a kind, `list KIND NAME` one with its parameters.\n";
  }
  const Kind& kind = find_kind(catalog, request);
  if (!kind.items) {
    if (!request.name.empty()) throw Error(fmt::format("list {}: it takes no name", kind.name));
    return compatibility(catalog, request.json);
  }
  const std::vector<Item> items = chosen(catalog, kind, request);
  if (request.json) {
    Json all = Json::array();
    for (const Item& item : items) all.push_back(to_json(item));
    return all.dump(2) + "\n";
  }
  if (!request.name.empty()) return to_text(items.front());
  for (const Item& item : items) lines.emplace_back(item.name, item.summary);
  return one_line_each(lines) + fmt::format("\n`list {} {}` shows it with its parameters.\n", kind.name,
                                            items.empty() ? "NAME" : items.front().name);
}

Command list_command(Program& program) {
  const auto request = std::make_shared<ListRequest>();
  CLI::App& app =
      add_command(program, "list", "scenes, meshes, schemes …: what there is, and each with its parameters",
                  example(program, "list scenes sphere-bump"));
  add_optional_argument(app, "KIND", request->kind, "scenes, meshes …; 'list' alone shows the kinds");
  add_optional_argument(app, "NAME", request->name, "the entry to be shown in full");
  add_flag(app, "--json", request->json, "as a JSON array");
  add_option(app, "--folder", request->folder, "DIR", "where to look for experiments; default experiments");
  return {&app, [&program, request] {
            print(make_list(program.catalog, *request));
            return 0;
          }};
}

}  // namespace shoal
