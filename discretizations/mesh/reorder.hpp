// Orders of vertices and faces in which neighbours are close in memory.
#pragma once

#include "discretizations/common/types.hpp"

#include <vector>

namespace shoal {

/// Reverse Cuthill–McKee order of the vertices (Cuthill and McKee 1969; start by George and Liu 1979): entry
/// i is the i-th vertex. Deterministic; components are ordered by their lowest vertex, reversed.
std::vector<Index> locality_order(const Faces& faces, Index vertex_count);

/// Order of the faces by the lowest new index of their vertices, then by the next: entry k is the k-th face. `faces` contains the new
/// vertex indices.
std::vector<Index> face_order(const Faces& faces);

}  // namespace shoal
