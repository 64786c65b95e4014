// Eigenpairs of symmetric problems with a diagonal mass, and eigenvalues of small general matrices.
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"

#include <complex>
#include <vector>

namespace shoal {

/// Solutions of K z = λ M z.
struct Eigenpairs {
  Vector value;            ///< [count] λ, ascending
  Eigen::MatrixXd vector;  ///< [n, count], zᵢᵀ M zⱼ = δᵢⱼ
  double residual = 0;  ///< largest ‖K z − λ M z‖ in the norm of M⁻¹, relative to the largest eigenvalue
};

enum class End { lowest, highest };

/// Pairs first … first + count − 1 in ascending order, by LAPACK's dense solver: O(n³) time, 16 n² bytes.
/// `k` is the lower triangle of a symmetric matrix, `mass` [n] positive.
Eigenpairs dense_eigenpairs(const SymmetricMatrix& k, const Vector& mass, Index first, Index count);

/// The `count` lowest or highest pairs of a positive semidefinite `k`, by a block Krylov method with full
/// orthogonalisation and thick restarts (Stewart 2002, doi:10.1137/S0895479800371529). For the lowest pairs it iterates
/// with (K + σM)⁻¹, which needs one sparse Cholesky factorization. Blocks of 8 find eigenvalues of multiplicity up to 8
/// reliably. Throws Refusal if it does not converge to a relative residual of 1e-10.
Eigenpairs sparse_eigenpairs(const SymmetricMatrix& k, const Vector& mass, End end, Index count);

/// Pairs first … first + count − 1, by the faster of the two methods. Throws Refusal if neither can compute them: pairs
/// more than `max_iterated_pairs` from both ends of a matrix with more than `largest_dense_matrix` rows.
///
/// Eigenvectors of equal eigenvalues form an arbitrary basis of their space, which is reproducible with the same program
/// on the same machine. The sign makes the entry of largest modulus positive (the first one, if several agree to 1e-6).
Eigenpairs eigenpairs(const SymmetricMatrix& k, const Vector& mass, Index first, Index count);
constexpr Index max_iterated_pairs = 100, largest_dense_matrix = 12000;

/// Solutions of A z = s z for a general square matrix.
struct GeneralEigenpairs {
  std::vector<std::complex<double>> value;  ///< by ascending imaginary, then real part
  Eigen::MatrixXcd vector;                  ///< column i belongs to value[i] and has norm 1
};
GeneralEigenpairs general_eigenpairs(Eigen::MatrixXd matrix);

}  // namespace shoal
