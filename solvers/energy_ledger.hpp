// The mass and energy budget of shallow water.
#pragma once

#include "solvers/archive.hpp"

namespace shoal {

/// Mass and energy that the water has received from outside since its start, kg and J.
struct Ledger {
  double mass_source = 0;            ///< by sources, exchange and changes of the density
  double mass_lacking = 0;           ///< mass that sinks could not remove because it was not there
  double work_geometry = 0;          ///< by the moving surface
  double work_geometry_kinetic = 0;  ///< its kinetic part
  double work_forces = 0;            ///< of all forces except gravity g, friction included
  double work_surface = 0;           ///< its part due to the velocity of the surface: ∇½|ẋ|²
  double work_friction = 0;          ///< its part due to friction
  double work_source = 0;            ///< of sources and exchange: energy of the added water
  double work_change = 0;            ///< changes of scheme, integrator or density: jumps of the energy
  double work() const { return work_geometry + work_forces + work_source + work_change; }
};

/// Work of the forces on a velocity (force_work.hpp), divided by ρ, m⁵/s².
struct WorkSums {
  double total = 0;
  double surface = 0;   ///< part due to ∇½|ẋ|² and the strain of the mesh
  double friction = 0;  ///< part due to friction as a rate
};

/// The sums recorded since the start.
struct EnergyLedger {
  double mass_source = 0, mass_lacking = 0;                                               ///< kg
  double work_geometry = 0, work_geometry_kinetic = 0, work_source = 0, work_change = 0;  ///< J
  WorkSums forces;
  double split_friction = 0;  ///< divided by ρ: friction apart from the rates
  double depth_rate = 0;      ///< divided by ρ: forces and drag on a depth rate

  /// Calls visit(name, value) for each sum.
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit) {
    visit("mass_source", self.mass_source);
    visit("mass_lacking", self.mass_lacking);
    visit("work_geometry", self.work_geometry);
    visit("work_geometry_kinetic", self.work_geometry_kinetic);
    visit("work_source", self.work_source);
    visit("work_change", self.work_change);
    visit("forces/total", self.forces.total);
    visit("forces/surface", self.forces.surface);
    visit("forces/friction", self.forces.friction);
    visit("split_friction", self.split_friction);
    visit("depth_rate", self.depth_rate);
  }
  void save(Archive& archive) const {
    each(*this, [&](const char* name, double value) { archive.put(std::string("ledger/") + name, value); });
  }
  void restore(const Archive& archive) {
    each(*this,
         [&](const char* name, double& value) { value = archive.number(std::string("ledger/") + name); });
  }

  /// Changes the density of this volume of water, m³: what was recorded before stays.
  void change_density(double from, double to, double volume) {
    mass_source += (to - from) * volume;
    for (double* sum : {&forces.total, &forces.surface, &forces.friction, &split_friction, &depth_rate})
      *sum *= from / to;
  }
  Ledger at_density(double density) const {
    return {.mass_source = mass_source,
            .mass_lacking = mass_lacking,
            .work_geometry = work_geometry,
            .work_geometry_kinetic = work_geometry_kinetic,
            .work_forces = density * (forces.total + depth_rate + split_friction),
            .work_surface = density * forces.surface,
            .work_friction = density * (forces.friction + split_friction),
            .work_source = work_source,
            .work_change = work_change};
  }
};

}  // namespace shoal
