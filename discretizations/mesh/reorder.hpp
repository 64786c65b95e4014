// An order of vertices and faces in which neighbours are near in memory.
#pragma once

#include "discretizations/common/types.hpp"

#include <vector>

namespace shoal {

/// Reverse Cuthill–McKee order of the vertices (Cuthill and McKee 1969; start by George and Liu 1979): entry
/// i is the vertex that comes i-th. Deterministic; components follow each other by their lowest vertex,
/// reversed.
std::vector<Index> locality_order(const Faces& faces, Index vertex_count);

/// Order of the faces by the lowest of their vertices' new numbers, then by the next: entry k is the face
/// that comes k-th. `faces` holds the new vertex numbers.
std::vector<Index> face_order(const Faces& faces);

}  // namespace shoal
