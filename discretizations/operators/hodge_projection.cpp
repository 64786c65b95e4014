// Conjugate gradients on the normal equations; Cholesky factors of the Laplacians by Eigen, solved for φ and ψ
// at once.
#include "discretizations/operators/hodge_projection.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/parallel.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

/// One entry of two right-hand sides.
using Pair [[gnu::vector_size(2 * sizeof(double)), gnu::may_alias]] = double;

/// A Laplacian with the first unknown of each component fixed at zero, as L Lᵀ of the permuted matrix.
struct Factor {
  Array<Index> order;  // elimination order: position of each unknown, −1 if it is fixed
  Array<Index> start, row;
  Vector value, inverse_diagonal;
  Eigen::SimplicialLLT<Sparse, Eigen::Lower> llt;  // keeps the pattern

  void compute(const Sparse& laplacian) {
    const auto count = static_cast<Index>(laplacian.rows());
    DisjointSets sets(count);
    for (Index column = 0; column < count; ++column)
      for (Sparse::InnerIterator entry(laplacian, column); entry; ++entry)
        if (entry.value() != 0) sets.join(static_cast<Index>(entry.row()), column);
    Array<Index> free(count, -1);
    Index unknowns = 0;
    for (Index i = 0; i < count; ++i)
      if (sets.find(i) != i) free[i] = unknowns++;
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index column = 0; column < count; ++column)
      for (Sparse::InnerIterator entry(laplacian, column); entry; ++entry) {
        const Index i = free[static_cast<Index>(entry.row())], j = free[column];
        if (i >= j && j >= 0) entries.emplace_back(i, j, entry.value());
      }
    Sparse reduced(unknowns, unknowns);
    reduced.setFromTriplets(entries.begin(), entries.end());
    if (start.empty()) llt.analyzePattern(reduced);
    llt.factorize(reduced);
    const Sparse lower = llt.matrixL();
    order.resize(count);
    for (Index i = 0; i < count; ++i) order[i] = free[i] < 0 ? -1 : llt.permutationP().indices()[free[i]];
    start.resize(unknowns + 1);
    std::copy_n(lower.outerIndexPtr(), unknowns + 1, start.begin());
    row.resize(static_cast<Index>(lower.nonZeros()));
    std::copy_n(lower.innerIndexPtr(), lower.nonZeros(), row.begin());
    value = Eigen::Map<const Vector>(lower.valuePtr(), lower.nonZeros());
    inverse_diagonal.resize(unknowns);
    for (Index j = 0; j < unknowns; ++j) inverse_diagonal[j] = 1 / value[start[j]];
    find_blocks();
  }

  Index unknowns() const { return start.size() - 1; }

  /// `b` in elimination order; two right-hand sides at once, so that the factor is read only once.
  void solve(Eigen::Matrix2Xd& b) const {
    auto* x = reinterpret_cast<Pair*>(b.data());
    for (const Block& block : blocks) at_width(block, [&](auto width) { forward<width()>(block.first, x); });
    for (Index i = blocks.size() - 1; i >= 0; --i)
      at_width(blocks[i], [&](auto width) { backward<width()>(blocks[i].first, x); });
  }

 private:
  /// Consecutive columns with the same rows below them, which share the access to `x`.
  struct Block {
    Index first;
    int width;
  };
  Array<Block> blocks;

  void find_blocks() {
    constexpr int widest = 4;
    blocks.clear();
    const auto below = [&](Index j) { return start[j + 1] - start[j] - 1; };
    for (Index j = 0; j < unknowns(); ++j) {
      Block* last = blocks.empty() ? nullptr : &blocks.back();
      if (last && last->width < widest && below(j - 1) == below(j) + 1 && row[start[j - 1] + 1] == j)
        ++last->width;
      else
        blocks.push_back({j, 1});
    }
  }

  template <class Body>
  static void at_width(const Block& block, const Body& body) {
    if (block.width == 1) return body(std::integral_constant<int, 1>());
    if (block.width == 2) return body(std::integral_constant<int, 2>());
    if (block.width == 3) return body(std::integral_constant<int, 3>());
    body(std::integral_constant<int, 4>());
  }

  template <int width>
  void forward(Index first, Pair* __restrict x) const {
    const double* column[width];
    Pair known[width];
    for (int k = 0; k < width; ++k) {
      column[k] = value.data() + start[first + k] + width - k;
      known[k] = x[first + k];
      for (int i = 0; i < k; ++i) known[k] -= value[start[first + i] + k - i] * known[i];
      x[first + k] = known[k] *= inverse_diagonal[first + k];
    }
    const Index last = first + width - 1, count = start[last + 1] - start[last] - 1;
    const Index* __restrict rows = row.data() + start[last] + 1;
    for (Index p = 0; p < count; ++p) {
      Pair change = column[0][p] * known[0];
      for (int k = 1; k < width; ++k) change += column[k][p] * known[k];
      x[rows[p]] -= change;
    }
  }

  template <int width>
  void backward(Index first, Pair* __restrict x) const {
    const double* column[width];
    Pair sum[width];
    for (int k = 0; k < width; ++k) {
      column[k] = value.data() + start[first + k] + width - k;
      sum[k] = x[first + k];
    }
    const Index last = first + width - 1, count = start[last + 1] - start[last] - 1;
    const Index* __restrict rows = row.data() + start[last] + 1;
    for (Index p = 0; p < count; ++p)
      for (int k = 0; k < width; ++k) sum[k] -= column[k][p] * x[rows[p]];
    for (int k = width - 1; k >= 0; --k) {
      for (int i = k + 1; i < width; ++i) sum[k] -= value[start[first + k] + i - k] * sum[i];
      x[first + k] = sum[k] *= inverse_diagonal[first + k];
    }
  }
};

}  // namespace

struct HodgeProjection::Factors {
  Factor phi, psi;  // psi is empty on closed surfaces, where it equals phi
  Eigen::Matrix2Xd pair;
};

HodgeProjection::HodgeProjection(const Mesh& mesh, const Geometry& geometry)
    : mesh_(mesh),
      geometry_(geometry),
      closed_(mesh.closed()),
      phi_count_(mesh.vertex_count),
      factors_(new Factors) {
  DisjointSets loops(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) loops.join(mesh.edges(0, e), mesh.edges(1, e));
  psi_of_vertex_.assign(mesh.vertex_count, -1);
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    Index& of_loop = psi_of_vertex_[loops.find(i)];
    if (of_loop < 0) of_loop = psi_count_++;
    psi_of_vertex_[i] = of_loop;
  }
  const Index faces = mesh.face_count();
  Array<Array<Index>> phi_slots(phi_count_), psi_slots(psi_count_);
  for (int c = 0; c < 3; ++c) {
    corner_[c].resize(faces);
    psi_corner_[c].resize(faces);
    for (Index k = 0; k < faces; ++k) {
      corner_[c][k] = mesh.faces(c, k);
      psi_corner_[c][k] = psi_of_vertex_[mesh.faces(c, k)];
    }
  }
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) {
      phi_slots[corner_[c][k]].push_back(c * faces + k);
      psi_slots[psi_corner_[c][k]].push_back(c * faces + k);
    }
  phi_sum_ = GatherSum<6>(phi_slots, 3 * faces);
  psi_sum_ = GatherSum<6>(psi_slots, 3 * faces);
  corner_flux_.setZero(3 * faces + 1);
  field_.setZero(2 * faces);
  forms_ = closed_forms(mesh);
  memory_.setZero(kept * unknowns() + 3 * faces);
  basis_.setZero(unknowns(), kept);
  images_ = basis_;
}

HodgeProjection::~HodgeProjection() = default;
HodgeProjection::HodgeProjection(HodgeProjection&&) noexcept = default;

void HodgeProjection::refresh() {
  forms_measured_ = false;
}

void HodgeProjection::factorize() {
  factorized_ = memory_.tail(3 * mesh_.face_count());
  const auto laplacian = [&](const Array<Index>* corner, Index count) {
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index k = 0; k < mesh_.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {  // ½ cot of the angle at c couples the other two corners
        const Index i = corner[(c + 1) % 3][k], j = corner[(c + 2) % 3][k];
        const double half = 0.5 * factorized_[3 * k + c];
        if (i == j) continue;
        entries.emplace_back(i, i, half);
        entries.emplace_back(j, j, half);
        entries.emplace_back(i, j, -half);
        entries.emplace_back(j, i, -half);
      }
    Sparse matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  };
  factors_->phi.compute(laplacian(corner_, phi_count_));
  factors_->pair.setZero(2, phi_count_);
  if (!closed_) factors_->psi.compute(laplacian(psi_corner_, psi_count_));
}

/// Computes the closed forms minus their gradient parts, so that they are nearly orthogonal to ∇P1.
void HodgeProjection::measure_forms() {
  forms_measured_ = true;
  density_root_.setOnes(phi_count_ + psi_count_);
  const Index faces = mesh_.face_count(), count = static_cast<Index>(forms_.size());
  form_rates_.setZero(2 * faces, count);
  if (count == 0) return;
  for (Index m = 0; m < count; ++m)
    for (const ClosedForm::Entry& entry : forms_[m].entries) {
      const FaceFrame frame = face_frame(mesh_, geometry_, entry.face);
      const BarycentricRates rates = frame.rates(frame.raised({entry.first, entry.second}));
      form_rates_(entry.face, m) = rates.first;
      form_rates_(faces + entry.face, m) = rates.second;
    }
  const Eigen::MatrixXd raw = form_rates_;
  Vector potential = Vector::Zero(unknowns()), gradient(2 * faces);
  inverse_gram_.setIdentity(count, count);
  for (Index m = 0; m < count; ++m) {
    gather(geometry_.face_area, raw.col(m).data(), sums_);
    sums_.tail(psi_count_ + count).setZero();
    precondition(sums_, potential);
    potential.tail(psi_count_ + count).setZero();
    to_faces(potential.data(), gradient.data());
    form_rates_.col(m) -= gradient;
  }
  Eigen::MatrixXd gram(count, count);
  for (Index m = 0; m < count; ++m) {
    gather(geometry_.face_area, form_rates_.col(m).data(), sums_);
    gram.col(m) = sums_.tail(count);
  }
  inverse_gram_ = gram.llt().solve(Eigen::MatrixXd::Identity(count, count));
}

/// rates = ∇φ − n×∇ψ + Σ a h; the rates of −n×∇ψ are (ψ₂−ψ₀, ψ₀−ψ₁)/2A.
void HodgeProjection::to_faces(const double* x, double* rates) const {
  const Index faces = mesh_.face_count();
  const double *phi = x, *psi = phi + phi_count_;
  const double* __restrict cotangents = geometry_.cotangent.data();
  const double* __restrict areas = geometry_.face_area.data();
  double *first = rates, *second = rates + faces;
  const Index *i0 = corner_[0].data(), *i1 = corner_[1].data(), *i2 = corner_[2].data();
  const Index *j0 = psi_corner_[0].data(), *j1 = psi_corner_[1].data(), *j2 = psi_corner_[2].data();
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      const double c0 = cotangents[3 * k], c1 = cotangents[3 * k + 1], c2 = cotangents[3 * k + 2];
      const double half = 0.5 / areas[k];  // ∇φ₁·∇φ₁ = (c₀+c₂)/2A, ∇φ₁·∇φ₂ = −c₀/2A, ∇φ₂·∇φ₂ = (c₀+c₁)/2A
      const double d1 = phi[i1[k]] - phi[i0[k]], d2 = phi[i2[k]] - phi[i0[k]];
      const double p1 = psi[j1[k]] - psi[j0[k]], p2 = psi[j2[k]] - psi[j0[k]];
      first[k] = half * ((c0 + c2) * d1 - c0 * d2 + p2);
      second[k] = half * ((c0 + c1) * d2 - c0 * d1 - p1);
    }
  });
  for (Index m = 0; m < static_cast<Index>(forms_.size()); ++m)
    Eigen::Map<Vector>(rates, 2 * faces) += x[phi_count_ + psi_count_ + m] * form_rates_.col(m);
}

/// sums = (Σ w r·∇φ_i, −Σ w r·(n×∇ψ_j), Σ w r·h_m).
void HodgeProjection::gather(const Vector& weight, const double* rates, Vector& sums) {
  const Index faces = mesh_.face_count();
  sums.setZero(unknowns());
  const double *b1 = rates, *b2 = rates + faces, *w = weight.data();
  const double* __restrict cotangents = geometry_.cotangent.data();
  double* __restrict q0 = corner_flux_.data(), * __restrict q1 = q0 + faces, * __restrict q2 = q1 + faces;
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      q1[k] = w[k] * b1[k];
      q2[k] = w[k] * b2[k];
      q0[k] = -(q1[k] + q2[k]);
    }
  });
  phi_sum_.add(corner_flux_.data(), 1, sums.data());
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {  // n×r
      const double c0 = cotangents[3 * k], c1 = cotangents[3 * k + 1], c2 = cotangents[3 * k + 2];
      q1[k] = w[k] * (-c0 * b1[k] - (c0 + c2) * b2[k]);
      q2[k] = w[k] * ((c0 + c1) * b1[k] + c0 * b2[k]);
      q0[k] = -(q1[k] + q2[k]);
    }
  });
  psi_sum_.add(corner_flux_.data(), 1, sums.data() + phi_count_);
  for (Index m = 0; m < static_cast<Index>(forms_.size()); ++m) {
    double sum = 0;
    for (Index k = 0; k < faces; ++k) {
      const double h1 = form_rates_(k, m), h2 = form_rates_(faces + k, m);
      const auto cot = geometry_.cotangent.col(k);
      const double area = 2 * geometry_.face_area[k];  // g₁₁ = 2A (c₀+c₁), g₁₂ = 2A c₀, g₂₂ = 2A (c₀+c₂)
      sum += w[k] * area *
             ((cot[0] + cot[1]) * b1[k] * h1 + cot[0] * (b1[k] * h2 + b2[k] * h1) +
              (cot[0] + cot[2]) * b2[k] * h2);
    }
    sums[phi_count_ + psi_count_ + m] = sum;
  }
}

/// z = D^{-1/2} K⁻¹ D^{-1/2} r for φ and ψ, D the density at the vertices (Concus & Golub 1973).
void HodgeProjection::precondition(const Vector& residual, Vector& z) {
  Eigen::Matrix2Xd& pair = factors_->pair;
  const Factor& phi = factors_->phi;
  const Factor& psi = closed_ ? phi : factors_->psi;
  z.resize(residual.size());
  const auto load = [&](const Factor& factor, int column, Index offset, Index count) {
    for (Index i = 0; i < count; ++i)
      if (factor.order[i] >= 0)
        pair(column, factor.order[i]) = residual[offset + i] * density_root_[offset + i];
  };
  const auto unload = [&](const Factor& factor, int column, Index offset, Index count) {
    for (Index i = 0; i < count; ++i)
      z[offset + i] = factor.order[i] < 0 ? 0 : pair(column, factor.order[i]) * density_root_[offset + i];
  };
  load(phi, 0, 0, phi_count_);
  if (closed_) {
    load(phi, 1, phi_count_, psi_count_);
    phi.solve(pair);
    unload(phi, 1, phi_count_, psi_count_);
    unload(phi, 0, 0, phi_count_);
  } else {
    phi.solve(pair);
    unload(phi, 0, 0, phi_count_);
    load(psi, 0, phi_count_, psi_count_);
    psi.solve(pair);
    unload(psi, 0, phi_count_, psi_count_);
  }
  const auto forms = static_cast<Index>(forms_.size());
  if (forms) z.tail(forms) = inverse_gram_ * residual.tail(forms);
}

/// Sets the potentials to the combination of the last solutions with the least error in the norm of the operator (Fischer
/// 1998), and residual_. Their repeated differences are the basis, because the solutions are nearly equal.
void HodgeProjection::combine_earlier(const Vector& weight) {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kept, kept>;
  using Coefficients = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kept, 1>;
  constexpr double negligible = 1e-12;  // of the pivots
  Eigen::Map<Eigen::MatrixXd> earlier(memory_.data(), unknowns(), kept);
  int count = 0;
  while (count < kept && !earlier.col(count).isZero(0)) ++count;
  basis_ = earlier;
  for (int last = kept - 1; last >= 1; --last) earlier.col(last) = basis_.col(last - 1);
  earlier.col(0).setZero();
  residual_ = sums_;
  if (count == 0) return;
  for (int order = 1; order < count; ++order)
    for (int i = count - 1; i >= order; --i) basis_.col(i) = basis_.col(i - 1) - basis_.col(i);
  for (int i = 0; i < count; ++i) {
    to_faces(basis_.col(i).data(), field_.data());
    gather(weight, field_.data(), image_);
    images_.col(i) = image_;
  }
  Small gram(count, count);
  Coefficients right(count), scale(count);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = basis_.col(i).dot(images_.col(j));
    right[i] = basis_.col(i).dot(sums_);
    scale[i] = gram(i, i) > 0 ? 1 / std::sqrt(gram(i, i)) : 0;
  }
  gram = scale.asDiagonal() * gram * scale.asDiagonal();
  Eigen::ColPivHouseholderQR<Small> factor(gram);
  factor.setThreshold(negligible);
  const Coefficients part =
      scale.cwiseProduct(Coefficients(factor.solve(Coefficients(scale.cwiseProduct(right)))));
  for (int i = 0; i < count; ++i) residual_ -= part[i] * images_.col(i);
  if (!(residual_.squaredNorm() <= sums_.squaredNorm())) {  // a worse start than zero
    residual_ = sums_;
    return;
  }
  for (int i = 0; i < count; ++i) earlier.col(0) += part[i] * basis_.col(i);
}

bool HodgeProjection::project(const Vector& weight, const Vector& density, double tolerance,
                              int max_iterations, double* rates) {
  constexpr int too_many = 40;  // iterations: refactorize for the next projection
  Eigen::Map<Vector> potentials(memory_.data(), unknowns()),
      factor(memory_.data() + kept * unknowns(), 3 * mesh_.face_count());
  const Eigen::Map<const Vector> here(geometry_.cotangent.data(), factor.size());
  if (factor.head<3>().isZero(0)) factor = here;  // first projection
  if (factorized_.size() == 0 || factorized_ != factor) factorize();
  if (!forms_measured_) measure_forms();
  density_root_.head(phi_count_) = density.cwiseSqrt().cwiseInverse();
  if (closed_) {
    density_root_.tail(psi_count_) = density_root_.head(phi_count_);
  } else {  // on a boundary, the density of its last vertex
    for (Index i = 0; i < phi_count_; ++i) density_root_[phi_count_ + psi_of_vertex_[i]] = density_root_[i];
  }
  gather(weight, rates, sums_);
  const double goal = tolerance * tolerance * sums_.squaredNorm();
  combine_earlier(weight);
  double before = 0;
  bool reached = false;
  for (iterations_ = 0; !(reached = !(residual_.squaredNorm() > goal)) && iterations_ < max_iterations;
       ++iterations_) {
    precondition(residual_, z_);
    const double now = residual_.dot(z_);
    if (iterations_ == 0)
      direction_ = z_;
    else
      direction_ = z_ + now / before * direction_;
    before = now;
    to_faces(direction_.data(), field_.data());
    gather(weight, field_.data(), image_);
    const double curvature = direction_.dot(image_);
    if (!(curvature > 0)) {  // only round-off is left, or a value is not finite
      reached = true;
      break;
    }
    const double step = now / curvature;
    potentials += step * direction_;
    residual_ -= step * image_;
  }
  // for the next projection, so that the memory alone determines its bits
  if (iterations_ > too_many) factor = here;
  to_faces(memory_.data(), rates);
  return reached;
}

bool HodgeProjection::project_apart(const Vector& weight, const Vector& density, double tolerance,
                                    int max_iterations, double* rates) {
  apart_ = memory_.head(kept * unknowns());
  forget();
  const bool reached = project(weight, density, tolerance, max_iterations, rates);
  memory_.head(kept * unknowns()) = apart_;
  return reached;
}

}  // namespace shoal
