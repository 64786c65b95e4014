// The rotation term with its projection and the head of vector-invariant advection, and the Coriolis term (fefv.md).
#include "discretizations/common/parallel.hpp"
#include "discretizations/fefv/fefv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

/// n×v in barycentric rates.
BarycentricRates Fefv::quarter_turn(Index face, BarycentricRates rates) const {
  const auto cot = geometry_.cotangent.col(face);
  return {-cot[0] * rates.first - (cot[0] + cot[2]) * rates.second,
          (cot[0] + cot[1]) * rates.first + cot[0] * rates.second};
}

/// Each velocity rotates by −f_c dt: β ← cos β − sin Jβ, where J β is n×v and J² = −1.
void Fefv::apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  if (!forces.rotates) return;
  if (projects_turns_) return turn_in_space(dt, forces, state, of_fefv(scratch));
  const Index faces = mesh_.face_count();
  double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double angle = dt * forces.coriolis[k], cosine = std::cos(angle), sine = std::sin(angle);
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      b1[k] = cosine * b1[k] - sine * turned.first;
      b2[k] = cosine * b2[k] - sine * turned.second;
    }
  });
}

/// exp(Δt R) v = Σ (Δt R)ᵏ v/k! with R v = −P (f_c n×v). Within the range of P, R is skew in the weight of P.
/// Rotating each vector separately would leave the range of P, in which vector-invariant keeps the flow.
void Fefv::turn_in_space(double dt, const Forces& forces, State& state, FefvScratch& s) const {
  constexpr int max_terms = 40;
  const Index faces = mesh_.face_count();
  Block flow = state[velocity()];
  SharedProjection& hodge = projection(s);
  site_depth(state[volume()], s.site_depth, s);
  const bool weighted = options_.rotation != Rotation::unweighted;
  if (weighted)
    weigh_with_depth(s.cell_depth, s.site_depth, s.volume_weight, s.vertex_weight);
  else
    s.vertex_weight.setOnes(mesh_.vertex_count);
  const Vector& weight = weighted ? s.volume_weight : geometry_.face_area;
  const double energy = weighted ? power(std::as_const(state)[velocity()], flow.data(), s.volume_weight) : 0;
  const double angle = std::abs(dt) * max(mesh_, Location::face, forces.coriolis.cwiseAbs());
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // Short enough that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  const auto largest = [&](const auto& rates) {
    return max(mesh_, Location::face,
               [&](Index k) { return std::max(std::abs(rates[k]), std::abs(rates[faces + k])); });
  };
  for (int part = 0; part < parts; ++part) {
    s.rotation = flow;
    double negligible = 0;  // relative to the flow; the tolerance of the projection refers to the first term
    for (int term = 1; term <= max_terms; ++term) {
      for (Index k = 0; k < faces; ++k) {
        const BarycentricRates turned = quarter_turn(k, {s.rotation[k], s.rotation[faces + k]});
        const double factor = -dt / (parts * term) * forces.coriolis[k];
        s.rotation[k] = factor * turned.first;
        s.rotation[faces + k] = factor * turned.second;
      }
      const double share = largest(s.rotation) / largest(flow);
      if (term == 1) negligible = options_.projection_tolerance * share;
      if (!(share > negligible)) break;
      hodge.forget();

      s.unconverged =
          !project_in(weight, s.vertex_weight, std::min(negligible / share, 0.1), s.rotation.data(), s);
      flow += s.rotation;
    }
  }
  // Removes the energy error due to finite residuals by scaling the flow.
  if (energy > 0)
    flow *= std::sqrt(energy / power(std::as_const(state)[velocity()], flow.data(), s.volume_weight));
  hodge.forget();
}

/// The circulation around the dual cell; its part in a triangle is Aₖ (n×v)·∇φ꜀. At a wall the cell is closed
/// along the wall, with the velocity of the triangle; each half of the wall edge contributes the same
/// expression for the opposite corner.
void Fefv::compute_vorticity(VectorIn flow, Vector& vorticity, FefvScratch& s) const {
  const Index faces = mesh_.face_count();
  const double *b1 = flow.data(), *b2 = b1 + faces;
  double *q0 = s.corner_flux.data(), *q1 = q0 + faces, *q2 = q1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      q1[k] = geometry_.face_area[k] * turned.first;
      q2[k] = geometry_.face_area[k] * turned.second;
      q0[k] = -(q1[k] + q2[k]);
    }
  });
  for (const Index corner : wall_corner_) {
    const Index k = corner / 3, c = corner % 3;
    const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
    const double half = geometry_.face_area[k] * turned[static_cast<int>(c)];
    for (const Index end : {(c + 1) % 3, (c + 2) % 3}) s.corner_flux[end * faces + k] += half;
  }
  vorticity.setZero(mesh_.vertex_count);
  ring_sum_.add(s.corner_flux.data(), 1, vorticity.data());
  vorticity.array() *= inverse_area_.array();
}

void Fefv::add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films,
                        double scale, VectorOut flow, WaveScratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  const Index faces = mesh_.face_count();
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const auto velocities = state[velocity()];
  const double *b1 = velocities.data(), *b2 = b1 + faces;
  const Array<Crossing>* crossings = nullptr;
  const Vector &vorticity_at = s.vertex_vorticity, &depth = s.site_depth;
  if (advects) {
    crossings = &find_crossings(state, forces, s);
    compute_vorticity(velocities, s.vertex_vorticity, s);
    open_vorticity(velocities, *crossings, s.vertex_vorticity, s);
    if (films.any)
      for (Index i = 0; i < mesh_.vertex_count; ++i)
        if (films.in_film[i]) s.vertex_vorticity[i] = 0;
    site_depth(state[volume()], s.site_depth, s);
  }
  const bool projects = advects && options_.rotation != Rotation::plain;
  if (projects) s.rotation.setZero(2 * faces);
  double *q0 = s.corner_flux.data(), *q1 = q0 + faces, *q2 = q1 + faces;
  double *out1 = projects ? s.rotation.data() : flow.data(), *out2 = out1 + faces;
  const double factor = projects ? 1 : scale;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      double vorticity = turns ? forces.coriolis[k] : 0;
      if (advects) {
        // |v|² = 2A (β₁ (Jβ)₂ − β₂ (Jβ)₁)
        const double energy =
            depth[k] > 0 ? geometry_.face_area[k] * (b1[k] * turned.second - b2[k] * turned.first) : 0;
        q0[k] = q1[k] = q2[k] = geometry_.face_area[k] * (1.0 / 3) * energy;
        vorticity +=
            face_mean(vorticity_at[corner_[0][k]], vorticity_at[corner_[1][k]], vorticity_at[corner_[2][k]]);
      }
      out1[k] -= factor * vorticity * turned.first;
      out2[k] -= factor * vorticity * turned.second;
    }
  });
  if (!advects) return;
  // Forces, too, excite flows that neither gradient nor vorticity can represent, and must be projected.
  // WaveScheme adds the unprojected force; it is subtracted below.
  const bool forced = projects && terms.has(Term::force) && forces.has_body_force;
  const bool enters = forces.open_boundary.any();  // the same on all parts of the surface
  if (forced || enters) {
    s.others.setZero(2 * faces);
    if (forced) s.others = forces.body_force;
    if (enters) add_entering_momentum(velocities, *crossings, s.others.data());
  }
  if (projects) {
    if (forced || enters) s.rotation += s.others;
    // `flow` may be the velocity of `state`, which is read until then.
    project_rotation(velocities, forces, forced || enters, projects_apart(forces), films, s);
  } else if (enters) {
    flow += scale * s.others;
  }
  s.head.setZero(mesh_.vertex_count);
  ring_sum_.add(s.corner_flux.data(), 1, s.head.data());
  s.head.array() *= inverse_area_.array();
  open_head(velocities, depth, *crossings, s.head, s);
  add_gradient(s.head, -scale, films.any ? films.advected : ones_, flow);
  if (films.any) add_upstream_transport(velocities, films, *crossings, scale, flow, s);
  if (projects) flow += scale * s.rotation;
  if (forced) flow -= scale * forces.body_force;
}

/// Power Σ w u·r of the rates r, m⁵/s³ with the weight ηA.
double Fefv::power(const ConstBlock& flow, const double* rates, const Vector& volume_weight) const {
  const Index faces = mesh_.face_count();
  return sum(mesh_, Location::face, [&](Index k) {
    const Metric g = metric(k);
    return volume_weight[k] * ((g.g11 * flow[k] + g.g12 * flow[faces + k]) * rates[k] +
                               (g.g12 * flow[k] + g.g22 * flow[faces + k]) * rates[faces + k]);
  });
}

/// Σ A |aₙ| η², m⁵/s²: the energy of the water if it moved as fast as waves, in units of ρ.
double Fefv::wave_energy(const Forces& forces, const FefvScratch& s) const {
  return sum(mesh_, Location::face, [&](Index k) {
    const double speed = WaveForces::of(forces).site_root_acceleration[k] * s.site_depth[k];
    return geometry_.face_area[k] * speed * speed;
  });
}

/// Whether s.others needs a projection of its own, on all parts of the surface. On a moving mesh the flow leaves the space;
/// restoring the power of a force that is not a gradient would then add a rate along v/|v|, which jumps at v = 0.
bool Fefv::projects_apart(const Forces& forces) const {
  const Index faces = mesh_.face_count();
  if (!forces.moves || options_.rotation != Rotation::projected) return false;
  return forces.open_boundary.any() || !forces.rotation.isZero(0) ||
         max(mesh_, Location::face, [&](Index k) {
           return forces.body_force[k] != forces.surface_force[k] ||
                  forces.body_force[faces + k] != forces.surface_force[faces + k];
         }) > 0;
}

/// s.rotation ← P s.rotation, which contains s.others, a force and the momentum of entering water. The rotation does no work,
/// and the projection does none on a flow in the space; the energy added by a finite residual, or by a flow outside the
/// space, is removed along the flow. The work of s.others is kept, or that of P s.others if they are projected `apart`.
void Fefv::project_rotation(const ConstBlock& flow, const Forces& forces, bool with_others, bool apart,
                            const Films& films, FefvScratch& s) const {
  constexpr double round_off = 1e-12;  // of the speed of waves: no flow
  const bool weighted = options_.rotation != Rotation::unweighted;
  if (weighted) weigh_with_depth(s.cell_depth, s.site_depth, s.volume_weight, s.vertex_weight);
  const bool with_depth = projects_with_depth(with_others, films, s);
  if (!with_depth) s.vertex_weight.setOnes(mesh_.vertex_count);
  s.unconverged = !project_in(with_depth ? s.volume_weight : geometry_.face_area, s.vertex_weight,
                              options_.projection_tolerance, s.rotation.data(), s);
  if (!weighted) return;
  const double energy = power(flow, flow.data(), s.volume_weight);
  if (s.unconverged && !with_others && energy <= round_off * round_off * wave_energy(forces, s))
    s.unconverged = false;
  if (!(energy > 0)) return;
  if (with_others && apart) project_others(films, s);
  const double work = with_others ? power(flow, s.others.data(), s.volume_weight) : 0;
  s.rotation -= (power(flow, s.rotation.data(), s.volume_weight) - work) / energy * flow;
}

/// Whether the weight of a projection is ηA. It is A for flows beside films, and for forces beside dry land: with ηA the
/// potentials would extend through triangles of negligible weight, which takes hundreds of iterations. Without convergence a
/// force would no longer balance the pressure of a lake at rest.
bool Fefv::projects_with_depth(bool with_others, const Films& films, const FefvScratch& s) const {
  if (options_.rotation == Rotation::unweighted || !all(mesh_, !films.own)) return false;
  return !with_others || min(mesh_, cells_, s.cell_depth) > 0;
}

/// s.others ← P s.others, with the weights of project_rotation().
void Fefv::project_others(const Films& films, FefvScratch& s) const {
  const bool with_depth = projects_with_depth(true, films, s);
  if (!with_depth) s.vertex_weight.setOnes(mesh_.vertex_count);
  if (!projection(s).project_apart(with_depth ? s.volume_weight : geometry_.face_area, s.vertex_weight,
                                   options_.projection_tolerance, options_.projection_iterations,
                                   s.others.data()))
    s.unconverged = true;
}

void Fefv::weigh_with_depth(const Vector& cell_depth, const Vector& site_depth, Vector& volume_weight,
                            Vector& vertex_weight) const {
  const double floor = options_.projection_floor * max(mesh_, Location::face, site_depth);
  volume_weight = geometry_.face_area.array() * site_depth.array().max(floor);
  vertex_weight = cell_depth.array().max(floor);
}

SharedProjection& Fefv::projection(FefvScratch& s) const {
  if (!s.projection)
    s.projection = std::make_unique<SharedProjection>(mesh_, geometry_);
  else if (s.projection_geometry != geometry_version_)
    s.projection->refresh();
  s.projection_geometry = geometry_version_;
  return *s.projection;
}

/// Returns whether the iteration converged.
bool Fefv::project_in(const Vector& weight, const Vector& density, double tolerance, double* rates,
                      FefvScratch& s) const {
  return projection(s).project(weight, density, tolerance, options_.projection_iterations, rates);
}

Vector* Fefv::memory(Scratch& scratch) const {
  return options_.rotation == Rotation::plain ? nullptr : &projection(of_fefv(scratch)).memory();
}

/// With advection, projects the initial flow onto the space to which its rotation term is projected.
void Fefv::project_initial_velocity(Terms terms, State& state, Scratch& scratch) const {
  if (!terms.has(Term::advection) || options_.rotation == Rotation::plain) return;
  FefvScratch& s = of_fefv(scratch);
  s.vertex_weight.setOnes(mesh_.vertex_count);
  constexpr double tolerance = 1e-13;
  projection(s).forget();
  project_in(geometry_.face_area, s.vertex_weight, tolerance, state[velocity()].data(), s);
  projection(s).forget();
}

double Fefv::advection_frequency(const State& state, WaveScratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  const auto flow = state[velocity()];
  const Vector& at = s.vertex_vorticity;
  compute_vorticity(flow, s.vertex_vorticity, s);
  return max(mesh_, Location::face, [&](Index k) {
    const double vorticity = std::max(
        {std::abs(at[mesh_.faces(0, k)]), std::abs(at[mesh_.faces(1, k)]), std::abs(at[mesh_.faces(2, k)])});
    const double speed = velocity_vector(flow, k).norm();
    return speed * std::sqrt(highest_frequency_squared(k)) + vorticity;
  });
}

}  // namespace shoal
