// The projection of tangent vectors on triangles onto gradients and rotated gradients of piecewise linear
// functions.
//
// A vector per triangle has 2F ≈ 4V components. Piecewise linear depth and vorticity determine 2V of them,
// the space
//
//     S = ∇P1 ⊕ n×∇P1⁰ ⊕ H,    r = ∇φ − n×∇ψ + Σ a_m h_m,
//
// with ψ constant on each boundary and H the 2g closed fields on a surface of genus g (cohomology.hpp). The
// other components are inert: no operator depends on them, and a vorticity term that excites them destroys a
// balanced flow (Danilov 2010, doi:10.1007/s10236-010-0339-6; McRae & Cotter 2014, doi:10.1002/qj.2291). P is
// orthogonal in Σ_k w_k r·s. With w = η A it does no work on a flow v in S: ⟨v, P r⟩ = ⟨v, r⟩.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/operators/cohomology.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"

#include <memory>

namespace shoal {

class HodgeProjection {
 public:
  HodgeProjection(const Mesh& mesh, const Geometry& geometry);
  ~HodgeProjection();
  HodgeProjection(HodgeProjection&&) noexcept;

  /// Call after a change of the geometry. The factors of the previous geometry remain preconditioners while
  /// the shapes are similar; they are recomputed after a projection that needed more than 40 iterations.
  void refresh();

  /// Replaces the rates [2·nF] of vectors r by those of P r. weight [nF]: w > 0, m³ or m²; density [nV]: w
  /// over area at the vertices, scales the preconditioner. Uses conjugate gradients, started from a combination
  /// of the last solutions and preconditioned by the two Laplacians, until the norm of the residual is `tolerance` times that of the initial guess zero; a single
  /// solve if w is uniform and the factors belong to this geometry. Returns whether it converged within
  /// `max_iterations`.
  bool project(const Vector& weight, const Vector& density, double tolerance, int max_iterations,
               double* rates);
  /// The same, started from zero; the stored solution is kept.
  bool project_apart(const Vector& weight, const Vector& density, double tolerance, int max_iterations,
                     double* rates);
  int iterations() const { return iterations_; }  ///< of the last projection

  /// Starts the next projection from zero instead of the last solutions.
  void forget() { memory_.head(kept * unknowns()).setZero(); }
  /// Potentials [φ, ψ, a] of the last solutions, the latest first, and the cotangents [3·nF] for which the factors were
  /// computed.
  Vector& memory() { return memory_; }

 private:
  static constexpr int kept = 4;  // solutions
  struct Factors;
  Index unknowns() const { return phi_count_ + psi_count_ + static_cast<Index>(forms_.size()); }
  void factorize();
  void measure_forms();
  void to_faces(const double* x, double* rates) const;
  void combine_earlier(const Vector& weight);
  void gather(const Vector& weight, const double* rates, Vector& sums);
  void precondition(const Vector& residual, Vector& z);

  const Mesh& mesh_;
  const Geometry& geometry_;
  const bool closed_;
  Index phi_count_ = 0, psi_count_ = 0;
  Array<Index> psi_of_vertex_;  // one unknown per interior vertex, one per boundary
  Array<Index> corner_[3], psi_corner_[3];
  GatherSum<6> phi_sum_, psi_sum_;
  std::vector<ClosedForm> forms_;
  Eigen::MatrixXd form_rates_;    // [2·nF, 2g]
  Eigen::MatrixXd inverse_gram_;  // [2g, 2g] inverse Gram matrix of the forms with weight A
  std::unique_ptr<Factors> factors_;
  Vector factorized_;  // [3·nF] the cotangents of the factors; empty before the first factorization
  bool forms_measured_ = false;
  int iterations_ = 0;

  Vector memory_, apart_;
  Eigen::MatrixXd basis_, images_;  // [unknowns, kept]
  Vector density_root_, residual_, z_, direction_, image_, sums_;
  Vector field_, corner_flux_;  // [2·nF], [3·nF + 1]
};

}  // namespace shoal
