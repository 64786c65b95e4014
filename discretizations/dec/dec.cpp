// The C-grid: options, state, forces, and the operators of waves.
#include "discretizations/dec/dec.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/quality.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

Options<DecOptions> DecOptions::describe() {
  using O = DecOptions;
  return Options<O>()
      .choice("dual", &O::dual,
              {{"circumcentric", Dual::circumcentric},
               {"intrinsic", Dual::intrinsic},
               {"barycentric", Dual::barycentric}},
              "dual mesh. circumcentric: requires Delaunay edges; intrinsic: makes all edges Delaunay by "
              "flips on the surface at t = 0 (a moving surface may undo this, see min_dual); barycentric: "
              "any triangles, but gradients are exact only on equilateral ones")
      .choice("edge_depth", &O::edge_depth,
              {{"auto", EdgeDepth::automatic}, {"plain", EdgeDepth::plain}, {"convex", EdgeDepth::convex}},
              "weights of the two depths in h_e. plain: d_L and d_R; convex: |d_L| and |d_R|, bounded on "
              "obtuse triangles, but of lower order with v·∇v; auto: plain with v·∇v and without dry_outflow "
              "= closed, otherwise convex")
      .number("degenerate_dual", "1", &O::degenerate_dual, 1e-12, 0.1,
              "edges with d_e/l_e below this: their two triangles are merged into one cell")
      .number("max_froude", "1", &O::max_froude, 0, 10,
              "two triangles are merged into one cell if their edge would be unstable at a Froude number "
              "|v|/√(gη) up to this, because the weights of h_e grow like 1/d_e; 0: never; no effect with "
              "dual = barycentric")
      .number("min_dual", "1", &O::min_dual, 1e-12, 0.5,
              "lower limit of d_e/l_e on a moving surface, for edges above it at t = 0: keeps explicit steps "
              "long, but edges that are no longer Delaunay become inaccurate; no effect with dual = "
              "barycentric, whose d_e stay positive")
      .part(&O::dry, DryOptions::describe());
}

DiscretizationEntry dec() {
  DiscretizationEntry entry =
      describe_scheme<Dec>("dec",
                           "depth on triangles, normal velocity on edges; circumcentric C-grid (Angst 2007, "
                           "4.2.2); non-Delaunay meshes require dual = intrinsic");
  entry.terms = Terms::all();
  entry.rim = 1;
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
        "dual = intrinsic would have to flip edges, which periodic meshes do not support; use dual = "
        "barycentric");
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
    const Index first = mesh.part ? 0 : parts.find(i);  // of one component
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
              "velocity across the edge from its left to its right face",
              Location::edge,
              1,
              [this](const State& state, const Forces&, Values& values) {
                const ConstBlock flow = state[velocity()];
                values.setZero(1, triangulation_.mesh.edge_count());
                for (Index s = 0; s < sites(); ++s) values(0, edge_of(s)) = flow[s];
              },
              {}});
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

State Dec::project(const Fields& fields) const {
  State state = zero_state(layout());
  Block volumes = state[volume()], flow = state[velocity()];
  for (Index i = 0; i < cells_.count(); ++i)
    volumes[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
  if (!fields.velocity) return state;
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    const Vector3 normal = outward_normal(e, 0) + outward_normal(e, 1);
    flow[s] = fields.velocity(edge_middle(e, 0)).dot(normal.normalized());
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
  return 2 / std::sqrt(2 * max(mesh_, cells_,
                               diagonal.cwiseProduct(forces.root_acceleration).cwiseProduct(inverse_area_)));
}

std::vector<ClampCount> Dec::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state, forces);
  counts.push_back({"clamped_shares", clamped_shares_});
  counts.push_back({"clamped_duals", clamped_duals_});
  return counts;
}

double Dec::kinetic_energy(const State& state) const {
  site_depth(state[volume()], site_depth_);
  const ConstBlock flow = state[velocity()];
  return 0.5 * sum(mesh_, own_sites(),
                   site_length_.array() * site_dual_.array() * site_depth_.array() * flow.array().square());
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

double Dec::squared_speed(Index, const double* flow) const {
  return flow[0] * flow[0];
}

unsigned Dec::hold(Index, unsigned closed, unsigned dry, double* flow) const {
  constexpr unsigned left = 1, right = 2;
  const unsigned held = closed | (flow[0] > 0 ? dry & left : flow[0] < 0 ? dry & right : 0);
  if (held) flow[0] = 0;
  return held;
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

}  // namespace shoal
