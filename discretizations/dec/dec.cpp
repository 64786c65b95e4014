// The C-grid: options, state, forces, and the operators of waves.
#include "discretizations/dec/dec.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/renewal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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
              "any triangles, but gradients are exact only on equilateral ones, and the scheme does not "
              "converge on others")
      .choice(
          "advection_form", &O::momentum, {{"vector-invariant", false}, {"momentum", true}},
          "form of v·∇v in the rates. vector-invariant: ζ n×v + ∇½|v|², which conserves energy; momentum: "
          "donor-cell fluxes of mass and momentum, which conserve momentum and keep depths nonnegative "
          "without dry_outflow = closed: for shocks, of first order (explicit integrators only)")
      .choice("edge_depth", &O::edge_depth,
              {{"auto", EdgeDepth::automatic}, {"plain", EdgeDepth::plain}, {"convex", EdgeDepth::convex}},
              "weights of the two depths in h_e. plain: d_L and d_R; convex: |d_L| and |d_R|, bounded on "
              "obtuse triangles, but of lower order with v·∇v; auto: plain with v·∇v in vector-invariant "
              "form and without dry_outflow "
              "= closed, otherwise convex")
      .choice(
          "vorticity", &O::vorticity, {{"cell", VorticityForm::cell}, {"linear", VorticityForm::linear}},
          "vorticity in the rotation term of vector-invariant advection and in the Coriolis term. cell: mean "
          "over "
          "the corners of a cell, over its depth; linear: potential vorticity linear in each triangle, by a "
          "consistent mass matrix, which conserves potential enstrophy as well as energy")
      .number("vorticity_tolerance", "1", &O::vorticity_tolerance, 1e-14, 0.1,
              "relative error of the potential vorticity with vorticity = linear")
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

namespace {

/// Without v·∇v there is no form of it; donor cells need no rule for dry ones.
DecOptions options_in_effect(const Parameters& parameters, Terms of_equations) {
  DecOptions options = read_options<DecOptions>(parameters);
  options.momentum &= of_equations.has(Term::advection);
  options.dry.closed &= !options.momentum;
  return options;
}

}  // namespace

Dec::Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
         const Parameters& parameters, Terms of_equations)
    : WaveScheme(mesh, geometry, parameters),
      options_(options_in_effect(parameters, of_equations)),
      dual_(mesh, geometry, options_,
            options_.edge_depth == EdgeDepth::convex ||
                (options_.edge_depth == EdgeDepth::automatic &&
                 (options_.dry.closed || options_.momentum || !of_equations.has(Term::advection))),
            cells_),
      triangulation_(dual_.triangulation()),
      site_(dual_.sites()),
      laplacian_(cells_.count(), site_.cells),
      ones_(Vector::Ones(sites())) {
  cells_changed();
  bed_.at_start.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i) bed_.at_start[i] = bed_depth(cells_.points.col(i));
  cells_.bed = bed_.at_start;
  bed_.at_vertices.resize(mesh.vertex_count);
  for (Index i = 0; i < mesh.vertex_count; ++i) bed_.at_vertices[i] = bed_depth(geometry.x.col(i));
  bed_.change.setZero(cells_.count());
  measure_bed_change(bed_.change_at_start);
  collect_sites_of_cells();
  collect_vorticity_terms();
  if (options_.vorticity == VorticityForm::linear) {
    if (options_.momentum)
      throw Refusal(
          "advection_form = momentum evaluates no vorticity, and its momentum is that of depths at "
          "circumcentres; use vorticity = cell");
    if (options_.dry.closed)
      throw Refusal(
          "vorticity = linear has no upstream transport in films, which dry_outflow = closed needs; "
          "use vorticity = cell");
    linear_.emplace(mesh, dual_, cells_);
  }
  measure_moments();
  find_parts();
  find_boundary_faces(triangulation_.mesh);
  set_layout("normal_velocity", "m/s", Location::edge, 1, sites(), site_.edge);
  Layout of_sites;
  of_sites.add("normal_velocity", "m/s", Location::edge, 1, sites(), site_.edge);
  renewal_of_sites_ = renewal_of(mesh, cells_, of_sites);
  declare_outputs();
}

std::unique_ptr<Scratch> Dec::make_scratch() const {
  auto s = std::make_unique<DecScratch>();
  s->site_flux.setZero(2 * sites() + 1);
  s->rotation.at_vertices.setZero(mesh_.vertex_count + 1);
  if (linear_) linear_->resize(s->linear);
  return s;
}

void Dec::collect_sites_of_cells() {
  const Index count = sites();
  Array<Index> cell_start(cells_.count() + 1, 0);
  for (Index s = 0; s < count; ++s)
    for (int side = 0; side < 2; ++side) ++cell_start[site_.cells(side, s) + 1];
  std::partial_sum(cell_start.begin(), cell_start.end(), cell_start.begin());
  Array<Index> slots(2 * count);
  Array<Index> next(cell_start.begin(), cell_start.end() - 1);
  for (Index s = 0; s < count; ++s)
    for (int side = 0; side < 2; ++side) slots[next[site_.cells(side, s)]++] = side * count + s;
  cell_sum_ = GatherSum<3>(cell_start, slots, 2 * count);
  first_site_ = cell_start;
  sites_of_cell_ = slots;
}

void Dec::declare_outputs() {
  const auto face_area = [this]() -> const Vector& { return triangulation_.face_area; };
  add_output({"velocity", "m/s", "v, reconstructed from its normal components (Perot 2000)", Location::face,
              3,
              [this](const State& state, const Forces& forces, Values& values, Scratch& scratch) {
                compute_face_velocity(state, forces, values, of_dec(scratch));
              },
              face_area});
  add_output({"depth_at_faces", "m", "η", Location::face, 1,
              [this](const State& state, const Forces&, Values& values, Scratch&) {
                const ConstBlock volumes = state[volume()];
                values.resize(1, triangulation_.mesh.face_count());
                for (Index k = 0; k < values.cols(); ++k)
                  values(0, k) = volumes[cell_of(k)] * inverse_area_[cell_of(k)];
              },
              face_area});
  add_vertex_outputs(
      [this](const State& state, Vector& depth, Scratch& scratch) {
        DecScratch& s = of_dec(scratch);
        const ConstBlock volumes = state[volume()];
        s.face_value.resize(triangulation_.mesh.face_count());
        for (Index k = 0; k < s.face_value.size(); ++k)
          s.face_value[k] = volumes[cell_of(k)] * inverse_area_[cell_of(k)];
        average_to_vertices(triangulation_.mesh, triangulation_.face_area, s.face_value, depth);
      },
      [this](const State& state, const Forces& forces, Vector& vorticity, Scratch& scratch) {
        DecScratch& s = of_dec(scratch);
        compute_vorticity(state[velocity()], find_openings(state, forces, s), s.rotation, s);
        vorticity = s.rotation.at_vertices.head(triangulation_.mesh.vertex_count);
      },
      [this]() -> const Vector& { return dual_.voronoi_area(); });
  add_output({"normal_velocity",
              "m/s",
              "velocity across the edge from its left to its right face",
              Location::edge,
              1,
              [this](const State& state, const Forces&, Values& values, Scratch&) {
                const ConstBlock flow = state[velocity()];
                values.setZero(1, triangulation_.mesh.edge_count());
                for (Index s = 0; s < sites(); ++s) values(0, edge_of(s)) = flow[s];
              },
              {}});
}

/// change [cells] = difference of H, linear in each triangle, between the centre and the first corner.
void Dec::measure_bed_change(Vector& change) const {
  const Mesh& mesh = triangulation_.mesh;
  change.setZero(cells_.count());
  if (dual_.barycentric()) return;  // the barycentre is a material point of the mesh
  for (Index k = mesh.face_count() - 1; k >= 0; --k) {
    const Vector3 weight = dual_.depth_weights(k);
    const double first = bed_.at_vertices[mesh.faces(0, k)];
    change[cell_of(k)] = weight[1] * (bed_.at_vertices[mesh.faces(1, k)] - first) +
                         weight[2] * (bed_.at_vertices[mesh.faces(2, k)] - first);
  }
}

/// With carried_velocity = barycentric, velocities are stretched with the triangles: u l/A is invariant.
void Dec::refresh(State* carried) {
  stretch_ = site_.length.cwiseQuotient(site_.triangle_area);
  dual_.refresh();
  cells_changed();
  // Material points of the mesh keep their H. A circumcentre is not a material point; it moves within its
  // triangle.
  measure_bed_change(bed_.change);
  cells_.bed = bed_.at_start + (bed_.change - bed_.change_at_start);
  measure_moments();
  if (carried_velocity_ == CarriedVelocity::barycentric && carried)
    (*carried)[velocity()].array() *= stretch_.array() * site_.triangle_area.array() / site_.length.array();
}

/// C_e = d_e u_e.
void Dec::lower(State& state) const {
  state[velocity()].array() *= site_.dual.array();
}

void Dec::raise(State& state) const {
  state[velocity()].array() *= site_.inverse_dual.array();
}

void Dec::cell_acceleration(const Vector& at_vertices, Vector& at_cells, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  average_to_faces(triangulation_.mesh, at_vertices, s.face_value);
  at_cells.setZero(cells_.count());
  for (Index k = 0; k < triangulation_.mesh.face_count(); ++k)
    at_cells[cell_of(k)] += triangulation_.face_area[k] * s.face_value[k];
  at_cells.array() *= inverse_area_.array();
}

/// d_e f_e = Φ_R − Φ_L, with the potential Φ of the force at the centres of the cells, so that a lake can be at
/// rest under a force with a potential. In each triangle, Φ relative to the midpoints of the edges follows from
/// the work along them; the mean of their circulation is left out. The curvature of Φ is that along the surface,
/// of the force without its mean: a force that points to the centre of a sphere has none. Where d_e is clamped,
/// the force without its mean is not reduced with the distance of the centres.
void Dec::split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                                  WaveScratch& scratch) const {
  constexpr double min_part = 0.1;  // of a clamped d_e
  DecScratch& s = of_dec(scratch);
  const Mesh& mesh = triangulation_.mesh;
  split_surface_velocity(body_acceleration, s.surface);
  const Points& own = s.surface.own;
  vertex_normals(mesh_, geometry_, s.vertex_normals);
  s.potential.resize(3, mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 weight = dual_.depth_weights(k);
    Vector3 work;  // along the edge from corner c to c + 1
    double curvature = 0;
    const auto tangential = [&](Index i) -> Vector3 {
      const Vector3 normal = s.vertex_normals.col(i);
      return own.col(i) - normal.dot(own.col(i)) * normal;
    };
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3;
      const Index i = mesh.faces(c, k), j = mesh.faces(d, k);
      const Vector3 along = geometry_.corner(mesh, k, d) - geometry_.corner(mesh, k, c);
      work[c] = 0.5 * (own.col(i) + own.col(j)).dot(along);
      curvature += weight[c] * weight[d] * (tangential(j) - tangential(i)).dot(along);
    }
    work.array() -= work.sum() / 3;
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3, last = (c + 2) % 3;
      s.potential(c, k) = (weight[d] - 0.5) * work[c] - (weight[last] - 0.5) * work[last] - 0.5 * curvature;
    }
  }
  dual_.join_potentials(s.potential, s.face_value);
  const auto at_centre = [&](Index edge, int side) {
    return s.potential(triangulation_.edge_corner(side, edge), mesh.edge_faces(side, edge));
  };
  body_force.resize(sites());
  for (Index i = 0; i < sites(); ++i) {
    const Index e = edge_of(i);
    const double distance = site_.delaunay_weight[i] < 1
                                ? std::max(site_.delaunay_weight[i], min_part) * site_.dual[i]
                                : site_.dual[i];
    body_force[i] =
        translation_at_site(s.surface, i, cells_.points) + (at_centre(e, 1) - at_centre(e, 0)) / distance;
  }
}

/// (d_L η_L + d_R η_R)/d_e: with these weights, kinetic and potential energy are exchanged exactly.
void Dec::site_mean(const Vector& at_cells, Vector& at_sites) const {
  at_sites.resize(sites());
  for (Index s = 0; s < sites(); ++s) {
    const double left = at_cells[site_.cells(0, s)], right = at_cells[site_.cells(1, s)];
    at_sites[s] = right + site_.left_share[s] * (left - right);
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
    const Vector3 normal = dual_.outward_normal(e, 0) + dual_.outward_normal(e, 1);
    flow[s] = fields.velocity(dual_.edge_middle(e, 0)).dot(normal.normalized());
  }
  return state;
}

/// Adds the mean of the normal components in both triangles.
void Dec::add_velocity(const Points& vectors, State& state) const {
  Block flow = state[velocity()];
  for (Index s = 0; s < sites(); ++s)
    for (int side = 0; side < 2; ++side) {
      const Index face = triangulation_.mesh.edge_faces(side, edge_of(s));
      const Vector3 v = vectors.col(face);
      flow[s] += 0.5 * v.dot(dual_.outward_normal(edge_of(s), side));
    }
}

void Dec::add_open_edge(Index edge, Index set, BoundaryKind kind, Array<OpenBoundary::Place>& places) const {
  const Index cell = cell_of(triangulation_.mesh.edge_faces(0, edge));  // flips do not change wall edges
  places.push_back({cell, edge, set, kind, triangulation_.edge_length[edge]});
}

void Dec::add_mass_flux(const State& state, double scale, VectorOut out, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  compute_cell_depth(state[volume()], s.cell_depth);
  if (options_.momentum) return add_donor_flux(state[velocity()], s.cell_depth, nullptr, scale, out, s);
  const double* __restrict depth = s.cell_depth.data(), * __restrict share = site_.left_share.data();
  const Index* __restrict left = site_.left_cell.data(), * __restrict right = site_.right_cell.data();
  add_transport(
      state[velocity()], -scale,
      [=](Index e) {
        const double mean = depth[right[e]] + share[e] * (depth[left[e]] - depth[right[e]]);
        return mean < 0 ? 0 : mean;
      },
      out, s);
}

void Dec::add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const {
  const double *__restrict value = p.data(), *__restrict w = weight.data(),
                           *__restrict inverse_dual = site_.inverse_dual.data();
  const Index* __restrict left = site_.left_cell.data(), * __restrict right = site_.right_cell.data();
  double* __restrict u = flow.data();
  parallel_for(sites(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s)
      u[s] += scale * w[s] * inverse_dual[s] * (value[right[s]] - value[left[s]]);
  });
}

void Dec::add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                      Scratch& scratch) const {
  add_transport(
      flow, scale, [w = weight.data()](Index e) { return w[e]; }, out, of_dec(scratch));
}

/// out += scale · Σ ± l_e depth(e) u_e over the sites of each cell, + for outward normals.
template <class Depth>
void Dec::add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out, DecScratch& s) const {
  const double* __restrict u = flow.data(), * __restrict length = site_.length.data();
  const Index count = sites();
  double* __restrict left = s.site_flux.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      left[e] = length[e] * depth(e) * u[e];
      right[e] = -left[e];
    }
  });
  cell_sum_.add(s.site_flux.data(), scale, out.data());
}

void Dec::add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                        Scratch& scratch) const {
  Vector& w = of_dec(scratch).site_weight;
  w = weight.array() * site_.length.array() / site_.dual.array();
  laplacian_.add_product(p, scale, w, out);
}

void Dec::assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                   Scratch& scratch) const {
  Vector& w = of_dec(scratch).site_weight;
  w = weight.array() * site_.length.array() / site_.dual.array();
  laplacian_.assemble(diagonal, scale, w, matrix);
}

/// Gershgorin: ω² is at most twice the largest diagonal entry of A⁻¹ r K. The bound is attained on a lattice
/// of equal triangles, whose dual is bipartite.
double Dec::stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const {
  const WaveForces& waves = WaveForces::of(forces);
  site_depth(state[volume()], s.site_depth, s);
  if (options_.momentum)  // the depth of the cell that water leaves may be the larger one
    for (Index e = 0; e < sites(); ++e)
      s.site_depth[e] =
          std::max({s.site_depth[e], s.cell_depth[site_.left_cell[e]], s.cell_depth[site_.right_cell[e]]});
  Vector& diagonal = s.cell_depth;  // no longer needed
  diagonal.setZero(cells_.count());
  for (Index e = 0; e < sites(); ++e) {
    const double weight = waves.site_root_acceleration[e] * s.site_depth[e] * site_.length[e] / site_.dual[e];
    for (int side = 0; side < 2; ++side) diagonal[site_.cells(side, e)] += weight;
  }
  return 2 / std::sqrt(2 * max(mesh_, cells_,
                               diagonal.cwiseProduct(waves.root_acceleration).cwiseProduct(inverse_area_)));
}

std::vector<ClampCount> Dec::clamp_counts(const State& state, const Forces& forces, Scratch& scratch) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state, forces, scratch);
  counts.push_back({"clamped_shares", total(mesh_, dual_.clamped_shares())});
  counts.push_back({"clamped_duals", total(mesh_, dual_.clamped_duals())});
  return counts;
}

double Dec::kinetic_energy(const State& state, Scratch& scratch) const {
  Vector& depth = of_dec(scratch).site_depth;
  site_depth(state[volume()], depth, scratch);
  const ConstBlock flow = state[velocity()];
  return 0.5 * sum(mesh_, own_sites(),
                   site_.length.array() * site_.dual.array() * depth.array() * flow.array().square());
}

/// v = (1/A) Σ_e ± l_e u_e (x_e − x_cell) over the edges of a cell (Perot 2000), with arms from the centre of
/// the cell to the edge midpoints: exact for a constant field, also on merged cells. Each face has the vector
/// of its cell, projected into its plane.
void Dec::compute_face_velocity(const State& state, const Forces& forces, Values& vectors,
                                DecScratch& scratch) const {
  const Mesh& mesh = triangulation_.mesh;
  const ConstBlock flow = state[velocity()];
  Points of_cell = Points::Zero(3, cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side)
      of_cell.col(site_.cells(side, s)) +=
          site_.length[s] * flow[s] * inverse_area_[site_.cells(side, s)] * dual_.arm(e, side);
  }
  for (const Crossing& crossing : find_crossings(state, forces, scratch)) {
    const OpenBoundary::Place& place = crossing.place;
    of_cell.col(place.at) +=
        place.length * crossing.speed * inverse_area_[place.at] * dual_.arm(place.edge, 0);
  }
  vectors.resize(3, mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 normal = mesh.periodic() ? Vector3(geometry_.face_normal.col(k)) : dual_.chord_normal(k),
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

void Dec::derive_coriolis(const Vector3& rotation, Forces& forces, WaveScratch& s) const {
  const Mesh& mesh = triangulation_.mesh;
  Vector &coriolis = forces.coriolis, &circulation = DecForces::of(forces).circulation;
  coriolis.setZero(cells_.count());
  if (linear_) circulation.setZero(mesh.vertex_count);
  if (rotation.isZero(0)) return;  // the frame is at rest, only the mesh moves
  vertex_normals(mesh_, geometry_, s.vertex_normals);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 normal = mesh.periodic() ? Vector3(geometry_.face_normal.col(k)) : dual_.chord_normal(k);
    const double of_face = coriolis_of(mesh, k, normal, s.vertex_normals, rotation),
                 area = triangulation_.face_area[k];
    coriolis[cell_of(k)] += of_face * area * inverse_area_[cell_of(k)];
    if (!linear_) continue;
    // ∫ φ f with f linear between the vertices
    const bool at_boundary =
        on_boundary(mesh.faces(0, k)) || on_boundary(mesh.faces(1, k)) || on_boundary(mesh.faces(2, k));
    for (const Index i : mesh.faces.col(k)) {
      const double at_vertex = at_boundary ? of_face : 2 * rotation.dot(s.vertex_normals.col(i));
      circulation[i] += area / 12 * (3 * of_face + at_vertex);
    }
  }
}

}  // namespace shoal
