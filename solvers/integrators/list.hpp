// The list of integrators. A new one is one source, its entry here and one line in list.cpp.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

IntegratorEntry explicit_euler();
IntegratorEntry implicit_euler();
IntegratorEntry implicit_euler_velocity();
IntegratorEntry newmark();
IntegratorEntry newmark_analytic();
IntegratorEntry semi_implicit();
IntegratorEntry ssprk2();
IntegratorEntry ssprk3();

const std::vector<IntegratorEntry>& integrators();
/// Throws Error with the nearest name.
const IntegratorEntry& find_integrator(const std::string& name);

/// The one way to an integrator. Throws Refusal with the reason where the scheme does not offer what it
/// needs.
std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting);

}  // namespace shoal
