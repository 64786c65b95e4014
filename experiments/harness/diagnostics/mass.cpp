// mass = ρ Σ V, also per connected component, and mass added from outside.
#include "discretizations/components.hpp"
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <limits>

namespace shoal {
namespace {

/// The connected components of the surface, by the cells of the scheme.
struct Parts {
  explicit Parts(const Simulation& simulation)
      : components(simulation.discretization().mesh(), simulation.discretization().cells()),
        changes(simulation.changes()) {}
  Components components;
  int changes;  // number of changes of the scheme when the components were found
};

/// The expected mass of a component is known only without inflow.
double component_drift(Instant& now, Parts& parts, const Vector& start) {
  const ShallowWater& water = now.water();
  if (water.ledger().mass_source != 0 || water.forces().has_inflow ||
      !water.forces().open_boundary.flux_sets.empty())
    return std::numeric_limits<double>::quiet_NaN();
  if (parts.changes != now.simulation().changes()) parts = Parts(now.simulation());
  Vector volume;
  parts.components.add_up(water.volume(), volume);
  return ((volume - start).array() / start.array()).abs().maxCoeff();
}

}  // namespace

DiagnosticEntry mass_diagnostic() {
  return {"mass", [](const Simulation& simulation) {
            std::vector<DiagnosticColumn> columns = {
                {{"mass", "kg", "ρ Σ V over the cells"},
                 [](Instant& now, double* value) {
                   *value = now.simulation().scene().density * now.energy().volume;
                 }},
                {{"mass_source", "kg", "mass added by sources since t = 0"},
                 [](Instant& now, double* value) { *value = now.water().ledger().mass_source; }},
                {{"mass_lacking", "kg",
                  "mass that sinks, negative rain and outward discharges could not remove since t = 0"},
                 [](Instant& now, double* value) { *value = now.water().ledger().mass_lacking; }}};
            const auto parts = std::make_shared<Parts>(simulation);
            if (parts->components.count() == 1) return columns;
            Vector start;
            parts->components.add_up(simulation.water().volume(), start);
            columns.push_back({{"component_mass_drift", "1",
                                "largest |m/m(0) − 1| of a connected component of the surface; NaN where "
                                "water is added",
                                1, true},
                               [parts, start](Instant& now, double* value) {
                                 *value = component_drift(now, *parts, start);
                               }});
            return columns;
          }};
}

}  // namespace shoal
