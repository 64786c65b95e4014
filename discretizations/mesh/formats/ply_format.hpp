// PLY, read in double precision. Assimp 5.2's reader does not return from a truncated header, crashes on a truncated binary body, and
// rounds to single precision.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// Stanford PLY 1.0, ascii and binary in either byte order: element `vertex` with x, y, z and element `face`
/// with the list vertex_indices (or vertex_index); everything else is skipped. Throws Error naming the line
/// of the header or the element that cannot be read.
Polygons parse_ply(std::string_view text);

/// [n, names] the values of these properties of the elements `vertex` or, if these lack some, of the elements `face`, element by
/// element. Throws Error as parse_ply does, and if neither has all of them.
std::vector<double> parse_ply_values(std::string_view text, const std::vector<std::string>& names);

}  // namespace shoal
