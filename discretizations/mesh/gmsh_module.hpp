// What passes between the program and the module that holds Gmsh.
#pragma once

#include "discretizations/mesh/polygons.hpp"

namespace shoal {

/// The one symbol of the module, by the name below: the faces of a file that Gmsh reads. Throws Error.
using ReadWithGmsh = Polygons(const std::string& path);
constexpr const char* gmsh_module_file = "libshoal_gmsh.so";
constexpr const char* gmsh_module_symbol = "shoal_read_with_gmsh";

}  // namespace shoal
