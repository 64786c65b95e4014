// The effect of a moving mesh on the flow (dec.md, Moving meshes).
#include "discretizations/common/parallel.hpp"
#include "discretizations/components.hpp"
#include "discretizations/dec/dec.hpp"
#include "discretizations/mesh/part.hpp"

namespace shoal {

void Dec::find_parts() {
  part_of_vertex_ = components_of_vertices(mesh_);
  const Array<Index> first = first_vertices_of_components(mesh_);
  const Range faces = own(mesh_, Location::face), vertices = own(mesh_, Location::vertex);
  parts_.resize(first.size());
  for (Index k = faces.begin; k < faces.begin + faces.count; ++k)
    parts_[part_of_vertex_[mesh_.faces(0, k)]].faces.push_back(k);
  for (Index i = vertices.begin; i < vertices.begin + vertices.count; ++i)
    if (Component& part = parts_[part_of_vertex_[i]];
        first[part_of_vertex_[i]] == (mesh_.part ? mesh_.part->vertex[i] : i))
      part.first_vertex = i;
}

void Dec::add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                               Scratch& scratch) const {
  SurfaceVelocity& surface = of_dec(scratch).surface;
  split_surface_velocity(surface_velocity, surface);
  Block flow = state[velocity()];
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    flow[s] += scale * (translation_at_site(surface, s, dual_.centres()) +
                        0.5 * (normal_speed(surface.own, e, 0) + normal_speed(surface.own, e, 1)));
  }
}

/// The gradient of T·x at a site, from centre to centre.
double Dec::translation_at_site(const SurfaceVelocity& surface, Index site, const Points& centres) const {
  const Index e = edge_of(site);
  const Vector3 between =
      mesh_.periodic() ? Vector3(dual_.arm(e, 0) + dual_.arm(e, 1))
                       : Vector3(centres.col(site_.right_cell[site]) - centres.col(site_.left_cell[site]));
  return site_.inverse_dual[site] *
         between.dot(surface.translation.col(part_of_vertex_[triangulation_.mesh.edges(0, e)]));
}

/// ẋ = T + `own`, with T the velocity of the centroid of each connected component. The normal component of T
/// at a site is the scheme's own gradient of T·x from centre to centre, even where this is not orthogonal to
/// the edge: the scheme is then invariant under translations and changes of the inertial frame. For `own` it
/// is the mean over both normals: a radial ẋ, such as that of a growing sphere, has no such component. The
/// gradient is of lower order where triangles deform; a motion that only moves points within the surface must
/// have no effect.
void Dec::split_surface_velocity(const Points& surface_velocity, SurfaceVelocity& surface) const {
  surface.translation.resize(3, parts_.size());
  for (Index p = 0; p < parts_.size(); ++p) {
    const Component& part = parts_[p];
    const Vector3 origin = sum(mesh_, Range{0, 1}, [&](Index) -> Vector3 {
      return part.first_vertex == Mesh::none ? Vector3(Vector3::Zero())
                                             : Vector3(geometry_.x.col(part.first_vertex));
    });
    CentroidVelocity velocity(origin);
    velocity.add(sum(mesh_, Range{0, part.faces.size()}, [&](Index i) {
      return velocity.moments(mesh_, geometry_, part.faces[i], surface_velocity);
    }));
    surface.translation.col(p) = velocity.value();
  }
  surface.own = surface_velocity;
  for (Index i = 0; i < mesh_.vertex_count; ++i)
    surface.own.col(i) -= surface.translation.col(part_of_vertex_[i]);
}

/// ẋ·n at the midpoint of the edge, with n in the plane of the face on this side.
double Dec::normal_speed(const Points& surface_velocity, Index edge, int side) const {
  const Edges& edges = triangulation_.mesh.edges;
  const Vector3 at_middle =
      0.5 * (surface_velocity.col(edges(0, edge)) + surface_velocity.col(edges(1, edge)));
  return at_middle.dot(dual_.outward_normal(edge, side));
}

/// ċ = Σ λ_k ẋ_k + w and w = Σ λ̇_k x_k for every cell, with the barycentric coordinates λ ∝ a²(b²+c²−a²) of
/// the circumcentre.
void Dec::measure_centre_velocity(const Points& surface_velocity, SurfaceVelocity& surface) const {
  const Mesh& mesh = triangulation_.mesh;
  surface.centre.setZero(3, cells_.count());
  surface.drift.setZero(3, cells_.count());
  for (Index k = 0; k < mesh.face_count(); ++k) {  // averaged on merged cells, like their centres
    const Vector3 x[3] = {geometry_.x.col(mesh.faces(0, k)), geometry_.x.col(mesh.faces(1, k)),
                          geometry_.x.col(mesh.faces(2, k))};
    const Vector3 rate[3] = {surface_velocity.col(mesh.faces(0, k)), surface_velocity.col(mesh.faces(1, k)),
                             surface_velocity.col(mesh.faces(2, k))};
    Vector3 weight = Vector3::Constant(1.0 / 3), weight_rate = Vector3::Zero();
    if (!dual_.barycentric()) {
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
    surface.drift.col(cell_of(k)) += share * drift;
    surface.centre.col(cell_of(k)) +=
        share * (weight[0] * rate[0] + weight[1] * rate[1] + weight[2] * rate[2] + drift);
  }
}

/// Vorticity of the field ẋ, with ẋ linear along wall edges.
void Dec::compute_surface_vorticity(const Points& surface_velocity, Vorticity& vorticity) const {
  const Mesh& mesh = triangulation_.mesh;
  vorticity.at_vertices.setZero();
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    const double circulation =
        0.5 * site_.dual[s] * (normal_speed(surface_velocity, e, 0) + normal_speed(surface_velocity, e, 1));
    vorticity.at_vertices[mesh.edges(1, edge_of(s))] += circulation;
    vorticity.at_vertices[mesh.edges(0, edge_of(s))] -= circulation;
  }
  for (const Index e : wall_edge_) {
    const Vector3 from = surface_velocity.col(mesh.edges(0, e)), to = surface_velocity.col(mesh.edges(1, e));
    const Vector3 half = 0.5 * (geometry_.x.col(mesh.edges(1, e)) - geometry_.x.col(mesh.edges(0, e)));
    const double outwards = dual_.part_length(e, 0) * normal_speed(surface_velocity, e, 0);
    vorticity.at_vertices[mesh.edges(0, e)] += (0.75 * from + 0.25 * to).dot(half) - outwards;
    vorticity.at_vertices[mesh.edges(1, e)] += (0.25 * from + 0.75 * to).dot(half) + outwards;
  }
  vorticity.at_vertices.head(mesh.vertex_count).array() *= inverse_voronoi_area_.array();
  vorticity.at_cells.setZero(cells_.count());
  corner_sum_.add(vorticity.at_vertices.data(), 1, vorticity.at_cells.data());
  vorticity.at_cells.array() *= inverse_corners_.array();
}

/// The head relative to a circumcentre that moves with ċ, in terms of the absolute u_e + m_e, m_e = ẋ·n,
///
///     ½|v|² − ½|ẋ|² → (1/2A) Σ l d_T (u+m)² − P(u+m)·ċ − ½(ċ·n)² − T·ċ,
///
/// where ẋ and ċ exclude the translation T of the component, which the circulation C contains as T·(c_R −
/// c_L), and the strain of the mesh is omitted, whose quadrature is only first-order. The part independent of
/// u is a force, the part linear in u is drift_head. Likewise the rotation swept by a dual edge whose end moves
/// with w within its triangle, +½ d_T (f_c + ζ_T) (n×w)·n_e: the part of f_c is a force, so that splittings,
/// which evaluate advection and rotation apart, contain it, too.
void Dec::add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  SurfaceVelocity& surface = s.surface;
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites();
  DecForces& own = DecForces::of(forces);
  split_surface_velocity(surface_velocity, surface);
  measure_centre_velocity(surface.own, surface);
  compute_surface_vorticity(surface.own, s.rotation);
  forces.coriolis += s.rotation.at_cells;
  forces.surface_vorticity = s.rotation.at_vertices.head(mesh.vertex_count);
  if (linear_) own.circulation += forces.surface_vorticity.cwiseProduct(dual_.voronoi_area());

  s.head.setZero(cells_.count());
  own.drift_head.resize(2 * count);
  own.drift_rotation.resize(2 * count);
  // Arms are l_e d_T n, normal to the edge as in K and G; m − ċ·n is the rate at which d_T grows.
  const auto centre_speed = [&](Index edge, int side) {
    return dual_.outward_normal(edge, side).dot(surface.centre.col(cell_of(mesh.edge_faces(side, edge))));
  };
  for (Index site = 0; site < count; ++site) {
    const Index e = edge_of(site);
    for (int side = 0; side < 2; ++side) {
      const Index cell = site_.cells(side, site), face = mesh.edge_faces(side, e);
      const double share = side == 0 ? site_.left_part[site] : 1 - site_.left_part[site],
                   part = share * site_.dual[site];
      const Vector3 drift = surface.drift.col(cell);
      const double m = 0.5 * (normal_speed(surface.own, e, 0) + normal_speed(surface.own, e, 1));
      const double speed = centre_speed(e, side);
      s.head[cell] += site_.length[site] * part * m * (0.5 * m - speed);
      // Arms clamped at the minimum length do not grow.
      own.drift_head[side * count + site] =
          site_.delaunay_weight[site] * site_.length[site] * part * inverse_area_[cell] * (m - speed);
      own.drift_rotation[side * count + site] =
          0.5 * site_.delaunay_weight[site] * share *
          dual_.chord_normal(face).cross(drift).dot(dual_.outward_normal(e, side));
      forces.body_force[site] += own.drift_rotation[side * count + site] * forces.coriolis[cell];
    }
  }
  for (const Index e : wall_edge_) {
    const double m = normal_speed(surface.own, e, 0);
    s.head[cell_of(mesh.edge_faces(0, e))] +=
        triangulation_.edge_length[e] * dual_.part_length(e, 0) * m * (0.5 * m - centre_speed(e, 0));
  }
  s.head.array() *= inverse_area_.array();
  s.factor.resize(cells_.count());  // ½(ċ·n)² + T·ċ, with n of the first face of a merged cell
  for (Index k = mesh.face_count() - 1; k >= 0; --k) {
    const double normal = dual_.chord_normal(k).dot(surface.centre.col(cell_of(k)));
    const Vector3 translation = surface.translation.col(part_of_vertex_[mesh.faces(0, k)]);
    s.factor[cell_of(k)] = 0.5 * normal * normal + translation.dot(surface.centre.col(cell_of(k)));
  }
  s.head -= s.factor;
  add_gradient(s.head, -1, ones_, forces.body_force);
}

/// Adds the part of the head that is linear in u, and the rotation of the relative vorticity ζ_T that dual
/// edges sweep.
void Dec::add_drift(VectorIn flow, const Forces& forces, const Vector& cell_vorticity, double scale,
                    Vector& head, VectorOut out, DecScratch& s) const {
  const Index count = sites();
  const DecForces& own = DecForces::of(forces);
  const double* __restrict u = flow.data(), * __restrict drift = own.drift_head.data();
  const double* __restrict turn = own.drift_rotation.data(), * __restrict vorticity = cell_vorticity.data();
  const Index* __restrict left = site_.left_cell.data(), * __restrict right = site_.right_cell.data();
  double* __restrict at_left = s.site_flux.data(), * __restrict at_right = at_left + count, * __restrict rate = out.data();
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      at_left[e] = drift[e] * u[e];
      at_right[e] = drift[count + e] * u[e];
      rate[e] += scale * (turn[e] * vorticity[left[e]] + turn[count + e] * vorticity[right[e]]);
    }
  });
  cell_sum_.add(s.site_flux.data(), 1, head.data());
}

void Dec::separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const {
  WaveScheme::separate_motion(forces, under_gravity, of_motion);
  DecForces& own = DecForces::of(of_motion);
  own.drift_head = DecForces::of(forces).drift_head;
  own.drift_rotation = DecForces::of(forces).drift_rotation;
  own.circulation = DecForces::of(forces).circulation;
}

}  // namespace shoal
