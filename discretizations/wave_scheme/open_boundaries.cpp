// Fluxes through the boundary: levels, outflows, inflows and discharges (wave_scheme.md, Open boundaries).
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

/// Sets open.depth = η, m, and open.conductance = ℓ c, m²/s, of the open places. c uses the larger of the
/// depths inside and outside, so that water can enter dry cells.
void WaveScheme::measure_open_places(const State& state, const Forces& forces, OpenPlaces& open) const {
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  const ConstBlock volumes = state[volume()];
  open.conductance.resize(places.size());
  open.depth.resize(places.size());
  for (Index i = 0; i < places.size(); ++i) {
    const OpenBoundary::Place& place = places[i];
    const double depth = open.depth[i] = volumes[place.at] * inverse_area_[place.at];
    const double outside = place.kind == BoundaryKind::outflow ? 0 : depth_outside(forces.open_boundary, i);
    open.conductance[i] = place.length * WaveForces::of(forces).root_acceleration[place.at] *
                          std::sqrt(std::max({depth, outside, 0.0}));
  }
}

/// The depth of the water outside, m, over the bed of the cell: still water at an outflow, and dry land where the bed is above its level.
double WaveScheme::depth_outside(const OpenBoundary& boundary, Index i) const {
  const OpenBoundary::Place& place = boundary.places[i];
  const double value = boundary.value[place.set].value, bed = cells_.bed[place.at];
  switch (place.kind) {
    case BoundaryKind::outflow:
      return std::max(0.0, bed);
    case BoundaryKind::level:
      return std::max(0.0, value + bed);
    default:
      return value;
  }
}

/// Sets s.open.all_leaving; `scale` is that of the measured interior inflow. Where the interior inflow is
/// supercritical (≥ ηc Σℓ), all of it leaves with the depth of the cell and the velocity u of the sites
/// around it, Σℓ u = −(D(1) u)ᵢ. This upwind flux is dissipative as long as u > c.
void WaveScheme::find_supercritical(const State& state, const Forces& forces, double scale,
                                    WaveScratch& s) const {
  OpenPlaces& open = s.open;
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  open.all_leaving.setZero(places.size());
  bool found = false;
  for (Index i = 0; i < places.size(); ++i) {
    const OpenBoundary::Place& place = places[i];
    if (place.kind == BoundaryKind::inflow || !(open.depth[i] > 0)) continue;
    const double root = WaveForces::of(forces).root_acceleration[place.at];
    const double critical = place.together * open.depth[i] * root * std::sqrt(open.depth[i]);
    if (!(open.interior_inflow[i] / scale >= critical)) continue;
    open.all_leaving[i] = 1;
    found = true;
  }
  if (!found) return;
  if (s.unit_depth.size() == 0) s.unit_depth.setOnes(sites());
  s.flux.setZero(cells_.count());
  add_outflow(state[velocity()], -1, s.unit_depth, s.flux, s);
  for (Index i = 0; i < places.size(); ++i)
    if (open.all_leaving[i] > 0)
      open.all_leaving[i] = std::max(0.0, s.flux[places[i].at] / places[i].together);
}

/// scale · the flux into the cell, m³/s; `open` contains the interior inflow.
/// Outflow: ℓ c h leaves (Flather 1976 with still water outside), which removes energy for either sign of h; from land above that
/// water, ℓ c η.
/// Level, inflow: a cell at the boundary belongs to the outside. Its interior inflow passes through, and η
/// relaxes to the outside depth at the rate ℓ c/A. At that depth the energy of the other cells is conserved,
/// and a uniform flow passes unchanged.
double WaveScheme::flow_into(const OpenBoundary& boundary, Index i, double scale,
                             const OpenPlaces& open) const {
  const OpenBoundary::Place& place = boundary.places[i];
  if (open.all_leaving[i] > 0) return -scale * place.length * open.all_leaving[i] * open.depth[i];
  if (place.kind == BoundaryKind::outflow)
    return -scale * open.conductance[i] * (open.depth[i] - depth_outside(boundary, i));
  return scale * open.conductance[i] * (depth_outside(boundary, i) - open.depth[i]) -
         place.share * open.interior_inflow[i];
}

void WaveScheme::add_open_flux(const Forces& forces, double scale, const OpenPlaces& open,
                               State& rate) const {
  const OpenBoundary& boundary = forces.open_boundary;
  Block volume_rate = rate[volume()];
  for (Index i = 0; i < boundary.places.size(); ++i)
    volume_rate[boundary.places[i].at] += flow_into(boundary, i, scale, open);
  add_through(
      boundary, [&](Index i) { return flow_into(boundary, i, scale, open); }, rate[boundary_volume()]);
}

/// Sets s.open.interior_inflow by evaluating the mass flux.
void WaveScheme::measure_interior_inflow(const State& state, const Forces& forces, double scale,
                                         WaveScratch& s) const {
  OpenPlaces& open = s.open;
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  s.flux.setZero(cells_.count());
  add_flux(state, forces, scale, s.flux, s);
  open.interior_inflow.resize(places.size());
  for (Index i = 0; i < places.size(); ++i) open.interior_inflow[i] = s.flux[places[i].at];
}

void WaveScheme::add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                    Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  measure_interior_inflow(state, forces, scale, s);
  measure_open_places(state, forces, s.open);
  find_supercritical(state, forces, scale, s);
  add_open_flux(forces, scale, s.open, rate);
}

const Array<Crossing>& WaveScheme::find_crossings(const State& state, const Forces& forces,
                                                  WaveScratch& s) const {
  const OpenBoundary& boundary = forces.open_boundary;
  OpenPlaces& open = s.open;
  Array<Crossing>& crossings = s.crossings;
  crossings.clear();
  if (!boundary.any()) return crossings;  // the same on all parts of a surface
  s.volume_rate.setZero(cells_.count());
  add_flux(state, forces, 1, s.volume_rate, s);
  open.interior_inflow.resize(boundary.places.size());
  for (Index i = 0; i < boundary.places.size(); ++i)
    open.interior_inflow[i] = s.volume_rate[boundary.places[i].at];
  measure_open_places(state, forces, open);
  find_supercritical(state, forces, 1, s);
  const auto add = [&](const OpenBoundary::Place& place, double depth, double out, bool all_leaves) {
    const double critical =
        WaveForces::of(forces).root_acceleration[place.at] * std::sqrt(std::max(depth, 0.0));
    double speed = depth > 0 ? out / (place.length * depth) : 0;
    if (!all_leaves) speed = std::clamp(speed, -critical, critical);
    crossings.push_back({place, depth, speed, out, out < 0, all_leaves, 0});
  };
  for (Index i = 0; i < boundary.places.size(); ++i) {
    add(boundary.places[i], open.depth[i], -flow_into(boundary, i, 1, open), open.all_leaving[i] > 0);
    if (boundary.places[i].kind != BoundaryKind::inflow) continue;
    Crossing& crossing = crossings.back();
    crossing.speed = -boundary.value[boundary.places[i].set].speed;
    crossing.tangential = boundary.value[boundary.places[i].set].tangential;
    crossing.enters = true;
  }
  const ConstBlock volumes = state[volume()];
  for (const OpenBoundary::Place& place : boundary.sources)
    add(place, volumes[place.at] * inverse_area_[place.at],
        discharge_out(place, volumes[place.at] * inverse_area_[place.at], forces), false);
  s.open_length.resize(cells_.count());
  for (const Crossing& crossing : crossings) s.open_length[crossing.place.at] = 0;
  for (const Crossing& crossing : crossings) {
    s.open_length[crossing.place.at] += crossing.place.length;
    s.volume_rate[crossing.place.at] -= crossing.out;
  }
  for (Crossing& crossing : crossings) {
    if (!(crossing.depth > 0)) continue;
    const Index at = crossing.place.at;
    if (crossing.place.kind != BoundaryKind::inflow)
      crossing.excess = s.volume_rate[at] / (crossing.depth * s.open_length[at]);
    else if (std::abs(crossing.speed) <
             WaveForces::of(forces).root_acceleration[at] * std::sqrt(crossing.depth))
      crossing.excess = crossing.out / (crossing.depth * crossing.place.length) - crossing.speed;
  }
  return crossings;
}

/// Derivations: wave_scheme.md, Open boundaries.
double Crossing::head(double inside, double normal) const {
  const double u = speed, w = tangential;
  switch (place.kind) {
    case BoundaryKind::inflow:
      return 0.5 * (u * u + w * w) + std::abs(u) * excess;
    case BoundaryKind::discharge:
      return inside + std::abs(u) * excess;
    default:
      break;
  }
  if (enters) return 0;  // water at rest enters
  if (all_leaves) return inside;
  if (place.kind == BoundaryKind::level) return inside - normal + 0.5 * u * u;
  return inside + std::abs(u) * excess;
}

void WaveScheme::extrapolate_vorticity(const Mesh& mesh, const Vector& face_area,
                                       const Array<Crossing>& crossings, VectorOut vorticity,
                                       WaveScratch& s) const {
  if (s.leaves.empty()) {
    s.leaves.assign(mesh.vertex_count, 0);
    s.around.setZero(2, mesh.vertex_count);
  }
  const auto mark = [&](bool entering, char as) {
    for (const Crossing& crossing : crossings)
      if (entering ? crossing.enters : crossing.out > 0)
        for (int end = 0; end < 2; ++end) s.leaves[mesh.edges(end, crossing.place.edge)] = as;
  };
  mark(false, 1);
  mark(true, 0);
  for (const Index k : boundary_faces_) {
    Eigen::Vector2d of_face(0, 0);
    for (int c = 0; c < 3; ++c)
      if (const Index i = mesh.faces(c, k); !s.leaves[i])
        of_face += face_area[k] * Eigen::Vector2d(vorticity[i], 1);
    for (int c = 0; c < 3; ++c)
      if (const Index i = mesh.faces(c, k); s.leaves[i]) s.around.col(i) += of_face;
  }
  for (const Crossing& crossing : crossings)
    for (int end = 0; end < 2; ++end)
      if (const Index i = mesh.edges(end, crossing.place.edge); s.leaves[i]) {
        vorticity[i] = s.around(1, i) > 0 ? s.around(0, i) / s.around(1, i) : 0;
        s.around.col(i).setZero();
        s.leaves[i] = 0;
      }
}

/// The outflow through a place of a discharge, m³/s: limited to the critical flux ℓηc; a larger outflow would
/// need waves that enter from outside.
double WaveScheme::discharge_out(const OpenBoundary::Place& place, double depth, const Forces& forces) {
  const double c = WaveForces::of(forces).root_acceleration[place.at] * std::sqrt(std::max(depth, 0.0));
  return place.length * std::min(-forces.open_boundary.value[place.set].value, c * std::max(depth, 0.0));
}

void WaveScheme::lacking_discharge(const ConstBlock& volume, const Forces& forces, Vector& lacking) const {
  const Array<OpenBoundary::Place>& sources = forces.open_boundary.sources;
  lacking.resize(sources.size());
  for (Index i = 0; i < sources.size(); ++i) {
    const OpenBoundary::Place& place = sources[i];
    const double asked = -place.length * forces.open_boundary.value[place.set].value;
    lacking[i] = asked - discharge_out(place, volume[place.at] * inverse_area_[place.at], forces);
  }
}

/// The largest Σ ℓ c/A, or Σ ℓ u/A, of the cells at open boundaries, 1/s. For a discharge that is limited to
/// the critical outflow: 3/2 ℓ c/A, from the derivative of ηc. For an inflow of more than ηc: ℓ (u + c)/A of
/// the critical state, u³ = c³ = αq. For an inflow with advection also ℓ/A times the prescribed speed that the water does not have yet.
double WaveScheme::boundary_frequency(const State& state, const Forces& forces, bool advects,
                                      WaveScratch& s) const {
  const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
  measure_interior_inflow(state, forces, 1, s);
  measure_open_places(state, forces, s.open);
  find_supercritical(state, forces, 1, s);
  s.flux.setZero(cells_.count());
  for (Index i = 0; i < places.size(); ++i) {
    const OpenBoundary::Place& place = places[i];
    s.flux[place.at] +=
        std::max(s.open.conductance[i], place.length * s.open.all_leaving[i]) * inverse_area_[place.at];
    if (place.kind != BoundaryKind::inflow || !advects) continue;
    const auto& prescribed = forces.open_boundary.value[place.set];
    const double has = s.open.depth[i] > 0
                           ? std::max(0.0, -s.open.interior_inflow[i] / (place.together * s.open.depth[i]))
                           : 0;
    s.flux[place.at] += place.length * inverse_area_[place.at] *
                        (std::max(0.0, prescribed.speed - has) + std::abs(prescribed.tangential));
  }
  for (const OpenBoundary::Place& place : forces.open_boundary.sources) {
    const double r = WaveForces::of(forces).root_acceleration[place.at],
                 q = forces.open_boundary.value[place.set].value;
    const double depth = std::max(0.0, state[volume()][place.at] * inverse_area_[place.at]);
    const double c = r * std::sqrt(depth);
    if (std::abs(q) > depth * c)
      s.flux[place.at] +=
          place.length * inverse_area_[place.at] * (q < 0 ? 1.5 * c : 2 * std::cbrt(r * r * q));
  }
  return max(mesh_, cells_, s.flux);
}

/// Whether the inflow of some discharge exceeds ηc, as it does onto dry land and films. In that case `filled`
/// is the state with the critical depth (q²/α)^⅓ in the cells of these discharges, which they reach within a
/// step.
bool WaveScheme::fill(const State& state, const Forces& forces, State& filled) const {
  bool found = false, found_here = false;
  for (const OpenBoundary::Place& place : forces.open_boundary.sources) {
    const double r = WaveForces::of(forces).root_acceleration[place.at],
                 q = forces.open_boundary.value[place.set].value;
    const double critical = q > 0 ? std::cbrt(q * q / (r * r)) : 0;
    if (!(state[volume()][place.at] * inverse_area_[place.at] < critical)) continue;
    if (!found) filled = state;
    found = true;
    found_here |= own(mesh_, cells_).has(place.at);  // ghosts at the rim of a part are not valid
    filled[volume()][place.at] = critical * cells_.area[place.at];
  }
  const bool anywhere = !all(mesh_, !found_here);
  if (anywhere && !found) filled = state;
  return anywhere;
}

}  // namespace shoal
