#include "solvers/linear/unknowns.hpp"

#include "discretizations/renewal.hpp"
#include "solvers/linear/residual.hpp"

#include <cmath>
#include <numeric>

namespace shoal {
namespace {

Layout one_per_cell(const Cells& cells) {
  Layout layout;
  layout.add("", "", Location::cell, 1, cells.count());
  return layout;
}

}  // namespace

Unknowns::Unknowns(const Mesh& mesh, const Cells& cells) : Unknowns(mesh, cells, one_per_cell(cells)) {}

Unknowns::Unknowns(const Mesh& mesh, const Cells& cells, const Layout& layout) {
  if (!mesh.part) return;
  mesh_ = &mesh;
  own_ = own_entries(mesh, cells, layout);
  renewal_ = renewal_of(mesh, cells, layout);
}

Array<Index> Unknowns::numbers(Index size) const {
  Vector number = Vector::Zero(size);  // cells that the rim of a part cuts have none
  Index own = 0;
  visit_own(size, [&](const Range& range) {
    for (Index i = range.begin; i < range.begin + range.count; ++i) number[i] = own++;
  });
  if (mesh_) {
    const Ranks& ranks = ranks_of(*mesh_);
    Array<std::int64_t> counts(ranks.count(), 0);
    counts[ranks.rank()] = own;
    ranks.add({counts.begin(), counts.end()});
    number.array() +=
        static_cast<double>(std::accumulate(counts.begin(), counts.begin() + ranks.rank(), std::int64_t{0}));
    renew(number);
  }
  Array<Index> numbers;
  for (const double n : number) numbers.push_back(static_cast<Index>(n));
  return numbers;
}

template <std::size_t n>
std::array<double, n> Unknowns::values(std::array<BinnedSum, n>& sums) const {
  if (mesh_) {
    constexpr int count = BinnedSum::words_count;
    std::array<std::int64_t, n * count> words;
    for (std::size_t k = 0; k < n; ++k) std::ranges::copy(sums[k].words(), words.begin() + k * count);
    ranks_of(*mesh_).add(words);
    for (std::size_t k = 0; k < n; ++k)
      std::copy_n(words.begin() + k * count, count, sums[k].words().begin());
  }
  std::array<double, n> values;
  for (std::size_t k = 0; k < n; ++k) values[k] = sums[k].value();
  return values;
}
template std::array<double, 1> Unknowns::values(std::array<BinnedSum, 1>&) const;
template std::array<double, 2> Unknowns::values(std::array<BinnedSum, 2>&) const;

template <class Term>
double Unknowns::sum(Eigen::Index size, const Term& term) const {
  return sums_after(
      size, [](const Range&) {}, term)[0];
}

double Unknowns::dot(const Vector& a, const Vector& b) const {
  return sum(a.size(), [a = a.data(), b = b.data()](Eigen::Index i) { return a[i] * b[i]; });
}

double Unknowns::dot(const Vector& a, const Vector& b, const Vector& weight) const {
  return sum(a.size(), [a = a.data(), b = b.data(), weight = weight.data()](Eigen::Index i) {
    return a[i] * b[i] * weight[i];
  });
}

double Unknowns::norm(const Vector& a) const {
  return std::sqrt(dot(a, a));
}

double Unknowns::norm(const SymmetricMatrix& a) const {
  return std::sqrt(sum(
      a.cols(), [&](Eigen::Index column) { return squared_norm_of_column(a, static_cast<Index>(column)); }));
}

SolverReport Unknowns::agreed(SolverReport report) const {
  if (!mesh_) return report;
  const std::string problem = first_said(ranks_of(*mesh_), report.ok ? "" : report.reason + " ");
  if (problem.empty()) return report;
  report.ok = false;
  report.reason = problem.substr(0, problem.size() - 1);
  return report;
}

}  // namespace shoal
