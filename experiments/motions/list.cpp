// The list of motions.
#include "experiments/motions/entries.hpp"

#include "discretizations/common/entries.hpp"

namespace shoal {
namespace {

MotionEntry none() {
  return {.name = "none",
          .summary = "the surface stays, or moves as its scene says",
          .make = [](const Surface&, const Parameters&, std::uint64_t) { return Motion(); }};
}

}  // namespace

const std::vector<MotionEntry>& motions() {
  // clang-format off
  static const std::vector<MotionEntry> list = {
      none(),
      breathing_motion(),
      squash_motion(),
      twist_motion(),
      bulge_motion(),
      crumple_motion(),
      translation_motion(),
      shake_motion(),
      sequence_motion(),
  };
  // clang-format on
  return list;
}

const MotionEntry& find_motion(const std::string& name) {
  return find_entry(motions(), name, "motion");
}

}  // namespace shoal
