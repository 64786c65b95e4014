// Small shapes and helpers for the tests of the mesh.
#pragma once

#include "discretizations/mesh/surface.hpp"
#include "tests/support/message.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace shoal::test {

inline Faces faces_of(std::initializer_list<std::array<Index, 3>> list) {
  Faces faces(3, list.size());
  Eigen::Index k = 0;
  for (const auto& face : list) faces.col(k++) << face[0], face[1], face[2];
  return faces;
}

inline Points points_of(std::initializer_list<std::array<double, 3>> list) {
  Points points(3, list.size());
  Eigen::Index k = 0;
  for (const auto& point : list) points.col(k++) << point[0], point[1], point[2];
  return points;
}

/// A tetrahedron without symmetry, oriented outward; its positions are exact in single precision.
inline Faces tetrahedron_faces() {
  return faces_of({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}});
}
inline Points tetrahedron_points() {
  return points_of({{0, 0, 0}, {1, 0, 0}, {0.25, 1, 0}, {0.5, 0.125, 0.75}});
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not in: " << text;
}

/// With padding, as data: URIs have it.
inline std::string base64(const std::string& bytes) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace shoal::test
