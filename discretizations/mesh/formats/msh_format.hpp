// Gmsh's own format (https://gmsh.info/doc/texinfo/gmsh.html, "Gmsh file formats"), with our own reader: that of Gmsh corrupts memory
// on damaged files and executes other files with this extension as scripts.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The triangles and quadrilaterals of a Gmsh mesh, version 1, 2.0 to 2.2, 4.0 or 4.1, text or binary. Higher-order elements are reduced
/// to their corners, with a remark. Elements with the same corners as an earlier one, e.g. in two physical groups, are skipped with a
/// remark. Throws Error naming the wrong line or byte.
Polygons parse_msh(std::string_view bytes);

}  // namespace shoal
