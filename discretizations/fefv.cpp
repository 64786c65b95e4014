// Operators of the mixed FE/FV scheme, and its guards against bad triangles.
#include "discretizations/fefv.hpp"

#include "discretizations/operators/p1.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

DiscretizationEntry fefv() {
  ParameterInfos parameters = common_parameters();
  parameters.push_back(
      number("lower_angle", "degree", 10, 0, 59,
             "angles of a triangle are kept within [a, 180−2a] in the gradient; 0 switches it off"));
  parameters.push_back(
      number("cosine_limit", "1", 0, 0, 0.5, "cosines are kept this far from ±1 in the gradient"));
  parameters.push_back(
      choice("negative_cotangents", {"keep", "zero"},
             "negative cotangent weights of the Laplacian (implicit-euler and newmark only)"));
  parameters.push_back(
      choice("flux_depth", {"face", "edge"},
             "depth in the mass flux: mean of the triangle, or of the edge's ends (explicit only)"));
  return describe<Fefv>("fefv", "depth at vertices, velocity on triangles; mixed FE/FV (Angst 2007, 4.4)",
                        parameters);
}

Fefv::Fefv(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
           const Parameters& parameters)
    : WaveScheme(mesh, geometry, parameters),
      lower_angle_(parameters.number("lower_angle") * std::numbers::pi / 180),
      cosine_limit_(parameters.number("cosine_limit")),
      zero_negative_cotangents_(parameters.text("negative_cotangents") == "zero"),
      edge_depth_(parameters.text("flux_depth") == "edge"),
      laplacian_(mesh.vertex_count, mesh.edges) {
  cells_.location = Location::vertex;
  cells_.area = geometry.vertex_area;
  cells_changed();
  cells_.points = geometry.x;
  cells_.bed.resize(mesh.vertex_count);
  cells_.of_element.resize(static_cast<std::size_t>(mesh.vertex_count));
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    cells_.bed[i] = bed_depth(geometry.x.col(i));
    cells_.of_element[static_cast<std::size_t>(i)] = i;
  }
  refresh_operators();
}

/// The thesis's two guards against bad triangles: cosines away from ±1, and angles cut to [a, 180°−2a], then
/// rescaled so that they are again those of a triangle, whose Laplacian is positive.
Vector3 Fefv::limited_cotangents(const Vector3& cotangents, Index& clamped) const {
  Vector3 limited = cotangents;
  bool changed = false;
  if (cosine_limit_ > 0) {
    const double limit = 1 - cosine_limit_;
    const double largest = limit / std::sqrt(1 - limit * limit);
    for (double& c : limited) {
      if (std::abs(c) <= largest) continue;
      c = std::copysign(largest, c);
      changed = true;
    }
  }
  if (lower_angle_ > 0) {
    const double upper_angle = std::numbers::pi - 2 * lower_angle_;
    const double largest = 1 / std::tan(lower_angle_), smallest = 1 / std::tan(upper_angle);
    if (limited.maxCoeff() > largest || limited.minCoeff() < smallest) {
      Vector3 angles;
      for (int c = 0; c < 3; ++c)
        angles[c] = std::clamp(std::atan2(1.0, limited[c]), lower_angle_, upper_angle);
      angles *= std::numbers::pi / angles.sum();
      for (int c = 0; c < 3; ++c) limited[c] = 1 / std::tan(angles[c]);
      changed = true;
    }
  }
  clamped += changed;
  return limited;
}

void Fefv::refresh_operators() {
  const Index faces = mesh_.face_count();
  gradient_.resize(6, faces);
  area_gradient_.resize(6, faces);
  cotangent_.resize(3, faces);
  corner_flux_.resize(3, faces);
  clamped_angles_ = 0;
  for (Index k = 0; k < faces; ++k) {
    cotangent_.col(k) = limited_cotangents(geometry_.cotangent.col(k), clamped_angles_);
    const Vector3 x0 = geometry_.x.col(mesh_.faces(0, k));
    const Vector3 x1 = geometry_.x.col(mesh_.faces(1, k));
    const Vector3 x2 = geometry_.x.col(mesh_.faces(2, k));
    const double twice_area = 2 * geometry_.face_area[k];
    const auto cot = cotangent_.col(k);
    // (4.5): the gradient as a cotangent-weighted sum of the corner's outgoing edges.
    gradient_.col(k).head<3>() = (cot[2] * (x1 - x0) + cot[0] * (x1 - x2)) / twice_area;
    gradient_.col(k).tail<3>() = (cot[1] * (x2 - x0) + cot[0] * (x2 - x1)) / twice_area;
    area_gradient_.col(k).head<3>() = area_gradient(mesh_, geometry_, k, 1);
    area_gradient_.col(k).tail<3>() = area_gradient(mesh_, geometry_, k, 2);
  }
  clamped_cotangents_ = 0;
  if (zero_negative_cotangents_) {
    cotangent_weights(Vector::Ones(faces), edge_weight_);
    clamped_cotangents_ = static_cast<Index>((edge_weight_.array() < 0).count());
  }
}

std::vector<ClampCount> Fefv::clamp_counts(const State& state) const {
  std::vector<ClampCount> counts = WaveScheme::clamp_counts(state);
  counts.push_back({"clamped_angles", clamped_angles_});
  counts.push_back({"clamped_cotangents", clamped_cotangents_});
  return counts;
}

State Fefv::project(const Fields& fields) const {
  State state;
  state.volume.resize(mesh_.vertex_count);
  for (Index i = 0; i < mesh_.vertex_count; ++i)
    state.volume[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
  state.flow.setZero(3 * mesh_.face_count());
  if (!fields.velocity) return state;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const Vector3 normal = geometry_.face_normal.col(k);
    const Vector3 velocity = fields.velocity(geometry_.centroid(mesh_, k));
    state.flow.segment<3>(3 * k) = velocity - normal * normal.dot(velocity);
  }
  return state;
}

void Fefv::add_depth_rate(const State& state, double scale, Vector& volume) const {
  if (edge_depth_) return add_outflow_edge_depth(state, -scale, volume);
  WaveScheme::add_depth_rate(state, scale, volume);
}

void Fefv::site_mean(const Vector& at_cells, Vector& at_sites) const {
  average_to_faces(mesh_, at_cells, at_sites);
}

void Fefv::require(Use use) const {
  if (edge_depth_ && use != Use::split_rates)
    throw Refusal(
        "flux_depth = edge is for the explicit integrator only: it makes divergence and gradient not "
        "adjoint; use "
        "flux_depth = face");
  if (zero_negative_cotangents_ && use != Use::laplacian)
    throw Refusal(
        "negative_cotangents = zero is for implicit-euler and newmark only: it makes the Laplacian differ "
        "from "
        "divergence times gradient; use negative_cotangents = keep");
}

void Fefv::add_gradient(const Vector& p, double scale, const Vector& weight, Vector& flow) const {
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const double p0 = p[mesh_.faces(0, k)];
    const double factor = scale * weight[k];
    const double d1 = factor * (p[mesh_.faces(1, k)] - p0), d2 = factor * (p[mesh_.faces(2, k)] - p0);
    const double* g = gradient_.col(k).data();
    double* v = flow.data() + 3 * k;
    v[0] += d1 * g[0] + d2 * g[3];
    v[1] += d1 * g[1] + d2 * g[4];
    v[2] += d1 * g[2] + d2 * g[5];
  }
}

/// (D(w) u)ᵢ = −Σₖ Aₖ wₖ uₖ·∇φᵢₖ. Each face's three outflows add up to zero exactly, hence mass is conserved.
void Fefv::add_outflow(const Vector& flow, double scale, const Vector& weight, Vector& out) const {
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const double* g = area_gradient_.col(k).data();
    const double* v = flow.data() + 3 * k;
    const double out1 = -weight[k] * (v[0] * g[0] + v[1] * g[1] + v[2] * g[2]);
    const double out2 = -weight[k] * (v[0] * g[3] + v[1] * g[4] + v[2] * g[5]);
    double* q = corner_flux_.col(k).data();
    q[0] = -(out1 + out2);
    q[1] = out1;
    q[2] = out2;
  }
  gather_corners(scale, out);
}

/// (5.12): the dual edge between corners i and j carries ½(ηᵢ+ηⱼ); its normal times length is Aₖ(∇φⱼ−∇φᵢ)/3.
void Fefv::add_outflow_edge_depth(const State& state, double scale, Vector& out) const {
  cell_depth_ = state.volume.cwiseProduct(inverse_area_);
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const Vector3 v = state.flow.segment<3>(3 * k);
    const double b1 = v.dot(area_gradient_.col(k).head<3>()), b2 = v.dot(area_gradient_.col(k).tail<3>());
    const double b[3] = {-(b1 + b2), b1, b2};
    double eta[3], flux[3];
    for (int c = 0; c < 3; ++c) eta[c] = cell_depth_[mesh_.faces(c, k)];
    for (int c = 0; c < 3; ++c) {  // from corner c to corner c+1
      const int next = (c + 1) % 3;
      flux[c] = 0.5 * (eta[c] + eta[next]) * (b[next] - b[c]) / 3;
    }
    for (int c = 0; c < 3; ++c) corner_flux_(c, k) = flux[c] - flux[(c + 2) % 3];
  }
  gather_corners(scale, out);
}

void Fefv::gather_corners(double scale, Vector& out) const {
  const double* q = corner_flux_.data();
  for (Index i = 0; i < mesh_.vertex_count; ++i) {
    double sum = 0;
    for (Index j = mesh_.ring_start[static_cast<std::size_t>(i)];
         j < mesh_.ring_start[static_cast<std::size_t>(i) + 1]; ++j)
      sum += q[mesh_.ring_corner[static_cast<std::size_t>(j)]];
    out[i] += scale * sum;
  }
}

/// −Kᵢⱼ = ½ Σ w cot over the edge's faces: the cotangent Laplacian (4.7) with a weight per face.
void Fefv::cotangent_weights(const Vector& face_weight, Vector& weights) const {
  weights.setZero(mesh_.edge_count());
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) weights[mesh_.face_edges(c, k)] += 0.5 * face_weight[k] * cotangent_(c, k);
}

void Fefv::edge_weights(const Vector& face_weight, Vector& weights) const {
  cotangent_weights(face_weight, weights);
  if (zero_negative_cotangents_) weights = weights.cwiseMax(0.0);
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

/// Symplectic Euler is stable for ωΔt < 2. ω² is bounded by the largest eigenvalue of any triangle's own
/// stiffness against its own share A/3 of the lumped mass (Fried 1972), taken with the largest r of its
/// corners; on equilateral meshes the bound is attained.
double Fefv::stable_dt(const State& state) const {
  site_depth(state.volume, site_depth_);
  double omega_squared = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const double a = 0.5 * cotangent_(0, k), b = 0.5 * cotangent_(1, k), c = 0.5 * cotangent_(2, k);
    const double eigenvalue =
        a + b + c + std::sqrt(std::max(0.0, a * a + b * b + c * c - a * b - b * c - c * a));
    const Vector& r = root_acceleration();
    const double root = std::max({r[mesh_.faces(0, k)], r[mesh_.faces(1, k)], r[mesh_.faces(2, k)]});
    const double weight = site_root_acceleration()[k] * root * site_depth_[k];
    omega_squared = std::max(omega_squared, weight * 3 * eigenvalue / geometry_.face_area[k]);
  }
  return 2 / std::sqrt(omega_squared);
}

double Fefv::kinetic_energy(const State& state) const {
  site_depth(state.volume, site_depth_);
  double sum = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k)
    sum += geometry_.face_area[k] * site_depth_[k] * state.flow.segment<3>(3 * k).squaredNorm();
  return 0.5 * sum;
}

void Fefv::face_velocity(const State& state, Points& velocity) const {
  velocity = Eigen::Map<const Points>(state.flow.data(), 3, mesh_.face_count());
}

void Fefv::vertex_vorticity(const State& state, Vector& vorticity) const {
  vorticity_from_faces(mesh_, geometry_, Eigen::Map<const Points>(state.flow.data(), 3, mesh_.face_count()),
                       vorticity);
}

void Fefv::vertex_depth(const State& state, Vector& depth) const {
  depth = state.volume.cwiseProduct(inverse_area_);
}

void Fefv::face_depth(const State& state, Vector& depth) const {
  site_depth(state.volume, depth);
}

}  // namespace shoal
