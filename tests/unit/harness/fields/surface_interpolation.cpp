// Interpolation on surfaces: exact for linear functions on a plane, of second order on a sphere.
#include "experiments/harness/fields/surface_interpolation.hpp"

#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

Points centroids(const Faces& faces, const Points& x) {
  Points centres(3, faces.cols());
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    centres.col(k) = (x.col(faces(0, k)) + x.col(faces(1, k)) + x.col(faces(2, k))) / 3;
  return centres;
}

TEST(SurfaceInterpolation, is_exact_for_linear_functions_on_irregular_triangles_of_a_plane_up_to_its_edge) {
  const Surface surface = load_surface("rectangle:9x7:2x1.5");
  Points x = surface.x;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {  // by at most a fifth of an edge
    x(0, i) += 0.04 * std::sin(7.0 * static_cast<double>(i));
    x(1, i) += 0.04 * std::cos(5.0 * static_cast<double>(i));
  }
  const auto scalar = [](const Vector3& p) { return 2 + 3 * p.x() - 5 * p.y(); };
  const auto vector = [](const Vector3& p) { return Vector3(1 + p.y(), 2 * p.x() - p.y(), 0); };
  const Faces& faces = surface.mesh.faces;
  const Points centres = centroids(faces, x);
  const SurfaceInterpolation at(faces, x, x);  // the vertices, those of the edge included
  Eigen::RowVectorXd at_vertices(x.cols()), at_faces(faces.cols());
  Points vectors(3, faces.cols());
  for (Eigen::Index i = 0; i < x.cols(); ++i) at_vertices[i] = scalar(x.col(i));
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    at_faces[k] = scalar(centres.col(k));
    vectors.col(k) = vector(centres.col(k));
  }
  const Eigen::MatrixXd from_vertices = at.from_vertices(at_vertices),
                        from_faces = at.from_faces(at_faces, centres);
  const Points turned = at.vectors_from_faces(vectors, centres);
  constexpr double tolerance = 1e-12;  // round-off of numbers of size 10
  EXPECT_LE(at.distance().maxCoeff(), tolerance);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    EXPECT_NEAR(from_vertices(0, i), scalar(x.col(i)), tolerance);
    EXPECT_NEAR(from_faces(0, i), scalar(x.col(i)), tolerance);
    EXPECT_LE((turned.col(i) - vector(x.col(i))).norm(), tolerance);
  }
}

TEST(SurfaceInterpolation, is_of_second_order_on_irregular_spheres_for_values_and_vectors) {
  const Surface points = load_surface("uv-sphere:5");
  const auto scalar = [](const Vector3& p) { return std::sin(2 * p.x()) * std::exp(p.y()) + p.z(); };
  const auto vector = [&](const Vector3& p) {
    return Vector3(p.cross(Vector3(1, 2 * p.x(), p.y() * p.z())));
  };
  std::vector<std::array<double, 3>> errors;
  for (const char* name : {"jittered-sphere:3", "jittered-sphere:4", "jittered-sphere:5"}) {
    const Surface sphere = load_surface(name);
    const Geometry geometry = make_geometry(sphere.mesh, sphere.x);
    const Faces& faces = sphere.mesh.faces;
    const Points centres = centroids(faces, sphere.x);
    const SurfaceInterpolation at(faces, sphere.x, points.x, points.x);
    Eigen::RowVectorXd at_vertices(sphere.x.cols()), at_faces(faces.cols());
    Points vectors(3, faces.cols());
    for (Eigen::Index i = 0; i < sphere.x.cols(); ++i) at_vertices[i] = scalar(sphere.x.col(i));
    for (Eigen::Index k = 0; k < faces.cols(); ++k) {
      const Vector3 p = centres.col(k).normalized();
      at_faces[k] = scalar(p);
      vectors.col(k) = turned(vector(p), p, geometry.face_normal.col(k));
    }
    const Eigen::MatrixXd from_vertices = at.from_vertices(at_vertices),
                          from_faces = at.from_faces(at_faces, centres);
    const Points from_vectors = at.vectors_from_faces(vectors, centres);
    errors.push_back({0, 0, 0});
    for (Eigen::Index i = 0; i < points.x.cols(); ++i) {
      const Vector3 p = points.x.col(i), n = at.normal().col(i);
      EXPECT_LE(std::abs(from_vectors.col(i).dot(n)), 1e-13);  // in the plane of the triangle
      const double error[] = {std::abs(from_vertices(0, i) - scalar(p)),
                              std::abs(from_faces(0, i) - scalar(p)),
                              (turned(from_vectors.col(i), n, p) - vector(p)).norm()};
      for (std::size_t e = 0; e < 3; ++e) errors.back()[e] += error[e] * error[e];
    }
  }
  constexpr double min_order = 1.9;  // of the root mean square; piecewise constant values have order 1
  for (std::size_t e = 0; e < 3; ++e)
    EXPECT_GE(std::log2(std::sqrt(errors.front()[e] / errors.back()[e])) / 2, min_order)
        << errors[0][e] << ' ' << errors[1][e] << ' ' << errors[2][e];
}

TEST(SurfaceInterpolation, turns_vectors_without_changing_their_length) {
  const Vector3 from = Vector3(1, 2, 3).normalized(), to = Vector3(-1, 1, 2).normalized();
  const Vector3 across = from.cross(to), result = turned(from + across, from, to);
  EXPECT_LE((result - (to + across)).norm(), 1e-14);  // the axis stays
}

}  // namespace
}  // namespace shoal
