#include "experiments/harness/run/motion_files.hpp"

namespace shoal {

std::vector<std::string> motion_files(const Catalog& catalog, const RunConfiguration& configuration) {
  const MotionEntry& motion = catalog.motions.find(configuration.motion);
  if (!motion.files) return {};
  ParameterInfos infos = declared_parameters(catalog, configuration);
  infos.push_back(text("mesh", "", configuration.mesh, "of the run"));
  return motion.files({infos, configuration.parameters});
}

}  // namespace shoal
