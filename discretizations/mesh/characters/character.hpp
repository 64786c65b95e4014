// A surface with a skeleton and clips, from glTF files or the generated figure.
#pragma once

#include "discretizations/mesh/characters/skeleton.hpp"
#include "discretizations/mesh/remeshing/remesh.hpp"
#include "discretizations/mesh/repair.hpp"
#include "discretizations/mesh/surface.hpp"

namespace shoal {

struct Character {
  Skeleton skeleton;
  SkinWeights weights;  ///< per vertex of the surface
  std::vector<Clip> clips;
  Index averaged = 0;  ///< number of welded vertices whose different weights were averaged
};

/// Whether a surface of that name may have a skeleton: a glTF file, or `figure`.
bool may_be_character(const std::string& mesh);

/// Loads the skin of the surface's file, or of `figure` with this `radius`. The clips of the file are followed by generated ones, unless
/// the file has clips of these names: `walk` (for bodies with legs and arms) and `sway`. The rest pose is the bind pose, in which the
/// surface is read; a different default pose of the file belongs to its clips. Channels of morph targets, and of nodes that move no
/// joint, are ignored. Throws Error naming the element: no skin, several skins, parts without a skin, joints that do not form a tree, a
/// sheared or singular bind pose, damaged weights or keys.
Character load_character(const Surface& surface, double radius = 1);

/// Whether the surface has a skin, damaged or not.
bool has_skin(const Surface& surface);

/// One line: "54 joints; clips walk (2.5 s), …".
std::string describe(const Character& character);

/// Transfers the character to a surface whose vertices lie at these places of the original one. Weights are interpolated linearly on
/// each face; those below 10⁻⁴ of their sum are dropped.
Character transferred(const Character& character, const SurfacePlaces& places);

}  // namespace shoal
