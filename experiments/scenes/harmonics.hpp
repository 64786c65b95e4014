// Fields on a sphere as sums of spherical harmonics.
#pragma once

#include "discretizations/common/types.hpp"

#include <complex>
#include <vector>

namespace shoal {

/// f = Σ_lm f_lm Y_lm for l ≤ L, with f_l0 real and only m ≥ 0 stored: a real field has f_l,−m = (−1)ᵐ f_lm*. Orthonormal, with the
/// phase of Condon and Shortley. Order: m = 0 with l = 0 … L, then m = 1 with l = 1 … L, and so on.
using Harmonics = std::vector<std::complex<double>>;

inline std::size_t harmonics_count(int truncation) {
  return std::size_t(truncation + 1) * std::size_t(truncation + 2) / 2;
}
/// visit(index, l, m)
template <class Visit>
void for_each_harmonic(int truncation, const Visit& visit) {
  std::size_t i = 0;
  for (int m = 0; m <= truncation; ++m)
    for (int l = m; l <= truncation; ++l) visit(i++, l, m);
}

/// A tangent field w = ∇a + n×∇b on the unit sphere, by √(l(l+1)) times the harmonics of a and b. Hence the harmonics of its
/// divergence and its curl are −√(l(l+1)) times these.
struct VectorHarmonics {
  Harmonics gradient, curl;
};

/// Values at any points of sums up to one L. The functions take the direction x of a point, of any length.
class HarmonicSum {
 public:
  explicit HarmonicSum(int truncation);
  double scalar(const Harmonics& harmonics, const Vector3& x) const;
  Vector3 vector(const VectorHarmonics& harmonics, const Vector3& x) const;
  /// sum_lm += value Y_lm*(x), and likewise for the fields ∇Y/√(l(l+1)) and n×∇Y/√(l(l+1)).
  void add_scalar(double value, const Vector3& x, Harmonics& sum) const;
  void add_vector(const Vector3& value, const Vector3& x, VectorHarmonics& sum) const;

  /// The harmonics that fit values at points [3, n], that is with the least Σ w |f − Σ f_lm Y_lm|² for weights w [n] > 0, by conjugate
  /// gradients: exact for sums up to L on enough points, and the projection of other fields up to the error of the rule
  /// ∫f dA ≈ Σ w f. Throws Error if the iteration does not converge, on too few points.
  Harmonics fit_scalars(const Points& points, const Vector& weight, const Vector& values) const;
  VectorHarmonics fit_vectors(const Points& points, const Vector& weight, const Points& values) const;

 private:
  /// visit(index, l, m, y, y') in the order of Harmonics: at the longitude 0, y is Y_lm for m = 0 and Y_lm / sin θ, which is finite at
  /// the poles, for m > 0; then y' is the derivative of Y_lm by θ.
  template <class Visit>
  void visit(double cosine, double sine, const Visit& visit) const;

  int truncation_;
  Vector rise_, fall_, slope_;  // of the recursion in l: P_l = rise (cos θ P_l−1 − fall P_l−2)
};

}  // namespace shoal
