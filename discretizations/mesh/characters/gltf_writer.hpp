// Writes surfaces as binary glTF 2.0 (GLB), with skin and clips, in single precision as required by the format.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

namespace shoal {

/// One mesh of positions x [3, n], faces [3, m] and normals [3, n] (no columns: none); an empty scene if there are no faces. With a
/// character, whose weights belong to these vertices, also its joints as nodes at rest, its bind pose and its clips, which
/// load_character() can read. Axes are kept as given, although glTF defines y as up. Throws Error if a position is not finite in single
/// precision, or if there are too many joints for the format.
std::string glb_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals = Points(),
                      const Character* character = nullptr);

/// Writes them to a file atomically: the file is always the complete old or new one. Throws MachineError if it cannot be written.
void write_glb(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points(),
               const Character* character = nullptr);

}  // namespace shoal
