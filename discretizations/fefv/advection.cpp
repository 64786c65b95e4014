// The rotation term with its projection and the head of vector-invariant advection, and the Coriolis term (fefv.md).
#include "discretizations/common/parallel.hpp"
#include "discretizations/fefv/fefv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

/// n×v.
BarycentricRates Fefv::quarter_turn(Index face, BarycentricRates rates) const {
  const auto cot = geometry_.cotangent.col(face);
  return {-cot[0] * rates.first - (cot[0] + cot[2]) * rates.second,
          (cot[0] + cot[1]) * rates.first + cot[0] * rates.second};
}

/// cos β − sin Jβ: J² = −1.
void Fefv::apply_coriolis(double dt, const Forces& forces, State& state) const {
  if (!forces.rotates) return;
  if (projects_turns_) return turn_in_space(dt, forces, state);
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

/// exp(Δt R) v = Σ (Δt R)ᵏ v/k!, R v = −P (f_c n×v): in the space R is orthogonal to v in the weight of P. Turned one
/// by one, vectors would leave the space in which vector-invariant keeps the flow.
void Fefv::turn_in_space(double dt, const Forces& forces, State& state) const {
  constexpr int max_terms = 40;
  const Index faces = mesh_.face_count();
  Block flow = state[velocity()];
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  site_depth(state[volume()], site_depth_);
  const bool weighted = options_.rotation != Rotation::unweighted;
  if (weighted)
    weigh_with_depth();
  else
    vertex_weight_.setOnes(mesh_.vertex_count);
  const Vector& weight = weighted ? volume_weight_ : geometry_.face_area;
  const double energy = weighted ? power(std::as_const(state)[velocity()], flow.data()) : 0;
  const double angle = std::abs(dt) * max(mesh_, Location::face, forces.coriolis.cwiseAbs());
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // So short that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  for (int part = 0; part < parts; ++part) {
    rotation_ = flow;
    double negligible = 0;  // relative to the flow; the tolerance is that of the first term, the rate
    for (int term = 1; term <= max_terms; ++term) {
      for (Index k = 0; k < faces; ++k) {
        const BarycentricRates turned = quarter_turn(k, {rotation_[k], rotation_[faces + k]});
        const double factor = -dt / (parts * term) * forces.coriolis[k];
        rotation_[k] = factor * turned.first;
        rotation_[faces + k] = factor * turned.second;
      }
      const double share = rotation_.lpNorm<Eigen::Infinity>() / flow.lpNorm<Eigen::Infinity>();
      if (term == 1) negligible = options_.projection_tolerance * share;
      if (!(share > negligible)) break;
      projection_->forget();
      project_in(weight, std::min(negligible / share, 0.1), rotation_.data());
      flow += rotation_;
    }
  }
  // What finite residuals change of the energy is taken back along the flow.
  if (energy > 0) flow *= std::sqrt(energy / power(std::as_const(state)[velocity()], flow.data()));
  projection_->forget();
}

/// The circulation around the dual cell: the part in a triangle is Aₖ (n×v)·∇φ꜀. On a wall the cell is closed
/// along it, with the velocity of the triangle; each half of the edge contributes the same expression of the
/// opposite corner.
void Fefv::compute_vorticity(VectorIn flow, Vector& vorticity) const {
  const Index faces = mesh_.face_count();
  const double *b1 = flow.data(), *b2 = b1 + faces;
  double *q0 = corner_flux_.data(), *q1 = q0 + faces, *q2 = q1 + faces;
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
    for (const Index end : {(c + 1) % 3, (c + 2) % 3}) corner_flux_[end * faces + k] += half;
  }
  vorticity.setZero(mesh_.vertex_count);
  ring_sum_.add(corner_flux_.data(), 1, vorticity.data());
  vorticity.array() *= inverse_area_.array();
}

void Fefv::add_rotation(const State& state, const Forces& forces, Terms terms, double scale,
                        VectorOut flow) const {
  const Index faces = mesh_.face_count();
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const auto velocities = state[velocity()];
  const double *b1 = velocities.data(), *b2 = b1 + faces;
  if (advects) {
    find_entering(state, forces);
    compute_vorticity(velocities, vorticity_);
    open_vorticity(velocities);
    if (has_films_)
      for (Index i = 0; i < mesh_.vertex_count; ++i)
        if (in_film_[i]) vorticity_[i] = 0;
    site_depth(state[volume()], site_depth_);
  }
  const bool projects = advects && options_.rotation != Rotation::plain;
  if (projects) rotation_.setZero(2 * faces);
  double *q0 = corner_flux_.data(), *q1 = q0 + faces, *q2 = q1 + faces;
  double *out1 = projects ? rotation_.data() : flow.data(), *out2 = out1 + faces;
  const double factor = projects ? 1 : scale;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      double vorticity = turns ? forces.coriolis[k] : 0;
      if (advects) {
        // |v|² = 2A (β₁ (Jβ)₂ − β₂ (Jβ)₁)
        const double energy =
            site_depth_[k] > 0 ? geometry_.face_area[k] * (b1[k] * turned.second - b2[k] * turned.first) : 0;
        q0[k] = q1[k] = q2[k] = geometry_.face_area[k] * (1.0 / 3) * energy;
        vorticity +=
            face_mean(vorticity_[corner_[0][k]], vorticity_[corner_[1][k]], vorticity_[corner_[2][k]]);
      }
      out1[k] -= factor * vorticity * turned.first;
      out2[k] -= factor * vorticity * turned.second;
    }
  });
  if (!advects) return;
  // A force, too, feeds the flows that no operator sees. The wave scheme adds it as it is.
  const bool forced = projects && terms.has(Term::force) && forces.has_body_force;
  const bool enters = !entering_.empty();
  if (forced || enters) {
    others_.setZero(2 * faces);
    if (forced) others_ = forces.body_force;
    if (enters) add_entering_momentum(velocities, others_.data());
  }
  if (projects) {
    if (forced || enters) rotation_ += others_;
    // `flow` may be that of the state, which is still to be read.
    project_rotation(velocities, forced || enters ? others_.data() : nullptr);
  } else if (enters) {
    flow += scale * others_;
  }
  head_.setZero(mesh_.vertex_count);
  ring_sum_.add(corner_flux_.data(), 1, head_.data());
  head_.array() *= inverse_area_.array();
  open_head(velocities);
  add_gradient(head_, -scale, has_films_ ? advected_ : ones_, flow);
  if (has_films_) add_upstream_transport(velocities, scale, flow);
  if (projects) flow += scale * rotation_;
  if (forced) flow -= scale * forces.body_force;
}

/// Σ w u·r, m⁵/s³ in the weight ηA.
double Fefv::power(const ConstBlock& flow, const double* rates) const {
  const Index faces = mesh_.face_count();
  return sum(mesh_, Location::face, [&](Index k) {
    const Metric g = metric(k);
    return volume_weight_[k] * ((g.g11 * flow[k] + g.g12 * flow[faces + k]) * rates[k] +
                                (g.g12 * flow[k] + g.g22 * flow[faces + k]) * rates[faces + k]);
  });
}

/// rotation_ ← P rotation_, of the rotation and others, a force and what enters (null: none). The rotation does no work, and the projection
/// changes none on a flow that is in the space; what a finite residual, or a flow outside of it, changes is taken back
/// along the flow. Beside dry land the weight is A: with ηA the potentials of the flow would go on through triangles
/// whose weights are next to nothing, in hundreds of iterations, for values that nobody needs.
void Fefv::project_rotation(const ConstBlock& flow, const double* others) const {
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  if (options_.rotation == Rotation::unweighted) {
    vertex_weight_.setOnes(mesh_.vertex_count);
    project_in(geometry_.face_area, options_.projection_tolerance, rotation_.data());
    return;
  }
  weigh_with_depth();
  if (has_films_) vertex_weight_.setOnes(mesh_.vertex_count);
  project_in(has_films_ ? geometry_.face_area : volume_weight_, options_.projection_tolerance,
             rotation_.data());
  const double energy = power(flow, flow.data());
  const double work = others ? power(flow, others) : 0;
  if (energy > 0) rotation_ -= (power(flow, rotation_.data()) - work) / energy * flow;
}

/// volume_weight_, vertex_weight_ of site_depth_ and cell_depth_ as they are.
void Fefv::weigh_with_depth() const {
  const double floor = options_.projection_floor * max(mesh_, Location::face, site_depth_);
  volume_weight_ = geometry_.face_area.array() * site_depth_.array().max(floor);
  vertex_weight_ = cell_depth_.array().max(floor);
}

/// With vertex_weight_.
void Fefv::project_in(const Vector& weight, double tolerance, double* rates) const {
  unconverged_ =
      !projection_->project(weight, vertex_weight_, tolerance, options_.projection_iterations, rates);
}

Vector* Fefv::memory() const {
  if (options_.rotation == Rotation::plain) return nullptr;
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  return &projection_->memory();
}

/// With advection the flow begins in the space in which its rotation is kept.
void Fefv::project_initial_velocity(Terms terms, State& state) const {
  if (!terms.has(Term::advection) || options_.rotation == Rotation::plain) return;
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  vertex_weight_.setOnes(mesh_.vertex_count);
  constexpr double tolerance = 1e-13;
  projection_->forget();
  projection_->project(geometry_.face_area, vertex_weight_, tolerance, options_.projection_iterations,
                       state[velocity()].data());
  projection_->forget();
}

double Fefv::advection_frequency(const State& state) const {
  const auto flow = state[velocity()];
  compute_vorticity(flow, vorticity_);
  return max(mesh_, Location::face, [&](Index k) {
    const double vorticity =
        std::max({std::abs(vorticity_[mesh_.faces(0, k)]), std::abs(vorticity_[mesh_.faces(1, k)]),
                  std::abs(vorticity_[mesh_.faces(2, k)])});
    const double speed = velocity_vector(flow, k).norm();
    return speed * std::sqrt(highest_frequency_squared(k)) + vorticity;
  });
}

}  // namespace shoal
