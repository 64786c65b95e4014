// Second differences, smoothed and cut.
#include "solvers/inertia.hpp"

#include <limits>

namespace shoal {

ParameterInfos inertia_parameters() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return {choice("inertia", {"off", "on"}, "whether the fluid feels that the surface accelerates"),
          number("inertia_smoothing", "1", 0, 0, 0.999,
                 "σ: the part that is kept of the acceleration of the step before (Angst 2007, 6.4)"),
          number("inertia_limit", "m/s^2", 0, 0, unlimited,
                 "the longest acceleration that is felt of a vertex; 0: no limit"),
          choice("onset", {"continued", "sudden"},
                 "before t = 0 the surface was moving as its formula says, or at rest")};
}

Inertia::Inertia(const Parameters& parameters)
    : smoothing_(parameters.number("inertia_smoothing")), limit_(parameters.number("inertia_limit")) {}

void Inertia::start(const Points& x, const Points& before) {
  now_ = x;
  before_ = before.size() ? before : x;
  surface_acceleration_.setZero(3, x.cols());
  acceleration_.setZero(3, x.cols());
}

void Inertia::move_to(const Points& x, double dt) {
  surface_acceleration_ =
      (1 - smoothing_) / (dt * dt) * ((x - now_) - (now_ - before_)) + smoothing_ * surface_acceleration_;
  before_.swap(now_);
  now_ = x;
  limited_ = 0;
  acceleration_ = -surface_acceleration_;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const double length = acceleration_.col(i).norm();
    if (limit_ == 0 || !(length > limit_)) continue;
    acceleration_.col(i) *= limit_ / length;
    ++limited_;
  }
}

}  // namespace shoal
