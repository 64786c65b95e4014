// The command `remesh`: a surface, and the skin in it, with fewer or better triangles.
#pragma once

#include "discretizations/common/types.hpp"

#include <string>

namespace shoal {

struct RemeshRequest {
  std::string input, output;
  Index vertices = 0;         ///< one of these two is positive, or none: the triangles stay
  double edge_length = 0;     ///< m
  double weld = 0;            ///< m, vertices nearer than this are one; 0: see read_surface
  bool repair = false;        ///< make_manifold
  double height = 0;          ///< m, of the longest side of its box; 0: as it is
  bool keep_largest = false;  ///< of its pieces
};

/// Reads, changes and writes; says what was done, in lines. Throws Error: an extension of the output that is not written,
/// more than one piece where they are not to be dropped and remeshing is asked for of a surface with a boundary, or what
/// the readers and remesh() refuse.
std::string remesh_file(const RemeshRequest& request);

}  // namespace shoal
