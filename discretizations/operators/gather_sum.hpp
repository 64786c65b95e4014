// Sums the contributions of the elements around each cell: the vectorised half of every divergence.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/parallel.hpp"

#include <array>

namespace shoal {

/// sum[i] += scale · Σ value[slot] over the slots of row i, in the given order.
///
/// The first `width` slots of all rows are stored slot by slot, so that whole registers of rows are summed at a time; short
/// rows are padded with a slot whose value is zero. Further slots of long rows are added row by row.
template <int width>
class GatherSum {
 public:
  GatherSum() = default;

  /// Row i has the slots slot[start[i]] … slot[start[i+1]-1]; value[zero_slot] must always be zero.
  GatherSum(const Array<Index>& start, const Array<Index>& slot, Index zero_slot) {
    rows_ = start.size() - 1;
    for (auto& column : slot_) column.assign(rows_, zero_slot);
    for (Index i = 0; i < rows_; ++i) {
      const Index begin = start[i], end = start[i + 1];
      for (Index j = begin; j < end; ++j) {
        const Index place = j - begin, source = slot[j];
        if (place < width)
          slot_[place][i] = source;
        else
          rest_.push_back({i, source});
      }
    }
  }

  /// The same with a vector of slots for each row.
  GatherSum(const Array<Array<Index>>& rows, Index zero_slot) {
    Array<Index> start = {0}, slots;
    for (const Array<Index>& row : rows) {
      for (const Index slot : row) slots.push_back(slot);
      start.push_back(slots.size());
    }
    *this = GatherSum(start, slots, zero_slot);
  }

  /// value [slots], sum [rows].
  void add(const double* value, double scale, double* sum) const {
    std::array<const Index*, width> slot;
    for (int j = 0; j < width; ++j) slot[j] = slot_[j].data();
    parallel_for(rows_, [=](Index begin, Index end) {
#pragma omp simd
      for (Index i = begin; i < end; ++i) {
        double row = 0;
        for (int j = 0; j < width; ++j) row += value[slot[j][i]];
        sum[i] += scale * row;
      }
    });
    for (const auto& [row, source] : rest_) sum[row] += scale * value[source];
  }

 private:
  struct Entry {
    Index row, slot;
  };
  Index rows_ = 0;
  std::array<Array<Index>, width> slot_;
  Array<Entry> rest_;
};

}  // namespace shoal
