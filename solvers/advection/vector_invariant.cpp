// vector-invariant: the transport v·∇v = ζ n×v + ∇½|v|² of the velocity on the scheme's own grid, as rates at
// fixed depth. In a splitting, over the time dt in n substeps of ssprk3,
//
//     n = ⌈dt · frequency / advection_courant⌉,    frequency = max(|v| ω/c + |ζ|).
//
// Only the sum of the scheme's rates of advection and waves conserves energy, because they exchange it; split
// steps therefore have an error of the order of the splitting, in energy and in steady states. An integrator
// that includes every term needs no map.
#include "discretizations/renewal.hpp"
#include "solvers/advection/advection.hpp"
#include "solvers/integrators/runge_kutta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

struct VectorInvariantOptions {
  double advection_courant = 1;
  AdvectionIntervalOptions interval;
  static Options<VectorInvariantOptions> describe() {
    using O = VectorInvariantOptions;
    return Options<O>()
        .number("advection_courant", "1", &O::advection_courant, 1e-3, 1.7,
                "substep times the highest frequency of the advection; at most √3")
        .part(&O::interval, AdvectionIntervalOptions::describe());
  }
};

class VectorInvariantAdvection final : public Advection {
 public:
  VectorInvariantAdvection(const RightSide& right_side, const VectorInvariantOptions& options)
      : right_side_(right_side),
        courant_(options.advection_courant),
        renewal_(renewal_of(right_side.mesh(), right_side.cells(), right_side.layout())) {}

  StepReport advect(const State& /*advecting*/, double dt, State& state, StageClock& clock) override {
    const auto stage = clock.measure(Stage::advection);
    const double frequency = 2 / right_side_.stable_dt(state, Term::advection);
    const double needed = std::max(1.0, std::ceil(dt * frequency / courant_));
    // Fewer substeps would be unstable, and a flow that requires more is no longer bounded.
    if (needed > max_substeps)
      return {
          false,
          fmt::format("vector-invariant: {:.3g} s would take {:.3g} substeps of the advection, more than {}",
                      dt, needed, max_substeps),
          true};
    const int substeps = static_cast<int>(needed);
    for (int substep = 0; substep < substeps; ++substep) {
      if (substep > 0) renew(renewal_.get(), state, clock);
      stages_.by_euler_stages(state, dt / substeps,
                              [&](Index /*stage*/, const State& from, double length, State& to) {
                                rate_.q.setZero(from.q.size());
                                add(from, length);
                                to.q = from.q + rate_.q;
                              });
    }
    return {};
  }

  void refresh(StageClock& /*clock*/) override {}

 private:
  /// The integrator's steps contain the force, but fefv also projects it together with the rotation.
  void add(const State& state, double scale) {
    if (!right_side_.forces().has_body_force) return right_side_.add(state, Term::advection, scale, rate_);
    right_side_.add(state, Terms(Term::advection) | Term::force, scale, rate_);
    right_side_.add(state, Term::force, -scale, rate_);
  }

  static constexpr double max_substeps = 10'000;

  const RightSide& right_side_;
  double courant_;
  RungeKuttaSteps stages_{runge_kutta_methods().find("ssprk3").tableau};
  State rate_;
  std::unique_ptr<Renewal> renewal_;  // of a part, which has layers for one substep; null: the whole surface
};

std::string incompatibility(const DiscretizationEntry& scheme, const IntegratorEntry& integrator,
                            const Parameters& /*options*/) {
  if (!scheme.terms.has(Term::advection) || scheme.transports_momentum())
    return "requires a scheme with a separate rate of advection";
  if (!integrator.carries_velocity) return integrator.name + " carries no velocity to transport";
  return "";
}

}  // namespace

AdvectionEntry vector_invariant() {
  AdvectionEntry entry;
  entry.name = "vector-invariant";
  entry.summary =
      "−ζ n×v − ∇½|v|² on the scheme's own grid, which conserves energy in the exchange with waves (Arakawa "
      "& Lamb 1981, doi:10.1175/1520-0493(1981)109<0018:APEAEC>2.0.CO;2), in substeps of SSPRK3";
  entry.parameters = describe_options<VectorInvariantOptions>();
  entry.reach = [](const DiscretizationEntry& scheme) {
    return static_cast<int>(scheme.reach({})) * 3;  // stages
  };
  entry.is_rate = true;
  entry.carries_other_fields = false;
  entry.incompatibility = incompatibility;
  entry.make = [](const RightSide& right_side, const Parameters& parameters) {
    return std::make_unique<VectorInvariantAdvection>(right_side,
                                                      read_options<VectorInvariantOptions>(parameters));
  };
  return entry;
}

}  // namespace shoal
