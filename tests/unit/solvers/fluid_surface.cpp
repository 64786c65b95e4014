// The surface of the water: closed for any depth, continuous in the depth, and located according to the formulas.
#include "solvers/coupling/fluid_surface.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/formats/writer.hpp"
#include "discretizations/mesh/generators/random.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/linear/flush_subnormals.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/temporary.hpp"
#include "tests/unit/mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>

namespace shoal::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double denormal = std::numeric_limits<double>::denorm_min();

struct Domain {
  explicit Domain(Surface made)
      : surface(std::move(made)), mesh(surface.mesh), geometry(make_geometry(mesh, surface.x)) {
    vertex_normals(mesh, geometry, normals);
  }
  explicit Domain(const std::string& name) : Domain(load_surface(name)) {}
  Domain(const Domain&) = delete;  // mesh refers to the surface

  void update(FluidSurface& water, const Vector& depth, const Vector& bed_depth) const {
    water.update(surface.x, normals, depth, bed_depth);
  }
  FluidSurface water(const Vector& depth, const Vector& bed_depth,
                     const FluidSurfaceOptions& options = {}) const {
    FluidSurface made(mesh, options);
    update(made, depth, bed_depth);
    return made;
  }
  Vector constant(double value) const { return Vector::Constant(mesh.vertex_count, value); }
  Vector sampled(const ScalarField& field) const {
    Vector values(mesh.vertex_count);
    for (Index i = 0; i < mesh.vertex_count; ++i) values[i] = field(surface.x.col(i));
    return values;
  }

  Surface surface;
  const Mesh& mesh;
  Geometry geometry;
  Points normals;
};

/// A vertex with `valence` triangles around it, and below it another one or, open, nothing.
Surface fan(Index valence, bool closed) {
  Faces faces(3, closed ? 2 * valence : valence);
  Points x(3, valence + 1 + closed);
  x.col(valence) << 0, 0, 0.3;
  if (closed) x.col(valence + 1) << 0, 0, -0.3;
  for (Index k = 0; k < valence; ++k) {
    const double angle = 2 * std::numbers::pi * k / valence;
    x.col(k) << std::cos(angle), std::sin(angle), 0;
    faces.col(k) << k, (k + 1) % valence, valence;
    if (closed) faces.col(valence + k) << (k + 1) % valence, k, valence + 1;
  }
  return make_surface("fan", "generated", faces, x);
}

std::vector<std::unique_ptr<Domain>> domains() {
  std::vector<std::unique_ptr<Domain>> made;
  for (const char* name : {"icosphere:1", "torus:8x6", "jittered-sphere:2", "rectangle:6x5:jittered"})
    made.push_back(std::make_unique<Domain>(name));
  for (const bool closed : {false, true}) made.push_back(std::make_unique<Domain>(fan(70, closed)));
  made.push_back(std::make_unique<Domain>(two_spheres("icosphere:1")));
  made.push_back(std::make_unique<Domain>(hemisphere("icosphere:2")));
  for (const Faces& faces : {tetrahedron_faces(), faces_of({{0, 2, 1}}), faces_of({{0, 2, 1}, {0, 1, 3}})})
    made.push_back(std::make_unique<Domain>(make_surface("small", "generated", faces, tetrahedron_points())));
  return made;
}

// ---- depths ----------------------------------------------------------------------------------------------

enum class Depths { uniform, three_levels, level_patches, neighbours_of_level, one_odd, huge, denormals };
constexpr Depths all_depths[] = {
    Depths::uniform, Depths::three_levels, Depths::level_patches, Depths::neighbours_of_level,
    Depths::one_odd, Depths::huge,         Depths::denormals};

bool is_moderate(Depths kind) {
  return kind != Depths::huge;
}

template <std::size_t n>
double one_of(std::mt19937_64& random, const double (&values)[n]) {
  return values[random() % n];
}

Vector random_depth(const Mesh& mesh, Depths kind, double iso, std::mt19937_64& random) {
  constexpr double largest = std::numeric_limits<double>::max(), infinity = HUGE_VAL;
  Vector depth(mesh.vertex_count);
  const double common = iso + 0.02 * symmetric_random(random), other = iso + 0.02 * symmetric_random(random);
  for (double& value : depth) {
    const double anywhere = iso + 0.02 * symmetric_random(random);
    switch (kind) {
      case Depths::uniform:
      case Depths::level_patches:
        value = anywhere;
        break;
      case Depths::three_levels:
        value = one_of(random, {iso - 0.01, iso, iso + 0.01});
        break;
      case Depths::neighbours_of_level:
        value =
            one_of(random, {std::nextafter(iso, -infinity), iso, std::nextafter(iso, infinity), anywhere});
        break;
      case Depths::one_odd:
        value = common;
        break;
      case Depths::huge:
        value = one_of(random, {-largest, largest, -1e300, 1e300, 1e154, iso, -iso, denormal, anywhere});
        break;
      case Depths::denormals:
        value = one_of(random, {-denormal, 0.0, -0.0, denormal, 3 * denormal, 1e-310, anywhere});
        break;
    }
  }
  if (kind == Depths::one_odd) depth[static_cast<Index>(random() % depth.size())] = other;
  if (kind == Depths::level_patches)
    for (int patch = 0; patch < 3; ++patch) {
      const Index center = static_cast<Index>(random() % depth.size());
      for (Index j = mesh.ring_start[center]; j < mesh.ring_start[center + 1]; ++j)
        for (int c = 0; c < 3; ++c) depth[mesh.faces(c, mesh.ring_corner[j] / 3)] = iso;
    }
  return depth;
}

// ---- requirements on a surface -----------------------------------------------------------------------------

/// make_mesh refuses an edge of three faces, or of two in one direction, and faces around a vertex that are not one fan.
void expect_closed(const FluidSurface& water) {
  if (water.face_count() == 0) {
    EXPECT_EQ(water.vertex_count(), 0);
    return;
  }
  const Faces faces = water.faces();
  const Mesh mesh = make_mesh(faces, water.vertex_count());
  EXPECT_TRUE(mesh.closed());
  std::vector<std::array<Index, 3>> corners;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    corners.push_back({faces(0, k), faces(1, k), faces(2, k)});
    std::sort(corners.back().begin(), corners.back().end());
  }
  std::sort(corners.begin(), corners.end());
  EXPECT_EQ(std::adjacent_find(corners.begin(), corners.end()), corners.end());
}

double area_of(const Vector3& a, const Vector3& b, const Vector3& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

/// Triangles of the sheets, put back on the mesh, lie counter-clockwise in front and clockwise in the back, each a part of its
/// face that is not small, and together the same in both.
void expect_areas_on_mesh(const FluidSurface& water, const Domain& domain, double margin) {
  using Corners = std::array<Index, 3>;
  std::map<Corners, Index> face_of;
  for (Index k = 0; k < domain.mesh.face_count(); ++k) {
    Corners corners = {domain.mesh.faces(0, k), domain.mesh.faces(1, k), domain.mesh.faces(2, k)};
    std::sort(corners.begin(), corners.end());
    face_of[corners] = k;
  }
  double smallest = 1, areas[2] = {0, 0};
  for (Index k = 0; k < water.face_count(); ++k) {
    std::vector<Index> on;
    Vector3 x[3];
    bool in[2] = {false, false};
    for (int c = 0; c < 3; ++c) {
      const Index p = water.faces()(c, k);
      const double alpha = water.alpha()[p];
      x[c].setZero();
      for (int end = 0; end < 2; ++end) {
        const Index i = water.ends()(end, p);
        x[c] += (end == 0 ? alpha : 1 - alpha) * domain.surface.x.col(i);
        if (std::find(on.begin(), on.end(), i) == on.end()) on.push_back(i);
      }
      if (water.sheet(p) != Sheet::line) in[water.sheet(p) == Sheet::back] = true;
    }
    if (in[0] && in[1]) continue;  // along a wall
    ASSERT_NE(in[0], in[1]);
    ASSERT_EQ(on.size(), 3u);
    std::sort(on.begin(), on.end());
    const Index face = face_of.at({on[0], on[1], on[2]});
    const double sign = in[1] ? -1 : 1;
    const Vector3 normal = domain.geometry.face_normal.col(face);
    const double area = 0.5 * sign * (x[1] - x[0]).cross(x[2] - x[0]).dot(normal);
    smallest = std::min(smallest, area / domain.geometry.face_area[face]);
    areas[in[1]] += area;
  }
  // Cancellation in triangles of size δ loses about ε/δ; a part in a hundred is far more.
  EXPECT_GE(smallest, 0.99 * margin * margin);
  EXPECT_NEAR(areas[0], areas[1], 100 * epsilon * areas[0]);
}

void expect_area(const FluidSurface& water) {
  double smallest = 1;
  for (Index k = 0; k < water.face_count(); ++k) {
    const auto x = [&](int c) -> Vector3 { return water.points().col(water.faces()(c, k)); };
    smallest = std::min(smallest, area_of(x(0), x(1), x(2)));
  }
  EXPECT_GT(smallest, 0);
}

void expect_unit_normals(const FluidSurface& water) {
  const Points normals = water.normals();
  for (Index p = 0; p < water.vertex_count(); ++p) ASSERT_NEAR(normals.col(p).norm(), 1, 8 * epsilon);
}

TEST(FluidSurface, is_closed_for_ten_thousand_random_depths) {
  std::mt19937_64 random(1);
  const auto all = domains();
  int count = 0;
  for (int round = 0; count < 10000; ++round)
    for (const auto& domain : all)
      for (const Depths kind : all_depths) {
        SCOPED_TRACE(testing::Message()
                     << domain->surface.name << ", depths " << static_cast<int>(kind) << ", round " << round);
        FluidSurfaceOptions options;
        if (kind == Depths::denormals || round % 3 == 0) options.iso_level = 0;
        Vector bed_depth = domain->constant(0);
        for (double& value : bed_depth) value = 0.01 * symmetric_random(random);
        const Vector depth = random_depth(domain->mesh, kind, options.iso_level, random);
        FluidSurface water(domain->mesh, options);
        {
          // As inside a linear solver: differences of denormals are then zero, and quotients of them no numbers.
          std::optional<FlushSubnormals> flush;
          if (kind == Depths::denormals && round % 2) flush.emplace();
          domain->update(water, depth, bed_depth);
        }
        expect_closed(water);
        expect_areas_on_mesh(water, *domain, options.line_margin);
        if (is_moderate(kind)) expect_area(water);
        EXPECT_TRUE(water.points().allFinite());
        expect_unit_normals(water);
        if (HasFailure()) return;
        ++count;
      }
}

TEST(FluidSurface, is_closed_where_every_choice_of_wet_vertices_is_tried) {
  for (const Faces& faces :
       {tetrahedron_faces(), faces_of({{0, 2, 1}}), faces_of({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}})}) {
    const Domain domain(make_surface("small", "generated", faces, tetrahedron_points()));
    const Index n = domain.mesh.vertex_count;
    for (int wet = 0; wet < 1 << n; ++wet) {
      Vector depth(n);
      for (Index i = 0; i < n; ++i) depth[i] = wet >> i & 1 ? 0.02 : 0.01;
      const FluidSurface water = domain.water(depth, domain.constant(0));
      expect_closed(water);
      expect_area(water);
    }
  }
}

// ---- single cases ----------------------------------------------------------------------------------------

double volume_of(const FluidSurface& water) {
  double sum = 0;
  for (Index k = 0; k < water.face_count(); ++k) {
    const auto x = [&](int c) -> Vector3 { return water.points().col(water.faces()(c, k)); };
    sum += x(0).dot(x(1).cross(x(2))) / 6;
  }
  return sum;
}

Index component_count(const FluidSurface& water) {
  const Mesh mesh = make_mesh(Faces(water.faces()), water.vertex_count());
  std::vector<Index> part(static_cast<std::size_t>(mesh.vertex_count));
  std::iota(part.begin(), part.end(), 0);
  const std::function<Index(Index)> root = [&](Index i) {
    return part[i] == i ? i : part[i] = root(part[i]);
  };
  Index count = mesh.vertex_count;
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    const Index a = root(mesh.edges(0, e)), b = root(mesh.edges(1, e));
    count -= a != b;
    part[a] = b;
  }
  return count;
}

TEST(FluidSurface, of_a_dry_mesh_is_empty) {
  for (const char* name : {"icosphere:1", "rectangle:3x2"}) {
    const Domain domain(name);
    for (const double depth : {0.01, 0.0, -5.0}) {
      const FluidSurface water = domain.water(domain.constant(depth), domain.constant(1));
      EXPECT_EQ(water.vertex_count(), 0);
      EXPECT_EQ(water.face_count(), 0);
      EXPECT_EQ(water.points().cols(), 0);
    }
  }
}

TEST(FluidSurface, of_a_wet_sphere_is_two_spheres) {
  const Domain domain("icosphere:3");
  FluidSurfaceOptions options;
  const FluidSurface water = domain.water(domain.constant(0.3), domain.constant(0.1), options);
  expect_closed(water);
  EXPECT_EQ(component_count(water), 2);
  EXPECT_EQ(water.face_count(), 2 * domain.mesh.face_count());
  const Mesh mesh = make_mesh(Faces(water.faces()), water.vertex_count());
  EXPECT_EQ(mesh.euler_characteristic(), 4);
  for (Index p = 0; p < water.vertex_count(); ++p) {
    const bool back = water.sheet(p) == Sheet::back;
    EXPECT_NEAR(water.points().col(p).norm(), 1.2 - (back ? 2 * options.thickness : 0), 4 * epsilon);
    EXPECT_GT((back ? -1 : 1) * water.normals().col(p).dot(domain.normals.col(water.ends()(0, p))), 0.999);
  }
  // Both are the mesh, scaled.
  const double outer = std::pow(1.2, 3), inner = std::pow(1.2 - 2 * options.thickness, 3);
  options.back = false;
  const FluidSurface front = domain.water(domain.constant(0.3), domain.constant(0.1), options);
  expect_closed(front);
  EXPECT_EQ(component_count(front), 1);
  EXPECT_EQ(front.faces(), domain.mesh.faces);
  EXPECT_NEAR(volume_of(water), volume_of(front) * (1 - inner / outer), 1e-12);
}

TEST(FluidSurface, without_a_back_ends_in_the_line) {
  const Domain domain("icosphere:3");
  const Vector depth = domain.sampled([](const Vector3& x) { return 0.3 * x.z() + 0.1; });
  FluidSurfaceOptions options;
  const FluidSurface whole = domain.water(depth, domain.constant(0.1), options);
  options.back = false;
  const FluidSurface front = domain.water(depth, domain.constant(0.1), options);
  const Mesh mesh = make_mesh(Faces(front.faces()), front.vertex_count());
  EXPECT_EQ(front.face_count(), whole.face_count() / 2);
  Index walls = 0;
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) {
      ++walls;
      for (int end = 0; end < 2; ++end) EXPECT_EQ(front.sheet(mesh.edges(end, e)), Sheet::line);
    }
  const Points ends = front.points().rightCols(walls);  // one loop: as many vertices as edges
  EXPECT_EQ(front.sheet(front.vertex_count() - walls), Sheet::line);
  EXPECT_EQ(front.sheet(front.vertex_count() - walls - 1), Sheet::front);
  EXPECT_EQ(ends, whole.points().rightCols(walls));
}

TEST(FluidSurface, lies_where_the_formulas_put_it) {
  const Domain domain(make_surface("triangle", "generated", faces_of({{0, 1, 2}}),
                                   points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})));
  FluidSurfaceOptions options;
  options.iso_level = 0.25;
  options.thickness = 0.125;
  // In the source's order of vertices; the surface numbers them anew.
  const double given_depth[] = {1.0, 0.0, -0.5}, given_bed[] = {0.5, 0.25, 0.0};
  Vector depth(3), bed_depth(3);
  for (Index i = 0; i < 3; ++i) {
    depth[i] = given_depth[domain.surface.input_vertex[static_cast<std::size_t>(i)]];
    bed_depth[i] = given_bed[domain.surface.input_vertex[static_cast<std::size_t>(i)]];
  }
  const FluidSurface water = domain.water(depth, bed_depth, options);
  ASSERT_EQ(water.vertex_count(), 4);
  EXPECT_EQ(water.face_count(), 4);
  expect_closed(water);
  // α = 1/4 and 1/2 on the two edges; the greater is the weight of the wet vertex.
  const Vector3 front(0, 0, 0.5 * 0.5 - 0.5 * 0.625), back(0, 0, 0.5 * 0.25 - 0.5 * 0.625);
  EXPECT_EQ(water.points().col(0), front);
  EXPECT_EQ(water.points().col(1), back);
  const auto line = [](double alpha, double bed, const Vector3& dry) -> Vector3 {
    return (1 - alpha) * dry - Vector3(0, 0, alpha * 0.625 + (1 - alpha) * (bed + 0.125));
  };
  for (Index p = 2; p < 4; ++p) {
    EXPECT_EQ(water.sheet(p), Sheet::line);
    const bool along_x = water.points()(0, p) > 0;
    EXPECT_EQ(water.alpha()[p], along_x ? 0.25 : 0.5);
    EXPECT_EQ(Vector3(water.points().col(p)),
              along_x ? line(0.25, 0.25, Vector3::UnitX()) : line(0.5, 0, Vector3::UnitY()));
  }
}

TEST(FluidSurface, carries_fields_of_the_mesh) {
  const Domain domain("torus:16x12");
  const Vector depth = domain.sampled([](const Vector3& x) { return 0.1 * x.x() + 0.05 * x.z(); });
  const FluidSurface water = domain.water(depth, domain.constant(0));
  Vector values(water.vertex_count());
  water.interpolate(depth, values);
  const double margin = FluidSurfaceOptions().line_margin;
  Index on_line = 0;
  for (Index p = 0; p < water.vertex_count(); ++p) {
    const Index wet = water.ends()(0, p), dry = water.ends()(1, p);
    if (water.sheet(p) != Sheet::line) {
      EXPECT_EQ(values[p], depth[wet]);
    } else {
      EXPECT_NEAR(values[p], 0.01, epsilon + margin * (depth[wet] - depth[dry]));
      EXPECT_GT(depth[wet], 0.01);
      EXPECT_LE(depth[dry], 0.01);
      ++on_line;
    }
  }
  EXPECT_GT(on_line, 10);
}

// ---- volume, motion --------------------------------------------------------------------------------------

TEST(FluidSurface, encloses_two_epsilon_times_the_wet_area) {
  const FluidSurfaceOptions options;
  const Domain plane("rectangle:80x20:4x1");
  const Vector level = plane.constant(0.5), bed_depth = plane.sampled([](const Vector3&x) { return x.x(); });
  const double area = 4;
  // Differences of heights of size 1 and of 2ε lose up to ε_machine/2ε of the volume.
  EXPECT_NEAR(volume_of(plane.water(level, bed_depth)), 2 * options.thickness * area, 1e-11);
  // Towards the line, and over one edge beside it, the sheets come together: the gap falls from 2ε to 0 within two cells.
  const auto at_half = [&](const Vector3& x) {
    return options.iso_level + 2 - x.x() + plane.surface.x.row(0).minCoeff();
  };
  const double band = 2 * 4.0 / 80;
  const double volume = volume_of(plane.water(plane.sampled(at_half), bed_depth));
  EXPECT_LT(volume, 2 * options.thickness * area / 2);
  EXPECT_GT(volume, 2 * options.thickness * (area / 2 - band));

  const Domain sphere("icosphere:4");
  const double half =
      volume_of(sphere.water(sphere.sampled([](const Vector3& x) { return x.z(); }), sphere.constant(0)));
  // Water of depth z over half of the sphere: ∫ (1+z)² dA = 2π · 7/3.
  EXPECT_NEAR(half, 2 * options.thickness * 2 * std::numbers::pi * 7 / 3, 0.05 * half);
}

TEST(FluidSurface, moves_with_a_rigid_motion) {
  const Domain domain("blob:3");
  const Vector depth = domain.sampled([](const Vector3&x) { return 0.2 * std::sin(5 * x.x() + 3 * x.y()); }),
               bed_depth = domain.sampled([](const Vector3&x) { return 0.1 * x.z(); });
  const FluidSurface water = domain.water(depth, bed_depth);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, -2).normalized()).toRotationMatrix();
  const Vector3 shift(3, -1, 2);
  FluidSurface moved(domain.mesh);
  moved.update((turn * domain.surface.x).colwise() + shift, turn * domain.normals, depth, bed_depth);
  EXPECT_EQ(moved.faces(), water.faces());
  EXPECT_LT((moved.points() - ((turn * water.points()).colwise() + shift)).cwiseAbs().maxCoeff(),
            50 * epsilon);
  // Normals are differences of positions over an edge, on the line of δ of it: 10³ times the rounding and more.
  EXPECT_LT((moved.normals() - turn * water.normals()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(FluidSurface, depends_on_its_last_update_alone) {
  const Domain domain("icosphere:2");
  std::mt19937_64 random(3);
  FluidSurface reused(domain.mesh);
  FluidSurfaceOptions options;
  for (int round = 0; round < 50; ++round) {
    options.back = round % 4 != 0;
    reused.configure(options);
    EXPECT_EQ(reused.face_count(), 0);
    const Vector depth = random_depth(domain.mesh, all_depths[round % 5], options.iso_level, random);
    domain.update(reused, depth, domain.constant(0.02));
    const FluidSurface fresh = domain.water(depth, domain.constant(0.02), options);
    EXPECT_EQ(reused.points(), fresh.points());
    EXPECT_EQ(reused.faces(), fresh.faces());
    EXPECT_EQ(reused.normals(), fresh.normals());
    EXPECT_EQ(reused.ends(), fresh.ends());
    EXPECT_EQ(reused.alpha(), fresh.alpha());
  }
}

// ---- continuity ------------------------------------------------------------------------------------------

/// The squared distance of p from a triangle: from its plane, if p lies over it, or else from its edges.
double squared_distance(const Vector3& p, const Vector3 (&x)[3]) {
  const Vector3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
  bool over = normal.squaredNorm() > 0;
  double nearest = std::numeric_limits<double>::max();
  for (int c = 0; c < 3; ++c) {
    const Vector3 &a = x[c], along = x[(c + 1) % 3] - a;
    const double length = along.squaredNorm();
    const double s = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0;
    nearest = std::min(nearest, (p - a - s * along).squaredNorm());
    over = over && normal.cross(along).dot(p - a) >= 0;
  }
  if (!over) return nearest;
  const double height = (p - x[0]).dot(normal);
  return height * height / normal.squaredNorm();
}

struct Triangles {
  Points x;
  Faces faces;
};

/// The largest distance of the vertices, middles of edges and of faces of `from` from both others.
double distance_beyond(const Triangles& from, const Triangles& to, const Triangles& bed) {
  double largest = 0;
  const auto measure = [&](const Vector3& p) {
    double nearest = std::numeric_limits<double>::max();
    for (const Triangles* other : {&to, &bed})
      for (Index k = 0; k < other->faces.cols(); ++k) {
        const Vector3 x[3] = {other->x.col(other->faces(0, k)), other->x.col(other->faces(1, k)),
                              other->x.col(other->faces(2, k))};
        nearest = std::min(nearest, squared_distance(p, x));
      }
    largest = std::max(largest, nearest);
  };
  for (Index p = 0; p < from.x.cols(); ++p) measure(from.x.col(p));
  for (Index k = 0; k < from.faces.cols(); ++k) {
    const auto x = [&](int c) -> Vector3 { return from.x.col(from.faces(c % 3, k)); };
    measure((x(0) + x(1) + x(2)) / 3);
    for (int c = 0; c < 3; ++c) measure(0.5 * (x(c) + x(c + 1)));
  }
  return std::sqrt(largest);
}

/// A depth that takes a different value at each vertex, at least `step` apart: under a common rise every vertex passes the
/// level alone, and what depends on quotients of differences changes by at most 1/step.
class RisingWater {
 public:
  static constexpr double step = 0.02;

  RisingWater(const Domain& domain, std::uint64_t seed) : domain_(domain), rank_(domain.mesh.vertex_count) {
    options_.iso_level = 0.1;
    options_.thickness = 0.03;
    options_.line_margin = 1e-5;
    std::mt19937_64 random(seed);
    std::iota(rank_.begin(), rank_.end(), 0);
    for (Index i = domain.mesh.vertex_count - 1; i > 0; --i)
      std::swap(rank_[i], rank_[static_cast<Index>(random() % (i + 1))]);
    bed_depth_ = domain.sampled([](const Vector3& x) { return 0.05 * x.x(); });
  }

  /// At time t the vertices of rank −t and above are wet.
  FluidSurface at(double t) const {
    Vector depth(domain_.mesh.vertex_count);
    for (Index i = 0; i < depth.size(); ++i) depth[i] = options_.iso_level + step * (rank_[i] + t);
    return domain_.water(depth, bed_depth_, options_);
  }
  /// How far the surface goes between two times: either one lies near the other, or near the surface ε below the bed, on
  /// which the line moves, and where a patch that vanishes is last.
  double distance(double before, double after) const {
    const Triangles first = triangles(at(before)), second = triangles(at(after));
    const Triangles bed{
        domain_.surface.x - domain_.normals * (bed_depth_.array() + options_.thickness).matrix().asDiagonal(),
        domain_.mesh.faces};
    return std::max(distance_beyond(first, second, bed), distance_beyond(second, first, bed));
  }
  /// The line runs over less than an edge per unit of t; w changes by less than 1/step per metre of depth, and 1/(η_iso + ε)
  /// in pits, and heights by that times 2 (η_iso + ε), besides the rise of the water itself.
  double bound(double duration) const {
    const double edge = domain_.geometry.edge_length.maxCoeff(),
                 height = options_.iso_level + options_.thickness;
    return duration * (edge + 4 * step + 4 * height) + 4 * options_.line_margin * (edge + height);
  }
  const FluidSurfaceOptions& options() const { return options_; }

 private:
  static Triangles triangles(const FluidSurface& water) { return {water.points(), water.faces()}; }

  const Domain& domain_;
  FluidSurfaceOptions options_;
  Array<Index> rank_;
  Vector bed_depth_;
};

TEST(FluidSurface, does_not_jump_where_the_line_sweeps_over_a_vertex) {
  constexpr double instant = 1e-6;
  const auto all = domains();
  for (const auto& domain : all) {
    SCOPED_TRACE(domain->surface.name);
    const Index n = domain->mesh.vertex_count, every = 1 + n / 20;
    if (n > 80) continue;  // distances take quadratic time
    const RisingWater water(*domain, 5);
    for (Index rank = 0; rank < n; rank += every)
      EXPECT_LT(water.distance(-rank - instant, -rank + instant), water.bound(2 * instant)) << rank;
  }
}

TEST(FluidSurface, moves_no_faster_than_the_depth_lets_it) {
  constexpr double duration = 0.03;
  for (const char* name : {"icosphere:1", "rectangle:5x4:jittered"}) {
    const Domain domain(name);
    const RisingWater water(domain, 6);
    for (int k = 0; k < 40; ++k) {
      const double t = -domain.mesh.vertex_count * (k + 0.37) / 40;
      EXPECT_LT(water.distance(t, t + duration), water.bound(duration)) << name << ", " << t;
    }
  }
}

TEST(FluidSurface, normals_do_not_jump_where_the_line_sweeps_over_another_vertex) {
  constexpr double instant = 1e-6;
  // Beside a line at 1/n of an edge the faces of a vertex are n² times smaller than whole ones; new ones have parts of δ.
  constexpr double tolerance = 0.05;
  const Domain domain("icosphere:1");
  const RisingWater water(domain, 7);
  for (Index rank = 0; rank < domain.mesh.vertex_count; ++rank) {
    const FluidSurface before = water.at(-rank - instant), after = water.at(-rank + instant);
    std::map<Index, Vector3> normal_of;
    for (Index p = 0; p < before.vertex_count() && before.sheet(p) == Sheet::front; ++p)
      normal_of[before.ends()(0, p)] = before.normals().col(p);
    for (Index p = 0; p < after.vertex_count() && after.sheet(p) == Sheet::front; ++p)
      if (const auto found = normal_of.find(after.ends()(0, p)); found != normal_of.end()) {
        EXPECT_LT((found->second - after.normals().col(p)).norm(), tolerance) << rank;
      }
  }
}

TEST(FluidSurface, normals_on_the_line_point_out_of_the_water) {
  const Domain domain("rectangle:20x5:4x1");
  const double left = domain.surface.x.row(0).minCoeff();
  const FluidSurface water = domain.water(
      domain.sampled([&](const Vector3& x) { return 0.1 * (2.07 - x.x() + left); }), domain.constant(0));
  for (Index p = 0; p < water.vertex_count(); ++p) {
    const Vector3 normal = water.normals().col(p);
    EXPECT_GT(normal.x(), water.sheet(p) == Sheet::line ? 0.5 : -0.9);
  }
}

// ---- files, refusals -------------------------------------------------------------------------------------

TEST(FluidSurface, is_read_back_from_its_files) {
  const TemporaryFolder folder;
  const Domain domain("torus:16x12");
  const Vector depth = domain.sampled([](const Vector3& x) { return 0.1 * x.x() + 0.05 * x.z(); });
  const FluidSurface water = domain.water(depth, domain.constant(0));
  Vector values(water.vertex_count());
  water.interpolate(depth, values);
  write_obj(folder / "water.obj", water.points(), water.faces(), water.normals());
  write_ply(folder / "water.ply", water.points(), water.faces(), water.normals(), {"depth", values});
  for (const char* name : {"water.obj", "water.ply"}) {
    const std::string path = folder / name;
    const Polygons polygons = read_polygons(path);
    EXPECT_EQ(polygons.x, water.points());
    EXPECT_EQ(Faces::Map(polygons.corner.data(), 3, polygons.count()), water.faces());
    const Surface surface = load_surface(path);
    EXPECT_TRUE(surface.repairs.empty());
    EXPECT_TRUE(surface.mesh.closed());
    EXPECT_EQ(surface.mesh.vertex_count, water.vertex_count());
    EXPECT_EQ(surface.mesh.face_count(), water.face_count());
  }
}

TEST(FluidSurface, refuses_what_is_not_finite_and_keeps_what_it_had) {
  const Domain domain("icosphere:1");
  FluidSurface water(domain.mesh);
  const Vector depth = domain.sampled([](const Vector3&x) { return x.z(); }), bed_depth = domain.constant(0);
  domain.update(water, depth, bed_depth);
  const Points points = water.points();
  Vector bad = depth;
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    bad[7] = value;
    EXPECT_TRUE(contains(message_of([&] { domain.update(water, bad, bed_depth); }),
                         "m over a bed depth of 0 m is not finite"));
    EXPECT_TRUE(contains(message_of([&] { domain.update(water, depth, bad); }), "vertex 7: a depth of"));
  }
  Points x = domain.surface.x;
  x(1, 3) = std::nan("");
  EXPECT_EQ(message_of([&] { water.update(x, domain.normals, depth, bed_depth); }),
            "vertex 3: its position or normal is not finite");
  EXPECT_EQ(message_of([&] { water.update(domain.surface.x, x, depth, bed_depth); }),
            "vertex 3: its position or normal is not finite");
  EXPECT_EQ(message_of([&] { domain.update(water, depth.head(3), bed_depth); }), "3 depths for 42 vertices");
  EXPECT_EQ(water.points(), points);
}

TEST(FluidSurface, refuses_meshes_on_which_it_would_not_be_closed) {
  const Surface periodic = load_surface("rectangle:5x4:periodic");
  EXPECT_TRUE(contains(message_of([&] { FluidSurface water(periodic.mesh); }), "the mesh is periodic"));
  const Mesh pillow = make_mesh(faces_of({{0, 1, 2}, {0, 2, 1}}), 3);
  EXPECT_EQ(message_of([&] { FluidSurface water(pillow); }), "faces 0 and 1 have the same three vertices");
}

TEST(FluidSurface, options_are_described) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : describe_options<FluidSurfaceOptions>()) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"iso_level", "sheet_thickness", "line_margin", "back_sheet"}));
}

}  // namespace
}  // namespace shoal::test
