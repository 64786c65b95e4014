#include "experiments/harness/run/water_observer.hpp"

#include "discretizations/mesh/part.hpp"
#include "experiments/harness/run/missing_water.hpp"
#include "experiments/harness/run/run_attributes.hpp"
#include "solvers/launched_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double depth_rounding =
    1e-13;  // fraction of the largest depth: round-off in a cell that has run dry

/// Faces and edges of the scheme's own triangulation on the whole surface.
std::shared_ptr<const Mesh> gathered_triangulation(const Discretization& scheme) {
  const Mesh* own = scheme.own_triangulation();
  if (!scheme.mesh().part || !own) return nullptr;
  const Array<Index>& vertex = scheme.mesh().part->vertex;
  const auto of_whole = [&](Location at, const auto& elements) {
    Eigen::MatrixXd vertices(elements.rows(), elements.cols());
    for (Eigen::Index i = 0; i < elements.size(); ++i)
      vertices.reshaped()[i] = vertex[elements.reshaped()[i]];
    return gathered(scheme.mesh(), at, vertices);
  };
  auto whole = std::make_shared<Mesh>();
  whole->faces = of_whole(Location::face, own->faces).template cast<Index>();
  whole->edges = of_whole(Location::edge, own->edges).template cast<Index>();
  return ranks_of(scheme.mesh()).rank() == 0 ? whole : nullptr;
}

std::string suffixed(const std::string& name, const std::string& suffix) {
  return name + (suffix.empty() ? "" : "_" + suffix);
}

}  // namespace

WaterObserver::WaterObserver(const Simulation& simulation, const RunConfiguration& configuration)
    : Observer(simulation),
      simulation_(simulation),
      configuration_(configuration),
      diagnostics_(simulation),
      cells_at_(scheme().cells().location),
      start_mass_(mass()),
      gathered_triangulation_(gathered_triangulation(scheme())) {
  for (const Quantity& quantity : quantities()) {
    if (quantity.name == "cfl") break;
    cfl_column_ += static_cast<std::size_t>(quantity.components);
  }
}

std::vector<double> WaterObserver::row(const SolverWork& work) {
  if (!std::exchange(energy_is_whole_, true)) energy_ = diagnostics_.energy();
  std::vector<double> row = diagnostics_.evaluate(energy_, work);
  watch_clamps();
  if (!unstable_) watch_cfl(row);
  return row;
}

std::vector<OutputInfo> WaterObserver::edge_outputs() const {
  std::vector<OutputInfo> outputs = simulation_.model().outputs();
  std::erase_if(outputs, [](const OutputInfo& output) { return output.location != Location::edge; });
  if (!water().has_velocity()) outputs.clear();
  return outputs;
}

/// Cell values over the vertices or faces that the cells consist of.
void WaterObserver::spread(const Vector& cell_values, Values& values) const {
  const Cells& cells = scheme().cells();
  const Mesh& mesh = simulation_.surface().mesh;
  values.resize(1, cells.location == Location::vertex ? mesh.vertex_count : mesh.face_count());
  for (Index i = 0; i < values.cols(); ++i) values(0, i) = cell_values[cells.of_element[i]];
}

std::vector<SnapshotField> WaterObserver::fields() const {
  std::vector<SnapshotField> fields;
  const auto of_cells = [&](const std::string& name, const std::string& unit,
                            std::function<Vector(const Cells&)> values_of) {
    fields.push_back({name, unit, cells_at_, 1, [this, values_of](Values& values) {
                        if (scheme().cells().location != cells_at_) return false;
                        const Vector found = values_of(scheme().cells());
                        if (found.size() > 0) spread(found, values);
                        return found.size() > 0;
                      }});
  };
  const auto at_vertices = [&](const std::string& name, std::function<void(Values&)> evaluate) {
    fields.push_back({name, "m", Location::vertex, 1, [evaluate](Values& values) {
                        evaluate(values);
                        return true;
                      }});
  };
  if (simulation_.moves())
    fields.push_back({"positions", "m", Location::vertex, 3, [this](Values& values) {
                        values = water().geometry().x;
                        return true;
                      }});
  of_cells("depth", "m",
           [this](const Cells& cells) { return Vector(water().volume().cwiseQuotient(cells.area)); });
  at_vertices("depth_at_vertices", [this](Values& values) { water().sample("depth_at_vertices", values); });
  of_cells("elevation", "m", [this](const Cells& cells) {
    return Vector(water().volume().cwiseQuotient(cells.area) - cells.bed);
  });
  at_vertices("elevation_at_vertices", [this](Values& values) {
    water().sample("depth_at_vertices", values);
    values.row(0) -= simulation_.bed().transpose();
  });
  if (!water().has_velocity())
    of_cells("depth_rate", "m/s", [this](const Cells& cells) {
      return water().has_velocity()
                 ? Vector()
                 : Vector(water().state()[water().layout()["volume_rate"]].cwiseQuotient(cells.area));
    });
  if (water().has_velocity())
    fields.push_back({"velocity", "m/s", Location::face, 3, [this](Values& values) {
                        if (water().has_velocity()) water().sample("velocity", values);
                        return water().has_velocity();
                      }});
  if (water().has_velocity())
    for (const char* name : {"vorticity", "divergence"})
      fields.push_back({name, "1/s", Location::vertex, 1, [this, name](Values& values) {
                          if (water().has_velocity()) water().sample(name, values);
                          return water().has_velocity();
                        }});
  for (const OutputInfo& output : edge_outputs())
    fields.push_back({output.name, output.unit, Location::edge, output.components,
                      [this, name = output.name](Values& values) {
                        if (!(water().has_velocity() && scheme().find_output(name))) return false;
                        water().sample(name, values);
                        return true;
                      }});
  for (const Reference& reference : simulation_.scene().references)
    at_vertices(suffixed("reference_depth_at_vertices", reference.name), [this, &reference](Values& values) {
      Vector depth;
      reference.depth(water().geometry().x, simulation_.time(), depth);
      values = depth.transpose();
    });
  return fields;
}

std::vector<SnapshotField> WaterObserver::constants() const {
  return {{"bed_depth", "m", cells_at_, 1,
           [this](Values& values) {
             spread(scheme().cells().bed, values);
             return true;
           }},
          {"bed_depth_at_vertices", "m", Location::vertex, 1, [this](Values& values) {
             values = simulation_.bed().transpose();
             return true;
           }}};
}

Values WaterObserver::of_whole(const SnapshotField& field, const Values& here) const {
  return gathered(scheme().mesh(), field.location, here);
}

std::shared_ptr<const Surface> WaterObserver::recorded_surface() const {
  const Surface& whole = simulation_.whole_surface();
  if (whole.mesh.has_edges() || edge_outputs().empty()) return {std::shared_ptr<void>(), &whole};
  auto complete = std::make_shared<Surface>(whole);
  complete->mesh = make_mesh(whole.mesh.faces, whole.mesh.vertex_count);
  return complete;
}

WrittenOrder WaterObserver::order() const {
  const auto recorded = recorded_surface();
  const Surface& surface = *recorded;
  const bool has_edges = !edge_outputs().empty();
  const Mesh* triangles = own_triangulation();
  if (!triangles) return source_order(surface, has_edges);
  WrittenOrder own = own_order({surface.x, triangles->edges, triangles->faces}),
               order = source_order(surface, false);
  order.own_topology = true;
  order.faces = std::move(own.faces);
  if (has_edges) order.edges = std::move(own.edges);
  return order;
}

void WaterObserver::record_beginning(hdf5::File& file, hdf5::Group& run) const {
  record_parameters(run, simulation_.catalog(), configuration_);
  record_setup(run, simulation_);
  if (const double depth = missing_water(simulation_.scene(), water()).depth;
      depth > 0 && !(configuration_.dt && configuration_.substeps))
    run.set("dt_from_depth", depth);
  if (const std::string hash = files_hash(simulation_.catalog(), configuration_); !hash.empty())
    run.set("files_hash", hash);
  if (simulation_.layers() > 0) {
    run.set("ranks", std::int64_t{simulation_.ranks().count()});
    run.set("layers", std::int64_t{simulation_.layers()});
    run.set("largest_part",
            static_cast<std::int64_t>(simulation_.ranks().max(simulation_.surface().mesh.face_count())));
    run.set("launcher", launcher_name());
  }
  run.open_group("snapshots").set("location", to_string(cells_at_));
  if (simulation_.ranks().rank() > 0) return;
  const auto recorded = recorded_surface();
  const Surface& surface = *recorded;
  const bool has_edges = !edge_outputs().empty();
  if (const Mesh* own = own_triangulation()) {
    if (has_edges) record_own_edges(run, surface, *own);
    record_own_faces(run, surface, *own);
  } else if (has_edges) {
    record_mesh_edges(file.root().open_group("meshes"), surface, order());
  }
}

void WaterObserver::watch() {
  watch_depths();
  if (simulation_.domain_moves()) watch_clamps();
}

void WaterObserver::watch_depths() {
  const Mesh& mesh = scheme().mesh();
  const Cells& places = scheme().cells();
  if (min(mesh, places, water().volume()) >= 0) return;
  const Vector depth = water().volume().cwiseQuotient(places.area);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double largest = max(mesh, places, [&](Index i) {  // of the finite depths
    return depth[i] > 0 && depth[i] < infinity ? depth[i] : 0;
  });
  const std::int64_t cells =
      count(mesh, places, [&](Index i) { return depth[i] < -depth_rounding * largest; });
  if (cells > 0 && negative_depths_.cells == 0) negative_depths_.time = simulation_.time();
  negative_depths_.cells = std::max(negative_depths_.cells, cells);
}

void WaterObserver::watch_clamps() {
  const std::vector<ClampCount> counts = water().clamp_counts();
  const bool first = clamps_.empty();
  for (const ClampCount& clamp : counts) {
    if (!clamp.spoils) continue;
    if (first) clamps_.push_back({clamp.name, clamp.from_start ? clamp.count : 0, clamp.count});
    const auto found = std::find_if(clamps_.begin(), clamps_.end(),
                                    [&](const ClampRise& one) { return one.name == clamp.name; });
    if (found == clamps_.end()) continue;  // new after a change of scheme
    ClampRise& rise = *found;
    if (clamp.count > rise.start && rise.max_count == rise.start) rise.time = simulation_.time();
    rise.max_count = std::max<std::int64_t>(rise.max_count, clamp.count);
  }
}

void WaterObserver::watch_cfl(const std::vector<double>& row) {
  constexpr double rounding = 1e-9;
  const IntegratorEntry& integrator =
      simulation_.catalog().integrators.find(simulation_.present_configuration().integrator);
  if (cfl_column_ == row.size() || !(row[cfl_column_] > 1 + rounding) ||
      !integrator.explicit_terms.has(Term::gravity) || integrator.claims.unconditional)
    return;
  if (cfl_.largest == 0) cfl_.time = simulation_.time();
  cfl_.largest = std::max(cfl_.largest, row[cfl_column_]);
}

std::string WaterObserver::instability(bool row_follows) {
  energy_is_whole_ = row_follows;
  energy_ = row_follows ? diagnostics_.energy() : diagnostics_.energy_between_rows();
  std::string reason = diagnostics_.instability(energy_);
  unstable_ = !reason.empty();
  return reason;
}

void WaterObserver::record_watched(hdf5::Group& run) const {
  run.set("negative_depth_cells", negative_depths_.cells);
  run.set("negative_depth_time", negative_depths_.time);
  run.set("negative_depth_rounding", depth_rounding);
}

double WaterObserver::mass() const {
  return simulation_.scene().density * water().total_volume();
}

/// A message if the mass changed without a source although the integrator conserves mass; otherwise "".
std::string WaterObserver::unbooked_mass() const {
  const IntegratorEntry& integrator =
      simulation_.catalog().integrators.find(simulation_.present_configuration().integrator);
  if (!integrator.mass_drift(parameters_of(simulation_.catalog(), simulation_.present_configuration()))
           .empty())
    return "";
  constexpr double rounding = 1e-9;  // relative; more than the sum of 1e6 steps with 1e-16 each
  const double now = mass(), source = water().ledger().mass_source, parted = now - start_mass_ - source;
  if (std::abs(parted) <= rounding * std::max({start_mass_, now, std::abs(source)})) return "";
  return fmt::format("the mass, {:.9g} kg, differs by {:.3g} kg from the initial mass plus mass_source", now,
                     parted);
}

/// A message if the water is faster at the end than its waves, and the steps do not allow for that: the stable step of waves is
/// that on water at rest, and `explicit` advects the depth by forward Euler (solvers/integrators/explicit.cpp). Otherwise "".
std::string WaterObserver::fast_flow() const {
  const RunConfiguration& c = simulation_.present_configuration();
  const IntegratorEntry& integrator = simulation_.catalog().integrators.find(c.integrator);
  const bool of_flux = simulation_.catalog().discretizations.find(c.discretization).transports_momentum(),
             held = water().holds_velocity(),
             allowed_for = integrator.claims.order > 1 && (water().advects() || held);
  if (of_flux || allowed_for || (c.advection != "none" && c.advection != "vector-invariant") ||
      !integrator.explicit_terms.has(Term::gravity) || !water().has_velocity())
    return "";
  const double froude = scheme().stable_dt(water().state(), water().forces(), Term::gravity) /
                        scheme().stable_dt(water().state(), water().forces(), Term::advection);
  if (!(froude > 1 && std::isfinite(froude))) return "";
  if (held) return c.integrator + " advects the depth by forward Euler steps, which amplify it; use ssprk3";
  return fmt::format(
      "the water is up to {:.3g} times as fast as waves at the end, for which the steps of {} with advection "
      "= {} "
      "are not meant; ssprk3 with vector-invariant allows for it",
      froude, c.integrator, c.advection);
}

std::string WaterObserver::remarks(bool unstable) const {
  std::vector<std::string> limits;  // that became active and reduce accuracy
  for (const ClampRise& clamp : clamps_)
    if (clamp.max_count > clamp.start)
      limits.push_back(
          clamp.start == 0 && clamp.time == 0
              ? fmt::format("{}: active at up to {} elements, from the start", clamp.name, clamp.max_count)
              : fmt::format("{}: active at up to {} elements ({} at the start), first at t = "
                            "{:.6g} s",
                            clamp.name, clamp.max_count, clamp.start, clamp.time));
  std::vector<std::string> sentences;
  if (cfl_.largest > 0)
    sentences.push_back(fmt::format(
        "cfl: from t = {:.6g} s the substep exceeded the stable step of the scheme, by up to {:.3g} times",
        cfl_.time, cfl_.largest));
  if (std::string flow = fast_flow(); cfl_.largest == 0 && !flow.empty())
    sentences.push_back(std::move(flow));
  constexpr int min_unresolved = 10, part_unresolved = 10;  // a jump takes one step, some take a few
  if (const int steps = simulation_.unresolved_steps();
      steps >= min_unresolved && part_unresolved * steps > simulation_.steps_done())
    sentences.push_back(fmt::format(
        "forces, rain or boundary values varied too fast for the steps of auto, in {} of {} steps", steps,
        simulation_.steps_done()));
  if (unstable) {
    sentences.insert(sentences.end(), limits.begin(), limits.end());
    return sentences.empty() ? "" : "; " + join(sentences, "; ");
  }
  if (std::string unbooked = unbooked_mass(); !unbooked.empty()) sentences.push_back(std::move(unbooked));
  constexpr double rounding = 1e-12;
  if (const double lacking = water().ledger().mass_lacking;
      lacking > rounding * std::max(start_mass_, mass()))
    sentences.push_back(fmt::format("sinks lacked {:.6g} kg of water", lacking));
  if (negative_depths_.cells > 0)
    sentences.push_back(fmt::format(
        "negative depths in up to {} of {} cells, first at t = {:.6g} s", negative_depths_.cells,
        total(scheme().mesh(), own(scheme().mesh(), scheme().cells()).count), negative_depths_.time));
  sentences.insert(sentences.end(), limits.begin(), limits.end());
  const std::string critical = "critical_discharge_";
  for (const ClampCount& clamp : water().clamp_counts())
    if (clamp.count > 0 && clamp.name.rfind(critical, 0) == 0)
      sentences.push_back(
          fmt::format("the discharge at '{}' enters with the critical velocity at the end; a faster flow "
                      "requires an inflow with depth and speed",
                      clamp.name.substr(critical.size())));
  const World& world = simulation_.world();
  for (int i = 0; i < world.model_count(); ++i)
    if (const Coupling* coupling = world.coupling(i);
        coupling && coupling->collision().skipped_contact().body >= 0)
      sentences.push_back(fmt::format(
          "body '{}' moved through water by up to {:.3g} times its size in one step and may have missed it; "
          "use a shorter dt",
          world.bodies().name(coupling->collision().skipped_contact().body),
          coupling->collision().skipped_contact().length));
  return join(sentences, "; ");
}

void WaterObserver::save(Archive& archive) const {
  Archive diagnostics;
  diagnostics_.save(diagnostics);
  archive.put("diagnostics.", diagnostics);
  archive.put("negative_depths",
              Vector(Eigen::Vector2d(static_cast<double>(negative_depths_.cells), negative_depths_.time)));
  archive.put("cfl", Vector(Eigen::Vector2d(cfl_.time, cfl_.largest)));
  Vector clamps(3 * static_cast<Eigen::Index>(clamps_.size()));
  for (std::size_t i = 0; i < clamps_.size(); ++i)
    clamps.segment<3>(3 * static_cast<Eigen::Index>(i)) << static_cast<double>(clamps_[i].start),
        static_cast<double>(clamps_[i].max_count), clamps_[i].time;
  archive.put("clamps", clamps);
}

void WaterObserver::restore(const Archive& archive) {
  diagnostics_.restore(archive.part("diagnostics."));
  const Vector& negative = archive.vector("negative_depths");
  negative_depths_ = {static_cast<std::int64_t>(negative[0]), negative[1]};
  cfl_ = {archive.vector("cfl")[0], archive.vector("cfl")[1]};
  watch_clamps();  // initializes the list of limits
  const Vector& clamps = archive.vector("clamps");
  if (clamps.size() != 3 * static_cast<Eigen::Index>(clamps_.size()))
    throw Error("the saved run had other limits than this one");
  for (std::size_t i = 0; i < clamps_.size(); ++i) {
    const auto saved = clamps.segment<3>(3 * static_cast<Eigen::Index>(i));
    clamps_[i].start = static_cast<std::int64_t>(saved[0]);
    clamps_[i].max_count = static_cast<std::int64_t>(saved[1]);
    clamps_[i].time = saved[2];
  }
}

}  // namespace shoal
