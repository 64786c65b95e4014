// The skin of the generated figure: its bones as joints, and smooth weights.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

namespace shoal {

/// The joints of figure_bones(radius), each at the start of its bone, with the axes of the mesh.
Skeleton figure_skeleton(double radius = 1);

/// Assigns each vertex to the bone with the nearest flesh and smooths the weights by two steps (1 − τΔ) w ← w of the heat equation on the
/// surface, √τ = 0.2 m times radius, with the cotangent Laplacian without negative weights: weights stay ≥ 0 with sum 1 (maximum
/// principle).
SkinWeights figure_weights(const Mesh& mesh, const Points& x, double radius = 1);

/// Skeleton and weights with figure_clips(). `surface` is the mesh `figure` of that radius.
Character figure_character(const Surface& surface, double radius);

}  // namespace shoal
