// The generated families: size, topology, shape, and refused names.
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"

#include <cmath>
#include <numbers>

namespace shoal::test {
namespace {

using std::numbers::pi;

struct Expected {
  const char* name;
  Index vertices, faces, euler_characteristic, boundary_loops;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.name;
}

class Family : public ::testing::TestWithParam<Expected> {};

TEST_P(Family, has_its_size_and_topology_and_needs_no_repair) {
  const Surface surface = load_surface(GetParam().name);
  const MeshQuality quality = assess(surface, make_geometry(surface.mesh, surface.x));
  EXPECT_EQ(quality.vertices, GetParam().vertices);
  EXPECT_EQ(quality.faces, GetParam().faces);
  EXPECT_EQ(quality.euler_characteristic, GetParam().euler_characteristic);
  EXPECT_EQ(quality.boundary_loops, GetParam().boundary_loops);
  EXPECT_EQ(quality.closed, GetParam().boundary_loops == 0);
  EXPECT_EQ(quality.components, 1);
  EXPECT_TRUE(surface.repairs.empty()) << surface.repairs.front();
  EXPECT_EQ(surface.name, GetParam().name);
  EXPECT_EQ(surface.source, "generated");
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, Family,
    ::testing::Values(
        Expected{"icosphere:0", 12, 20, 2, 0}, Expected{"icosphere:4", 2562, 5120, 2, 0},
        Expected{"ellipsoid:3", 642, 1280, 2, 0}, Expected{"ellipsoid:2:2,1,0.5", 162, 320, 2, 0},
        Expected{"torus:32x24", 768, 1536, 0, 0}, Expected{"torus:structured:7x5", 35, 70, 0, 0},
        Expected{"torus:3x3:structured", 9, 18, 0, 0}, Expected{"torus:3x4", 12, 24, 0, 0},
        Expected{"rectangle:40x10", 456, 810, 1, 1}, Expected{"rectangle:40x10:structured", 451, 800, 1, 1},
        Expected{"rectangle:jittered:40x10", 451, 800, 1, 1}, Expected{"rectangle:1x1", 5, 3, 1, 1},
        Expected{"rectangle:1000x2:10x0.02", 3004, 4002, 1, 1}, Expected{"blob:4", 2562, 5120, 2, 0},
        Expected{"blob:4:slivers", 2562, 5120, 2, 0}));

double area_of(const std::string& name, double radius = 1) {
  const Surface surface = load_surface(name, radius);
  return make_geometry(surface.mesh, surface.x).total_area();
}

/// The order at which the error of the area falls when the resolution doubles.
double order(double coarse, double fine, double exact) {
  return std::log2((exact - coarse) / (exact - fine));
}

TEST(Icosphere, has_its_vertices_on_the_sphere) {
  const Surface surface = load_surface("icosphere:4", 2.5);
  constexpr double tolerance = 4 * 2.5 * std::numeric_limits<double>::epsilon();
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) EXPECT_NEAR(surface.x.col(i).norm(), 2.5, tolerance);
}

TEST(Icosphere, has_a_vertex_at_the_pole) {
  const Surface surface = load_surface("icosphere:3");
  EXPECT_EQ(surface.x.row(2).maxCoeff(), 1);
}

TEST(Icosphere, area_tends_to_that_of_the_sphere_at_order_two) {
  const double exact = 4 * pi;
  for (int level = 3; level < 6; ++level)
    EXPECT_NEAR(order(area_of("icosphere:" + std::to_string(level)),
                      area_of("icosphere:" + std::to_string(level + 1)), exact),
                2, 0.01);
}

TEST(Torus, area_tends_to_that_of_the_torus_at_order_two) {
  const double exact = 4 * pi * pi * 0.4;
  for (const std::string layout : {"", ":structured"})
    EXPECT_NEAR(order(area_of("torus:64x24" + layout), area_of("torus:128x48" + layout), exact), 2, 0.02);
}

TEST(Torus, staggered_rows_are_acute_where_structured_ones_are_not) {
  const auto obtuse_faces = [](const char* name) {
    const Surface surface = load_surface(name);
    return assess(surface, make_geometry(surface.mesh, surface.x)).obtuse_faces;
  };
  EXPECT_EQ(obtuse_faces("torus:32x14"), 0);
  EXPECT_GT(obtuse_faces("torus:32x14:structured"), 0);
}

TEST(Ellipsoid, reaches_its_semi_axes) {
  const Surface surface = load_surface("ellipsoid:4:3,2,1", 0.5);
  EXPECT_NEAR(surface.x.row(0).maxCoeff(), 1.5, 0.01);
  EXPECT_NEAR(surface.x.row(1).maxCoeff(), 1.0, 0.01);
  EXPECT_DOUBLE_EQ(surface.x.row(2).maxCoeff(), 0.5);
}

TEST(Radius, scales_what_has_one) {
  // Scaling by a power of two commutes with rounding.
  for (const char* name : {"icosphere:2", "ellipsoid:2", "torus:8x6", "blob:2"})
    EXPECT_EQ(load_surface(name, 4.0).x, 4.0 * load_surface(name).x) << name;
  EXPECT_EQ(load_surface("rectangle:3x3", 4.0).x, load_surface("rectangle:3x3").x);
}

TEST(Rectangle, fills_its_box_whatever_the_layout) {
  // The area is a sum of at most 810 terms.
  constexpr double tolerance = 810 * 6 * std::numeric_limits<double>::epsilon();
  for (const std::string layout : {"", ":structured", ":jittered"}) {
    EXPECT_NEAR(area_of("rectangle:40x10:2x3" + layout), 6, tolerance) << layout;
    EXPECT_NEAR(area_of("rectangle:40x10" + layout), 0.25, tolerance) << layout;
  }
}

TEST(Rectangle, whose_area_is_no_number_is_refused_periodic_or_not) {
  for (const std::string name : {"rectangle:4x4:1e99x1e99", "rectangle:4x4:1e-90x1e-90"})
    for (const std::string seam : {"", ":periodic"}) {
      try {
        load_surface(name + seam);
        FAIL() << name << seam;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      }
    }
}

TEST(Rectangle, walls_are_straight) {
  for (const std::string layout : {"", ":structured", ":jittered"}) {
    const Surface surface = load_surface("rectangle:9x6:3x2" + layout);
    for (Index edge = 0; edge < surface.mesh.edge_count(); ++edge) {
      if (!surface.mesh.is_wall(edge)) continue;
      const Vector3 a = surface.x.col(surface.mesh.edges(0, edge)),
                    b = surface.x.col(surface.mesh.edges(1, edge));
      const bool on_side =
          (a[0] == b[0] && (a[0] == 0 || a[0] == 3)) || (a[1] == b[1] && (a[1] == 0 || a[1] == 2));
      EXPECT_TRUE(on_side) << layout << " edge " << edge;
    }
  }
}

TEST(Rectangle, staggered_square_cells_are_acute_inside) {
  const Surface surface = load_surface("rectangle:20x20");
  const MeshQuality quality = assess(surface, make_geometry(surface.mesh, surface.x));
  EXPECT_EQ(quality.obtuse_faces, 0);
  EXPECT_EQ(quality.negative_duals + quality.degenerate_duals, 0);
}

TEST(Blob, is_as_badly_shaped_as_it_says) {
  const auto angle = [](const char* name) {
    const Surface surface = load_surface(name);
    return assess(surface, make_geometry(surface.mesh, surface.x)).angle.front();
  };
  EXPECT_GT(angle("blob:4"), 15);
  EXPECT_LT(angle("blob:4"), 20);
  EXPECT_GT(angle("blob:4:slivers"), 1);
  EXPECT_LT(angle("blob:4:slivers"), 3);
}

TEST(Generators, give_the_same_bits_twice) {
  for (const char* name : {"icosphere:3", "blob:3:slivers", "rectangle:9x6:jittered", "torus:8x6"}) {
    const Surface a = load_surface(name), b = load_surface(name);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.mesh.faces, b.mesh.faces);
  }
}

struct BadName {
  const char* name;
  const char* part;  ///< of the message
};

void PrintTo(const BadName& bad, std::ostream* out) {
  *out << bad.name;
}

class Misspelt : public ::testing::TestWithParam<BadName> {};

TEST_P(Misspelt, is_refused_in_a_sentence_that_names_it) {
  const std::string message = message_of([] { load_surface(GetParam().name); });
  EXPECT_TRUE(contains(message, std::string("mesh '") + GetParam().name + "'"));
  EXPECT_TRUE(contains(message, GetParam().part));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, Misspelt,
    ::testing::Values(
        BadName{"icosphre:4", "did you mean 'icosphere'?"},
        BadName{"rectangel:10x2:1x0.2", "did you mean 'rectangle'?"},
        BadName{"icosphere", "the level is missing"}, BadName{"icosphere:x", "'x' is not a level"},
        BadName{"icosphere:", "'' is not a level"}, BadName{"icosphere:-1", "level -1 is outside [0, 10]"},
        BadName{"icosphere:40", "level 40 is outside [0, 10]"},
        BadName{"icosphere:99999999999999999999", "is not a level"},
        BadName{"icosphere:3:4", "'4' is not an argument"}, BadName{"torus:2x2", "2x2 is too few"},
        BadName{"torus:32x23", "an even number around the tube, not 23"},
        BadName{"torus:32", "'32' is not two whole numbers"}, BadName{"torus", "e.g. 'torus:32x24'"},
        BadName{"torus:32x24:stuctured", "did you mean 'structured'?"},
        BadName{"rectangle:0x3", "'0x3' is not two whole numbers"},
        BadName{"rectangle:1000000x1000000", "at most"}, BadName{"rectangle:4x4:1x0", "must be positive"},
        BadName{"rectangle:4x4:1xa", "'a' is not a number"},
        BadName{"rectangle:4x4:nanx1", "must be positive"},
        BadName{"jittered-sphere:2:jitter=0.5", "jitter=0.5 is outside [0, 0.3]"},
        BadName{"jittered-sphere:2:jitter=much", "'much' is not a number"},
        BadName{"jittered-sphere:2:seed=-1", "seed=-1 is not a whole number"},
        BadName{"random-sphere:8", "level 8 is outside [0, 7]"},
        BadName{"uv-sphere:2:seed=1", "'seed=1' is not an argument of uv-sphere"},
        BadName{"icosphere:1,2", "'1,2' is not a level"},
        BadName{"figure:199", "'199' is not a number of vertices, a whole number in [200, 100000]"},
        BadName{"figure:-1", "'-1' is not a number of vertices"},
        BadName{"figure:tall", "'tall' is not a number of vertices"},
        BadName{"figure:", "'' is not a number of vertices"},
        BadName{"figure:1346:2", "'2' is not an argument of figure"},
        BadName{"letters:99999999999999999999", "a whole number in [600, 100000]"},
        BadName{"figur", "did you mean 'figure'?"}, BadName{"ellipsoid:2:1,1", "'1,1' is not 3 numbers"},
        BadName{"", "is not one of"}));

TEST(Radius, must_be_positive) {
  for (const double radius : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(contains(message_of([&] { load_surface("icosphere:1", radius); }), "radius"));
}

TEST(MeshFamilies, are_all_made_by_their_first_example) {
  for (const MeshFamily& family : mesh_families()) {
    const auto has = [&](const char* argument) { return family.usage.find(argument) != std::string::npos; };
    const Surface surface = load_surface(family.name + (has(":L") ? ":1" : has("[:N]") ? "" : ":4x4"));
    EXPECT_GT(surface.mesh.face_count(), 0) << family.name;
  }
}

}  // namespace
}  // namespace shoal::test
