// PLY, read in double precision. Assimp 5.2's reader never returns from a header that is cut short, crashes
// on a binary body that is, and rounds to single precision.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// Stanford PLY 1.0, ascii and binary of either byte order: element `vertex` with x, y, z and element `face`
/// with the list vertex_indices (or vertex_index); everything else is skipped. Throws Error naming the line
/// of the header or the element at which the file cannot be read.
Polygons parse_ply(std::string_view text);

/// What the elements `vertex` have under these names, or, where they have not all of them, the elements `face`: [n,
/// names], element by element. Throws Error as parse_ply does, and where neither has such properties.
std::vector<double> parse_ply_values(std::string_view text, const std::vector<std::string>& names);

}  // namespace shoal
