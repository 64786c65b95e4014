// A surface with its geometry, and tangent fields on it in the layout of fefv, for tests of transports.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/operators/p1.hpp"
#include "tests/support/trial.hpp"

#include <cmath>

namespace shoal::test {

struct Domain {
  explicit Domain(const std::string& mesh) : Domain(load_surface(mesh)) {}
  explicit Domain(Surface given) : surface(std::move(given)) { set_positions(surface.x); }
  void set_positions(const Points& x) { geometry = make_geometry(surface.mesh, x); }

  /// Rates of the tangential part of a field at the barycentres.
  Vector project(const VectorField& field) const {
    const Index faces = surface.mesh.face_count();
    Vector flow(2 * faces);
    for (Index k = 0; k < faces; ++k)
      for (int c : {1, 2})
        flow[(c - 1) * faces + k] =
            field(geometry.centroid(surface.mesh, k)).dot(area_gradient(surface.mesh, geometry, k, c)) /
            geometry.face_area[k];
    return flow;
  }
  Vector3 velocity(const Vector& flow, Index k) const {
    const auto corner = [&](int c) -> Vector3 { return geometry.corner(surface.mesh, k, c); };
    return flow[k] * (corner(1) - corner(0)) + flow[surface.mesh.face_count() + k] * (corner(2) - corner(0));
  }
  /// The gradients of a function linear on triangles.
  Vector gradient(const Vector& values) const {
    const Index faces = surface.mesh.face_count();
    Vector flow(2 * faces);
    for (Index k = 0; k < faces; ++k) {
      Vector3 sum = Vector3::Zero();
      for (int c = 0; c < 3; ++c)
        sum += values[surface.mesh.faces(c, k)] * area_gradient(surface.mesh, geometry, k, c);
      for (int c : {1, 2})
        flow[(c - 1) * faces + k] =
            sum.dot(area_gradient(surface.mesh, geometry, k, c)) / std::pow(geometry.face_area[k], 2);
    }
    return flow;
  }
  double energy(const Vector& flow) const {
    double sum = 0;
    for (Index k = 0; k < surface.mesh.face_count(); ++k)
      sum += geometry.face_area[k] * velocity(flow, k).squaredNorm();
    return sum;
  }

  Surface surface;
  Geometry geometry;
};

}  // namespace shoal::test
