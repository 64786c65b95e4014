// The list of integrators. A new one is one source, its entry here and one line in list.cpp.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

IntegratorEntry explicit_euler();
IntegratorEntry implicit_euler();
IntegratorEntry newmark();
IntegratorEntry newmark_analytic();
IntegratorEntry semi_implicit();
IntegratorEntry ssprk2();
IntegratorEntry ssprk3();

const std::vector<IntegratorEntry>& integrators();
/// Throws Error with the nearest name.
const IntegratorEntry& find_integrator(const std::string& name);

/// The one way to an integrator. Around each step Coriolis's force turns the velocity, for half of the step
/// before and for half after (Strang 1968): second order, and a flow in geostrophic balance stays, with 2
/// sin(½fΔt) in place of fΔt. Throws Refusal with the reason where the scheme does not offer what it needs,
/// or where the frame rotates and the integrator carries no velocity.
std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting);

}  // namespace shoal
