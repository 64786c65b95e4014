// A surface with a skeleton in it and the clips that move it: from glTF files, and the generated figure.
#pragma once

#include "discretizations/mesh/characters/skeleton.hpp"
#include "discretizations/mesh/remeshing/remesh.hpp"
#include "discretizations/mesh/repair.hpp"
#include "discretizations/mesh/surface.hpp"

namespace shoal {

struct Character {
  Skeleton skeleton;
  SkinWeights weights;  ///< of the surface's vertices
  std::vector<Clip> clips;
  Index averaged = 0;  ///< welded vertices that had different weights in the file, and have their mean
};

/// Whether a surface of that name may have one: a glTF file, or `figure`.
bool may_be_character(const std::string& mesh);

/// The skin of the file that the surface was read from, or of `figure`; `radius` is that of `figure`. Behind the file's own clips stand those that it has none of the same name of:
/// `walk` (of a body with legs and arms) and `sway`. The joints' rest is the bind pose, in which the surface is read; where
/// joints stand elsewhere in the file by default, that pose belongs to its clips. Channels of morph targets, and of nodes that
/// move no joint, are left out. Throws Error naming the element: no skin, several, parts without a skin, joints that form no
/// tree, a bind pose that is sheared or singular, weights or keys that are damaged.
Character load_character(const Surface& surface, double radius = 1);

/// Whether the surface has a skin, damaged or not.
bool has_skin(const Surface& surface);

/// "54 joints; clips walk (2.5 s), …": one line.
std::string describe(const Character& character);

/// The character on a surface whose vertices lie at these places of its own: their weights are those of the places,
/// linear on each face; below 10⁻⁴ of their sum they are left out.
Character transferred(const Character& character, const SurfacePlaces& places);

}  // namespace shoal
