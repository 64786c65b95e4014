// Gradient, transport and stiffness operators of fefv, and the limits on bad triangles.
#include "discretizations/common/parallel.hpp"
#include "discretizations/fefv/fefv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {

/// The two limits of Angst 2007 on bad triangles: cosines are kept away from ±1, and angles are limited to
/// [a, 180°−2a] and then rescaled to a sum of 180°, so that the Laplacian stays positive semidefinite.
void Fefv::limit_cotangents() {
  limited_.cotangent = geometry_.cotangent;
  limited_.clamped_angles = 0;
  const double cosine_limit = options_.cosine_limit,
               lower_angle = options_.lower_angle * std::numbers::pi / 180;
  if (cosine_limit == 0 && lower_angle == 0) return;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double cosine = 1 - cosine_limit, upper_angle = std::numbers::pi - 2 * lower_angle;
  const double from_cosine = cosine_limit > 0 ? cosine / std::sqrt(1 - cosine * cosine) : unlimited;
  const double largest = lower_angle > 0 ? 1 / std::tan(lower_angle) : unlimited;
  const double smallest = lower_angle > 0 ? 1 / std::tan(upper_angle) : -unlimited;
  const double high = std::min(from_cosine, largest), low = std::max(-from_cosine, smallest);
  if (limited_.cotangent.maxCoeff() <= high && limited_.cotangent.minCoeff() >= low) return;
  const Range own_faces = own(mesh_, Location::face);
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    if (limited_.cotangent.col(k).maxCoeff() <= high && limited_.cotangent.col(k).minCoeff() >= low) continue;
    limited_.clamped_angles += own_faces.has(k);
    Vector3 limited = limited_.cotangent.col(k).cwiseMin(from_cosine).cwiseMax(-from_cosine);
    if (limited.maxCoeff() > largest || limited.minCoeff() < smallest) {
      Vector3 angles;
      for (int c = 0; c < 3; ++c)
        angles[c] = std::clamp(std::atan2(1.0, limited[c]), lower_angle, upper_angle);
      angles *= std::numbers::pi / angles.sum();
      for (int c = 0; c < 3; ++c) limited[c] = 1 / std::tan(angles[c]);
    }
    limited_.cotangent.col(k) = limited;
  }
}

/// Scales the flux area of a triangle if its longest dual edge exceeds the limit. The dual edges are one
/// third of the medians; the longest belongs to the median of the shortest edge.
void Fefv::limit_fluxes() {
  limited_.flux_area = geometry_.face_area;
  limited_.clamped_fluxes = 0;
  if (std::isinf(options_.max_divergence_edge)) return;
  const Range own_faces = own(mesh_, Location::face);
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    Vector3 squared;
    for (int c = 0; c < 3; ++c) squared[c] = std::pow(geometry_.edge_length[mesh_.face_edges(c, k)], 2);
    const double longest = std::sqrt(2 * squared.sum() - 3 * squared.minCoeff()) / 6;
    if (longest <= options_.max_divergence_edge) continue;
    limited_.flux_area[k] *= options_.max_divergence_edge / longest;
    limited_.clamped_fluxes += own_faces.has(k);
  }
}

void Fefv::refresh_operators() {
  const Index faces = mesh_.face_count();
  limit_cotangents();
  limit_fluxes();
  limited_.stiffness.resize(3, faces);
  for (Vector* gradient : {&limited_.gradient_11, &limited_.gradient_12, &limited_.gradient_22})
    gradient->resize(faces);
  const double *__restrict cot = limited_.cotangent.data(), *__restrict area = geometry_.face_area.data(),
                           *__restrict flux_area = limited_.flux_area.data();
  double *__restrict g11 = limited_.gradient_11.data(), *__restrict g12 = limited_.gradient_12.data(),
                     *__restrict g22 = limited_.gradient_22.data(), *__restrict stiffness = limited_.stiffness.data();
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
  limited_.clamped_cotangents = 0;
  if (options_.zero_negative_cotangents) {
    cotangent_weights(ones_, edge_weight_);
    const Range own_edges = own(mesh_, Location::edge);
    limited_.clamped_cotangents =
        static_cast<Index>((edge_weight_.segment(own_edges.begin, own_edges.count).array() < 0).count());
  }
}

/// Updates the intrinsic Delaunay triangulation to the current positions.
void Fefv::follow_flips() {
  if (!follow_delaunay(delaunay_, mesh_, geometry_)) return;
  laplacian_ = EdgeLaplacian(mesh_.vertex_count, delaunay_.mesh.edges);
  ++pattern_version_;
}

void Fefv::add_mass_flux(const State& state, double scale, VectorOut out, WaveScratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  const auto flow = state[velocity()];
  compute_cell_depth(state[volume()], s.cell_depth);
  if (options_.continuity == Continuity::advective)
    return add_advective_rate(flow, s.cell_depth, scale, ones_, out, s);
  if (options_.flux_depth == FluxDepth::edge)
    return add_dual_edge_flux(flow, s.cell_depth, scale, ones_, out, s);
  const double* __restrict depth = s.cell_depth.data();
  const Index *__restrict i0 = corner_[0].data(), *__restrict i1 = corner_[1].data(),
              *__restrict i2 = corner_[2].data();
  add_transport(
      flow, scale,
      [=](Index k) {
        const double mean = face_mean(depth[i0[k]], depth[i1[k]], depth[i2[k]]);
        return mean < 0 ? 0 : mean;
      },
      out, s);
}

void Fefv::add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut out,
                          WaveScratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  if (options_.continuity == Continuity::advective)
    return add_advective_rate(flow, shore.cell_depth, scale, shore.opening, out, s);
  if (options_.flux_depth == FluxDepth::edge)
    return add_dual_edge_flux(flow, shore.cell_depth, scale, shore.opening, out, s);
  WaveScheme::add_shore_flux(flow, shore, scale, out, s);
}

/// out += scale · (−Aᵢ ηᵢ ∇·v), with triangles weighted by `opening`.
void Fefv::add_advective_rate(VectorIn flow, const Vector& cell_depth, double scale, const Vector& opening,
                              VectorOut out, FefvScratch& s) const {
  s.inflow.setZero(mesh_.vertex_count);
  add_transport(
      flow, scale, [open = opening.data()](Index k) { return open[k]; }, s.inflow, s);
  out.array() += cell_depth.array() * s.inflow.array();
}

void Fefv::site_mean(const Vector& at_cells, Vector& at_sites) const {
  average_to_faces(mesh_, at_cells, at_sites);
}

void Fefv::add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const {
  const Index faces = mesh_.face_count();
  const double* __restrict value = p.data();
  const double* __restrict w = weight.data();
  const double *__restrict g11 = limited_.gradient_11.data(), *__restrict g12 = limited_.gradient_12.data(),
               *__restrict g22 = limited_.gradient_22.data();
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
void Fefv::add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                       Scratch& scratch) const {
  add_transport(
      flow, -scale, [w = weight.data()](Index k) { return w[k]; }, out, of_fefv(scratch));
}

/// out += scale · Σₖ Aₖ depth(k) βᵢₖ. The three inflows of a face sum to exactly zero, so that mass is
/// conserved.
template <class Depth>
void Fefv::add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out,
                         FefvScratch& s) const {
  const Index faces = mesh_.face_count();
  const double* __restrict area = limited_.flux_area.data();
  const double* __restrict b1 = flow.data(), * __restrict b2 = flow.data() + faces;
  double* __restrict q0 = s.corner_flux.data(), * __restrict q1 = q0 + faces, * __restrict q2 = q1 + faces;
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
  ring_sum_.add(s.corner_flux.data(), scale, out.data());
}

/// (5.12): the flux through the dual edge between corners i and j uses the mean of their depths, times the
/// opening of the triangle; normal times length of the dual edge is Aₖ(∇φⱼ−∇φᵢ)/3. Fluxes are antisymmetric;
/// with dry_outflow = closed, none leaves a dry cell.
void Fefv::add_dual_edge_flux(VectorIn flow, const Vector& cell_depth, double scale, const Vector& opening,
                              VectorOut out, FefvScratch& s) const {
  const Index faces = mesh_.face_count();
  const bool closes = options_.dry.closed;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double b1 = limited_.flux_area[k] * flow[k], b2 = limited_.flux_area[k] * flow[faces + k];
      const double b[3] = {-(b1 + b2), b1, b2};
      double eta[3], flux[3];
      for (int c = 0; c < 3; ++c) eta[c] = cell_depth[corner_[c][k]];
      for (int c = 0; c < 3; ++c) {  // from corner c to corner c+1
        const int next = (c + 1) % 3;
        flux[c] = opening[k] * (0.5 * (eta[c] + eta[next])) * (b[next] - b[c]) / 3;
        if (closes && eta[flux[c] > 0 ? c : next] <= 0) flux[c] = 0;
      }
      for (int c = 0; c < 3; ++c) s.corner_flux[c * faces + k] = flux[(c + 2) % 3] - flux[c];
    }
  });
  ring_sum_.add(s.corner_flux.data(), scale, out.data());
}

/// −Kᵢⱼ = ½ Σ w cot over the edge's faces: the cotangent Laplacian (4.7) with a weight per face.
void Fefv::cotangent_weights(const Vector& face_weight, Vector& weights) const {
  weights.setZero(mesh_.edge_count());
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) weights[mesh_.face_edges(c, k)] += face_weight[k] * limited_.stiffness(c, k);
}

/// The same on the intrinsic triangles. Their weights are means over the vertices' weights, so that constant
/// weights stay constant.
void Fefv::intrinsic_weights(const Vector& face_weight, Vector& weights, FefvScratch& s) const {
  s.vertex_weight.setZero(mesh_.vertex_count);
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) s.vertex_weight[mesh_.faces(c, k)] += geometry_.face_area[k] * face_weight[k];
  s.vertex_weight.array() /= 3 * geometry_.vertex_area.array();
  const Mesh& mesh = delaunay_.mesh;
  weights.setZero(mesh.edge_count());
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const double half = 0.5 * face_mean(s.vertex_weight[mesh.faces(0, k)], s.vertex_weight[mesh.faces(1, k)],
                                        s.vertex_weight[mesh.faces(2, k)]);
    for (int c = 0; c < 3; ++c) weights[mesh.face_edges(c, k)] += half * delaunay_.cotangent(c, k);
  }
  for (Index e = 0; e < mesh.edge_count(); ++e)
    // loop at a sharp tip: both ends are one vertex
    if (mesh.edges(0, e) == mesh.edges(1, e)) weights[e] = 0;
}

void Fefv::edge_weights(const Vector& face_weight, Vector& weights, FefvScratch& s) const {
  if (options_.intrinsic_laplacian) return intrinsic_weights(face_weight, weights, s);
  cotangent_weights(face_weight, weights);
  if (options_.zero_negative_cotangents) weights = weights.cwiseMax(0.0);
}

void Fefv::add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                         Scratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  edge_weights(weight, s.edge_weight, s);
  laplacian_.add_product(p, scale, s.edge_weight, out);
}

void Fefv::assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                    Scratch& scratch) const {
  FefvScratch& s = of_fefv(scratch);
  edge_weights(weight, s.edge_weight, s);
  laplacian_.assemble(diagonal, scale, s.edge_weight, matrix);
}

/// Uses the wave speed with the largest r of the corners.
double Fefv::stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const {
  const WaveForces& waves = WaveForces::of(forces);
  site_depth(state[volume()], s.site_depth, s);
  const Vector& r = waves.root_acceleration;
  const auto frequency_squared = [&](Index k) {
    const double root = std::max({r[mesh_.faces(0, k)], r[mesh_.faces(1, k)], r[mesh_.faces(2, k)]});
    return waves.site_root_acceleration[k] * root * s.site_depth[k] * limited_.flux_area[k] /
           geometry_.face_area[k] * highest_frequency_squared(k);
  };
  return 2 / std::sqrt(std::max(max(mesh_, Location::face, frequency_squared), 0.0));
}

}  // namespace shoal
