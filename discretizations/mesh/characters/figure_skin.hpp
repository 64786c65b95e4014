// The skin of the generated figure: its bones as joints, and weights that are smooth on its surface.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

namespace shoal {

/// The joints of figure_bones(radius), each where its bone starts, with the axes of the mesh.
Skeleton figure_skeleton(double radius = 1);

/// Each vertex belongs to the bone whose flesh is nearest; two steps (1 − τΔ) w ← w of heat on the surface, √τ = 0.2 m
/// times radius, with the cotangent Laplacian without its negative weights, make that smooth: weights stay ≥ 0 and keep
/// the sum 1 (maximum principle).
SkinWeights figure_weights(const Mesh& mesh, const Points& x, double radius = 1);

/// Both with figure_clips(). `surface` is the mesh `figure` of that radius.
Character figure_character(const Surface& surface, double radius);

}  // namespace shoal
