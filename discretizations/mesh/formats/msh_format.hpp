// Gmsh's own format (https://gmsh.info/doc/texinfo/gmsh.html, "Gmsh file formats"), by a reader of our own: that of Gmsh
// corrupts memory on damaged files, and runs other files of that name as scripts.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The triangles and quadrilaterals of a mesh of Gmsh, of version 1, 2.0 to 2.2, 4.0 or 4.1, in text or binary; of those of
/// higher order the corners, with a remark. Elements with the same corners as an earlier one, as where two physical groups
/// list them, are left out with a remark. Throws Error naming the line, or the byte, that is wrong.
Polygons parse_msh(std::string_view bytes);

}  // namespace shoal
