#include "discretizations/upwind_jacobian.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/whole.hpp"

#include <algorithm>
#include <utility>

namespace shoal {
namespace {

/// A change of the water per area of its cell, in the frame of an edge.
struct Change {
  double depth, normal, tangential;
};

/// The change of the convective flux (ηu², ηuw) of water with the velocity (u, w).
struct Convection {
  double normal, tangential;
};
inline Convection convection(double u, double w, const Change& change) {
  return {u * (2 * change.normal - u * change.depth),
          u * (change.tangential - w * change.depth) + w * change.normal};
}

}  // namespace

UpwindJacobian::UpwindJacobian(const FiniteVolume& scheme) : scheme_(scheme) {
  const Index edges = scheme.mesh().edge_count(), faces = scheme.mesh().face_count();
  for (Vector* v : {&left_.normal, &left_.tangential, &left_.half_pressed, &right_.normal, &right_.tangential,
                    &right_.half_pressed, &half_speed_})
    v->setZero(edges);
  for (Vector* v : {&water_.depth, &water_.velocity_1, &water_.velocity_2}) v->setZero(faces);
  for (Vector* v : {&losses_.volume, &losses_.momentum_1, &losses_.momentum_2}) v->setZero(2 * edges + 1);
  decay_.setZero(scheme.layout().size());
  weight_.setZero(scheme.layout().size());
}

void UpwindJacobian::set(const State& state, const Forces& forces, Terms terms) {
  forces_ = &forces;
  terms_ = terms;
  const FiniteVolume& s = scheme_;
  const Index faces = s.mesh().face_count(), edges = s.mesh().edge_count();
  const Vector& acceleration = FaceMomentum::edge_acceleration(forces);
  s.compute_primitive(state, water_);
  double* decay = decay_.data() + s.volume().offset;
  std::fill_n(decay, faces, 0);
  for (Index e = 0; e < edges; ++e) {
    const bool inner = e < s.inner_edges_;
    const double a = acceleration[e];
    const Index l = s.left_[e], r = inner ? s.right_[e] : l;
    const EdgeState left = s.state_left(water_, e),
                    right = inner ? s.state_right(water_, e) : left.mirrored();
    left_.normal[e] = left.normal;
    left_.tangential[e] = left.tangential;
    left_.half_pressed[e] = 0.5 * a * left.depth;
    right_.normal[e] = right.normal;
    right_.tangential[e] = right.tangential;
    right_.half_pressed[e] = 0.5 * a * right.depth;
    half_speed_[e] =
        0.5 * std::max(s.edge_speed(left, right, a), s.edge_speed(right.mirrored(), left.mirrored(), a));
    const double exchanged = s.length_[e] * half_speed_[e];
    decay[l] += exchanged;
    if (inner) decay[r] += exchanged;
  }
  const Range own_edges = own(s.mesh(), Location::edge);
  const double g = sum(s.mesh(), own_edges, [&](Index e) { return acceleration[s.place_of_edge_[e]]; }) /
                   total(s.mesh(), own_edges.count);
  double* of_momentum = decay_.data() + s.velocity().offset;
  double *weight = weight_.data() + s.volume().offset,
         *weight_of_momentum = weight_.data() + s.velocity().offset;
  const ConstBlock volumes = state[s.volume()];
  for (Index k = 0; k < faces; ++k) {
    decay[k] *= s.inverse_area_[k];
    weight[k] = g * s.inverse_area_[k];
    const double least = std::max(s.options_.dry_depth, 1e-300) / s.inverse_area_[k];
    for (const Index entry : {k, faces + k}) {
      of_momentum[entry] = decay[k];
      weight_of_momentum[entry] = 1 / std::max(volumes[k], least);
    }
  }
}

void UpwindJacobian::add_product(const State& direction, double scale, State& out) {
  const FiniteVolume& s = scheme_;
  const Index faces = s.mesh().face_count(), edges = s.mesh().edge_count();
  const double *volume = direction[s.volume()].data(), *m1 = direction[s.velocity()].data(), *m2 = m1 + faces;
  const double* inverse_area = s.inverse_area_.data();
  const auto change = [=](Index k, double n1, double n2) -> Change {
    return {volume[k] * inverse_area[k], (m1[k] * n1 + m2[k] * n2) * inverse_area[k],
            (m2[k] * n1 - m1[k] * n2) * inverse_area[k]};
  };
  const auto set_losses = [&](Index e, const Change& left, const Change& right) {
    const Convection from = convection(left_.normal[e], left_.tangential[e], left),
                     to = convection(right_.normal[e], right_.tangential[e], right);
    const double half_s = half_speed_[e], length = s.length_[e];
    const double through = 0.5 * (left.normal + right.normal) + half_s * (left.depth - right.depth);
    const double normal = 0.5 * (from.normal + to.normal) + half_s * (left.normal - right.normal);
    const double tangential =
        0.5 * (from.tangential + to.tangential) + half_s * (left.tangential - right.tangential);
    const double both = left.depth + right.depth;
    s.set_losses(e, length * through, length * (normal + left_.half_pressed[e] * both),
                 length * (normal + right_.half_pressed[e] * both), length * tangential, losses_);
  };
  parallel_for(s.inner_edges_, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      set_losses(e, change(s.left_[e], s.normal_left_1_[e], s.normal_left_2_[e]),
                 change(s.right_[e], s.normal_right_1_[e], s.normal_right_2_[e]));
  });
  for (Index e = s.inner_edges_; e < edges; ++e) {
    const Change inside = change(s.left_[e], s.normal_left_1_[e], s.normal_left_2_[e]);
    const Convection through = convection(left_.normal[e], left_.tangential[e], inside);
    s.set_wall_loss(e,
                    s.length_[e] * (through.normal + 2 * half_speed_[e] * inside.normal +
                                    2 * left_.half_pressed[e] * inside.depth),
                    losses_);
  }
  // Outside an opening the water is fixed; a discharge is given.
  for (const OpenBoundary::Place& place : forces_->open_boundary.places) {
    const Index e = place.at;
    const double n1 = s.normal_left_1_[e], n2 = s.normal_left_2_[e], half_s = half_speed_[e],
                 length = s.length_[e];
    const Change inside = change(s.left_[e], n1, n2);
    const Convection through = convection(left_.normal[e], left_.tangential[e], inside);
    const double normal =
        0.5 * through.normal + half_s * inside.normal + left_.half_pressed[e] * inside.depth;
    const double tangential = 0.5 * through.tangential + half_s * inside.tangential;
    const double through_opening = 0.5 * inside.normal + half_s * inside.depth;
    losses_.volume[e] = place.kind == BoundaryKind::discharge ? 0 : length * through_opening;
    losses_.momentum_1[e] = length * (normal * n1 - tangential * n2);
    losses_.momentum_2[e] = length * (normal * n2 + tangential * n1);
  }
  Block flow = out[s.velocity()];
  s.face_sum_.add(losses_.volume.data(), -scale, out[s.volume()].data());
  s.face_sum_.add(losses_.momentum_1.data(), -scale, flow.data());
  s.face_sum_.add(losses_.momentum_2.data(), -scale, flow.data() + faces);
  s.add_through_places(forces_->open_boundary, losses_, scale, out);
  const ConstBlock moved = direction[s.velocity()];
  if (terms_.has(Term::coriolis) && forces_->rotates) {
    flow.head(faces) += scale * forces_->coriolis.cwiseProduct(moved.tail(faces));
    flow.tail(faces) -= scale * forces_->coriolis.cwiseProduct(moved.head(faces));
  }
}

}  // namespace shoal
