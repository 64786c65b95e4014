#include "solvers/linear/unknowns.hpp"

#include "discretizations/mesh/part.hpp"
#include "discretizations/renewal.hpp"
#include "solvers/linear/residual.hpp"

#include <cmath>

namespace shoal {

Unknowns::Unknowns(const Mesh& mesh, Location at) {
  if (!mesh.part) return;
  mesh_ = &mesh;
  own_ = {shoal::own(mesh, at)};
  const Array<Ghost>& ghosts = mesh.part->ghosts(at);
  renewal_ = mesh.part->ranks->renewal({ghosts.begin(), ghosts.end()});
}

Unknowns::Unknowns(const Mesh& mesh, const Cells& cells, const Layout& layout) {
  if (!mesh.part) return;
  mesh_ = &mesh;
  own_ = own_entries(mesh, cells, layout);
  renewal_ = renewal_of(mesh, cells, layout);
}

template <class Product>
double Unknowns::sum(Eigen::Index size, const Product& product) const {
  ExactSum sum;
  visit_own(size, [&](const Range& range) { sum.add(product(range)); });
  if (mesh_) add_up(*mesh_, &sum, 1);
  return sum.value();
}

double Unknowns::dot(const Vector& a, const Vector& b) const {
  return sum(a.size(), [&](const Range& range) {
    return a.segment(range.begin, range.count).cwiseProduct(b.segment(range.begin, range.count));
  });
}

double Unknowns::dot(const Vector& a, const Vector& b, const Vector& weight) const {
  return sum(a.size(), [&](const Range& range) {
    return a.segment(range.begin, range.count)
        .cwiseProduct(b.segment(range.begin, range.count))
        .cwiseProduct(weight.segment(range.begin, range.count));
  });
}

double Unknowns::norm(const Vector& a) const {
  return std::sqrt(dot(a, a));
}

double Unknowns::norm(const SymmetricMatrix& a) const {
  ExactSum sum;
  visit_own(a.cols(), [&](const Range& range) {
    sum.add(range.begin, range.count, [&](Index column) { return squared_norm_of_column(a, column); });
  });
  if (mesh_) add_up(*mesh_, &sum, 1);
  return std::sqrt(sum.value());
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
