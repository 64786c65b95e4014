#include "discretizations/dec.hpp"

#include "discretizations/operators/p1.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace shoal {
namespace {

/// Below this fraction of the edge the dual edge counts as a point and its two triangles as one cell.
constexpr double merge_fraction = 1e-6;

}  // namespace

DiscretizationEntry dec() {
  ParameterInfos parameters = common_parameters();
  parameters.push_back(
      choice("dual", {"circumcentric", "intrinsic"},
             "circumcentric needs Delaunay edges; intrinsic makes them so by flips on the surface"));
  return describe<Dec>(
      "dec", "depth on triangles, normal velocity on edges; circumcentric C-grid (Angst 2007, 4.2.2)",
      parameters);
}

Dec::Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
         const Parameters& parameters)
    : Discretization(mesh, geometry, parameters), triangulation_(intrinsic_triangulation(mesh, geometry)) {
  if (parameters.text("dual") == "intrinsic") flip_to_delaunay(triangulation_);
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e) {
    if (triangulation_.mesh.is_wall(e) || dual_length(e) > -merge_fraction * triangulation_.edge_length[e])
      continue;
    const auto at = [&](int end) {
      const Vector3 x = geometry.x.col(triangulation_.mesh.edges(end, e));
      return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
    };
    throw Refusal(
        fmt::format("the circumcentric dual does not exist on this mesh: the edge from {} to {} has the "
                    "negative dual length {:.3g} m; use dual = intrinsic, or fefv or kinetic",
                    at(0), at(1), dual_length(e)));
  }
  merge_cocircular_faces();
  place_cells(bed_depth);
  collect_sites();
}

double Dec::dual_length(Index edge) const {
  const double left = triangulation_.part_length(edge, 0);
  return triangulation_.mesh.is_wall(edge) ? left : left + triangulation_.part_length(edge, 1);
}

/// The point at equal distance from the corners, from the triangle's own lengths; where flips have left the
/// facets it lies on the chord triangle of the three vertices.
Vector3 Dec::circumcentre(Index face) const {
  const Mesh& mesh = triangulation_.mesh;
  Vector3 squared;
  for (int c = 0; c < 3; ++c) {
    const double length = triangulation_.edge_length[mesh.face_edges(c, face)];
    squared[c] = length * length;
  }
  Vector3 weight;  // barycentric, a²(b²+c²−a²)
  for (int c = 0; c < 3; ++c)
    weight[c] = squared[c] * (squared[(c + 1) % 3] + squared[(c + 2) % 3] - squared[c]);
  weight /= weight.sum();
  return geometry_.x.col(mesh.faces(0, face)) * weight[0] + geometry_.x.col(mesh.faces(1, face)) * weight[1] +
         geometry_.x.col(mesh.faces(2, face)) * weight[2];
}

/// Triangles that share their circumcentre become one cell; cells are numbered by their first face.
void Dec::merge_cocircular_faces() {
  std::vector<Index> parent(static_cast<std::size_t>(triangulation_.mesh.face_count()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](Index k) {
    while (parent[static_cast<std::size_t>(k)] != k) k = parent[static_cast<std::size_t>(k)];
    return k;
  };
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e) {
    if (triangulation_.mesh.is_wall(e) || dual_length(e) >= merge_fraction * triangulation_.edge_length[e])
      continue;
    const auto [first, second] =
        std::minmax({root(triangulation_.mesh.edge_faces(0, e)), root(triangulation_.mesh.edge_faces(1, e))});
    parent[static_cast<std::size_t>(second)] = first;
  }
  cells_.location = Location::face;
  cells_.of_element.resize(parent.size());
  Index count = 0;
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k) {
    const Index r = root(k);
    cells_.of_element[static_cast<std::size_t>(k)] = r == k ? count++ : cell_of(r);
  }
  cells_.area.setZero(count);
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k)
    cells_.area[cell_of(k)] += triangulation_.face_area[k];
  inverse_area_ = cells_.area.cwiseInverse();
}

void Dec::place_cells(const ScalarField& bed_depth) {
  cells_.points.resize(3, cells_.count());
  cells_.bed.resize(cells_.count());
  for (Index k = triangulation_.mesh.face_count() - 1; k >= 0;
       --k)  // a merged cell keeps its first face's circumcentre
    cells_.points.col(cell_of(k)) = circumcentre(k);
  for (Index i = 0; i < cells_.count(); ++i) cells_.bed[i] = bed_depth(cells_.points.col(i));
}

void Dec::collect_sites() {
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    if (!triangulation_.mesh.is_wall(e) &&
        cell_of(triangulation_.mesh.edge_faces(0, e)) != cell_of(triangulation_.mesh.edge_faces(1, e)))
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
      site_cells_(side, s) = cell_of(triangulation_.mesh.edge_faces(side, e));
      ++cell_start_[static_cast<std::size_t>(site_cells_(side, s)) + 1];
    }
    site_length_[s] = triangulation_.edge_length[e];
    site_dual_[s] = dual_length(e);
    left_share_[s] = triangulation_.part_length(e, 0) / site_dual_[s];
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
  average_to_faces(triangulation_.mesh, normal_acceleration_, face_acceleration);
  Vector sum = Vector::Zero(cells_.count());
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k)
    sum[cell_of(k)] += triangulation_.face_area[k] * face_acceleration[k];
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
    site_root_acceleration_[s] =
        0.5 * (root_acceleration_[site_cells_(0, s)] + root_acceleration_[site_cells_(1, s)]);
  // b = −s (G(√|a| H) − s G H)
  const Vector weighted_bed = root_acceleration_.cwiseProduct(cells_.bed);
  bed_force_.setZero(sites());
  add_gradient(weighted_bed, -1, site_root_acceleration_, bed_force_);
  add_gradient(cells_.bed, 1, site_root_acceleration_.cwiseAbs2(), bed_force_);
}

/// Unit normal of the edge in the face's plane, pointing from the left to the right face. For flipped faces
/// the plane is that of their three vertices; zero where those lie on a line.
Vector3 Dec::outward_normal(Index edge, Index face) const {
  const Mesh& mesh = triangulation_.mesh;
  const auto corner = [&](int c) -> Vector3 { return geometry_.x.col(mesh.faces(c, face)); };
  const Vector3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
  const Vector3 along = geometry_.x.col(mesh.edges(1, edge)) - geometry_.x.col(mesh.edges(0, edge));
  return along.cross(normal).normalized();
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
    const Vector3 middle = 0.5 * (geometry_.x.col(triangulation_.mesh.edges(0, e)) +
                                  geometry_.x.col(triangulation_.mesh.edges(1, e)));
    const Vector3 normal = outward_normal(e, triangulation_.mesh.edge_faces(0, e)) +
                           outward_normal(e, triangulation_.mesh.edge_faces(1, e));
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
  pressure_ =
      root_acceleration_.array() * (state.volume.array() * inverse_area_.array() - cells_.bed.array());
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
    for (Index j = cell_start_[static_cast<std::size_t>(i)]; j < cell_start_[static_cast<std::size_t>(i) + 1];
         ++j) {
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

void Dec::assemble(const Vector& diagonal, double scale, const Vector& weight,
                   SymmetricMatrix& matrix) const {
  site_weight_ = weight.array() * site_length_.array() / site_dual_.array();
  laplacian_.assemble(diagonal, scale, site_weight_, matrix);
}

/// Symplectic Euler is stable for ωΔt < 2; Gershgorin bounds ω² by twice the largest diagonal of A⁻¹K. On a
/// lattice of equal triangles, whose dual is bipartite, the bound is attained.
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
  return 0.5 * (site_length_.array() * site_dual_.array() * site_depth_.array() * state.flow.array().square())
                   .sum();
}

/// v_T = (1/A_T) Σ_e l_e d_T u_e n_e (Perot 2000): exact for a constant field.
void Dec::face_velocity(const State& state, Points& velocity) const {
  velocity.setZero(3, triangulation_.mesh.face_count());
  for (Index s = 0; s < sites(); ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    for (int side = 0; side < 2; ++side) {
      const Index k = triangulation_.mesh.edge_faces(side, e);
      velocity.col(k) += site_length_[s] * triangulation_.part_length(e, side) * state.flow[s] /
                         triangulation_.face_area[k] * outward_normal(e, k);
    }
  }
}

/// Circulation around the Voronoi cell (whose edges are the dual edges) over its area.
void Dec::vertex_vorticity(const State& state, Vector& vorticity) const {
  vorticity.setZero(mesh_.vertex_count);
  Vector area = Vector::Zero(mesh_.vertex_count);
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end)
      area[triangulation_.mesh.edges(end, e)] += 0.25 * triangulation_.edge_length[e] * dual_length(e);
  for (Index s = 0; s < sites(); ++s) {
    const Index e = site_edge_[static_cast<std::size_t>(s)];
    const double circulation = site_dual_[s] * state.flow[s];
    vorticity[triangulation_.mesh.edges(0, e)] -= circulation;
    vorticity[triangulation_.mesh.edges(1, e)] += circulation;
  }
  vorticity.array() /= area.array();
}

void Dec::face_depth(const State& state, Vector& depth) const {
  depth.resize(triangulation_.mesh.face_count());
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k)
    depth[k] = state.volume[cell_of(k)] * inverse_area_[cell_of(k)];
}

void Dec::vertex_depth(const State& state, Vector& depth) const {
  Vector faces;
  face_depth(state, faces);
  average_to_vertices(triangulation_.mesh, triangulation_.face_area, faces, depth);
}

bool Dec::edge_velocity(const State& state, Vector& velocity) const {
  velocity.setZero(triangulation_.mesh.edge_count());
  for (Index s = 0; s < sites(); ++s) velocity[site_edge_[static_cast<std::size_t>(s)]] = state.flow[s];
  return true;
}

}  // namespace shoal
