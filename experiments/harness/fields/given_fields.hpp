// What a user gives to a scene in place of its own: initial state, bed and forcing, as expressions or from files.
#pragma once

#include "experiments/harness/fields/field_file.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

/// Puts the given fields into the scene, whose references then hold no longer and are left out. Places are those at
/// t = 0, but those of what acts on the fluid move with the surface. Throws Error naming the parameter where a text cannot
/// be read or a value is not finite, Refusal where the scene's initial state is of the scheme's own making.
void give_fields(const Parameters& parameters, const Surface& surface, const Geometry& geometry,
                 SceneInstance& scene);

/// What the fields of a run with these parameters are read from, if anything.
std::vector<FieldFile> field_files(const std::map<std::string, Value>& parameters);

}  // namespace shoal
