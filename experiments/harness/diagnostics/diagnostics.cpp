// Rows of the list of diagnostics, and the place at which a run became unstable.
#include "experiments/harness/diagnostics/diagnostics.hpp"

#include "discretizations/mesh/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace shoal {
namespace {

constexpr double blank = std::numeric_limits<double>::quiet_NaN();

/// Index of the first entry of this process that is not finite, or −1.
template <class IsOwn>
Index first_broken(const VectorIn& values, const IsOwn& is_own) {
  if ((0 * values.array()).sum() == 0) return -1;  // 0 · ∞ and 0 · NaN are NaN
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]) && is_own(i)) return i;
  return -1;
}

}  // namespace

Diagnostics::Diagnostics(const Simulation& simulation)
    : simulation_(simulation), growth_(simulation, energy()), start_energy_(growth_.start().total()) {
  for (const DiagnosticEntry& entry : simulation.catalog().diagnostics)
    for (DiagnosticColumn& column : entry.columns(simulation)) {
      quantities_.push_back(column.quantity);
      columns_.push_back(std::move(column));
    }
  absent_.assign(columns_.size(), false);
  constexpr double of_rounding = 1e-14;                                            // fraction of ρgH²·area
  if (start_energy_ < of_rounding * simulation.energy_scale()) start_energy_ = 0;  // NaN is kept
}

double Diagnostics::energy_ratio(const Energy& energy) const {
  return start_energy_ > 0 ? energy.total() / start_energy_ : blank;
}

Energy Diagnostics::energy_between_rows() const {
  return simulation_.water().has_velocity() ? energy() : simulation_.water().potential_energy();
}

/// Keeps the columns that the run would have if it began now.
void Diagnostics::follow_changes() {
  if (simulation_.changes() == changes_) return;
  changes_ = simulation_.changes();
  std::set<std::string> present;
  for (const DiagnosticEntry& entry : simulation_.catalog().diagnostics)
    for (const DiagnosticColumn& column : entry.columns(simulation_)) present.insert(column.quantity.name);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    absent_[i] = !present.count(columns_[i].quantity.name);
    quantities_[i].may_be_blank = absent_[i] || columns_[i].quantity.may_be_blank;
  }
}

std::vector<double> Diagnostics::evaluate(const Energy& energy, const SolverWork& work) {
  follow_changes();
  Instant now(simulation_, energy, work);
  std::vector<double> row;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t begin = row.size();
    row.resize(begin + static_cast<std::size_t>(columns_[i].quantity.components), blank);
    if (!absent_[i]) columns_[i].evaluate(now, row.data() + begin);
  }
  return row;
}

void Diagnostics::save(Archive& archive) const {
  for (const DiagnosticColumn& column : columns_)
    if (column.memory) archive.put(column.quantity.name, *column.memory);
  archive.put("growth", growth_.saved());
}

void Diagnostics::restore(const Archive& archive) {
  for (DiagnosticColumn& column : columns_)
    if (column.memory) *column.memory = archive.vector(column.quantity.name);
  growth_.restore(archive.vector("growth"));
}

std::string Diagnostics::instability(const Energy& energy) {
  std::string reason = instability_reason(energy);
  if (reason.empty()) return "";
  for (const ClampCount& clamp : simulation_.water().clamp_counts())
    if (clamp.count > 0) reason += fmt::format("; {} at {} elements", clamp.name, clamp.count);
  return reason;
}

/// Sums may overflow even if all values of the state are finite.
std::string Diagnostics::broken_sum(const Energy& energy) const {
  const Ledger ledger = simulation_.water().ledger();
  const std::pair<const char*, double> sums[] = {
      {"the scale of energies ρgH²·area", simulation_.energy_scale()},
      {"the potential energy", energy.potential},
      {"the kinetic energy", energy.kinetic},
      {"the energy", energy.total()},
      {"the work of forces", ledger.work_forces},
      {"the work of the surface", ledger.work_geometry},
      {"the energy of water added by sources", ledger.work_source}};
  for (const auto& [name, value] : sums)
    if (!std::isfinite(value)) return fmt::format("{}, {} J, is not finite", name, value);
  const double mass = simulation_.scene().density * energy.volume;
  if (!std::isfinite(mass)) return fmt::format("the mass, {} kg, is not finite", mass);
  return "";
}

/// Reports a floating body that oscillates too fast for the step.
std::string Diagnostics::unresolved_body() const {
  const World& world = simulation_.world();
  for (int i = 0; i < world.model_count(); ++i) {
    const Coupling* coupling = world.coupling(i);
    if (!coupling || simulation_.dt() <= coupling->collision().stable_dt()) continue;
    return fmt::format("body '{}' is so light that steps above {:.3g} s are unstable on this water",
                       world.bodies().name(coupling->collision().fastest_body()),
                       coupling->collision().stable_dt());
  }
  return "";
}

/// The first unknown of this process that is not finite.
std::string Diagnostics::broken_unknown() const {
  const Cells& cells = simulation_.discretization().cells();
  const Mesh& mesh = simulation_.discretization().mesh();
  const ShallowWater& water = simulation_.water();
  const ConstBlock volume = water.volume();
  const Range own_cells = own(mesh, cells);
  if (const Index cell = first_broken(volume, [&](Index i) { return own_cells.has(i); }); cell >= 0)
    return fmt::format("the depth {} is not finite at {}", volume[cell] / cells.area[cell],
                       describe_cell(cell));
  for (const Field& field : water.layout().fields()) {
    const ConstBlock values = water.state()[field];
    const Index entry = first_broken(values, [&](Index i) {
      return !mesh.part || field.location == Location::boundary_set || field.location == Location::whole ||
             own(mesh, place_of(field, cells)).has(element_of(field, i, cells));
    });
    if (entry < 0) continue;
    if (field.location == Location::boundary_set || field.location == Location::whole)
      return fmt::format("the {} {} is not finite", field.name, values[entry]);
    if (field.location == Location::cell)
      return fmt::format("the depth rate {} is not finite at {}", values[entry] / cells.area[entry],
                         describe_cell(entry));
    return fmt::format("the velocity {} is not finite at {}", values[entry],
                       describe_element(field.location, field.element(entry)));
  }
  return "";
}

std::string Diagnostics::instability_reason(const Energy& energy) {
  if (std::string broken = first_said(simulation_.ranks(), broken_unknown()); !broken.empty()) return broken;
  if (std::string sum = broken_sum(energy); !sum.empty()) return sum;
  if (std::string body = unresolved_body(); !body.empty()) return body;
  if (growth_.explains(energy)) return "";
  return growth_.reason(energy) + where_it_grew(energy);
}

/// The largest contribution to each part of the energy, beginning with the part that grew most.
std::string Diagnostics::where_it_grew(const Energy& energy) const {
  const ShallowWater& water = simulation_.water();
  const Cells& cells = simulation_.discretization().cells();
  const Mesh& mesh = simulation_.discretization().mesh();
  /// What describe(index) says of the first element with the largest size(index).
  const auto describe_largest = [&](const auto& place, const auto& size, const auto& describe) {
    const double largest = max(mesh, place, size);
    const Range range = own(mesh, place);
    std::string said;
    for (Index i = range.begin; i < range.begin + range.count && said.empty(); ++i)
      if (size(i) == largest) said = describe(i);
    return first_said(simulation_.ranks(), said);
  };
  const Vector elevation = water.volume().cwiseQuotient(cells.area) - cells.bed;
  const std::string places = describe_largest(
      cells, [&](Index c) { return std::abs(elevation[c] - energy.mean_elevation); },
      [&](Index c) {
        return fmt::format("; the elevation farthest from its mean is {:.6g} m at {}", elevation[c],
                           describe_cell(c));
      });
  if (!water.has_velocity()) return places;
  Values velocity;
  water.sample("velocity", velocity);
  const auto speed = [&](Index k) { return velocity.col(k).norm(); };
  const Range faces = mesh.part ? own(mesh, Location::face) : Range{0, static_cast<Index>(velocity.cols())};
  const std::string fastest = describe_largest(faces, speed, [&](Index k) {
    return fmt::format("; the largest speed is {:.6g} m/s at {}", speed(k),
                       describe_element(Location::face, k));
  });
  const Energy& start = growth_.start();
  const bool moves = energy.kinetic - start.kinetic > energy.potential - start.potential;
  return moves ? fastest + places : places + fastest;
}

std::string Diagnostics::describe_cell(Index cell) const {
  const Cells& cells = simulation_.discretization().cells();
  const auto element =
      std::find(cells.of_element.begin(), cells.of_element.end(), cell) - cells.of_element.begin();
  return describe_element(cells.location, static_cast<Index>(element));
}

std::string Diagnostics::describe_element(Location location, Index element) const {
  const Surface& surface = simulation_.surface();
  const Mesh* own = simulation_.discretization().own_triangulation();
  const Mesh& mesh = own ? *own : surface.mesh;
  const auto at = static_cast<std::size_t>(element);
  const auto input_vertex = [&](Index v) { return surface.input_vertex[static_cast<std::size_t>(v)]; };
  const auto position = [&](Index v) -> Vector3 { return simulation_.water().geometry().x.col(v); };
  std::string name;
  Vector3 x;
  if (location == Location::vertex) {
    name = fmt::format("vertex {}", input_vertex(element));
    x = position(element);
  } else if (location == Location::face) {
    name = own ? fmt::format("face {} of the run's own triangulation",
                             surface.mesh.part ? surface.mesh.part->face[element] : element)
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
