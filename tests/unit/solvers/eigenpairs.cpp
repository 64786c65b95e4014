// Eigenpairs against closed forms, and the dense and the iterated solver against each other.
#include "solvers/linear/eigenpairs.hpp"

#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// Lower triangle of the second difference on a path of n nodes with free ends: λ_j = 2 − 2 cos(πj/n).
SymmetricMatrix path(Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, (i > 0) + (i + 1 < n));
    if (i + 1 < n) entries.emplace_back(i + 1, i, -1);
  }
  SymmetricMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

struct Problem {
  SymmetricMatrix k;
  Vector mass;
};

/// The wave operator of a scheme at rest, where eigenvalues are as degenerate as the mesh is symmetric.
Problem sphere(const std::string& mesh, const std::string& scheme) {
  test::Trial simulation({.mesh = mesh, .discretization = scheme});
  const WaveSide wave(simulation.right_side);
  Problem problem{wave.stiffness_pattern(), simulation.discretization->cells().area};
  wave.assemble(Vector::Zero(problem.mass.size()), 1, Vector::Ones(wave.sites()), problem.k);
  return problem;
}

double orthonormality_defect(const Eigenpairs& pairs, const Vector& mass) {
  const Eigen::MatrixXd product = pairs.vector.transpose() * mass.asDiagonal() * pairs.vector;
  return (product - Eigen::MatrixXd::Identity(product.rows(), product.cols())).cwiseAbs().maxCoeff();
}

constexpr double iteration = 1e-10;  // the relative residual that the iteration stops at
constexpr double round_off = 1e-12;  // n ε for the largest n here, relative to the largest eigenvalue

TEST(Eigenpairs, AreThoseOfThePathGraph) {
  constexpr Index n = 300;
  const SymmetricMatrix k = path(n);
  const Vector mass = Vector::Constant(n, 0.5);
  const Eigenpairs dense = dense_eigenpairs(k, mass, 0, n);
  for (Index j = 0; j < n; ++j)
    EXPECT_NEAR(dense.value[j], 2 * (2 - 2 * std::cos(std::numbers::pi * j / n)), 8 * round_off) << j;
  EXPECT_LT(dense.residual, round_off);
  EXPECT_LT(orthonormality_defect(dense, mass), round_off);
  for (const End end : {End::lowest, End::highest}) {
    const Eigenpairs few = sparse_eigenpairs(k, mass, end, 20);
    const Index first = end == End::lowest ? 0 : n - 20;
    EXPECT_LT((few.value - dense.value.segment(first, 20)).cwiseAbs().maxCoeff(), 8 * iteration);
    EXPECT_LT(few.residual, 2 * iteration);  // of the largest eigenvalue, but for round-off
    EXPECT_LT(orthonormality_defect(few, mass), round_off);
  }
}

TEST(Eigenpairs, OfLargeMatricesMissNoneOfTheDegenerateOnes) {
  for (const auto& [scheme, mesh] : {std::pair("fefv", "icosphere:3"), std::pair("dec", "icosphere:2")}) {
    const Problem problem = sphere(mesh, scheme);
    const auto n = static_cast<Index>(problem.mass.size());
    const Eigenpairs all = dense_eigenpairs(problem.k, problem.mass, 0, n);
    for (const Index count : {1, 9, 40}) {
      const Eigenpairs low = sparse_eigenpairs(problem.k, problem.mass, End::lowest, count);
      const Eigenpairs high = sparse_eigenpairs(problem.k, problem.mass, End::highest, count);
      // No eigenvalue is further off than its residual; one that was missed would shift the others by 1e-4 or
      // more.
      const double scale = all.value[n - 1] * iteration;
      EXPECT_LT((low.value - all.value.head(count)).cwiseAbs().maxCoeff(), scale) << scheme << " " << count;
      EXPECT_LT((high.value - all.value.tail(count)).cwiseAbs().maxCoeff(), scale) << scheme << " " << count;
      EXPECT_LT(std::max(low.residual, high.residual), 2 * iteration);
    }
  }
}

TEST(Eigenpairs, OfAClusterLargerThanWhatIsKeptConverge) {
  // 60 values within 1e-8 of the largest, as the highest waves around the vertices of an icosphere have.
  constexpr Index n = 600, cluster = 60;
  SymmetricMatrix k(n, n);
  for (Index i = 0; i < n; ++i)
    k.insert(i, i) = i < n - cluster ? 0.9 * i / (n - cluster) : 1 - 1e-8 * (n - 1 - i) / cluster;
  const Eigenpairs highest = sparse_eigenpairs(k, Vector::Ones(n), End::highest, 1);
  EXPECT_NEAR(highest.value[0], 1, iteration);
  EXPECT_LT(highest.residual, 2 * iteration);
}

TEST(Eigenpairs, FromTheMiddleAreThoseOfAll) {
  const Problem problem = sphere("icosphere:2", "dec");
  const auto n = static_cast<Index>(problem.mass.size());
  const Vector all = dense_eigenpairs(problem.k, problem.mass, 0, n).value;
  const Eigenpairs some = eigenpairs(problem.k, problem.mass, 100, 7);
  EXPECT_LT((some.value - all.segment(100, 7)).cwiseAbs().maxCoeff(), all[n - 1] * round_off);
}

TEST(Eigenpairs, AreTheSameBitsEveryTimeAndTheirLargestEntryIsPositive) {
  const Problem problem = sphere("icosphere:3", "fefv");
  const Eigenpairs first = sparse_eigenpairs(problem.k, problem.mass, End::highest, 5);
  const Eigenpairs second = sparse_eigenpairs(problem.k, problem.mass, End::highest, 5);
  EXPECT_EQ(first.vector, second.vector);
  for (Index j = 0; j < 5; ++j) {
    const double largest = first.vector.col(j).cwiseAbs().maxCoeff();
    for (const double entry : first.vector.col(j)) {
      if (std::abs(entry) < (1 - 1e-6) * largest) continue;
      EXPECT_GT(entry, 0) << j;
      break;
    }
  }
}

TEST(GeneralEigenpairs, OfARotationLieOnTheImaginaryAxis) {
  Eigen::MatrixXd matrix(3, 3);
  matrix << 0, -2, 0, 2, 0, 0, 0, 0, -1;
  const GeneralEigenpairs pairs = general_eigenpairs(matrix);
  const auto& values = pairs.value;
  ASSERT_EQ(values.size(), 3u);
  EXPECT_LT(std::abs(values[0] - std::complex<double>(0, -2)), round_off);
  EXPECT_LT(std::abs(values[1] - std::complex<double>(-1, 0)), round_off);
  EXPECT_LT(std::abs(values[2] - std::complex<double>(0, 2)), round_off);
  for (Eigen::Index j = 0; j < 3; ++j)
    EXPECT_LT(
        (matrix * pairs.vector.col(j) - values[static_cast<std::size_t>(j)] * pairs.vector.col(j)).norm(),
        round_off);
}

}  // namespace
}  // namespace shoal
