// OBJ and OFF, read in double precision and in the file's own numbering.
//
// Assimp 5.2 reads both, but renumbers OBJ vertices by face corner, silently replaces OFF indices out of range by the last vertex, and
// rounds positions to single precision. Results must keep the order of the input, and errors must name the element, so these two
// formats, which are lists of numbers, are read here.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// Wavefront OBJ: `v` and `f` (1-based, negative from the end, texture and normal indices ignored); `l` and
/// `p` are skipped with a remark, everything else without. Throws Error naming the line.
Polygons parse_obj(std::string_view text);

/// Geomview OFF in text, with or without a keyword. Anything after the position of a vertex (normal, colour, texture) or the corners of a
/// face on the same line is ignored. If there is not exactly one vertex or face per line, the file is read number by number, with
/// normals and colours after the positions according to the keyword (NOFF, COFF, STOFF). Throws Error naming the line.
Polygons parse_off(std::string_view text);

}  // namespace shoal
