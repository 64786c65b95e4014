// Pictures for tests, and a context to draw them in.
#pragma once

#include "discretizations/common/error.hpp"
#include "reference/renderer/context.hpp"
#include "reference/renderer/renderer.hpp"
#include "tests/support/skip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace shoal::test {

/// Skips without OpenGL.
class WithContext : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_.emplace();
    } catch (const MachineError& error) {
      SHOAL_SKIP_WITHOUT(error.what());  // no driver
    }
  }
  std::optional<OffscreenContext> context_;
};

inline Image drawn(const Picture& picture, const RenderOptions& options) {
  Renderer renderer(options);
  renderer.draw(picture);
  return renderer.read();
}

/// Around the origin, on a ground one metre below, seen from the front, the sun behind on the left.
inline Picture water_on_ground(PictureMesh mesh) {
  Picture picture;
  picture.camera = {.eye = {0, -6, 1},
                    .target = Vector3::Zero(),
                    .up = Vector3::UnitZ(),
                    .tan_half_height = 0.35,
                    .near = 1,
                    .far = 40};
  picture.ground = -1;
  picture.size = 1.5;
  picture.light = Vector3(-0.5, 0.35, 0.9);
  picture.water = WaterBody{.mesh = std::move(mesh), .on_bed = false, .clarity = 1};
  return picture;
}

/// Pixels, of a sphere of radius 1 around the target.
inline double disc_radius(const Picture& picture, const RenderOptions& options) {
  const double away = (picture.camera.eye - picture.camera.target).norm();
  return std::tan(std::asin(1 / away)) / picture.camera.tan_half_height * options.height / 2;
}

inline Color mean_color(const Image& image, int column, int row, int around) {
  Color mean{};
  const double count = (2.0 * around + 1) * (2.0 * around + 1);
  for (int i = -around; i <= around; ++i)
    for (int j = -around; j <= around; ++j)
      for (std::size_t c = 0; c < 3; ++c) mean[c] += image.color(column + i, row + j)[c] / count;
  return mean;
}

}  // namespace shoal::test
