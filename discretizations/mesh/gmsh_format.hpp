// Gmsh's own format and VTK's legacy one, read by Gmsh (Geuzaine & Remacle 2009, doi:10.1002/nme.2579).
#pragma once

#include "discretizations/mesh/polygons.hpp"

#include <string_view>

namespace shoal {

/// The faces of a file with this extension, ".msh" or ".vtk", and content. Throws Error where Gmsh cannot read it, MachineError
/// where there is no Gmsh.
Polygons parse_with_gmsh(std::string_view extension, std::string_view content);

}  // namespace shoal
