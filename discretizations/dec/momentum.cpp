// advection_form = momentum: donor-cell fluxes of mass and momentum (dec.md, Momentum form; after Perot 2000, Stelling &
// Duinmeijer 2003 and Kramer & Stelling 2008). With the flux F_e = l_e η_up u_e out of a cell, the vectors v_T of the
// cells and v_up that of the cell which the water leaves:
//
//     V_T_t = −Σ F_e,    h_e u_e_t = −Σ_T (σ_T/A_T) Σ_i F_i (v_up·n_e − u_e),    h_e = σ_L η_L + σ_R η_R.
//
// Pressure and force, with the mean depth of both cells, are in WaveScheme.
#include "discretizations/common/parallel.hpp"
#include "discretizations/dec/dec.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

std::string Dec::unavailable(std::string_view capability, const DecOptions& options) {
  if (options.momentum && capability == Wave::name)
    return "advection_form = momentum requires an explicit integrator: its mass flux has the depth of the "
           "cell "
           "that water leaves, which depends on the direction of the flow and cannot be expressed by a "
           "linear "
           "system; use advection_form = vector-invariant";
  return options.dry.unavailable(capability);
}

/// volume += scale · V_t with the depths of the cells that water leaves, nothing if they are dry; `open` [sites] is zero at closed sites,
/// null if none is closed. Sets s.donor_flux.
void Dec::add_donor_flux(VectorIn flow, const Vector& depth, const double* open, double scale,
                         VectorOut volume, DecScratch& s) const {
  s.donor_flux.resize(sites());
  const double *__restrict u = flow.data(), *__restrict length = site_.length.data(),
                           *__restrict eta = depth.data();
  const double dry = options_.dry.depth;
  const Index* __restrict left = site_.left_cell.data(), * __restrict right = site_.right_cell.data();
  double* __restrict flux = s.donor_flux.data();
  double* __restrict from_left = s.site_flux.data(), * __restrict from_right = from_left + sites();
  parallel_for(sites(), [=](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const double donor = eta[u[e] > 0 ? left[e] : right[e]];
      const bool closed = donor <= dry || (open && open[e] == 0);
      flux[e] = closed ? 0 : length[e] * donor * u[e];
      from_left[e] = flux[e];
      from_right[e] = -flux[e];
    }
  });
  cell_sum_.add(s.site_flux.data(), -scale, volume.data());
}

void Dec::add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut volume,
                         WaveScratch& scratch) const {
  if (!options_.momentum) return WaveScheme::add_shore_flux(flow, shore, scale, volume, scratch);
  add_donor_flux(flow, shore.cell_depth, shore.flow_depth.data(), scale, volume, of_dec(scratch));
}

/// term = scale · u_t, in the form
///
///     h_e u_e_t = Σ_T (σ_T/A_T) (Σ_in |F| (v_from − v_T)·n_e + V_T_t (v_T·n_e − u_e)).
///
/// Where more water enters during a step than h_e contains, the inflow takes the place of h_e: a step replaces at most
/// all of the velocity.
void Dec::move_momentum(VectorIn flow, const Forces& forces, const Openings& openings, double scale,
                        Vector& term, DecScratch& s) const {
  const Shore& shore = s.shore;
  const Vector& depth = shore.cell_depth;
  s.net_inflow.setZero(cells_.count());
  add_donor_flux(flow, depth, shore.found ? shore.flow_depth.data() : nullptr, 1, s.net_inflow, s);
  compute_cell_velocity(flow, openings, s);
  const Array<Tangent>& v = s.cell_velocity;
  s.cell_transport.resize(cells_.count());
  s.exchange.resize(cells_.count());
  parallel_for(cells_.count(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Tangent transport(0);
      double entering = 0;
      for (Index k = first_site_[i]; k < first_site_[i + 1]; ++k) {
        const Index e = sites_of_cell_[k] % sites();
        const int side = sites_of_cell_[k] < sites() ? 0 : 1;
        const double inflow = side == 0 ? -s.donor_flux[e] : s.donor_flux[e];
        if (!(inflow > 0)) continue;
        const Tangent turn = edge_direction_[side][e] * std::conj(edge_direction_[1 - side][e]);
        transport += inflow * (v[site_.cells(1 - side, e)] * turn - v[i]);
        entering += inflow;
      }
      s.cell_transport[i] = transport;
      s.exchange[i] = entering;
    }
  });
  for (const Opening& opening : openings) {
    const Crossing& crossing = opening.crossing;
    const Index i = opening.cell();
    s.net_inflow[i] -= crossing.out;
    if (!(crossing.out < 0)) continue;
    const Tangent along = opening.edge / std::abs(opening.edge), outward = Tangent(0, -1) * along;
    const Tangent outside = crossing.speed * outward - crossing.tangential * along;
    s.cell_transport[i] -= crossing.out * (outside - v[i]);
    s.exchange[i] -= crossing.out;
  }
  const double dt = 1 / forces.steps_per_second;
  term.resize(sites());
  parallel_for(sites(), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const auto share = [&](int side) { return side == 0 ? site_.left_share[e] : 1 - site_.left_share[e]; };
      double water = 0, gain = 0, entering = 0;
      for (int side = 0; side < 2; ++side) water += share(side) * std::max(depth[site_.cells(side, e)], 0.0);
      for (int side = 0; side < 2; ++side) {
        const Index i = site_.cells(side, e);
        const double part = share(side) * inverse_area_[i];
        const Tangent normal =
            Tangent(0, -1) * edge_direction_[side][e];  // −i times the direction of the edge
        const double v_n = (std::conj(normal) * v[i]).real(),
                     transport = (std::conj(normal) * s.cell_transport[i]).real();
        gain += part * (transport + s.net_inflow[i] * (v_n - flow[e]));
        entering += part * s.exchange[i];
      }
      const double carrier = std::max(water, dt * entering);
      term[e] = carrier > 0 ? scale * gain / carrier : 0;
    }
  });
}

/// Twice the largest Σ l u/A over the edges through which water leaves a cell: a step of 2/ω then removes at most all
/// of the water.
double Dec::emptying_frequency(VectorIn flow, DecScratch& s) const {
  s.leaving.setZero(cells_.count());
  for (Index e = 0; e < sites(); ++e)
    s.leaving[site_.cells(flow[e] > 0 ? 0 : 1, e)] += site_.length[e] * std::abs(flow[e]);
  return 2 * max(mesh_, cells_, s.leaving.cwiseProduct(inverse_area_));
}

}  // namespace shoal
