// Drawing of dry land beside water: level water up to the shore, land at its height and in its own colour.
#include "reference/view/shore.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "reference/view/live_run.hpp"
#include "reference/view/run_view.hpp"
#include "scene_on_ground.hpp"
#include "tests/support/catalog.hpp"

namespace shoal::test {
namespace {

/// A lake 0.3 m deep and at rest around an island that is as high.
struct Lake {
  explicit Lake(const std::string& discretization)
      : configuration(
            expand(catalog(), parse_experiment("scene = 'custom'\nmesh = 'rectangle:20x20:2x2'\nend = 3\n"
                                               "[parameters]\ndepth = 0.3\n"
                                               "bed_depth = '0.3-0.6*exp(-((x-1)^2+(y-1)^2)/0.1)'\n",
                                               "test.toml"))
                .front()
                .configuration),
        surface(load_surface(catalog(), configuration)) {
    configuration.discretization = discretization;
    simulation.emplace(catalog(), configuration, surface);
    run.emplace(*simulation);
    Values depths;
    run->sample("depth_at_vertices", depths);
    depth = depths.row(0).transpose();
  }
  double from_middle(const Vector3& x) const { return (x - Vector3(1, 1, 0)).norm(); }

  RunConfiguration configuration;
  Surface surface;
  std::optional<Simulation> simulation;
  std::optional<LiveRun> run;
  Vector depth;
};

constexpr double dry_depth = 3e-4;  // m

class Shores : public testing::TestWithParam<const char*> {};

TEST_P(Shores, are_between_level_water_and_land_that_is_as_high_as_it_is) {
  const Lake lake(GetParam());
  Shore shore;
  shore.find(*lake.run, lake.depth, lake.run->bed(), dry_depth);
  EXPECT_TRUE(shore.has_land);
  constexpr double rounding = 1e-12;
  EXPECT_LT(shore.elevation.cwiseAbs().maxCoeff(), rounding) << "the water is level up to the shore";
  EXPECT_NEAR(shore.height.maxCoeff(), 0.3, rounding) << "the top of the island";
  // Its shore is where 0.6 exp(−r²/0.1) = 0.3.
  const double radius = std::sqrt(0.1 * std::log(2)), cell = 0.15;
  const Mesh& mesh = lake.surface.mesh;
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const double away = lake.from_middle(lake.surface.x.col(mesh.faces(c, k)));
      const bool dry = shore.dry[static_cast<std::size_t>(3 * k + c)];
      if (away < radius - cell) {
        EXPECT_TRUE(dry) << away;
      }
      if (away > radius + cell) {
        EXPECT_FALSE(dry) << away;
      }
    }
  Vector values = Vector::Constant(mesh.vertex_count, 7);
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (!shore.wet[static_cast<std::size_t>(i)]) values[i] = std::numeric_limits<double>::quiet_NaN();
  shore.spread(mesh, values);
  EXPECT_FALSE(values.hasNaN()) << "what is no number on land spoils nothing";
}

TEST_P(Shores, bound_the_colours_to_those_of_the_water) {
  const Lake lake(GetParam());
  ViewOptions options;
  options.look = Look::science;
  options.field = "depth";
  RunView view(*lake.run, options, 1.5);
  view.survey(*lake.run);
  EXPECT_NEAR(view.range().second, 0.3, 0.01);
  options.field = "elevation";
  RunView elevation(*lake.run, options, 1.5);
  elevation.survey(*lake.run);
  const Picture picture = elevation.picture(*lake.run);
  EXPECT_LT(picture.field->mesh.values.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(picture.field->high, 1e-9) << "of a level lake, and not of the island";
  EXPECT_GT(picture.field->mesh.land.sum(), 0);
  EXPECT_TRUE(elevation.scale().land);
  EXPECT_NEAR(elevation.scale().dry_depth, dry_depth, 1e-5);
  options.dry_depth = 1;  // of all the lake
  RunView all_dry(*lake.run, options, 1.5);
  all_dry.survey(*lake.run);
  EXPECT_EQ(all_dry.picture(*lake.run).field->mesh.land.minCoeff(), 1);
  EXPECT_EQ(all_dry.range(), std::pair(-1.0, 1.0));
}

INSTANTIATE_TEST_SUITE_P(Schemes, Shores, testing::Values("fefv", "dec", "kinetic"),
                         [](const auto& scheme) { return std::string(scheme.param); });

class LandPictures : public WithContext {};

/// In both qualities: one triangle, one of whose corners is dry.
TEST_F(LandPictures, have_its_colour_up_to_the_middles_of_edges) {
  Picture picture;
  picture.backdrop = Backdrop::plain;
  picture.camera = {.eye = {0, 0, 4},
                    .target = Vector3::Zero(),
                    .up = Vector3::UnitY(),
                    .tan_half_height = 0.3,
                    .near = 1,
                    .far = 10};
  FieldSurface field{.mesh = {}, .colors = &sequential_colors(), .low = 0, .high = 1};
  field.mesh.x.resize(3, 3);
  field.mesh.x << -1, 1, -1, -1, -1, 1, 0, 0, 0;
  field.mesh.faces.resize(3, 1);
  field.mesh.faces << 0, 1, 2;
  field.mesh.values = Vector::Constant(3, 0.5);
  field.mesh.land = Vector3(0, 1, 0);
  picture.field = field;
  for (const Quality quality : {Quality::full, Quality::fast}) {
    const Image image = drawn(picture, {.width = 240, .height = 240, .samples = 1, .quality = quality});
    const auto color_at = [&](double x, double y) {
      const Eigen::Vector2d pixel = picture.camera.pixel({x, y, 0}, 240, 240);
      return image.color(static_cast<int>(pixel.x()), static_cast<int>(pixel.y()));
    };
    constexpr double byte = 0.01;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(color_at(0.1, -0.9)[c], land_color[c], byte);
      EXPECT_NEAR(color_at(-0.1, -0.9)[c], sequential_colors().at(0.5)[c], byte);
      EXPECT_NEAR(color_at(-0.9, 0.7)[c], sequential_colors().at(0.5)[c], byte);
    }
  }
}

}  // namespace
}  // namespace shoal::test
