// Orders of vertices and faces in which neighbours are close in memory.
#pragma once

#include "discretizations/common/array.hpp"

#include <vector>

namespace shoal {

/// Entry i is the i-th vertex; entry k the k-th face.
struct Order {
  std::vector<Index> vertices, faces;
};

/// The maximum number of faces per piece, such that their data fit into a cache.
constexpr Index faces_of_piece = 65536;

/// Cuts the faces into pieces of equal size along a Hilbert curve through the centroids [3, nF], so that
/// every range of the order is compact. Within a piece, faces are in the order of their lowest vertex in a reverse Cuthill–McKee
/// order. Vertices are in the order in which faces first contain them: on a part of a surface they then have the order of the whole,
/// as those around any place must. If `part` [nF] is given, faces of lower parts precede those of higher ones, and each part is cut by
/// itself. Deterministic.
Order locality_order(const Faces& faces, Index vertex_count, const Points& centroids,
                     const Array<Index>& part = {});

}  // namespace shoal
