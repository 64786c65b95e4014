// Faces with any number of corners, as in files, and their triangulation.
#pragma once

#include "discretizations/common/types.hpp"

#include <string>
#include <vector>

namespace shoal {

/// The contents of a file: positions, faces as compressed rows of vertex indices, and remarks about skipped or changed parts, one
/// sentence each.
struct Polygons {
  Points x;
  std::vector<Index> start = {0};
  std::vector<Index> corner;
  std::vector<std::string> remarks;

  Index count() const { return static_cast<Index>(start.size()) - 1; }
  /// Throws Error if there are too many corners for the index type.
  void close_face();
  /// Adds the triangles of a strip with one orientation; triangles with a repeated vertex only connect its parts.
  void add_strip(const std::vector<Index>& strip);
};

/// Drops repeated consecutive corners, and faces with fewer than three corners left. Returns the number of changed faces.
Index drop_repeated_corners(Polygons& polygons);

/// The largest number of corners of a face that is triangulated; the search for ears is cubic in it.
inline constexpr Index max_corners = 256;

/// Keeps triangles, including the order of their corners, and splits other faces by ear clipping (Meisters 1975) in the plane of their
/// area vector, the best shaped ear first. Adds a remark if faces were split. An outline may run to a hole and back along the same
/// edge. Throws Error naming the face if it has fewer than 3 or too many corners, a vertex outside [0, x.cols()), or an outline that
/// crosses itself.
Faces triangulate(Polygons& polygons);

}  // namespace shoal
