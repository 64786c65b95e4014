// For each limit, the number of elements where it is active.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <map>
#include <string>

namespace shoal {
namespace {

/// The counted elements, and the parameter that sets the limit.
std::string meaning_of(const std::string& name) {
  static const std::map<std::string, std::string> meanings = {
      {"clamped_accelerations", "vertices whose normal acceleration is cut at normal_acceleration_max"},
      {"clamped_depths", "sites of the velocity whose mean depth is below zero, and counts as zero there"},
      {"dry_sites",
       "sites of the velocity (triangles of fefv, edges of dec) closed beside dry land: no velocity"},
      {"film_sites",
       "sites of the velocity not deeper than advection_depth or faster than advection_froude times their "
       "waves, in and "
       "beside which v·∇v is from upstream"},
      {"dry_cells", "cells not deeper than dry_depth, whose velocity is zero"},
      {"clamped_angles", "triangles whose angles cosine_limit or lower_angle cut"},
      {"clamped_fluxes", "triangles whose flux max_divergence_edge makes smaller"},
      {"clamped_cotangents",
       "edges of negative cotangent weight, which zero_negative_cotangents sets to zero"},
      {"flipped_edges", "edges that the intrinsic Delaunay triangulation has flipped"},
      {"unconverged_projections",
       "1 where the last projection of vector-invariant advection did not converge"},
      {"clamped_shares",
       "edges whose depth, with edge_depth = convex, is no mean weighted by the distances of its cells' "
       "centres, as one "
       "of them lies beyond the edge: their absolute values are taken"},
      {"clamped_duals",
       "edges that are held at their least dual length, min_dual: they are not Delaunay any more"}};
  const auto found = meanings.find(name);
  return found == meanings.end() ? "elements at which this threshold takes effect" : found->second;
}

}  // namespace

DiagnosticEntry clamps_diagnostic() {
  return {
      "clamps", [](const Simulation& simulation) {
        const ShallowWater& water = simulation.water();
        std::vector<DiagnosticColumn> columns;
        for (const ClampCount& clamp : water.clamp_counts())
          columns.push_back({{clamp.name, "1", meaning_of(clamp.name)},
                             [name = std::string(clamp.name)](Instant& now, double* value) {
                               for (const ClampCount& one : now.clamp_counts())
                                 if (one.name == name) *value = one.count;
                             }});
        if (simulation.moves())
          columns.push_back({{"limited_inertia", "1", "vertices whose acceleration inertia_limit cut"},
                             [](Instant& now, double* value) { *value = now.water().limited_inertia(); }});
        return columns;
      }};
}

}  // namespace shoal
