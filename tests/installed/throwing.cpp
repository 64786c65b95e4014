// A plugin that throws objects which are not exceptions of the library, at the place given by SHOAL_THROW; the
// program must turn each into a message.
#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/scenes/common.hpp"

#include <cstdlib>
#include <string>

namespace {

void raise(const std::string& where) {
  const char* chosen = std::getenv("SHOAL_THROW");
  if (chosen && where == chosen) throw 42;
}

struct AtOnce {
  AtOnce() { raise("loading"); }
} const at_once;

struct NoOptions {
  static shoal::Options<NoOptions> describe() { return {}; }
};

shoal::SceneInstance make(const shoal::Surface& surface, const shoal::Geometry&, const NoOptions&) {
  raise("scene");
  shoal::SceneInstance instance = shoal::still_water(surface, shoal::StillWaterOptions{});
  instance.initial.depth = [](const shoal::Vector3&) {
    raise("initial");
    return 1.0;
  };
  instance.forces = {{.add = [](double time, const shoal::WaterNow&, double, shoal::ForceSum&) {
    if (time > 0.1) raise("forcing");
  }}};
  return instance;
}

}  // namespace

SHOAL_PLUGIN(catalog) {
  raise("registering");
  shoal::SceneEntry entry = shoal::describe_scene({.name = "throws",
                                                   .summary = "throws",
                                                   .source = "a test",
                                                   .default_mesh = "icosphere:1",
                                                   .default_dt = 0.1},
                                                  make);
  const auto incompatibility = catalog.integrators.begin()->unsupported;
  shoal::IntegratorEntry integrator = *catalog.integrators.begin();
  integrator.name = "throws";
  integrator.unsupported = [incompatibility](const shoal::DiscretizationEntry& scheme,
                                             const shoal::Parameters& options) {
    raise("pairing");
    return incompatibility(scheme, options);
  };
  catalog.scenes.add(std::move(entry));
  catalog.integrators.add(std::move(integrator));
}
