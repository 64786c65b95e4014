// Velocity sites beside dry cells, and thin films (wave_scheme.md, Dry land).
#include "discretizations/wave_scheme/wave_scheme.hpp"

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
          "outflow of dry cells. open: not prevented; closed: prevented, and next to dry or very shallow "
          "cells (upstream_ratio) the flux uses the depth of the upstream cell, so that depths stay positive "
          "up to the stable step (explicit integrators only; for floods and fronts). In both cases dry land "
          "exerts no pressure. With open, nothing flows onto dry land across edges of dec opposite a right "
          "angle")
      .number("dry_depth", "m", &DryOptions::depth, 0, unlimited,
              "with dry_outflow = closed, or advection_form = momentum: largest depth that counts as dry; "
              "nothing flows out of such cells, and the velocity there is zero")
      .number("advection_depth", "m", &DryOptions::advection_depth, 0, unlimited,
              "with dry_outflow = closed: largest depth of films; in and beside them, v·∇v of "
              "vector-invariant uses upstream differences")
      .number(
          "advection_froude", "1", &DryOptions::advection_froude, 0, unlimited,
          "with dry_outflow = closed, if any water is no deeper than advection_depth: Froude number above "
          "which v·∇v of vector-invariant also uses upstream differences, in and beside such water")
      .number("upstream_ratio", "1", &DryOptions::upstream_ratio, 0, 1,
              "with dry_outflow = closed, if any water is no deeper than advection_depth: the flux uses the "
              "upstream depth where the smallest depth at its site is less than this fraction of the "
              "largest, and no water flows out of such shallow cells against a higher pressure")
      .choice("dry_cells", &DryOptions::emptied, {{"kept", false}, {"emptied", true}},
              "with dry_outflow = closed: negative depths after a step. kept: unchanged; emptied: set to "
              "zero, which adds mass");
}

std::string DryOptions::unavailable(std::string_view capability) const {
  if (!closed || capability != Wave::name) return "";
  return "dry_outflow = closed requires an explicit integrator: which fluxes are closed depends on the "
         "direction of the flow, which a linear system cannot express; use dry_outflow = open";
}

/// At closed sites the rates are zero. At shore sites the velocity at the end of the step is projected in the
/// same way as the velocity in the mass flux.
void WaveScheme::add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                   VectorOut rate, Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  Shore& shore = s.shore;
  find_shore(state, forces, shore);
  if (shore.closed_sites.empty() && shore.sites.empty())
    return add_terms(state, forces, terms, scale, rate, s);
  // add_terms() may call find_shore() again, through find_crossings(), for another velocity: keep a copy.
  s.closed_now.reserve(sites());
  s.closed_now = shore.closed_sites;
  s.shore_now = shore.sites;
  const Index components = velocity().size / sites();
  if (s.held.size() < velocity().size) s.held.resize(velocity().size);
  Index n = 0;
  for (const Index site : s.closed_now)
    for (Index c = 0; c < components; ++c) s.held[n++] = rate[c * sites() + site];
  for (const ShoreSite& at : s.shore_now)
    for (Index c = 0; c < components; ++c) s.held[n++] = rate[c * sites() + at.site];
  add_terms(state, forces, terms, scale, rate, s);
  n = 0;
  const WaveForces& waves = WaveForces::of(forces);
  const double resists = terms.has(Term::gravity) && waves.has_inertia ? scale : 0;
  for (const Index site : s.closed_now)
    for (Index c = 0; c < components; ++c) {
      rate[c * sites() + site] = s.held[n++];
      if (resists != 0) rate[c * sites() + site] -= resists * waves.inertia[c * sites() + site];
    }
  for (const ShoreSite& at : s.shore_now) {
    double acceleration[2] = {};
    for (Index c = 0; c < components; ++c)
      acceleration[c] = (rate[c * sites() + at.site] - s.held[n + c]) / scale;
    hold_rate(at, forces, terms.has(Term::gravity), acceleration);
    for (Index c = 0; c < components; ++c)
      rate[c * sites() + at.site] = s.held[n++] + scale * acceleration[c];
  }
}

/// The acceleration for which an Euler step of length Δt ends at the projection P(u + Δt a). Projecting a
/// with respect to the cells that u drains would be wrong: with a flow into one cell, however slow, all of a
/// could act out of that cell for a whole step. For Δt = 0, a is projected onto the directions in which u may
/// change. `takes` (the rate includes gravity): the rate also removes the inadmissible part of u itself.
/// Rates of single terms, used to measure their work, exclude that part.
void WaveScheme::hold_rate(const ShoreSite& shore, const Forces& forces, bool takes,
                           double* acceleration) const {
  const Index components = velocity().size / sites();
  double inertia[2] = {};
  // Water that is exchanged at an instant comes without forces of the scheme.
  if (const WaveForces* waves = forces.own ? &WaveForces::of(forces) : nullptr; waves && waves->has_inertia)
    for (Index c = 0; c < components; ++c) inertia[c] = waves->inertia[c * sites() + shore.site];
  if (std::isfinite(forces.steps_per_second)) {
    const double dt = 1 / forces.steps_per_second;
    double end[2];
    for (int c = 0; c < 2; ++c) end[c] = shore.flow[c] + dt * (acceleration[c] + inertia[c]);
    hold(shore.site, 0, shore.dry, end);
    for (int c = 0; c < 2; ++c)
      acceleration[c] = (end[c] - shore.flow[c] - (takes ? shore.taken[c] : 0)) / dt - inertia[c];
    return;
  }
  // A dry cell with zero inflow is an active constraint: the velocity has no inflow there that it could lose.
  double inflow[3];
  inflow_at_site(shore.site, shore.flow, inflow);
  unsigned resting = 0;
  for (unsigned i = 0; i < 3; ++i)
    if ((shore.dry >> i & 1) && inflow[i] == 0) resting |= 1U << i;
  hold(shore.site, shore.held, resting & ~shore.held, acceleration);
}

void WaveScheme::add_flux(const State& state, const Forces& forces, double scale, VectorOut out,
                          WaveScratch& s) const {
  Shore& shore = s.shore;
  find_shore(state, forces, shore);
  if (!shore.found) return add_mass_flux(state, scale, out, s);
  if (shore.sites.empty()) return add_shore_flux(state[velocity()], shore, scale, out, s);
  s.admitted_flow = state[velocity()];
  for (ShoreSite at : shore.sites) {
    decelerate_at_land(at, forces, shore);
    for (Index c = 0; c < velocity().size / sites(); ++c) s.admitted_flow[c * sites() + at.site] = at.flow[c];
  }
  add_shore_flux(s.admitted_flow, shore, scale, out, s);
}

/// Where pressure and force drive water away from dry land, the flux onto the land uses the velocity at the
/// end of the step, so that water climbs no higher than its energy allows.
void WaveScheme::decelerate_at_land(ShoreSite& at, const Forces& forces, Shore& shore) const {
  const WaveForces& waves = WaveForces::of(forces);
  if (!std::isfinite(forces.steps_per_second)) return;
  const Index s = at.site, components = velocity().size / sites();
  Index cell[3];
  double p[3] = {}, push[2] = {}, before[3] = {}, change[3] = {};
  const int count = cells_of_site(s, cell);
  for (int i = 0; i < count; ++i)
    p[i] = waves.root_acceleration[cell[i]] * (shore.cell_depth[cell[i]] - cells_.bed[cell[i]]);
  push_at_site(s, p, push);
  const double weight = shore.opening[s] / forces.steps_per_second;
  for (Index c = 0; c < components; ++c) {
    push[c] *= weight * waves.site_root_acceleration[s];
    if (waves.has_force) push[c] += weight * waves.force[c * sites() + s];
    if (waves.has_inertia) push[c] += weight * waves.inertia[c * sites() + s];
  }
  inflow_at_site(s, at.flow, before);
  inflow_at_site(s, push, change);
  bool turns = false;
  for (int i = 0; i < count; ++i) turns |= (at.dry >> i & 1) && before[i] > 0 && change[i] < 0;
  if (!turns) return;
  for (Index c = 0; c < components; ++c) at.flow[c] += push[c];
  hold(s, 0, at.dry, at.flow);
  shore.flow_depth[s] = depth_of_flow(s, at.flow, shore);
  shore.opening[s] = shore.flow_depth[s] / shore.mean_depth[s];
}

void WaveScheme::stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const {
  Shore& shore = of_waves(scratch).shore;
  find_shore(state, forces, shore);
  Block flow = state[velocity()];
  for (Index c = 0; c < velocity().size / sites(); ++c)
    for (const Index site : shore.closed_sites) flow[c * sites() + site] = 0;
  for (const ShoreSite& at : shore.sites)
    for (Index c = 0; c < velocity().size / sites(); ++c) flow[c * sites() + at.site] = at.flow[c];
  if (dry().closed && dry().emptied) state[volume()] = state[volume()].cwiseMax(0);
}

bool WaveScheme::resists_inertia(VectorIn volume) const {
  return min(mesh_, cells_, volume.cwiseProduct(inverse_area_)) <= film_depth();
}

namespace {

/// Of the values that are numbers.
double lowest(const double* values, Index count) {
  double least = std::numeric_limits<double>::infinity();
#pragma omp simd reduction(min : least)
  for (Index i = 0; i < count; ++i) least = values[i] < least ? values[i] : least;
  return least;
}

}  // namespace

void WaveScheme::find_shore(const State& state, const Forces& forces, Shore& shore) const {
  shore.found = false;
  shore.closed_sites.clear();
  shore.sites.clear();
  const bool closes = dry().closed;
  const double ratio = closes ? dry().upstream_ratio : 0;
  compute_cell_depth(state[volume()], shore.cell_depth);
  // With `closes`, a film anywhere lets the upstream ratio act everywhere, and inertia would change the sign of zeros; otherwise only
  // the sites beside dry cells matter. Ghosts at the rim of a part are not valid, but their sites do not matter.
  const bool of_whole = closes || (forces.own && WaveForces::of(forces).has_inertia);
  const Range here = of_whole ? own(mesh_, cells_) : Range{0, cells_.count()};
  const bool deep = !(lowest(shore.cell_depth.data() + here.begin, here.count) <= film_depth());
  const bool all_deep = of_whole ? all(mesh_, deep) : deep;
  if (all_deep && !moves_momentum()) return;
  shore.closed_sites.reserve(sites());
  shore.found = true;
  site_mean(shore.cell_depth, shore.mean_depth);
  shore.flow_depth = shore.mean_depth.cwiseMax(0);
  shore.opening.setOnes(sites());
  if (moves_momentum())
    parallel_for(sites(), [&](Index begin, Index end) {
      Index cell[3];
      for (Index s = begin; s < end; ++s) {
        if (!(shore.mean_depth[s] > 0)) continue;
        const int count = cells_of_site(s, cell);
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += std::max(shore.cell_depth[cell[i]], 0.0);
        shore.opening[s] = std::min(sum / (count * shore.mean_depth[s]), static_cast<double>(count));
      }
    });
  if (all_deep) return;
  const ConstBlock flow = state[velocity()];
  const Index components = flow.size() / sites();
  Index cell[3];
  for (Index s = 0; s < sites(); ++s) {
    double smallest = shore.mean_depth[s], largest = smallest;
    unsigned dry_cells = 0;
    const int count = cells_of_site(s, cell);
    for (int i = 0; i < count; ++i) {
      const double depth = shore.cell_depth[cell[i]];
      smallest = std::min(smallest, depth);
      largest = std::max(largest, depth);
      if (depth <= dry_depth()) dry_cells |= 1U << i;
    }
    if (smallest > dry_depth() && smallest >= ratio * largest) continue;
    const bool all_dry = dry_cells == (1U << count) - 1;
    if (all_dry || shore.mean_depth[s] <= dry_depth() ||
        (!closes && stands_above_water(s, forces, shore.cell_depth))) {
      shore.flow_depth[s] = shore.opening[s] = 0;
      shore.closed_sites.push_back(s);
      continue;
    }
    if (!closes) continue;
    ShoreSite at = {s, dry_cells, 0, {}, {}};
    for (Index c = 0; c < components; ++c) at.flow[c] = at.taken[c] = flow[c * sites() + s];
    at.dry |= opposed_films(s, ratio * largest, shore.cell_depth);
    at.held = hold(s, 0, at.dry, at.flow);
    for (Index c = 0; c < components; ++c) at.taken[c] -= at.flow[c];
    shore.flow_depth[s] = depth_of_flow(s, at.flow, shore);
    shore.opening[s] = shore.flow_depth[s] / shore.mean_depth[s];
    if (at.dry) shore.sites.push_back(at);
  }
}

/// The cells of the site that are shallower than `depth` and into which the pressure gradient points (bits).
unsigned WaveScheme::opposed_films(Index site, double depth, const Vector& cell_depth) const {
  Index cell[3];
  double elevation[3], push[2], inflow[3];
  const int count = cells_of_site(site, cell);
  for (int i = 0; i < count; ++i) elevation[i] = cell_depth[cell[i]] - cells_.bed[cell[i]];
  push_at_site(site, elevation, push);
  inflow_at_site(site, push, inflow);
  unsigned opposed = 0;
  for (int i = 0; i < count; ++i)
    if (cell_depth[cell[i]] < depth && inflow[i] > 0) opposed |= 1U << i;
  return opposed;
}

/// Whether the highest dry bed at the site is at or above the highest water level there. A force F = −G Φ at
/// the site shifts the levels by Φ/s: −s G p + F = −s G (p + Φ/s).
bool WaveScheme::stands_above_water(Index site, const Forces& acting, const Vector& cell_depth) const {
  const WaveForces& waves = WaveForces::of(acting.shore ? *acting.shore : acting);
  double level = -std::numeric_limits<double>::infinity(), land = level;
  Index cell[3];
  double potential[3] = {};
  const bool has_force = waves.has_force || waves.has_inertia;
  if (has_force) {
    double force[2] = {};
    for (Index c = 0; c < velocity().size / sites(); ++c)
      force[c] = (waves.has_force ? waves.force[c * sites() + site] : 0) +
                 (waves.has_inertia ? waves.inertia[c * sites() + site] : 0);
    potential_at_site(site, force, potential);
  }
  for (int i = cells_of_site(site, cell) - 1; i >= 0; --i) {
    double surface = cell_depth[cell[i]] - cells_.bed[cell[i]];
    if (has_force)
      surface =
          waves.root_acceleration[cell[i]] * surface + potential[i] / waves.site_root_acceleration[site];
    double& highest = cell_depth[cell[i]] > dry_depth() ? level : land;
    highest = std::max(highest, surface);
  }
  return land > -std::numeric_limits<double>::infinity() && land >= level;
}

/// The flux depth at a shore site with dry_outflow = closed, for a velocity that drains no dry cell: the
/// depth of the upstream cell; with several upstream cells their harmonic mean weighted by their outflows, so
/// that none of them drains faster than if all the outflow came from it alone. At most (number of cells at
/// the site) · η̄, because η̄ is extrapolated there. Without outflow: η̄.
double WaveScheme::depth_of_flow(Index site, const double* flow, const Shore& shore) const {
  Index cell[3];
  double inflow[3];
  const int count = cells_of_site(site, cell);
  inflow_at_site(site, flow, inflow);
  double outflow = 0, weighted = 0;
  for (int i = 0; i < count; ++i) {
    if (inflow[i] >= 0) continue;
    outflow -= inflow[i];
    weighted -= inflow[i] / shore.cell_depth[cell[i]];
  }
  const double mean = shore.mean_depth[site];
  return outflow > 0 ? std::min(outflow / weighted, count * mean) : mean;
}

void WaveScheme::close_dry_sites(VectorIn volume, const Forces& forces, Vector& depth,
                                 Scratch& scratch) const {
  Vector& cell_depth = of_waves(scratch).cell_depth;
  compute_cell_depth(volume, cell_depth);
  if (!(cell_depth.minCoeff() <= dry_depth())) return;
  for (Index s = 0; s < sites(); ++s)
    if (stands_above_water(s, forces, cell_depth)) depth[s] = 0;
}

/// K and ζ are averages over all sites around a cell. With a dry cell among those, a front would appear as a
/// jump of the velocity; therefore every cell of a film site is in the film.
void WaveScheme::find_films(const State& state, const Forces& forces, const Shore& shore,
                            Films& films) const {
  films.any = films.own = false;
  if (!shore.found || !dry().closed) return;
  films.in_film.assign(cells_.count(), 0);
  Index cell[3];
  for (Index s = 0; s < sites(); ++s) {
    if (!is_film(s, state, forces, shore)) continue;
    films.any = true;
    films.own |= own_sites().has(s);
    for (int i = cells_of_site(s, cell) - 1; i >= 0; --i) films.in_film[cell[i]] = 1;
  }
  if (!films.any) return;
  films.advected.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    films.advected[s] = 1;
    for (int i = cells_of_site(s, cell) - 1; i >= 0; --i)
      if (films.in_film[cell[i]]) films.advected[s] = 0;
  }
}

const Films& WaveScheme::update_films(const State& state, const Forces& forces, WaveScratch& s) const {
  find_shore(state, forces, s.shore);
  find_films(state, forces, s.shore, s.films);
  return s.films;
}

Index WaveScheme::count_films(const State& state, const Forces& forces, const Shore& shore) const {
  return count(mesh_, own_sites(), [&](Index s) { return shore.found && is_film(s, state, forces, shore); });
}

/// Whether the mean depth at the site is at most advection_depth, or the Froude number exceeds
/// advection_froude.
bool WaveScheme::is_film(Index site, const State& state, const Forces& forces, const Shore& shore) const {
  const double depth = shore.mean_depth[site],
               wave = dry().advection_froude * WaveForces::of(forces).site_root_acceleration[site];
  if (depth <= dry().advection_depth) return true;
  double flow[2] = {};
  for (Index c = 0; c < velocity().size / sites(); ++c) flow[c] = state[velocity()][c * sites() + site];
  return squared_speed(site, flow) > wave * wave * depth;
}

/// Weighted by `opening`, like the gradient: a force acts only on the water that moves with the site.
void WaveScheme::add_force(const Vector& force, const Shore& shore, double scale, VectorOut rate) const {
  if (!shore.found) {
    rate += scale * force;
    return;
  }
  for (Index c = 0; c < velocity().size / sites(); ++c) {
    const auto part = Eigen::seqN(c * sites(), sites());
    rate(part).array() += scale * shore.opening.array() * force(part).array();
  }
}

/// The motion of the mesh accelerates the velocity at a site as a whole, but like a force it acts only on the water that moves with
/// the site: the rate takes the rest back.
void WaveScheme::resist_inertia(const Vector& inertia, const Shore& shore, double scale,
                                VectorOut rate) const {
  for (Index c = 0; c < velocity().size / sites(); ++c) {
    const auto part = Eigen::seqN(c * sites(), sites());
    rate(part).array() += scale * (shore.opening.array() - 1) * inertia(part).array();
  }
}

/// The largest ratio of outflow to volume among cells beside dry land or in a film, 1/s. A step longer than
/// its inverse would remove more water than the cell contains.
double WaveScheme::emptying_rate(const State& state, const Forces& forces, WaveScratch& s) const {
  if (!dry().closed) return 0;
  Shore& shore = s.shore;
  find_shore(state, forces, shore);
  if (!shore.found) return largest_of_all(mesh_, 0);
  const ConstBlock flow = state[velocity()];
  const Index components = flow.size() / sites();
  s.flux.setZero(cells_.count());
  Index cell[3];
  double site_flow[2] = {}, inflow[3];
  auto at = shore.sites.begin();
  for (Index site = 0; site < sites(); ++site) {
    const bool is_shore = at != shore.sites.end() && at->site == site;
    for (Index c = 0; c < components; ++c) site_flow[c] = is_shore ? at->flow[c] : flow[c * sites() + site];
    if (is_shore) ++at;
    inflow_at_site(site, site_flow, inflow);
    for (int i = cells_of_site(site, cell) - 1; i >= 0; --i)
      s.flux[cell[i]] -= std::min(inflow[i], 0.0) * shore.flow_depth[site];
  }
  double highest = 0;
  const Range own_cells = own(mesh_, cells_);
  for (Index i = own_cells.begin; i < own_cells.begin + own_cells.count; ++i)
    if (s.flux[i] > 0) highest = std::max(highest, s.flux[i] * inverse_area_[i] / shore.cell_depth[i]);
  return largest_of_all(mesh_, highest);
}

}  // namespace shoal
