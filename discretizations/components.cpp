// Connected parts of a surface.
#include "discretizations/components.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/mesh/part.hpp"

namespace shoal {

Array<Index> first_vertices_of_components(const Mesh& mesh) {
  if (mesh.part) return mesh.part->component_first;
  Array<Index> first;
  const Array<Index> component = components_of_vertices(mesh);
  for (Index v = 0; v < component.size(); ++v)
    if (component[v] == first.size()) first.push_back(v);
  return first;
}

Array<Index> components_of_vertices(const Mesh& mesh) {
  if (mesh.part) return mesh.part->component;
  DisjointSets sets(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e) sets.join(mesh.edges(0, e), mesh.edges(1, e));
  Array<Index> number(mesh.vertex_count);
  Index count = 0;
  for (Index v = 0; v < mesh.vertex_count; ++v)
    number[v] = sets.find(v) == v ? count++ : number[sets.find(v)];
  return number;
}

/// Of the own cells.
Components::Components(const Mesh& mesh, const Cells& cells)
    : mesh_(&mesh), of_cell_(cells.count()), count_(first_vertices_of_components(mesh).size()) {
  const Array<Index> number = components_of_vertices(mesh);
  for (Index element = 0; element < cells.of_element.size(); ++element)
    of_cell_[cells.of_element[element]] =
        number[cells.location == Location::vertex ? element : mesh.faces(0, element)];
  start_.assign(count_ + 1, 0);
  const Range here = own(mesh, cells);
  for (Index i = here.begin; i < here.begin + here.count; ++i) ++start_[of_cell_[i] + 1];
  for (Index c = 0; c < count_; ++c) start_[c + 1] += start_[c];
  cells_.resize(start_[count_]);
  Array<Index> next = start_;
  for (Index i = here.begin; i < here.begin + here.count; ++i) cells_[next[of_cell_[i]]++] = i;
}

void Components::add_up(VectorIn values, Vector& sum) const {
  sum.resize(count_);
  for (Index c = 0; c < count_; ++c)
    sum[c] = shoal::sum(*mesh_, Range{start_[c], start_[c + 1] - start_[c]},
                        [&](Index i) { return values[cells_[i]]; });
}

}  // namespace shoal
