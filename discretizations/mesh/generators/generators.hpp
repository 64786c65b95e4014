// Surfaces made by formula. Each ends in make_surface like a file does.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// What generate_surface() makes, for listing and for messages.
struct MeshFamily {
  std::string name;   ///< "icosphere"
  std::string usage;  ///< "icosphere:L"
  std::string summary;
  bool has_radius = true;  ///< `radius` scales it
};
const std::vector<MeshFamily>& mesh_families();
/// Whether the name is that of a family, whatever its arguments, and so not that of a file.
bool is_generated(const std::string& name);

/// Generates the surface that `name` ("icosphere:4", "torus:32x24:structured") asks for; arguments may come
/// in any order. Throws Error naming the argument and what is allowed. The families and their arguments:
/// mesh_families().
Surface generate_surface(const std::string& name, double radius);

/// The meshes of a list in a name: "icosphere,uv-sphere:2,3" stands for icosphere:2, icosphere:3, uv-sphere:2 and
/// uv-sphere:3; further arguments go to each. Families may be a list where all are known, their first argument where it is
/// a level or NxM. Anything else stands for itself.
std::vector<std::string> meshes_of_list(const std::string& text);

/// A mesh as one of a family: its name without what says how fine it is, and that.
struct MeshResolution {
  std::string family;      ///< "blob:slivers"; of a file its name
  std::string resolution;  ///< "4", "40x10"; "" of a file
};
/// "blob:4:slivers" → {"blob:slivers", "4"}
MeshResolution split_resolution(const std::string& name);

}  // namespace shoal
