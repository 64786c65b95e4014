// multifrontal: sparse Cholesky L Lᵀ = P A Pᵀ in dense fronts (Duff & Reid 1983, doi:10.1145/356044.356047;
// Liu 1992, doi:10.1137/1034004).
//
// Columns of L with the same rows below them form a front: the lower part of a panel of `columns` × `rows`. It is assembled
// from A and the updates of its children in the elimination tree, eliminated, and leaves an update −L₂₁L₂₁ᵀ for its parent.
// The tree is postordered, so updates form a stack. A front may be merged with its child at the cost of explicit zeros. The
// kernels multiply blocks of 4 × 4 columns in registers, eight rows at a time; on surfaces they are faster than BLAS calls even
// for the largest fronts.
//
// Entries above the diagonal of a panel and in the padding of its columns are computed but never used.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/ordering.hpp"
#include "solvers/linear/residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace shoal {
namespace {

constexpr Index lanes = 8;  // rows processed at once; arrays are padded to multiples
constexpr Index block = 4;  // columns per product, on either side
using Lanes = Eigen::Array<double, lanes, 1>;

constexpr Index padded(Index count) {
  return (count + lanes - 1) / lanes * lanes;
}

Eigen::Map<Lanes> lanes_at(double* values) {
  return Eigen::Map<Lanes>(values);
}
Eigen::Map<const Lanes> lanes_at(const double* values) {
  return Eigen::Map<const Lanes>(values);
}

/// target(i, j) −= Σₖ left(i, k) right(j, k) for rows [begin, end), eight at a time, and `Columns` columns j; k runs over
/// `Depth` columns. Matrices are stored by columns; `left` and `right` have the same column stride.
template <int Columns, int Depth>
void subtract_product(double* target, Index target_stride, const double* left, const double* right,
                      Index stride, Index begin, Index end) {
  double factor[Columns][Depth];
  for (int j = 0; j < Columns; ++j)
    for (int k = 0; k < Depth; ++k) factor[j][k] = right[j + k * stride];
  for (Index i = begin; i < end; i += lanes) {
    Lanes part[Depth];
    for (int k = 0; k < Depth; ++k) part[k] = lanes_at(left + i + k * stride);
    for (int j = 0; j < Columns; ++j) {
      auto sum = lanes_at(target + i + j * target_stride);
      Lanes value = sum;
      for (int k = 0; k < Depth; ++k) value -= part[k] * factor[j][k];
      sum = value;
    }
  }
}

/// y −= M x and x −= Mᵀ y for `Depth` columns and rows [begin, end), eight at a time.
template <int Depth>
void subtract_columns(const double* columns, Index stride, const double* x, double* y, Index begin,
                      Index end) {
  for (Index i = begin; i < end; i += lanes) {
    Lanes value = lanes_at(y + i);
    for (int k = 0; k < Depth; ++k) value -= lanes_at(columns + i + k * stride) * x[k];
    lanes_at(y + i) = value;
  }
}
template <int Depth>
void subtract_rows(const double* columns, Index stride, double* x, const double* y, Index begin, Index end) {
  Lanes sum[Depth];
  for (Lanes& one : sum) one.setZero();
  for (Index i = begin; i < end; i += lanes) {
    const Lanes value = lanes_at(y + i);
    for (int k = 0; k < Depth; ++k) sum[k] += lanes_at(columns + i + k * stride) * value;
  }
  for (int k = 0; k < Depth; ++k) x[k] -= sum[k].sum();
}

using Kernel = void (*)(double*, Index, const double*, const double*, Index, Index, Index);
constexpr Kernel kernels[block][block] = {
    {subtract_product<1, 1>, subtract_product<1, 2>, subtract_product<1, 3>, subtract_product<1, 4>},
    {subtract_product<2, 1>, subtract_product<2, 2>, subtract_product<2, 3>, subtract_product<2, 4>},
    {subtract_product<3, 1>, subtract_product<3, 2>, subtract_product<3, 3>, subtract_product<3, 4>},
    {subtract_product<4, 1>, subtract_product<4, 2>, subtract_product<4, 3>, subtract_product<4, 4>}};

/// Eliminates a panel in place, to columns of L with the pivots on top. Returns the first column whose pivot is not positive, or
/// `columns`.
Index eliminate(double* panel, Index columns, Index stride) {
  for (Index k = 0; k < columns; k += block) {
    const Index end = std::min(k + block, columns);
    for (Index j = k; j < end; ++j) {
      double* column = panel + j * stride;
      if (!(column[j] > 0 && std::isfinite(column[j]))) return j;
      const double scale = 1 / std::sqrt(column[j]);
      for (Index i = j / lanes * lanes; i < stride; i += lanes) lanes_at(column + i) *= scale;
      for (Index next = j + 1; next < end; ++next)
        subtract_product<1, 1>(panel + next * stride, stride, column, column + next, stride,
                               next / lanes * lanes, stride);
    }
    for (Index j = end; j < columns; j += block)
      kernels[std::min(block, columns - j) - 1][end - k - 1](panel + j * stride, stride, panel + k * stride,
                                                             panel + k * stride + j, stride,
                                                             j / lanes * lanes, stride);
  }
  return columns;
}

/// update −= L₂₁L₂₁ᵀ (lower part) for the rows below the pivots.
void subtract_update(const double* below, Index columns, Index stride, double* update, Index rows,
                     Index update_stride) {
  for (Index j = 0; j < rows; j += block)
    for (Index k = 0; k < columns; k += block)
      kernels[std::min(block, rows - j) - 1][std::min(block, columns - k) - 1](
          update + j * update_stride, update_stride, below + k * stride, below + k * stride + j, stride,
          j / lanes * lanes, update_stride);
}

/// Columns [first, first + columns) of L and their `rows` common rows below.
struct Front {
  Index first = 0, columns = 0, rows = 0;
  Index parent = -1;
  Index children = 0;      ///< number of updates on top of the stack for this front
  Index row_start = 0;     ///< in rows_ and places_
  Eigen::Index panel = 0;  ///< in panels_
  Index entries = 0;       ///< in entries_, up to the entries of the next front

  Index stride() const { return padded(columns + rows); }
  Index update_stride() const { return padded(rows); }
  Eigen::Index update_size() const { return Eigen::Index{update_stride()} * update_stride(); }
};

/// Compressed lists of numbers.
struct Lists {
  Array<Index> start, values;
  const Index* begin(Index list) const { return values.data() + start[list]; }
  const Index* end(Index list) const { return values.data() + start[list + 1]; }
};

/// For every key in [0, lists), the ascending numbers of the items with this key.
Lists group(const Array<Index>& key, Index lists) {
  Lists result;
  result.start.assign(lists + 1, 0);
  for (const Index k : key) ++result.start[k + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.values.resize(key.size());
  Array<Index> next(result.start.begin(), result.start.end() - 1);
  for (Index item = 0; item < key.size(); ++item) result.values[next[key[item]]++] = item;
  return result;
}

class Multifrontal final : public LinearSolver {
 public:
  using SolverOptions = ResidualOptions;
  explicit Multifrontal(const ResidualOptions& options) : options_(options) {}

  void analyze(const SymmetricMatrix& pattern) override {
    size_ = static_cast<Index>(pattern.cols());
    permutation_ = order(pattern, Ordering::nested_dissection);
    Array<Index> position(permutation_.size());
    for (Index i = 0; i < size_; ++i) position[permutation_[i]] = i;

    // Each value of the lower triangle in the order of elimination.
    const auto count = static_cast<Index>(pattern.nonZeros());
    Array<Index> low(count), high(count);
    for (Index column = 0; column < size_; ++column)
      for (Index entry = pattern.outerIndexPtr()[column]; entry < pattern.outerIndexPtr()[column + 1];
           ++entry)
        std::tie(low[entry], high[entry]) =
            std::minmax({position[column], position[pattern.innerIndexPtr()[entry]]});
    const Lists by_row = group(high, size_);
    find_fronts(by_row, low);
    find_rows(group(low, size_), high);
    find_entries(low, high);
    lay_out();
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    matrix_ = &matrix;
    SolverReport report;
    double* top = stack_.data();
    for (Index f = 0; f + 1 < fronts_.size(); ++f) {
      const Index bad = eliminate_front(fronts_[f], fronts_[f + 1].entries, matrix.valuePtr(), top);
      if (bad == fronts_[f].columns) continue;
      report = not_positive_definite(permutation_[fronts_[f].first + bad], size_);
      break;
    }
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    for (Index i = 0; i < size_; ++i) x_[i] = right_side[permutation_[i]];
    for (Index f = 0; f + 1 < fronts_.size(); ++f) solve_forward(fronts_[f]);
    for (Index f = fronts_.size() - 1; f-- > 0;) solve_backward(fronts_[f]);
    solution.resize(size_);
    for (Index i = 0; i < size_; ++i) solution[permutation_[i]] = x_[i];
    SolverReport report;
    if (options_.measure) report.residual = relative_residual(*matrix_, right_side, solution, work_);
    return report;
  }

 private:
  /// Whether a front with so many columns may contain this fraction of zeros: fronts with few columns are slow. Not critical.
  static bool may_merge(Index columns, double share) {
    return columns <= 4 || share < (columns <= 16 ? 0.3 : 0.05);
  }

  /// Elimination tree (Liu 1990, doi:10.1137/0611010), lengths of the columns of L, fronts.
  void find_fronts(const Lists& by_row, const Array<Index>& low) {
    Array<Index> parent(size_, -1), ancestor(size_, -1);
    for (Index i = 0; i < size_; ++i)
      for (const Index* entry = by_row.begin(i); entry < by_row.end(i); ++entry)
        for (Index k = low[*entry]; k != -1 && k < i;) {
          const Index next = ancestor[k];
          ancestor[k] = i;
          if (next == -1) parent[k] = i;
          k = next;
        }
    Array<Index> length(size_, 1), mark(size_, -1);
    for (Index i = 0; i < size_; ++i) {
      mark[i] = i;
      for (const Index* entry = by_row.begin(i); entry < by_row.end(i); ++entry)
        for (Index k = low[*entry]; mark[k] != i; k = parent[k]) {
          ++length[k];
          mark[k] = i;
        }
    }
    fronts_.clear();
    Array<double> zeros;  // explicit zeros in each front
    for (Index j = 0; j < size_;) {
      Front front{.first = j};
      do ++j;
      while (j < size_ && parent[j - 1] == j && length[j - 1] == length[j] + 1);
      front.columns = j - front.first;
      front.rows = length[j - 1] - 1;
      double own_zeros = 0;
      while (!fronts_.empty()) {  // merge the previous front if it is a child
        const Front& child = fronts_.back();
        const Index above = parent[front.first - 1];
        if (above < front.first || above >= front.first + front.columns) break;
        const double more = zeros.back() + double(child.columns) * (front.columns + front.rows - child.rows);
        const Index columns = child.columns + front.columns;
        const double size = 0.5 * double(columns) * (columns + 1) + double(columns) * front.rows;
        const double share = (own_zeros + more) / size;
        if (!may_merge(columns, share)) break;
        own_zeros += more;
        front.first = child.first;
        front.columns = columns;
        fronts_.pop_back();
        zeros.pop_back();
      }
      fronts_.push_back(front);
      zeros.push_back(own_zeros);
    }
    fronts_.push_back({.first = size_});  // the end
    front_of_.resize(size_);
    for (Index f = 0; f + 1 < fronts_.size(); ++f)
      std::fill_n(front_of_.begin() + fronts_[f].first, fronts_[f].columns, f);
  }

  /// The rows below each front, from A and the children, and the positions of a child's rows in its parent.
  void find_rows(const Lists& by_column, const Array<Index>& high) {
    rows_.clear();
    Array<Index> mark(size_, -1), place(size_);
    Array<Array<Index>> children(fronts_.size());
    for (Index f = 0; f + 1 < fronts_.size(); ++f) {
      Front& front = fronts_[f];
      const Index last = front.first + front.columns;
      front.row_start = rows_.size();
      const auto add = [&](Index row) {
        if (row < last || mark[row] == f) return;
        mark[row] = f;
        rows_.push_back(row);
      };
      for (Index j = front.first; j < last; ++j)
        for (const Index* entry = by_column.begin(j); entry < by_column.end(j); ++entry) add(high[*entry]);
      for (const Index child : children[f])
        for (Index k = 0; k < fronts_[child].rows; ++k) add(rows_[fronts_[child].row_start + k]);
      std::sort(rows_.begin() + front.row_start, rows_.end());
      front.rows = rows_.size() - front.row_start;
      if (front.rows == 0) continue;
      front.parent = front_of_[rows_[front.row_start]];
      children[front.parent].push_back(f);
    }
    places_.resize(rows_.size());
    for (Index f = 0; f + 1 < fronts_.size(); ++f) {
      const Front& front = fronts_[f];
      fronts_[f].children = children[f].size();
      for (Index k = 0; k < front.columns; ++k) place[front.first + k] = k;
      for (Index k = 0; k < front.rows; ++k) place[rows_[front.row_start + k]] = front.columns + k;
      for (const Index child : children[f]) {
        const Front& c = fronts_[child];
        for (Index k = c.row_start; k < c.row_start + c.rows; ++k) places_[k] = place[rows_[k]];
      }
    }
  }

  /// The positions of the values of A in the panels.
  void find_entries(const Array<Index>& low, const Array<Index>& high) {
    Array<Index> front(low.size());
    for (Index entry = 0; entry < low.size(); ++entry) front[entry] = front_of_[low[entry]];
    const Lists by_front = group(front, fronts_.size());
    entries_.resize(low.size());
    for (Index f = 0; f + 1 < fronts_.size(); ++f) {
      fronts_[f].entries = by_front.start[f];
      const auto begin = rows_.begin() + fronts_[f].row_start;
      const auto end = begin + fronts_[f].rows;
      const Index last = fronts_[f].first + fronts_[f].columns;
      for (Index e = by_front.start[f]; e < by_front.start[f + 1]; ++e) {
        const Index source = by_front.values[e], row = high[source];
        const Index place =
            row < last ? row - fronts_[f].first
                       : fronts_[f].columns + static_cast<Index>(std::lower_bound(begin, end, row) - begin);
        entries_[e] = {source, (low[source] - fronts_[f].first) * fronts_[f].stride() + place};
      }
    }
    fronts_.back().entries = entries_.size();
  }

  void lay_out() {
    Eigen::Index panels = 0, height = 0, highest = 0;
    Array<Eigen::Index> updates;
    Index longest = 0;
    for (Index f = 0; f + 1 < fronts_.size(); ++f) {
      Front& front = fronts_[f];
      front.panel = panels;
      panels += Eigen::Index{front.stride()} * front.columns;
      longest = std::max(longest, front.stride());
      highest = std::max(highest, height + front.update_size());
      for (Index child = 0; child < front.children; ++child) {
        height -= updates.back();
        updates.pop_back();
      }
      if (front.parent < 0) continue;
      height += front.update_size();
      updates.push_back(front.update_size());
    }
    panels_.resize(panels + lanes);  // the last eight rows may begin within
    stack_.resize(highest);
    x_.resize(size_);
    front_x_.resize(longest);
    reciprocal_.resize(size_);
    pending_.clear();
    pending_.reserve(fronts_.size());
  }

  /// Assembles a front, eliminates it and replaces the updates of its children on the stack by its own.
  Index eliminate_front(const Front& front, Index entries_end, const double* values, double*& top) {
    double* panel = panels_.data() + front.panel;
    const Index stride = front.stride(), update_stride = front.update_stride();
    std::fill_n(panel, Eigen::Index{stride} * front.columns, 0.0);
    for (Index e = front.entries; e < entries_end; ++e) panel[entries_[e].place] = values[entries_[e].source];

    double* update = top;
    std::fill_n(update, front.update_size(), 0.0);
    for (Index child = 0; child < front.children; ++child) {
      const Front& c = fronts_[pending_.back()];
      pending_.pop_back();
      top -= c.update_size();
      add_update(c, top, front, panel, update);
    }
    const Index bad = eliminate(panel, front.columns, stride);
    if (bad < front.columns) {
      pending_.clear();
      return bad;
    }
    for (Index j = 0; j < front.columns; ++j) reciprocal_[front.first + j] = 1 / panel[j * (stride + 1)];
    subtract_update(panel + front.columns, front.columns, stride, update, front.rows, update_stride);
    if (front.parent < 0) return bad;
    if (update != top) std::copy_n(update, front.update_size(), top);
    top += front.update_size();
    pending_.push_back(static_cast<Index>(&front - fronts_.data()));
    return bad;
  }

  void add_update(const Front& child, const double* from, const Front& front, double* panel, double* update) {
    const Index* place = places_.data() + child.row_start;
    for (Index j = 0; j < child.rows; ++j, from += child.update_stride()) {
      double* to = place[j] < front.columns
                       ? panel + place[j] * front.stride()
                       : update + (place[j] - front.columns) * front.update_stride() - front.columns;
      for (Index i = j; i < child.rows; ++i) to[place[i]] += from[i];
    }
  }

  /// Solves L y = b within the columns of the front and subtracts their products from the rows below. Solved values go to x_;
  /// front_x_ above the current block is undefined.
  void solve_forward(const Front& front) {
    const Index stride = front.stride();
    const double* panel = panels_.data() + front.panel;
    double* x = x_.data() + front.first;
    double* local = front_x_.data();
    std::copy_n(x, front.columns, local);
    std::fill(local + front.columns, local + stride, 0.0);
    for (Index k = 0; k < front.columns; k += block) {
      const Index end = std::min(k + block, front.columns);
      for (Index j = k; j < end; ++j) {
        x[j] = local[j] * reciprocal_[front.first + j];
        for (Index i = j + 1; i < end; ++i) local[i] -= panel[i + j * stride] * x[j];
      }
      forward_[end - k - 1](panel + k * stride, stride, x + k, local, end / lanes * lanes, stride);
    }
    const Index* row = rows_.data() + front.row_start;
    for (Index i = 0; i < front.rows; ++i) x_[row[i]] += local[front.columns + i];
  }

  /// Solves Lᵀ x = y likewise. front_x_ is zero above the current block.
  void solve_backward(const Front& front) {
    const Index stride = front.stride();
    const double* panel = panels_.data() + front.panel;
    double* x = x_.data() + front.first;
    double* local = front_x_.data();
    std::fill(local, local + stride, 0.0);
    const Index* row = rows_.data() + front.row_start;
    for (Index i = 0; i < front.rows; ++i) local[front.columns + i] = x_[row[i]];
    for (Index k = (front.columns - 1) / block * block; k >= 0; k -= block) {
      const Index end = std::min(k + block, front.columns);
      backward_[end - k - 1](panel + k * stride, stride, x + k, local, end / lanes * lanes, stride);
      for (Index j = end - 1; j >= k; --j) {
        for (Index i = j + 1; i < end; ++i) x[j] -= panel[i + j * stride] * x[i];
        local[j] = x[j] *= reciprocal_[front.first + j];
      }
    }
  }

  struct Entry {
    Index source;  ///< in the caller's values
    Index place;   ///< in the panel
  };

  static constexpr auto forward_ =
      std::array{subtract_columns<1>, subtract_columns<2>, subtract_columns<3>, subtract_columns<4>};
  static constexpr auto backward_ =
      std::array{subtract_rows<1>, subtract_rows<2>, subtract_rows<3>, subtract_rows<4>};

  ResidualOptions options_;
  Index size_ = 0;
  Array<Index> permutation_;  // position → unknown
  Array<Front> fronts_;       // in postorder, followed by an end marker
  Array<Index> front_of_;     // of each column
  Array<Index> rows_;         // below each front, ascending
  Array<Index> places_;       // of those rows in the parent: its columns, then its rows
  Array<Entry> entries_;
  Vector panels_, stack_;
  Array<Index> pending_;  // fronts whose updates are on the stack
  Vector reciprocal_;     // of the pivots, by position
  Vector x_, front_x_, work_;
  const SymmetricMatrix* matrix_ = nullptr;
};

}  // namespace

LinearSolverEntry multifrontal() {
  return describe_solver<Multifrontal>(
      "multifrontal", "multifrontal sparse Cholesky, METIS ordering; the fastest direct solver on surfaces",
      {.direct = true});
}

}  // namespace shoal
