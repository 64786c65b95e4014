// Energies, potential = ½ρg Σ A(h−h̄)², and the work done on the water.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry energy_diagnostic() {
  return {"energy", [](const Simulation&) -> std::vector<DiagnosticColumn> {
            return {
                {{"energy_kinetic", "J", "kinetic energy, the scheme's own"},
                 [](Instant& now, double* value) { *value = now.energy().kinetic; }},
                {{"energy_potential", "J", "½ρg Σ A(h−h̄)²"},
                 [](Instant& now, double* value) { *value = now.energy().potential; }},
                {{"energy_total", "J", "kinetic + potential"},
                 [](Instant& now, double* value) { *value = now.energy().total(); }},
                {{"mean_elevation", "m", "h̄, the area mean of the elevation"},
                 [](Instant& now, double* value) { *value = now.energy().mean_elevation; }},
                {{"work_geometry", "J", "work done by the moving surface since t = 0"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_geometry; }},
                {{"work_geometry_kinetic", "J", "part of work_geometry that became kinetic energy"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_geometry_kinetic; }},
                {{"work_forces", "J", "work of all forces except gravity g since t = 0, including friction"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_forces; }},
                {{"work_surface", "J", "part of work_forces due to the velocity of the surface, by ∇½|ẋ|²"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_surface; }},
                {{"work_friction", "J", "part of work_forces due to friction"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_friction; }},
                {{"work_source", "J", "energy of the water added by sources since t = 0"},
                 [](Instant& now, double* value) { *value = now.water().ledger().work_source; }}};
          }};
}

}  // namespace shoal
