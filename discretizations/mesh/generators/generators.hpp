// Generated surfaces; like those from files they are completed by make_surface().
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// A family of surfaces of generate_surface(), for lists and messages.
struct MeshFamily {
  std::string name;   ///< "icosphere"
  std::string usage;  ///< "icosphere:L"
  std::string summary;
  bool has_radius = true;  ///< scaled by `radius`
  bool is_regular = true;  ///< closed, and generated without a need for repairs
};
const std::vector<MeshFamily>& mesh_families();
/// Whether the name begins with that of a family, and is thus not a file.
bool is_generated(const std::string& name);

/// Generates the surface `name` ("icosphere:4", "torus:32x24:structured"); arguments may be in any order. Throws Error naming the wrong
/// argument and what is allowed. The families and their arguments: mesh_families().
Surface generate_surface(const std::string& name, double radius);

/// The same surface by list_triangles(), of a regular family.
Surface generate_triangles(const std::string& name, double radius);

/// Expands lists in a name: "icosphere,uv-sphere:2,3" denotes icosphere:2, icosphere:3, uv-sphere:2 and uv-sphere:3; further arguments
/// apply to each. Families may be a list if all are known, and the first argument if it is a level or NxM. Such lists may follow each
/// other, as in "icosphere:2,icosphere:3". Any other text is returned unchanged.
std::vector<std::string> meshes_of_list(const std::string& text);

/// A mesh as a member of a family: its name without the resolution, and the resolution.
struct MeshResolution {
  std::string family;      ///< "blob:slivers"; for a file its name
  std::string resolution;  ///< "4", "40x10"; "" for a file
};
/// "blob:4:slivers" → {"blob:slivers", "4"}
MeshResolution split_resolution(const std::string& name);

}  // namespace shoal
