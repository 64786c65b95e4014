// Fields on spheres by degree, zonal wave number, latitude and time, of runs and of solutions in harmonics.
//
// All numbers follow from the harmonics of depth and velocity up to one degree L. Those of a run fit its values at their points, weighted
// with areas (HarmonicSum). With m > 0 counted twice, ⟨…⟩ the mean over the sphere and v = ∇a + n×∇b:
//
//     variance of the depth    Σ |η_lm|²/4π, l > 0
//     ½⟨v²⟩                    Σ |√(l(l+1)) b_lm|²/8π of the rotational part, the same of a for the divergent one
//     mean over a circle       the harmonics with m = 0 there
//     crest and amplitude      −(arg c)/m and |c| of the depth Re c e^{imλ} on a circle
//     other waves              variance of all m > 0 that are no multiple of one M / that of M, 2M, 3M, …
//
// A wave whose amplitude is round-off has neither a crest nor a speed.
#pragma once

#include "experiments/harness/results/text_table.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shoal {

struct SphereRequest {
  std::string by = "degree";         ///< a name of sphere_tables()
  std::string run = "";              ///< the id of the only run; "": all
  std::vector<double> times = {};    ///< of snapshots, s; empty: all by time, otherwise the last
  int degree = 0;                    ///< L; 0: the largest that all files allow, at most 21
  int wave_number = 1;               ///< M, by time
  std::optional<double> speed = {};  ///< of its crests at first, degrees per day; none: 0, which is noted
  double latitude = 45;              ///< of the circle, degrees
};

/// "degree", "wavenumber", "latitude", "time"
const std::vector<std::string>& sphere_tables();

struct SphereTable {
  TextTable table;
  std::vector<std::string> notes;  ///< on runs that were left out, and on speeds
};

/// Rows of all files, results or solutions of `shoal-reference`. By time, crests continue each other: of the longitudes that differ by
/// 360°/M, the one nearest to where the mean speed so far leads. Throws Error if a file has none.
SphereTable sphere_table(const std::vector<std::filesystem::path>& files, const SphereRequest& request);

/// Reads everything that sphere_table() reads. Throws as it does if a file is inconsistent.
void require_readable_fields(const std::filesystem::path& file);

}  // namespace shoal
