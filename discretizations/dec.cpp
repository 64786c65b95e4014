// The C-grid: cells, velocity sites, operators on the circumcentric dual.
#include "discretizations/dec.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shoal {

/// Positions relative to a face of a periodic mesh. In functions of their own, so that on all other meshes
/// the code, and with it every bit of the results, is unchanged.
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

Options<DecOptions> DecOptions::describe() {
  using O = DecOptions;
  return Options<O>()
      .choice("dual", &O::dual,
              {{"circumcentric", Dual::circumcentric},
               {"intrinsic", Dual::intrinsic},
               {"barycentric", Dual::barycentric}},
              "circumcentric needs Delaunay edges; intrinsic makes them so by flips on the surface at t = 0 "
              "(which a moving surface may undo, see min_dual); barycentric works on any triangles, with "
              "gradients that are exact on equilateral ones only")
      .choice("edge_depth", &O::edge_depth,
              {{"auto", EdgeDepth::automatic}, {"plain", EdgeDepth::plain}, {"convex", EdgeDepth::convex}},
              "weights of both depths in h_e: d_L and d_R; or |d_L| and |d_R|, bounded where a triangle is "
              "obtuse, which is of lower order with v·∇v; auto: plain with v·∇v and without dry_outflow = "
              "closed, else convex")
      .number("degenerate_dual", "1", &O::degenerate_dual, 1e-12, 0.1,
              "where d_e is below this part of l_e the two triangles become one cell")
      .number("max_froude", "1", &O::max_froude, 0, 10,
              "two triangles become one cell where |v|/√(gη) up to this would make their edge unstable, as "
              "the weights of h_e grow with 1/d_e; 0: never; without effect on dual = barycentric")
      .number("min_dual", "1", &O::min_dual, 1e-12, 0.5,
              "smallest d_e/l_e on a surface that moves, unless it was smaller at t = 0: explicit steps stay "
              "long, but edges that are no longer Delaunay are wrong; without effect on dual = barycentric, "
              "whose d_e stay positive")
      .part(&O::dry, DryOptions::describe());
}

DiscretizationEntry dec() {
  DiscretizationEntry entry =
      describe_scheme<Dec>("dec",
                           "depth on triangles, normal velocity on edges; circumcentric C-grid (Angst 2007, "
                           "4.2.2); meshes that are not Delaunay need dual = intrinsic");
  entry.terms = Terms::all();
  return entry;
}

Dec::Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
         const Parameters& parameters, Terms of_equations)
    : WaveScheme(mesh, geometry, parameters),
      options_(read_options<DecOptions>(parameters)),
      convex_edge_depth_(options_.edge_depth == EdgeDepth::convex ||
                         (options_.edge_depth == EdgeDepth::automatic &&
                          (options_.dry.closed || !of_equations.has(Term::advection)))),
      triangulation_(intrinsic_triangulation(mesh, geometry)),
      barycentric_(options_.dual == Dual::barycentric) {
  if (options_.dual == Dual::intrinsic) flip_to_delaunay(triangulation_);
  if (mesh.periodic() && !triangulation_.flips.empty())
    throw Refusal(
        "dual = intrinsic would flip edges, which it cannot on a periodic mesh; use dual = barycentric");
  centre_shift_.assign(mesh.face_count(), Tangent(0));
  face_turn_.assign(mesh.face_count(), Tangent(1));
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e) {
    if (triangulation_.mesh.is_wall(e) ||
        dual_length(e) > -options_.degenerate_dual * triangulation_.edge_length[e])
      continue;
    const auto at = [&](int end) {
      const Vector3 x = geometry.x.col(triangulation_.mesh.edges(end, e));
      return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
    };
    throw Refusal(
        fmt::format("the circumcentric dual does not exist on this mesh: the edge from {} to {} has the "
                    "negative dual length {:.3g} m; use dual = intrinsic or barycentric, or another "
                    "discretization",
                    at(0), at(1), dual_length(e)));
  }
  merge_faces();
  cells_.points.resize(3, cells_.count());
  place_cells();
  bed_at_start_.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i) bed_at_start_[i] = bed_depth(cells_.points.col(i));
  cells_.bed = bed_at_start_;
  bed_at_vertices_.resize(mesh.vertex_count);
  for (Index i = 0; i < mesh.vertex_count; ++i) bed_at_vertices_[i] = bed_depth(geometry.x.col(i));
  bed_change_.setZero(cells_.count());
  measure_bed_change(bed_change_at_start_);
  collect_sites();
  DisjointSets parts(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e) parts.join(mesh.edges(0, e), mesh.edges(1, e));
  part_of_vertex_.resize(mesh.vertex_count);
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    const Index first = parts.find(i);
    if (first == i) part_velocity_.push_back(CentroidVelocity());
    part_of_vertex_[i] = first == i ? part_velocity_.size() - 1 : part_of_vertex_[first];
  }
  set_layout("normal_velocity", "m/s", Location::edge, 1, sites(), site_edge_);
  declare_outputs();
}

void Dec::declare_outputs() {
  const auto face_area = [this]() -> const Vector& { return triangulation_.face_area; };
  add_output({"velocity", "m/s", "v, reconstructed from its normal components (Perot 2000)", Location::face,
              3,
              [this](const State& state, const Forces& forces, Values& values) {
                compute_face_velocity(state, forces, values);
              },
              face_area});
  add_output({"depth_at_faces", "m", "η", Location::face, 1,
              [this](const State& state, const Forces&, Values& values) {
                const ConstBlock volumes = state[volume()];
                values.resize(1, triangulation_.mesh.face_count());
                for (Index k = 0; k < values.cols(); ++k)
                  values(0, k) = volumes[cell_of(k)] * inverse_area_[cell_of(k)];
              },
              face_area});
  add_vertex_outputs(
      [this](const State& state, Vector& depth) {
        const ConstBlock volumes = state[volume()];
        face_value_.resize(triangulation_.mesh.face_count());
        for (Index k = 0; k < face_value_.size(); ++k)
          face_value_[k] = volumes[cell_of(k)] * inverse_area_[cell_of(k)];
        average_to_vertices(triangulation_.mesh, triangulation_.face_area, face_value_, depth);
      },
      [this](const State& state, const Forces& forces, Vector& vorticity) {
        find_openings(state, forces);
        compute_vorticity(state[velocity()]);
        openings_.clear();
        vorticity = vorticity_.head(triangulation_.mesh.vertex_count);
      },
      [this]() -> const Vector& { return voronoi_area_; });
  add_output({"normal_velocity",
              "m/s",
              "velocity through the edge from its left to its right face",
              Location::edge,
              1,
              [this](const State& state, const Forces&, Values& values) {
                const ConstBlock flow = state[velocity()];
                values.setZero(1, triangulation_.mesh.edge_count());
                for (Index s = 0; s < sites(); ++s) values(0, edge_of(s)) = flow[s];
              },
              {}});
}

/// From the centre of the cell to the edge.
double Dec::part_length(Index edge, int side) const {
  const Index face = triangulation_.mesh.edge_faces(side, edge);
  if (barycentric_) return 2 * triangulation_.face_area[face] / (3 * triangulation_.edge_length[edge]);
  const double length = triangulation_.part_length(edge, side);
  const Tangent shift = centre_shift_[face];
  if (shift == 0.0) return length;
  const double across = (std::conj(shift) * Tangent(0, -1) * along(edge, side)).real();
  return side == 0 ? length - across : length + across;
}

double Dec::dual_length(Index edge) const {
  const double left = part_length(edge, 0);
  return triangulation_.mesh.is_wall(edge) ? left : left + part_length(edge, 1);
}

/// λ of the cell's centre: of the point at equal distance from the corners, from the triangle's own lengths, or,
/// on merged cells, of their mean.
Vector3 Dec::centre_weights(Index face) const {
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
  if (const Tangent shift = centre_shift_[face]; shift != 0.0) {
    const BarycentricRates rates = frame(face).rates(shift);
    for (int c = 0; c < 3; ++c) weight[c] += rates[c];
  }
  return weight;
}

/// The barycentre, or the centre of the cell; for flipped triangles, which do not lie on facets, it lies in the
/// plane through the three vertices.
Vector3 Dec::centre(Index face) const {
  const Mesh& mesh = triangulation_.mesh;
  if (barycentric_) return geometry_.centroid(mesh, face);
  const Vector3 weight = centre_weights(face);
  if (mesh.periodic()) return across_seam::point(geometry_, mesh, face, weight);
  return geometry_.x.col(mesh.faces(0, face)) * weight[0] + geometry_.x.col(mesh.faces(1, face)) * weight[1] +
         geometry_.x.col(mesh.faces(2, face)) * weight[2];
}

/// Whether both triangles of the edge have to be one cell. With a uniform flow v across it and h_e = (d_L η_L +
/// d_R η_R)/d_e the perturbations of u_e and of the depths of its two cells obey λ² = γ² − ω²,
///
///     γ = v l_e (d_L/A_L − d_R/A_R)/d_e,    ω² = gη l_e (1/A_L + 1/A_R)/d_e,
///
/// stable as long as |γ| < ω: v²/(gη) < d_e (1/A_L + 1/A_R)/(l_e (d_L/A_L − d_R/A_R)²).
bool Dec::inseparable(Index edge) const {
  const double length = triangulation_.edge_length[edge], dual = dual_length(edge);
  if (dual < options_.degenerate_dual * length) return true;
  const Edges& faces = triangulation_.mesh.edge_faces;
  const double left = 1 / cells_.area[cell_of(faces(0, edge))],
               right = 1 / cells_.area[cell_of(faces(1, edge))];
  const double difference = part_length(edge, 0) * left - part_length(edge, 1) * right;
  return dual * (left + right) < options_.max_froude * options_.max_froude * length * difference * difference;
}

/// Cells are numbered by their first face. A cell that has grown has another centre, which may make more of its
/// edges inseparable.
void Dec::merge_faces() {
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
    unfold_cells();
    measure_centres();
    for (Index e = 0; e < mesh.edge_count(); ++e) {
      if (mesh.is_wall(e) || cell_of(mesh.edge_faces(0, e)) == cell_of(mesh.edge_faces(1, e)) ||
          !inseparable(e))
        continue;
      sets.join(mesh.edge_faces(0, e), mesh.edge_faces(1, e));
      joined = true;
    }
  }
}

/// From the first face of each cell over edges within it to all others.
void Dec::unfold_cells() {
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

/// face_turn_ and centre_shift_. The centre of a merged cell is the mean of the circumcentres, weighted with
/// areas; with the distances from one point Σ l_e d_e = 2 A also around it, whichever point it is.
void Dec::measure_centres() {
  const Mesh& mesh = triangulation_.mesh;
  for (const Index k : merged_face_) centre_shift_[k] = 0;
  // For now the circumcentre, seen from that of the first face.
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

void Dec::measure_areas() {
  cells_.area.setZero();
  for (Index k = triangulation_.mesh.face_count() - 1; k >= 0; --k)
    cells_.area[cell_of(k)] += triangulation_.face_area[k];
}

void Dec::place_cells() {
  for (Index k = triangulation_.mesh.face_count() - 1; k >= 0; --k)
    cells_.points.col(cell_of(k)) = centre(k);  // of a merged cell in the plane of its first face
  cells_changed();
}

/// Of H, linear in each triangle, from its first corner to the centre.
void Dec::measure_bed_change(Vector& change) const {
  const Mesh& mesh = triangulation_.mesh;
  change.setZero(cells_.count());
  if (barycentric_) return;  // a point of the mesh
  for (Index k = mesh.face_count() - 1; k >= 0; --k) {
    const Vector3 weight = centre_weights(k);
    const double first = bed_at_vertices_[mesh.faces(0, k)];
    change[cell_of(k)] = weight[1] * (bed_at_vertices_[mesh.faces(1, k)] - first) +
                         weight[2] * (bed_at_vertices_[mesh.faces(2, k)] - first);
  }
}

/// Where the velocity is stretched with the triangles, u l/A is kept.
void Dec::refresh(State* carried) {
  stretch_ = site_length_.cwiseQuotient(site_area_);
  shoal::refresh(triangulation_, mesh_, geometry_);
  normals_measured_ = false;
  measure_areas();  // by which centres are weighted
  if (!barycentric_) measure_centres();
  place_cells();
  // The bed goes with the points of the mesh, of which a circumcentre is none: it drifts in its triangle.
  measure_bed_change(bed_change_);
  cells_.bed = bed_at_start_ + (bed_change_ - bed_change_at_start_);
  measure_sites();
  if (carried_velocity_ == CarriedVelocity::barycentric && carried)
    (*carried)[velocity()].array() *= stretch_.array() * site_area_.array() / site_length_.array();
}

/// C_e = d_e u_e.
void Dec::lower(State& state) const {
  state[velocity()].array() *= site_dual_.array();
}

void Dec::raise(State& state) const {
  state[velocity()].array() *= inverse_dual_.array();
}

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
  for (Index i = mesh_.vertex_count - 1; i >= 0; --i)
    part_velocity_[part_of_vertex_[i]] = CentroidVelocity(geometry_.x.col(i));
  for (Index k = 0; k < mesh_.face_count(); ++k)
    part_velocity_[part_of_vertex_[mesh_.faces(0, k)]].add(mesh_, geometry_, k, surface_velocity);
  translation_.resize(3, part_velocity_.size());
  for (Index part = 0; part < part_velocity_.size(); ++part)
    translation_.col(part) = part_velocity_[part].value();
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

void Dec::collect_sites() {
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    if (!triangulation_.mesh.is_wall(e) &&
        cell_of(triangulation_.mesh.edge_faces(0, e)) != cell_of(triangulation_.mesh.edge_faces(1, e)))
      site_edge_->push_back(e);
  const Index count = sites();
  if (count == 0)
    throw Refusal(fmt::format(
        "there is no edge between two cells, across which water could flow: the mesh is one triangle, or all "
        "of "
        "its triangles become one cell, as the two of a square do, or many with degenerate_dual = {} and "
        "max_froude = {}; use a finer mesh, smaller values, or dual = barycentric",
        options_.degenerate_dual, options_.max_froude));
  site_cells_.resize(2, count);
  left_cell_.resize(count);
  right_cell_.resize(count);
  Array<Index> cell_start(cells_.count() + 1, 0);
  for (Index s = 0; s < count; ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side) {
      site_cells_(side, s) = cell_of(triangulation_.mesh.edge_faces(side, e));
      ++cell_start[site_cells_(side, s) + 1];
    }
    left_cell_[s] = site_cells_(0, s);
    right_cell_[s] = site_cells_(1, s);
  }
  std::partial_sum(cell_start.begin(), cell_start.end(), cell_start.begin());
  Array<Index> slots(2 * count);
  Array<Index> next(cell_start.begin(), cell_start.end() - 1);
  for (Index s = 0; s < count; ++s)
    for (int side = 0; side < 2; ++side) slots[next[site_cells_(side, s)]++] = side * count + s;
  cell_sum_ = GatherSum<3>(cell_start, slots, 2 * count);
  first_site_ = cell_start;
  sites_of_cell_ = slots;
  site_flux_.setZero(2 * count + 1);
  laplacian_ = EdgeLaplacian(cells_.count(), site_cells_);
  collect_vorticity_terms();
  min_dual_of_site_.setZero(count);
  measure_sites();
  if (!barycentric_) min_dual_of_site_ = site_dual_.cwiseQuotient(site_length_).cwiseMin(options_.min_dual);
}

void Dec::collect_vorticity_terms() {
  const Mesh& mesh = triangulation_.mesh;
  const Index faces = mesh.face_count(), count = sites();
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) wall_edge_.push_back(e);

  Array<Array<Index>> slots_of_vertex(mesh.vertex_count), corners_of_cell(cells_.count());
  for (Index s = 0; s < count; ++s)
    for (int end = 0; end < 2; ++end) slots_of_vertex[mesh.edges(end, edge_of(s))].push_back(end * count + s);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) corners_of_cell[cell_of(k)].push_back(mesh.faces(c, k));
  vertex_sum_ = GatherSum<6>(slots_of_vertex, 2 * count);
  corner_sum_ = GatherSum<3>(corners_of_cell, mesh.vertex_count);
  inverse_corners_.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    inverse_corners_[i] = 1.0 / static_cast<double>(corners_of_cell[i].size());
  ones_.setOnes(count);
  vorticity_.setZero(mesh.vertex_count + 1);
}

void Dec::measure_sites() {
  for (Vector* v : {&site_length_, &site_dual_, &left_share_, &left_part_, &site_area_, &delaunay_weight_})
    v->resize(sites());
  clamped_shares_ = clamped_duals_ = 0;
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    site_length_[s] = triangulation_.edge_length[e];
    site_area_[s] = triangulation_.face_area[triangulation_.mesh.edge_faces(0, e)] +
                    triangulation_.face_area[triangulation_.mesh.edge_faces(1, e)];
    site_dual_[s] = dual_length(e);
    const double least = min_dual_of_site_[s] * site_length_[s];
    const double rounding = options_.degenerate_dual * site_length_[s];
    // 1 on edges above the floor, 0 on those that are not Delaunay: there the mean is taken.
    const double trust = delaunay_weight_[s] =
        site_dual_[s] < least ? std::max(site_dual_[s], 0.0) / least : 1;
    if (site_dual_[s] < least - rounding) ++clamped_duals_;
    site_dual_[s] = std::max(site_dual_[s], least);
    const double left = part_length(e, 0), right = part_length(e, 1);
    const auto share_of = [&](double left_weight, double right_weight) {
      const double sum = std::max(left_weight + right_weight, least);
      return 0.5 + 0.5 * trust * (left_weight - right_weight) / sum;
    };
    left_part_[s] = share_of(left, right);
    left_share_[s] = convex_edge_depth_ ? share_of(std::abs(left), std::abs(right)) : left_part_[s];
    // Else nothing would flow over the edges of right-angled triangles onto dry land: their h_e would be the depth there.
    constexpr double min_share = 0.25;
    if (options_.dry.closed) left_share_[s] = std::clamp(left_share_[s], min_share, 1 - min_share);
    if (convex_edge_depth_ && std::min(left, right) < -rounding) ++clamped_shares_;
  }
  inverse_dual_ = site_dual_.cwiseInverse();
  voronoi_area_.setZero(mesh_.vertex_count);
  for (Index e = 0; e < triangulation_.mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end)
      voronoi_area_[triangulation_.mesh.edges(end, e)] +=
          0.25 * triangulation_.edge_length[e] * dual_length(e);
  measure_vorticity_terms();
}

FaceFrame Dec::frame(Index face) const {
  return face_frame(triangulation_.edge_length[triangulation_.mesh.face_edges(2, face)],
                    triangulation_.face_area[face], triangulation_.cotangent(0, face));
}

/// The unit vector along the edge, from tail to head, in the frame of its left or right face.
Tangent Dec::along(Index edge, int side) const {
  const Index face = triangulation_.mesh.edge_faces(side, edge);
  const Tangent edge_vector =
      frame(face).edge(static_cast<int>((triangulation_.edge_corner(side, edge) + 1) % 3));
  return (side == 0 ? edge_vector : -edge_vector) / std::sqrt(std::norm(edge_vector));
}

/// arm() in the frame of the face; its part across the edge with the length `across`.
Tangent Dec::unfolded_arm(Index e, int side, double across) const {
  if (!barycentric_) {
    const Tangent edge = along(e, side), shift = centre_shift_[triangulation_.mesh.edge_faces(side, e)];
    const double back = (std::conj(shift) * edge).real();
    return Tangent(side == 0 ? -back : back, -across) * edge;
  }
  // The vector from the barycentre to the middle of the edge is a sixth of the sum of the vectors from the
  // opposite corner to the other two.
  const FaceFrame face = frame(triangulation_.mesh.edge_faces(side, e));
  const int corner = static_cast<int>(triangulation_.edge_corner(side, e));
  const Tangent outward = (face.edge(corner) - face.edge((corner + 2) % 3)) / 6.0;
  return side == 0 ? outward : -outward;
}

void Dec::measure_vorticity_terms() {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites();
  const auto turn_of = [&](Index edge, int side) { return face_turn_[mesh.edge_faces(side, edge)]; };
  for (Vector* v : {&moment_x_, &moment_y_, &moment_size_}) v->resize(2 * count);
  moment_sum_.setZero(cells_.count());
  turn_bound_.setZero(cells_.count());
  wave_number_.setZero(cells_.count());
  for (Index s = 0; s < count; ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side) {
      const double across = (side == 0 ? left_part_[s] : 1 - left_part_[s]) * site_dual_[s];
      const Tangent moment = site_length_[s] * unfolded_arm(e, side, across) * turn_of(e, side);
      const Index cell = site_cells_(side, s);
      moment_x_[side * count + s] = moment.real();
      moment_y_[side * count + s] = moment.imag();
      moment_size_[side * count + s] = std::sqrt(std::norm(moment));
      moment_sum_[cell] += moment_size_[side * count + s];
      turn_bound_[cell] += std::norm(moment) / (site_length_[s] * site_dual_[s] * cells_.area[cell]);
      wave_number_[cell] += 2 * site_length_[s] / (site_dual_[s] * cells_.area[cell]);
    }
  }
  wave_number_ = wave_number_.cwiseSqrt();
  inverse_site_area_ = (site_length_.array() * site_dual_.array()).inverse();
  if (options_.dry.closed) measure_edge_directions();
  wall_along_.resize(wall_edge_.size());
  for (Index w = 0; w < wall_edge_.size(); ++w)
    wall_along_[w] =
        triangulation_.edge_length[wall_edge_[w]] * along(wall_edge_[w], 0) * turn_of(wall_edge_[w], 0);
  inverse_voronoi_area_ = (voronoi_area_.array() > 0).select(voronoi_area_.cwiseInverse(), 0.0);
}

void Dec::cell_acceleration(const Vector& at_vertices, Vector& at_cells) const {
  average_to_faces(triangulation_.mesh, at_vertices, face_value_);
  at_cells.setZero(cells_.count());
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k)
    at_cells[cell_of(k)] += triangulation_.face_area[k] * face_value_[k];
  at_cells.array() *= inverse_area_.array();
}

/// The normal components of both triangles' vectors, by their shares in the dual edge. ∇φ of the corner
/// opposite to the edge is l/(2A) long and points away from it.
void Dec::split_body_acceleration(const Points& body_acceleration, Vector& body_force) const {
  const Mesh& mesh = triangulation_.mesh;
  edge_work(mesh, triangulation_.face_area, triangulation_.cotangent, geometry_.x, body_acceleration,
            body_rates_);
  const auto towards_corner = [&](Index edge, int side) {
    const Index face = mesh.edge_faces(side, edge), corner = triangulation_.edge_corner(side, edge);
    const double first = body_rates_[face], second = body_rates_[mesh.face_count() + face];
    const double rate = corner == 0 ? -first - second : corner == 1 ? first : second;
    return rate * 2 * triangulation_.face_area[face] / triangulation_.edge_length[edge];
  };
  body_force.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    body_force[s] = -left_part_[s] * towards_corner(e, 0) + (1 - left_part_[s]) * towards_corner(e, 1);
  }
}

/// (d_L η_L + d_R η_R)/d_e: the weights that make kinetic and potential energy exchange exactly.
void Dec::site_mean(const Vector& at_cells, Vector& at_sites) const {
  at_sites.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    const double left = at_cells[site_cells_(0, s)], right = at_cells[site_cells_(1, s)];
    at_sites[s] = right + left_share_[s] * (left - right);
  }
}

/// Unit normal of the face (where it crosses no seam); for flipped ones that of the plane through their three
/// vertices, zero where these are collinear.
Vector3 Dec::chord_normal(Index face) const {
  if (!normals_measured_) measure_normals();
  return chord_normal_.col(face);
}

/// Unit normal of the edge in the plane of the face on this side, pointing from the left to the right face.
Vector3 Dec::outward_normal(Index edge, int side) const {
  if (!normals_measured_) measure_normals();
  return outward_normal_[side].col(edge);
}

/// Once for each geometry, when they are first needed: most are needed where the mesh moves, many times.
void Dec::measure_normals() const {
  normals_measured_ = true;
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

State Dec::project(const Fields& fields) const {
  State state = zero_state(layout());
  Block volumes = state[volume()], flow = state[velocity()];
  for (Index i = 0; i < cells_.count(); ++i)
    volumes[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
  if (!fields.velocity) return state;
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    const Vector3 middle = mesh_.periodic() ? across_seam::middle(geometry_, mesh_, e, 0)
                                            : 0.5 * (geometry_.x.col(triangulation_.mesh.edges(0, e)) +
                                                     geometry_.x.col(triangulation_.mesh.edges(1, e)));
    const Vector3 normal = outward_normal(e, 0) + outward_normal(e, 1);
    flow[s] = fields.velocity(middle).dot(normal.normalized());
  }
  return state;
}

/// The mean of the normal components in both triangles.
void Dec::add_velocity(const Points& vectors, State& state) const {
  Block flow = state[velocity()];
  for (Index s = 0; s < sites(); ++s)
    for (int side = 0; side < 2; ++side) {
      const Index face = triangulation_.mesh.edge_faces(side, edge_of(s));
      const Vector3 v = vectors.col(face);
      flow[s] += 0.5 * v.dot(outward_normal(edge_of(s), side));
    }
}

void Dec::add_open_edge(Index edge, Index set, BoundaryKind kind, Array<OpenBoundary::Place>& places) const {
  const Index cell = cell_of(triangulation_.mesh.edge_faces(0, edge));  // flips leave walls where they are
  places.push_back({cell, edge, set, kind, triangulation_.edge_length[edge]});
}

void Dec::add_mass_flux(const State& state, double scale, VectorOut out) const {
  compute_cell_depth(state[volume()]);
  const double* __restrict depth = cell_depth_.data(), * __restrict share = left_share_.data();
  const Index* __restrict left = left_cell_.data(), * __restrict right = right_cell_.data();
  add_transport(
      state[velocity()], -scale,
      [=](Index s) {
        const double mean = depth[right[s]] + share[s] * (depth[left[s]] - depth[right[s]]);
        return mean < 0 ? 0 : mean;
      },
      out);
}

void Dec::add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const {
  const double *__restrict value = p.data(), *__restrict w = weight.data(),
                           *__restrict inverse_dual = inverse_dual_.data();
  const Index* __restrict left = left_cell_.data(), * __restrict right = right_cell_.data();
  double* __restrict u = flow.data();
  parallel_for(sites(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s)
      u[s] += scale * w[s] * inverse_dual[s] * (value[right[s]] - value[left[s]]);
  });
}

void Dec::add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out) const {
  add_transport(
      flow, scale, [w = weight.data()](Index s) { return w[s]; }, out);
}

/// out += scale · Σ ± l_e depth(e) u_e over the sites of each cell, + where the normal leaves it.
template <class Depth>
void Dec::add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out) const {
  const double* __restrict u = flow.data(), * __restrict length = site_length_.data();
  const Index count = sites();
  double* __restrict left = site_flux_.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      left[s] = length[s] * depth(s) * u[s];
      right[s] = -left[s];
    }
  });
  cell_sum_.add(site_flux_.data(), scale, out.data());
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

/// Gershgorin bounds ω² by twice the largest diagonal of A⁻¹ r K. On a lattice of equal triangles, whose dual
/// is bipartite, the bound is attained.
double Dec::stable_wave_dt(const State& state, const Forces& forces) const {
  site_depth(state[volume()], site_depth_);
  Vector diagonal = Vector::Zero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const double weight = forces.site_root_acceleration[s] * site_depth_[s] * site_length_[s] / site_dual_[s];
    for (int side = 0; side < 2; ++side) diagonal[site_cells_(side, s)] += weight;
  }
  return 2 /
         std::sqrt(2 *
                   (diagonal.array() * forces.root_acceleration.array() * inverse_area_.array()).maxCoeff());
}

std::vector<ClampCount> Dec::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state, forces);
  counts.push_back({"clamped_shares", clamped_shares_});
  counts.push_back({"clamped_duals", clamped_duals_});
  return counts;
}

double Dec::kinetic_energy(const State& state) const {
  site_depth(state[volume()], site_depth_);
  return 0.5 * (site_length_.array() * site_dual_.array() * site_depth_.array() *
                state[velocity()].array().square())
                   .sum();
}

/// From the left cell's centre to the middle of the edge (side 0), or on to the right one's; on merged cells in
/// the plane of the face at hand.
Vector3 Dec::arm(Index edge, int side) const {
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
  const Edges& edges = triangulation_.mesh.edges;
  const Vector3 middle = mesh_.periodic()
                             ? across_seam::middle(geometry_, mesh_, edge, side)
                             : 0.5 * (geometry_.x.col(edges(0, edge)) + geometry_.x.col(edges(1, edge)));
  const Vector3 outward = middle - centre(face);
  return side == 0 ? outward : -outward;
}

[[gnu::noinline]] void Dec::find_openings(const State& state, const Forces& forces) const {
  openings_.clear();
  find_crossings(state, forces);
  for (const Crossing& crossing : crossings_) {
    const Index e = crossing.place.edge;
    const Tangent turn = face_turn_[triangulation_.mesh.edge_faces(0, e)];
    const double length = crossing.place.length, across = part_length(e, 0);
    openings_.push_back(
        {crossing, length * unfolded_arm(e, 0, across) * turn, length * along(e, 0) * turn, length * across});
  }
}

/// v = (1/A) Σ_e ± l_e u_e (x_e − x_cell) over the edges of a cell (Perot 2000), from its centre to the
/// middle of the edge: exact for a constant field, also on merged cells. Each face gets its cell's vector,
/// projected into its plane.
void Dec::compute_face_velocity(const State& state, const Forces& forces, Values& vectors) const {
  const Mesh& mesh = triangulation_.mesh;
  const ConstBlock flow = state[velocity()];
  Points of_cell = Points::Zero(3, cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side)
      of_cell.col(site_cells_(side, s)) +=
          site_length_[s] * flow[s] * inverse_area_[site_cells_(side, s)] * arm(e, side);
  }
  find_crossings(state, forces);
  for (const Crossing& crossing : crossings_) {
    const OpenBoundary::Place& place = crossing.place;
    of_cell.col(place.at) += place.length * crossing.speed * inverse_area_[place.at] * arm(place.edge, 0);
  }
  vectors.resize(3, mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 normal = mesh.periodic() ? Vector3(geometry_.face_normal.col(k)) : chord_normal(k),
                  v = of_cell.col(cell_of(k));
    vectors.topRows<3>().col(k) = v - normal * normal.dot(v);
  }
}

/// sum_x_, sum_y_ = Σ l_e d_e σ_T value(e) n_e: the area of each cell times the vector whose normal
/// components the values are (Perot 2000).
template <class Value>
void Dec::sum_moments(const Value& value) const {
  const Index count = sites();
  for (const auto& [moment, sum] : {std::pair(&moment_x_, &sum_x_), std::pair(&moment_y_, &sum_y_)}) {
    const double* __restrict m = moment->data();
    double* __restrict left = site_flux_.data(), * __restrict right = left + count;
    parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
      for (Index s = begin; s < end; ++s) {
        const double v = value(s);
        left[s] = m[s] * v;
        right[s] = m[count + s] * v;
      }
    });
    sum->setZero(cells_.count());
    cell_sum_.add(site_flux_.data(), 1, sum->data());
  }
}

/// Circulation around the Voronoi cell, whose sides are the dual edges, over its area; and its mean at the
/// corners of each cell. At a wall the cell is closed along the wall, where the velocity of the adjacent cell
/// is used.
void Dec::compute_vorticity(VectorIn flow) const {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites(), vertices = mesh.vertex_count;
  const double *u = flow.data(), *dual = site_dual_.data();
  if (!wall_edge_.empty()) sum_moments([=](Index s) { return u[s]; });
  for (const Opening& opening : openings_) {
    sum_x_[opening.cell()] += opening.crossing.speed * opening.moment.real();
    sum_y_[opening.cell()] += opening.crossing.speed * opening.moment.imag();
  }
  double* __restrict tail = site_flux_.data(), * __restrict head = tail + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      head[s] = dual[s] * u[s];
      tail[s] = -head[s];
    }
  });
  vorticity_.setZero();
  vertex_sum_.add(site_flux_.data(), 1, vorticity_.data());
  for (Index w = 0; w < wall_edge_.size(); ++w) {
    const Index cell = cell_of(mesh.edge_faces(0, wall_edge_[w]));
    const double circulation =
        inverse_area_[cell] * (wall_along_[w].real() * sum_x_[cell] + wall_along_[w].imag() * sum_y_[cell]);
    for (int end = 0; end < 2; ++end) vorticity_[mesh.edges(end, wall_edge_[w])] += 0.5 * circulation;
  }
  for (const Opening& opening : openings_) {
    const OpenBoundary::Place& place = opening.crossing.place;
    const double circulation = part_length(place.edge, 0) * opening.crossing.speed;
    vorticity_[mesh.edges(1, place.edge)] += circulation;
    vorticity_[mesh.edges(0, place.edge)] -= circulation;
    if (!brings_velocity(opening.crossing)) continue;
    // The cell is closed along the edge with the given tangential velocity.
    const double inside = inverse_area_[place.at] *
                          (opening.edge.real() * sum_x_[place.at] + opening.edge.imag() * sum_y_[place.at]);
    for (int end = 0; end < 2; ++end)
      vorticity_[mesh.edges(end, place.edge)] -= 0.5 * (inside + place.length * opening.crossing.tangential);
  }
  for (const Opening& opening : openings_)
    if (opening.crossing.enters && !brings_velocity(opening.crossing))
      for (int end = 0; end < 2; ++end) vorticity_[mesh.edges(end, opening.crossing.place.edge)] = 0;
  vorticity_.head(vertices).array() *= inverse_voronoi_area_.array();
  if (!openings_.empty()) let_vorticity_leave(mesh, triangulation_.face_area, vorticity_);
  cell_vorticity_.setZero(cells_.count());
  corner_sum_.add(vorticity_.data(), 1, cell_vorticity_.data());
  cell_vorticity_.array() *= inverse_corners_.array();
}

/// ζ = 0 in cells whose v·∇v is from upstream.
void Dec::leave_films_to_transport() const {
  if (!has_films_) return;
  for (Index i = 0; i < cells_.count(); ++i)
    if (in_film_[i]) cell_vorticity_[i] = 0;
}

/// factor_ = ζ_T/(H_T A_T) for values ζ of the cells; site_depth_ holds h_e. Zero where all is dry.
void Dec::weigh_vorticity(const Vector& of_cells) const {
  const Index count = sites();
  const double* __restrict size = moment_size_.data(), * __restrict depth = site_depth_.data();
  double* __restrict left = site_flux_.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      left[s] = size[s] * depth[s];
      right[s] = size[count + s] * depth[s];
    }
  });
  sum_.setZero(cells_.count());
  cell_sum_.add(site_flux_.data(), 1, sum_.data());
  constexpr double negligible = 1e-200;  // m³, of depths whose quotients would overflow
  factor_ = (sum_.array() > negligible)
                .select(of_cells.array() * moment_sum_.array() * inverse_area_.array() / sum_.array(), 0.0);
}

/// out −= scale · Σ_T σ_T (ζ_T/H_T) (n×M_T)·n_e, with factor_ and site_depth_ as they are.
void Dec::add_vorticity_term(VectorIn flow, double scale, VectorOut out) const {
  const Index count = sites();
  sum_moments([u = flow.data(), depth = site_depth_.data()](Index s) { return depth[s] * u[s]; });
  for (const Opening& opening : openings_) {
    sum_x_[opening.cell()] += opening.crossing.flux() * opening.moment.real();
    sum_y_[opening.cell()] += opening.crossing.flux() * opening.moment.imag();
  }
  sum_x_.array() *= factor_.array();
  sum_y_.array() *= factor_.array();
  const double* __restrict x = sum_x_.data(), * __restrict y = sum_y_.data();
  const double *__restrict mx = moment_x_.data(), *__restrict my = moment_y_.data(),
                           *__restrict inverse_area = inverse_site_area_.data();
  const Index* __restrict left = left_cell_.data(), * __restrict right = right_cell_.data();
  double* __restrict rate = out.data();
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      const double of_left = my[s] * x[left[s]] - mx[s] * y[left[s]];
      const double of_right = my[count + s] * x[right[s]] - mx[count + s] * y[right[s]];
      rate[s] -= scale * inverse_area[s] * (of_left + of_right);
    }
  });
}

double Dec::squared_speed(Index, const double* flow) const {
  return flow[0] * flow[0];
}

unsigned Dec::hold(Index, unsigned closed, unsigned dry, double* flow) const {
  constexpr unsigned left = 1, right = 2;
  const unsigned held = closed | (flow[0] > 0 ? dry & left : flow[0] < 0 ? dry & right : 0);
  if (held) flow[0] = 0;
  return held;
}

void Dec::measure_edge_directions() {
  const Mesh& mesh = triangulation_.mesh;
  for (int side = 0; side < 2; ++side) {
    edge_direction_[side].resize(sites());
    for (Index s = 0; s < sites(); ++s)
      edge_direction_[side][s] = along(edge_of(s), side) * face_turn_[mesh.edge_faces(side, edge_of(s))];
  }
  // The centroid of a triangle is the mean of the middles of its edges.
  centroid_.assign(cells_.count(), Tangent(0));
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int side = 0; side < (mesh.is_wall(e) ? 1 : 2); ++side) {
      const Index face = mesh.edge_faces(side, e), cell = cell_of(face);
      const Tangent arm = unfolded_arm(e, side, part_length(e, side)) * face_turn_[face];
      const double part = triangulation_.face_area[face] / (3 * cells_.area[cell]);
      centroid_[cell] += side == 0 ? part * arm : -part * arm;
    }
}

/// Vectors from what crosses the edges of the cells, (1/A) Σ ± l_e u_e (x_e − x_cell) (Perot 2000) with the centroid for x_cell: it
/// lies inside, so that no edge counts more than its share of the cell, as it may do seen from a circumcentre.
void Dec::compute_cell_velocity(VectorIn flow) const {
  sum_moments([u = flow.data()](Index s) { return u[s]; });
  leaving_.setZero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    leaving_[site_cells_(0, s)] += site_length_[s] * flow[s];
    leaving_[site_cells_(1, s)] -= site_length_[s] * flow[s];
  }
  cell_velocity_.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    cell_velocity_[i] = inverse_area_[i] * (Tangent(sum_x_[i], sum_y_[i]) - leaving_[i] * centroid_[i]);
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    cell_velocity_[opening.cell()] += inverse_area_[opening.cell()] * crossing.speed *
                                      (opening.moment - crossing.place.length * centroid_[opening.cell()]);
  }
}

/// −v·∇v from upstream at the sites in and beside films: of each cell (1/V) Σ F (v_up − v) over what flows in, by its
/// vectors, also over what enters from rest, and of the site the mean of both by their water. V may be next to nothing: in a step of the length
/// `scale` what is there is replaced by what flows in at most.
void Dec::add_upstream_transport(VectorIn flow, double scale, VectorOut out) const {
  compute_cell_velocity(flow);
  cell_transport_.assign(cells_.count(), Tangent(0));
  exchange_.setZero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const int to = flow[s] > 0 ? 1 : 0;
    const Index cell = site_cells_(to, s), from = site_cells_(1 - to, s);
    if (!(cell_depth_[cell] > 0)) continue;
    const double inflow = site_length_[s] * flow_depth_[s] * std::abs(flow[s]);
    const Tangent turn = edge_direction_[to][s] * std::conj(edge_direction_[1 - to][s]);
    exchange_[cell] += inflow;
    cell_transport_[cell] += inflow * (cell_velocity_[from] * turn - cell_velocity_[cell]);
  }
  for (const Opening& opening : openings_) {
    const Index cell = opening.cell();
    if (!opening.crossing.enters || brings_velocity(opening.crossing) || !(cell_depth_[cell] > 0)) continue;
    const double inflow = -opening.crossing.out;
    exchange_[cell] += inflow;
    cell_transport_[cell] -= inflow * cell_velocity_[cell];
  }
  for (Index i = 0; i < cells_.count(); ++i)
    if (exchange_[i] > 0)
      cell_transport_[i] /= std::max(cell_depth_[i] * cells_.area[i], std::abs(scale) * exchange_[i]);
  for (Index s = 0; s < sites(); ++s) {
    if (advected_[s] != 0) continue;
    double change = 0, water = 0;
    for (int side = 0; side < 2; ++side) {
      const Index cell = site_cells_(side, s);
      const double part =
          (side == 0 ? left_share_[s] : 1 - left_share_[s]) * std::max(cell_depth_[cell], 0.0);
      const Tangent normal = Tangent(0, -1) * edge_direction_[side][s];  // −i times the direction of the edge
      change += part * (std::conj(normal) * cell_transport_[cell]).real();
      water += part;
    }
    if (water > 0) out[s] += scale * change / water;
  }
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

/// Water that enters a cell with its own velocity mixes with the water there, u_t = −(d_T/d_e) (q ℓ/(ηA)) (u − v·n): what an
/// upwind flux of momentum has more than the head and the vorticity of that water. Returns its power, with site_depth_.
double Dec::add_entering_momentum(VectorIn flow, double scale, VectorOut out) const {
  double power = 0;
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    if (!brings_velocity(crossing)) continue;
    const Index cell = opening.cell(), e = crossing.place.edge;
    const double frequency = -crossing.speed * crossing.place.length * inverse_area_[cell];
    const Vector3 normal = outward_normal(e, 0);
    const Vector3 along = geometry_.edge_vector(mesh_, e).normalized();
    const Vector3 outside = velocity_outside(crossing, normal, along);
    for (Index i = first_site_[cell]; i < first_site_[cell + 1]; ++i) {
      const Index s = sites_of_cell_[i] % sites(), side = sites_of_cell_[i] / sites();
      const double part = side == 0 ? left_part_[s] : 1 - left_part_[s];
      const double rate =
          -part * frequency * (flow[s] - outside.dot(outward_normal(edge_of(s), static_cast<int>(side))));
      out[s] += scale * rate;
      power += site_length_[s] * site_dual_[s] * site_depth_[s] * flow[s] * rate;
    }
  }
  return power;
}

/// head_ = A K; site_depth_ holds h_e.
void Dec::compute_head(VectorIn flow) const {
  const Index count = sites();
  const double* __restrict u = flow.data(), * __restrict depth = site_depth_.data();
  const double *__restrict length = site_length_.data(), *__restrict dual = site_dual_.data(),
                           *__restrict share = left_share_.data();
  double* __restrict left = site_flux_.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      const double energy = depth[s] > 0 ? 0.5 * length[s] * dual[s] * u[s] * u[s] : 0;
      left[s] = share[s] * energy;
      right[s] = (1 - share[s]) * energy;
    }
  });
  head_.setZero(cells_.count());
  cell_sum_.add(site_flux_.data(), 1, head_.data());
}

/// head_ at openings, where it is that of the sites, and sum_x_, sum_y_ are the moments of the velocity: of several at a cell
/// the mean.
void Dec::open_head() const {
  if (openings_.empty()) return;
  if (outside_.cols() == 0) outside_.setZero(3, cells_.count());
  for (const Opening& opening : openings_) {
    outside_.col(opening.cell()).setZero();
    head_[opening.cell()] += 0.5 * opening.across * opening.crossing.speed * opening.crossing.speed;
  }
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    const Index cell = opening.cell();
    const Tangent normal = opening.edge * Tangent(0, -1) / std::abs(opening.edge);
    const double out = inverse_area_[cell] * (sum_x_[cell] * normal.real() + sum_y_[cell] * normal.imag());
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    outside_.col(cell) +=
        weight * Vector3(1, head_at(crossing, inverse_area_[cell] * head_[cell], 0.5 * out * out), 0);
  }
  for (const Opening& opening : openings_) {
    const Index cell = opening.cell();
    head_[cell] = cells_.area[cell] * outside_(1, cell) / outside_(0, cell);
  }
}

/// K of the sites counts by what enters the cells, Σ K V_t; −G K' takes Σ K' D u, with the K' that openings change. And
/// (ζ/H) n×M, which has no power on M, has one on the part of M that is of the sites.
double Dec::opening_power(const State& state, const Forces& forces, Terms terms) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  if (!advects && !turns) return 0;
  find_openings(state, forces);
  if (openings_.empty()) return 0;
  if (advects) look_for_films(state, forces);
  const ConstBlock flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  double power = 0;
  if (advects) {
    compute_vorticity(flow);
    leave_films_to_transport();
    compute_head(flow);
    factor_ = head_;
    open_head();
    sum_.setZero(cells_.count());
    add_flux(state, forces, 1, sum_);
    for (const Opening& opening : openings_) {
      const Index cell = opening.cell();
      if (outside_(2, cell) != 0) continue;  // the other of two openings
      outside_(2, cell) = 1;
      if (has_films_ && in_film_[cell]) continue;
      power += (factor_[cell] - head_[cell]) * inverse_area_[cell] * sum_[cell];
    }
    if (turns) cell_vorticity_ += forces.coriolis;
    term_.setZero(sites());
    power += add_entering_momentum(flow, 1, term_);
  }
  weigh_vorticity(advects ? cell_vorticity_ : forces.coriolis);
  sum_moments([u = flow.data(), depth = site_depth_.data()](Index s) { return depth[s] * u[s]; });
  for (const Opening& opening : openings_) {
    const Tangent through = opening.crossing.flux() * opening.moment;
    power += factor_[opening.cell()] *
             (sum_x_[opening.cell()] * through.imag() - sum_y_[opening.cell()] * through.real());
  }
  openings_.clear();
  return power;
}

void Dec::add_rotation(const State& state, const Forces& forces, Terms terms, double scale,
                       VectorOut out) const {
  const Index count = sites();
  const ConstBlock flow = state[velocity()];
  const bool turns = terms.has(Term::coriolis) && forces.rotates;
  site_depth(state[volume()], site_depth_);
  find_openings(state, forces);
  if (!terms.has(Term::advection)) {
    weigh_vorticity(forces.coriolis);
    add_vorticity_term(flow, scale, out);
    return openings_.clear();
  }
  compute_vorticity(flow);
  compute_head(flow);
  open_head();
  head_.array() *= inverse_area_.array();
  leave_films_to_transport();
  if (turns) cell_vorticity_ += forces.coriolis;
  if (forces.moves) add_drift(flow, forces, scale, out);
  const bool opens = !openings_.empty();
  if (opens) {  // `out` may be the flow itself
    term_.setZero(count);
    add_entering_momentum(flow, scale, term_);
  }
  weigh_vorticity(cell_vorticity_);
  add_vorticity_term(flow, scale, out);
  if (opens) out += term_;
  add_gradient(head_, -scale, has_films_ ? advected_ : ones_, out);
  if (has_films_) add_upstream_transport(flow, scale, out);
  openings_.clear();
}

double Dec::advection_frequency(const State& state) const {
  const ConstBlock flow = state[velocity()];
  compute_vorticity(flow);
  double highest = 0;
  for (Index s = 0; s < sites(); ++s)
    for (const Index cell : {site_cells_(0, s), site_cells_(1, s)})
      highest = std::max(highest, std::abs(flow[s]) * wave_number_[cell] +
                                      turn_bound_[cell] * std::abs(cell_vorticity_[cell]));
  return highest;
}

void Dec::derive_coriolis(const Vector3& rotation, Vector& coriolis) const {
  const Mesh& mesh = triangulation_.mesh;
  coriolis.setZero(cells_.count());
  if (rotation.isZero(0)) return;  // where only the mesh turns
  measure_vertex_normals();
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 normal = mesh.periodic() ? Vector3(geometry_.face_normal.col(k)) : chord_normal(k);
    coriolis[cell_of(k)] +=
        coriolis_of(mesh, k, normal, rotation) * triangulation_.face_area[k] * inverse_area_[cell_of(k)];
  }
}

/// exp(Δt R) u = Σ (Δt R)ᵏ u/k!, R the rate, which at fixed depth is linear and orthogonal to u in diag(l_e
/// d_e h_e): the series keeps the energy as far as it is summed, to round-off.
void Dec::apply_coriolis(double dt, const Forces& forces, State& state) const {
  if (!forces.rotates) return;
  constexpr int max_terms = 40;
  constexpr double negligible = 1e-18;
  Block flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  weigh_vorticity(forces.coriolis);
  const double angle = std::abs(dt) * forces.coriolis.cwiseProduct(turn_bound_).cwiseAbs().maxCoeff();
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // So short that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  for (int part = 0; part < parts; ++part) {
    term_ = flow;
    find_openings(state, forces);  // what flows through them turns along, at a rate that does not depend on u
    for (int k = 1; k <= max_terms; ++k) {
      next_.setZero(sites());
      add_vorticity_term(term_, dt / parts / k, next_);
      openings_.clear();
      term_.swap(next_);
      flow += term_;
      if (!(term_.lpNorm<Eigen::Infinity>() > negligible * flow.lpNorm<Eigen::Infinity>())) break;
    }
  }
}

}  // namespace shoal
