// Errors against the scene's solutions, ‖η−ηₑ‖/‖ηₑ‖ weighted with cell areas, and the same of elevation and
// velocity: of the vectors on triangles that a scheme reports, and of its own unknowns, which a scheme that
// reconstructs those vectors knows better.
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
  const Values& velocity = now.output("velocity");
  Vector difference(mesh.face_count()), speed(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 v = reference.velocity(geometry.centroid(mesh, k), now.simulation().time()),
                  n = geometry.face_normal.col(k), exact = v - n.dot(v) * n;
    difference[k] = (Vector3(velocity.col(k)) - exact).norm();
    speed[k] = exact.norm();
  }
  relative_norms(difference, speed, geometry.face_area, values);
}

/// What stands for the unknowns of the velocity: the output of their name or, where they are coefficients of
/// vectors on triangles, those vectors.
const Output& own_velocity(const Discretization& discretization) {
  const Output* own = discretization.find_output(discretization.velocity().name);
  return own ? *own : *discretization.find_output("velocity");
}

/// m², of each value of own_velocity(): an edge has a third of each of its triangles.
Vector own_areas(const Discretization& discretization) {
  if (const Output& output = own_velocity(discretization); output.area) return output.area();
  const Vector& faces = discretization.find_output("velocity")->area();
  const Mesh* own = discretization.own_triangulation();
  const Mesh& mesh = own ? *own : discretization.mesh();
  Vector area = Vector::Zero(mesh.edge_count());
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) area[mesh.face_edges(c, k)] += faces[k] / 3;
  return area;
}

/// ‖u − Π vₑ‖/‖Π vₑ‖, Π the scheme's own projection.
void own_velocity_norms(Instant& now, const Reference& reference, double* values) {
  const Discretization& discretization = now.discretization();
  const double time = now.simulation().time();
  const State projection = discretization.project(
      {.depth = {}, .velocity = [&](const Vector3& x) { return reference.velocity(x, time); }});
  const std::string& name = own_velocity(discretization).name;
  Values exact;
  discretization.sample(projection, now.water().forces(), name, exact);
  const Vector difference = (now.output(name) - exact).colwise().norm(), size = exact.colwise().norm();
  relative_norms(difference, size, own_areas(discretization), values);
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
          if (simulation.water().has_velocity() && reference.velocity)
            add_norms(
                columns, "_own_velocity" + suffix,
                "‖u−Πvₑ‖/‖Πvₑ‖ of the scheme's own unknowns: normal velocities at edges, else vectors of "
                "triangles; NaN where vₑ = 0",
                [&reference](Instant& now, double* values) { own_velocity_norms(now, reference, values); });
        }
        return columns;
      }};
}

}  // namespace shoal
