#include "discretizations/operators/shared_projection.hpp"

#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

namespace shoal {

SharedProjection::SharedProjection(const Mesh& mesh, const Geometry& geometry)
    : mesh_(mesh), geometry_(geometry) {
  if (!mesh.part) {
    projection_ = std::make_unique<HodgeProjection>(mesh, geometry);
    return;
  }
  gather_mesh();
  gather_geometry();
  if (ranks_of(mesh).rank() == 0)
    projection_ = std::make_unique<HodgeProjection>(whole_.mesh, whole_.geometry);
}

void SharedProjection::gather_mesh() {
  const Index faces = mesh_.face_count();
  Eigen::MatrixXd corners(3, faces), shifts(9, mesh_.periodic() ? faces : 0);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) {
      corners(c, k) = mesh_.part->vertex[mesh_.faces(c, k)];
      if (mesh_.periodic()) shifts.block<3, 1>(3 * c, k) = mesh_.corner_shift.col(3 * Eigen::Index{k} + c);
    }
  const Index vertices = total(mesh_, own(mesh_, Location::vertex).count);
  corners = gathered(mesh_, Location::face, corners);
  if (mesh_.periodic()) shifts = gathered(mesh_, Location::face, shifts);
  if (ranks_of(mesh_).rank() > 0) return;
  whole_.mesh = make_mesh(corners.cast<Index>(), vertices);
  if (mesh_.periodic()) whole_.mesh.corner_shift = shifts.reshaped(3, 3 * shifts.cols());
}

void SharedProjection::gather_geometry() {
  const auto whole = [&](Location at, const Vector& values) -> Vector {
    return gathered(mesh_, at, values.transpose()).transpose();
  };
  Geometry& geometry = whole_.geometry;
  geometry.x = gathered(mesh_, Location::vertex, geometry_.x);
  geometry.face_normal = gathered(mesh_, Location::face, geometry_.face_normal);
  geometry.cotangent = gathered(mesh_, Location::face, geometry_.cotangent);
  geometry.face_area = whole(Location::face, geometry_.face_area);
  geometry.vertex_area = whole(Location::vertex, geometry_.vertex_area);
  geometry.edge_length = whole(Location::edge, geometry_.edge_length);
}

void SharedProjection::refresh() {
  if (mesh_.part) gather_geometry();
  if (projection_) projection_->refresh();
}

template <class Project>
bool SharedProjection::with_whole(const Vector& weight, const Vector& density, double* rates,
                                  const Project& project) {
  if (!mesh_.part) return project(weight, density, rates);
  const Index faces = mesh_.face_count();
  Eigen::Map<Eigen::MatrixXd> here(rates, faces, 2);
  const Vector weights = gathered(mesh_, Location::face, weight.transpose()).transpose(),
               densities = gathered(mesh_, Location::vertex, density.transpose()).transpose();
  Eigen::MatrixXd of_whole = gathered(mesh_, Location::face, here.transpose()).transpose();
  const bool converged = !projection_ || project(weights, densities, of_whole.data());
  here = spread(mesh_, Location::face, of_whole.transpose()).transpose();
  return all(mesh_, converged);
}

bool SharedProjection::project(const Vector& weight, const Vector& density, double tolerance,
                               int max_iterations, double* rates) {
  return with_whole(weight, density, rates, [&](const Vector& w, const Vector& d, double* r) {
    return projection_->project(w, d, tolerance, max_iterations, r);
  });
}

bool SharedProjection::project_apart(const Vector& weight, const Vector& density, double tolerance,
                                     int max_iterations, double* rates) {
  return with_whole(weight, density, rates, [&](const Vector& w, const Vector& d, double* r) {
    return projection_->project_apart(w, d, tolerance, max_iterations, r);
  });
}

}  // namespace shoal
