#include "discretizations/grid/centred_scheme.hpp"

#include "discretizations/operators/boundary_flux.hpp"

#include <algorithm>

namespace shoal {

CentredScheme::CentredScheme(const std::string& name, const Mesh& mesh, const Geometry& geometry,
                             const ScalarField& bed_depth, const Parameters& parameters)
    : GridScheme(name, mesh, geometry, bed_depth, parameters) {
  side_of_.assign(mesh_.edge_count(), {SquareGrid::none, SquareGrid::none});
  for (const SquareGrid::Edge& edge : grid_.edges)
    if (edge.is_wall())
      side_of_[edge.of_mesh] = {edge.inside(), 2 * edge.axis + (edge.second == SquareGrid::none ? 1 : 0)};
}

void CentredScheme::add_open_edge(Index edge, Index set, BoundaryKind kind,
                                  Array<OpenBoundary::Place>& places) const {
  places.push_back({side_of_[edge][0], edge, set, kind, side_});
}

/// The water at the boundary, from the state in the cell (boundary_flux.hpp), with the velocity along the edge of that which enters
/// or leaves. The bed outside is that of the cell.
void CentredScheme::measure_openings(const Forces& forces, const Vector& depth, const double* u,
                                     const double* v, double dry, Array<Opening>& openings) const {
  const OpenBoundary& boundary = forces.open_boundary;
  openings.resize(boundary.places.size());
  const Vector& acceleration = GridForces::acceleration_of(forces);
  for (Index i = 0; i < boundary.places.size(); ++i) {
    const OpenBoundary::Place& place = boundary.places[i];
    const OpenBoundary::Value& value = boundary.value[place.set];
    const auto [c, side] = side_of_[place.edge];
    Opening& opening = openings[i];
    opening = {c, static_cast<int>(side), 0, 0, 0, 0, 0};
    const bool in_x = opening.is_normal_to_x();
    const double outward = opening.outward();
    const double inside = depth[c] > dry ? depth[c] : 0,
                 normal = inside > 0 ? outward * (in_x ? u[c] : v[c]) : 0;
    const BoundaryWater water =
        boundary_water(place.kind, value, cells_.bed[c], inside, normal, acceleration[c]);
    // To the left of the inward normal.
    const double prescribed =
        place.kind == BoundaryKind::inflow ? (in_x ? -outward : outward) * value.tangential : 0;
    const double along = water.velocity > 0 ? (in_x ? v[c] : u[c]) : prescribed;
    opening.depth = water.depth;
    opening.u = in_x ? outward * water.velocity : along;
    opening.v = in_x ? along : outward * water.velocity;
    opening.discharge = -water.flux;
    opening.lacking = water.lacking;
  }
}

void CentredScheme::find_openings(const Forces& forces, const double* u, const double* v, double dry,
                                  CentredScratch& s) const {
  for (const Opening& opening : s.openings) s.opening_at[4 * opening.cell + opening.side] = SquareGrid::none;
  measure_openings(forces, s.depth, u, v, dry, s.openings);
  if (s.openings.empty()) return;
  if (s.opening_at.empty()) s.opening_at.assign(4 * grid_.count(), SquareGrid::none);
  for (Index i = 0; i < s.openings.size(); ++i) s.opening_at[4 * s.openings[i].cell + s.openings[i].side] = i;
}

double CentredScheme::missing_discharge(const Forces& forces, double dt, Index place, const Opening& opening,
                                        double available, double& lacking) const {
  const OpenBoundary& boundary = forces.open_boundary;
  if (boundary.places[place].kind != BoundaryKind::discharge) return 0;
  const double wanted = dt / side_ * opening.discharge - opening.entered;
  const double more = std::max(wanted, -std::max(0.0, available));
  lacking += dt / side_ * opening.lacking + (more - wanted);
  return more;
}

void CentredScheme::book(const Forces& forces, const Array<Opening>& openings, double lacking,
                         State& state) const {
  add_through(
      forces.open_boundary, [&](Index i) { return area_ * openings[i].entered; }, state[boundary_volume()]);
  state[source_volume()][1] += area_ * lacking;
}

void CentredScheme::add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                       Scratch& scratch) const {
  if (forces.open_boundary.flux_sets.empty()) return;
  CentredScratch& s = static_cast<CentredScratch&>(scratch);
  compute_depth(state, s);
  cell_velocity(state, s.velocity);
  Array<Opening>& openings = s.openings_now;
  measure_openings(forces, s.depth, s.velocity.x.data(), s.velocity.y.data(), 0, openings);
  const auto in = [&](Index i) { return scale * side_ * openings[i].inflow(); };
  Block volumes = rate[volume()];
  for (Index i = 0; i < openings.size(); ++i) volumes[openings[i].cell] += in(i);
  add_through(forces.open_boundary, in, rate[boundary_volume()]);
}

/// Water at the boundary has the energy a h + ½v² per mass, that of the cell another.
double CentredScheme::opening_power(const State& state, const Forces& forces, Terms terms,
                                    Scratch& scratch) const {
  if (!terms.has(Term::gravity) || forces.open_boundary.flux_sets.empty()) return 0;
  CentredScratch& s = static_cast<CentredScratch&>(scratch);
  compute_depth(state, s);
  cell_velocity(state, s.velocity);
  const Vector &u = s.velocity.x, &v = s.velocity.y, &acceleration = GridForces::acceleration_of(forces);
  Array<Opening>& openings = s.openings_now;
  measure_openings(forces, s.depth, u.data(), v.data(), 0, openings);
  return sum(mesh_, Range{0, openings.size()}, [&](Index i) {
    const Opening& opening = openings[i];
    const Index c = opening.cell;
    const double at_boundary = opening.u * opening.u + opening.v * opening.v,
                 in_cell = u[c] * u[c] + v[c] * v[c];
    return side_ * opening.inflow() *
           (acceleration[c] * (opening.depth - s.depth[c]) + 0.5 * (at_boundary - in_cell));
  });
}

}  // namespace shoal
