// Sites beside dry land, and films (wave_scheme.md, Dry land).
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

Options<DryOptions> DryOptions::describe() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<DryOptions>()
      .choice(
          "dry_outflow", &DryOptions::closed, {{"open", false}, {"closed", true}},
          "outflow of dry cells. open: not prevented; closed: prevented, and in shallow water the flux has "
          "at most the depth of the cell that it leaves, so that depths stay positive up to the stable step "
          "(explicit integrators only; for floods and fronts). In both cases dry land exerts no pressure. "
          "With open, nothing flows onto dry land across edges of dec opposite a right angle")
      .number("dry_depth", "m", &DryOptions::depth, 0, unlimited,
              "with dry_outflow = closed: largest depth that counts as dry; nothing flows out of such cells, "
              "and the velocity there is zero")
      .number("advection_depth", "m", &DryOptions::advection_depth, 0, unlimited,
              "with dry_outflow = closed: largest depth of films; in and beside them, v·∇v of "
              "vector-invariant uses upstream differences")
      .number("advection_froude", "1", &DryOptions::advection_froude, 0, unlimited,
              "the same in and beside water whose Froude number exceeds this, if any water is no deeper than "
              "advection_depth")
      .number("upstream_ratio", "1", &DryOptions::upstream_ratio, 0, 1,
              "with dry_outflow = closed, if any water is no deeper than advection_depth: the flux uses the "
              "upstream depth where the smallest depth at its site is less than this fraction of the "
              "largest, and water as shallow as that does not flow against the pressure of its neighbours")
      .choice("dry_cells", &DryOptions::emptied, {{"kept", false}, {"emptied", true}},
              "with dry_outflow = closed: negative depths after a step. kept: unchanged; emptied: set to "
              "zero, which adds mass");
}

std::string DryOptions::unavailable(std::string_view capability) const {
  if (!closed || capability != Wave::name) return "";
  return "dry_outflow = closed requires an explicit integrator: which fluxes are closed depends on the "
         "direction of the flow, which a linear system cannot express; use dry_outflow = open";
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

}  // namespace shoal
