// The connected parts of a surface, as sets of cells: no water flows from one to another.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// Numbered by their first vertices, so that two schemes on one surface count them alike.
class Components {
 public:
  /// `mesh` must outlive this.
  Components(const Mesh& mesh, const Cells& cells);

  Index count() const { return count_; }
  Index operator[](Index cell) const { return of_cell_[cell]; }
  /// sum [count()] = the sums of `values` [cells] over each of them.
  void add_up(VectorIn values, Vector& sum) const;

 private:
  const Mesh* mesh_;
  Array<Index> of_cell_;
  Array<Index> start_, cells_;  // of component c those from start_[c] on
  Index count_ = 0;
};

}  // namespace shoal
