// Rates and forces of the schemes with adjoint operators.
#include "discretizations/wave_scheme.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

Options<DryOptions> DryOptions::describe() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<DryOptions>()
      .choice(
          "dry_outflow", &DryOptions::closed, {{"open", false}, {"closed", true}},
          "whether water leaves cells that have none; closed: what flows has at most the depth of the cell "
          "that it leaves where there is little, so that it stays positive but for the length of the step "
          "(explicit integrators only; for floods and fronts). In either case land without water does "
          "not "
          "push. With open "
          "nothing flows onto dry land over the edges of dec at which a triangle has a right angle")
      .number("dry_depth", "m", &DryOptions::depth, 0, unlimited,
              "with dry_outflow = closed, the largest depth at which water does not flow: it leaves no cell "
              "that is not deeper, and the velocity is zero")
      .number("advection_depth", "m", &DryOptions::advection_depth, 0, unlimited,
              "with dry_outflow = closed, in and beside water that is not deeper v·∇v of vector-invariant is "
              "taken "
              "from upstream")
      .number(
          "advection_froude", "1", &DryOptions::advection_froude, 0, unlimited,
          "and so it is in and beside water that is faster than this many times its waves, where some water "
          "is no deeper than advection_depth")
      .number("upstream_ratio", "1", &DryOptions::upstream_ratio, 0, 1,
              "with dry_outflow = closed, where some water is no deeper than advection_depth: the flux has "
              "the depth upstream where the least depth at its site is less than this part of the largest, "
              "and what is as shallow as that does not flow against the pressure of the water beside it")
      .choice(
          "dry_cells", &DryOptions::emptied, {{"kept", false}, {"emptied", true}},
          "with dry_outflow = closed, depths below zero after a step: kept as they are, or set to zero as "
          "where empty cells are told by a state of their own; emptied makes water");
}

std::string DryOptions::unavailable(std::string_view capability) const {
  if (!closed || capability != Wave::name) return "";
  return "dry_outflow = closed is for explicit integrators only: which fluxes it closes depends on where the "
         "water "
         "flows, which no linear system of the step knows; use dry_outflow = open";
}

void WaveScheme::add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                           State& rate) const {
  add_depth_rate(state, forces, terms, scale, rate);
  add_velocity_rate(state, forces, terms, scale, rate[velocity()]);
}

/// What crosses the boundary is measured before `rate`, which may be the state, changes.
void WaveScheme::add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                State& rate) const {
  Block volume_rate = rate[volume()];
  const bool has_source = terms.has(Term::source) && forces.has_inflow;
  if (has_source) measure_discharges(state[volume()], forces);
  discharges_measured_ = has_source;
  if (terms.has(Term::gravity)) {
    const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
    if (places.empty()) {
      add_flux(state, forces, scale, volume_rate);
    } else {
      interior_inflow_.resize(places.size());
      for (Index i = 0; i < places.size(); ++i) interior_inflow_[i] = -volume_rate[places[i].at];
      measure_open_places(state, forces);
      add_flux(state, forces, scale, volume_rate);
      for (Index i = 0; i < places.size(); ++i) interior_inflow_[i] += volume_rate[places[i].at];
      find_supercritical(state, forces, scale);
      add_open_flux(forces, scale, rate);
    }
  }
  if (!has_source) return;
  add_inflow(state[volume()], forces, scale, rate);
  discharges_measured_ = false;
}

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
  Block volume_rate = rate[volume()], through = rate[boundary_volume()];
  for (Index i = 0; i < open.places.size(); ++i) {
    const OpenBoundary::Place& place = open.places[i];
    const double in = flow_into(open, i, scale);
    volume_rate[place.at] += in;
    through[place.set] += in;
  }
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
  double lacking = 0;
  for (Index i = 0; i < sources.size(); ++i) {
    const OpenBoundary::Place& place = sources[i];
    const double asked = -place.length * forces.open_boundary.value[place.set].value;
    const double back = asked - discharge_out(place, discharge_depth_[i], forces);
    inflow[place.at] += back;
    lacking += back;
  }
  return lacking;
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
  return flux_.maxCoeff();
}

/// Of closed sites the rates are zero; of those beside dry land the velocity at the end of the step is projected, as that of
/// the flux is.
void WaveScheme::add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                   VectorOut rate) const {
  has_shore_ = find_shore(state);
  if (closed_sites_.empty() && shore_sites_.empty()) return add_terms(state, forces, terms, scale, rate);
  // add_terms() looks for the shore again, where there are openings, and with other velocities.
  closed_now_.reserve(sites());
  closed_now_ = closed_sites_;
  shore_now_ = shore_sites_;
  const Index components = velocity().size / sites();
  if (held_.size() < velocity().size) held_.resize(velocity().size);
  Index n = 0;
  for (const Index site : closed_now_)
    for (Index c = 0; c < components; ++c) held_[n++] = rate[c * sites() + site];
  for (const ShoreSite& shore : shore_now_)
    for (Index c = 0; c < components; ++c) held_[n++] = rate[c * sites() + shore.site];
  add_terms(state, forces, terms, scale, rate);
  n = 0;
  for (const Index site : closed_now_)
    for (Index c = 0; c < components; ++c) rate[c * sites() + site] = held_[n++];
  for (const ShoreSite& shore : shore_now_) {
    double acceleration[2] = {};
    for (Index c = 0; c < components; ++c)
      acceleration[c] = (rate[c * sites() + shore.site] - held_[n + c]) / scale;
    hold_rate(shore, forces, terms.has(Term::gravity), acceleration);
    for (Index c = 0; c < components; ++c)
      rate[c * sites() + shore.site] = held_[n++] + scale * acceleration[c];
  }
}

/// The rate that leads to the projection P(u + Δt a) in a step of the length Δt. Projecting a by the cells that u takes water
/// from would, of a flow however slow into one cell, let the whole of a act out of it for a step. Δt = 0: a is projected onto
/// the directions in which u may change. What takes u itself into the cone goes with the pressure (`takes`): rates of single
/// terms, by which their work is measured, have no part of it.
void WaveScheme::hold_rate(const ShoreSite& shore, const Forces& forces, bool takes,
                           double* acceleration) const {
  if (std::isfinite(forces.steps_per_second)) {
    const double dt = 1 / forces.steps_per_second;
    double end[2];
    for (int c = 0; c < 2; ++c) end[c] = shore.flow[c] + dt * acceleration[c];
    hold(shore.site, 0, shore.dry, end);
    for (int c = 0; c < 2; ++c)
      acceleration[c] = (end[c] - shore.flow[c] - (takes ? shore.taken[c] : 0)) / dt;
    return;
  }
  // Where nothing flows into a dry cell its own velocity cannot give way.
  double inflow[3];
  inflow_at_site(shore.site, shore.flow, inflow);
  unsigned resting = 0;
  for (unsigned i = 0; i < 3; ++i)
    if ((shore.dry >> i & 1) && inflow[i] == 0) resting |= 1U << i;
  hold(shore.site, shore.held, resting & ~shore.held, acceleration);
}

void WaveScheme::add_flux(const State& state, const Forces& forces, double scale, VectorOut out) const {
  if (!find_shore(state)) return add_mass_flux(state, scale, out);
  if (shore_sites_.empty()) return add_shore_flux(state[velocity()], scale, out);
  admitted_flow_ = state[velocity()];
  for (ShoreSite shore : shore_sites_) {
    turn_at_land(shore, forces);
    for (Index c = 0; c < velocity().size / sites(); ++c)
      admitted_flow_[c * sites() + shore.site] = shore.flow[c];
  }
  add_shore_flux(admitted_flow_, scale, out);
}

/// Water that pressure and force drive back from dry land flows there with the velocity that they leave it at the end of the
/// step: it climbs no higher than its energy takes it.
void WaveScheme::turn_at_land(ShoreSite& shore, const Forces& forces) const {
  if (!std::isfinite(forces.steps_per_second)) return;
  const Index s = shore.site, components = velocity().size / sites();
  Index cell[3];
  double p[3] = {}, push[2] = {}, before[3] = {}, change[3] = {};
  const int count = cells_of_site(s, cell);
  for (int i = 0; i < count; ++i)
    p[i] = forces.root_acceleration[cell[i]] * (cell_depth_[cell[i]] - cells_.bed[cell[i]]);
  push_at_site(s, p, push);
  const double weight = opening_[s] / forces.steps_per_second;
  for (Index c = 0; c < components; ++c) {
    push[c] *= weight * forces.site_root_acceleration[s];
    if (forces.has_force) push[c] += weight * forces.force[c * sites() + s];
  }
  inflow_at_site(s, shore.flow, before);
  inflow_at_site(s, push, change);
  bool turns = false;
  for (int i = 0; i < count; ++i) turns |= (shore.dry >> i & 1) && before[i] > 0 && change[i] < 0;
  if (!turns) return;
  for (Index c = 0; c < components; ++c) shore.flow[c] += push[c];
  hold(s, 0, shore.dry, shore.flow);
  flow_depth_[s] = depth_of_flow(s, shore.flow);
  opening_[s] = flow_depth_[s] / site_depth_[s];
}

void WaveScheme::stop_on_dry_land(State& state) const {
  find_shore(state);
  Block flow = state[velocity()];
  for (Index c = 0; c < velocity().size / sites(); ++c)
    for (const Index site : closed_sites_) flow[c * sites() + site] = 0;
  for (const ShoreSite& shore : shore_sites_)
    for (Index c = 0; c < velocity().size / sites(); ++c) flow[c * sites() + shore.site] = shore.flow[c];
  if (dry().closed && dry().emptied) state[volume()] = state[volume()].cwiseMax(0);
}

/// closed_sites_, shore_sites_; and where a cell is dry, or with dry_outflow = closed a film, flow_depth_ and opening_, else
/// false. cell_depth_ and site_depth_ are left as they are now, the latter before it is cut.
bool WaveScheme::find_shore(const State& state) const {
  closed_sites_.clear();
  shore_sites_.clear();
  const bool closes = dry().closed;
  const double film = closes ? std::max(dry().depth, dry().advection_depth) : 0;
  const double ratio = closes ? dry().upstream_ratio : 0;
  compute_cell_depth(state[volume()]);
  if (!(cell_depth_.minCoeff() <= film)) return false;
  closed_sites_.reserve(sites());
  site_mean(cell_depth_, site_depth_);
  flow_depth_ = site_depth_.cwiseMax(0);
  opening_.setOnes(sites());
  const ConstBlock flow = state[velocity()];
  const Index components = flow.size() / sites();
  Index cell[3];
  for (Index s = 0; s < sites(); ++s) {
    double least = site_depth_[s], largest = least;
    unsigned dry_cells = 0;
    const int count = cells_of_site(s, cell);
    for (int i = 0; i < count; ++i) {
      const double depth = cell_depth_[cell[i]];
      least = std::min(least, depth);
      largest = std::max(largest, depth);
      if (depth <= dry_depth()) dry_cells |= 1U << i;
    }
    if (least > dry_depth() && least >= ratio * largest) continue;
    const bool all_dry = dry_cells == (1U << count) - 1;
    if (all_dry || site_depth_[s] <= dry_depth() || (!closes && stands_above_water(s))) {
      flow_depth_[s] = opening_[s] = 0;
      closed_sites_.push_back(s);
      continue;
    }
    if (!closes) continue;
    ShoreSite shore = {s, dry_cells, 0, {}, {}};
    for (Index c = 0; c < components; ++c) shore.flow[c] = shore.taken[c] = flow[c * sites() + s];
    shore.dry |= opposed_films(s, ratio * largest);
    shore.held = hold(s, 0, shore.dry, shore.flow);
    for (Index c = 0; c < components; ++c) shore.taken[c] -= shore.flow[c];
    flow_depth_[s] = depth_of_flow(s, shore.flow);
    opening_[s] = flow_depth_[s] / site_depth_[s];
    if (shore.dry) shore_sites_.push_back(shore);
  }
  return true;
}

/// The cells of the site that are shallower than `depth` and into which the pressure pushes.
unsigned WaveScheme::opposed_films(Index site, double depth) const {
  Index cell[3];
  double elevation[3], push[2], inflow[3];
  const int count = cells_of_site(site, cell);
  for (int i = 0; i < count; ++i) elevation[i] = cell_depth_[cell[i]] - cells_.bed[cell[i]];
  push_at_site(site, elevation, push);
  inflow_at_site(site, push, inflow);
  unsigned opposed = 0;
  for (int i = 0; i < count; ++i)
    if (cell_depth_[cell[i]] < depth && inflow[i] > 0) opposed |= 1U << i;
  return opposed;
}

/// Whether land without water stands no lower than the highest water at the site.
bool WaveScheme::stands_above_water(Index site) const {
  double level = -std::numeric_limits<double>::infinity(), land = level;
  Index cell[3];
  for (int i = cells_of_site(site, cell) - 1; i >= 0; --i) {
    const double surface = cell_depth_[cell[i]] - cells_.bed[cell[i]];
    double& highest = cell_depth_[cell[i]] > dry_depth() ? level : land;
    highest = std::max(highest, surface);
  }
  return land > -std::numeric_limits<double>::infinity() && land >= level;
}

/// With dry_outflow = closed, of a velocity that takes nothing out of dry cells: the depth from where the water comes; of
/// several cells the harmonic mean, weighted with what leaves them, by which none of them is emptied faster than one that all
/// of it left; and at most as many times η̄ as the site has cells, where η̄ is extrapolated. At rest η̄.
double WaveScheme::depth_of_flow(Index site, const double* flow) const {
  Index cell[3];
  double inflow[3];
  const int count = cells_of_site(site, cell);
  inflow_at_site(site, flow, inflow);
  double outflow = 0, weighted = 0;
  for (int i = 0; i < count; ++i) {
    if (inflow[i] >= 0) continue;
    outflow -= inflow[i];
    weighted -= inflow[i] / cell_depth_[cell[i]];
  }
  const double mean = site_depth_[site];
  return outflow > 0 ? std::min(outflow / weighted, count * mean) : mean;
}

/// What an implicit integrator takes for the depths at sites: zero where a cell without water stands above the others.
void WaveScheme::close_dry_sites(VectorIn volume, Vector& depth) const {
  compute_cell_depth(volume);
  if (!(cell_depth_.minCoeff() <= 0)) return;
  for (Index s = 0; s < sites(); ++s)
    if (stands_above_water(s)) depth[s] = 0;
}

/// K and ζ are means over all sites around: those of cells with a dry one would see a front as a step of the velocity.
/// site_depth_ holds the means before they are cut.
void WaveScheme::find_films(const State& state, const Forces& forces) const {
  has_films_ = false;
  if (!has_shore_ || !dry().closed) return;
  in_film_.assign(cells_.count(), 0);
  Index cell[3];
  for (Index s = 0; s < sites(); ++s) {
    if (!is_film(s, state, forces)) continue;
    has_films_ = true;
    for (int i = cells_of_site(s, cell) - 1; i >= 0; --i) in_film_[cell[i]] = 1;
  }
  if (!has_films_) return;
  advected_.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    advected_[s] = 1;
    for (int i = cells_of_site(s, cell) - 1; i >= 0; --i)
      if (in_film_[cell[i]]) advected_[s] = 0;
  }
}

void WaveScheme::look_for_films(const State& state, const Forces& forces) const {
  has_shore_ = find_shore(state);
  find_films(state, forces);
}

Index WaveScheme::count_films(const State& state, const Forces& forces) const {
  Index count = 0;
  for (Index s = 0; s < sites(); ++s) count += is_film(s, state, forces);
  return count;
}

/// Whether the water there is no deeper than advection_depth or faster than advection_froude times its waves.
bool WaveScheme::is_film(Index site, const State& state, const Forces& forces) const {
  const double depth = site_depth_[site], wave = dry().advection_froude * forces.site_root_acceleration[site];
  if (depth <= dry().advection_depth) return true;
  double flow[2] = {};
  for (Index c = 0; c < velocity().size / sites(); ++c) flow[c] = state[velocity()][c * sites() + site];
  return squared_speed(site, flow) > wave * wave * depth;
}

void WaveScheme::add_terms(const State& state, const Forces& forces, Terms terms, double scale,
                           VectorOut rate) const {
  if (terms.has(Term::gravity)) {
    pressure(state[volume()], forces, pressure_);
    if (has_shore_) shore_weight_ = opening_.cwiseProduct(forces.site_root_acceleration);
    add_gradient(pressure_, -scale, has_shore_ ? shore_weight_ : forces.site_root_acceleration, rate);
    if (forces.has_force && (terms.has(Term::force) || !forces.has_body_force)) {
      add_force(forces.force, scale, rate);
    } else if (forces.has_force) {
      add_force(forces.force, scale, rate);
      add_force(forces.body_force, -scale, rate);
    }
  } else if (terms.has(Term::force) && forces.has_body_force) {
    add_force(forces.body_force, scale, rate);
  }
  if (terms.has(Term::advection)) find_films(state, forces);
  if (terms.has(Term::advection) || (terms.has(Term::coriolis) && forces.rotates))
    add_rotation(state, forces, terms, scale, rate);
  if (terms.has(Term::friction) && forces.friction > 0) rate -= scale * forces.friction * state[velocity()];
  if (terms.has(Term::source) && forces.has_own_velocity) add_mixing(state, forces, scale, rate);
}

/// u_t = r (w − u)/η̄ of an inflow r with the velocity w, so that η̄u gains r w. In next to no water w at once.
void WaveScheme::add_mixing(const State& state, const Forces& forces, double scale, VectorOut rate) const {
  site_depth(state[volume()], site_depth_);
  const ConstBlock flow = state[velocity()];
  for (Index i = 0; i < flow.size(); ++i) {
    const double depth = site_depth_[i % sites()], inflow = forces.own_inflow[i];
    if (inflow <= 0) continue;
    const double mixing = inflow < forces.steps_per_second * depth ? inflow / depth : forces.steps_per_second;
    if (std::isfinite(mixing)) rate[i] += scale * mixing * (forces.own_velocity[i] - flow[i]);
  }
}

void WaveScheme::inflow_at_velocity(const Vector& inflow, Vector& at_velocity) const {
  inflow_depth_ = inflow.cwiseProduct(inverse_area_);
  site_mean(inflow_depth_, site_inflow_);
  at_velocity = site_inflow_.replicate(velocity().size / sites(), 1);
}

/// In the part that flows, like the gradient: a force acts on the water that its site moves.
void WaveScheme::add_force(const Vector& force, double scale, VectorOut rate) const {
  if (!has_shore_) {
    rate += scale * force;
    return;
  }
  for (Index c = 0; c < velocity().size / sites(); ++c) {
    const auto part = Eigen::seqN(c * sites(), sites());
    rate(part).array() += scale * opening_.array() * force(part).array();
  }
}

/// The largest part of its water that leaves a cell beside dry land or in a film, 1/s: in a longer step than 1 over it more
/// would leave than is there.
double WaveScheme::emptying_rate(const State& state) const {
  if (!dry().closed || !find_shore(state)) return 0;
  const ConstBlock flow = state[velocity()];
  const Index components = flow.size() / sites();
  flux_.setZero(cells_.count());
  Index cell[3];
  double site_flow[2] = {}, inflow[3];
  auto shore = shore_sites_.begin();
  for (Index s = 0; s < sites(); ++s) {
    const bool is_shore = shore != shore_sites_.end() && shore->site == s;
    for (Index c = 0; c < components; ++c) site_flow[c] = is_shore ? shore->flow[c] : flow[c * sites() + s];
    if (is_shore) ++shore;
    inflow_at_site(s, site_flow, inflow);
    for (int i = cells_of_site(s, cell) - 1; i >= 0; --i)
      flux_[cell[i]] -= std::min(inflow[i], 0.0) * flow_depth_[s];
  }
  double highest = 0;
  for (Index i = 0; i < cells_.count(); ++i)
    if (flux_[i] > 0) highest = std::max(highest, flux_[i] * inverse_area_[i] / cell_depth_[i]);
  return highest;
}

double WaveScheme::stable_dt(const State& state, const Forces& forces, Terms terms) const {
  const double emptying = terms.has(Term::gravity) ? emptying_rate(state) : 0;
  return std::min(stable_dt_of_terms(state, forces, terms), 1 / emptying);
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
  return found;
}

double WaveScheme::stable_dt_of_terms(const State& state, const Forces& forces, Terms terms) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const double friction = terms.has(Term::friction) ? forces.friction : 0;
  const bool open = terms.has(Term::gravity) &&
                    !(forces.open_boundary.places.empty() && forces.open_boundary.sources.empty());
  if (terms.has(Term::gravity) && !advects && !turns && friction == 0 && !open)
    return stable_wave_dt(state, forces);
  const bool fast = terms.has(Term::gravity) && fills(state, forces);
  double frequency = terms.has(Term::gravity) ? 2 / stable_wave_dt(fast ? filled_ : state, forces) : 0;
  if (fast && advects) frequency *= 2;  // as u = c there
  if (open) frequency += boundary_frequency(state, forces);
  if (advects) frequency += advection_frequency(state);
  if (turns) frequency += forces.coriolis.cwiseAbs().maxCoeff();
  frequency += friction;
  return 2 / frequency;
}

void WaveScheme::compute_cell_depth(VectorIn volume) const {
  cell_depth_.resize(volume.size());
  const double* __restrict v = volume.data();
  const double* __restrict inverse_area = inverse_area_.data();
  double* __restrict depth = cell_depth_.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) depth[i] = v[i] * inverse_area[i];
  });
}

void WaveScheme::pressure(VectorIn volume, const Forces& forces, Vector& p) const {
  p.resize(volume.size());
  const double *__restrict v = volume.data(), *__restrict inverse_area = inverse_area_.data(),
                           *__restrict bed = cells_.bed.data(),
                           *__restrict root = forces.root_acceleration.data();
  double* __restrict value = p.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) value[i] = root[i] * (v[i] * inverse_area[i] - bed[i]);
  });
}

void WaveScheme::site_depth(VectorIn volume, Vector& depth) const {
  compute_cell_depth(volume);
  site_mean(cell_depth_, depth);
  for (double& value : depth)
    if (value < 0) value = 0;  // NaN is kept
}

std::vector<ClampCount> WaveScheme::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state, forces);
  const bool has_shore = find_shore(state);
  site_mean(cell_depth_, site_depth_);
  counts.push_back({"clamped_depths", static_cast<Index>((site_depth_.array() < 0).count())});
  counts.push_back({"dry_sites", closed_sites_.size(), false});
  if (dry().closed) counts.push_back({"film_sites", has_shore ? count_films(state, forces) : 0, false});
  count_critical(forces.open_boundary.sources, counts, [&](const OpenBoundary::Place& place) {
    const double depth = cell_depth_[place.at], root = forces.root_acceleration[place.at];
    const double flux = forces.open_boundary.value[place.set].value;
    return flux > 0 && !(flux < depth * root * std::sqrt(std::max(depth, 0.0)));
  });
  return counts;
}

void WaveScheme::measure_vertex_normals() const {
  if (on_boundary_.size() == 0) {
    on_boundary_ = Array<Index>(mesh_.vertex_count, 0);
    for (Index e = 0; e < mesh_.edge_count(); ++e)
      for (int end = 0; end < 2 && mesh_.is_wall(e); ++end) on_boundary_[mesh_.edges(end, e)] = 1;
  }
  vertex_normals(mesh_, geometry_, vertex_normals_);
}

double WaveScheme::coriolis_of(const Mesh& mesh, Index face, const Vector3& normal,
                               const Vector3& rotation) const {
  Vector3 sum = Vector3::Zero();
  for (int c = 0; c < 3; ++c) {
    const Index i = mesh.faces(c, face);
    if (on_boundary_[i]) return 2 * rotation.dot(normal);
    sum += vertex_normals_.col(i);
  }
  return 2.0 / 3 * rotation.dot(sum);
}

void WaveScheme::derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                               Forces& forces) const {
  if (forces.rotates) derive_coriolis(forcing.rotation, forces.coriolis);
  const double first = normal_acceleration[0];
  if (forces.has_body_force) split_body_acceleration(forcing.body_acceleration, forces.body_force);
  if (forces.moves) {
    if (!forces.has_body_force) forces.body_force.setZero(velocity().size);
    forces.has_body_force = true;
    forces.surface_force = -forces.body_force;
    add_surface_motion(forcing.surface_velocity, forces);
    if (!forcing.rotation.isZero(0)) {
      coriolis_of_mesh(forcing, mesh_acceleration_);
      split_body_acceleration(mesh_acceleration_, mesh_force_);
      forces.body_force += mesh_force_;
    }
    forces.surface_force += forces.body_force;
  }
  forces.has_force = forces.has_body_force;
  if (forces.has_body_force) forces.force = forces.body_force;
  if ((normal_acceleration.array() == first)
          .all()) {  // the same root everywhere, to the last bit: rest is exact
    forces.root_acceleration.setConstant(cells_.count(), std::sqrt(-first));
    forces.site_root_acceleration.setConstant(sites(), std::sqrt(-first));
    return;
  }
  Vector& root = forces.root_acceleration;
  cell_acceleration(normal_acceleration, root);
  root = (-root.array()).sqrt();
  site_mean(root, forces.site_root_acceleration);
  // b = −s (G(√|a| H) − s G H)
  weighted_bed_ = root.cwiseProduct(cells_.bed);
  squared_ = forces.site_root_acceleration.cwiseAbs2();
  if (!forces.has_force) forces.force.setZero(velocity().size);
  forces.has_force = true;
  add_gradient(weighted_bed_, -1, forces.site_root_acceleration, forces.force);
  add_gradient(cells_.bed, 1, squared_, forces.force);
}

}  // namespace shoal
