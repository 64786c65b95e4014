// The connected components of a surface, as sets of cells: no water flows between them.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// The component of each vertex [nV]. Components are numbered by their first vertices; on a part of a surface they are those of the
/// whole.
Array<Index> components_of_vertices(const Mesh& mesh);
/// The first vertex of each component, in the whole surface.
Array<Index> first_vertices_of_components(const Mesh& mesh);

/// Two schemes on one surface number its components alike.
class Components {
 public:
  /// `mesh` must outlive this.
  Components(const Mesh& mesh, const Cells& cells);

  Index count() const { return count_; }
  Index operator[](Index cell) const { return of_cell_[cell]; }
  /// sum [count()] = the sums of `values` [cells] over each component.
  void add_up(VectorIn values, Vector& sum) const;

 private:
  const Mesh* mesh_;
  Array<Index> of_cell_;
  Array<Index> start_, cells_;  // the cells of component c start at start_[c]
  Index count_ = 0;
};

}  // namespace shoal
