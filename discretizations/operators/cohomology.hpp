// Closed one-forms on the edges of a mesh that are not gradients of functions at its vertices.
#pragma once

#include "discretizations/mesh/mesh.hpp"

namespace shoal {

/// One closed form for each of the 2g loops of a mesh of genus g, with boundaries closed by caps. A form is zero except on a
/// strip of faces and is given per face by its values along x₁−x₀ and x₂−x₀. Construction: a spanning tree of the faces, and
/// one of the vertices over edges that the first does not cross (tree–cotree, Eppstein 2003).
struct ClosedForm {
  struct Entry {
    Index face;
    double first, second;
  };
  Array<Entry> entries;
};
std::vector<ClosedForm> closed_forms(const Mesh& mesh);

}  // namespace shoal
