// Isotropic remeshing: size, topology, shape, distance, and positions on the given surface.
#include "discretizations/mesh/remeshing/remesh.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"
#include "tests/support/surfaces.hpp"

#include <cmath>
#include <numbers>

namespace shoal::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

RemeshedSurface with_vertices(const Surface& surface, Index vertices) {
  RemeshOptions options;
  options.vertices = vertices;
  return remesh(surface.mesh, surface.x, options);
}

RemeshedSurface with_edges(const Surface& surface, double length) {
  RemeshOptions options;
  options.edge_length = length;
  return remesh(surface.mesh, surface.x, options);
}

Surface surface_of(const RemeshedSurface& remeshed) {
  return make_surface("remeshed", "test", remeshed.faces, remeshed.x);
}

MeshQuality quality_of(const Surface& surface) {
  return assess(surface, make_geometry(surface.mesh, surface.x));
}

/// The mean over the faces of their smallest angle, degrees.
double mean_smallest_angle(const Surface& surface) {
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  return geometry.cotangent.colwise().maxCoeff().unaryExpr([](double c) { return std::atan(1 / c); }).mean() /
         degree;
}

double volume(const Surface& surface) {
  double sum = 0;
  for (Index k = 0; k < surface.mesh.face_count(); ++k) {
    const auto v = surface.mesh.faces.col(k);
    sum += surface.x.col(v[0]).dot(surface.x.col(v[1]).cross(surface.x.col(v[2]))) / 6;
  }
  return sum;
}

struct Task {
  const char* mesh;
  Index vertices;
};

void PrintTo(const Task& task, std::ostream* out) {
  *out << task.mesh << " with " << task.vertices << " vertices";
}

class Remeshed : public ::testing::TestWithParam<Task> {};

TEST_P(Remeshed, has_the_number_of_vertices_the_topology_and_good_angles) {
  const Surface given = load_surface(GetParam().mesh);
  const RemeshedSurface remeshed = with_vertices(given, GetParam().vertices);
  const Surface surface = surface_of(remeshed);
  EXPECT_TRUE(surface.repairs.empty()) << surface.repairs.front();  // oriented as given
  const MeshQuality before = quality_of(given), after = quality_of(surface);
  EXPECT_EQ(after.vertices, GetParam().vertices);
  EXPECT_TRUE(after.closed);
  EXPECT_EQ(after.euler_characteristic, before.euler_characteristic);
  EXPECT_EQ(after.components, before.components);
  EXPECT_GT(after.angle.front(), 25);
  EXPECT_GT(mean_smallest_angle(surface), 50);
}

TEST_P(Remeshed, has_its_vertices_at_their_places_on_the_given_surface) {
  const Surface given = load_surface(GetParam().mesh);
  const RemeshedSurface remeshed = with_vertices(given, GetParam().vertices);
  const SurfacePlaces& places = remeshed.places;
  ASSERT_EQ(places.face.size(), GetParam().vertices);
  EXPECT_GE(places.weights.minCoeff(), 0);
  for (Index v = 0; v < GetParam().vertices; ++v) {
    EXPECT_NEAR(places.weights.col(v).sum(), 1, 1e-15);
    EXPECT_EQ(places.corners.col(v), given.mesh.faces.col(places.face[v]));
  }
  // The positions are themselves a field that is linear on the faces.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * given.x.cwiseAbs().maxCoeff();
  EXPECT_LT((transfer(given.x, places) - remeshed.x).cwiseAbs().maxCoeff(), rounding);
}

INSTANTIATE_TEST_SUITE_P(Mesh, Remeshed,
                         ::testing::Values(Task{"blob:3:slivers", 200}, Task{"blob:3:slivers", 201},
                                           Task{"blob:3:slivers", 642}, Task{"blob:3:slivers", 5000},
                                           Task{"blob:4", 1000}, Task{"uv-sphere:4", 1346},
                                           Task{"icosphere:0", 333}, Task{"torus:32x24", 700},
                                           Task{"torus:structured:40x12", 250},
                                           Task{"ellipsoid:3:4,1,1", 900}));

TEST(Remesh, to_any_number_of_vertices_is_exact) {
  const Surface given = load_surface("blob:2");
  for (Index vertices = 20; vertices < 320; vertices += 13)
    EXPECT_EQ(with_vertices(given, vertices).x.cols(), vertices);
}

TEST(Remesh, to_an_edge_length_gives_edges_of_about_that_length) {
  const MeshQuality quality = quality_of(surface_of(with_edges(load_surface("blob:3:slivers"), 0.12)));
  EXPECT_NEAR(quality.edge_length_mean, 0.12, 0.1 * 0.12);
  EXPECT_GT(quality.edge_length_min, 0.5 * 0.12);
  EXPECT_LT(quality.edge_length_max, 1.5 * 0.12);
}

TEST(Remesh, gives_the_same_bits_twice) {
  const Surface given = load_surface("blob:3:slivers");
  const RemeshedSurface a = with_vertices(given, 500), b = with_vertices(given, 500);
  EXPECT_EQ(a.faces, b.faces);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.places.face, b.places.face);
  EXPECT_EQ(a.places.weights, b.places.weights);
}

TEST(Remesh, leaves_components_apart) {
  const Surface spheres = two_spheres("uv-sphere:3");
  const MeshQuality quality = quality_of(surface_of(with_vertices(spheres, 600)));
  EXPECT_EQ(quality.vertices, 600);
  EXPECT_EQ(quality.components, 2);
  EXPECT_EQ(quality.euler_characteristic, 4);
  EXPECT_GT(quality.angle.front(), 25);
}

TEST(Remesh, keeps_a_sheet_much_thinner_than_the_edges) {
  const Surface given = load_surface("ellipsoid:4:3,1,0.05");
  const Surface surface = surface_of(with_vertices(given, 1500));
  const MeshQuality quality = quality_of(surface);
  EXPECT_EQ(quality.euler_characteristic, 2);
  // Edges of 0.12 m cannot follow a rim of 0.002 m; without care for area a quarter of it would be lost.
  EXPECT_GT(quality.area, 0.9 * quality_of(given).area);
  EXPECT_GT(volume(surface), 0.9 * volume(given));
  EXPECT_GT(mean_smallest_angle(surface), 50);
}

TEST(Remesh, projects_to_where_it_is_told) {
  const Surface given = load_surface("icosphere:2");
  RemeshOptions options;
  options.vertices = 400;
  options.project = [](const Vector3& point, const Vector3&) -> Vector3 { return point.normalized(); };
  const RemeshedSurface remeshed = remesh(given.mesh, given.x, options);
  EXPECT_LT((remeshed.x.colwise().norm().array() - 1).abs().maxCoeff(), 1e-15);
  // The given surface has its faces inside the sphere; the places are the closest on it.
  const double sagitta = 0.03;
  EXPECT_LT((transfer(given.x, remeshed.places) - remeshed.x).colwise().norm().maxCoeff(), sagitta);
}

TEST(Transfer, of_a_smooth_field_has_the_error_of_interpolation) {
  const Surface given = load_surface("icosphere:3");
  const RemeshedSurface remeshed = with_vertices(given, 500);
  const auto field = [](const Points& x) -> Eigen::MatrixXd {
    Eigen::MatrixXd values(2, x.cols());
    values.row(0) = (2 * x.row(0) + x.row(1)).array().sin();
    values.row(1) = x.row(2).array().square();
    return values;
  };
  // h²/8 times the second derivatives, at most 5, with edges h of at most 0.17.
  const double interpolation = 0.17 * 0.17 / 8 * 5;
  EXPECT_LT((transfer(field(given.x), remeshed.places) - field(remeshed.x)).cwiseAbs().maxCoeff(),
            interpolation);
}

TEST(Remesh, refuses_what_it_cannot_do) {
  const Surface sphere = load_surface("icosphere:1");
  const auto refusal = [](const Surface& surface, const RemeshOptions& options) {
    return message_of([&] { remesh(surface.mesh, surface.x, options); });
  };
  RemeshOptions options;
  EXPECT_TRUE(contains(refusal(sphere, options), "either an edge length or a number of vertices"));
  options.vertices = 100;
  EXPECT_TRUE(contains(refusal(hemisphere("icosphere:2"), options), "with boundary cannot be remeshed"));
  EXPECT_TRUE(contains(refusal(load_surface("rectangle:6x6:periodic"), options), "periodic"));
  options.edge_length = 0.1;
  EXPECT_TRUE(contains(refusal(sphere, options), "either an edge length or a number of vertices"));
  options = {};
  options.edge_length = std::nan("");
  EXPECT_TRUE(contains(refusal(sphere, options), "is not a positive number"));
  options.edge_length = 1e-9;
  EXPECT_TRUE(contains(refusal(sphere, options), "too short"));
  options = {};
  options.vertices = 3;
  EXPECT_TRUE(contains(refusal(sphere, options), "3 vertices"));
  options.vertices = -5;
  EXPECT_TRUE(contains(refusal(sphere, options), "-5 vertices"));
  options.vertices = 100;
  Surface broken = sphere;
  broken.x(1, 7) = std::nan("");
  EXPECT_TRUE(contains(refusal(broken, options), "vertex 7"));
  options.vertices = 6;
  EXPECT_TRUE(contains(refusal(load_surface("torus:16x12"), options), "6 vertices are too few"));
}

}  // namespace
}  // namespace shoal::test
