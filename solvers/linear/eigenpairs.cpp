// Dense eigenproblems by LAPACK (part of OpenBLAS), large ones by block Krylov spaces. Blocks are necessary
// because Krylov spaces of single vectors miss copies of multiple eigenvalues, which symmetry causes: Spectra
// 1.0.1 finds 19 of the 20 lowest eigenvalues of a Laplacian on icosphere:3, and reports success.
#include "solvers/linear/eigenpairs.hpp"

#include "discretizations/common/array.hpp"
#include "discretizations/common/error.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

extern "C" {
void openblas_set_num_threads(int threads);
void dsyevr_(const char* job, const char* range, const char* triangle, const int* n, double* a,
             const int* lda, const double* low, const double* high, const int* first, const int* last,
             const double* tolerance, int* found, double* w, double* z, const int* ldz, int* support,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda, double* real,
            double* imaginary, double* vl, const int* ldvl, double* vr, const int* ldvr, double* work,
            const int* lwork, int* info);
}

namespace shoal {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr Index block_size = 8;
constexpr double convergence = 1e-10;  // of ‖S x − θ x‖ relative to θ
constexpr int max_restarts = 60, restarts_between_growths = 4;
constexpr Index max_kept = 256;
constexpr Index quickly_dense = 1500;  // below it the dense solver takes about a second

void require_success(int info, const char* routine) {
  if (info != 0) throw MachineError(fmt::format("LAPACK's {} failed with info = {}", routine, info));
}

/// Pairs first … first + count − 1 of a dense symmetric matrix (lower triangle, destroyed).
void solve_dense(Matrix& a, Index first, Index count, Vector& value, Matrix& vector) {
  openblas_set_num_threads(1);  // the same bits for any number of processors
  const int n = static_cast<int>(a.rows()), low = first + 1, high = first + count;
  const double unused = 0, tolerance = 0;
  Array<int> support(2 * count + 2), iwork(1);
  Array<double> work(1);
  Vector all(n);
  vector.resize(n, count);
  int found = 0, info = 0, lwork = -1, liwork = -1;
  const auto call = [&] {
    dsyevr_("V", "I", "L", &n, a.data(), &n, &unused, &unused, &low, &high, &tolerance, &found, all.data(),
            vector.data(), &n, support.data(), work.data(), &lwork, iwork.data(), &liwork, &info);
    require_success(info, "dsyevr");
  };
  call();  // asks for the sizes of the work space
  lwork = static_cast<int>(work[0]);
  liwork = iwork[0];
  work.resize(lwork);
  iwork.resize(liwork);
  call();
  value = all.head(count);
}

/// S = M^(−½) K M^(−½), whose eigenvectors are M^(½) z.
class ScaledMatrix {
 public:
  ScaledMatrix(const SymmetricMatrix& k, const Vector& mass) : s_(k), root_(mass.cwiseSqrt()) {
    for (Index column = 0; column < s_.outerSize(); ++column)
      for (SymmetricMatrix::InnerIterator entry(s_, column); entry; ++entry)
        entry.valueRef() /= root_[entry.row()] * root_[column];
  }

  Index size() const { return static_cast<Index>(s_.rows()); }
  const SymmetricMatrix& lower() const { return s_; }
  const Vector& root_mass() const { return root_; }
  /// An upper bound of the eigenvalues of S (Gershgorin).
  double bound() const {
    Vector sum = Vector::Zero(size());
    for (Index column = 0; column < s_.outerSize(); ++column)
      for (SymmetricMatrix::InnerIterator entry(s_, column); entry; ++entry) {
        sum[entry.row()] += std::abs(entry.value());
        if (entry.row() != column) sum[column] += std::abs(entry.value());
      }
    return sum.maxCoeff();
  }
  void apply(const Matrix& x, Matrix& y) const { y.noalias() = s_.selfadjointView<Eigen::Lower>() * x; }

 private:
  SymmetricMatrix s_;
  Vector root_;
};

/// (S + σ)⁻¹.
class ShiftedInverse {
 public:
  ShiftedInverse(const ScaledMatrix& s, double shift) : shifted_(s.lower()) {
    const LinearSolverEntry entry = cholmod();
    solver_ = entry.make(Parameters(entry.parameters, {}));
    for (Index column = 0; column < shifted_.outerSize(); ++column)
      shifted_.coeffRef(column, column) += shift;
    solver_->analyze(shifted_);
    if (const SolverReport report = solver_->factorize(shifted_, clock_); !report.ok)
      throw Refusal("no eigenvectors: " + report.reason);
  }
  void apply(const Matrix& x, Matrix& y) const {
    y.resize(x.rows(), x.cols());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      solver_->solve(x.col(j), solution_, clock_);
      y.col(j) = solution_;
    }
  }

 private:
  SymmetricMatrix shifted_;
  std::unique_ptr<LinearSolver> solver_;
  mutable Vector solution_;
  mutable StageClock clock_;  // not used
};

/// Orthonormalises the columns of `block` against each other and the first `size` columns of `basis`, and returns the factor R
/// with block = columns · R + (its part in the basis). A column that depends on the others is replaced by a random one, with a
/// zero row of R.
void orthonormalize(const Matrix& basis, Index size, std::mt19937_64& engine, Matrix& block, Matrix& factor) {
  const auto known = basis.leftCols(size);
  const Eigen::Index columns = block.cols();
  std::normal_distribution<double> normal;
  factor.setZero(columns, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const double before = block.col(j).norm();
    const auto project = [&](bool record) {
      for (int pass = 0; pass < 2; ++pass) {
        block.col(j) -= known * (known.transpose() * block.col(j));
        for (Eigen::Index i = 0; i < j; ++i) {
          const double part = block.col(i).dot(block.col(j));
          block.col(j) -= part * block.col(i);
          if (record) factor(i, j) += part;
        }
      }
      return block.col(j).norm();
    };
    double norm = project(true);
    if (norm > 1e-12 * before && norm > 0) {
      factor(j, j) = norm;
    } else {
      for (double& entry : block.col(j)) entry = normal(engine);
      norm = project(false);
    }
    block.col(j) /= norm;
  }
}

/// The `count` largest eigenpairs of a symmetric operator: Ritz pairs of a growing space, which restarts with the best of them
/// when it is full.
template <class Operator>
Matrix largest_eigenvectors(const Operator& op, Index n, Index count) {
  Index kept = std::min(n, count + 2 * block_size), full = 0;
  std::mt19937_64 engine(1);
  Matrix basis, projected;
  const auto make_room = [&] {
    full = std::min(n, std::max(2 * kept, kept + 10 * block_size));
    basis.conservativeResize(n, full + block_size);
    projected.setZero(full + block_size, full + block_size);
  };
  make_room();
  Matrix block = Matrix::Zero(n, std::min(block_size, n)), image, factor, ritz;
  Vector theta;
  orthonormalize(basis, 0, engine, block, factor);  // replaces zero columns by random ones
  Index size = 0, blocks = 0;
  for (int restart = 0; restart < max_restarts; ++restart) {
    while (true) {
      const Index active = std::min<Index>(static_cast<Index>(block.cols()), n - size);
      basis.middleCols(size, active) = block.leftCols(active);
      op.apply(basis.middleCols(size, active), image);
      const Index before = size;
      size += active;
      const Matrix inside = basis.leftCols(size).transpose() * image;
      projected.block(0, before, size, active) = inside;
      projected.block(before, 0, active, size) = inside.transpose();
      image.noalias() -= basis.leftCols(size) * inside;
      if (size < n) {
        block = image;
        orthonormalize(basis, size, engine, block, factor);
      } else {
        factor.setZero(active, active);
      }
      const Index blocks_between_looks = 1 + kept / 32;  // the projected problem costs size³
      ++blocks;
      if (size < full && (size < count || blocks % blocks_between_looks != 0)) continue;
      Matrix copy = projected.topLeftCorner(size, size);
      solve_dense(copy, 0, size, theta, ritz);
      bool converged = true;
      for (Index j = size - count; j < size; ++j)
        converged =
            converged && (factor * ritz.col(j).tail(active)).norm() <= convergence * std::abs(theta[j]);
      if (converged || size == n) return basis.leftCols(size) * ritz.rightCols(count);
      if (size >= full) break;
    }
    // A cluster of nearly equal values larger than the number of kept pairs would not converge.
    if ((restart + 1) % restarts_between_growths == 0 && kept < max_kept) kept = std::min(size, 2 * kept);
    const Matrix best = basis.leftCols(size) * ritz.rightCols(kept);
    make_room();
    basis.leftCols(kept) = best;
    projected.topLeftCorner(kept, kept).diagonal() = theta.tail(kept);
    size = kept;
  }
  throw Refusal(fmt::format("no eigenvectors: the {} requested of {} did not converge in {} restarts", count,
                            n, max_restarts));
}

void fix_sign(Eigen::Ref<Vector> z) {
  const double limit = (1 - 1e-6) * z.cwiseAbs().maxCoeff();
  for (const double entry : z) {
    if (std::abs(entry) < limit) continue;
    if (entry < 0) z = -z;
    return;
  }
}

/// Converts columns M^(½) z to z and computes the residual of the equation.
Eigenpairs finished(const ScaledMatrix& s, Vector value, Matrix vector, double largest) {
  Matrix image;
  s.apply(vector, image);
  Eigenpairs pairs;
  for (Eigen::Index j = 0; j < vector.cols(); ++j)
    pairs.residual = std::max(pairs.residual, (image.col(j) - value[j] * vector.col(j)).norm() / largest);
  vector.array().colwise() /= s.root_mass().array();
  for (Eigen::Index j = 0; j < vector.cols(); ++j) fix_sign(vector.col(j));
  pairs.value = std::move(value);
  pairs.vector = std::move(vector);
  return pairs;
}

}  // namespace

Eigenpairs dense_eigenpairs(const SymmetricMatrix& k, const Vector& mass, Index first, Index count) {
  const ScaledMatrix s(k, mass);
  Matrix dense = Matrix(s.lower()), vector;
  Vector value;
  solve_dense(dense, first, count, value, vector);
  return finished(s, std::move(value), std::move(vector), s.bound());
}

Eigenpairs sparse_eigenpairs(const SymmetricMatrix& k, const Vector& mass, End end, Index count) {
  const ScaledMatrix s(k, mass);
  const double bound = s.bound();
  Matrix space;
  if (end == End::highest) {
    space = largest_eigenvectors(s, s.size(), count);
  } else {
    // About the size of the lowest eigenvalues, whose spacing on a surface is bound/n.
    const ShiftedInverse inverse(s, bound / s.size());
    space = largest_eigenvectors(inverse, s.size(), count);
  }
  // Rayleigh–Ritz with S itself.
  Matrix image, rotation;
  Vector value;
  s.apply(space, image);
  Matrix projected = space.transpose() * image;
  solve_dense(projected, 0, count, value, rotation);
  return finished(s, std::move(value), space * rotation, bound);
}

Eigenpairs eigenpairs(const SymmetricMatrix& k, const Vector& mass, Index first, Index count) {
  const auto n = static_cast<Index>(mass.size());
  const Index from_below = first + count, from_above = n - first;
  if (n > quickly_dense && std::min(from_below, from_above) <= max_iterated_pairs) {
    const bool low = from_below <= from_above;
    Eigenpairs pairs =
        sparse_eigenpairs(k, mass, low ? End::lowest : End::highest, low ? from_below : from_above);
    const Index skipped = low ? first : 0;
    pairs.value = pairs.value.segment(skipped, count).eval();
    pairs.vector = pairs.vector.middleCols(skipped, count).eval();
    return pairs;
  }
  if (n > largest_dense_matrix)
    throw Refusal(
        fmt::format("eigenvector {} of {} is not available: only the {} at either end, or up to {} unknowns",
                    first + 1, n, max_iterated_pairs, largest_dense_matrix));
  return dense_eigenpairs(k, mass, first, count);
}

GeneralEigenpairs general_eigenpairs(Matrix matrix) {
  openblas_set_num_threads(1);
  const int n = static_cast<int>(matrix.rows()), one = 1;
  Vector real(n), imaginary(n);
  Matrix packed(n, n);  // a complex pair has its real part in one column and its imaginary part in the next
  Array<double> work(1);
  int lwork = -1, info = 0;
  const auto call = [&] {
    dgeev_("N", "V", &n, matrix.data(), &n, real.data(), imaginary.data(), nullptr, &one, packed.data(), &n,
           work.data(), &lwork, &info);
    require_success(info, "dgeev");
  };
  call();  // asks for the size of the work space
  lwork = static_cast<int>(work[0]);
  work.resize(lwork);
  call();
  Array<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return imaginary[a] != imaginary[b] ? imaginary[a] < imaginary[b] : real[a] < real[b];
  });
  GeneralEigenpairs pairs;
  pairs.vector.resize(n, n);
  for (Index j = 0; j < n; ++j) {
    const Index from = order[j];
    pairs.value.emplace_back(real[from], imaginary[from]);
    auto column = pairs.vector.col(j);
    if (imaginary[from] == 0) {
      column = packed.col(from).cast<std::complex<double>>();
    } else {  // the one with the positive imaginary part comes first
      const Index first = imaginary[from] > 0 ? from : from - 1;
      column.real() = packed.col(first);
      column.imag() = std::copysign(1.0, imaginary[from]) * packed.col(first + 1);
    }
  }
  return pairs;
}

}  // namespace shoal
