// STL, text and binary, with our own reader, so that errors name the line or facet of a truncated or damaged file, and positions in
// text keep double precision.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The triangles of all solids of an STL file; every facet has three vertices of its own. The normals of facets are skipped, since they
/// follow from the order of the vertices. A file is binary if its size matches the number of facets in its header, 84 + 50 n bytes, and
/// text if it begins with `solid`. Throws Error naming the line of text that cannot be read.
Polygons parse_stl(std::string_view bytes);

}  // namespace shoal
