// The unknowns of a linear system, of which several processes may own some each.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace shoal {

class Unknowns {
 public:
  /// This process owns all.
  Unknowns() = default;
  /// One for each vertex or face of a mesh. Collective. `mesh` must outlive this.
  Unknowns(const Mesh& mesh, Location at);
  /// The entries of states with this layout. Collective. `mesh` must outlive this.
  Unknowns(const Mesh& mesh, const Cells& cells, const Layout& layout);

  bool is_shared() const { return mesh_ != nullptr; }
  /// Calls body(range) for the ranges of own ones among `size`.
  template <class Body>
  void visit_own(Eigen::Index size, const Body& body) const {
    if (!is_shared()) return body(Range{0, static_cast<Index>(size)});
    for (const Range& range : own_) body(range);
  }
  /// Exact sums over the unknowns of all processes, rounded once: they have the same bits for any number of processes.
  double dot(const Vector& a, const Vector& b) const;
  /// Σ weight a b
  double dot(const Vector& a, const Vector& b, const Vector& weight) const;
  double norm(const Vector& a) const;
  /// In the Frobenius norm.
  double norm(const SymmetricMatrix& a) const;
  /// Sets those of other processes to the values of their owners.
  void renew(Vector& values) const {
    if (renewal_) (*renewal_)(values.data());
  }
  /// The report of the lowest rank that failed. Collective.
  SolverReport agreed(SolverReport report) const;

 private:
  template <class Product>
  double sum(Eigen::Index size, const Product& product) const;

  const Mesh* mesh_ = nullptr;  // of a part; null: this process owns all
  std::vector<Range> own_;
  std::shared_ptr<const Renewal> renewal_;
};

}  // namespace shoal
