// The built-in motions. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "experiments/motions/motion.hpp"

namespace shoal {

List<MotionEntry> builtin_motions();

}  // namespace shoal
