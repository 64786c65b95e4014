// Motion `none`: the surface is at rest, or moves as defined by its scene.
#include "experiments/motions/motion.hpp"

namespace shoal {

MotionEntry none_motion() {
  return {.name = "none",
          .summary = "the surface is at rest, or moves as defined by its scene",
          .make = [](const Surface&, const Parameters&, std::uint64_t) { return Motion(); }};
}

}  // namespace shoal
