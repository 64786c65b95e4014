// Motion `translation`: x = X + v t.
#include "experiments/motions/common.hpp"

namespace shoal {
namespace {

struct TranslationOptions {
  Vector3 velocity = Vector3::UnitX();  ///< m/s
  static Options<TranslationOptions> describe() {
    return Options<TranslationOptions>().vector("motion_velocity", "m/s", &TranslationOptions::velocity,
                                                "velocity x,y,z");
  }
};

Motion make(const Surface& surface, const TranslationOptions& options, std::uint64_t) {
  return translation(surface.x, options.velocity);
}

}  // namespace

Motion translation(const Points& rest, const Vector3& velocity) {
  return [=](double time, Points& x) { x = rest.colwise() + velocity * time; };
}

MotionEntry translation_motion() {
  return describe_motion(
      {.name = "translation", .summary = "the surface moves at constant velocity", .uniform = true}, make);
}

}  // namespace shoal
