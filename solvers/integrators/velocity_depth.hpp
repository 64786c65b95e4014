// Base of the integrators that solve the depth equation and also carry the velocity: newmark-analytic and
// implicit-euler-velocity.
#pragma once

#include "solvers/integrators/depth_equation.hpp"

namespace shoal {

class VelocityDepthIntegrator : public VelocityIntegrator {
 public:
  VelocityDepthIntegrator(const IntegratorSetting& setting, const DepthEquationOptions& options)
      : VelocityIntegrator(setting), equation_(setting, options) {}

  State start(State projected) override {
    equation_.start(projected[volume()]);
    return projected;
  }
  void refresh() override { equation_.refresh(); }
  void save(Archive& archive) const override { equation_.save(archive); }
  void restore(const Archive& archive) override { equation_.restore(archive); }

  /// The reason why a scheme is incompatible with these integrators under these options, or "".
  static std::string incompatibility(const DiscretizationEntry& scheme, const Parameters& options,
                                     const DepthEquationOptions& equation) {
    std::string reason = scheme.unavailable<Split>(options);
    if (reason.empty()) reason = wave_incompatibility(scheme, options);
    return reason.empty() ? equation.contradiction() : reason;
  }

 protected:
  DepthEquation equation_;
  State load_;  // only its volumes are used
  Vector acceleration_, increment_, change_;
};

}  // namespace shoal
