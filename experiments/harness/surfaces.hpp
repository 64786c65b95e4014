// Surfaces of a plan, each loaded once.
#pragma once

#include "experiments/harness/simulation.hpp"

namespace shoal {

/// Runs with the same mesh and radius share a surface; references stay valid.
class Surfaces {
 public:
  /// Loads the surface if no run before had the same. Throws as load_surface().
  const Surface& get(const RunConfiguration& configuration) {
    const auto radius = configuration.parameters.find("radius");
    auto& surface = surfaces_[std::pair(
        configuration.mesh, radius == configuration.parameters.end() ? "" : to_string(radius->second))];
    if (!surface) surface = std::make_unique<const Surface>(load_surface(configuration));
    return *surface;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::unique_ptr<const Surface>> surfaces_;
};

}  // namespace shoal
