// Balls, boxes and triangles as meshes.
#include "reference/view/body_meshes.hpp"

#include "reference/renderer/shapes.hpp"
#include "solvers/coupling/solid.hpp"

#include <array>

namespace shoal {
namespace {

/// Warm colours, to stand out from water.
constexpr std::array<Color, 4> colors = {Color{0.85, 0.29, 0.16}, Color{0.95, 0.72, 0.22},
                                         Color{0.93, 0.91, 0.86}, Color{0.36, 0.2, 0.14}};

PictureMesh mesh_of(const Solid& solid) {
  if (const auto* ball = dynamic_cast<const Ball*>(&solid)) return sphere_mesh(ball->radius());
  if (const auto* box = dynamic_cast<const Box*>(&solid)) return box_mesh(2 * box->half_size());
  const auto& triangles = dynamic_cast<const TriangleSolid&>(solid);
  return {.x = triangles.points(), .normals = {}, .faces = triangles.faces(), .values = {}, .land = {}};
}

}  // namespace

void BodyMeshes::add_to(Picture& picture, const std::vector<ShownBody>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    auto& mesh = meshes_[bodies[i].solid];
    if (!mesh) mesh = std::make_shared<const PictureMesh>(mesh_of(*bodies[i].solid));
    Eigen::Affine3d place = Eigen::Affine3d::Identity();
    place.linear() = bodies[i].pose.rotation;
    place.translation() = bodies[i].pose.position;
    picture.solids.push_back({.mesh = mesh, .place = place, .color = colors[i % colors.size()]});
  }
}

}  // namespace shoal
