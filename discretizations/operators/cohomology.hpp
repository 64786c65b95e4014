// Closed one-forms on the edges of a mesh that are the gradient of no function at its vertices.
#pragma once

#include "discretizations/mesh/mesh.hpp"

namespace shoal {

/// One closed form for each of the 2g loops of a mesh of genus g, boundaries closed by caps: per face its
/// values along x₁−x₀ and x₂−x₀, zero but on a strip of faces. By a spanning tree of the faces and one of the
/// vertices over edges that it does not cross (tree–cotree, Eppstein 2003).
struct ClosedForm {
  struct Entry {
    Index face;
    double first, second;
  };
  Array<Entry> entries;
};
std::vector<ClosedForm> closed_forms(const Mesh& mesh);

}  // namespace shoal
