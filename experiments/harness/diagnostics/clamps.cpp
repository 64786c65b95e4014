// For each limit, the number of elements where it is active.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <map>
#include <string>

namespace shoal {
namespace {

/// The counted elements, and the parameter that sets the limit.
std::string meaning_of(const std::string& name) {
  static const std::map<std::string, std::string> meanings = {
      {"clamped_accelerations", "vertices whose normal acceleration is limited by normal_acceleration_max"},
      {"clamped_depths", "velocity sites with a negative mean depth, clamped to zero"},
      {"dry_sites",
       "velocity sites (triangles of fefv, edges of dec) closed beside dry land, with zero velocity"},
      {"film_sites",
       "velocity sites not deeper than advection_depth or with a Froude number above advection_froude; in "
       "and beside them, v·∇v uses upstream differences"},
      {"dry_cells", "cells not deeper than dry_depth, whose velocity is set to zero"},
      {"clamped_angles", "triangles whose angles are limited by cosine_limit or lower_angle"},
      {"clamped_fluxes", "triangles whose flux is limited by max_divergence_edge"},
      {"clamped_cotangents",
       "edges with a negative cotangent weight, set to zero by negative_cotangents = zero"},
      {"flipped_edges", "edges flipped by the intrinsic Delaunay triangulation"},
      {"unconverged_projections",
       "1 where the last projection of vector-invariant advection did not converge"},
      {"clamped_shares",
       "edges where edge_depth = convex replaces a negative distance of a cell's centre by its absolute "
       "value in the weights of the depth"},
      {"clamped_duals",
       "edges whose dual length is clamped to min_dual, because they are no longer Delaunay"}};
  const auto found = meanings.find(name);
  return found == meanings.end() ? "elements where this limit is active" : found->second;
}

bool limits_accelerations(const Simulation& simulation) {
  const RunConfiguration& c = simulation.present_configuration();
  return read_options<ShallowWaterOptions>(parameters_of(simulation.catalog(), c)).acceleration_limit > 0;
}

}  // namespace

DiagnosticEntry clamps_diagnostic() {
  return {"clamps", [](const Simulation& simulation) {
            const ShallowWater& water = simulation.water();
            std::vector<DiagnosticColumn> columns;
            for (const ClampCount& clamp : water.clamp_counts())
              columns.push_back({{clamp.name, "1", meaning_of(clamp.name)},
                                 [name = std::string(clamp.name)](Instant& now, double* value) {
                                   for (const ClampCount& one : now.clamp_counts())
                                     if (one.name == name) *value = one.count;
                                 }});
            if (simulation.moves())
              columns.push_back(
                  {{"limited_inertia", "1", "vertices whose acceleration is limited by inertia_limit"},
                   [](Instant& now, double* value) { *value = now.water().limited_inertia(); }});
            if (!simulation.present_configuration().inputs.empty() || limits_accelerations(simulation))
              columns.push_back(
                  {{"limited_accelerations", "1",
                    "vertices whose external acceleration is limited by acceleration_limit"},
                   [](Instant& now, double* value) { *value = now.water().limited_accelerations(); }});
            return columns;
          }};
}

}  // namespace shoal
