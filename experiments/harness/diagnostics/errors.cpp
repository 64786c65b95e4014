// Errors against the scene's solutions, ‖η−ηₑ‖/‖ηₑ‖ weighted with cell areas, and the same of elevation and
// velocity.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// a/b, not a number where b = 0.
double relative(double a, double b) {
  return b > 0 ? a / b : std::numeric_limits<double>::quiet_NaN();
}

/// l1, l2 and linf of a difference relative to what it is a difference from, weighted with areas; both
/// given by their absolute values.
void relative_norms(const Vector& difference, const Vector& exact, const Vector& area, double* values) {
  values[0] = relative(area.dot(difference), area.dot(exact));
  values[1] = std::sqrt(relative(area.dot(difference.cwiseAbs2()), area.dot(exact.cwiseAbs2())));
  values[2] = relative(difference.maxCoeff(), exact.maxCoeff());
}

/// Three columns whose values come from one evaluation, made when the first of them is asked for.
void add_norms(std::vector<DiagnosticColumn>& columns, const std::string& suffix, const std::string& meaning,
               std::function<void(Instant&, double*)> norms) {
  auto values = std::make_shared<std::array<double, 3>>();
  const char* names[] = {"l1", "l2", "linf"};
  for (std::size_t i = 0; i < 3; ++i)
    columns.push_back(
        {{fmt::format("{}_error{}", names[i], suffix), "1", meaning}, [=](Instant& now, double* value) {
           if (i == 0) norms(now, values->data());
           *value = (*values)[i];
         }});
}

/// The triangles of a scheme's own triangulation have no position in space.
bool compares_velocity(const Simulation& simulation, const Reference& reference) {
  return simulation.water().has_velocity() && reference.velocity &&
         !simulation.discretization().own_triangulation();
}

void velocity_norms(Instant& now, const Reference& reference, double* values) {
  const Mesh& mesh = now.simulation().surface().mesh;
  const Geometry& geometry = now.water().geometry();
  const Values& velocity = now.output(reference.absolute ? "absolute_velocity" : "velocity");
  Vector difference(mesh.face_count()), speed(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 v = reference.velocity(geometry.centroid(mesh, k), now.simulation().time()),
                  n = geometry.face_normal.col(k), exact = v - n.dot(v) * n;
    difference[k] = (Vector3(velocity.col(k)) - exact).norm();
    speed[k] = exact.norm();
  }
  relative_norms(difference, speed, geometry.face_area, values);
}

}  // namespace

DiagnosticEntry errors_diagnostic() {
  return {
      "errors", [](const Simulation& simulation) {
        std::vector<DiagnosticColumn> columns;
        for (const Reference& reference : simulation.scene().references) {
          const std::string suffix = reference.name.empty() ? "" : "_" + reference.name;
          auto exact = std::make_shared<Vector>();  // of this row
          add_norms(columns, suffix, "‖η−ηₑ‖/‖ηₑ‖ at the scheme's points",
                    [&reference, exact](Instant& now, double* values) {
                      const Cells& cells = now.discretization().cells();
                      reference.depth(cells.points, now.simulation().time(), *exact);
                      relative_norms((now.depth() - *exact).cwiseAbs(), exact->cwiseAbs(), cells.area,
                                     values);
                    });
          add_norms(columns, "_elevation" + suffix, "‖h−hₑ‖/‖hₑ‖ at the scheme's points; NaN where hₑ = 0",
                    [exact](Instant& now, double* values) {
                      const Cells& cells = now.discretization().cells();
                      relative_norms((now.depth() - *exact).cwiseAbs(), (*exact - cells.bed).cwiseAbs(),
                                     cells.area, values);
                    });
          if (compares_velocity(simulation, reference))
            add_norms(columns, "_velocity" + suffix,
                      "‖v−vₑ‖/‖vₑ‖ at the triangles' barycentres, vₑ tangential; NaN where vₑ = 0",
                      [&reference](Instant& now, double* values) { velocity_norms(now, reference, values); });
        }
        return columns;
      }};
}

}  // namespace shoal
