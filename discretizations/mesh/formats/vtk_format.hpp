// VTK's legacy format, by a reader of our own: Gmsh's corrupts memory on damaged files, and reads neither strips nor what
// ParaView writes today.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The faces of a legacy file of version 1.0 to 5.1, in text or binary: polygons and triangle strips of POLYDATA, cells of
/// two dimensions of UNSTRUCTURED_GRID, of those of higher order the corners. Points, lines and cells of other dimensions are
/// skipped with a remark, data at points and cells without. Throws Error naming the line, or the byte, that is wrong.
Polygons parse_vtk(std::string_view bytes);

}  // namespace shoal
