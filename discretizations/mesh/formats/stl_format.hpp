// STL, in text and binary, by a reader of our own, so that a file that is cut short or damaged is refused
// with the line or facet named, and positions in text keep double precision.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The triangles of all solids of an STL file; every facet has vertices of its own, three in a row. The
/// facets' normals are skipped, since the order of the vertices implies them. A file is binary if its size is
/// that of the facets which its head counts, 84 + 50 n bytes, and text if it begins with `solid`. Throws
/// Error naming the line where the text cannot be read.
Polygons parse_stl(std::string_view bytes);

}  // namespace shoal
