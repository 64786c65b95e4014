// User-defined fields that replace those of a scene: initial state, bed and forcing, as expressions or from files.
#pragma once

#include "experiments/harness/fields/field_file.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

/// Replaces fields of the scene by the given ones and drops its references, which no longer apply. Positions are those at
/// t = 0, except for forces, which move with the surface. Throws Error naming the parameter if a text cannot be read or a
/// value is not finite, and Refusal if the scheme itself constructs the scene's initial state.
void give_fields(const Parameters& parameters, const Surface& surface, const Geometry& geometry,
                 SceneInstance& scene);

/// The files from which the fields of a run with these parameters are read.
std::vector<FieldFile> field_files(const std::map<std::string, Value>& parameters);

}  // namespace shoal
