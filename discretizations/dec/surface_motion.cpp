// What a motion of the mesh does to the flow (dec.md, Moving meshes).
#include "discretizations/common/parallel.hpp"
#include "discretizations/dec/dec.hpp"
#include "discretizations/mesh/part.hpp"

namespace shoal {

void Dec::add_surface_velocity(const Points& surface_velocity, double scale, State& state) const {
  split_surface_velocity(surface_velocity);
  Block flow = state[velocity()];
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    const Vector3 translation = translation_.col(part_of_vertex_[triangulation_.mesh.edges(0, e)]);
    const Vector3 between =
        mesh_.periodic() ? Vector3(arm(e, 0) + arm(e, 1))
                         : Vector3(cells_.points.col(right_cell_[s]) - cells_.points.col(left_cell_[s]));
    const double along = inverse_dual_[s] * translation.dot(between);
    flow[s] += scale * (along + 0.5 * (normal_speed(own_motion_, e, 0) + normal_speed(own_motion_, e, 1)));
  }
}

/// ẋ = T, the velocity of the centroid of each connected part (translation_), + own_motion_. Of T the component is the
/// scheme's own gradient of T·x, from centre to centre, whether that is at right angles to the edge or not: so the scheme
/// feels neither that a surface goes straight on nor who observes it. For the rest the mean of both normals is taken: a
/// radial ẋ, as of a sphere that grows, has no component along it. The gradient is of lower order where triangles change
/// their shape: what only slides within its surface must have none.
void Dec::split_surface_velocity(const Points& surface_velocity) const {
  if (mesh_.part && mesh_.part->several_components)
    throw Refusal(
        "parts of a surface: dec follows the translation of each connected component, and here are several");
  translation_.resize(3, part_velocity_.size());
  if (part_velocity_.size() == 1 || mesh_.part) {
    translation_.col(0) = centroid_velocity(mesh_, geometry_, surface_velocity);
  } else {
    for (Index i = mesh_.vertex_count - 1; i >= 0; --i)
      part_velocity_[part_of_vertex_[i]] = CentroidVelocity(geometry_.x.col(i));
    for (Index k = 0; k < mesh_.face_count(); ++k) {
      CentroidVelocity& velocity = part_velocity_[part_of_vertex_[mesh_.faces(0, k)]];
      velocity.add(velocity.moments(mesh_, geometry_, k, surface_velocity));
    }
    for (Index part = 0; part < part_velocity_.size(); ++part)
      translation_.col(part) = part_velocity_[part].value();
  }
  own_motion_ = surface_velocity;
  for (Index i = 0; i < mesh_.vertex_count; ++i) own_motion_.col(i) -= translation_.col(part_of_vertex_[i]);
}

/// ẋ·n at the middle of the edge, n in the plane of the face on this side.
double Dec::normal_speed(const Points& surface_velocity, Index edge, int side) const {
  const Edges& edges = triangulation_.mesh.edges;
  const Vector3 at_middle =
      0.5 * (surface_velocity.col(edges(0, edge)) + surface_velocity.col(edges(1, edge)));
  return at_middle.dot(outward_normal(edge, side));
}

/// Of the cells: ċ = Σ λ_k ẋ_k + w, w = Σ λ̇_k x_k, with the barycentric coordinates λ ∝ a²(b²+c²−a²) of the
/// circumcentre.
void Dec::measure_centre_velocity(const Points& surface_velocity) const {
  const Mesh& mesh = triangulation_.mesh;
  centre_velocity_.setZero(3, cells_.count());
  drift_.setZero(3, cells_.count());
  for (Index k = 0; k < mesh.face_count(); ++k) {  // of a merged cell the mean, as its centre is
    const Vector3 x[3] = {geometry_.x.col(mesh.faces(0, k)), geometry_.x.col(mesh.faces(1, k)),
                          geometry_.x.col(mesh.faces(2, k))};
    const Vector3 rate[3] = {surface_velocity.col(mesh.faces(0, k)), surface_velocity.col(mesh.faces(1, k)),
                             surface_velocity.col(mesh.faces(2, k))};
    Vector3 weight = Vector3::Constant(1.0 / 3), weight_rate = Vector3::Zero();
    if (!barycentric_) {
      Vector3 squared, squared_rate;
      for (int c = 0; c < 3; ++c) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        squared[c] = (x[j] - x[i]).squaredNorm();
        squared_rate[c] = 2 * (x[j] - x[i]).dot(rate[j] - rate[i]);
      }
      for (int c = 0; c < 3; ++c) {
        const double others = squared[(c + 1) % 3] + squared[(c + 2) % 3] - squared[c];
        weight[c] = squared[c] * others;
        weight_rate[c] =
            squared_rate[c] * others +
            squared[c] * (squared_rate[(c + 1) % 3] + squared_rate[(c + 2) % 3] - squared_rate[c]);
      }
      const double sum = weight.sum();
      weight /= sum;
      weight_rate = (weight_rate - weight_rate.sum() * weight) / sum;
    }
    const Vector3 drift = weight_rate[0] * x[0] + weight_rate[1] * x[1] + weight_rate[2] * x[2];
    const double share = triangulation_.face_area[k] / cells_.area[cell_of(k)];
    drift_.col(cell_of(k)) += share * drift;
    centre_velocity_.col(cell_of(k)) +=
        share * (weight[0] * rate[0] + weight[1] * rate[1] + weight[2] * rate[2] + drift);
  }
}

/// cell_vorticity_ and vorticity_ of the field ẋ, linear along the edges of walls.
void Dec::compute_surface_vorticity(const Points& surface_velocity) const {
  const Mesh& mesh = triangulation_.mesh;
  vorticity_.setZero();
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    const double circulation =
        0.5 * site_dual_[s] * (normal_speed(surface_velocity, e, 0) + normal_speed(surface_velocity, e, 1));
    vorticity_[mesh.edges(1, edge_of(s))] += circulation;
    vorticity_[mesh.edges(0, edge_of(s))] -= circulation;
  }
  for (const Index e : wall_edge_) {
    const Vector3 from = surface_velocity.col(mesh.edges(0, e)), to = surface_velocity.col(mesh.edges(1, e));
    const Vector3 half = 0.5 * (geometry_.x.col(mesh.edges(1, e)) - geometry_.x.col(mesh.edges(0, e)));
    const double outwards = part_length(e, 0) * normal_speed(surface_velocity, e, 0);
    vorticity_[mesh.edges(0, e)] += (0.75 * from + 0.25 * to).dot(half) - outwards;
    vorticity_[mesh.edges(1, e)] += (0.25 * from + 0.75 * to).dot(half) + outwards;
  }
  vorticity_.head(mesh.vertex_count).array() *= inverse_voronoi_area_.array();
  cell_vorticity_.setZero(cells_.count());
  corner_sum_.add(vorticity_.data(), 1, cell_vorticity_.data());
  cell_vorticity_.array() *= inverse_corners_.array();
}

/// The head seen from a circumcentre that moves with ċ, of the absolute u_e + m_e with m_e = ẋ·n,
///
///     ½|v|² − ½|ẋ|² → (1/2A) Σ l d_T (u+m)² − P(u+m)·ċ − ½(ċ·n)² − T·ċ,
///
/// ẋ and ċ less the translation T of the part, which C holds as T·(c_R − c_L), and
/// without the mesh's strain in it, whose quadrature is of first order. What does not depend on u is a force,
/// what is linear in u is drift_head.
void Dec::add_surface_motion(const Points& surface_velocity, Forces& forces) const {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites();
  split_surface_velocity(surface_velocity);
  measure_centre_velocity(own_motion_);
  compute_surface_vorticity(own_motion_);
  forces.coriolis += cell_vorticity_;
  forces.surface_vorticity = vorticity_.head(mesh.vertex_count);

  head_.setZero(cells_.count());
  forces.drift_head.resize(2 * count);
  forces.drift_rotation.resize(2 * count);
  // With arms along the normal, l d_T n, as in K and G: m − ċ·n is then how fast the arm grows.
  const auto centre_speed = [&](Index edge, int side) {
    return outward_normal(edge, side).dot(centre_velocity_.col(cell_of(mesh.edge_faces(side, edge))));
  };
  for (Index s = 0; s < count; ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side) {
      const Index cell = site_cells_(side, s), face = mesh.edge_faces(side, e);
      const double share = side == 0 ? left_part_[s] : 1 - left_part_[s], part = share * site_dual_[s];
      const Vector3 drift = drift_.col(cell);
      const double m = 0.5 * (normal_speed(own_motion_, e, 0) + normal_speed(own_motion_, e, 1));
      const double speed = centre_speed(e, side);
      head_[cell] += site_length_[s] * part * m * (0.5 * m - speed);
      // Arms that are held at a least length do not grow.
      forces.drift_head[side * count + s] =
          delaunay_weight_[s] * site_length_[s] * part * inverse_area_[cell] * (m - speed);
      forces.drift_rotation[side * count + s] =
          0.5 * delaunay_weight_[s] * share * chord_normal(face).cross(drift).dot(outward_normal(e, side));
    }
  }
  for (const Index e : wall_edge_) {
    const double m = normal_speed(own_motion_, e, 0);
    head_[cell_of(mesh.edge_faces(0, e))] +=
        triangulation_.edge_length[e] * part_length(e, 0) * m * (0.5 * m - centre_speed(e, 0));
  }
  head_.array() *= inverse_area_.array();
  factor_.resize(cells_.count());  // ½(ċ·n)² + T·ċ, n of the first face of a merged cell
  for (Index k = mesh.face_count() - 1; k >= 0; --k) {
    const double normal = chord_normal(k).dot(centre_velocity_.col(cell_of(k)));
    const Vector3 translation = translation_.col(part_of_vertex_[mesh.faces(0, k)]);
    factor_[cell_of(k)] = 0.5 * normal * normal + translation.dot(centre_velocity_.col(cell_of(k)));
  }
  head_ -= factor_;
  add_gradient(head_, -1, ones_, forces.body_force);
}

/// The part of the head that is linear in u; and of a dual edge whose end moves with w in its triangle, the
/// rotation that it sweeps over, +½ d_T ζ_T (n×w)·n_e.
void Dec::add_drift(VectorIn flow, const Forces& forces, double scale, VectorOut out) const {
  const Index count = sites();
  const double* __restrict u = flow.data(), * __restrict drift = forces.drift_head.data();
  const double* __restrict turn = forces.drift_rotation.data(), * __restrict vorticity =
                                                                    cell_vorticity_.data();
  const Index* __restrict left = left_cell_.data(), * __restrict right = right_cell_.data();
  double* __restrict at_left = site_flux_.data(), * __restrict at_right = at_left + count, * __restrict rate = out.data();
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      at_left[s] = drift[s] * u[s];
      at_right[s] = drift[count + s] * u[s];
      rate[s] += scale * (turn[s] * vorticity[left[s]] + turn[count + s] * vorticity[right[s]]);
    }
  });
  cell_sum_.add(site_flux_.data(), 1, head_.data());
}

}  // namespace shoal
