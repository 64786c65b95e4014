// Direct solvers on patterns that do not occur on meshes: trees, stars, full and empty matrices, disconnected parts.
#include "solvers/linear/flush_subnormals.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <limits>
#include <random>

namespace shoal {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

struct Pattern {
  std::string name;
  Index size;
  Pairs pairs;  // off the diagonal
};

Pairs chain(Index first, Index last) {
  Pairs pairs;
  for (Index i = first; i < last; ++i) pairs.push_back({i, i + 1});
  return pairs;
}

Pairs star(Index center, Index size) {
  Pairs pairs;
  for (Index i = 0; i < size; ++i)
    if (i != center) pairs.push_back({i, center});
  return pairs;
}

Pairs random_pairs(Index size, int count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<Index> unknown(0, size - 1);
  Pairs pairs;
  for (int k = 0; k < count; ++k) {
    const Index i = unknown(generator), j = unknown(generator);
    if (i != j) pairs.push_back({i, j});
  }
  return pairs;
}

Pairs tree(Index size, unsigned seed) {
  std::mt19937 generator(seed);
  Pairs pairs;
  for (Index i = 1; i < size; ++i)
    pairs.push_back({std::uniform_int_distribution<Index>(0, i - 1)(generator), i});
  return pairs;
}

std::vector<Pattern> patterns() {
  std::vector<Pattern> all = {{"one unknown", 1, {}},
                              {"no coupling", 37, {}},
                              {"a chain", 50, chain(0, 49)},
                              {"two chains", 51, chain(0, 20)},
                              {"a star about the first", 40, star(0, 40)},
                              {"a star about the last", 40, star(39, 40)},
                              {"a tree", 200, tree(200, 5)}};
  for (Index i = 22; i < 50; ++i) all[3].pairs.push_back({i, i + 1});
  for (const Index size : {2, 7, 8, 9, 31, 70}) {
    Pattern full{"full, " + std::to_string(size), size, {}};
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < i; ++j) full.pairs.push_back({i, j});
    all.push_back(full);
  }
  for (unsigned seed = 1; seed <= 20; ++seed)
    all.push_back(
        {"random, " + std::to_string(seed), 150, random_pairs(150, static_cast<int>(20 * seed), seed)});
  return all;
}

/// The lower triangle with random entries off a dominant diagonal.
SymmetricMatrix matrix_of(const Pattern& pattern, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(pattern.size, pattern.size);
  for (const auto& [i, j] : pattern.pairs) full(std::max(i, j), std::min(i, j)) = value(generator);
  const Eigen::VectorXd rows = full.cwiseAbs().rowwise().sum(),
                        columns = full.cwiseAbs().colwise().sum().transpose();
  SymmetricMatrix matrix(pattern.size, pattern.size);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < pattern.size; ++j) {
    entries.emplace_back(j, j, rows[j] + columns[j] + 0.1 + std::abs(value(generator)));
    for (Index i = j + 1; i < pattern.size; ++i)
      if (full(i, j) != 0) entries.emplace_back(i, j, full(i, j));
  }
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

TEST(DirectSolvers, solve_on_any_pattern_again_and_again) {
  constexpr double tolerance = 1e-12;  // relative; the condition of these matrices is below 1000
  for (const LinearSolverEntry& entry : test::catalog().linear_solvers) {
    if (!entry.claims.direct) continue;
    const auto solver = entry.make(Parameters(entry.parameters, {}));
    StageClock clock;
    for (const Pattern& pattern : patterns()) {
      solver->analyze(matrix_of(pattern, 1));
      for (const unsigned seed : {1u, 2u}) {
        SCOPED_TRACE(entry.name + ": " + pattern.name);
        const SymmetricMatrix matrix = matrix_of(pattern, seed);
        ASSERT_TRUE(solver->factorize(matrix, clock).ok);
        const Vector exact = Vector::LinSpaced(pattern.size, -1, 2);
        const Vector right_side = matrix.selfadjointView<Eigen::Lower>() * exact;
        Vector solution;
        ASSERT_TRUE(solver->solve(right_side, solution, clock).ok);
        EXPECT_LT((solution - exact).norm(), tolerance * exact.norm());
      }
    }
  }
}

TEST(FlushSubnormals, takes_them_for_zero_in_its_scope_only) {
  volatile double tiny = std::numeric_limits<double>::min();
  EXPECT_GT(tiny / 2, 0);
#ifdef __SSE2__
  {
    const FlushSubnormals flush;
    EXPECT_EQ(tiny / 2, 0);
    EXPECT_GT(tiny, 0);
  }
#endif
  EXPECT_GT(tiny / 2, 0);
}

TEST(FlushSubnormals, acts_in_the_loops_of_all_threads) {
  constexpr Index count = 10'000;
  set_thread_count(3);
  const Vector tiny = Vector::Constant(count, std::numeric_limits<double>::min());
  Vector half(count);
  const auto halve = [&] {
    parallel_for(count, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) half[i] = tiny[i] / 2;
    });
  };
  halve();
  EXPECT_TRUE((half.array() > 0).all());
#ifdef __SSE2__
  {
    const FlushSubnormals flush;
    halve();
    EXPECT_TRUE((half.array() == 0).all());
  }
#endif
  halve();
  EXPECT_TRUE((half.array() > 0).all());
  set_thread_count(1);
}

}  // namespace
}  // namespace shoal
