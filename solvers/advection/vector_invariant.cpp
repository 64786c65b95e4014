// vector-invariant: the velocity's own transport v·∇v = ζ n×v + ∇½|v|² on the scheme's grid, as rates at a
// depth that is held, over the time dt of the split step in n substeps of SSPRK3,
//
//     n = ⌈dt · frequency / advection_courant⌉,    frequency = max(|v| ω/c + |ζ|).
//
// The scheme's rates of advection and of waves together keep energy; apart they only exchange it with each
// other, so that the split steps leave an error of the first order in dt, of the energy and of a steady
// state.
#include "solvers/advection/advection.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

class VectorInvariantAdvection final : public Advection {
 public:
  VectorInvariantAdvection(const Discretization& discretization, double courant)
      : scheme_(*offered<VectorInvariant>(discretization)), courant_(courant) {}

  void advect(const Vector& /*advecting_velocity*/, double dt, State& state, StageClock& clock) override {
    const auto stage = clock.measure(Stage::advection);
    const double needed = std::max(1.0, std::ceil(dt * scheme_.advection_frequency(state) / courant_));
    // A flow that asks for more has left all bounds: it blows up here, and the run ends as unstable.
    const int substeps = static_cast<int>(std::min(needed, max_substeps));
    for (int substep = 0; substep < substeps; ++substep) advance(dt / substeps, state);
  }

  void refresh(StageClock& /*clock*/) override {}

 private:
  static constexpr double max_substeps = 10'000;

  /// stage = E(stage), E the forward Euler step; its depth is that of the state.
  void euler(double dt) {
    rate_.setZero(stage_.flow.size());
    scheme_.add_advection_rate(stage_, dt, rate_);
    stage_.flow += rate_;
  }

  /// Shu & Osher 1988, as increments: what does not change stays to the last bit.
  void advance(double dt, State& state) {
    stage_.volume = state.volume;
    stage_.flow = state.flow;
    euler(dt);
    euler(dt);
    stage_.flow += 0.75 * (state.flow - stage_.flow);
    euler(dt);
    state.flow += (2.0 / 3) * (stage_.flow - state.flow);
  }

  const VectorInvariant& scheme_;
  double courant_;
  State stage_;
  Vector rate_;
};

std::string incompatibility(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  if (!scheme.offers_capability(Capability::vector_invariant)) return "needs vector-invariant rates";
  if (!integrator.carries_velocity) return integrator.name + " carries no velocity that could be transported";
  return "";
}

}  // namespace

AdvectionEntry vector_invariant() {
  AdvectionEntry entry;
  entry.name = "vector-invariant";
  entry.summary =
      "−ζ n×v − ∇½|v|² on the scheme's own grid, which exchanges energy with the waves and destroys none "
      "(Arakawa & Lamb 1981, doi:10.1175/1520-0493(1981)109<0018:APEAEC>2.0.CO;2), in substeps of SSPRK3";
  entry.parameters = {number("advection_courant", "1", 1, 1e-3, 1.7,
                             "a substep times the highest frequency of the advection; at most √3"),
                      advection_interval_parameter()};
  entry.carries_other_fields = false;
  entry.incompatibility = incompatibility;
  entry.make = [](const Discretization& discretization, const Parameters& parameters) {
    return std::make_unique<VectorInvariantAdvection>(discretization, parameters.number("advection_courant"));
  };
  return entry;
}

}  // namespace shoal
