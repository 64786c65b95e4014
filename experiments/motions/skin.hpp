// Surfaces moved by a skeleton.
#pragma once

#include "experiments/motions/clip_mixer.hpp"
#include "experiments/motions/motion.hpp"

#include <memory>

namespace shoal {

/// The positions of a surface whose skin follows the mixture of its clips; later commands to the mixer take effect. The character must
/// have been loaded for this surface. Copies share their working space: not thread-safe.
Motion skin_motion(const Surface& surface, const Character& character, std::shared_ptr<ClipMixer> mixer);

struct ClipSchedule {
  std::string clips, actions;  ///< "walk:0.7,wave:0.3@2": NAME[:WEIGHT][@TIME]
  double speed = 1;
  std::string freeze;  ///< "T1:T2,…": intervals in s, the last may be "T1:"
  double delay = 0.5;  ///< s, duration of every change
};

/// Throws SettingError naming the parameter (clips, actions, freeze).
std::vector<ClipCommand> commands_of(const ClipSchedule& schedule, const ClipMixer& mixer);

}  // namespace shoal
