// Connected parts of a surface.
#include "discretizations/components.hpp"

#include "discretizations/common/disjoint_sets.hpp"

namespace shoal {

Components::Components(const Mesh& mesh, const Cells& cells)
    : mesh_(&mesh), of_cell_(cells.count()), cells_(cells.count()) {
  DisjointSets sets(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e) sets.join(mesh.edges(0, e), mesh.edges(1, e));
  Array<Index> number(mesh.vertex_count);
  for (Index v = 0; v < mesh.vertex_count; ++v)
    number[v] = sets.find(v) == v ? count_++ : number[sets.find(v)];
  for (Index element = 0; element < cells.of_element.size(); ++element)
    of_cell_[cells.of_element[element]] =
        number[cells.location == Location::vertex ? element : mesh.faces(0, element)];
  start_.assign(count_ + 1, 0);
  for (const Index component : of_cell_) ++start_[component + 1];
  for (Index c = 0; c < count_; ++c) start_[c + 1] += start_[c];
  Array<Index> next = start_;
  for (Index i = 0; i < of_cell_.size(); ++i) cells_[next[of_cell_[i]]++] = i;
}

void Components::add_up(VectorIn values, Vector& sum) const {
  sum.resize(count_);
  for (Index c = 0; c < count_; ++c)
    sum[c] = shoal::sum(*mesh_, Range{start_[c], start_[c + 1] - start_[c]},
                        [&](Index i) { return values[cells_[i]]; });
}

}  // namespace shoal
