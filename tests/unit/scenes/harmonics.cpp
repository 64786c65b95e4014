// Sums of spherical harmonics at points, compared with polynomials.
#include "experiments/scenes/harmonics.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace shoal {
namespace {

constexpr int truncation = 40;

std::size_t index_of(int degree, int order) {
  std::size_t found = 0;
  for_each_harmonic(truncation, [&](std::size_t i, int l, int m) {
    if (l == degree && m == order) found = i;
  });
  return found;
}

const Vector3 directions[] = {{0.3, -0.5, 0.8}, {-2, 0.1, 0.2}, {0.2, 0.7, -0.6}, {0, 0, 3}, {0, 1e-9, -1}};

/// Y_31 = −√(21/64π) (5z² − 1)(x + iy), and 2 Re(c Y) is the field of the coefficient c.
TEST(HarmonicSum, is_a_polynomial_of_its_degree) {
  Harmonics harmonics(harmonics_count(truncation));
  const std::complex<double> c(0.7, -0.4);
  harmonics[index_of(3, 1)] = c;
  harmonics[0] = 2;
  const double factor = -std::sqrt(21 / (64 * std::numbers::pi));
  for (const Vector3& x : directions) {
    const Vector3 n = x.normalized();
    const double expected = 2 * std::sqrt(0.25 / std::numbers::pi) +
                            2 * factor * (5 * n.z() * n.z() - 1) * (c * std::complex(n.x(), n.y())).real();
    EXPECT_NEAR(HarmonicSum(truncation).scalar(harmonics, x), expected, 1e-14);
  }
}

/// a = Re(c (x + iy) z) has the degree 2; its gradient is that of the polynomial less its normal part.
TEST(HarmonicSum, has_gradients_and_curls) {
  const std::complex<double> c(0.7, -0.4);
  const double normalisation = -std::sqrt(15 / (8 * std::numbers::pi));  // of Y_21 = … z (x + iy)
  VectorHarmonics harmonics{Harmonics(harmonics_count(truncation)), Harmonics(harmonics_count(truncation))};
  const std::size_t i = index_of(2, 1);
  const std::complex<double> other(-0.2, 1.1);
  harmonics.gradient[i] = std::sqrt(6.0) * c / (2 * normalisation);
  harmonics.curl[i] = std::sqrt(6.0) * other / (2 * normalisation);
  for (const Vector3& x : directions) {
    const Vector3 n = x.normalized();
    const auto gradient = [&](std::complex<double> factor) {
      const Vector3 g(factor.real() * n.z(), -factor.imag() * n.z(),
                      factor.real() * n.x() - factor.imag() * n.y());
      return Vector3(g - n * n.dot(g));
    };
    EXPECT_LT((HarmonicSum(truncation).vector(harmonics, x) - gradient(c) - n.cross(gradient(other))).norm(),
              1e-14);
  }
}

/// Fits of sums at the vertices and triangles of meshes.
TEST(HarmonicSum, finds_the_harmonics_of_a_sum) {
  constexpr int degree = 12;
  const HarmonicSum sum(degree);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto draw = [&](int first) {
    Harmonics harmonics(harmonics_count(degree));
    for_each_harmonic(degree, [&](std::size_t i, int l, int m) {
      if (l >= first) harmonics[i] = {normal(random), m > 0 ? normal(random) : 0};
    });
    return harmonics;
  };
  const auto largest_difference = [](const Harmonics& a, const Harmonics& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  };
  constexpr double tolerance = 1e-10;  // of an iteration that ends at 1e-12
  for (const char* mesh : {"icosphere:3", "random-sphere:3", "uv-sphere:3"}) {
    SCOPED_TRACE(mesh);
    const Surface surface = load_surface(mesh);
    const Geometry geometry = make_geometry(surface.mesh, surface.x);
    const Harmonics depth = draw(0);
    const VectorHarmonics flow{draw(1), draw(1)};
    Vector values(surface.x.cols());
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = sum.scalar(depth, surface.x.col(i));
    Points centres(3, surface.mesh.face_count()), vectors(3, surface.mesh.face_count());
    for (Index k = 0; k < surface.mesh.face_count(); ++k) {
      centres.col(k) = geometry.centroid(surface.mesh, k);
      vectors.col(k) = sum.vector(flow, centres.col(k));
    }
    EXPECT_LT(largest_difference(sum.fit_scalars(surface.x, geometry.vertex_area, values), depth), tolerance);
    const VectorHarmonics found = sum.fit_vectors(centres, geometry.face_area, vectors);
    EXPECT_LT(largest_difference(found.gradient, flow.gradient), tolerance);
    EXPECT_LT(largest_difference(found.curl, flow.curl), tolerance);
  }
}

TEST(HarmonicSum, refuses_values_that_are_not_finite) {
  const Surface surface = load_surface("icosphere:1");  // 42 vertices
  const Vector weight = Vector::Ones(surface.x.cols());
  Vector values = surface.x.row(0).transpose();
  values[3] = std::nan("");
  EXPECT_THROW(HarmonicSum(3).fit_scalars(surface.x, weight, values), Error);
}

}  // namespace
}  // namespace shoal
