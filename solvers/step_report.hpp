// The outcome of a step, of models and integrators alike.
#pragma once

#include <string>

namespace shoal {

/// The outcome of one step. A step that fails is data: the run ends as solver-failed, or as unstable.
struct StepReport {
  bool ok = true;
  std::string reason;
  bool unstable = false;  ///< whether the flow, not the method, failed
};

}  // namespace shoal
