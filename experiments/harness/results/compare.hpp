// `shoal compare`: errors of runs against a reference run on another mesh.
#pragma once

#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/text_table.hpp"

namespace shoal {

struct ReferenceChoice {
  std::string run;  ///< id of the only run to compare; "": all that can be compared
  std::string
      reference;  ///< id in the file of the reference; "": the run of the same scene with the most vertices
};

struct ReferenceErrors {
  TextTable table;
  std::vector<std::string> notes;  ///< settings of scene and motion that differ, and runs that were left out
};

/// A row for each run of `mine`, each snapshot time that it shares with the reference run in `theirs` (to 1e-9 of the time), and each
/// of depth, elevation and velocity that both recorded:
///
///     l1 = Σ A|q − r| / Σ A|r|,    l2 = √(Σ A|q − r|² / Σ A|r|²),    linf = max|q − r| / max|r|,
///
/// over the points where the run has its values q: vertices with a third of each adjacent triangle as area A, or triangles. r is the
/// reference at the closest point of its own surface at that time, interpolated to second order (SurfaceInterpolation); velocities are
/// turned into the plane of the run's triangle. On the same mesh, values are compared without interpolation. Values of a
/// scheme's own triangles, which have no position in space, are replaced by those at the vertices, or left out for velocities.
/// Throws Error if no run can be compared: other scene, no common time after the start, or another surface.
ReferenceErrors errors_against(const Catalog& catalog, const Results& mine, const Results& theirs,
                               const ReferenceChoice& choice);

/// Reads everything that errors_against() reads. Throws as it does if the files are inconsistent.
void require_readable(const Results& results);

}  // namespace shoal
