#include "discretizations/dec.hpp"

#include "discretizations/operators/p1.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace shoal {
namespace {

/// Below this fraction of the edge the dual edge counts as a point and its two triangles as one cell.
constexpr double merge_fraction = 1e-6;

/// The point at equal distance from the corners, in the face's plane.
Vector3 circumcentre(const Mesh& mesh, const Geometry& geometry, Index face) {
  // Barycentric weights a²(b²+c²−a²) in terms of the edges opposite to the corners.
  Vector3 squared;
  for (int c = 0; c < 3; ++c)
    squared[c] = (geometry.x.col(mesh.faces((c + 2) % 3, face)) - geometry.x.col(mesh.faces((c + 1) % 3, face)))
                     .squaredNorm();
  Vector3 weight;
  for (int c = 0; c < 3; ++c)
    weight[c] = squared[c] * (squared[(c + 1) % 3] + squared[(c + 2) % 3] - squared[c]);
  weight /= weight.sum();
  return geometry.x.col(mesh.faces(0, face)) * weight[0] + geometry.x.col(mesh.faces(1, face)) * weight[1] +
         geometry.x.col(mesh.faces(2, face)) * weight[2];
}

int corner_opposite(const Mesh& mesh, Index edge, Index face) {
  for (int c = 0; c < 3; ++c)
    if (mesh.face_edges(c, face) == edge) return c;
  return 0;  // not reached: `face` has `edge`
}

}  // namespace

DiscretizationEntry dec() {
  return describe<Dec>("dec", "depth on triangles, normal velocity on edges; circumcentric C-grid (Angst 2007, 4.2.2)",
                       common_parameters());
}

Dec::Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters)
    : Discretization(mesh, geometry, parameters) {
  part_length_.setZero(2, mesh.edge_count());
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int side = 0; side < (mesh.is_wall(e) ? 1 : 2); ++side) {
      const Index face = mesh.edge_faces(side, e);
      part_length_(side, e) = 0.5 * geometry.edge_length[e] * geometry.cotangent(corner_opposite(mesh, e, face), face);
    }
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (mesh.is_wall(e) || dual_length(e) > -merge_fraction * geometry.edge_length[e]) continue;
    throw Refusal(fmt::format("the circumcentric dual does not exist on this mesh: its edge between ({:.6g}, {:.6g}, {:.6g}) "
                              "and ({:.6g}, {:.6g}, {:.6g}) has the negative dual length {:.3g} m; use a mesh whose edges "
                              "are Delaunay, or fefv or kinetic",
                              geometry.x(0, mesh.edges(0, e)), geometry.x(1, mesh.edges(0, e)),
                              geometry.x(2, mesh.edges(0, e)), geometry.x(0, mesh.edges(1, e)),
                              geometry.x(1, mesh.edges(1, e)), geometry.x(2, mesh.edges(1, e)), dual_length(e)));
  }
  merge_cocircular_faces();
  place_cells(bed_depth);
  collect_sites();
}

/// Triangles that share their circumcentre become one cell; cells are numbered by their first face.
void Dec::merge_cocircular_faces() {
  std::vector<Index> parent(static_cast<std::size_t>(mesh_.face_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](Index k) {
    while (parent[static_cast<std::size_t>(k)] != k) k = parent[static_cast<std::size_t>(k)];
    return k;
  };
  for (Index e = 0; e < mesh_.edge_count(); ++e) {
    if (mesh_.is_wall(e) || dual_length(e) >= merge_fraction * geometry_.edge_length[e]) continue;
    const auto [first, second] = std::minmax({root(mesh_.edge_faces(0, e)), root(mesh_.edge_faces(1, e))});
    parent[static_cast<std::size_t>(second)] = first;
  }
  cells_.location = Location::face;
  cells_.of_element.resize(parent.size());
  Index count = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const Index r = root(k);
    cells_.of_element[static_cast<std::size_t>(k)] = r == k ? count++ : cell_of(r);
  }
  cells_.area.setZero(count);
  for (Index k = 0; k < mesh_.face_count(); ++k) cells_.area[cell_of(k)] += geometry_.face_area[k];
  inverse_area_ = cells_.area.cwiseInverse();
}

void Dec::place_cells(const ScalarField& bed_depth) {
  cells_.points.resize(3, cells_.count());
  cells_.bed.resize(cells_.count());
  for (Index k = mesh_.face_count() - 1; k >= 0; --k)  // a merged cell keeps its first face's circumcentre
    cells_.points.col(cell_of(k)) = circumcentre(mesh_, geometry_, k);
  for (Index i = 0; i < cells_.count(); ++i) cells_.bed[i] = bed_depth(cells_.points.col(i));
}

void Dec::collect_sites() {
  for (Index e = 0; e < mesh_.edge_count(); ++e)
    if (!mesh_.is_wall(e) && cell_of(mesh_.edge_faces(0, e)) != cell_of(mesh_.edge_faces(1, e)))
      site_edge_.push_back(e);
  const Index count = sites();
  site_cells_.resize(2, count);
  site_length_.resize(count);
  site_dual_.resize(count);
  left_share_.resize(count);
  site_flux_.resize(count);
  cell_start_.assign(static_cast<std::size_t>(cells_.count()) + 1, 0);
  for (Index s = 0; s < count; ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    for (int side = 0; side < 2; ++side) {
      site_cells_(side, s) = cell_of(mesh_.edge_faces(side, e));
      ++cell_start_[static_cast<std::size_t>(site_cells_(side, s)) + 1];
    }
    site_length_[s] = geometry_.edge_length[e];
    site_dual_[s] = dual_length(e);
    left_share_[s] = part_length_(0, e) / site_dual_[s];
  }
  std::partial_sum(cell_start_.begin(), cell_start_.end(), cell_start_.begin());
  cell_site_.resize(static_cast<std::size_t>(2 * count));
  std::vector<Index> next(cell_start_.begin(), cell_start_.end() - 1);
  for (Index s = 0; s < count; ++s) {
    cell_site_[static_cast<std::size_t>(next[static_cast<std::size_t>(site_cells_(0, s))]++)] = s;
    cell_site_[static_cast<std::size_t>(next[static_cast<std::size_t>(site_cells_(1, s))]++)] = ~s;
  }
  laplacian_ = EdgeLaplacian(cells_.count(), site_cells_);
}

void Dec::forcing_changed() {
  Vector face_acceleration;
  average_to_faces(mesh_, normal_acceleration_, face_acceleration);
  Vector sum = Vector::Zero(cells_.count());
  for (Index k = 0; k < mesh_.face_count(); ++k) sum[cell_of(k)] += geometry_.face_area[k] * face_acceleration[k];
  uniform_acceleration_ = (normal_acceleration_.array() == normal_acceleration_[0]).all();
  if (uniform_acceleration_) {
    const double root = std::sqrt(-normal_acceleration_[0]);
    root_acceleration_.setConstant(cells_.count(), root);
    site_root_acceleration_.setConstant(sites(), root);
    bed_force_.resize(0);
    return;
  }
  root_acceleration_ = (-sum.array() * inverse_area_.array()).sqrt();
  site_root_acceleration_.resize(sites());
  for (Index s = 0; s < sites(); ++s)
    site_root_acceleration_[s] = 0.5 * (root_acceleration_[site_cells_(0, s)] + root_acceleration_[site_cells_(1, s)]);
  // b = −s (G(√|a| H) − s G H)
  const Vector weighted_bed = root_acceleration_.cwiseProduct(cells_.bed);
  bed_force_.setZero(sites());
  add_gradient(weighted_bed, -1, site_root_acceleration_, bed_force_);
  add_gradient(cells_.bed, 1, site_root_acceleration_.cwiseAbs2(), bed_force_);
}

/// Unit normal of the edge in the face's plane, pointing from the left to the right face.
Vector3 Dec::outward_normal(Index edge, Index face) const {
  const Vector3 along = geometry_.x.col(mesh_.edges(1, edge)) - geometry_.x.col(mesh_.edges(0, edge));
  const Vector3 normal = geometry_.face_normal.col(face);
  return along.cross(normal) / geometry_.edge_length[edge];
}

State Dec::project(const Fields& fields) const {
  State state;
  state.volume.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    state.volume[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
  state.flow.setZero(sites());
  if (!fields.velocity) return state;
  for (Index s = 0; s < sites(); ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    const Vector3 middle = 0.5 * (geometry_.x.col(mesh_.edges(0, e)) + geometry_.x.col(mesh_.edges(1, e)));
    const Vector3 normal = outward_normal(e, mesh_.edge_faces(0, e)) + outward_normal(e, mesh_.edge_faces(1, e));
    state.flow[s] = fields.velocity(middle).dot(normal.normalized());
  }
  return state;
}

void Dec::add_rates(const State& state, double scale, State& target) const {
  add_depth_rate(state, scale, target.volume);
  add_velocity_rate(state, scale, target.flow);
}

void Dec::add_depth_rate(const State& state, double scale, Vector& volume) const {
  site_depth(state.volume, site_depth_);
  add_outflow(state.flow, -scale, site_depth_, volume);
}

void Dec::add_velocity_rate(const State& state, double scale, Vector& flow) const {
  pressure_ = root_acceleration_.array() * (state.volume.array() * inverse_area_.array() - cells_.bed.array());
  add_gradient(pressure_, -scale, site_root_acceleration_, flow);
  if (!uniform_acceleration_) flow += scale * bed_force_;
}

void Dec::site_depth(const Vector& volume, Vector& depth) const {
  depth_ = volume.cwiseProduct(inverse_area_);
  depth.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    const double left = depth_[site_cells_(0, s)], right = depth_[site_cells_(1, s)];
    const double mean = right + left_share_[s] * (left - right);
    depth[s] = mean < 0 ? 0 : mean;
  }
}

void Dec::add_gradient(const Vector& p, double scale, const Vector& weight, Vector& flow) const {
  for (Index s = 0; s < sites(); ++s)
    flow[s] += scale * weight[s] * (p[site_cells_(1, s)] - p[site_cells_(0, s)]) / site_dual_[s];
}

void Dec::add_outflow(const Vector& flow, double scale, const Vector& weight, Vector& out) const {
  for (Index s = 0; s < sites(); ++s) site_flux_[s] = site_length_[s] * weight[s] * flow[s];
  for (Index i = 0; i < cells_.count(); ++i) {
    double sum = 0;
    for (Index j = cell_start_[static_cast<std::size_t>(i)]; j < cell_start_[static_cast<std::size_t>(i) + 1]; ++j) {
      const Index s = cell_site_[static_cast<std::size_t>(j)];
      sum += s >= 0 ? site_flux_[s] : -site_flux_[~s];
    }
    out[i] += scale * sum;
  }
}

void Dec::add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const {
  site_weight_ = weight.array() * site_length_.array() / site_dual_.array();
  laplacian_.add_product(p, scale, site_weight_, out);
}

void Dec::assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix) const {
  site_weight_ = weight.array() * site_length_.array() / site_dual_.array();
  laplacian_.assemble(diagonal, scale, site_weight_, matrix);
}

/// Symplectic Euler is stable for ωΔt < 2; Gershgorin bounds ω² by twice the largest diagonal of A⁻¹K. On a lattice of
/// equal triangles, whose dual is bipartite, the bound is attained.
double Dec::stable_dt(const State& state) const {
  site_depth(state.volume, site_depth_);
  Vector diagonal = Vector::Zero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const double root = site_root_acceleration_[s];
    const double weight = root * root * site_depth_[s] * site_length_[s] / site_dual_[s];
    for (int side = 0; side < 2; ++side) diagonal[site_cells_(side, s)] += weight;
  }
  return 2 / std::sqrt(2 * diagonal.cwiseProduct(inverse_area_).maxCoeff());
}

double Dec::kinetic_energy(const State& state) const {
  site_depth(state.volume, site_depth_);
  return 0.5 * (site_length_.array() * site_dual_.array() * site_depth_.array() * state.flow.array().square()).sum();
}

/// v_T = (1/A_T) Σ_e l_e d_T u_e n_e (Perot 2000): exact for a constant field.
void Dec::face_velocity(const State& state, Points& velocity) const {
  velocity.setZero(3, mesh_.face_count());
  for (Index s = 0; s < sites(); ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    for (int side = 0; side < 2; ++side) {
      const Index k = mesh_.edge_faces(side, e);
      velocity.col(k) += site_length_[s] * part_length_(side, e) * state.flow[s] / geometry_.face_area[k] *
                         outward_normal(e, k);
    }
  }
}

/// Circulation around the Voronoi cell (whose edges are the dual edges) over its area.
void Dec::vertex_vorticity(const State& state, Vector& vorticity) const {
  vorticity.setZero(mesh_.vertex_count);
  Vector area = Vector::Zero(mesh_.vertex_count);
  for (Index e = 0; e < mesh_.edge_count(); ++e)
    for (int end = 0; end < 2; ++end) area[mesh_.edges(end, e)] += 0.25 * geometry_.edge_length[e] * dual_length(e);
  for (Index s = 0; s < sites(); ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    const double circulation = site_dual_[s] * state.flow[s];
    vorticity[mesh_.edges(0, e)] -= circulation;
    vorticity[mesh_.edges(1, e)] += circulation;
  }
  vorticity.array() /= area.array();
}

void Dec::face_depth(const State& state, Vector& depth) const {
  depth.resize(mesh_.face_count());
  for (Index k = 0; k < mesh_.face_count(); ++k) depth[k] = state.volume[cell_of(k)] * inverse_area_[cell_of(k)];
}

void Dec::vertex_depth(const State& state, Vector& depth) const {
  Vector faces;
  face_depth(state, faces);
  average_to_vertices(mesh_, geometry_, faces, depth);
}

bool Dec::edge_velocity(const State& state, Vector& velocity) const {
  velocity.setZero(mesh_.edge_count());
  for (Index s = 0; s < sites(); ++s) velocity[site_edge_[static_cast<std::size_t>(s)]] = state.flow[s];
  return true;
}

}  // namespace shoal
