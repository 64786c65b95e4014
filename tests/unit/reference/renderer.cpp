// Pictures compared by content: outlines, colours and shadows agree with geometry and optics.
#include "reference/renderer/renderer.hpp"
#include "reference/renderer/camera.hpp"
#include "reference/renderer/shapes.hpp"
#include "scene_on_ground.hpp"
#include "tests/support/temporary.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace shoal::test {
namespace {

constexpr RenderOptions small{.width = 240, .height = 180, .samples = 2};

class Pictures : public WithContext {};

TEST_F(Pictures, a_sphere_covers_its_disc) {
  constexpr double radius = 0.7, away = 4;
  Picture picture;
  picture.backdrop = Backdrop::plain;
  picture.camera = {.eye = {0, -away, 0},
                    .target = Vector3::Zero(),
                    .up = Vector3::UnitZ(),
                    .tan_half_height = 0.3,
                    .near = 1,
                    .far = 10};
  picture.solids.push_back(
      {.mesh = std::make_shared<PictureMesh>(sphere_mesh(radius, 64)), .color = {0, 0, 0}, .unlit = true});
  const Image image = drawn(picture, small);
  double covered = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) covered += 1 - image.color(column, row)[0];
  // The outline is the cone that touches the sphere.
  const double in_pixels = std::tan(std::asin(radius / away)) / 0.3 * image.height / 2;
  constexpr double tolerance = 0.01;  // of the polygon with 128 sides and of four samples a pixel
  EXPECT_NEAR(covered / (std::numbers::pi * in_pixels * in_pixels), 1, tolerance);
}

TEST_F(Pictures, a_body_is_drawn_at_its_place) {
  Picture picture;
  picture.backdrop = Backdrop::plain;
  const Vector3 place(0.5, 0.2, -0.4);
  SolidBody body{
      .mesh = std::make_shared<PictureMesh>(box_mesh({0.1, 0.1, 0.1})), .color = {1, 0, 0}, .unlit = true};
  body.place.translate(place);
  picture.solids.push_back(body);
  const Image image = drawn(picture, small);
  const Eigen::Vector2d pixel = picture.camera.pixel(place, image.width, image.height);
  EXPECT_EQ(image.color(static_cast<int>(pixel.x()), static_cast<int>(pixel.y())), (Color{1, 0, 0}));
  EXPECT_EQ(image.color(image.width - 1 - static_cast<int>(pixel.x()), static_cast<int>(pixel.y())),
            (Color{1, 1, 1}));
}

/// A disc of foam that faces the camera is white in the middle and clear at its rim, and hidden behind a solid.
TEST_F(Pictures, foam_is_white_where_it_covers) {
  for (const Quality quality : {Quality::full, Quality::fast})
    for (const bool hidden : {false, true}) {
      Picture picture;
      picture.backdrop = Backdrop::plain;
      picture.background = {0, 0, 0};
      picture.light = Vector3(0, -1, 0);
      picture.foam.emplace();
      for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}})
        picture.foam->corners.push_back({Vector3::Zero(), -Vector3::UnitY(), 0.4 * Eigen::Vector2d(x, y),
                                         Eigen::Vector2d(x, y), 1, 1, FoamSet::drop});
      if (hidden) {
        SolidBody body{
            .mesh = std::make_shared<PictureMesh>(box_mesh({1, 0.1, 1})), .color = {0, 0, 1}, .unlit = true};
        body.place.translate(Vector3(0, -0.5, 0));
        picture.solids.push_back(body);
      }
      RenderOptions options = small;
      options.quality = quality;
      if (quality == Quality::fast) options.samples = 1;
      const Image image = drawn(picture, options);
      const auto at = [&](double x) {
        const Eigen::Vector2d pixel = picture.camera.pixel(Vector3(x, 0, 0), image.width, image.height);
        return image.color(static_cast<int>(pixel.x()), static_cast<int>(pixel.y()));
      };
      if (hidden) {
        EXPECT_EQ(at(0), (Color{0, 0, 1}));
        continue;
      }
      EXPECT_GT(at(0)[0], 0.9);
      EXPECT_NEAR(at(0.2)[0] / at(0)[0], 0.5 * 0.75 + 0.5 * std::exp(-1), 0.05);
      EXPECT_EQ(at(0.42), (Color{0, 0, 0}));
    }
}

TEST_F(Pictures, the_water_that_a_view_passes_is_measured) {
  Picture picture = water_on_ground(sphere_mesh(1, 64));
  Renderer renderer(small);
  renderer.draw(picture);
  const std::vector<float> thickness = renderer.water_thickness();
  const int row = small.height / 2, column = small.width / 2;
  constexpr double tolerance = 2e-3;  // a polyhedron of 64 rings lies (π/64)²/8 within its sphere
  EXPECT_NEAR(thickness[static_cast<std::size_t>(row * small.width + column)], 2, tolerance);
  EXPECT_EQ(thickness.front(), 0);
}

TEST_F(Pictures, water_is_bluish_with_highlights) {
  const Picture picture = water_on_ground(sphere_mesh(1, 64));
  const Image image = drawn(picture, small);
  Color mean{};
  double brightest = 0, count = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      const double from_middle =
          std::hypot(column - image.width / 2, row - image.height / 2) / disc_radius(picture, small);
      if (from_middle > 0.97) continue;
      const Color color = image.color(column, row);
      brightest = std::max(brightest, std::min({color[0], color[1], color[2]}));
      if (from_middle > 0.6) continue;  // outlines mirror the horizon
      for (std::size_t c = 0; c < 3; ++c) mean[c] += color[c];
      ++count;
    }
  EXPECT_GT(mean[2], 1.1 * mean[0]) << "of " << count << " pixels";
  EXPECT_GT(mean[1], mean[0]);
  EXPECT_GT(mean[0] / count, 0.1);  // one looks through it
  EXPECT_GT(brightest, 0.9);        // the sun in it
}

/// Drawing in the window: outlines equal those in full quality, water is bluish, and its shadow is on the ground.
TEST_F(Pictures, of_the_fast_quality_show_the_same_bodies) {
  Picture picture = water_on_ground(sphere_mesh(1, 64));
  constexpr RenderOptions fast{.width = 240, .height = 180, .samples = 1, .quality = Quality::fast};
  const Image image = drawn(picture, fast);
  RenderOptions bright = fast;
  bright.shadows = false;
  const Image without_shadow = drawn(picture, bright);
  picture.water.reset();
  const Image empty = drawn(picture, fast);
  const double radius = disc_radius(picture, fast);
  double inside = 0, shaded = 0, red = 0, blue = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      const double from_middle =
          std::hypot(column - image.width / 2 + 0.5, row - image.height / 2 + 0.5) / radius;
      const Color here = image.color(column, row);
      if (from_middle > 1.03) {  // beside the water, only the shadow changes the picture
        EXPECT_EQ(without_shadow.color(column, row), empty.color(column, row));
        shaded += here[0] < empty.color(column, row)[0] - 0.05;
      } else if (from_middle < 0.9) {
        inside += here != empty.color(column, row);
        red += here[0];
        blue += here[2];
      }
    }
  EXPECT_GT(inside / (std::numbers::pi * 0.81 * radius * radius), 0.97);
  EXPECT_GT(blue, 1.2 * red);
  EXPECT_GT(shaded, 0.02 * image.width * image.height);
}

TEST_F(Pictures, the_sky_behind_water_stays_untouched) {
  const Picture with = water_on_ground(sphere_mesh(1, 64));
  Picture without = with;
  without.water.reset();
  const Image image = drawn(with, small), empty = drawn(without, small);
  // The water reaches up to row 48, and the horizon lies at row 47.
  for (int row = 0; row < image.height / 5; ++row)
    for (int column = 0; column < image.width; ++column)
      ASSERT_EQ(image.color(column, row), empty.color(column, row)) << column << ' ' << row;
  EXPECT_NE(image.color(image.width / 2, image.height / 2), empty.color(image.width / 2, image.height / 2));
}

TEST_F(Pictures, deeper_water_absorbs_more_red_than_blue) {
  double red_before = 1, ratio_before = 10;
  for (const double depth : {0.2, 0.6, 1.8}) {
    Picture picture = water_on_ground(box_mesh({3, 3, depth}));
    picture.water->on_bed = true;
    picture.ground = -0.5 * depth;
    picture.camera.eye = Vector3(0.3, -0.4, 5);
    picture.camera.target = Vector3(0.3, -0.3, 0);
    const Color color = mean_color(drawn(picture, small), small.width / 2, small.height / 2, 30);
    EXPECT_LT(color[0], red_before);
    EXPECT_LT(color[0] / color[2], ratio_before);
    red_before = color[0];
    ratio_before = color[0] / color[2];
  }
}

/// The colours of the ground in the shadow of the centre of a body, in the shadow near its side, and in the sun.
std::array<Color, 3> shadow_and_sun(const Picture& picture) {
  const Image image = drawn(picture, small);
  const Vector3 light = picture.light.normalized(), across = light.cross(picture.up).normalized();
  const auto at = [&](double sideways) {
    const Vector3 point = sideways * across - light * ((0 - *picture.ground) / light.dot(picture.up));
    const Eigen::Vector2d pixel = picture.camera.pixel(point, image.width, image.height);
    return mean_color(image, static_cast<int>(pixel.x()), static_cast<int>(pixel.y()), 1);
  };
  return {at(0), at(0.8), at(2.3)};
}

TEST_F(Pictures, bodies_cast_shadows_and_water_gathers_the_light_in_its_own) {
  Picture picture = water_on_ground(sphere_mesh(1, 64));
  picture.camera.eye = Vector3(6, -2, 7);  // shows the whole shadow
  const auto [through_water, beside, sun] = shadow_and_sun(picture);
  EXPECT_LT(beside[0], 0.9 * sun[0]);
  EXPECT_GT(through_water[1], 1.05 * sun[1]);  // a ball is a lens, whose focus is a radius behind it
  Picture solid = picture;
  solid.solids.push_back({.mesh = std::make_shared<PictureMesh>(picture.water->mesh)});
  solid.water.reset();
  const auto [core, edge, same_sun] = shadow_and_sun(solid);
  EXPECT_LT(core[0], 0.8 * same_sun[0]);
  EXPECT_NEAR(edge[0], core[0], 0.05);  // both have only the light of the sky
  EXPECT_NEAR(same_sun[0], sun[0], 0.01);
}

TEST_F(Pictures, a_field_has_the_colours_of_its_map) {
  Picture picture;
  picture.backdrop = Backdrop::plain;
  FieldSurface field{.mesh = sphere_mesh(1, 64), .colors = &sequential_colors(), .low = -1, .high = 1};
  field.mesh.values = field.mesh.x.row(2).transpose();
  picture.field = field;
  const Image image = drawn(picture, small);
  constexpr double tolerance = 0.02;  // a value changes by as much within a pixel's neighbourhood
  for (const double azimuth : {-0.5, 0.0, 0.4})
    for (const double height : {-0.6, -0.1, 0.3, 0.7}) {  // faces the eye by less than 60°
      const double around = std::sqrt(1 - height * height);
      const Vector3 point(around * std::sin(azimuth), -around * std::cos(azimuth), height);
      const Eigen::Vector2d pixel = picture.camera.pixel(point, image.width, image.height);
      const Color seen = image.color(static_cast<int>(pixel.x()), static_cast<int>(pixel.y())),
                  meant = sequential_colors().at(0.5 * (1 + height));
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], meant[c], tolerance) << point.transpose();
    }
}

TEST_F(Pictures, a_logarithmic_field_has_the_colours_of_its_logarithms_and_no_value_up_to_0) {
  Picture picture;
  picture.backdrop = Backdrop::plain;
  FieldSurface field{.mesh = sphere_mesh(1, 64),
                     .colors = &sequential_colors(),
                     .low = 0.01,
                     .high = 1,
                     .logarithmic = true};
  field.mesh.values = field.mesh.x.row(2).transpose();
  picture.field = field;
  const Image image = drawn(picture, small);
  constexpr double tolerance = 0.03;  // a value changes by as much within a pixel's neighbourhood
  for (const double height : {-0.6, -0.2, 0.2, 0.4, 0.7}) {
    const Vector3 point(0, -std::sqrt(1 - height * height), height);
    const Eigen::Vector2d pixel = picture.camera.pixel(point, image.width, image.height);
    const Color seen = image.color(static_cast<int>(pixel.x()), static_cast<int>(pixel.y())),
                meant = height < 0 ? no_value_color : sequential_colors().at(1 + 0.5 * std::log10(height));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], meant[c], tolerance) << height;
  }
}

/// Laid over black they are the picture over black, and over white the one over white: of a field exactly, of water but for its tint and the
/// conversion of light.
TEST_F(Pictures, without_a_background_have_the_opacity_of_what_is_drawn) {
  Picture field;
  field.backdrop = Backdrop::plain;
  field.field =
      FieldSurface{.mesh = sphere_mesh(1, 32), .colors = &sequential_colors(), .low = -1, .high = 1};
  field.field->mesh.values = field.field->mesh.x.row(2).transpose();
  Picture water = water_on_ground(sphere_mesh(1, 32));
  water.solids.push_back(
      {.mesh = std::make_shared<PictureMesh>(sphere_mesh(0.2, 16)), .color = {0.9, 0.1, 0.1}});
  water.solids.back().place.translation() = Vector3(0, -1.5, 0.25);
  RenderOptions fast = small;
  fast.quality = Quality::fast;
  fast.samples = 1;
  for (const RenderOptions& options : {small, fast})
    for (const Picture* picture : {&field, &water}) {
      Renderer renderer(options);
      const Cutout cutout = renderer.draw_without_background(*picture, [](Image&) {});
      const auto opacity = [&](int column, int row) {
        return cutout.opacity[static_cast<std::size_t>(row * options.width + column)];
      };
      const int width = options.width, height = options.height;
      EXPECT_EQ(opacity(1, 1), 0) << "the background";
      EXPECT_EQ(opacity(1, height - 2), 0) << "the ground";
      EXPECT_EQ(opacity(width / 2, height / 2), 255) << "a body, or the field";
      const Eigen::Vector2d beside = picture->camera.pixel({0.5, -0.6, 0.3}, width, height);
      const int through = opacity(static_cast<int>(beside.x()), static_cast<int>(beside.y()));
      if (picture == &water) {
        EXPECT_GT(through, 50) << "water";
        EXPECT_LT(through, 250) << "water";
      } else {
        EXPECT_EQ(through, 255);
      }
      Picture over = *picture;
      if (picture == &water) over.backdrop = Backdrop::outdoors_removed;
      for (const double shade : {0.0, 1.0}) {
        if (shade > 0 && picture == &water && options.quality == Quality::full) continue;
        over.background = {shade, shade, shade};
        const Image meant = drawn(over, options);
        double worst = 0;
        for (int row = 0; row < height; ++row)
          for (int column = 0; column < width; ++column)
            for (std::size_t c = 0; c < 3; ++c) {
              const double alpha = opacity(column, row) / 255.0;
              worst = std::max(worst, std::abs(alpha * cutout.image.color(column, row)[c] +
                                               (1 - alpha) * shade - meant.color(column, row)[c]));
            }
        constexpr double bytes = 2.5 / 255;  // two roundings of colours, one of the opacity
        EXPECT_LT(worst, bytes) << "over " << shade;
      }
    }
}

TEST_F(Pictures, a_symmetric_field_gives_a_symmetric_picture) {
  Picture picture;
  picture.backdrop = Backdrop::plain;
  FieldSurface field{.mesh = sphere_mesh(1, 64), .colors = &diverging_colors(), .low = -1, .high = 1};
  field.mesh.values = field.mesh.x.row(2).transpose();
  picture.field = field;
  const Image image = drawn(picture, small);
  double difference = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column)
      for (std::size_t c = 0; c < 3; ++c)
        difference += std::abs(image.color(column, row)[c] - image.color(image.width - 1 - column, row)[c]);
  constexpr double tolerance = 1e-3;  // rasterisation puts samples on an edge to one side
  EXPECT_LT(difference / (3.0 * image.width * image.height), tolerance);
}

TEST_F(Pictures, the_same_picture_has_the_same_bytes) {
  Picture picture = water_on_ground(sphere_mesh(1, 32));
  picture.skin = Skin{.mesh = sphere_mesh(1.1, 16), .lines = true};
  const Image first = drawn(picture, small);
  Renderer renderer(small);
  renderer.draw(water_on_ground(box_mesh({1, 2, 1})));  // the previous picture leaves no trace
  renderer.draw(picture);
  EXPECT_EQ(renderer.read().bytes, first.bytes);
}

TEST(Cameras, a_point_on_the_axis_is_in_the_middle_and_one_on_the_edge_of_the_angle_at_the_top) {
  const Camera camera{.eye = {1, 2, 3},
                      .target = {2, 2, 3},
                      .up = Vector3::UnitZ(),
                      .tan_half_height = 0.5,
                      .near = 0.1,
                      .far = 50};
  constexpr double tolerance = 1e-9;  // pixels, of rounding
  EXPECT_NEAR((camera.pixel({9, 2, 3}, 200, 100) - Eigen::Vector2d(100, 50)).norm(), 0, tolerance);
  EXPECT_NEAR((camera.pixel({5, 2, 5}, 200, 100) - Eigen::Vector2d(100, 0)).norm(), 0, tolerance);
  EXPECT_NEAR((camera.pixel({5, 0, 3}, 200, 100) - Eigen::Vector2d(150, 50)).norm(), 0,
              tolerance);  // −y is right of +x
}

TEST(Framings, show_all_points_as_large_as_the_margin_allows) {
  const Points points = Points::Random(3, 200) + Vector3(5, -3, 2).replicate(1, 200);
  constexpr double margin = 0.1, tolerance = 1e-9;
  constexpr int width = 400, height = 300;
  Framing framing(Vector3(1, -2, 0.7), Vector3::UnitZ(), static_cast<double>(width) / height, margin);
  framing.add(points);
  const Camera camera = framing.camera();
  Eigen::Array2d lower(1e9, 1e9), upper(-1e9, -1e9);
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const Eigen::Array2d pixel = camera.pixel(points.col(i), width, height).array();
    lower = lower.min(pixel);
    upper = upper.max(pixel);
    const double depth = (points.col(i) - camera.eye).dot(camera.target - camera.eye);
    EXPECT_GT(depth, camera.near);
    EXPECT_LT(depth, camera.far);
  }
  const Eigen::Array2d size(width, height), free = 0.5 * margin * size;
  EXPECT_TRUE((lower >= free - tolerance).all()) << lower.transpose();
  EXPECT_TRUE((upper <= size - free + tolerance).all()) << upper.transpose();
  EXPECT_NEAR(((upper - lower) / (size - 2 * free)).maxCoeff(), 1, tolerance);
  EXPECT_THROW(Framing(Vector3::UnitZ(), Vector3::UnitZ(), 1), Error);
}

TEST(Images, are_read_back_as_they_were_written) {
  const TemporaryFolder folder;
  Image image(7, 5);
  for (std::size_t i = 0; i < image.bytes.size(); ++i) image.bytes[i] = static_cast<std::uint8_t>(37 * i);
  write_png(folder / "a.png", image);
  const Image read = read_png(folder / "a.png");
  EXPECT_EQ(read.width, 7);
  EXPECT_EQ(read.height, 5);
  EXPECT_EQ(read.bytes, image.bytes);
  EXPECT_THROW(write_png(folder / "none/a.png", image), MachineError);
  EXPECT_THROW(read_png(folder / "none.png"), Error);
}

TEST(ColorMaps, are_found_by_name) {
  for (const ColorMap& map : color_maps()) EXPECT_EQ(&find_color_map(map.name), &map);
  EXPECT_THROW(find_color_map("jet"), Error);
  EXPECT_EQ(part_of_map(0.1, 0.01, 1, true), 0.5);
  EXPECT_TRUE(std::isnan(part_of_map(0, 0.01, 1, true)));
}

TEST(Shapes, spheres_boxes_and_arrows_are_closed_and_turned_outwards) {
  const auto volume = [](const PictureMesh& mesh) {
    double sum = 0;
    for (Eigen::Index k = 0; k < mesh.faces.cols(); ++k)
      sum += Vector3(mesh.x.col(mesh.faces(0, k)))
                 .dot(Vector3(mesh.x.col(mesh.faces(1, k))).cross(Vector3(mesh.x.col(mesh.faces(2, k))))) /
             6;
    return sum;
  };
  EXPECT_NEAR(volume(box_mesh({1, 2, 3})), 6, 1e-12);
  constexpr double of_polyhedron = 2e-3;  // (π/64)² within
  EXPECT_NEAR(volume(sphere_mesh(2, 64)) / (4.0 / 3 * std::numbers::pi * 8), 1, of_polyhedron);
  const Points from = Points::Zero(3, 2), to = (Points(3, 2) << 1, 0, 0, 0, 0, 0).finished();
  const PictureMesh arrows = arrow_mesh(from, to, 0.1);
  EXPECT_GT(arrows.faces.cols(), 0);
  EXPECT_DOUBLE_EQ(arrows.x.row(0).maxCoeff(), 1);  // the tip; an arrow without length is none
  EXPECT_EQ(arrow_mesh(from, Points::Zero(3, 2), 0.1).faces.cols(), 0);
}

TEST(ColorMaps, run_from_end_to_end_and_stay_there) {
  for (const ColorMap* map : {&sequential_colors(), &diverging_colors()}) {
    EXPECT_EQ(map->at(0), map->colors.front());
    EXPECT_EQ(map->at(1), map->colors.back());
    EXPECT_EQ(map->at(-3), map->colors.front());
    EXPECT_EQ(map->at(7), map->colors.back());
  }
  const Color middle = diverging_colors().at(0.5);
  EXPECT_NEAR(middle[0], middle[2], 1e-12);  // white: zero has no sign
}

}  // namespace
}  // namespace shoal::test
