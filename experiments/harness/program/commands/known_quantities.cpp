#include "experiments/harness/program/commands/known_quantities.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/list.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace shoal {
namespace {

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

/// With BODY or REGION for what the scene calls it.
std::string general_name(std::string name, const Simulation& simulation) {
  const World& world = simulation.world();
  for (Index i = 0; i < world.entrances().size(); ++i)
    if (const std::string& body = world.entrances()[i].body.name; name.starts_with(body + "_"))
      name.replace(0, body.size(), "BODY");
  for (const Region& region : simulation.scene().regions)
    if (name == "wet_" + region.name) name = "wet_REGION";
  return name;
}

}  // namespace

std::vector<Quantity> known_quantities(const Catalog& catalog) {
  const List<DiagnosticEntry> entries = builtin_diagnostics();
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
    } catch (const Error&) {  // a scheme, of a plugin perhaps, that this is not for
    }
  std::vector<Quantity> all;
  for (const DiagnosticEntry& entry : entries)
    all.insert(all.end(), of_entry[entry.name].begin(), of_entry[entry.name].end());
  return all;
}

}  // namespace shoal
