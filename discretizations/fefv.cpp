// Operators of the mixed FE/FV scheme, and its limits on bad triangles.
#include "discretizations/fefv.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/operators/p1.hpp"
#include "discretizations/operators/surface_motion.hpp"

#include <cmath>
#include <limits>
#include <numbers>

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
              "angles of a triangle are limited to [a, 180−2a] in the gradient (Angst 2007: 10), which then "
              "does not "
              "converge where triangles are thin; 0: none")
      .number("cosine_limit", "1", &O::cosine_limit, 0, 0.5,
              "cosines are kept this far from ±1 in the gradient")
      .choice("negative_cotangents", &O::zero_negative_cotangents, {{"keep", false}, {"zero", true}},
              "negative cotangent weights of the Laplacian (implicit-euler and newmark only)")
      .parsed("max_divergence_edge", "m", &O::max_divergence_edge, "none", divergence_edge,
              "the flux of a triangle with a longer dual edge is scaled by this length over that of "
              "the edge: a length, or 'none'")
      .choice("laplacian", &O::intrinsic_laplacian, {{"surface", false}, {"intrinsic", true}},
              "weights of the depth equation: of the surface's own triangles, or, unclamped and never "
              "negative, of the Delaunay triangles on it (implicit-euler and newmark only)")
      .choice("flux_depth", &O::flux_depth, {{"face", FluxDepth::face}, {"edge", FluxDepth::edge}},
              "depth in the mass flux: mean of the triangle, or of the two ends of the edge (explicit "
              "integrators only)")
      .part(&O::dry, DryOptions::describe())
      .choice(
          "continuity", &O::continuity, {{"flux", Continuity::flux}, {"advective", Continuity::advective}},
          "mass by its flux, or depth transported like the velocity and η ∇·v without flux, which loses mass "
          "(Layton & van de Panne 2002; an advection that is a transport, and integrators that solve for no "
          "flux only)")
      .choice(
          "rotation", &O::rotation,
          {{"projected", Rotation::projected},
           {"unweighted", Rotation::unweighted},
           {"plain", Rotation::plain}},
          "the rotation term of vector-invariant, and the force beside it: projected onto the flows that the "
          "gradient and the "
          "vorticity know, in the weight ηA, which keeps the energy, or A; or plain, which feeds the others "
          "until a balanced flow breaks down")
      .number("projection_tolerance", "1", &O::projection_tolerance, 1e-15, 0.1,
              "residual of the projection, over that of zero")
      .whole_number("projection_iterations", "1", &O::projection_iterations, 1, 100000,
                    "of a projection at most; with fewer than it needs the rotation leaves the space")
      .number("projection_floor", "1", &O::projection_floor, 1e-12, 1,
              "smallest depth that weighs in the projection, over the largest: dry triangles would have no "
              "weight at all");
}

DiscretizationEntry fefv() {
  DiscretizationEntry entry = describe_scheme<Fefv>(
      "fefv", "depth at vertices, velocity on triangles; mixed FE/FV (Angst 2007, 4.4)");
  entry.terms = Terms::all();
  return entry;
}

std::string Fefv::unavailable(std::string_view capability, const FefvOptions& options) {
  const bool advective = options.continuity == Continuity::advective;
  const bool edge_depth = options.flux_depth == FluxDepth::edge;
  if (advective && edge_depth)
    return "flux_depth = edge means nothing with continuity = advective, which has no flux";
  if (advective && options.dry.closed)
    return "dry_outflow = closed means nothing with continuity = advective, which has no flux";
  if (options.intrinsic_laplacian && std::isfinite(options.max_divergence_edge))
    return "laplacian = intrinsic and max_divergence_edge exclude each other: with intrinsic weights no flux "
           "need be limited";
  if (capability == Wave::name && edge_depth)
    return "flux_depth = edge is for explicit integrators only: it makes divergence and gradient not "
           "adjoint; use flux_depth = face";
  if (const std::string reason = options.dry.unavailable(capability); !reason.empty()) return reason;
  if (capability == Wave::name) return "";
  if (options.zero_negative_cotangents)
    return "negative_cotangents = zero is for implicit-euler and newmark only: it makes the Laplacian differ "
           "from divergence times gradient; use negative_cotangents = keep";
  if (options.intrinsic_laplacian)
    return "laplacian = intrinsic is for implicit-euler and newmark only: velocities, their gradient and "
           "divergence are defined on the surface's own triangles; use laplacian = surface";
  return "";
}

Fefv::Fefv(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
           const Parameters& parameters, Terms of_equations)
    : WaveScheme(mesh, geometry, parameters),
      options_(read_options<FefvOptions>(parameters)),
      ones_(Vector::Ones(mesh.face_count())),
      laplacian_(mesh.vertex_count, mesh.edges),
      projects_turns_(of_equations.has(Term::advection) && options_.rotation != Rotation::plain) {
  if (options_.intrinsic_laplacian) {
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
  corner_flux_.setZero(3 * faces + 1);
  for (Index k = 0; k < faces; ++k)
    for (Index c = 0; c < 3; ++c)
      if (mesh.is_wall(mesh.face_edges(c, k))) wall_corner_.push_back(3 * k + c);
  refresh_operators();
  if (carried_velocity_ == CarriedVelocity::rotated) face_frames(mesh, geometry, frame_);
  declare_outputs();
}

void Fefv::declare_outputs() {
  add_output({"velocity", "m/s", "v", Location::face, 3,
              [this](const State& state, const Forces&, Values& values) {
                const auto flow = state[velocity()];
                values.resize(3, mesh_.face_count());
                for (Index k = 0; k < mesh_.face_count(); ++k)
                  values.topRows<3>().col(k) = velocity_vector(flow, k);
              },
              [this]() -> const Vector& { return geometry_.face_area; }});
  add_output({"depth_at_faces", "m", "η̄", Location::face, 1,
              [this](const State& state, const Forces&, Values& values) {
                site_depth(state[volume()], site_depth_);
                values = site_depth_.transpose();
              },
              [this]() -> const Vector& { return geometry_.face_area; }});
  add_vertex_outputs(
      [this](const State& state, Vector& depth) { depth = state[volume()].cwiseProduct(inverse_area_); },
      [this](const State& state, const Forces&, Vector& vorticity) {
        compute_vorticity(state[velocity()], vorticity);
      },
      [this]() -> const Vector& { return geometry_.vertex_area; });
}

/// n×v.
BarycentricRates Fefv::quarter_turn(Index face, BarycentricRates rates) const {
  const auto cot = geometry_.cotangent.col(face);
  return {-cot[0] * rates.first - (cot[0] + cot[2]) * rates.second,
          (cot[0] + cot[1]) * rates.first + cot[0] * rates.second};
}

/// The two limits on bad triangles of Angst 2007: cosines kept away from ±1, and angles cut to [a, 180°−2a],
/// then rescaled so that they are again those of a triangle, whose Laplacian is positive semidefinite.
void Fefv::limit_cotangents() {
  cotangent_ = geometry_.cotangent;
  clamped_angles_ = 0;
  const double cosine_limit = options_.cosine_limit,
               lower_angle = options_.lower_angle * std::numbers::pi / 180;
  if (cosine_limit == 0 && lower_angle == 0) return;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double cosine = 1 - cosine_limit, upper_angle = std::numbers::pi - 2 * lower_angle;
  const double from_cosine = cosine_limit > 0 ? cosine / std::sqrt(1 - cosine * cosine) : unlimited;
  const double largest = lower_angle > 0 ? 1 / std::tan(lower_angle) : unlimited;
  const double smallest = lower_angle > 0 ? 1 / std::tan(upper_angle) : -unlimited;
  const double high = std::min(from_cosine, largest), low = std::max(-from_cosine, smallest);
  if (cotangent_.maxCoeff() <= high && cotangent_.minCoeff() >= low) return;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    if (cotangent_.col(k).maxCoeff() <= high && cotangent_.col(k).minCoeff() >= low) continue;
    ++clamped_angles_;
    Vector3 limited = cotangent_.col(k).cwiseMin(from_cosine).cwiseMax(-from_cosine);
    if (limited.maxCoeff() > largest || limited.minCoeff() < smallest) {
      Vector3 angles;
      for (int c = 0; c < 3; ++c)
        angles[c] = std::clamp(std::atan2(1.0, limited[c]), lower_angle, upper_angle);
      angles *= std::numbers::pi / angles.sum();
      for (int c = 0; c < 3; ++c) limited[c] = 1 / std::tan(angles[c]);
    }
    cotangent_.col(k) = limited;
  }
}

/// The dual edges of a triangle are thirds of its medians, and the longest is that to the shortest edge.
void Fefv::limit_fluxes() {
  flux_area_ = geometry_.face_area;
  clamped_fluxes_ = 0;
  if (std::isinf(options_.max_divergence_edge)) return;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    Vector3 squared;
    for (int c = 0; c < 3; ++c) squared[c] = std::pow(geometry_.edge_length[mesh_.face_edges(c, k)], 2);
    const double longest = std::sqrt(2 * squared.sum() - 3 * squared.minCoeff()) / 6;
    if (longest <= options_.max_divergence_edge) continue;
    flux_area_[k] *= options_.max_divergence_edge / longest;
    ++clamped_fluxes_;
  }
}

void Fefv::refresh_operators() {
  const Index faces = mesh_.face_count();
  limit_cotangents();
  limit_fluxes();
  stiffness_.resize(3, faces);
  for (Vector* gradient : {&gradient_11_, &gradient_12_, &gradient_22_}) gradient->resize(faces);
  const double *__restrict cot = cotangent_.data(), *__restrict area = geometry_.face_area.data(),
                           *__restrict flux_area = flux_area_.data();
  double *__restrict g11 = gradient_11_.data(), *__restrict g12 = gradient_12_.data(),
                     *__restrict g22 = gradient_22_.data(), *__restrict stiffness = stiffness_.data();
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      // (4.5): the gradient as a cotangent-weighted sum of the corner's outgoing edges.
      const double c0 = cot[3 * k], c1 = cot[3 * k + 1], c2 = cot[3 * k + 2];
      const double half = 0.5 / area[k], weight = half * flux_area[k];
      g11[k] = half * (c2 + c0);
      g12[k] = -half * c0;
      g22[k] = half * (c1 + c0);
      stiffness[3 * k] = weight * c0;
      stiffness[3 * k + 1] = weight * c1;
      stiffness[3 * k + 2] = weight * c2;
    }
  });
  clamped_cotangents_ = 0;
  if (options_.zero_negative_cotangents) {
    cotangent_weights(ones_, edge_weight_);
    clamped_cotangents_ = static_cast<Index>((edge_weight_.array() < 0).count());
  }
}

/// Updates the intrinsic Delaunay triangulation to the current positions.
void Fefv::follow_flips() {
  if (!follow_delaunay(delaunay_, mesh_, geometry_)) return;
  laplacian_ = EdgeLaplacian(mesh_.vertex_count, delaunay_.mesh.edges);
  ++pattern_version_;
}

std::vector<ClampCount> Fefv::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state, forces);
  counts.push_back({"clamped_angles", clamped_angles_});
  counts.push_back({"clamped_fluxes", clamped_fluxes_});
  counts.push_back({"flipped_edges", static_cast<Index>(delaunay_.flips.size()), false});
  counts.push_back({"clamped_cotangents", clamped_cotangents_});
  counts.push_back({"unconverged_projections", unconverged_ ? 1 : 0});
  return counts;
}

void Fefv::refresh(State* carried) {
  cells_.area = geometry_.vertex_area;
  cells_.points = geometry_.x;
  cells_changed();
  refresh_operators();
  if (projection_) projection_->refresh();
  if (options_.intrinsic_laplacian) follow_flips();
  if (carried_velocity_ == CarriedVelocity::rotated) turn_with_faces(carried);
}

/// The barycentric rates that the same vectors in the faces' frames have on the new geometry.
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

Metric Fefv::metric(Index face) const {
  const double first = geometry_.edge_length[mesh_.face_edges(2, face)],
               second = geometry_.edge_length[mesh_.face_edges(1, face)];
  return {first * first, 2 * geometry_.face_area[face] * geometry_.cotangent(0, face), second * second};
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

void Fefv::add_surface_velocity(const Points& surface_velocity, double scale, State& state) const {
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

void Fefv::add_surface_motion(const Points& surface_velocity, Forces& forces) const {
  surface_flow_.q.setZero(layout().size());
  add_surface_velocity(surface_velocity, 1, surface_flow_);
  compute_vorticity(std::as_const(surface_flow_)[velocity()], forces.surface_vorticity);
  for (Index k = 0; k < mesh_.face_count(); ++k)
    forces.coriolis[k] +=
        face_mean(forces.surface_vorticity[mesh_.faces(0, k)], forces.surface_vorticity[mesh_.faces(1, k)],
                  forces.surface_vorticity[mesh_.faces(2, k)]);
  head_ = 0.5 * surface_velocity.colwise().squaredNorm().transpose();
  add_gradient(head_, 1, ones_, forces.body_force);
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

void Fefv::add_mass_flux(const State& state, double scale, VectorOut out) const {
  const auto flow = state[velocity()];
  compute_cell_depth(state[volume()]);
  if (options_.continuity == Continuity::advective) return add_advective_rate(flow, scale, ones_, out);
  if (options_.flux_depth == FluxDepth::edge) return add_dual_edge_flux(flow, scale, ones_, out);
  const double* __restrict depth = cell_depth_.data();
  const Index *__restrict i0 = corner_[0].data(), *__restrict i1 = corner_[1].data(),
              *__restrict i2 = corner_[2].data();
  add_transport(
      flow, scale,
      [=](Index k) {
        const double mean = face_mean(depth[i0[k]], depth[i1[k]], depth[i2[k]]);
        return mean < 0 ? 0 : mean;
      },
      out);
}

void Fefv::add_shore_flux(VectorIn flow, double scale, VectorOut out) const {
  if (options_.continuity == Continuity::advective) return add_advective_rate(flow, scale, opening_, out);
  if (options_.flux_depth == FluxDepth::edge) return add_dual_edge_flux(flow, scale, opening_, out);
  WaveScheme::add_shore_flux(flow, scale, out);
}

/// −Aᵢ ηᵢ ∇·v, of triangles by their openings.
void Fefv::add_advective_rate(VectorIn flow, double scale, const Vector& opening, VectorOut out) const {
  inflow_.setZero(mesh_.vertex_count);
  add_transport(
      flow, scale, [open = opening.data()](Index k) { return open[k]; }, inflow_);
  out.array() += cell_depth_.array() * inflow_.array();
}

void Fefv::inflow_at_site(Index site, const double* flow, double* inflow) const {
  inflow[1] = flux_area_[site] * flow[0];
  inflow[2] = flux_area_[site] * flow[1];
  inflow[0] = -(inflow[1] + inflow[2]);
}

double Fefv::squared_speed(Index site, const double* flow) const {
  const Metric g = metric(site);
  return g.g11 * flow[0] * flow[0] + 2 * g.g12 * flow[0] * flow[1] + g.g22 * flow[1] * flow[1];
}

namespace {

double rate_of(int corner, const double* flow) {
  return corner == 0 ? -(flow[0] + flow[1]) : flow[corner - 1];
}

}  // namespace

/// v − (v·∇φ꜀) ∇φ꜀/|∇φ꜀|², with the ∇φ·∇φ of the gradient: what it pushes through the corner vanishes to the last bit.
void Fefv::remove_flow_through(Index site, int corner, double* flow) const {
  const double g11 = gradient_11_[site], g12 = gradient_12_[site], g22 = gradient_22_[site];
  if (corner == 0) {
    const double part = rate_of(0, flow) / (g11 + 2 * g12 + g22);
    flow[0] += part * (g11 + g12);
    flow[1] = -flow[0];
  } else if (corner == 1) {
    flow[1] -= flow[0] / g11 * g12;
    flow[0] = 0;
  } else {
    flow[0] -= flow[1] / g22 * g12;
    flow[1] = 0;
  }
}

/// The projection onto the cone β꜀ = 0 of closed, β꜀ ≥ 0 of dry corners: onto one of its sides if that is within the others,
/// else its tip.
unsigned Fefv::hold(Index site, unsigned closed, unsigned dry, double* flow) const {
  const auto outflow = [&](const double* rates) {
    unsigned leaving = closed;
    for (int c = 0; c < 3; ++c)
      if ((dry >> c & 1) && rate_of(c, rates) < 0) leaving |= 1U << c;
    return leaving;
  };
  const unsigned leaving = outflow(flow);
  if (!leaving) return 0;
  const unsigned sides = closed ? closed : leaving;
  for (int c = 0; c < 3; ++c) {
    const unsigned side = 1U << c;
    if (!(sides & side) || (closed & ~side)) continue;
    double within[2] = {flow[0], flow[1]};
    remove_flow_through(site, c, within);
    if (outflow(within) & ~side) continue;
    flow[0] = within[0];
    flow[1] = within[1];
    return side;
  }
  flow[0] = flow[1] = 0;
  return closed | dry;
}

void Fefv::site_mean(const Vector& at_cells, Vector& at_sites) const {
  average_to_faces(mesh_, at_cells, at_sites);
}

void Fefv::add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const {
  const Index faces = mesh_.face_count();
  const double* __restrict value = p.data();
  const double* __restrict w = weight.data();
  const double *__restrict g11 = gradient_11_.data(), *__restrict g12 = gradient_12_.data(),
               *__restrict g22 = gradient_22_.data();
  const Index *__restrict i0 = corner_[0].data(), *__restrict i1 = corner_[1].data(),
              *__restrict i2 = corner_[2].data();
  double* __restrict b1 = flow.data(), * __restrict b2 = flow.data() + faces;
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      const double p0 = value[i0[k]], factor = scale * w[k];
      const double d1 = factor * (value[i1[k]] - p0), d2 = factor * (value[i2[k]] - p0);
      b1[k] += g11[k] * d1 + g12[k] * d2;
      b2[k] += g12[k] * d1 + g22[k] * d2;
    }
  });
}

/// (D(w) u)ᵢ = −Σₖ Aₖ wₖ βᵢₖ.
void Fefv::add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out) const {
  add_transport(
      flow, -scale, [w = weight.data()](Index k) { return w[k]; }, out);
}

/// out += scale · Σₖ Aₖ depth(k) βᵢₖ. Each face's three inflows add up to zero exactly, hence mass is
/// conserved.
template <class Depth>
void Fefv::add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out) const {
  const Index faces = mesh_.face_count();
  const double* __restrict area = flux_area_.data();
  const double* __restrict b1 = flow.data(), * __restrict b2 = flow.data() + faces;
  double* __restrict q0 = corner_flux_.data(), * __restrict q1 = q0 + faces, * __restrict q2 = q1 + faces;
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      const double volume = area[k] * depth(k);
      const double in1 = volume * b1[k], in2 = volume * b2[k];
      q0[k] = -(in1 + in2);
      q1[k] = in1;
      q2[k] = in2;
    }
  });
  ring_sum_.add(corner_flux_.data(), scale, out.data());
}

/// (5.12): what flows through the dual edge between corners i and j has the depth of both, times the opening of their
/// triangle; its normal times length is Aₖ(∇φⱼ−∇φᵢ)/3. What leaves one cell enters another, and with dry_outflow = closed
/// nothing leaves one that is dry.
void Fefv::add_dual_edge_flux(VectorIn flow, double scale, const Vector& opening, VectorOut out) const {
  const Index faces = mesh_.face_count();
  const bool closes = options_.dry.closed;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double b1 = flux_area_[k] * flow[k], b2 = flux_area_[k] * flow[faces + k];
      const double b[3] = {-(b1 + b2), b1, b2};
      double eta[3], flux[3];
      for (int c = 0; c < 3; ++c) eta[c] = cell_depth_[corner_[c][k]];
      for (int c = 0; c < 3; ++c) {  // from corner c to corner c+1
        const int next = (c + 1) % 3;
        flux[c] = opening[k] * (0.5 * (eta[c] + eta[next])) * (b[next] - b[c]) / 3;
        if (closes && eta[flux[c] > 0 ? c : next] <= 0) flux[c] = 0;
      }
      for (int c = 0; c < 3; ++c) corner_flux_[c * faces + k] = flux[(c + 2) % 3] - flux[c];
    }
  });
  ring_sum_.add(corner_flux_.data(), scale, out.data());
}

/// −Kᵢⱼ = ½ Σ w cot over the edge's faces: the cotangent Laplacian (4.7) with a weight per face.
void Fefv::cotangent_weights(const Vector& face_weight, Vector& weights) const {
  weights.setZero(mesh_.edge_count());
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) weights[mesh_.face_edges(c, k)] += face_weight[k] * stiffness_(c, k);
}

/// The same on the intrinsic triangles, whose weights are means of those around their corners, so that
/// constant weights stay constant.
void Fefv::intrinsic_weights(const Vector& face_weight, Vector& weights) const {
  vertex_weight_.setZero(mesh_.vertex_count);
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) vertex_weight_[mesh_.faces(c, k)] += geometry_.face_area[k] * face_weight[k];
  vertex_weight_.array() /= 3 * geometry_.vertex_area.array();
  const Mesh& mesh = delaunay_.mesh;
  weights.setZero(mesh.edge_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const double half = 0.5 * face_mean(vertex_weight_[mesh.faces(0, k)], vertex_weight_[mesh.faces(1, k)],
                                        vertex_weight_[mesh.faces(2, k)]);
    for (int c = 0; c < 3; ++c) weights[mesh.face_edges(c, k)] += half * delaunay_.cotangent(c, k);
  }
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.edges(0, e) == mesh.edges(1, e)) weights[e] = 0;  // around a sharp tip: one vertex at both ends
}

void Fefv::edge_weights(const Vector& face_weight, Vector& weights) const {
  if (options_.intrinsic_laplacian) return intrinsic_weights(face_weight, weights);
  cotangent_weights(face_weight, weights);
  if (options_.zero_negative_cotangents) weights = weights.cwiseMax(0.0);
}

void Fefv::add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const {
  edge_weights(weight, edge_weight_);
  laplacian_.add_product(p, scale, edge_weight_, out);
}

void Fefv::assemble(const Vector& diagonal, double scale, const Vector& weight,
                    SymmetricMatrix& matrix) const {
  edge_weights(weight, edge_weight_);
  laplacian_.assemble(diagonal, scale, edge_weight_, matrix);
}

/// A bound of ω² at unit wave speed: the largest eigenvalue of the triangle's own stiffness with its share
/// A/3 of the lumped mass (Fried 1972), 1/m². On equilateral meshes the bound is attained.
double Fefv::highest_frequency_squared(Index face) const {
  const double a = 0.5 * cotangent_(0, face), b = 0.5 * cotangent_(1, face), c = 0.5 * cotangent_(2, face);
  const double eigenvalue =
      a + b + c + std::sqrt(std::max(0.0, a * a + b * b + c * c - a * b - b * c - c * a));
  return 3 * eigenvalue / geometry_.face_area[face];
}

/// The wave speed is taken with the largest r of the corners.
double Fefv::stable_wave_dt(const State& state, const Forces& forces) const {
  site_depth(state[volume()], site_depth_);
  const Vector& r = forces.root_acceleration;
  double omega_squared = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const double root = std::max({r[mesh_.faces(0, k)], r[mesh_.faces(1, k)], r[mesh_.faces(2, k)]});
    const double weight =
        forces.site_root_acceleration[k] * root * site_depth_[k] * flux_area_[k] / geometry_.face_area[k];
    omega_squared = std::max(omega_squared, weight * highest_frequency_squared(k));
  }
  return 2 / std::sqrt(omega_squared);
}

void Fefv::derive_coriolis(const Vector3& rotation, Vector& coriolis) const {
  coriolis.setZero(mesh_.face_count());
  if (rotation.isZero(0)) return;  // where only the mesh turns
  measure_vertex_normals();
  for (Index k = 0; k < mesh_.face_count(); ++k)
    coriolis[k] = coriolis_of(mesh_, k, geometry_.face_normal.col(k), rotation);
}

/// cos β − sin Jβ: J² = −1.
void Fefv::apply_coriolis(double dt, const Forces& forces, State& state) const {
  if (!forces.rotates) return;
  if (projects_turns_) return turn_in_space(dt, forces, state);
  const Index faces = mesh_.face_count();
  double *b1 = state[velocity()].data(), *b2 = b1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double angle = dt * forces.coriolis[k], cosine = std::cos(angle), sine = std::sin(angle);
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      b1[k] = cosine * b1[k] - sine * turned.first;
      b2[k] = cosine * b2[k] - sine * turned.second;
    }
  });
}

/// exp(Δt R) v = Σ (Δt R)ᵏ v/k!, R v = −P (f_c n×v): in the space R is orthogonal to v in the weight of P. Turned one
/// by one, vectors would leave the space in which vector-invariant keeps the flow.
void Fefv::turn_in_space(double dt, const Forces& forces, State& state) const {
  constexpr int max_terms = 40;
  const Index faces = mesh_.face_count();
  Block flow = state[velocity()];
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  site_depth(state[volume()], site_depth_);
  const bool weighted = options_.rotation != Rotation::unweighted;
  if (weighted)
    weigh_with_depth();
  else
    vertex_weight_.setOnes(mesh_.vertex_count);
  const Vector& weight = weighted ? volume_weight_ : geometry_.face_area;
  const double energy = weighted ? power(std::as_const(state)[velocity()], flow.data()) : 0;
  const double angle = std::abs(dt) * forces.coriolis.head(faces).cwiseAbs().maxCoeff();
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // So short that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  for (int part = 0; part < parts; ++part) {
    rotation_ = flow;
    double negligible = 0;  // relative to the flow; the tolerance is that of the first term, the rate
    for (int term = 1; term <= max_terms; ++term) {
      for (Index k = 0; k < faces; ++k) {
        const BarycentricRates turned = quarter_turn(k, {rotation_[k], rotation_[faces + k]});
        const double factor = -dt / (parts * term) * forces.coriolis[k];
        rotation_[k] = factor * turned.first;
        rotation_[faces + k] = factor * turned.second;
      }
      const double share = rotation_.lpNorm<Eigen::Infinity>() / flow.lpNorm<Eigen::Infinity>();
      if (term == 1) negligible = options_.projection_tolerance * share;
      if (!(share > negligible)) break;
      projection_->forget();
      project_in(weight, std::min(negligible / share, 0.1), rotation_.data());
      flow += rotation_;
    }
  }
  // What finite residuals change of the energy is taken back along the flow.
  if (energy > 0) flow *= std::sqrt(energy / power(std::as_const(state)[velocity()], flow.data()));
  projection_->forget();
}

/// The circulation around the dual cell: the part in a triangle is Aₖ (n×v)·∇φ꜀. On a wall the cell is closed
/// along it, with the velocity of the triangle; each half of the edge contributes the same expression of the
/// opposite corner.
void Fefv::compute_vorticity(VectorIn flow, Vector& vorticity) const {
  const Index faces = mesh_.face_count();
  const double *b1 = flow.data(), *b2 = b1 + faces;
  double *q0 = corner_flux_.data(), *q1 = q0 + faces, *q2 = q1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      q1[k] = geometry_.face_area[k] * turned.first;
      q2[k] = geometry_.face_area[k] * turned.second;
      q0[k] = -(q1[k] + q2[k]);
    }
  });
  for (const Index corner : wall_corner_) {
    const Index k = corner / 3, c = corner % 3;
    const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
    const double half = geometry_.face_area[k] * turned[static_cast<int>(c)];
    for (const Index end : {(c + 1) % 3, (c + 2) % 3}) corner_flux_[end * faces + k] += half;
  }
  vorticity.setZero(mesh_.vertex_count);
  ring_sum_.add(corner_flux_.data(), 1, vorticity.data());
  vorticity.array() *= inverse_area_.array();
}

/// −v·∇v from upstream on the triangles in and beside films: (1/V) Σ F (v_up − v) over what flows in through their edges,
/// turned over the edge into their plane, with the depth at which it flows there and their own water V = A η̄; at openings
/// over what enters from rest, without which the pressure there would drive the water on and on. V may be next to nothing: in
/// a step of the length `scale` what is there is replaced by what flows in at most.
void Fefv::add_upstream_transport(const ConstBlock& flow, double scale, VectorOut out) const {
  const Index faces = mesh_.face_count();
  transport_.resize(3, faces);
  from_rest_.setZero(faces);
  for (const Index i : entering_)
    if (!brings_velocity(crossings_[i]))
      from_rest_[mesh_.edge_faces(0, crossings_[i].place.edge)] -= crossings_[i].out;
  for (Index k = 0; k < faces; ++k) {
    if (advected_[k] != 0) continue;
    const Vector3 own = velocity_vector(flow, k), normal = geometry_.face_normal.col(k);
    const double water = geometry_.face_area[k] * site_depth_[k];
    transport_.col(k).setZero();
    if (!(water > 0)) continue;
    double exchange = from_rest_[k];  // what flows in, m³/s
    Vector3 sum = -exchange * own;
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, k);
      if (mesh_.is_wall(e)) continue;
      const Index other = mesh_.edge_faces(mesh_.edge_faces(0, e) == k ? 1 : 0, e);
      const Vector3 edge = geometry_.edge_vector(mesh_, e);
      const Vector3 there = velocity_vector(flow, other), other_normal = geometry_.face_normal.col(other);
      const Vector3 turned =
          (there.dot(edge) * edge + there.dot(edge.cross(other_normal)) * edge.cross(normal)) /
          edge.squaredNorm();
      const double side = mesh_.edge_faces(0, e) == k ? 1 : -1;  // edge × normal points out of the left face
      const double inflow = -0.5 * side * (own + turned).dot(edge.cross(normal)) * flow_depth_[other];
      if (!(inflow > 0)) continue;
      exchange += inflow;
      sum += inflow * (turned - own);
    }
    if (exchange > 0) transport_.col(k) = sum / std::max(water, std::abs(scale) * exchange);
  }
  for (Index k = 0; k < faces; ++k) {
    if (advected_[k] != 0) continue;
    const Vector3 change = scale / geometry_.face_area[k] * transport_.col(k);
    out[k] += change.dot(area_gradient(mesh_, geometry_, k, 1));
    out[faces + k] += change.dot(area_gradient(mesh_, geometry_, k, 2));
  }
}

void Fefv::find_entering(const State& state, const Forces& forces) const {
  entering_.clear();
  find_crossings(state, forces);
  for (Index i = 0; i < crossings_.size(); ++i)
    if (crossings_[i].enters) entering_.push_back(i);
}

/// ζ of water that enters: zero where it comes from rest; where it brings a velocity the dual cell is closed along the edge
/// with the tangential part of that. Where water leaves it is that of the interior.
void Fefv::open_vorticity(const ConstBlock& flow) const {
  for (const Index i : entering_) {
    const OpenBoundary::Place& place = crossings_[i].place;
    if (!brings_velocity(crossings_[i])) {
      vorticity_[place.at] = 0;
      continue;
    }
    const Index k = mesh_.edge_faces(0, place.edge);
    const double inside = 0.5 * velocity_vector(flow, k).dot(geometry_.edge_vector(mesh_, place.edge));
    vorticity_[place.at] -= inverse_area_[place.at] * (place.length * crossings_[i].tangential + inside);
  }
  if (!crossings_.empty()) let_vorticity_leave(mesh_, geometry_.face_area, vorticity_);
}

/// Water that enters a triangle with its own velocity mixes with the water there, v_t = −(q ℓ/(ηA)) (v − v_outside): what
/// an upwind flux of momentum has more than the head and the vorticity of that water.
void Fefv::add_entering_momentum(const ConstBlock& flow, double* rates) const {
  const Index faces = mesh_.face_count();
  for (const Index i : entering_) {
    const Crossing& crossing = crossings_[i];
    if (!brings_velocity(crossing)) continue;
    const Index k = mesh_.edge_faces(0, crossing.place.edge);
    const Vector3 along = geometry_.edge_vector(mesh_, crossing.place.edge).normalized();
    const Vector3 outside =
        velocity_outside(crossing, along.cross(Vector3(geometry_.face_normal.col(k))), along);
    const Vector3 rate = crossing.speed * crossing.place.length / geometry_.face_area[k] *
                         (velocity_vector(flow, k) - outside);
    rates[k] += rate.dot(area_gradient(mesh_, geometry_, k, 1)) / geometry_.face_area[k];
    rates[faces + k] += rate.dot(area_gradient(mesh_, geometry_, k, 2)) / geometry_.face_area[k];
  }
}

/// K of the triangles around a vertex.
double Fefv::inside_head(const ConstBlock& flow, Index vertex) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    if (site_depth_[k] > 0) sum += geometry_.face_area[k] / 6 * velocity_vector(flow, k).squaredNorm();
  }
  return inverse_area_[vertex] * sum;
}

/// The mean of ½(v·direction)² there.
double Fefv::mean_square(const ConstBlock& flow, Index vertex, const Vector3& direction) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    const double part = velocity_vector(flow, k).dot(direction);
    if (site_depth_[k] > 0) sum += geometry_.face_area[k] / 6 * part * part;
  }
  return inverse_area_[vertex] * sum;
}

/// head_ at crossings, where it is that of the inside: of several at a vertex the mean.
void Fefv::open_head(const ConstBlock& flow) const {
  if (crossings_.empty()) return;
  if (outside_.cols() == 0) outside_.setZero(3, mesh_.vertex_count);
  for (const Crossing& crossing : crossings_) outside_.col(crossing.place.at).setZero();
  for (const Crossing& crossing : crossings_) {
    const Index vertex = crossing.place.at, e = crossing.place.edge;
    const Vector3 normal = geometry_.edge_vector(mesh_, e).normalized().cross(
        Vector3(geometry_.face_normal.col(mesh_.edge_faces(0, e))));
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    outside_.col(vertex) +=
        weight * Vector3(1, head_at(crossing, head_[vertex], mean_square(flow, vertex, normal)), 0);
  }
  for (const Crossing& crossing : crossings_) {
    const Index vertex = crossing.place.at;
    head_[vertex] = outside_(1, vertex) / outside_(0, vertex);
  }
}

/// K of the inside counts by what enters the cells, Σ K V_t; −G K' takes Σ K' D u. Between them are what comes from the
/// interior and the difference of both at openings.
double Fefv::opening_power(const State& state, const Forces& forces, Terms terms) const {
  if (!terms.has(Term::advection)) return 0;
  find_entering(state, forces);
  if (crossings_.empty()) return 0;
  look_for_films(state, forces);
  const ConstBlock flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  others_.setZero(2 * mesh_.face_count());
  add_entering_momentum(flow, others_.data());
  weigh_with_depth();
  double sum = power(flow, others_.data());
  vertex_weight_.setZero(mesh_.vertex_count);
  add_flux(state, forces, 1, vertex_weight_);
  head_.resize(mesh_.vertex_count);
  for (const Crossing& crossing : crossings_) head_[crossing.place.at] = inside_head(flow, crossing.place.at);
  open_head(flow);
  for (const Crossing& crossing : crossings_) {
    const Index vertex = crossing.place.at;
    if (outside_(2, vertex) != 0) continue;
    outside_(2, vertex) = 1;  // seen
    if (has_films_ && in_film_[vertex]) continue;
    sum += (inside_head(flow, vertex) - head_[vertex]) * vertex_weight_[vertex];
  }
  return sum;
}

void Fefv::add_rotation(const State& state, const Forces& forces, Terms terms, double scale,
                        VectorOut flow) const {
  const Index faces = mesh_.face_count();
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const auto velocities = state[velocity()];
  const double *b1 = velocities.data(), *b2 = b1 + faces;
  if (advects) {
    find_entering(state, forces);
    compute_vorticity(velocities, vorticity_);
    open_vorticity(velocities);
    if (has_films_)
      for (Index i = 0; i < mesh_.vertex_count; ++i)
        if (in_film_[i]) vorticity_[i] = 0;
    site_depth(state[volume()], site_depth_);
  }
  const bool projects = advects && options_.rotation != Rotation::plain;
  if (projects) rotation_.setZero(2 * faces);
  double *q0 = corner_flux_.data(), *q1 = q0 + faces, *q2 = q1 + faces;
  double *out1 = projects ? rotation_.data() : flow.data(), *out2 = out1 + faces;
  const double factor = projects ? 1 : scale;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const BarycentricRates turned = quarter_turn(k, {b1[k], b2[k]});
      double vorticity = turns ? forces.coriolis[k] : 0;
      if (advects) {
        // |v|² = 2A (β₁ (Jβ)₂ − β₂ (Jβ)₁)
        const double energy =
            site_depth_[k] > 0 ? geometry_.face_area[k] * (b1[k] * turned.second - b2[k] * turned.first) : 0;
        q0[k] = q1[k] = q2[k] = geometry_.face_area[k] * (1.0 / 3) * energy;
        vorticity +=
            face_mean(vorticity_[corner_[0][k]], vorticity_[corner_[1][k]], vorticity_[corner_[2][k]]);
      }
      out1[k] -= factor * vorticity * turned.first;
      out2[k] -= factor * vorticity * turned.second;
    }
  });
  if (!advects) return;
  // A force, too, feeds the flows that no operator sees. The wave scheme adds it as it is.
  const bool forced = projects && terms.has(Term::force) && forces.has_body_force;
  const bool enters = !entering_.empty();
  if (forced || enters) {
    others_.setZero(2 * faces);
    if (forced) others_ = forces.body_force;
    if (enters) add_entering_momentum(velocities, others_.data());
  }
  if (projects) {
    if (forced || enters) rotation_ += others_;
    // `flow` may be that of the state, which is still to be read.
    project_rotation(velocities, forced || enters ? others_.data() : nullptr);
  } else if (enters) {
    flow += scale * others_;
  }
  head_.setZero(mesh_.vertex_count);
  ring_sum_.add(corner_flux_.data(), 1, head_.data());
  head_.array() *= inverse_area_.array();
  open_head(velocities);
  add_gradient(head_, -scale, has_films_ ? advected_ : ones_, flow);
  if (has_films_) add_upstream_transport(velocities, scale, flow);
  if (projects) flow += scale * rotation_;
  if (forced) flow -= scale * forces.body_force;
}

/// Σ w u·r, m⁵/s³ in the weight ηA.
double Fefv::power(const ConstBlock& flow, const double* rates) const {
  const Index faces = mesh_.face_count();
  double sum = 0;
  for (Index k = 0; k < faces; ++k) {
    const Metric g = metric(k);
    sum += volume_weight_[k] * ((g.g11 * flow[k] + g.g12 * flow[faces + k]) * rates[k] +
                                (g.g12 * flow[k] + g.g22 * flow[faces + k]) * rates[faces + k]);
  }
  return sum;
}

/// rotation_ ← P rotation_, of the rotation and others, a force and what enters (null: none). The rotation does no work, and the projection
/// changes none on a flow that is in the space; what a finite residual, or a flow outside of it, changes is taken back
/// along the flow. Beside dry land the weight is A: with ηA the potentials of the flow would go on through triangles
/// whose weights are next to nothing, in hundreds of iterations, for values that nobody needs.
void Fefv::project_rotation(const ConstBlock& flow, const double* others) const {
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  if (options_.rotation == Rotation::unweighted) {
    vertex_weight_.setOnes(mesh_.vertex_count);
    project_in(geometry_.face_area, options_.projection_tolerance, rotation_.data());
    return;
  }
  weigh_with_depth();
  if (has_films_) vertex_weight_.setOnes(mesh_.vertex_count);
  project_in(has_films_ ? geometry_.face_area : volume_weight_, options_.projection_tolerance,
             rotation_.data());
  const double energy = power(flow, flow.data());
  const double work = others ? power(flow, others) : 0;
  if (energy > 0) rotation_ -= (power(flow, rotation_.data()) - work) / energy * flow;
}

/// volume_weight_, vertex_weight_ of site_depth_ and cell_depth_ as they are.
void Fefv::weigh_with_depth() const {
  const double floor = options_.projection_floor * site_depth_.maxCoeff();
  volume_weight_ = geometry_.face_area.array() * site_depth_.array().max(floor);
  vertex_weight_ = cell_depth_.array().max(floor);
}

/// With vertex_weight_.
void Fefv::project_in(const Vector& weight, double tolerance, double* rates) const {
  unconverged_ =
      !projection_->project(weight, vertex_weight_, tolerance, options_.projection_iterations, rates);
}

Vector* Fefv::memory() const {
  if (options_.rotation == Rotation::plain) return nullptr;
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  return &projection_->memory();
}

/// With advection the flow begins in the space in which its rotation is kept.
void Fefv::project_initial_velocity(Terms terms, State& state) const {
  if (!terms.has(Term::advection) || options_.rotation == Rotation::plain) return;
  if (!projection_) projection_ = std::make_unique<HodgeProjection>(mesh_, geometry_);
  vertex_weight_.setOnes(mesh_.vertex_count);
  constexpr double tolerance = 1e-13;
  projection_->forget();
  projection_->project(geometry_.face_area, vertex_weight_, tolerance, options_.projection_iterations,
                       state[velocity()].data());
  projection_->forget();
}

double Fefv::advection_frequency(const State& state) const {
  const auto flow = state[velocity()];
  compute_vorticity(flow, vorticity_);
  double highest = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const double vorticity =
        std::max({std::abs(vorticity_[mesh_.faces(0, k)]), std::abs(vorticity_[mesh_.faces(1, k)]),
                  std::abs(vorticity_[mesh_.faces(2, k)])});
    const double speed = velocity_vector(flow, k).norm();
    highest = std::max(highest, speed * std::sqrt(highest_frequency_squared(k)) + vorticity);
  }
  return highest;
}

inline Vector3 Fefv::velocity_vector(const ConstBlock& flow, Index face) const {
  if (mesh_.periodic()) {
    const Vector3 x0 = geometry_.corner(mesh_, face, 0);
    return flow[face] * (geometry_.corner(mesh_, face, 1) - x0) +
           flow[mesh_.face_count() + face] * (geometry_.corner(mesh_, face, 2) - x0);
  }
  const Vector3 x0 = geometry_.x.col(mesh_.faces(0, face));
  return flow[face] * (Vector3(geometry_.x.col(mesh_.faces(1, face))) - x0) +
         flow[mesh_.face_count() + face] * (Vector3(geometry_.x.col(mesh_.faces(2, face))) - x0);
}

double Fefv::kinetic_energy(const State& state) const {
  site_depth(state[volume()], site_depth_);
  const ConstBlock flow = state[velocity()];
  double sum = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k)
    sum += geometry_.face_area[k] * site_depth_[k] * velocity_vector(flow, k).squaredNorm();
  return 0.5 * sum;
}

}  // namespace shoal
