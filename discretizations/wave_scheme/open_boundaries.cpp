// Water that crosses the boundary: levels, outflows, inflows and discharges (wave_scheme.md, Open boundaries).
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

/// Of the places of open boundaries: η, and ℓ c, m²/s; the depth of deeper water outside counts, so that it enters dry
/// cells.
void WaveScheme::measure_open_places(const State& state, const Forces& forces) const {
  const OpenBoundary& open = forces.open_boundary;
  const ConstBlock volumes = state[volume()];
  conductance_.resize(open.places.size());
  depth_there_.resize(open.places.size());
  for (Index i = 0; i < open.places.size(); ++i) {
    const OpenBoundary::Place& place = open.places[i];
    const double depth = depth_there_[i] = volumes[place.at] * inverse_area_[place.at];
    const double outside = place.kind == BoundaryKind::outflow ? 0 : depth_outside(open, i);
    conductance_[i] =
        place.length * forces.root_acceleration[place.at] * std::sqrt(std::max({depth, outside, 0.0}));
  }
}

/// That a cell at a level or an inflow tends to.
double WaveScheme::depth_outside(const OpenBoundary& open, Index i) const {
  const OpenBoundary::Place& place = open.places[i];
  const double value = open.value[place.set].value;
  return place.kind == BoundaryKind::level ? value + cells_.bed[place.at] : value;
}

/// all_leaving_, with interior_inflow_ of this scale: where the interior sends more than ηc all that arrives leaves, with the depth
/// of the cell and the velocity u of the sites around it, Σℓ u = −(D(1) u)ᵢ: upwind, which damps as long as u > c.
void WaveScheme::find_supercritical(const State& state, const Forces& forces, double scale) const {
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  all_leaving_.setZero(places.size());
  bool found = false;
  for (Index i = 0; i < places.size(); ++i) {
    const OpenBoundary::Place& place = places[i];
    if (place.kind == BoundaryKind::inflow || !(depth_there_[i] > 0)) continue;
    const double root = forces.root_acceleration[place.at];
    const double critical = place.together * depth_there_[i] * root * std::sqrt(depth_there_[i]);
    if (!(interior_inflow_[i] / scale >= critical)) continue;
    all_leaving_[i] = 1;
    found = true;
  }
  if (!found) return;
  if (unit_depth_.size() == 0) unit_depth_.setOnes(sites());
  flux_.setZero(cells_.count());
  add_outflow(state[velocity()], -1, unit_depth_, flux_);
  for (Index i = 0; i < places.size(); ++i)
    if (all_leaving_[i] > 0) all_leaving_[i] = std::max(0.0, flux_[places[i].at] / places[i].together);
}

/// Outflow: ℓ c h leaves (Flather 1976 with still water outside), which removes energy for either sign of h.
/// Level, inflow: a cell at the boundary belongs to the outside, so that what it receives from the interior flows on,
/// and η tends to the depth there at the rate ℓ c/A: while it has that depth the energy of the other cells is kept, and a
/// uniform flow passes. `interior_inflow_` is the inflow from the interior.
double WaveScheme::flow_into(const OpenBoundary& open, Index i, double scale) const {
  const OpenBoundary::Place& place = open.places[i];
  if (all_leaving_[i] > 0) return -scale * place.length * all_leaving_[i] * depth_there_[i];
  if (place.kind == BoundaryKind::outflow)
    return -scale * conductance_[i] * (depth_there_[i] - cells_.bed[place.at]);
  return scale * conductance_[i] * (depth_outside(open, i) - depth_there_[i]) -
         place.share * interior_inflow_[i];
}

void WaveScheme::add_open_flux(const Forces& forces, double scale, State& rate) const {
  const OpenBoundary& open = forces.open_boundary;
  Block volume_rate = rate[volume()];
  for (Index i = 0; i < open.places.size(); ++i) volume_rate[open.places[i].at] += flow_into(open, i, scale);
  add_through(
      open, [&](Index i) { return flow_into(open, i, scale); }, rate[boundary_volume()]);
}

/// Computes interior_inflow_ by evaluating the mass flux.
void WaveScheme::measure_net_flow(const State& state, const Forces& forces, double scale) const {
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  flux_.setZero(cells_.count());
  add_flux(state, forces, scale, flux_);
  interior_inflow_.resize(places.size());
  for (Index i = 0; i < places.size(); ++i) interior_inflow_[i] = flux_[places[i].at];
}

void WaveScheme::add_boundary_rates(const State& state, const Forces& forces, double scale,
                                    State& rate) const {
  measure_net_flow(state, forces, scale);
  measure_open_places(state, forces);
  find_supercritical(state, forces, scale);
  add_open_flux(forces, scale, rate);
}

void WaveScheme::find_crossings(const State& state, const Forces& forces) const {
  const OpenBoundary& open = forces.open_boundary;
  crossings_.clear();
  if (open.places.empty() && open.sources.empty()) return;
  volume_rate_.setZero(cells_.count());
  add_flux(state, forces, 1, volume_rate_);
  interior_inflow_.resize(open.places.size());
  for (Index i = 0; i < open.places.size(); ++i) interior_inflow_[i] = volume_rate_[open.places[i].at];
  measure_open_places(state, forces);
  find_supercritical(state, forces, 1);
  const auto add = [&](const OpenBoundary::Place& place, double depth, double out, bool all_leaves) {
    const double critical = forces.root_acceleration[place.at] * std::sqrt(std::max(depth, 0.0));
    double speed = depth > 0 ? out / (place.length * depth) : 0;
    if (!all_leaves) speed = std::clamp(speed, -critical, critical);
    crossings_.push_back({place, depth, speed, out, out < 0, all_leaves, 0});
  };
  for (Index i = 0; i < open.places.size(); ++i) {
    add(open.places[i], depth_there_[i], -flow_into(open, i, 1), all_leaving_[i] > 0);
    if (open.places[i].kind != BoundaryKind::inflow) continue;
    Crossing& crossing = crossings_.back();
    crossing.speed = -open.value[open.places[i].set].speed;
    crossing.tangential = open.value[open.places[i].set].tangential;
    crossing.enters = true;
  }
  const ConstBlock volumes = state[volume()];
  for (const OpenBoundary::Place& place : open.sources)
    add(place, volumes[place.at] * inverse_area_[place.at],
        discharge_out(place, volumes[place.at] * inverse_area_[place.at], forces), false);
  open_length_.resize(cells_.count());
  for (const Crossing& crossing : crossings_) open_length_[crossing.place.at] = 0;
  for (const Crossing& crossing : crossings_) {
    open_length_[crossing.place.at] += crossing.place.length;
    volume_rate_[crossing.place.at] -= crossing.out;
  }
  for (Crossing& crossing : crossings_) {
    if (!(crossing.depth > 0)) continue;
    const Index at = crossing.place.at;
    if (crossing.place.kind != BoundaryKind::inflow)
      crossing.excess = volume_rate_[at] / (crossing.depth * open_length_[at]);
    else if (std::abs(crossing.speed) < forces.root_acceleration[at] * std::sqrt(crossing.depth))
      crossing.excess = crossing.out / (crossing.depth * crossing.place.length) - crossing.speed;
  }
}

/// The derivation of each: wave_scheme.md, open boundaries.
double WaveScheme::head_at(const Crossing& crossing, double inside, double normal) {
  const double u = crossing.speed, w = crossing.tangential;
  switch (crossing.place.kind) {
    case BoundaryKind::inflow:
      return 0.5 * (u * u + w * w) + std::abs(u) * crossing.excess;
    case BoundaryKind::discharge:
      return inside + std::abs(u) * crossing.excess;
    default:
      break;
  }
  if (crossing.enters) return 0;  // from rest
  if (crossing.all_leaves) return inside;
  if (crossing.place.kind == BoundaryKind::level) return inside - normal + 0.5 * u * u;
  return inside + std::abs(u) * crossing.excess;
}

void WaveScheme::let_vorticity_leave(const Mesh& mesh, const Vector& face_area, VectorOut vorticity) const {
  if (leaves_.empty()) {
    leaves_.assign(mesh.vertex_count, 0);
    around_.setZero(2, mesh.vertex_count);
    Array<char> on_boundary(mesh.vertex_count, 0);
    for (Index e = 0; e < mesh.edge_count(); ++e)
      for (int end = 0; end < 2 && mesh.is_wall(e); ++end) on_boundary[mesh.edges(end, e)] = 1;
    for (Index k = 0; k < mesh.face_count(); ++k)
      if (on_boundary[mesh.faces(0, k)] || on_boundary[mesh.faces(1, k)] || on_boundary[mesh.faces(2, k)])
        boundary_faces_.push_back(k);
  }
  const auto mark = [&](bool entering, char as) {
    for (const Crossing& crossing : crossings_)
      if (entering ? crossing.enters : crossing.out > 0)
        for (int end = 0; end < 2; ++end) leaves_[mesh.edges(end, crossing.place.edge)] = as;
  };
  mark(false, 1);
  mark(true, 0);
  for (const Index k : boundary_faces_) {
    Eigen::Vector2d of_face(0, 0);
    for (int c = 0; c < 3; ++c)
      if (const Index i = mesh.faces(c, k); !leaves_[i])
        of_face += face_area[k] * Eigen::Vector2d(vorticity[i], 1);
    for (int c = 0; c < 3; ++c)
      if (const Index i = mesh.faces(c, k); leaves_[i]) around_.col(i) += of_face;
  }
  for (const Crossing& crossing : crossings_)
    for (int end = 0; end < 2; ++end)
      if (const Index i = mesh.edges(end, crossing.place.edge); leaves_[i]) {
        vorticity[i] = around_(1, i) > 0 ? around_(0, i) / around_(1, i) : 0;
        around_.col(i).setZero();
        leaves_[i] = 0;
      }
}

/// What leaves through a place of a discharge, m³/s: at most with the critical velocity, ℓηc, beyond which waves from the
/// outside would have to draw the water.
double WaveScheme::discharge_out(const OpenBoundary::Place& place, double depth, const Forces& forces) {
  const double c = forces.root_acceleration[place.at] * std::sqrt(std::max(depth, 0.0));
  return place.length * std::min(-forces.open_boundary.value[place.set].value, c * std::max(depth, 0.0));
}

void WaveScheme::measure_discharges(const ConstBlock& volume, const Forces& forces) const {
  const Array<OpenBoundary::Place>& sources = forces.open_boundary.sources;
  discharge_depth_.resize(sources.size());
  for (Index i = 0; i < sources.size(); ++i)
    discharge_depth_[i] = volume[sources[i].at] * inverse_area_[sources[i].at];
}

double WaveScheme::hold_discharges(const ConstBlock& volume, const Forces& forces, Vector& inflow) const {
  const Array<OpenBoundary::Place>& sources = forces.open_boundary.sources;
  if (!discharges_measured_) measure_discharges(volume, forces);
  const Range own_edges = own(mesh_, Location::edge);
  return sum(mesh_, Range{0, sources.size()}, [&](Index i) {
    const OpenBoundary::Place& place = sources[i];
    const double asked = -place.length * forces.open_boundary.value[place.set].value;
    const double back = asked - discharge_out(place, discharge_depth_[i], forces);
    inflow[place.at] += back;
    return own_edges.has(place.edge) ? back : 0;
  });
}

/// The largest Σ ℓ c/A, or Σ ℓ u/A, of the cells at open boundaries, 1/s. Of a discharge that takes all that the water can give
/// 3/2 ℓ c/A, with the derivative of ηc; of one that brings more than ηc ℓ (u + c)/A of the critical state, u³ = c³ = αq.
double WaveScheme::boundary_frequency(const State& state, const Forces& forces) const {
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  measure_net_flow(state, forces, 1);
  measure_open_places(state, forces);
  find_supercritical(state, forces, 1);
  flux_.setZero(cells_.count());
  for (Index i = 0; i < places.size(); ++i)
    flux_[places[i].at] +=
        std::max(conductance_[i], places[i].length * all_leaving_[i]) * inverse_area_[places[i].at];
  for (const OpenBoundary::Place& place : forces.open_boundary.sources) {
    const double r = forces.root_acceleration[place.at], q = forces.open_boundary.value[place.set].value;
    const double depth = std::max(0.0, state[volume()][place.at] * inverse_area_[place.at]);
    const double c = r * std::sqrt(depth);
    if (std::abs(q) > depth * c)
      flux_[place.at] +=
          place.length * inverse_area_[place.at] * (q < 0 ? 1.5 * c : 2 * std::cbrt(r * r * q));
  }
  return max(mesh_, cells_, flux_);
}

/// Whether some discharge brings more than ηc, as onto dry land and films. filled_ is then the state in which its cells have the
/// critical depth (q²/α)^⅓, which they get within a step.
bool WaveScheme::fills(const State& state, const Forces& forces) const {
  bool found = false;
  for (const OpenBoundary::Place& place : forces.open_boundary.sources) {
    const double r = forces.root_acceleration[place.at], q = forces.open_boundary.value[place.set].value;
    const double critical = q > 0 ? std::cbrt(q * q / (r * r)) : 0;
    if (!(state[volume()][place.at] * inverse_area_[place.at] < critical)) continue;
    if (!found) filled_ = state;
    found = true;
    filled_[volume()][place.at] = critical * cells_.area[place.at];
  }
  const bool anywhere = !all(mesh_, !found);
  if (anywhere && !found) filled_ = state;
  return anywhere;
}

}  // namespace shoal
