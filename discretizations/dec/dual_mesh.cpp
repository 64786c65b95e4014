// The dual mesh: cells, merged where necessary, velocity sites, and their measures.
#include "discretizations/dec/dual_mesh.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {

/// Positions relative to a face of a periodic mesh. These are separate functions so that the code for other
/// meshes, and hence its results bit for bit, is unchanged.
namespace across_seam {
namespace {

[[gnu::noinline]] Vector3 point(const Geometry& geometry, const Mesh& mesh, Index face,
                                const Vector3& weight) {
  return geometry.corner(mesh, face, 0) * weight[0] + geometry.corner(mesh, face, 1) * weight[1] +
         geometry.corner(mesh, face, 2) * weight[2];
}

[[gnu::noinline]] Vector3 middle(const Geometry& geometry, const Mesh& mesh, Index edge, int side) {
  return geometry.edge_middle(mesh, edge, side);
}

[[gnu::noinline]] Vector3 outward_normal(const Geometry& geometry, const Mesh& mesh, Index edge, Index face) {
  return geometry.edge_vector(mesh, edge).cross(Vector3(geometry.face_normal.col(face))).normalized();
}

}  // namespace
}  // namespace across_seam

namespace {

/// Extends the hash of a sequence by a number (Park & Miller's generator, in exact integers).
void append(double& hash, double number) {
  constexpr double multiplier = 48271, modulus = 2147483647;
  hash = std::fmod(multiplier * hash + number + 1, modulus);
}

}  // namespace

DualMesh::DualMesh(const Mesh& mesh, const Geometry& geometry, const DecOptions& options,
                   bool convex_edge_depth, Cells& cells)
    : mesh_(mesh),
      geometry_(geometry),
      options_(options),
      convex_edge_depth_(convex_edge_depth),
      barycentric_(options.dual == Dual::barycentric),
      cells_(cells),
      triangulation_(intrinsic_triangulation(mesh, geometry)) {
  if (options_.dual == Dual::intrinsic) flip_to_delaunay(triangulation_);
  has_flips_ = !all(mesh, triangulation_.flips.empty());
  if (mesh.periodic() && has_flips_)
    throw Refusal(
        "dual = intrinsic would have to flip edges, which periodic meshes do not support; use dual = "
        "barycentric");
  centre_shift_.assign(mesh.face_count(), Tangent(0));
  face_turn_.assign(mesh.face_count(), Tangent(1));
  together(ranks_of(mesh), [&] { require_positive_lengths(); });
  record_flips();
  merge_faces();
  require_layers();
  history_.resize(0);
  cells_.points.resize(3, cells_.count());
  centres_.resize(3, cells_.count());
  place_cells();
  measure_normals();
  collect_sites();
}

void DualMesh::require_positive_lengths() const {
  const Range edges = own(mesh_, Location::edge);
  for (Index e = edges.begin; e < edges.begin + edges.count; ++e) {
    if (triangulation_.mesh.is_wall(e) ||
        dual_length(e) > -options_.degenerate_dual * triangulation_.edge_length[e])
      continue;
    const auto at = [&](int end) {
      const Vector3 x = geometry_.x.col(triangulation_.mesh.edges(end, e));
      return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
    };
    throw Refusal(
        fmt::format("the circumcentric dual does not exist on this mesh: the edge from {} to {} has the "
                    "negative dual length {:.3g} m; use dual = intrinsic or barycentric, or another "
                    "discretization",
                    at(0), at(1), dual_length(e)));
  }
}

void DualMesh::refresh() {
  shoal::refresh(triangulation_, mesh_, geometry_);
  measure_areas();  // weights of the centres
  if (!barycentric_) measure_centres();
  place_cells();
  measure_normals();
  measure_sites();
}

/// Signed distance of the edge from the centre of the cell.
double DualMesh::part_length(Index edge, int side) const {
  const Index face = triangulation_.mesh.edge_faces(side, edge);
  if (barycentric_) return 2 * triangulation_.face_area[face] / (3 * triangulation_.edge_length[edge]);
  const double length = triangulation_.part_length(edge, side);
  const Tangent shift = centre_shift_[face];
  if (shift == 0.0) return length;
  const double across = (std::conj(shift) * Tangent(0, -1) * along(edge, side)).real();
  return side == 0 ? length - across : length + across;
}

double DualMesh::dual_length(Index edge) const {
  const double left = part_length(edge, 0);
  return triangulation_.mesh.is_wall(edge) ? left : left + part_length(edge, 1);
}

/// Barycentric coordinates λ of the cell's centre with respect to the face: ⅓, or those of the circumcentre, from
/// the intrinsic edge lengths, or, on merged cells, of the mean of the circumcentres.
Vector3 DualMesh::centre_weights(Index face) const {
  if (barycentric_) return Vector3::Constant(1.0 / 3);
  const Mesh& mesh = triangulation_.mesh;
  Vector3 squared;
  for (int c = 0; c < 3; ++c) {
    const double length = triangulation_.edge_length[mesh.face_edges(c, face)];
    squared[c] = length * length;
  }
  Vector3 weight;  // a²(b²+c²−a²)
  for (int c = 0; c < 3; ++c)
    weight[c] = squared[c] * (squared[(c + 1) % 3] + squared[(c + 2) % 3] - squared[c]);
  weight /= weight.sum();
  if (const Tangent shift = centre_shift_[face]; shift != 0.0) {
    const BarycentricRates rates = frame(face).rates(shift);
    for (int c = 0; c < 3; ++c) weight[c] += rates[c];
  }
  return weight;
}

/// With piecewise linear vorticity, a balanced flow has the depth of the centroids (dec.md).
bool DualMesh::depth_at_centroid(Index face) const {
  return options_.vorticity == VorticityForm::linear &&
         triangulation_.face_area[face] == cells_.area[cell_of(face)];
}

Vector3 DualMesh::depth_weights(Index face) const {
  return depth_at_centroid(face) ? Vector3(Vector3::Constant(1.0 / 3)) : centre_weights(face);
}

/// The barycentre, or the centre of the cell; for flipped triangles, which do not lie on facets of the
/// surface, the point in the plane through the three vertices.
Vector3 DualMesh::centre(Index face) const {
  if (barycentric_) return geometry_.centroid(triangulation_.mesh, face);
  return point(face, centre_weights(face));
}

Vector3 DualMesh::point(Index face, const Vector3& weight) const {
  const Mesh& mesh = triangulation_.mesh;
  if (mesh.periodic()) return across_seam::point(geometry_, mesh, face, weight);
  return geometry_.x.col(mesh.faces(0, face)) * weight[0] + geometry_.x.col(mesh.faces(1, face)) * weight[1] +
         geometry_.x.col(mesh.faces(2, face)) * weight[2];
}

/// Whether the two triangles of the edge must be merged into one cell. With a uniform flow v across the edge
/// and h_e = (d_L η_L + d_R η_R)/d_e, perturbations of u_e and of the depths of its two cells satisfy λ² = γ²
/// − ω²,
///
///     γ = v l_e (d_L/A_L − d_R/A_R)/d_e,    ω² = gη l_e (1/A_L + 1/A_R)/d_e,
///
/// and are stable if |γ| < ω: v²/(gη) < d_e (1/A_L + 1/A_R)/(l_e (d_L/A_L − d_R/A_R)²).
bool DualMesh::inseparable(Index edge) const {
  const double length = triangulation_.edge_length[edge], dual = dual_length(edge);
  if (dual < options_.degenerate_dual * length) return true;
  const Edges& faces = triangulation_.mesh.edge_faces;
  const double left = 1 / cells_.area[cell_of(faces(0, edge))],
               right = 1 / cells_.area[cell_of(faces(1, edge))];
  const double difference = part_length(edge, 0) * left - part_length(edge, 1) * right;
  return dual * (left + right) < options_.max_froude * options_.max_froude * length * difference * difference;
}

void DualMesh::record_flips() {
  if (!mesh_.part) return;
  history_.setZero(mesh_.face_count());
  for (const Flip& flip : triangulation_.flips)
    for (const Index face : {flip.left, flip.right}) append(history_[face], mesh_.part->edge[flip.edge]);
}

void DualMesh::record_cells() {
  if (!mesh_.part) return;
  Vector faces_of_cell = Vector::Zero(cells_.count());
  for (Index k = 0; k < mesh_.face_count(); ++k) append(faces_of_cell[cell_of(k)], mesh_.part->face[k]);
  for (Index k = 0; k < mesh_.face_count(); ++k) append(history_[k], faces_of_cell[cell_of(k)]);
}

/// A flip depends only on the two triangles of its edge and on the order of flips of their edges; so does a merge. If every own triangle,
/// and every triangle beside one, has the same history here as at its owner, then by induction all histories are those of the whole
/// surface. This must hold in all layers that a step requires. Layers are here those of cells: triangles that share a vertex, in the
/// surface or in its triangulation, and all triangles merged with them.
void DualMesh::require_layers() const {
  if (!mesh_.part || (!has_flips_ && cells_.first_element.empty())) return;
  const Part& part = *mesh_.part;
  const Mesh& mesh = triangulation_.mesh;
  Vector at_owner = history_;
  (*part.ranks->renewal({part.face_ghosts.begin(), part.face_ghosts.end()}))(at_owner.data());
  bool suffices = true;
  Array<char> reached(mesh.face_count(), 0), touched(mesh.vertex_count, 0), incomplete(mesh.vertex_count, 0);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (part.rim[e])
      for (const Index vertex : mesh.edges.col(e)) incomplete[vertex] = 1;
  const auto complete_cells = [&] {
    Array<char> cell_reached(cells_.count(), 0);
    for (Index k = 0; k < mesh.face_count(); ++k)
      if (reached[k]) cell_reached[cell_of(k)] = 1;
    for (Index k = 0; k < mesh.face_count(); ++k) {
      reached[k] = cell_reached[cell_of(k)];
      if (!reached[k]) continue;
      suffices &= history_[k] == at_owner[k];
      for (const Faces* faces : {&mesh.faces, &mesh_.faces})
        for (const Index vertex : faces->col(k)) touched[vertex] = 1;
    }
  };
  const auto reach_touched = [&] {
    for (const Faces* faces : {&mesh.faces, &mesh_.faces})
      for (Index k = 0; k < mesh.face_count(); ++k)
        for (const Index vertex : faces->col(k))
          if (touched[vertex]) {
            suffices &= !incomplete[vertex];
            reached[k] = 1;
          }
  };
  for (Index k = part.own_faces.begin; k < part.own_faces.begin + part.own_faces.count; ++k) reached[k] = 1;
  complete_cells();
  // Flips may take the last triangle that is own from an own edge or vertex.
  for (Index e = part.own_edges.begin; e < part.own_edges.begin + part.own_edges.count; ++e) {
    const Index left = mesh.edge_faces(0, e), right = mesh.edge_faces(1, e);
    if (!reached[left] && (right == Mesh::none || !reached[right])) {
      reached[left] = 1;
      if (right != Mesh::none) reached[right] = 1;
    }
  }
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (const Index vertex : mesh.faces.col(k))
      if (part.own_vertices.has(vertex) && !touched[vertex]) reached[k] = 1;
  complete_cells();
  for (int layer = 0; layer < part.layers - part.margin; ++layer) {
    reach_touched();
    complete_cells();
  }
  if (!all(mesh_, suffices))
    throw TooFewLayers(
        fmt::format("on several processes, cells of flipped and merged triangles reach beyond {} layers of "
                    "triangles, of which a step requires {}; use one process",
                    part.layers, part.layers - part.margin));
}

/// Cells are numbered by their first face. Merging changes the centre of a cell, which may make further edges
/// inseparable; hence the loop.
void DualMesh::merge_faces() {
  const Mesh& mesh = triangulation_.mesh;
  const Index faces = mesh.face_count();
  DisjointSets sets(faces);
  cells_.location = Location::face;
  cells_.of_element.resize(faces);
  for (bool joined = true; joined;) {
    joined = false;
    Index count = 0;
    for (Index k = 0; k < faces; ++k)
      cells_.of_element[k] = sets.find(k) == k ? count++ : cell_of(sets.find(k));
    cells_.area.resize(count);
    measure_areas();
    if (barycentric_) return;
    record_cells();
    unfold_cells();
    measure_centres();
    for (Index e = 0; e < mesh.edge_count(); ++e) {
      if (mesh.is_wall(e) || cell_of(mesh.edge_faces(0, e)) == cell_of(mesh.edge_faces(1, e)) ||
          !inseparable(e))
        continue;
      sets.join(mesh.edge_faces(0, e), mesh.edge_faces(1, e));
      joined = true;
    }
    joined = !all(mesh_, !joined);  // cells of other processes may still grow towards those here
  }
  if (all(mesh_, cells_.count() == faces)) return;
  cells_.first_element.resize(cells_.count());
  for (Index k = faces - 1; k >= 0; --k) cells_.first_element[cell_of(k)] = k;
}

/// Finds a spanning tree of each merged cell, starting at its first face, over edges inside the cell.
void DualMesh::unfold_cells() {
  const Mesh& mesh = triangulation_.mesh;
  unfolding_.clear();
  merged_face_.clear();
  Array<Index> inside;
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (!mesh.is_wall(e) && cell_of(mesh.edge_faces(0, e)) == cell_of(mesh.edge_faces(1, e)))
      inside.push_back(e);
  Array<char> known(mesh.face_count(), 0), begun(cells_.count(), 0);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    char& cell_begun = begun[cell_of(k)];
    known[k] = !cell_begun;
    cell_begun = 1;
  }
  for (bool found = true; found;) {
    found = false;
    for (const Index e : inside)
      for (int side = 0; side < 2; ++side) {
        if (!known[mesh.edge_faces(side, e)]) continue;
        char& other = known[mesh.edge_faces(1 - side, e)];
        if (other) continue;
        unfolding_.push_back({e, side});
        other = found = true;
      }
  }
  Array<char> merged(mesh.face_count(), 0);
  for (const Unfolded& unfolded : unfolding_)
    for (int side = 0; side < 2; ++side) merged[mesh.edge_faces(side, unfolded.edge)] = 1;
  for (Index k = 0; k < mesh.face_count(); ++k)
    if (merged[k]) merged_face_.push_back(k);
}

/// Computes face_turn_ and centre_shift_. The centre of a merged cell is the area-weighted mean of the
/// circumcentres. With distances measured from one common point, Σ l_e d_T = 2 A holds on merged cells too,
/// for any choice of the point.
void DualMesh::measure_centres() {
  const Mesh& mesh = triangulation_.mesh;
  for (const Index k : merged_face_) centre_shift_[k] = 0;
  // First the circumcentre, relative to that of the first face.
  for (const Unfolded& unfolded : unfolding_) {
    const Index e = unfolded.edge, from = mesh.edge_faces(unfolded.side, e),
                to = mesh.edge_faces(1 - unfolded.side, e);
    const Tangent edge = along(e, unfolded.side) * face_turn_[from];
    face_turn_[to] = edge * std::conj(along(e, 1 - unfolded.side));
    const double distance = triangulation_.part_length(e, 0) + triangulation_.part_length(e, 1);
    centre_shift_[to] = centre_shift_[from] + Tangent(0, unfolded.side == 0 ? -distance : distance) * edge;
  }
  cell_centre_.assign(cells_.count(), Tangent(0));
  for (const Index k : merged_face_)
    cell_centre_[cell_of(k)] += triangulation_.face_area[k] / cells_.area[cell_of(k)] * centre_shift_[k];
  for (const Index k : merged_face_)
    centre_shift_[k] = (cell_centre_[cell_of(k)] - centre_shift_[k]) * std::conj(face_turn_[k]);
}

void DualMesh::measure_areas() {
  cells_.area.setZero();
  for (Index k = triangulation_.mesh.face_count() - 1; k >= 0; --k)
    cells_.area[cell_of(k)] += triangulation_.face_area[k];
}

void DualMesh::place_cells() {
  for (Index k = triangulation_.mesh.face_count() - 1; k >= 0; --k) {
    centres_.col(cell_of(k)) = centre(k);  // for a merged cell in the plane of its first face
    cells_.points.col(cell_of(k)) =
        depth_at_centroid(k) ? point(k, depth_weights(k)) : Vector3(centres_.col(cell_of(k)));
  }
}

void DualMesh::collect_sites() {
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    if (!triangulation_.mesh.is_wall(e) &&
        cell_of(triangulation_.mesh.edge_faces(0, e)) != cell_of(triangulation_.mesh.edge_faces(1, e)))
      site_.edge->push_back(e);
  const Index count = site_.count();
  if (all(mesh_, count == 0))
    throw Refusal(
        fmt::format("water cannot flow across any edge: the mesh is one triangle, or all of its triangles "
                    "are merged into one cell (like the two of a square, or more with degenerate_dual = {} "
                    "and max_froude = {}); use a finer mesh, smaller values, or dual = barycentric",
                    options_.degenerate_dual, options_.max_froude));
  site_.cells.resize(2, count);
  site_.left_cell.resize(count);
  site_.right_cell.resize(count);
  for (Index s = 0; s < count; ++s) {
    const Index e = site_.of(s);
    for (int side = 0; side < 2; ++side) {
      site_.cells(side, s) = cell_of(triangulation_.mesh.edge_faces(side, e));
    }
    site_.left_cell[s] = site_.cells(0, s);
    site_.right_cell[s] = site_.cells(1, s);
  }
  site_.min_dual.setZero(count);
  measure_sites();
  if (!barycentric_) site_.min_dual = site_.dual.cwiseQuotient(site_.length).cwiseMin(options_.min_dual);
}

void DualMesh::measure_sites() {
  for (Vector* v : {&site_.length, &site_.dual, &site_.left_share, &site_.left_part, &site_.triangle_area,
                    &site_.delaunay_weight})
    v->resize(site_.count());
  clamped_shares_ = clamped_duals_ = 0;
  const Range own_edges = own(mesh_, Location::edge);
  for (Index s = 0; s < site_.count(); ++s) {
    const Index e = site_.of(s);
    site_.length[s] = triangulation_.edge_length[e];
    site_.triangle_area[s] = triangulation_.face_area[triangulation_.mesh.edge_faces(0, e)] +
                             triangulation_.face_area[triangulation_.mesh.edge_faces(1, e)];
    site_.dual[s] = dual_length(e);
    const double min_length = site_.min_dual[s] * site_.length[s];
    const double rounding = options_.degenerate_dual * site_.length[s];
    // 1 above the limit, 0 on edges that are not Delaunay, where h_e is the arithmetic mean.
    const double trust = site_.delaunay_weight[s] =
        site_.dual[s] < min_length ? std::max(site_.dual[s], 0.0) / min_length : 1;
    if (site_.dual[s] < min_length - rounding) clamped_duals_ += own_edges.has(e);
    site_.dual[s] = std::max(site_.dual[s], min_length);
    const double left = part_length(e, 0), right = part_length(e, 1);
    const auto share_of = [&](double left_weight, double right_weight) {
      const double sum = std::max(left_weight + right_weight, min_length);
      return 0.5 + 0.5 * trust * (left_weight - right_weight) / sum;
    };
    site_.left_part[s] = share_of(left, right);
    site_.left_share[s] = convex_edge_depth_ ? share_of(std::abs(left), std::abs(right)) : site_.left_part[s];
    // Without this limit, h_e of the hypotenuse of right triangles could be the depth of the dry cell, and
    // nothing would flow onto it.
    constexpr double min_share = 0.25;
    if (options_.dry.closed) site_.left_share[s] = std::clamp(site_.left_share[s], min_share, 1 - min_share);
    if (convex_edge_depth_ && std::min(left, right) < -rounding) clamped_shares_ += own_edges.has(e);
  }
  site_.inverse_dual = site_.dual.cwiseInverse();
  voronoi_area_.setZero(mesh_.vertex_count);
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end)
      voronoi_area_[triangulation_.mesh.edges(end, e)] +=
          0.25 * triangulation_.edge_length[e] * dual_length(e);
}

FaceFrame DualMesh::frame(Index face) const {
  return face_frame(triangulation_.edge_length[triangulation_.mesh.face_edges(2, face)],
                    triangulation_.face_area[face], triangulation_.cotangent(0, face));
}

/// The unit vector along the edge, from tail to head, in the frame of its left or right face.
Tangent DualMesh::along(Index edge, int side) const {
  const Index face = triangulation_.mesh.edge_faces(side, edge);
  const Tangent edge_vector =
      frame(face).edge(static_cast<int>((triangulation_.edge_corner(side, edge) + 1) % 3));
  return (side == 0 ? edge_vector : -edge_vector) / std::sqrt(std::norm(edge_vector));
}

/// arm() in the frame of the face; `across` is the length of its component normal to the edge.
Tangent DualMesh::unfolded_arm(Index e, int side, double across) const {
  if (!barycentric_) {
    const Tangent edge = along(e, side), shift = centre_shift_[triangulation_.mesh.edge_faces(side, e)];
    const double back = (std::conj(shift) * edge).real();
    return Tangent(side == 0 ? -back : back, -across) * edge;
  }
  // The vector from the barycentre to the midpoint of the edge is one sixth of the sum of the vectors from
  // the opposite corner to the other two.
  const FaceFrame face = frame(triangulation_.mesh.edge_faces(side, e));
  const int corner = static_cast<int>(triangulation_.edge_corner(side, e));
  const Tangent outward = (face.edge(corner) - face.edge((corner + 2) % 3)) / 6.0;
  return side == 0 ? outward : -outward;
}

void DualMesh::measure_normals() {
  const Mesh& mesh = triangulation_.mesh;
  const auto unit = [](const Vector3& v) -> Vector3 {
    const double length = std::sqrt(v.squaredNorm());
    return length > 0 ? Vector3(v / length) : Vector3(Vector3::Zero());
  };
  chord_normal_.resize(3, mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 x = geometry_.x.col(mesh.faces(0, k)), to_first = geometry_.x.col(mesh.faces(1, k)) - x,
                  to_second = geometry_.x.col(mesh.faces(2, k)) - x;
    chord_normal_.col(k) = unit(to_first.cross(to_second));
  }
  for (Points& normals : outward_normal_) normals.setZero(3, mesh.edge_count());
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    const Vector3 along = geometry_.x.col(mesh.edges(1, e)) - geometry_.x.col(mesh.edges(0, e));
    for (int side = 0; side < (mesh.is_wall(e) ? 1 : 2); ++side) {
      const Index face = mesh.edge_faces(side, e);
      outward_normal_[side].col(e) = mesh_.periodic() ? across_seam::outward_normal(geometry_, mesh_, e, face)
                                                      : unit(along.cross(Vector3(chord_normal_.col(face))));
    }
  }
}

/// The midpoint of the edge, relative to the face on this side.
Vector3 DualMesh::edge_middle(Index edge, int side) const {
  const Edges& edges = triangulation_.mesh.edges;
  if (mesh_.periodic()) return across_seam::middle(geometry_, mesh_, edge, side);
  return 0.5 * (geometry_.x.col(edges(0, edge)) + geometry_.x.col(edges(1, edge)));
}

/// The vector from the centre of the left cell to the midpoint of the edge (side 0), or from there to the
/// centre of the right cell (side 1); on merged cells in the plane of the adjacent face.
Vector3 DualMesh::arm(Index edge, int side) const {
  const Index face = triangulation_.mesh.edge_faces(side, edge);
  if (!barycentric_) {
    const Vector3 across = triangulation_.part_length(edge, side) * outward_normal(edge, side);
    const Tangent shift = centre_shift_[face];
    if (shift == 0.0) return across;
    const BarycentricRates rates = frame(face).rates(shift);
    const auto corner = [&](int c) { return geometry_.corner(triangulation_.mesh, face, c); };
    const Vector3 vector = rates.first * (corner(1) - corner(0)) + rates.second * (corner(2) - corner(0));
    return side == 0 ? Vector3(across - vector) : Vector3(across + vector);
  }
  const Vector3 outward = edge_middle(edge, side) - centre(face);
  return side == 0 ? outward : -outward;
}

void DualMesh::join_potentials(Points& potential, Vector& difference) const {
  difference.setZero(triangulation_.mesh.face_count());
  for (const Unfolded& unfolded : unfolding_) {
    const auto at = [&](int side) {
      return potential(triangulation_.edge_corner(side, unfolded.edge),
                       triangulation_.mesh.edge_faces(side, unfolded.edge));
    };
    const Index from = triangulation_.mesh.edge_faces(unfolded.side, unfolded.edge),
                to = triangulation_.mesh.edge_faces(1 - unfolded.side, unfolded.edge);
    difference[to] = difference[from] + at(1 - unfolded.side) - at(unfolded.side);
  }
  for (const Index k : merged_face_) potential.col(k).array() -= difference[k];
}

}  // namespace shoal
