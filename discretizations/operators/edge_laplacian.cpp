// Slots and sweeps of the weighted edge Laplacian.
#include "discretizations/operators/edge_laplacian.hpp"

#include <algorithm>

namespace shoal {

EdgeLaplacian::EdgeLaplacian(Index nodes, const Edges& pairs) : pairs_(pairs), pattern_(nodes, nodes) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(nodes + pairs.cols());
  for (Index i = 0; i < nodes; ++i) entries.emplace_back(i, i, 0.0);
  for (Index e = 0; e < pairs.cols(); ++e) {
    const auto [column, row] = std::minmax({pairs(0, e), pairs(1, e)});
    entries.emplace_back(row, column, 0.0);
  }
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();

  slot_.resize(pairs.cols());
  const Index* start = pattern_.outerIndexPtr();
  const Index* rows = pattern_.innerIndexPtr();
  for (Index e = 0; e < pairs.cols(); ++e) {
    const auto [column, row] = std::minmax({pairs(0, e), pairs(1, e)});
    slot_[e] =
        static_cast<Index>(std::lower_bound(rows + start[column], rows + start[column + 1], row) - rows);
  }
}

void EdgeLaplacian::assemble(const Vector& diagonal, double scale, const Vector& w,
                             SymmetricMatrix& matrix) const {
  double* values = matrix.valuePtr();
  const Index* start = matrix.outerIndexPtr();
  std::fill(values, values + matrix.nonZeros(), 0.0);
  for (Index i = 0; i < diagonal.size(); ++i) values[start[i]] = diagonal[i];
  for (Index e = 0; e < pairs_.cols(); ++e) {
    const double weight = scale * w[e];
    values[slot_[e]] -= weight;
    values[start[pairs_(0, e)]] += weight;
    values[start[pairs_(1, e)]] += weight;
  }
}

void EdgeLaplacian::add_product(const Vector& p, double scale, const Vector& w, Vector& out) const {
  for (Index e = 0; e < pairs_.cols(); ++e) {
    const Index i = pairs_(0, e), j = pairs_(1, e);
    const double flux = scale * w[e] * (p[i] - p[j]);
    out[i] += flux;
    out[j] -= flux;
  }
}

}  // namespace shoal
