// Surfaces as binary glTF 2.0 (GLB), with a skin and its clips: in single precision, as the format demands.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

namespace shoal {

/// One mesh of positions x [3, n], faces [3, m] and normals [3, n] (no columns: none), an empty scene where there are no
/// faces; with a character, whose weights are of these vertices, its joints as nodes at rest, its bind pose and its clips,
/// which load_character() takes back. Axes are as given, though by its standard glTF stands along y. Throws Error where a
/// position is not finite in single precision, or there are more joints than the format numbers.
std::string glb_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals = Points(),
                      const Character* character = nullptr);

/// Writes them to a file, which is the old or the new one, never a part. Throws MachineError if it cannot be written.
void write_glb(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points(),
               const Character* character = nullptr);

}  // namespace shoal
