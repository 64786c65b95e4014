// Errors against the scene's solutions: ‖η−ηₑ‖/‖ηₑ‖, weighted with cell areas. Errors of elevation and velocity are relative to the
// largest norm of the solution so far, because a standing wave passes through zero and a flow may start from rest. Errors of the
// velocity are computed for the vectors on triangles that a scheme reports, and for its own unknowns, which are more accurate if
// the scheme reconstructs the vectors from them.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// a/b, NaN if b = 0.
double relative(double a, double b) {
  return b > 0 ? a / b : std::numeric_limits<double>::quiet_NaN();
}

using Norms = std::array<double, 3>;

/// Area-weighted l1, l2 and linf norms of absolute values.
template <class Place>
Norms norms_of(const Mesh& mesh, const Place& place, const Vector& values, const Vector& area) {
  return {dot(mesh, place, area, values), std::sqrt(dot(mesh, place, area, values.cwiseAbs2())),
          max(mesh, place, values)};
}

Norms cell_norms(const Instant& now, const Vector& values) {
  const Cells& cells = now.discretization().cells();
  return norms_of(now.discretization().mesh(), cells, values, cells.area);
}

/// The largest norms so far, which checkpoints preserve.
class LargestNorms {
 public:
  Norms with(const Norms& norms) const {
    Norms largest;
    for (std::size_t i = 0; i < norms.size(); ++i) {
      double& one = (*values_)[static_cast<Index>(i)];
      if (norms[i] > one) one = norms[i];
      largest[i] = one;
    }
    return largest;
  }
  const std::shared_ptr<Vector>& memory() const { return values_; }

 private:
  std::shared_ptr<Vector> values_ = std::make_shared<Vector>(Vector::Zero(3));
};

void divide(const Norms& difference, const Norms& exact, double* values) {
  for (std::size_t i = 0; i < difference.size(); ++i) values[i] = relative(difference[i], exact[i]);
}

/// Three columns computed by one evaluation, on the first request.
void add_norms(std::vector<DiagnosticColumn>& columns, const std::string& suffix, const std::string& meaning,
               std::function<void(Instant&, double*)> norms, std::shared_ptr<Vector> memory = nullptr) {
  auto values = std::make_shared<Norms>();
  const char* names[] = {"l1", "l2", "linf"};
  for (std::size_t i = 0; i < 3; ++i)
    columns.push_back({{fmt::format("{}_error{}", names[i], suffix), "1", meaning, 1, true},
                       [=](Instant& now, double* value) {
                         if (i == 0) norms(now, values->data());
                         *value = (*values)[i];
                       },
                       i == 0 ? memory : nullptr});
}

/// The triangles of a scheme's own triangulation have no position in space.
bool compares_velocity(const Simulation& simulation, const Reference& reference) {
  return simulation.water().has_velocity() && reference.velocity &&
         !simulation.discretization().own_triangulation();
}

void velocity_norms(Instant& now, const Reference& reference, const LargestNorms& largest, double* values) {
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
  const auto norms = [&](const Vector& sizes) {
    return norms_of(mesh, Location::face, sizes, geometry.face_area);
  };
  divide(norms(difference), largest.with(norms(speed)), values);
}

/// The output that represents the unknowns of the velocity: the one with their name or, if the unknowns are coefficients of vectors
/// on triangles, these vectors.
const Output& own_velocity(const Discretization& discretization) {
  const Output* own = discretization.find_output(discretization.velocity().name);
  return own ? *own : *discretization.find_output("velocity");
}

/// The area of each value of own_velocity(), m²; an edge has a third of each of its triangles.
Vector own_areas(const Discretization& discretization) {
  if (const Output& output = own_velocity(discretization); output.area) return output.area();
  const Vector& faces = discretization.find_output("velocity")->area();
  const Mesh& mesh = discretization.triangles();
  Vector area = Vector::Zero(mesh.edge_count());
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) area[mesh.face_edges(c, k)] += faces[k] / 3;
  return area;
}

/// ‖u − Π vₑ‖/‖Π vₑ‖, where Π is the scheme's own projection onto its initial flows.
void own_velocity_norms(Instant& now, const Reference& reference, const LargestNorms& largest,
                        double* values) {
  const Discretization& discretization = now.discretization();
  const double time = now.simulation().time();
  State projection = discretization.project(
      {.depth = {}, .velocity = [&](const Vector3& x) { return reference.velocity(x, time); }});
  if (now.water().advects())
    discretization.project_initial_velocity(Term::advection, projection, now.water().scratch());
  const std::string& name = own_velocity(discretization).name;
  Values exact, own;
  discretization.sample(projection, now.water().forces(), name, exact);
  if (const Points& moving = now.water().surface_velocity(); reference.absolute && moving.size()) {
    State flow = now.water().state();
    offered<MovesWithSurface>(discretization)->add_surface_velocity(moving, 1, flow, now.water().scratch());
    discretization.sample(flow, now.water().forces(), name, own);
  } else {
    own = now.output(name);
  }
  const Vector difference = (own - exact).colwise().norm(), size = exact.colwise().norm();
  const Vector area = own_areas(discretization);
  const auto norms = [&](const Vector& sizes) {
    return norms_of(discretization.mesh(), own_velocity(discretization).location, sizes, area);
  };
  divide(norms(difference), largest.with(norms(size)), values);
}

}  // namespace

DiagnosticEntry errors_diagnostic() {
  return {"errors", [](const Simulation& simulation) {
            std::vector<DiagnosticColumn> columns;
            for (const Reference& reference : simulation.scene().references) {
              const std::string suffix = reference.name.empty() ? "" : "_" + reference.name;
              auto exact = std::make_shared<Vector>();  // of this row
              add_norms(columns, suffix, "‖η−ηₑ‖/‖ηₑ‖ at the scheme's points",
                        [&reference, exact](Instant& now, double* values) {
                          const Cells& cells = now.discretization().cells();
                          reference.depth(cells.points, now.simulation().time(), *exact);
                          divide(cell_norms(now, (now.depth() - *exact).cwiseAbs()),
                                 cell_norms(now, exact->cwiseAbs()), values);
                        });
              const LargestNorms largest_elevation, largest_velocity, largest_own_velocity;
              add_norms(
                  columns, "_elevation" + suffix,
                  "‖h−hₑ‖ / largest ‖hₑ‖ up to this row, at the scheme's points; NaN while hₑ = 0",
                  [exact, largest_elevation](Instant& now, double* values) {
                    const Cells& cells = now.discretization().cells();
                    divide(cell_norms(now, (now.depth() - *exact).cwiseAbs()),
                           largest_elevation.with(cell_norms(now, (*exact - cells.bed).cwiseAbs())), values);
                  },
                  largest_elevation.memory());
              if (compares_velocity(simulation, reference))
                add_norms(
                    columns, "_velocity" + suffix,
                    "‖v−vₑ‖ / largest ‖vₑ‖ up to this row, at the barycentres of triangles, vₑ tangential; "
                    "NaN while vₑ = 0",
                    [&reference, largest_velocity](Instant& now, double* values) {
                      velocity_norms(now, reference, largest_velocity, values);
                    },
                    largest_velocity.memory());
              if (simulation.water().has_velocity() && reference.velocity)
                add_norms(
                    columns, "_own_velocity" + suffix,
                    "‖u−Πvₑ‖ / largest ‖Πvₑ‖ up to this row, for the scheme's own unknowns: normal "
                    "velocities at edges, or vectors of triangles; NaN while vₑ = 0",
                    [&reference, largest_own_velocity](Instant& now, double* values) {
                      own_velocity_norms(now, reference, largest_own_velocity, values);
                    },
                    largest_own_velocity.memory());
            }
            return columns;
          }};
}

}  // namespace shoal
