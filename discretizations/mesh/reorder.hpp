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
/// every range of the order is compact. Within a piece, vertices (without those of earlier pieces) are in
/// reverse Cuthill–McKee order, and faces in the order of their lowest vertex. Deterministic.
Order locality_order(const Faces& faces, Index vertex_count, const Points& centroids);

}  // namespace shoal
