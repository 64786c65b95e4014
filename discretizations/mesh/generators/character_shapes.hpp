// Generated bodies: a human figure made of bones, and letters.
#pragma once

#include "discretizations/mesh/remeshing/remesh.hpp"

#include <string>
#include <vector>

namespace shoal {

/// A bone and the flesh around it: spheres along the segment from start to end, with linearly varying radius, swept along x by
/// ±breadth.
struct Bone {
  std::string name;                 ///< "left thigh"
  std::string region;               ///< "torso", "head", "left arm", "right arm", "left leg" or "right leg"
  Index parent = -1;                ///< index in the list, less than the bone's own; -1 for the root
  Vector3 start = Vector3::Zero();  ///< m, the joint with the parent
  Vector3 end = Vector3::Zero();
  double start_radius = 0, end_radius = 0;  ///< m
  double breadth = 0;                       ///< m; 0 unless the bone is perpendicular to x
};

/// The bones of `figure`, which stands upright along y, from its soles at y = 0 to 10 m times `radius`, faces along z, and has its left at
/// positive x; arms and legs are spread (A-pose).
std::vector<Bone> figure_bones(double radius = 1);

/// Signed distance from the flesh of a bone, negative inside.
double bone_distance(const Bone& bone, const Vector3& point);

/// The index of the bone with the nearest flesh; the first in case of ties.
Index nearest_bone(const std::vector<Bone>& bones, const Vector3& point);

/// Numbers of vertices of the meshes `figure` and `letters`: defaults, and limits that keep their shape and a reasonable time.
inline constexpr Index figure_vertices = 1346, min_figure_vertices = 200;
inline constexpr Index letters_vertices = 3832, min_letters_vertices = 600;
inline constexpr Index max_character_vertices = 100'000;

/// The smooth union of figure_bones() with exactly `vertices` vertices: one closed surface of genus 0. The default number takes less than
/// a second, so nothing is cached.
RemeshedSurface figure_surface(Index vertices);

/// The letters E T H Z, about 5 m high along y from y = 0, side by side along x, with rounded edges: four closed surfaces of genus 0 with
/// `vertices` vertices in total.
RemeshedSurface letters_surface(Index vertices);

}  // namespace shoal
