#include "discretizations/renewal.hpp"

#include "discretizations/mesh/part.hpp"

namespace shoal {

std::unique_ptr<Renewal> renewal_of(const Mesh& mesh, const Cells& cells, const Layout& layout) {
  if (!mesh.part) return nullptr;
  const Part& part = *mesh.part;
  constexpr double none = -1;
  Array<Ghost> ghosts;
  for (const Field& field : layout.fields()) {
    if (field.location == Location::boundary_set || field.location == Location::whole)
      continue;  // same in all
    const Location at = place_of(field, cells);
    const Index elements = at == Location::vertex ? mesh.vertex_count
                           : at == Location::edge ? mesh.edge_count()
                                                  : mesh.face_count();
    const auto renew = part.ranks->renewal({part.ghosts(at).begin(), part.ghosts(at).end()});
    const Index entries = field.size / field.components;
    for (Index component = 0; component < field.components; ++component) {
      Vector here = Vector::Constant(elements, none);  // the entry of each element
      for (Index i = 0; i < entries; ++i)
        here[element_of(field, i, cells)] = field.offset + component * entries + i;
      Vector there = here;
      (*renew)(there.data());
      for (const Ghost& ghost : part.ghosts(at))
        if (here[ghost.here] != none && there[ghost.here] != none)
          ghosts.push_back(
              {ghost.owner, static_cast<Index>(there[ghost.here]), static_cast<Index>(here[ghost.here])});
    }
  }
  return part.ranks->renewal({ghosts.begin(), ghosts.end()});
}

std::vector<Range> own_entries(const Mesh& mesh, const Cells& cells, const Layout& layout) {
  std::vector<Range> own;
  const auto add = [&](Index entry) {
    if (!own.empty() && own.back().begin + own.back().count == entry)
      ++own.back().count;
    else
      own.push_back({entry, 1});
  };
  for (const Field& field : layout.fields()) {
    const bool has_no_place = field.location == Location::boundary_set || field.location == Location::whole;
    const Range elements = has_no_place ? Range{} : shoal::own(mesh, place_of(field, cells));
    for (Index i = 0; i < field.size; ++i)
      if (has_no_place ? ranks_of(mesh).rank() == 0 : elements.has(element_of(field, i, cells)))
        add(field.offset + i);
  }
  return own;
}

}  // namespace shoal
