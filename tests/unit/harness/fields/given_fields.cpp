// Initial state, bed and forcing that a user gives, as expressions and from files.
#include "experiments/harness/fields/given_fields.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/fields/expression.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/storage/hdf5.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

namespace shoal {
namespace {

using test::message_of, test::TemporaryFolder;

constexpr double rounding = 1e-13;

/// A run of an experiment's text, set up.
class Trial {
 public:
  explicit Trial(const std::string& text)
      : configuration_(expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface_(load_surface(test::catalog(), configuration_)),
        simulation_(test::catalog(), configuration_, surface_) {}

  Simulation& operator*() { return simulation_; }
  Simulation* operator->() { return &simulation_; }
  const Surface& surface() const { return surface_; }

  void finish() {
    StageClock clock;
    while (simulation_.steps_done() < simulation_.steps()) ASSERT_TRUE(simulation_.step(clock).ok);
  }
  /// [cells] η
  Vector depth() const {
    const Discretization& scheme = simulation_.discretization();
    return simulation_.state()[scheme.volume()].cwiseQuotient(scheme.cells().area);
  }

 private:
  RunConfiguration configuration_;
  Surface surface_;
  Simulation simulation_;
};

/// m³
double volume(const Simulation& simulation) {
  return simulation.state()[simulation.discretization().volume()].sum();
}

const std::string still = "scene = 'custom'\nmesh = 'icosphere:2'\ndt = 0.01\nend = 0.1\n";

double value(const std::string& formula, const Vector3& x = Vector3::Zero(), double time = 0) {
  return Expression(formula, {{"depth", 2}, {"x", 7}})(x, time);
}

TEST(Expression, knows_place_time_and_the_numbers_of_the_run) {
  const Vector3 x(1, 1, std::numbers::sqrt2);
  EXPECT_DOUBLE_EQ(value("depth*x + 10*y^2 - t/2", x, 3), 10.5);
  EXPECT_DOUBLE_EQ(value("lambda", x), std::numbers::pi / 4);
  EXPECT_DOUBLE_EQ(value("\u03BB + \u03C6", x), std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(value("r", x), 2);
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("log(exp(1)) + 1/4"), 1.25);
  EXPECT_DOUBLE_EQ(value("z > 1 && t == 0 ? sin(pi/2) : 0", x), 1);
  EXPECT_TRUE(Expression("sin(2*t)", {}).varies());
  EXPECT_FALSE(Expression("sqrt(x)", {}).varies());
}

TEST(Expression, mistakes_are_named) {
  const auto error_message = [](const std::string& formula) { return message_of([&] { value(formula); }); };
  EXPECT_NE(error_message("2*sinn(x)").find("there is no function 'sinn'; did you mean"), std::string::npos);
  EXPECT_NE(error_message("amplitud").find("'amplitud' is not known"), std::string::npos);
  EXPECT_NE(error_message("exp(x").find("Missing parenthesis"), std::string::npos);
  EXPECT_NE(error_message("x = 3").find("an assignment at character 3"), std::string::npos);
  EXPECT_TRUE(
      error_message("bay/start.h5").ends_with("neither a formula nor FILE.h5:DATASET or FILE.ply:PROPERTY"));
  EXPECT_NE(error_message("").find("neither a formula nor"), std::string::npos);
}

TEST(GivenFields, an_expression_comes_to_the_scene_of_the_same_formula) {
  const std::string rest = "mesh = 'icosphere:2'\ndt = 0.01\nend = 0.1\n";
  for (const char* scheme : {"fefv", "kinetic", "dec"}) {
    const std::string of = rest + "discretization = '" + scheme + "'\n";
    Trial own("scene = 'bump'\n" + of),
        given("scene = 'custom'\n" + of +
              "parameters.initial_elevation = '0.1*exp(-(x^2 + y^2 + (z-1)^2)/0.5^2)'\n");
    own.finish();
    given.finish();
    EXPECT_LE((own.depth() - given.depth()).cwiseAbs().maxCoeff(), rounding) << scheme;
  }
}

TEST(GivenFields, a_scene_keeps_its_elevation_over_a_given_bed_and_land_is_dry) {
  Trial run(
      "scene = 'bump'\ndiscretization = 'kinetic'\nmesh = 'icosphere:2'\nparameters.bed_depth = 'z + 0.5'\n");
  const Trial flat("scene = 'bump'\ndiscretization = 'kinetic'\nmesh = 'icosphere:2'\n");
  const Points& points = run->discretization().cells().points;
  const Vector depth = run.depth(), over_flat = flat.depth();
  int dry = 0;
  for (Index i = 0; i < depth.size(); ++i) {
    const double expected = over_flat[i] - 1 + points(2, i) + 0.5;
    EXPECT_NEAR(depth[i], std::max(0.0, expected), rounding);
    if (expected < 0) ++dry;
  }
  EXPECT_GT(dry, 20);
  EXPECT_FALSE(run->scene().no_reference.empty() && !run->scene().references.empty());
}

TEST(GivenFields, east_and_north_are_those_of_the_sphere) {
  Trial turning(still + "parameters.initial_velocity = 'cos(phi), 0'\n"),
      in_space(still + "parameters.initial_velocity = '-y, max(x, -10), 0'\n"),
      northward(still + "parameters.initial_velocity = '0, 1'\n");
  for (Index i = 0; i < turning.surface().mesh.vertex_count; ++i) {
    const Vector3 x = turning.surface().x.col(i);
    const Vector3 expected = Vector3::UnitZ().cross(x);
    EXPECT_LE((turning->scene().initial.velocity(x) - expected).norm(), rounding);
    EXPECT_LE((in_space->scene().initial.velocity(x) - expected).norm(), rounding);
    const Vector3 north = northward->scene().initial.velocity(x);
    EXPECT_NEAR(north.dot(x), 0, rounding);
    EXPECT_NEAR(north.norm(), 1, rounding);
    if (std::hypot(x.x(), x.y()) > rounding) {
      EXPECT_GT(north.z(), 0);
    }
  }
}

TEST(GivenFields, a_flat_surface_has_no_east_and_north) {
  EXPECT_TRUE(message_of([] {
                Trial(
                    "scene = 'custom'\nmesh = 'rectangle:4x4'\ndt = 0.01\nend = "
                    "0.1\nparameters.initial_velocity = '1,2'\n");
              }).ends_with("'1,2' is east,north, which a flat surface lacks; give x,y,z: '1,2,0'"));
}

// On a flat surface without boundary a uniform force a cos(ωt) gives u = a/ω sin(ωt), and nothing else happens.
TEST(GivenFields, a_force_in_time_gives_the_velocity_that_it_must) {
  for (const char* scheme : {"fefv", "kinetic", "dec"}) {
    Trial run(
        std::string(
            "scene = 'custom'\nmesh = 'rectangle:8x8:periodic'\ndt = 0.002\nend = 0.5\ndiscretization = '") +
        scheme + "'\nparameters.body_acceleration = '0.3*cos(4*t), 0, 0'\n");
    run.finish();
    Values velocity;
    const auto& outputs = run->discretization().outputs();
    const auto found =
        std::find_if(outputs.begin(), outputs.end(), [](const auto& one) { return one.name == "velocity"; });
    ASSERT_NE(found, outputs.end());
    found->evaluate(run->state(), run->water().forces(), velocity, run->water().scratch());
    const double expected = 0.3 / 4 * std::sin(4 * 0.5);
    constexpr double midpoint = 1e-5;  // (ωΔt)²/24
    for (Eigen::Index k = 0; k < velocity.cols(); ++k)
      ASSERT_LE((Vector3(velocity.col(k)) - Vector3(expected, 0, 0)).norm(), midpoint) << scheme;
  }
}

// On a flat surface without boundary that rotates a uniform flow turns by −2Ωt, and nothing else happens.
TEST(GivenFields, water_of_ones_own_turns_with_the_coriolis_force) {
  for (const char* scheme : {"fefv", "kinetic"}) {
    Trial run(
        std::string(
            "scene = 'custom'\nmesh = 'rectangle:8x8:periodic'\ndt = 0.002\nend = 0.5\ndiscretization = '") +
        scheme + "'\nparameters.initial_velocity = '0.3, 0, 0'\nparameters.coriolis = 0.7\n");
    run.finish();
    Values velocity;
    run->water().sample("velocity", velocity);
    const double angle = 2 * 0.7 * 0.5;
    const Vector3 expected(0.3 * std::cos(angle), -0.3 * std::sin(angle), 0);
    constexpr double splitting = 1e-5;  // (2ΩΔt)²
    for (Eigen::Index k = 0; k < velocity.cols(); ++k)
      ASSERT_LE((Vector3(velocity.col(k)) - expected).norm(), splitting) << scheme;
  }
}

TEST(GivenFields, normal_acceleration_is_that_of_the_middle_of_the_step_and_of_the_place_that_has_moved) {
  Trial run(still +
            "motion = 'translation'\nparameters.motion_velocity = '1,0,0'\nparameters.normal_acceleration = "
            "'-9.81 - t - 0.1*x'\n");
  StageClock clock;
  run->step(clock);
  const Vector& acceleration = run->water().forcing().normal_acceleration;
  Points moved;
  run->scene().motion(0.005, moved);
  for (Index i = 0; i < acceleration.size(); ++i)
    EXPECT_NEAR(acceleration[i], -9.81 - 0.005 - 0.1 * moved(0, i), rounding);
}

TEST(GivenFields, rain_brings_as_much_as_falls_where_it_falls) {
  for (const char* scheme : {"fefv", "kinetic", "dec"}) {
    Trial run(still + "discretization = '" + scheme +
              "'\nparameters.rain = '0.01*(x > 0.1) - 0.005*(x < -0.1)*(t < 0.05)'\n");
    const double before = volume(*run) * 1000;
    run.finish();
    double wet = 0, drying = 0;
    const Vector& area = make_geometry(run.surface().mesh, run.surface().x).vertex_area;
    for (Index i = 0; i < area.size(); ++i) {
      if (run.surface().x(0, i) > 0.1) wet += area[i];
      if (run.surface().x(0, i) < -0.1) drying += area[i];
    }
    EXPECT_NEAR(volume(*run) * 1000 - before, 1000 * (0.01 * 0.1 * wet - 0.005 * 0.05 * drying), 1e-9)
        << scheme;
  }
}

TEST(GivenFields, rain_falls_straight_down_unless_it_is_told_otherwise) {
  // 1 m of water with 1 m/s along x, half a metre of rain: its momentum is shared by 1.5 m.
  for (const std::string scheme : {"fefv", "dec", "hllc", "kinetic"})
    for (const auto& [velocity, expected] :
         {std::pair<std::string, Vector3>{"", Vector3(1 / 1.5, 0, 0)},
          {"parameters.rain_velocity = 'water'", Vector3(1, 0, 0)},
          {"parameters.rain_velocity = '0,2,7'", Vector3(1 / 1.5, 1 / 1.5, 0)},
          {"parameters.rain_velocity = '0,2*t,0'", Vector3(1 / 1.5, 0.5 / 1.5, 0)}}) {
      SCOPED_TRACE(scheme + ", " + velocity);
      Trial run(
          "scene = 'custom'\nmesh = 'rectangle:6x6:6x6:structured:periodic'\nintegrator = 'explicit'\n"
          "dt = 0.01\nend = 1\nparameters.initial_velocity = '1,0,0'\nparameters.rain = '0.5'\n"
          "discretization = '" +
          scheme + "'\n" + velocity);
      run.finish();
      Values found;
      run->water().sample("velocity", found);
      constexpr double of_step = 1e-6;
      for (Eigen::Index k = 0; k < found.cols(); ++k) EXPECT_LT((found.col(k) - expected).norm(), of_step);
    }
}

TEST(GivenFields, values_of_a_file_stand_at_their_vertices_and_triangles_in_its_own_order) {
  const TemporaryFolder folder;
  const Surface surface = load_surface("icosphere:2");
  const auto number = [](std::size_t i, double step) {
    return 0.3 * std::sin(step * static_cast<double>(i));
  };
  std::vector<double> at_vertices(surface.input_vertex.size()), of_faces(surface.input_face.size()), vectors;
  for (std::size_t i = 0; i < at_vertices.size(); ++i) at_vertices[i] = number(i, 1);
  for (std::size_t k = 0; k < of_faces.size(); ++k) of_faces[k] = number(k, 2);
  for (std::size_t i = 0; i < 3 * at_vertices.size(); ++i) vectors.push_back(number(i, 3));
  std::vector<double> instants(at_vertices.size(), 9.0);  // the first of two, which is not asked for
  instants.insert(instants.end(), at_vertices.begin(), at_vertices.end());
  const std::string path = (folder / "data.h5").string();
  {
    hdf5::File file(path, hdf5::Access::create);
    hdf5::Group group = file.root().create_group("in").create_group("it");
    group.write("instants", {2, at_vertices.size()}, instants);
    group.write("faces", {of_faces.size()}, of_faces);
    group.write("vectors", {at_vertices.size(), 3}, vectors);
    file.close();
  }
  const Trial vertices(still + "parameters.initial_elevation = '" + path + ":in/it/instants[-1]'\n");
  const Vector depth = vertices.depth();
  for (Index i = 0; i < depth.size(); ++i)
    EXPECT_DOUBLE_EQ(
        depth[i], 1 + number(static_cast<std::size_t>(surface.input_vertex[static_cast<std::size_t>(i)]), 1));

  const Trial faces(still + "discretization = 'kinetic'\nparameters.initial_elevation = '" + path +
                    ":/in/it/faces'\n");
  const Vector on_faces = faces.depth();
  for (Index k = 0; k < on_faces.size(); ++k)
    EXPECT_NEAR(on_faces[k],
                1 + number(static_cast<std::size_t>(surface.input_face[static_cast<std::size_t>(k)]), 2),
                rounding);

  Trial flow(still + "parameters.initial_velocity = '" + path + ":in/it/vectors'\n");
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) {
    const auto first = static_cast<std::size_t>(3 * surface.input_vertex[static_cast<std::size_t>(i)]);
    const Vector3 expected(number(first, 3), number(first + 1, 3), number(first + 2, 3));
    EXPECT_EQ(flow->scene().initial.velocity(surface.x.col(i)), expected);
  }
  EXPECT_NE(message_of([&] {
              Trial(still + "parameters.initial_elevation = '" + path + ":in/it/instants'\n");
            }).find("has 2 × 162 values, but mesh 'icosphere:2' has 162 vertices and 320 triangles"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              Trial(still + "parameters.rain = '" + path + ":in/at'\n");
            }).find("there is no 'at'; did you mean 'it'?"),
            std::string::npos);
}

TEST(GivenFields, properties_of_a_ply_belong_to_the_vertices_of_the_file_even_where_some_are_welded) {
  const TemporaryFolder folder;
  const std::string path = (folder / "square.ply").string();
  std::ofstream(path)
      << "ply\nformat ascii 1.0\nelement vertex 6\nproperty double x\nproperty double y\nproperty double z\n"
         "property float height\nelement face 2\nproperty list uchar int vertex_indices\nproperty float "
         "rate\n"
         "end_header\n0 0 0 0.1\n1 0 0 0.2\n1 1 0 0.3\n0 0 0 0.1\n1 1 0 0.3\n0 1 0 0.5\n"
         "3 0 1 2 0.25\n3 3 4 5 0.75\n";
  const Trial run("scene = 'custom'\nmesh = '" + path +
                  "'\ndt = 0.01\nend = 0.01\nparameters.initial_elevation = '" + path + ":height'\n");
  const auto height = [](const Vector3& x) {
    return x.y() == 0 ? (x.x() == 0 ? 0.1 : 0.2) : x.x() == 0 ? 0.5 : 0.3;
  };
  const Vector depth = run.depth();
  ASSERT_EQ(depth.size(), 4);
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(depth[i], 1 + height(run.surface().x.col(i)), 1e-7);  // of float32
  const Trial faces("scene = 'custom'\ndiscretization = 'kinetic'\nmesh = '" + path +
                    "'\ndt = 0.01\nend = 0.01\nparameters.initial_elevation = '" + path + ":rate'\n");
  const Vector on_faces = faces.depth();
  EXPECT_NEAR(on_faces.minCoeff(), 1.25, rounding);
  EXPECT_NEAR(on_faces.maxCoeff(), 1.75, rounding);
  EXPECT_NE(message_of([&] {
              Trial(still + "parameters.initial_elevation = '" + path + ":heigth'\n");
            }).find("neither its vertices nor its faces have a property 'heigth'; did you mean 'height'?"),
            std::string::npos);
}

}  // namespace
}  // namespace shoal
