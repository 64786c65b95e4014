// Derivation of forces from a forcing, clamps, layouts, and outputs.
#include "discretizations/capabilities.hpp"
#include "discretizations/operators/p1.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace shoal {

Range own(const Mesh& mesh, const Cells& cells) {
  if (!mesh.part) return {0, cells.count()};
  const Range elements = own(mesh, cells.location);
  const Array<Index>& first = cells.first_element;
  if (first.empty()) return elements;
  const auto place = [&](Index element) {
    return static_cast<Index>(std::lower_bound(first.begin(), first.end(), element) - first.begin());
  };
  const Index begin = place(elements.begin);
  return {begin, place(elements.begin + elements.count) - begin};
}

namespace {

/// The largest aₙ allowed under gravity g. Throws Error if the text is not a valid limit.
double acceleration_limit(const std::string& text, double gravity) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  if (text == "auto") return -0.05 * gravity;
  const double limit = parse_parameter(text, "normal_acceleration_max", "a number ≤ 0, 'auto' or 'none'");
  if (limit <= 0) return limit;
  throw parameter_error(
      "normal_acceleration_max",
      text + " is positive, where the equations are ill-posed; use 'none' to let the run fail");
}

std::string checked_limit(const std::string& text) {
  acceleration_limit(text, 1);
  return text;
}

}  // namespace

std::string to_string(Terms terms) {
  std::vector<std::string> names;
  for (const auto& [term, name] :
       {std::pair(Term::gravity, "gravity"), std::pair(Term::advection, "advection"),
        std::pair(Term::coriolis, "coriolis"), std::pair(Term::force, "force"),
        std::pair(Term::friction, "friction"), std::pair(Term::source, "source")})
    if (terms.has(term)) names.emplace_back(name);
  return join(names);
}

Options<DiscretizationOptions> DiscretizationOptions::describe() {
  return Options<DiscretizationOptions>().parsed(
      "normal_acceleration_max", "m/s^2", &DiscretizationOptions::normal_acceleration_max, "auto",
      checked_limit,
      "upper limit of aₙ: a number, 'none' (the run fails if aₙ > 0), or 'auto', −0.05 gravity");
}

Options<MovingSurfaceOptions> MovingSurfaceOptions::describe() {
  return Options<MovingSurfaceOptions>().choice(
      "carried_velocity", &MovingSurfaceOptions::carried_velocity,
      {{"circulation", CarriedVelocity::circulation},
       {"barycentric", CarriedVelocity::barycentric},
       {"rotated", CarriedVelocity::rotated}},
      "what the velocity conserves when its triangle moves. circulation: the absolute circulation along "
      "edges (Newton's law). Models: barycentric: the barycentric components (Angst 2007, 6.4); rotated: its "
      "length and its angle with an edge");
}

Discretization::Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters)
    : mesh_(mesh),
      geometry_(geometry),
      carried_velocity_(read_options<MovingSurfaceOptions>(parameters).carried_velocity),
      normal_acceleration_max_(read_options<DiscretizationOptions>(parameters).normal_acceleration_max) {}

void Discretization::set_layout(std::string velocity_name, std::string velocity_unit, Location location,
                                Index components, Index elements,
                                std::shared_ptr<const Array<Index>> of_elements) {
  volume_ = layout_.add("volume", "m^3", Location::cell, 1, cells_.count());
  velocity_ = layout_.add(std::move(velocity_name), std::move(velocity_unit), location, components, elements,
                          std::move(of_elements));
  if (!mesh_.boundary_sets.empty())
    boundary_volume_ = layout_.add("boundary_volume", "m^3", Location::boundary_set, 1,
                                   static_cast<Index>(mesh_.boundary_sets.size()));
  source_volume_ = layout_.add("source_volume", "m^3", Location::whole, 1, 2);
}

void Discretization::derive(const Forcing& forcing, Forces& forces, Scratch& scratch) const {
  const double limit = acceleration_limit(normal_acceleration_max_, forcing.gravity);
  const Points& body = forcing.body_acceleration;
  scratch.normal_acceleration = forcing.normal_acceleration;
  if (body.size()) {
    vertex_normals(mesh_, geometry_, scratch.normals);
    for (Index i = 0; i < mesh_.vertex_count; ++i)
      scratch.normal_acceleration[i] += body.col(i).dot(scratch.normals.col(i));
  }
  if (!forces.own) forces.own = make_forces();
  const Range own_vertices = own(mesh_, Location::vertex);
  forces.clamped_accelerations = 0;
  for (Index i = 0; i < mesh_.vertex_count; ++i) {
    if (!(scratch.normal_acceleration[i] > limit)) continue;  // keeps NaN
    scratch.normal_acceleration[i] = limit;
    forces.clamped_accelerations += own_vertices.has(i);
  }
  forces.has_body_force = body.size() > 0;
  forces.moves = forcing.surface_velocity.size() > 0;
  if (forces.moves) forces.surface_velocity = forcing.surface_velocity;
  forces.rotates = forces.moves || !forcing.rotation.isZero(0);
  forces.rotation = forcing.rotation;
  forces.friction = forcing.friction;
  derive_boundaries(forcing, forces, scratch);
  derive_forces(scratch.normal_acceleration, forcing, forces, scratch);
}

/// Collects the places of boundary fluxes and the inflow into cells.
void Discretization::derive_boundaries(const Forcing& forcing, Forces& forces, Scratch& scratch) const {
  OpenBoundary& open = forces.open_boundary;
  open.places.clear();
  open.sources.clear();
  open.flux_sets.clear();
  open.source_sets.clear();
  const OpensBoundaries* opens = offered<OpensBoundaries>(*this);
  for (const BoundaryCondition& condition : forcing.boundaries) {
    const Index set = find_boundary_set(mesh_, condition.set);
    if (condition.kind == BoundaryKind::wall) continue;
    if (!opens) throw SettingError("boundaries", "boundaries: the scheme supports only walls");
    const bool source = condition.kind == BoundaryKind::discharge && opens->discharge_is_source();
    (source ? open.source_sets : open.flux_sets).push_back(set);
    for (const Index edge : mesh_.boundary_sets.begin()[set].edges)
      opens->add_open_edge(edge, set, condition.kind, source ? open.sources : open.places);
  }
  const auto holds_depth = [](const OpenBoundary::Place& place) {
    return place.kind == BoundaryKind::level || place.kind == BoundaryKind::inflow;
  };
  if (scratch.lengths.cols() == 0) scratch.lengths.setZero(2, std::max(mesh_.edge_count(), cells_.count()));
  for (const OpenBoundary::Place& place : open.places) scratch.lengths.col(place.at).setZero();
  for (const OpenBoundary::Place& place : open.places) {
    scratch.lengths(0, place.at) += place.length;
    if (holds_depth(place)) scratch.lengths(1, place.at) += place.length;
  }
  for (OpenBoundary::Place& place : open.places) {
    place.together = scratch.lengths(0, place.at);
    if (holds_depth(place)) place.share = place.length / scratch.lengths(1, place.at);
  }
  derive_inflow(forcing, forces, scratch);
  set_boundary_values(forcing, 0, 0, forces);
}

void Discretization::derive_inflow(const Forcing& forcing, Forces& forces, Scratch& scratch) const {
  forces.has_own_velocity = false;
  forces.has_inflow = forcing.inflow.size() > 0 || !forcing.distributed_inflows.empty() ||
                      !forces.open_boundary.source_sets.empty();
  if (!forces.has_inflow) return;
  if (forcing.inflow.size())
    forces.steady_inflow = forcing.inflow;
  else
    forces.steady_inflow.setZero(cells_.count());
  for (const DistributedInflow& inflow : forcing.distributed_inflows) {
    if (inflow.discharge == 0) continue;
    distribute(inflow, scratch.share);
    forces.steady_inflow += scratch.share;
    if (inflow.velocity && inflow.discharge > 0) add_own_velocity(*inflow.velocity, forcing, forces, scratch);
  }
  if (forces.has_own_velocity)
    forces.own_velocity =
        (forces.own_inflow.array() > 0).select(forces.own_velocity.array() / forces.own_inflow.array(), 0.0);
  forces.inflow = forces.steady_inflow;
}

void Discretization::distribute(const DistributedInflow& inflow, Vector& at_cells) const {
  at_cells.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    at_cells[i] = cells_.area[i] * inflow.weight(cells_.points.col(i));
  const double total = sum(mesh_, cells_, at_cells);
  if (total == 0 && !inflow.required) return;
  if (!(total > 0)) throw Error("an inflow reaches no cell of the mesh: refine the mesh, or move the inflow");
  at_cells *= inflow.discharge / total;
}

/// For the inflow distributed last: adds it to own_inflow, and its product with its velocity to own_velocity.
void Discretization::add_own_velocity(const Points& velocity, const Forcing& forcing, Forces& forces,
                                      Scratch& scratch) const {
  if (!forces.has_own_velocity) {
    forces.own_inflow.setZero(velocity_.size);
    forces.own_velocity.setZero(velocity_.size);
  }
  forces.has_own_velocity = true;
  inflow_at_velocity(scratch.share, scratch.share_at_velocity, scratch);
  forces.own_inflow += scratch.share_at_velocity;
  const bool moves = forcing.surface_velocity.size() > 0;
  if (velocity.size() == 0 && !moves) return;
  if (velocity.size())
    scratch.own_velocity = velocity;
  else
    scratch.own_velocity.setZero(3, mesh_.vertex_count);
  if (moves) {
    scratch.own_velocity -= forcing.surface_velocity;
    scratch.own_velocity.colwise() -= forcing.observer;
  }
  // The velocity in the form of the scheme, per volume; without this capability, that of water 1 m deep.
  scratch.unit.q.setZero(layout_.size());
  if (const MovesWithSurface* scheme = offered<MovesWithSurface>(*this)) {
    scratch.unit[volume_].setOnes();
    scheme->add_surface_velocity(scratch.own_velocity, 1, scratch.unit, scratch);
  } else {
    scratch.unit[volume_] = cells_.area;
    Points of_faces(3, mesh_.face_count());
    for (Index k = 0; k < mesh_.face_count(); ++k)
      of_faces.col(k) = scratch.own_velocity(Eigen::all, mesh_.faces.col(k)).rowwise().mean();
    add_velocity(of_faces, scratch.unit);
  }
  forces.own_velocity += scratch.share_at_velocity.cwiseProduct(scratch.unit[velocity_]);
}

void Discretization::inflow_at_velocity(const Vector& inflow, Vector& at_velocity,
                                        Scratch& /*scratch*/) const {
  at_velocity = inflow.replicate(velocity_.size / inflow.size(), 1);
}

double Discretization::limited_inflow(const ConstBlock& volume, const Forces& forces, Vector& inflow,
                                      Scratch& scratch) const {
  if (!forces.open_boundary.source_sets.empty())
    offered<OpensBoundaries>(*this)->lacking_discharge(volume, forces, scratch.lacking_discharge);
  return limit_inflow(volume, scratch.lacking_discharge, forces, inflow);
}

double Discretization::limit_inflow(const ConstBlock& volume, const Vector& lacking_discharge,
                                    const Forces& forces, Vector& inflow) const {
  inflow = forces.inflow;
  double at_boundaries = 0;
  if (!forces.open_boundary.source_sets.empty()) {
    const Array<OpenBoundary::Place>& sources = forces.open_boundary.sources;
    const Range own_edges = own(mesh_, Location::edge);
    at_boundaries = sum(mesh_, Range{0, sources.size()}, [&](Index i) {
      inflow[sources[i].at] += lacking_discharge[i];
      return own_edges.has(sources[i].edge) ? lacking_discharge[i] : 0;
    });
  }
  const Range own_cells = own(mesh_, cells_);
  return at_boundaries + sum(mesh_, Range{0, cells_.count()}, [&](Index i) {
           if (!(inflow[i] < 0)) return 0.0;
           const double available = volume[i] > 0 ? forces.sink_rate * volume[i] : 0,
                        lacking = -inflow[i] - available;
           if (!(lacking > 0)) return 0.0;
           inflow[i] = -available;
           return own_cells.has(i) ? lacking : 0;
         });
}

const Vector& Discretization::add_inflow(const ConstBlock& volume, const Vector& lacking_discharge,
                                         const Forces& forces, double scale, State& rate,
                                         Scratch& scratch) const {
  const double lacking = limit_inflow(volume, lacking_discharge, forces, scratch.inflow);
  rate[volume_] += scale * scratch.inflow;
  rate[source_volume_][0] += scale * sum(mesh_, cells_, scratch.inflow);
  rate[source_volume_][1] += scale * lacking;
  return scratch.inflow;
}

void Discretization::set_boundary_values(const Forcing& forcing, double time, double dt,
                                         Forces& forces) const {
  OpenBoundary& open = forces.open_boundary;
  if (!open.any()) return;
  open.value.assign(static_cast<Index>(mesh_.boundary_sets.size()), {});
  for (const BoundaryCondition& condition : forcing.boundaries) {
    const Index set = find_boundary_set(mesh_, condition.set);
    const auto at = [&](const TimeSeries& series) {
      return dt > 0 ? series.mean(time, dt) : series.at(time);
    };
    open.value[set] = {at(condition.value), at(condition.speed), at(condition.tangential)};
    if (condition.kind != BoundaryKind::discharge) continue;
    const Range own_edges = own(mesh_, Location::edge);
    const Array<Index>& edges = mesh_.boundary_sets.begin()[set].edges;
    open.value[set].value /= sum(mesh_, Range{0, edges.size()}, [&](Index i) {
      return own_edges.has(edges[i]) ? geometry_.edge_length[edges[i]] : 0;
    });
  }
  if (open.source_sets.empty()) return;
  forces.inflow = forces.steady_inflow;
  for (const OpenBoundary::Place& place : open.sources)
    forces.inflow[place.at] += place.length * open.value[place.set].value;
}

std::vector<ClampCount> Discretization::clamp_counts(const State& /*state*/, const Forces& forces,
                                                     Scratch& /*scratch*/) const {
  return {{"clamped_accelerations", total(mesh_, forces.clamped_accelerations), true, false}};
}

void Discretization::add_vertex_outputs(
    std::function<void(const State&, Vector&, Scratch&)> depth,
    std::function<void(const State&, const Forces&, Vector&, Scratch&)> vorticity,
    std::function<const Vector&()> area) {
  add_output({"depth_at_vertices", "m", "η", Location::vertex, 1,
              [depth](const State& state, const Forces&, Values& values, Scratch& scratch) {
                depth(state, scratch.vertex_depth, scratch);
                values = scratch.vertex_depth.transpose();
              },
              area});
  const Output velocity = *find_output("velocity");
  add_output({"absolute_velocity", "m/s", "v plus the tangential part of the mesh velocity ẋ",
              velocity.location, 3,
              [this, velocity](const State& state, const Forces& forces, Values& values, Scratch& scratch) {
                if (!forces.moves) return velocity.evaluate(state, forces, values, scratch);
                scratch.absolute.q = state.q;
                offered<MovesWithSurface>(*this)->add_surface_velocity(forces.surface_velocity, 1,
                                                                       scratch.absolute, scratch);
                velocity.evaluate(scratch.absolute, forces, values, scratch);
              },
              velocity.area});
  add_output({"vorticity", "1/s", "ω = n·∇×v relative to the surface", Location::vertex, 1,
              [vorticity](const State& state, const Forces& forces, Values& values, Scratch& scratch) {
                vorticity(state, forces, scratch.vorticity, scratch);
                values = scratch.vorticity.transpose();
              },
              area});
  add_output({"divergence", "1/s",
              "∇·v relative to the surface, of the scheme's mass flux; none crosses the boundary",
              Location::vertex, 1,
              [this, velocity](const State& state, const Forces& forces, Values& values, Scratch& scratch) {
                Vector out;  // Σ ℓ v·outward
                if (const Wave* wave = offered<Wave>(*this)) {
                  out.setZero(cells_.count());
                  wave->add_outflow(state[velocity_], 1, Vector::Ones(wave->sites()), out, scratch);
                  out.array() /= cells_.area.array();
                  if (cells_.location == Location::face) {
                    Vector of_faces(triangles().face_count()), at_vertices;
                    for (Index k = 0; k < of_faces.size(); ++k) of_faces[k] = out[cells_.of_element[k]];
                    average_to_vertices(triangles(), velocity.area(), of_faces, at_vertices);
                    out.swap(at_vertices);
                  }
                } else {
                  velocity.evaluate(state, forces, values, scratch);
                  out.setZero(mesh_.vertex_count);
                  for (Index k = 0; k < mesh_.face_count(); ++k)
                    for (int c = 0; c < 3; ++c)
                      out[mesh_.faces(c, k)] -= values.col(k).dot(area_gradient(mesh_, geometry_, k, c));
                  out.array() /= geometry_.vertex_area.array();
                }
                values = out.transpose();
              },
              area});
  add_output(
      {"potential_vorticity", "1/(m s)",
       "(ω + f_c)/η, where f_c includes the vorticity of the surface's motion", Location::vertex, 1,
       [this, depth, vorticity](const State& state, const Forces& forces, Values& values, Scratch& scratch) {
         vorticity(state, forces, scratch.vorticity, scratch);
         depth(state, scratch.vertex_depth, scratch);
         if (!forces.rotation.isZero(0)) {
           vertex_normals(mesh_, geometry_, scratch.normals);
           scratch.vorticity += 2 * scratch.normals.transpose() * forces.rotation;
         }
         if (forces.moves) scratch.vorticity += forces.surface_vorticity;
         values = scratch.vorticity.cwiseQuotient(scratch.vertex_depth).transpose();
       },
       area});
}

const Output* Discretization::find_output(const std::string& name) const {
  for (const Output& output : outputs_)
    if (output.name == name) return &output;
  return nullptr;
}

void Discretization::sample(const State& state, const Forces& forces, const std::string& name, Values& values,
                            Scratch& scratch) const {
  const Output* output = find_output(name);
  assert(output && "the name must be one of outputs()");
  output->evaluate(state, forces, values, scratch);
}

}  // namespace shoal
