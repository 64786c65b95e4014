// The mixed FE/FV scheme: options, state and forces.
#include "discretizations/fefv/fefv.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/operators/surface_motion.hpp"

#include <cmath>
#include <limits>

namespace shoal {

namespace {

double divergence_edge(const std::string& text) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  const std::string allowed = "a positive length or 'none'";
  const double length = parse_parameter(text, "max_divergence_edge", allowed);
  if (!(length > 0)) throw parameter_error("max_divergence_edge", "'" + text + "' is not " + allowed);
  return length;
}

}  // namespace

Options<FefvOptions> FefvOptions::describe() {
  using O = FefvOptions;
  return Options<O>()
      .number("lower_angle", "degree", &O::lower_angle, 0, 59,
              "angles are limited to [a, 180−2a] in the gradient (Angst 2007: 10), which then does not "
              "converge on thin triangles; 0: no limit")
      .number("cosine_limit", "1", &O::cosine_limit, 0, 0.5,
              "minimum distance of cosines from ±1 in the gradient")
      .choice("negative_cotangents", &O::zero_negative_cotangents, {{"keep", false}, {"zero", true}},
              "treatment of negative cotangent weights of the Laplacian (only implicit-euler and newmark)")
      .parsed("max_divergence_edge", "m", &O::max_divergence_edge, "none", divergence_edge,
              "maximum length of a dual edge, or 'none'; the flux of a triangle with a longer one is scaled "
              "by the ratio of the lengths")
      .choice("laplacian", &O::intrinsic_laplacian, {{"surface", false}, {"intrinsic", true}},
              "weights of the depth equation. surface: those of the surface's own triangles; intrinsic: "
              "those of the intrinsic Delaunay triangulation, unlimited and never negative (only "
              "implicit-euler and newmark)")
      .choice("flux_depth", &O::flux_depth, {{"face", FluxDepth::face}, {"edge", FluxDepth::edge}},
              "depth in the mass flux. face: mean of the triangle; edge: mean of the two ends of the edge "
              "(explicit integrators only)")
      .part(&O::dry, DryOptions::describe())
      .choice(
          "continuity", &O::continuity, {{"flux", Continuity::flux}, {"advective", Continuity::advective}},
          "continuity equation. flux: by mass fluxes; advective: the depth is transported like the velocity, "
          "plus η ∇·v without fluxes, which does not conserve mass (Layton & van de Panne 2002; requires an "
          "advection scheme of transport type and an integrator that does not solve for fluxes)")
      .choice("rotation", &O::rotation,
              {{"projected", Rotation::projected},
               {"unweighted", Rotation::unweighted},
               {"plain", Rotation::plain}},
              "rotation term of vector-invariant advection, and forces. projected: Hodge projection, "
              "weighted by mass (conserves energy); unweighted: weighted by area; plain: no projection "
              "(excites spurious modes, until a balanced flow breaks down)")
      .number("projection_tolerance", "1", &O::projection_tolerance, 1e-15, 0.1,
              "tolerance of the projection: norm of the residual relative to that of the initial guess zero")
      .whole_number("projection_iterations", "1", &O::projection_iterations, 1, 100000,
                    "maximum number of iterations of the projection; if it does not converge, the rotation "
                    "term is not fully projected")
      .number("projection_floor", "1", &O::projection_floor, 1e-12, 1,
              "smallest depth in the weights of the projection / largest depth; keeps the weight of dry "
              "triangles positive");
}

DiscretizationEntry fefv() {
  DiscretizationEntry entry = describe_scheme<Fefv>(
      "fefv",
      "depth at vertices, velocity on triangles; mixed finite elements and finite volumes (Angst 2007, 4.4)");
  entry.terms = Terms::all();
  return entry;
}

std::string Fefv::unavailable(std::string_view capability, const FefvOptions& options) {
  const bool advective = options.continuity == Continuity::advective;
  const bool edge_depth = options.flux_depth == FluxDepth::edge;
  if (advective && edge_depth)
    return "flux_depth = edge has no effect with continuity = advective, which has no fluxes";
  if (advective && options.dry.closed)
    return "dry_outflow = closed has no effect with continuity = advective, which has no fluxes";
  if (options.intrinsic_laplacian && std::isfinite(options.max_divergence_edge))
    return "laplacian = intrinsic and max_divergence_edge cannot be combined; intrinsic weights need no "
           "limit";
  if (capability == Wave::name && edge_depth)
    return "flux_depth = edge requires an explicit integrator, because divergence and gradient are not "
           "adjoint; use flux_depth = face";
  if (const std::string reason = options.dry.unavailable(capability); !reason.empty()) return reason;
  if (capability == Wave::name) return "";
  if (options.zero_negative_cotangents)
    return "negative_cotangents = zero requires implicit-euler or newmark, because the Laplacian then "
           "differs from divergence times gradient; use negative_cotangents = keep";
  if (options.intrinsic_laplacian)
    return "laplacian = intrinsic requires implicit-euler or newmark: velocities, gradient and divergence "
           "are defined on the surface's own triangles; use laplacian = surface";
  return "";
}

Fefv::Fefv(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
           const Parameters& parameters, Terms of_equations)
    : WaveScheme(mesh, geometry, parameters),
      options_(read_options<FefvOptions>(parameters)),
      projects_turns_(of_equations.has(Term::advection) && options_.rotation != Rotation::plain),
      ones_(Vector::Ones(mesh.face_count())),
      laplacian_(mesh.vertex_count, mesh.edges) {
  if (options_.intrinsic_laplacian) {
    if (mesh.part)
      throw Refusal(
          "on several processes: laplacian = intrinsic flips edges of the whole surface in one order; use "
          "laplacian = surface, or one process");
    delaunay_ = intrinsic_triangulation(mesh, geometry);
    follow_flips();
  }
  cells_.location = Location::vertex;
  cells_.area = geometry.vertex_area;
  cells_changed();
  cells_.points = geometry.x;
  cells_.bed.resize(mesh.vertex_count);
  cells_.of_element.resize(mesh.vertex_count);
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    cells_.bed[i] = bed_depth(geometry.x.col(i));
    cells_.of_element[i] = i;
  }
  const Index faces = mesh.face_count();
  set_layout("barycentric_rates", "1/s", Location::face, 2, faces);
  for (int c = 0; c < 3; ++c) {
    corner_[c].resize(faces);
    for (Index k = 0; k < faces; ++k) corner_[c][k] = mesh.faces(c, k);
  }
  Array<Index> slots;
  slots.reserve(mesh.ring_corner.size());
  for (const Index corner : mesh.ring_corner) slots.push_back(corner % 3 * faces + corner / 3);
  ring_sum_ = GatherSum<6>(mesh.ring_start, slots, 3 * faces);
  for (Index k = 0; k < faces; ++k)
    for (Index c = 0; c < 3; ++c)
      if (mesh.is_wall(mesh.face_edges(c, k))) wall_corner_.push_back(3 * k + c);
  find_boundary_faces(mesh);
  refresh_operators();
  if (carried_velocity_ == CarriedVelocity::rotated) face_frames(mesh, geometry, frame_);
  declare_outputs();
}

std::unique_ptr<Scratch> Fefv::make_scratch() const {
  auto s = std::make_unique<FefvScratch>();
  s->corner_flux.setZero(3 * mesh_.face_count() + 1);
  return s;
}

void Fefv::declare_outputs() {
  add_output({"velocity", "m/s", "v", Location::face, 3,
              [this](const State& state, const Forces&, Values& values, Scratch&) {
                const auto flow = state[velocity()];
                values.resize(3, mesh_.face_count());
                for (Index k = 0; k < mesh_.face_count(); ++k)
                  values.topRows<3>().col(k) = velocity_vector(flow, k);
              },
              [this]() -> const Vector& { return geometry_.face_area; }});
  add_output({"depth_at_faces", "m", "η̄", Location::face, 1,
              [this](const State& state, const Forces&, Values& values, Scratch& scratch) {
                Vector& depth = of_fefv(scratch).site_depth;
                site_depth(state[volume()], depth, scratch);
                values = depth.transpose();
              },
              [this]() -> const Vector& { return geometry_.face_area; }});
  add_vertex_outputs([this](const State& state, Vector& depth,
                            Scratch&) { depth = state[volume()].cwiseProduct(inverse_area_); },
                     [this](const State& state, const Forces&, Vector& vorticity, Scratch& scratch) {
                       compute_vorticity(state[velocity()], vorticity, of_fefv(scratch));
                     },
                     [this]() -> const Vector& { return geometry_.vertex_area; });
}

std::vector<ClampCount> Fefv::clamp_counts(const State& state, const Forces& forces, Scratch& scratch) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state, forces, scratch);
  counts.push_back({"clamped_angles", total(mesh_, limited_.clamped_angles)});
  counts.push_back({"clamped_fluxes", total(mesh_, limited_.clamped_fluxes)});
  counts.push_back({"flipped_edges", static_cast<Index>(delaunay_.flips.size()), false});
  counts.push_back({"clamped_cotangents", total(mesh_, limited_.clamped_cotangents)});
  counts.push_back({"unconverged_projections", of_fefv(scratch).unconverged ? 1 : 0});
  return counts;
}

void Fefv::refresh(State* carried) {
  cells_.area = geometry_.vertex_area;
  cells_.points = geometry_.x;
  cells_changed();
  refresh_operators();
  ++geometry_version_;
  if (options_.intrinsic_laplacian) follow_flips();
  if (carried_velocity_ == CarriedVelocity::rotated) turn_with_faces(carried);
}

/// Converts the velocity to the barycentric rates, on the new geometry, of the same vectors in the faces'
/// frames.
void Fefv::turn_with_faces(State* carried) {
  std::swap(before_, frame_);
  face_frames(mesh_, geometry_, frame_);
  if (!carried) return;
  const Index faces = mesh_.face_count();
  Block flow = (*carried)[velocity()];
  for (Index k = 0; k < faces; ++k) {
    const auto at = k;
    const BarycentricRates rates = frame_[at].rates(before_[at].tangent({flow[k], flow[faces + k]}));
    flow[k] = rates.first;
    flow[faces + k] = rates.second;
  }
}

/// U_α = v·e_α = g_αβ β^β.
void Fefv::lower(State& state) const {
  const Index faces = mesh_.face_count();
  double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Metric g = metric(k);
      const double first = b1[k];
      b1[k] = g.g11 * first + g.g12 * b2[k];
      b2[k] = g.g12 * first + g.g22 * b2[k];
    }
  });
}

void Fefv::raise(State& state) const {
  const Index faces = mesh_.face_count();
  double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Metric g = metric(k);
      const double area = geometry_.face_area[k], scale = 1 / (4 * area * area), first = b1[k];
      b1[k] = scale * (g.g22 * first - g.g12 * b2[k]);
      b2[k] = scale * (g.g11 * b2[k] - g.g12 * first);
    }
  });
}

void Fefv::add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                                Scratch& /*scratch*/) const {
  const Index faces = mesh_.face_count();
  double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Vector3 mean = face_velocity(mesh_, k, surface_velocity);
      const double part = scale / geometry_.face_area[k];
      b1[k] += part * mean.dot(area_gradient(mesh_, geometry_, k, 1));
      b2[k] += part * mean.dot(area_gradient(mesh_, geometry_, k, 2));
    }
  });
}

void Fefv::add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  s.surface_flow.q.setZero(layout().size());
  add_surface_velocity(surface_velocity, 1, s.surface_flow, s);
  compute_vorticity(std::as_const(s.surface_flow)[velocity()], forces.surface_vorticity, s);
  for (Index k = 0; k < mesh_.face_count(); ++k)
    forces.coriolis[k] +=
        face_mean(forces.surface_vorticity[mesh_.faces(0, k)], forces.surface_vorticity[mesh_.faces(1, k)],
                  forces.surface_vorticity[mesh_.faces(2, k)]);
  s.head = 0.5 * surface_velocity.colwise().squaredNorm().transpose();
  add_gradient(s.head, 1, ones_, forces.body_force);
}

State Fefv::project(const Fields& fields) const {
  State state = zero_state(layout());
  Block volumes = state[volume()], flow = state[velocity()];
  for (Index i = 0; i < mesh_.vertex_count; ++i)
    volumes[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
  if (!fields.velocity) return state;
  const Index faces = mesh_.face_count();
  for (Index k = 0; k < faces; ++k) {
    const Vector3 field = fields.velocity(geometry_.centroid(mesh_, k));
    flow[k] = field.dot(area_gradient(mesh_, geometry_, k, 1)) / geometry_.face_area[k];
    flow[faces + k] = field.dot(area_gradient(mesh_, geometry_, k, 2)) / geometry_.face_area[k];
  }
  return state;
}

void Fefv::add_velocity(const Points& vectors, State& state) const {
  const Index faces = mesh_.face_count();
  Block flow = state[velocity()];
  for (Index k = 0; k < faces; ++k) {
    const Vector3 v = vectors.col(k);
    flow[k] += v.dot(area_gradient(mesh_, geometry_, k, 1)) / geometry_.face_area[k];
    flow[faces + k] += v.dot(area_gradient(mesh_, geometry_, k, 2)) / geometry_.face_area[k];
  }
}

void Fefv::add_open_edge(Index edge, Index set, BoundaryKind kind, Array<OpenBoundary::Place>& places) const {
  for (int end = 0; end < 2; ++end)
    places.push_back({mesh_.edges(end, edge), edge, set, kind, 0.5 * geometry_.edge_length[edge]});
}

void Fefv::inflow_at_site(Index site, const double* flow, double* inflow) const {
  inflow[1] = limited_.flux_area[site] * flow[0];
  inflow[2] = limited_.flux_area[site] * flow[1];
  inflow[0] = -(inflow[1] + inflow[2]);
}

double Fefv::squared_speed(Index site, const double* flow) const {
  const Metric g = metric(site);
  return g.g11 * flow[0] * flow[0] + 2 * g.g12 * flow[0] * flow[1] + g.g22 * flow[1] * flow[1];
}

void Fefv::compute_speed(const State& state, const Forces& /*forces*/, Vector& speed,
                         WaveScratch& /*s*/) const {
  const Index faces = mesh_.face_count();
  speed.resize(faces);
  const double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double flow[2] = {b1[k], b2[k]};
      speed[k] = std::sqrt(squared_speed(k, flow));
    }
  });
}

void Fefv::derive_coriolis(const Vector3& rotation, Forces& forces, WaveScratch& s) const {
  Vector& coriolis = forces.coriolis;
  coriolis.setZero(mesh_.face_count());
  if (rotation.isZero(0)) return;  // the frame is at rest, only the mesh moves
  vertex_normals(mesh_, geometry_, s.vertex_normals);
  for (Index k = 0; k < mesh_.face_count(); ++k)
    coriolis[k] = coriolis_of(mesh_, k, geometry_.face_normal.col(k), s.vertex_normals, rotation);
}

double Fefv::kinetic_energy(const State& state, Scratch& scratch) const {
  Vector& depth = of_fefv(scratch).site_depth;
  site_depth(state[volume()], depth, scratch);
  const ConstBlock flow = state[velocity()];
  return 0.5 * sum(mesh_, Location::face, [&](Index k) {
           return geometry_.face_area[k] * depth[k] * velocity_vector(flow, k).squaredNorm();
         });
}

}  // namespace shoal
