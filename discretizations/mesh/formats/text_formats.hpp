// OBJ and OFF, read in double precision and in the file's own numbering.
//
// Assimp 5.2 reads both, but numbers OBJ vertices anew by face corner, silently moves OFF indices that are
// out of range to the last vertex, and rounds positions to single precision. Results are to be in the input's
// order and bad files are to be refused with the element named, so these two formats, which are lists of
// numbers, are read here.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// Wavefront OBJ: `v` and `f` (1-based, negative from the end, texture and normal numbers ignored); `l` and
/// `p` are skipped with a remark, all else without. Throws Error naming the line.
Polygons parse_obj(std::string_view text);

/// Geomview OFF in text, with or without a keyword; what follows the position of a vertex (normal, colour,
/// texture) or the corners of a face on the same line is ignored. Where there is not one vertex or face to a line, it is read
/// number by number, with normals and colours behind the positions as the keyword says (NOFF, COFF, STOFF). Throws Error
/// naming the line.
Polygons parse_off(std::string_view text);

}  // namespace shoal
