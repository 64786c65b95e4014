// Vorticity, head and momentum at boundaries with flux.
#include "discretizations/dec/dec.hpp"

#include <cmath>
#include <limits>

namespace shoal {

[[gnu::noinline]] const Openings& Dec::find_openings(const State& state, const Forces& forces,
                                                     DecScratch& s) const {
  Openings& openings = s.openings;
  openings.clear();
  for (const Crossing& crossing : find_crossings(state, forces, s)) {
    const Index e = crossing.place.edge;
    const Tangent turn = dual_.face_turn(triangulation_.mesh.edge_faces(0, e));
    const double length = crossing.place.length, across = dual_.part_length(e, 0);
    openings.push_back({crossing, length * dual_.unfolded_arm(e, 0, across) * turn,
                        length * dual_.along(e, 0) * turn, length * across});
  }
  return openings;
}

/// Water that enters a cell with its own velocity mixes with the water there, u_t = −(d_T/d_e) (q ℓ/(ηA)) (u
/// − v·n): the part of an upwind momentum flux that is missing in head and vorticity. Adds its power to
/// `power` if not null.
void Dec::add_entering_momentum(VectorIn flow, const Vector& site_depth, const Openings& openings,
                                double scale, VectorOut out, ExactSum* power) const {
  const Range own = own_sites();
  for (const Opening& opening : openings) {
    const Crossing& crossing = opening.crossing;
    if (!crossing.brings_velocity()) continue;
    const Index cell = opening.cell(), e = crossing.place.edge;
    const double frequency = -crossing.speed * crossing.place.length * inverse_area_[cell];
    const Vector3 normal = dual_.outward_normal(e, 0);
    const Vector3 along = geometry_.edge_vector(mesh_, e).normalized();
    const Vector3 outside = crossing.velocity_outside(normal, along);
    for (Index i = first_site_[cell]; i < first_site_[cell + 1]; ++i) {
      const Index s = sites_of_cell_[i] % sites(), side = sites_of_cell_[i] / sites();
      const double part = side == 0 ? site_.left_part[s] : 1 - site_.left_part[s];
      const double rate = -part * frequency *
                          (flow[s] - outside.dot(dual_.outward_normal(edge_of(s), static_cast<int>(side))));
      out[s] += scale * rate;
      if (power && own.has(s)) power->add(site_.length[s] * site_.dual[s] * site_depth[s] * flow[s] * rate);
    }
  }
}

/// Replaces `head` at openings, given the head from the sites and the moments of the velocity; several
/// openings at a cell are averaged, weighted by their fluxes.
void Dec::open_head(const Openings& openings, const CellVectors& moment, Vector& head, DecScratch& s) const {
  if (openings.empty()) return;
  if (s.outside.cols() == 0) s.outside.setZero(3, cells_.count());
  for (const Opening& opening : openings) {
    s.outside.col(opening.cell()).setZero();
    head[opening.cell()] += 0.5 * opening.across * opening.crossing.speed * opening.crossing.speed;
  }
  for (const Opening& opening : openings) {
    const Crossing& crossing = opening.crossing;
    const Index cell = opening.cell();
    const Tangent normal = opening.edge * Tangent(0, -1) / std::abs(opening.edge);
    const double out =
        inverse_area_[cell] * (moment.x[cell] * normal.real() + moment.y[cell] * normal.imag());
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    s.outside.col(cell) +=
        weight * Vector3(1, crossing.head(inverse_area_[cell] * head[cell], 0.5 * out * out), 0);
  }
  for (const Opening& opening : openings) {
    const Index cell = opening.cell();
    head[cell] = cells_.area[cell] * s.outside(1, cell) / s.outside(0, cell);
  }
}

/// The head K of the sites changes the energy at the rate Σ K V_t, where V_t is the flux from the interior;
/// the gradient −G K' removes Σ K' D u, with the head K' modified at openings. In addition, (ζ/H) n×M does no
/// work on M, but does on the part of M due to the sites alone.
double Dec::opening_power(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const {
  const bool advects = terms.has(Term::advection) && !options_.momentum,
             turns = terms.has(Term::coriolis) && forces.rotates;
  if (!advects && !turns) return 0;
  if (!forces.open_boundary.any()) return 0;
  DecScratch& s = of_dec(scratch);
  const Openings& openings = find_openings(state, forces, s);
  const ConstBlock flow = state[velocity()];
  const Vector& depth = s.site_depth;
  const Films* films = advects ? &update_films(state, forces, s) : nullptr;
  site_depth(state[volume()], s.site_depth, s);
  Vector &vorticity = s.rotation.at_cells, &head = s.head, &inflow = s.weight_sum;
  const Range own_cells = own(mesh_, cells_);
  ExactSum power;
  if (advects) {
    compute_vorticity(flow, openings, s.rotation, s);
    zero_film_vorticity(*films, vorticity);
    compute_head(flow, depth, head, s);
    s.inside_head = head;
    open_head(openings, s.moment, head, s);
    inflow.setZero(cells_.count());
    add_flux(state, forces, 1, inflow, s);
    for (const Opening& opening : openings) {
      const Index cell = opening.cell();
      if (s.outside(2, cell) != 0) continue;  // already counted at another opening
      s.outside(2, cell) = 1;
      if ((films->any && films->in_film[cell]) || !own_cells.has(cell)) continue;
      power.add((s.inside_head[cell] - head[cell]) * inverse_area_[cell] * inflow[cell]);
    }
    if (turns) vorticity += forces.coriolis;
    s.term.setZero(sites());
    add_entering_momentum(flow, depth, openings, 1, s.term, &power);
  }
  collect_circulation(advects ? &s.rotation : nullptr, turns ? &forces : nullptr, s);
  weigh_vorticity(advects ? vorticity : forces.coriolis, depth, s.factor, s);
  if (linear_) {
    rotate_linearly(flow, depth, openings, s);
    const Range own_edges = own(mesh_, Location::edge);
    for (const Opening& opening : openings)
      if (own_edges.has(opening.crossing.place.edge))
        power.add(opening.crossing.flux() * opening.crossing.place.length *
                  s.linear.torque[linear_->slot(opening.crossing.place.edge, 0)]);
    add_up(mesh_, &power, 1);
    return power.value();
  }
  sum_moments(depth, flow, s.moment, s);
  for (const Opening& opening : openings) {
    const Tangent through = opening.crossing.flux() * opening.moment;
    if (!own_cells.has(opening.cell())) continue;
    power.add(s.factor[opening.cell()] *
              (s.moment.x[opening.cell()] * through.imag() - s.moment.y[opening.cell()] * through.real()));
  }
  add_up(mesh_, &power, 1);
  return power.value();
}

}  // namespace shoal
