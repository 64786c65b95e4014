// One function per motion. A new motion is its own source, a line here and a line in list.cpp.
#pragma once

#include "experiments/motions/motion.hpp"

namespace shoal {

MotionEntry breathing_motion();
MotionEntry squash_motion();
MotionEntry twist_motion();
MotionEntry bulge_motion();
MotionEntry crumple_motion();
MotionEntry translation_motion();
MotionEntry shake_motion();
MotionEntry sequence_motion();

}  // namespace shoal
