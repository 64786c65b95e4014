// Connected parts of a surface.
#include "discretizations/components.hpp"

#include "discretizations/common/disjoint_sets.hpp"

namespace shoal {

Components::Components(const Mesh& mesh, const Cells& cells) : of_cell_(cells.count()) {
  DisjointSets sets(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e) sets.join(mesh.edges(0, e), mesh.edges(1, e));
  Array<Index> number(mesh.vertex_count);
  for (Index v = 0; v < mesh.vertex_count; ++v)
    number[v] = sets.find(v) == v ? count_++ : number[sets.find(v)];
  for (Index element = 0; element < cells.of_element.size(); ++element)
    of_cell_[cells.of_element[element]] =
        number[cells.location == Location::vertex ? element : mesh.faces(0, element)];
}

void Components::add_up(VectorIn values, Vector& sum) const {
  sum.setZero(count_);
  if (count_ == 1) {  // in pairs, which rounds less than one after the other
    sum[0] = values.sum();
    return;
  }
  for (Index i = 0; i < of_cell_.size(); ++i) sum[of_cell_[i]] += values[i];
}

}  // namespace shoal
