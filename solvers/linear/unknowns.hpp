// The unknowns of a linear system, of which several processes may own some each.
#pragma once

#include "discretizations/common/binned_sum.hpp"
#include "discretizations/discretization.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace shoal {

class Unknowns {
 public:
  /// This process owns all.
  Unknowns() = default;
  /// One for each cell. Collective. `mesh` must outlive this.
  Unknowns(const Mesh& mesh, const Cells& cells);
  /// The entries of states with this layout. Collective. `mesh` must outlive this.
  Unknowns(const Mesh& mesh, const Cells& cells, const Layout& layout);

  bool is_shared() const { return mesh_ != nullptr; }
  /// Calls body(range) for the ranges of own ones among `size`.
  template <class Body>
  void visit_own(Eigen::Index size, const Body& body) const {
    if (!is_shared()) return body(Range{0, static_cast<Index>(size)});
    for (const Range& range : own_) body(range);
  }
  /// Sums over the unknowns of all processes, reproducible: they have the same bits for any number of processes. NaN if a term is not
  /// finite.
  double dot(const Vector& a, const Vector& b) const;
  /// Σ weight a b
  double dot(const Vector& a, const Vector& b, const Vector& weight) const;
  double norm(const Vector& a) const;
  /// In the Frobenius norm.
  double norm(const SymmetricMatrix& a) const;
  /// Σ term(i) of each term, as in the dots, after update(range) for ranges of own unknowns, which are then still in the cache. Terms
  /// capture pointers by value (see BinnedSum).
  template <class Update, class... Terms>
  std::array<double, sizeof...(Terms)> sums_after(Eigen::Index size, const Update& update,
                                                  const Terms&... terms) const {
    constexpr Index block = 1024;
    std::array<BinnedSum, sizeof...(Terms)> sums;
    visit_own(size, [&](const Range& own) {
      const Index end = own.begin + own.count;
      for (Index begin = own.begin; begin < end; begin += block) {
        const Range range{begin, std::min(block, end - begin)};
        update(range);
        std::size_t k = 0;
        (sums[k++].add(begin, begin + range.count, terms), ...);
      }
    });
    return values(sums);
  }
  /// Of each of `size` unknowns here its number in the system of all: the own ones of each rank follow those of lower ranks, in the
  /// order of the whole surface. Collective.
  Array<Index> numbers(Index size) const;
  /// Sets those of other processes to the values of their owners.
  void renew(Vector& values) const {
    if (renewal_) (*renewal_)(values.data());
  }
  /// The report of the lowest rank that failed. Collective.
  SolverReport agreed(SolverReport report) const;

 private:
  /// Over all processes. Collective.
  template <std::size_t n>
  std::array<double, n> values(std::array<BinnedSum, n>& sums) const;
  template <class Term>
  double sum(Eigen::Index size, const Term& term) const;

  const Mesh* mesh_ = nullptr;  // of a part; null: this process owns all
  std::vector<Range> own_;
  std::shared_ptr<const Renewal> renewal_;
};

}  // namespace shoal
