// Faces with any number of corners, as files hold them, and their cutting into triangles.
#pragma once

#include "discretizations/common/types.hpp"

#include <string>
#include <vector>

namespace shoal {

/// What a file holds: positions, faces as compressed rows of vertex numbers, and what was left out or changed
/// on the way, one sentence each.
struct Polygons {
  Points x;
  std::vector<Index> start = {0};
  std::vector<Index> corner;
  std::vector<std::string> remarks;

  Index count() const { return static_cast<Index>(start.size()) - 1; }
  /// Throws Error if there are more corners than the index type can number.
  void close_face();
  /// The triangles of a strip, all of one orientation; those that name a vertex twice only join its parts.
  void add_strip(const std::vector<Index>& strip);
};

/// Drops corners that follow themselves, and faces of which less than three are left. Returns how many faces were changed.
Index drop_repeated_corners(Polygons& polygons);

/// The largest number of corners of a face that is cut: the search for ears is cubic in it.
inline constexpr Index max_corners = 256;

/// Triangles as they are, other faces cut by ear clipping (Meisters 1975) in the plane of their area vector,
/// the best shaped ear first; corners keep their order within a triangle that was one. Adds a remark if faces
/// were cut. An outline may run to a hole and back along the same edge. Throws Error naming the face if it has fewer than 3 or too many corners, names a vertex outside
/// [0, x.cols()), or if its outline crosses itself.
Faces triangulate(Polygons& polygons);

}  // namespace shoal
