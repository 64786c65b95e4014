// lie: one map after the other, first order (Lie–Trotter). strang: half of the maps before, half after in
// reverse order, second order (Strang 1968, doi:10.1137/0705041).
//
// If rotation and friction are split off, they always act half before and half after the integrator's steps:
// their flows are exact and cheap. A geostrophic balance is then preserved, with 2 sin(½fΔt) instead of fΔt,
// and a flow driven by a constant force against friction tends to a/c (1 − (cΔt)²/24 + …).
#include "solvers/splitting.hpp"

#include "solvers/advection/advection.hpp"

namespace shoal {
namespace {

constexpr Terms split_off = Term::advection | Term::coriolis | Term::friction;

void apply(const std::function<void(double)>& flow, double dt) {
  if (flow) flow(dt);
}

StepReport transport(const SplitFlows& flows, double dt) {
  return flows.transport ? flows.transport(dt) : StepReport{};
}

StepReport turned_step(const SplitFlows& flows, double dt) {
  apply(flows.coriolis, dt / 2);
  StepReport report = flows.integrate(dt);
  if (report.ok) apply(flows.coriolis, dt / 2);
  return report;
}

/// Friction quadratic in the velocity is not a term of the integrators: it acts within their Euler steps (StageFriction) or here.
StepReport unsplit(const SplitFlows& flows, double dt, int parts) {
  apply(flows.friction, dt / 2);
  for (int part = 0; part < parts; ++part)
    if (StepReport report = flows.integrate(dt / parts); !report.ok) return report;
  apply(flows.friction, dt / 2);
  apply(flows.source, dt);
  return {};
}

StepReport lie(const SplitFlows& flows, double dt, int parts) {
  apply(flows.friction, dt / 2);
  for (int part = 0; part < parts; ++part) {
    if (StepReport report = transport(flows, dt / parts); !report.ok) return report;
    if (StepReport report = turned_step(flows, dt / parts); !report.ok) return report;
  }
  apply(flows.friction, dt / 2);
  apply(flows.source, dt);
  return {};
}

StepReport strang(const SplitFlows& flows, double dt, int parts) {
  apply(flows.source, dt / 2);
  apply(flows.friction, dt / 2);
  for (int part = 0; part < parts; ++part) {
    if (StepReport report = transport(flows, dt / parts / 2); !report.ok) return report;
    if (StepReport report = turned_step(flows, dt / parts); !report.ok) return report;
    if (StepReport report = transport(flows, dt / parts / 2); !report.ok) return report;
  }
  apply(flows.friction, dt / 2);
  apply(flows.source, dt / 2);
  return {};
}

SplittingEntry none_splitting() {
  return {"none",
          "unsplit: the integrator includes every term (friction that it does not include acts half before "
          "and half after each step; sources that it does not support follow)",
          0, false, unsplit};
}

SplittingEntry lie_splitting() {
  return {"lie",
          "Lie splitting: transport, then the integrator's step between two halves of the rotation, all "
          "between two halves of friction; first order",
          1, true, lie};
}

SplittingEntry strang_splitting() {
  return {"strang",
          "Strang splitting: half of transport, rotation and friction before the integrator's step, the "
          "other half after it in reverse; second order (Strang 1968)",
          2, true, strang};
}

}  // namespace

List<SplittingEntry> builtin_splittings() {
  List<SplittingEntry> list("splitting");
  list.add(none_splitting());
  list.add(lie_splitting());
  list.add(strang_splitting());
  return list;
}

std::string splitting_incompatibility(const SplittingEntry& splitting, const IntegratorEntry& integrator,
                                      const AdvectionEntry* advection) {
  if (!integrator.carries_velocity)
    return splitting.splits ? integrator.name + " carries no velocity for other terms" : "";
  if (splitting.splits) return "";
  if (!integrator.terms().contain(split_off.without(Term::friction)))
    return integrator.name + " supports only the terms " + to_string(integrator.terms()) +
           "; use lie or strang";
  if (advection && !advection->is_rate)
    return advection->name + " is a transport over a time step, not a rate; use lie or strang";
  return "";
}

SplittingEntry default_splitting(const IntegratorEntry& integrator, const AdvectionEntry* advection) {
  const SplittingEntry none = none_splitting();
  return splitting_incompatibility(none, integrator, advection).empty() ? none : lie_splitting();
}

Terms integrated_terms(const SplittingEntry& splitting, const DiscretizationEntry& scheme,
                       const IntegratorEntry& integrator, const AdvectionEntry* advection) {
  Terms terms = integrator.terms() & scheme.terms;
  if (splitting.splits || !advection || !advection->is_rate) terms = terms.without(Term::advection);
  if (splitting.splits) terms = terms.without(split_off);
  return terms.has(Term::gravity) ? terms | scheme.inseparable : terms;
}

}  // namespace shoal
