// The surfaces of a plan, each loaded once.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"

namespace shoal {

/// Runs with the same mesh, radius and weld share a surface; references remain valid.
class Surfaces {
 public:
  /// `catalog` must outlive this.
  explicit Surfaces(const Catalog& catalog) : catalog_(catalog) {}

  /// Loads the surface unless an earlier run has the same one. Throws like load_surface().
  const Surface& get(const RunConfiguration& configuration) {
    const Parameters parameters = parameters_of(catalog_, configuration);
    const double radius = read_options<MeshOptions>(parameters).radius;  // default: the scene's
    const double weld = read_options<MeshFileOptions>(parameters).weld;
    auto& surface = surfaces_[std::tuple(configuration.mesh, radius, weld)];
    if (!surface) surface = std::make_unique<const Surface>(load_surface(catalog_, configuration));
    return *surface;
  }

 private:
  const Catalog& catalog_;
  std::map<std::tuple<std::string, double, double>, std::unique_ptr<const Surface>> surfaces_;
};

}  // namespace shoal
