#include "discretizations/mesh/characters/figure_skin.hpp"

#include "discretizations/mesh/characters/character_clips.hpp"
#include "discretizations/mesh/generators/character_shapes.hpp"
#include "discretizations/mesh/geometry.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>

namespace shoal {
namespace {

constexpr double blending_length = 0.2;  // √τ, m
constexpr int heat_steps = 2;
constexpr double min_weight = 1e-4;

/// M + τL with M the areas around vertices.
Eigen::SparseMatrix<double> heat_matrix(const Mesh& mesh, const Geometry& geometry, double tau) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index a = mesh.faces((c + 1) % 3, k), b = mesh.faces((c + 2) % 3, k);
      const double part = tau * std::max(geometry.cotangent(c, k), 0.0) / 2;
      entries.insert(entries.end(), {{a, a, part}, {b, b, part}, {a, b, -part}, {b, a, -part}});
      entries.emplace_back(mesh.faces(c, k), mesh.faces(c, k), geometry.face_area[k] / 3);
    }
  Eigen::SparseMatrix<double> matrix(mesh.vertex_count, mesh.vertex_count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

Skeleton figure_skeleton(double radius) {
  const std::vector<Bone> bones = figure_bones(radius);
  Skeleton skeleton;
  for (const Bone& bone : bones) {
    Joint joint{bone.name, bone.parent, {}};
    joint.rest.translation = bone.start;
    if (bone.parent >= 0) joint.rest.translation -= bones[bone.parent].start;
    skeleton.joints.push_back(joint);
  }
  return skeleton;
}

SkinWeights figure_weights(const Mesh& mesh, const Points& x, double radius) {
  const std::vector<Bone> bones = figure_bones(radius);
  const Geometry geometry = make_geometry(mesh, x);
  const double length = radius * blending_length;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> heat(heat_matrix(mesh, geometry, length * length));
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(mesh.vertex_count, static_cast<Eigen::Index>(bones.size()));
  for (Index i = 0; i < mesh.vertex_count; ++i) weights(i, nearest_bone(bones, x.col(i))) = 1;
  for (int step = 0; step < heat_steps; ++step)
    weights = heat.solve(geometry.vertex_area.asDiagonal() * weights).eval();
  SkinWeights result;
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    Influences influences;
    for (Index j = 0; j < weights.cols(); ++j) influences.emplace_back(j, std::max(weights(i, j), 0.0));
    result.append(std::move(influences), min_weight);
  }
  return result;
}

Character figure_character(const Surface& surface, double radius) {
  Character character;
  character.skeleton = figure_skeleton(radius);
  character.weights = figure_weights(surface.mesh, surface.x, radius);
  character.clips = figure_clips(character.skeleton, radius);
  return character;
}

}  // namespace shoal
