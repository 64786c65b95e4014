// Motion `none`: the surface stays, or moves as its scene says.
#include "experiments/motions/motion.hpp"

namespace shoal {

MotionEntry none_motion() {
  return {.name = "none",
          .summary = "the surface stays, or moves as its scene says",
          .make = [](const Surface&, const Parameters&, std::uint64_t) { return Motion(); }};
}

}  // namespace shoal
