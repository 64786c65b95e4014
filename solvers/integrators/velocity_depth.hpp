// Base of the integrators that solve the depth equation and carry the velocity as well: newmark-analytic and
// implicit-euler-velocity.
#pragma once

#include "solvers/integrators/depth_equation.hpp"

namespace shoal {

class VelocityDepthIntegrator : public VelocityIntegrator {
 public:
  VelocityDepthIntegrator(const IntegratorSetting& setting, const DepthEquationOptions& options)
      : VelocityIntegrator(setting),
        split_(*offered<Split>(setting.discretization)),
        equation_(setting, options) {}

  State start(State projected, const Forces& forces) override {
    equation_.start(projected[volume()], forces);
    return projected;
  }
  void refresh(const Forces& forces) override { equation_.refresh(forces); }
  void save(Archive& archive) const override { equation_.save(archive); }
  void restore(const Archive& archive, const Forces& forces) override { equation_.restore(archive, forces); }

  /// The reason why a scheme does not work with them under these options, or "".
  static std::string incompatibility(const DiscretizationEntry& scheme, const Parameters& options,
                                     const DepthEquationOptions& equation) {
    std::string reason = scheme.unavailable<Split>(options);
    if (reason.empty()) reason = wave_incompatibility(scheme, options);
    return reason.empty() ? equation.contradiction() : reason;
  }

 protected:
  const Split& split_;
  DepthEquation equation_;
  State right_side_;  // its volumes
  Vector acceleration_, increment_, change_;
};

}  // namespace shoal
