// VTK's legacy format, with our own reader: Gmsh's corrupts memory on damaged files, and supports neither strips nor the present output
// of ParaView.
#pragma once

#include "discretizations/mesh/formats/polygons.hpp"

#include <string_view>

namespace shoal {

/// The faces of a legacy file of version 1.0 to 5.1, text or binary: polygons and triangle strips of POLYDATA, two-dimensional cells of
/// UNSTRUCTURED_GRID, with higher-order cells reduced to their corners. Points, lines and cells of other dimensions are skipped with a
/// remark, data at points and cells without. Throws Error naming the wrong line or byte.
Polygons parse_vtk(std::string_view bytes);

}  // namespace shoal
