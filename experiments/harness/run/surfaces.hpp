// The surfaces of a plan, each loaded once.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/share.hpp"
#include "experiments/harness/run/simulation.hpp"

namespace shoal {

/// Runs with the same mesh, radius, weld and parts share a surface; references remain valid.
class Surfaces {
 public:
  /// `catalog` must outlive this. `for_parts`: several processes share each run.
  explicit Surfaces(const Catalog& catalog, bool for_parts = false)
      : catalog_(catalog), for_parts_(for_parts) {}

  /// Loads the surface unless an earlier run has the same one. Throws like load_surface().
  const Surface& get(const RunConfiguration& configuration) { return load(configuration); }

  /// Gives this surface, on rank 0, to the other processes, which receive it by shoal::share(). Where parts need triangles alone, it has
  /// no edges afterwards. Collective.
  void share(const RunConfiguration& configuration, const Ranks& ranks) {
    if (ranks.count() == 1) return;
    Surface& surface = load(configuration);
    // Of a closed surface, parts need no edges.
    if (needs_triangles_alone(catalog_, configuration) && surface.mesh.has_edges() && surface.mesh.closed() &&
        !surface.mesh.periodic())
      surface.mesh = triangles_of(surface.mesh);
    shoal::share(ranks, surface);
  }

 private:
  Surface& load(const RunConfiguration& configuration) {
    const Parameters parameters = parameters_of(catalog_, configuration);
    const double radius = read_options<MeshOptions>(parameters).radius;  // default: the scene's
    const double weld = read_options<MeshFileOptions>(parameters).weld;
    const int parts = read_options<OrderOptions>(parameters).parts;
    const bool as_list = for_parts_ && needs_triangles_alone(catalog_, configuration);
    auto& surface = surfaces_[std::tuple(configuration.mesh, radius, weld, parts, as_list)];
    if (surface) return *surface;
    std::optional<Surface> triangles;
    if (as_list) triangles = load_triangles(configuration.mesh, radius);
    surface = std::make_unique<Surface>(triangles ? in_order(std::move(*triangles), parameters)
                                                  : load_surface(catalog_, configuration));
    return *surface;
  }

  const Catalog& catalog_;
  bool for_parts_;
  std::map<std::tuple<std::string, double, double, int, bool>, std::unique_ptr<Surface>> surfaces_;
};

}  // namespace shoal
