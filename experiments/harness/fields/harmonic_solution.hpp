// Solutions on the sphere in spherical harmonics, and their files, which `shoal-reference` writes.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"
#include "experiments/scenes/harmonics.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

/// The solution of a scene at a few times.
struct HarmonicSolution {
  std::string scene;
  std::map<std::string, std::string> parameters;  ///< those that the scene declares, as text
  int truncation = 0;                             ///< L
  double step = 0, damping_time = 0;              ///< s, of the computation
  std::vector<double> times;                      ///< s
  std::vector<Harmonics> depth{};                 ///< η, m, for each time
  std::vector<VectorHarmonics> velocity{};        ///< m/s, for each time

  void write(const std::string& path) const;
  /// Whether an HDF5 file claims to be one.
  static bool is_in(const std::string& path);
  /// Throws Error if the file is no such solution: a wrong shape, a number that is not finite, times that do not rise.
  static HarmonicSolution read(const std::string& path);
};

/// The dataset `time` of a group; throws Error unless it is a row of finite numbers that rise.
std::vector<double> read_times(const hdf5::Group& group);

struct SolutionFileOptions {
  std::string path;  ///<; "": none
  static Options<SolutionFileOptions> describe();
};

/// The parameter above if it is in `given`: every scene accepts it, and none declares it.
ParameterInfos solution_file_parameters(const std::map<std::string, Value>& given);

/// The solution in the file that the parameter names; throws SettingError naming the parameter.
HarmonicSolution given_solution(const std::string& path);

/// The values of the parameters that a scene declares, as text.
std::map<std::string, std::string> own_parameters(const SceneEntry& entry, const Parameters& parameters);

/// Makes the file named by the parameter `solution_file` the scene's solution, at the times that it has: NaN at others. Throws Error naming
/// the parameter if it is the solution of another scene or of other parameters.
void give_solution(const SceneEntry& entry, const Parameters& parameters, SceneInstance& scene);

}  // namespace shoal
