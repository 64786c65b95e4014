// fefv: mixed finite elements and finite volumes (Angst 2007, §4.4). Depth is piecewise linear at vertices
// and lives on their barycentric dual cells, velocity is one tangential vector per triangle.
//
//   gradient     (G p)ₖ = Σᵢ pᵢ ∇φᵢₖ                                                  (4.5)
//   mass flux    Vᵢ_t = Σₖ Aₖ η̄ₖ vₖ·∇φᵢₖ  (flux_depth = face: η̄ₖ the triangle's mean, zero if negative)
//                or, through each dual edge, ½(ηᵢ+ηⱼ) vₖ·(normal × length)  (flux_depth = edge)   (5.12)
//   momentum     vₖ_t = aₙ∇h + ½η∇aₙ                                                  (5.13, advection left
//   out)
//
// With the face depth D(η) = −Gᵀ W diag(η̄), W = diag(Aₖ): kinetic and potential energy are exchanged exactly.
// The gradient may be limited on bad triangles (parameters lower_angle, cosine_limit); the mass flux never
// is, so that D G stays symmetric with the limited cotangents.
#pragma once

#include "discretizations/operators/edge_laplacian.hpp"
#include "discretizations/wave_scheme.hpp"

namespace shoal {

class Fefv final : public WaveScheme {
 public:
  Fefv(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
       const Parameters& parameters);

  State project(const Fields& fields) const override;
  double stable_dt(const State& state) const override;
  std::vector<ClampCount> clamp_counts(const State& state) const override;
  void require(Use use) const override;

  double kinetic_energy(const State& state) const override;
  void face_velocity(const State& state, Points& velocity) const override;
  void vertex_vorticity(const State& state, Vector& vorticity) const override;
  void vertex_depth(const State& state, Vector& depth) const override;
  void face_depth(const State& state, Vector& depth) const override;
  Index flow_size() const override { return 3 * mesh_.face_count(); }
  std::pair<const char*, Index> flow_element(Index index) const override { return {"face", index / 3}; }

  void add_depth_rate(const State& state, double scale, Vector& volume) const override;

  Index sites() const override { return mesh_.face_count(); }
  void add_gradient(const Vector& p, double scale, const Vector& weight, Vector& flow) const override;
  void add_outflow(const Vector& flow, double scale, const Vector& weight, Vector& out) const override;
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const override;
  SymmetricMatrix stiffness_pattern() const override { return laplacian_.pattern(); }
  void assemble(const Vector& diagonal, double scale, const Vector& weight,
                SymmetricMatrix& matrix) const override;

 private:
  using Gradients =
      Eigen::Matrix<double, 6, Eigen::Dynamic>;  // two 3-vectors per face; the third is minus their sum

  void cell_acceleration(const Vector& at_vertices, Vector& at_cells) const override {
    at_cells = at_vertices;
  }
  void site_mean(const Vector& at_cells, Vector& at_sites) const override;
  void refresh_operators();
  Vector3 limited_cotangents(const Vector3& cotangents, Index& clamped) const;
  void add_outflow_edge_depth(const State& state, double scale, Vector& out) const;
  void cotangent_weights(const Vector& face_weight, Vector& weights) const;
  void edge_weights(const Vector& face_weight, Vector& weights) const;
  void gather_corners(double scale, Vector& out) const;

  double lower_angle_, cosine_limit_;
  bool zero_negative_cotangents_, edge_depth_;

  Gradients gradient_;       // ∇φ of corners 1 and 2 with limited cotangents
  Gradients area_gradient_;  // Aₖ∇φ of corners 1 and 2, never limited
  Points cotangent_;         // [3, nF] after limiting
  EdgeLaplacian laplacian_;
  Index clamped_angles_ = 0, clamped_cotangents_ = 0;

  mutable Points corner_flux_;  // [3, nF]
  mutable Vector edge_weight_;
};

DiscretizationEntry fefv();

}  // namespace shoal
