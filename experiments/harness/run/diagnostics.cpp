// The sums and extremes of a row of diagnostics, and where an unstable run broke.
#include "experiments/harness/run/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// a/b, not a number where b = 0.
double relative(double a, double b) {
  return b > 0 ? a / b : std::numeric_limits<double>::quiet_NaN();
}

/// l1, l2 and linf of a difference relative to what it is a difference from, weighted with areas; both
/// given by their absolute values.
void append_relative_norms(const Vector& difference, const Vector& exact, const Vector& area,
                           std::vector<double>& row) {
  row.push_back(relative(area.dot(difference), area.dot(exact)));
  row.push_back(std::sqrt(relative(area.dot(difference.cwiseAbs2()), area.dot(exact.cwiseAbs2()))));
  row.push_back(relative(difference.maxCoeff(), exact.maxCoeff()));
}

/// Index of the first entry that is not finite, or −1.
Index first_broken(const Vector& values) {
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

}  // namespace

Diagnostics::Diagnostics(const Simulation& simulation)
    : simulation_(simulation),
      has_velocity_(simulation.state().flow.size() > 0),
      solves_(simulation.solves_linear_systems()) {
  if (simulation.scene().motion) start_area_ = simulation.discretization().geometry().face_area;
  declare();
  if (simulation.mode()) start_amplitude_ = mode_amplitude();
  start_energy_ = energy().total();
}

void Diagnostics::declare() {
  quantities_ = {
      {"time", "s", "time"},
      {"mass", "kg", "ρ Σ V over the cells"},
      {"mass_source", "kg", "mass added by sources since t = 0"},
      {"energy_kinetic", "J", "kinetic energy, the scheme's own"},
      {"energy_potential", "J", "½ρg Σ A(h−h̄)²"},
      {"energy_total", "J", "kinetic + potential"},
      {"mean_elevation", "m", "h̄, the area mean of the elevation"},
      {"work_geometry", "J", "work done by the moving surface since t = 0"},
      {"work_forces", "J", "work of all forces but gravity g since t = 0, friction included"},
      {"min_depth", "m", "smallest depth of a cell"},
      {"max_depth", "m", "largest depth of a cell"},
      {"cfl", "1", "substep over the scheme's stable step"},
  };
  if (has_velocity_) {
    quantities_.push_back({"momentum", "kg m/s", "ρ Σ Aₖ η̄ₖ vₖ over the triangles", 3});
    quantities_.push_back({"enstrophy", "m^2/s^2", "½ Σ Aᵢ ωᵢ² over the vertices"});
    quantities_.push_back({"max_speed", "m/s", "largest speed on a triangle"});
  }
  if (solves_) {
    quantities_.push_back({"solver_iterations", "1", "iterations of the linear solver since the row before"});
    quantities_.push_back(
        {"solver_residual", "1", "largest ‖b−Ax‖/‖b‖ since the row before; NaN where it was not measured"});
    quantities_.push_back(
        {"factorizations", "1", "factorizations and preconditioners made since the row before"});
  }
  if (start_area_.size()) {
    if (solves_)
      quantities_.push_back({"analyses", "1", "new patterns of the matrix analysed since the row before"});
    quantities_.push_back({"min_angle", "degree", "smallest angle of a triangle of the surface"});
    quantities_.push_back({"max_area_ratio", "1",
                           "largest A/A(0) or A(0)/A of a triangle of the surface: how far it is stretched"});
  }
  for (const ClampCount& clamp : simulation_.discretization().clamp_counts(simulation_.state()))
    quantities_.push_back({clamp.name, "1", "elements at which the threshold takes effect"});
  if (simulation_.scene().motion)
    quantities_.push_back({"limited_inertia", "1", "vertices whose acceleration inertia_limit cut"});
  if (simulation_.mode()) {
    quantities_.push_back(
        {"mode_amplitude", "m", "c = ⟨h, z⟩/⟨z, z⟩ of the scene's mode z, ⟨a, b⟩ = Σ A a b"});
    quantities_.push_back(
        {"mode_residual", "1", "‖h − c z‖/‖c(0) z‖: what is in other modes, relative to the start"});
  }
  for (const Reference& reference : simulation_.scene().references) {
    const std::string suffix = reference.name.empty() ? "" : "_" + reference.name;
    for (const char* field : {"", "_elevation"})
      for (const char* norm : {"l1", "l2", "linf"})
        quantities_.push_back({fmt::format("{}_error{}{}", norm, field, suffix), "1",
                               *field ? "‖h−hₑ‖/‖hₑ‖ at the scheme's points; NaN where hₑ = 0"
                                      : "‖η−ηₑ‖/‖ηₑ‖ at the scheme's points"});
    if (!compares_velocity(reference)) continue;
    for (const char* norm : {"l1", "l2", "linf"})
      quantities_.push_back({fmt::format("{}_error_velocity{}", norm, suffix), "1",
                             "‖v−vₑ‖/‖vₑ‖ at the triangles' barycentres, vₑ tangential; NaN where vₑ = 0"});
  }
}

Energy Diagnostics::energy_between_rows() const {
  return has_velocity_ ? energy() : simulation_.water().potential_energy();
}

std::vector<double> Diagnostics::evaluate(const Energy& energy, const SolverWork& work) const {
  const Discretization& discretization = simulation_.discretization();
  const Cells& cells = discretization.cells();
  const State& state = simulation_.state();
  const Vector depth = state.volume.cwiseQuotient(cells.area);
  const double substep = simulation_.dt() / simulation_.substeps();
  const double mass_source = 0;  // there are no sources yet
  const double work_geometry = simulation_.water().work_geometry();
  const double work_forces = simulation_.water().work_forces();
  std::vector<double> row = {simulation_.time(),    simulation_.scene().density * state.volume.sum(),
                             mass_source,           energy.kinetic,
                             energy.potential,      energy.total(),
                             energy.mean_elevation, work_geometry,
                             work_forces,           depth.minCoeff(),
                             depth.maxCoeff(),      substep / discretization.stable_dt(state)};
  if (has_velocity_) append_velocity(row);
  if (solves_)
    row.insert(row.end(), {static_cast<double>(work.iterations), work.residual,
                           static_cast<double>(work.factorizations)});
  if (start_area_.size()) {
    if (solves_) row.push_back(work.analyses);
    append_shape(row);
  }
  for (const ClampCount& clamp : discretization.clamp_counts(state)) row.push_back(clamp.count);
  if (simulation_.scene().motion) row.push_back(simulation_.water().limited_inertia());
  if (simulation_.mode()) append_mode(row);
  append_errors(row);
  return row;
}

void Diagnostics::append_shape(std::vector<double>& row) const {
  const Geometry& geometry = simulation_.discretization().geometry();
  const auto growth = geometry.face_area.array() / start_area_.array();
  row.push_back(std::atan2(1.0, geometry.cotangent.maxCoeff()) * 180 / std::numbers::pi);
  row.push_back(std::max(growth.maxCoeff(), 1 / growth.minCoeff()));
}

void Diagnostics::append_velocity(std::vector<double>& row) const {
  const Discretization& discretization = simulation_.discretization();
  const State& state = simulation_.state();
  Points velocity;
  Vector depth, vorticity;
  discretization.face_velocity(state, velocity);
  discretization.face_depth(state, depth);
  discretization.vertex_vorticity(state, vorticity);
  const Vector3 momentum =
      simulation_.scene().density * (velocity * discretization.face_area().cwiseProduct(depth));
  row.insert(row.end(), momentum.begin(), momentum.end());
  row.push_back(0.5 * discretization.vorticity_area().dot(vorticity.cwiseAbs2()));
  row.push_back(velocity.colwise().norm().maxCoeff());
}

void Diagnostics::append_mode(std::vector<double>& row) const {
  const double amplitude = mode_amplitude();
  const Cells& cells = simulation_.discretization().cells();
  const Vector& z = simulation_.mode()->elevation;
  const auto rest =
      simulation_.state().volume.array() / cells.area.array() - cells.bed.array() - amplitude * z.array();
  row.push_back(amplitude);
  row.push_back(std::sqrt((cells.area.array() * rest.square()).sum() /
                          (cells.area.array() * z.array().square()).sum()) /
                std::abs(start_amplitude_));
}

double Diagnostics::mode_amplitude() const {
  const Cells& cells = simulation_.discretization().cells();
  const Vector& z = simulation_.mode()->elevation;
  const Vector elevation = simulation_.state().volume.cwiseQuotient(cells.area) - cells.bed;
  const Vector weight = cells.area.cwiseProduct(z);
  return weight.dot(elevation) / weight.dot(z);
}

void Diagnostics::append_errors(std::vector<double>& row) const {
  const Cells& cells = simulation_.discretization().cells();
  const Vector depth = simulation_.state().volume.cwiseQuotient(cells.area);
  Vector exact;
  for (const Reference& reference : simulation_.scene().references) {
    reference.depth(cells.points, simulation_.time(), exact);
    const Vector difference = (depth - exact).cwiseAbs();
    append_relative_norms(difference, exact.cwiseAbs(), cells.area, row);
    append_relative_norms(difference, (exact - cells.bed).cwiseAbs(), cells.area, row);
    if (compares_velocity(reference)) append_velocity_errors(reference, row);
  }
}

/// Triangles that a scheme makes for itself have no place in space.
bool Diagnostics::compares_velocity(const Reference& reference) const {
  return has_velocity_ && reference.velocity && !simulation_.discretization().own_triangulation();
}

void Diagnostics::append_velocity_errors(const Reference& reference, std::vector<double>& row) const {
  const Mesh& mesh = simulation_.surface().mesh;
  const Geometry& geometry = simulation_.water().geometry();
  Points velocity;
  simulation_.discretization().face_velocity(simulation_.state(), velocity);
  Vector difference(mesh.face_count()), speed(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 v = reference.velocity(geometry.centroid(mesh, k), simulation_.time()),
                  n = geometry.face_normal.col(k), exact = v - n.dot(v) * n;
    difference[k] = (velocity.col(k) - exact).norm();
    speed[k] = exact.norm();
  }
  append_relative_norms(difference, speed, geometry.face_area, row);
}

std::string Diagnostics::instability(const Energy& energy) const {
  std::string reason = what_broke(energy);
  if (reason.empty()) return "";
  for (const ClampCount& clamp : simulation_.discretization().clamp_counts(simulation_.state()))
    if (clamp.count > 0) reason += fmt::format("; {} at {} elements", clamp.name, clamp.count);
  return reason;
}

std::string Diagnostics::what_broke(const Energy& energy) const {
  const Cells& cells = simulation_.discretization().cells();
  const State& state = simulation_.state();
  if (const Index cell = first_broken(state.volume); cell >= 0)
    return fmt::format("the depth {} is not finite at {}", state.volume[cell] / cells.area[cell],
                       describe_cell(cell));
  if (const Index cell = first_broken(state.volume_rate); cell >= 0)
    return fmt::format("the depth rate {} is not finite at {}", state.volume_rate[cell] / cells.area[cell],
                       describe_cell(cell));
  if (const Index entry = first_broken(state.flow); entry >= 0) {
    const auto [kind, element] = simulation_.discretization().flow_element(entry);
    return fmt::format("the velocity {} is not finite at {}", state.flow[entry],
                       describe_element(kind, element));
  }
  // A surface or a force may give more than there was, and take it back; what runs away gets work done on it
  // too, hence the bound.
  const double speed = simulation_.water().largest_speed();
  const double most = simulation_.energy_scale() +
                      0.5 * simulation_.scene().density * state.volume.cwiseAbs().sum() * speed * speed;
  const double work = std::fmin(simulation_.water().largest_work(), most);
  const double limit = 10 * (start_energy_ + work + 1e-6 * simulation_.energy_scale());
  if (energy.total() <= limit) return "";
  Index cell = 0;
  const Vector elevation = state.volume.cwiseQuotient(cells.area) - cells.bed;
  elevation.cwiseAbs().maxCoeff(&cell);
  return fmt::format(
      "the energy {:.6g} J is not below 10·(E(0) {}+ 1e-6·ρgH²·area) = {:.6g} J; the largest elevation is "
      "{:.6g} m at {}",
      energy.total(), work > 0 ? "+ largest |work|, as far as it counts, " : "", limit, elevation[cell],
      describe_cell(cell));
}

std::string Diagnostics::describe_cell(Index cell) const {
  const Cells& cells = simulation_.discretization().cells();
  const auto element =
      std::find(cells.of_element.begin(), cells.of_element.end(), cell) - cells.of_element.begin();
  return describe_element(cells.location == Location::vertex ? "vertex" : "face",
                          static_cast<Index>(element));
}

std::string Diagnostics::describe_element(const std::string& kind, Index element) const {
  const Surface& surface = simulation_.surface();
  const Mesh* own = simulation_.discretization().own_triangulation();
  const Mesh& mesh = own ? *own : surface.mesh;
  const auto at = static_cast<std::size_t>(element);
  const auto input_vertex = [&](Index v) { return surface.input_vertex[static_cast<std::size_t>(v)]; };
  const auto position = [&](Index v) -> Vector3 { return simulation_.water().geometry().x.col(v); };
  std::string name;
  Vector3 x;
  if (kind == "vertex") {
    name = fmt::format("vertex {}", input_vertex(element));
    x = position(element);
  } else if (kind == "face") {
    name = own ? fmt::format("face {} of the run's own triangulation", element)
               : fmt::format("face {}", surface.input_face[at]);
    x = simulation_.discretization().geometry().centroid(mesh, element);
  } else {
    const Index tail = mesh.edges(0, element), head = mesh.edges(1, element);
    name = fmt::format("the edge from vertex {} to vertex {}", input_vertex(tail), input_vertex(head));
    x = 0.5 * (position(tail) + position(head));
  }
  return fmt::format("{} ({:.6g}, {:.6g}, {:.6g})", name, x.x(), x.y(), x.z());
}

}  // namespace shoal
