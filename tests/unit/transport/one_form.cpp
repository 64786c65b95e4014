// Transport of one-forms, compared with invariants of pull-backs: gradients, circulations around loops, uniform flow,
// solid rotation.
#include "discretizations/common/parallel.hpp"
#include "discretizations/transport/semi_lagrangian.hpp"
#include "tests/unit/transport/domain.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace shoal {
namespace {

using test::Domain;

constexpr double round_off = 1e-12;
const Vector3 axis = Vector3(0.3, 0.5, 0.8).normalized();

Vector3 turning(const Vector3& x) {
  return axis.cross(x);
}

std::vector<SemiLagrangianOptions> linear_options() {
  return {{},
          {.trace = TraceVelocity::of_the_start},
          {.trace = TraceVelocity::of_the_middle},
          {.barycentre = false, .corrected = true, .limited = false}};
}

std::vector<SemiLagrangianOptions> all_options() {
  std::vector<SemiLagrangianOptions> options = linear_options();
  options.push_back({.barycentre = false, .corrected = true});
  return options;
}

/// A disk of radius 1 in rings of 6, 12, … triangles' edges.
Surface disk(int rings) {
  const auto vertex = [](int ring, int place) {
    return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + place % (6 * ring);
  };
  Points x(3, 1 + 3 * rings * (rings + 1));
  std::vector<std::array<Index, 3>> faces;
  x.col(0).setZero();
  for (int r = 1; r <= rings; ++r)
    for (int side = 0; side < 6; ++side)
      for (int i = 0; i < r; ++i) {
        const int outer = side * r + i, inner = side * (r - 1) + i;
        const double angle = 2 * std::numbers::pi * outer / (6 * r);
        x.col(vertex(r, outer)) = r * Vector3(std::cos(angle), std::sin(angle), 0) / rings;
        faces.push_back({vertex(r, outer), vertex(r, outer + 1), vertex(r - 1, inner)});
        if (i > 0) faces.push_back({vertex(r, outer), vertex(r - 1, inner), vertex(r - 1, inner - 1)});
      }
  Faces all(3, static_cast<Index>(faces.size()));
  for (Index k = 0; k < all.cols(); ++k)
    for (int c = 0; c < 3; ++c) all(c, k) = faces[static_cast<std::size_t>(k)][static_cast<std::size_t>(c)];
  return make_surface("disk", "rings", all, x);
}

/// A transport and the additional input of its circulations.
struct Transported {
  Transported(const Domain& domain, const SemiLagrangianOptions& options)
      : transport(domain.surface.mesh, options),
        frames(domain.surface.mesh),
        fans(domain.surface.mesh, options.weight),
        circulations(domain.surface.mesh, frames, fans) {
    transport.refresh(domain.geometry);
    frames.refresh(domain.geometry);
    fans.refresh(domain.geometry);
  }
  Vector along_edges(const Vector& field) const {
    Vector result;
    circulations.from_vectors(field, result);
    return result;
  }
  SemiLagrangian transport;
  TangentFrames frames;
  Flattening fans;
  Circulations circulations;
};

bool touches_wall(const Mesh& mesh, Index face) {
  return mesh.is_wall(mesh.face_edges(0, face)) || mesh.is_wall(mesh.face_edges(1, face)) ||
         mesh.is_wall(mesh.face_edges(2, face));
}

/// Whether no neighbour of the triangle at a wall is free of walls, as in corners: none tells it the vorticity.
bool is_in_a_corner(const Mesh& mesh, Index edge) {
  const Index k = mesh.edge_faces(0, edge);
  for (int c = 0; c < 3; ++c) {
    const Index e = mesh.face_edges(c, k);
    const Index other = mesh.edge_faces(mesh.edge_faces(0, e) == k ? 1 : 0, e);
    if (other != Mesh::none && !touches_wall(mesh, other)) return false;
  }
  return mesh.is_wall(edge);
}

TEST(Circulations, are_exact_for_uniform_vectors_and_solid_rotation_in_a_plane) {
  for (const char* mesh : {"rectangle:9x7", "rectangle:9x7:jittered"}) {
    const Domain domain(mesh);
    const Transported transported(domain, {});
    const auto field = [](const Vector3& x) { return Vector3(0.3 - 2 * x.y(), 0.2 + 2 * x.x(), 0); };
    const Vector rates = domain.project(field), along = transported.along_edges(rates);
    for (Index e = 0; e < along.size(); ++e) {
      const Vector3 edge = domain.geometry.edge_vector(domain.surface.mesh, e);
      const Vector3 middle = domain.geometry.edge_middle(domain.surface.mesh, e, 0);
      if (is_in_a_corner(domain.surface.mesh, e)) continue;
      EXPECT_NEAR(along[e], field(middle).dot(edge), round_off) << mesh << ", edge " << e;
    }
  }
}

TEST(Circulations, of_gradients_are_differences) {
  for (const char* mesh : {"torus:16x12", "rectangle:12x8:jittered", "rectangle:12x8:periodic"}) {
    const Domain domain(mesh);
    const Transported transported(domain, {});
    const Vector potential = test::random_vector(domain.surface.mesh.vertex_count, 1);
    const Vector along = transported.along_edges(domain.gradient(potential));
    for (Index e = 0; e < along.size(); ++e)
      EXPECT_NEAR(along[e],
                  potential[domain.surface.mesh.edges(1, e)] - potential[domain.surface.mesh.edges(0, e)],
                  round_off);
  }
}

/// The largest difference between both triangles along an edge: 0 for gradients.
double jump(const Domain& domain, const Vector& field) {
  const Mesh& mesh = domain.surface.mesh;
  double max_error = 0;
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (mesh.is_wall(e)) continue;
    const Vector3 left = domain.velocity(field, mesh.edge_faces(0, e)),
                  right = domain.velocity(field, mesh.edge_faces(1, e));
    max_error = std::max(max_error, std::abs((left - right).dot(domain.geometry.edge_vector(mesh, e))));
  }
  return max_error;
}

// The pull-back of dφ is d of φ at the ends of the traces, as the transport of scalars has it where there are no walls;
// along those the two take different velocities.
TEST(OneFormTransport, makes_gradients_of_gradients) {
  for (const char* mesh : {"icosphere:3", "torus:24x16", "ellipsoid:3", "rectangle:24x16:jittered",
                           "rectangle:24x16:periodic"}) {
    const Domain domain(mesh);
    const Mesh& of = domain.surface.mesh;
    const double edge = domain.geometry.edge_length.mean();
    const Vector potential = test::random_vector(of.vertex_count, 2);
    Vector stream(of.vertex_count);
    for (Index i = 0; i < stream.size(); ++i) stream[i] = std::sin(3 * axis.dot(domain.geometry.x.col(i)));
    const Vector wind = domain.project(turning) + domain.gradient(stream);
    for (const double courant : {0.2, 3.0})
      for (const SemiLagrangianOptions& options : linear_options()) {
        Transported transported(domain, options);
        Vector field = domain.gradient(potential), scalar = potential;
        for (int step = 0; step < 3; ++step) {
          transported.transport.advect_one_form(wind, courant * edge / 3, false, field);
          transported.transport.advect_scalar(wind, courant * edge / 3, scalar);
        }
        EXPECT_LT(jump(domain, field), 1e-9) << mesh << ", Courant number " << courant;
        if (!of.closed()) continue;
        const Vector expected = domain.gradient(scalar);
        EXPECT_LT((field - expected).lpNorm<Eigen::Infinity>(), 1e-9 * expected.lpNorm<Eigen::Infinity>())
            << mesh << ", Courant number " << courant;
      }
  }
}

// A closed form that is no gradient: around a period its circulation is that of the uniform part, whatever flow carries
// it.
TEST(OneFormTransport, keeps_circulations_of_closed_forms_around_loops) {
  const Domain domain("rectangle:16x8:2x1:structured:periodic");
  const Mesh& mesh = domain.surface.mesh;
  const Vector wind = domain.project([](const Vector3& x) {
    const double k = 2 * std::numbers::pi;
    return Vector3(0.4 + 0.3 * std::sin(k * x.y()), 0.2 * std::cos(0.5 * k * x.x()), 0);
  });
  Vector along_x = Vector::Zero(mesh.edge_count());  // along the row y = ½
  for (Index e = 0; e < along_x.size(); ++e) {
    const Vector3 edge = domain.geometry.edge_vector(mesh, e), tail = domain.geometry.x.col(mesh.edges(0, e));
    if (std::abs(edge.y()) < round_off && std::abs(tail.y() - 0.5) < round_off)
      along_x[e] = edge.x() > 0 ? 1 : -1;
  }
  ASSERT_EQ(along_x.cwiseAbs().sum(), 16);
  const Vector start = domain.project([](const Vector3&) { return Vector3(0.7, -0.3, 0); }) +
                       domain.gradient(test::random_vector(mesh.vertex_count, 3));
  for (const SemiLagrangianOptions& options : linear_options()) {
    Transported transported(domain, options);
    Vector field = start;
    for (int step = 0; step < 10; ++step) transported.transport.advect_one_form(wind, 0.2, false, field);
    EXPECT_GT((field - start).norm(), 0.1 * start.norm());
    EXPECT_NEAR(along_x.dot(transported.along_edges(field)), 0.7 * 2, 1e-11);
  }
}

TEST(OneFormTransport, keeps_a_uniform_flow_of_the_plane) {
  const Domain domain("rectangle:12x10:jittered:periodic");
  const Vector uniform = domain.project([](const Vector3&) { return Vector3(0.3, 0.2, 0); });
  for (const SemiLagrangianOptions& options : all_options()) {
    Transported transported(domain, options);
    Vector field = uniform;
    for (int step = 0; step < 5; ++step) transported.transport.advect_one_form(field, 0.4, true, field);
    EXPECT_LT((field - uniform).lpNorm<Eigen::Infinity>(), 1e-10);
  }
}

/// Of Ω × x carried by itself for a turn: ‖w − Ω × x‖ / ‖Ω × x‖, and the energy left.
std::pair<double, double> after_a_turn(const Domain& domain, const Vector3& about, int steps,
                                       const SemiLagrangianOptions& options) {
  const Vector flow = domain.project([&](const Vector3& x) { return Vector3(about.cross(x)); });
  Transported transported(domain, options);
  Vector field = flow;
  for (int step = 0; step < steps; ++step)
    transported.transport.advect_one_form(flow, 2 * std::numbers::pi / steps, false, field);
  const Vector difference = field - flow;
  return {std::sqrt(domain.energy(difference) / domain.energy(flow)),
          domain.energy(field) / domain.energy(flow)};
}

// L_v v♭ = 0: no holonomy, unlike the vector that is carried parallel along circles.
TEST(OneFormTransport, keeps_solid_rotation_of_a_sphere) {
  std::vector<double> edge, corrected, once, gained;
  for (const int level : {3, 4, 5}) {
    const Domain domain("icosphere:" + std::to_string(level));
    const int steps = 42 << (level - 3);  // an edge in a step
    edge.push_back(domain.geometry.edge_length.mean());
    const auto [error, energy] = after_a_turn(domain, axis, steps, {.barycentre = false, .corrected = true});
    corrected.push_back(error);
    gained.push_back(std::abs(energy - 1));
    once.push_back(after_a_turn(domain, axis, steps, {.trace = TraceVelocity::of_the_middle}).first);
  }
  EXPECT_LT(gained.back(), 0.002);
  EXPECT_GT(test::slope(edge, gained), 1.8);
  EXPECT_LT(corrected.back(), 0.004);
  EXPECT_GT(test::slope(edge, corrected), 1.2);
  EXPECT_LT(once.back(), 0.03);
  EXPECT_GT(test::slope(edge, once), 0.9);
}

TEST(OneFormTransport, keeps_solid_rotation_of_a_disk_with_a_wall) {
  std::vector<double> edge, error;
  for (const int rings : {8, 16, 32}) {
    const Domain domain(disk(rings));
    edge.push_back(1.0 / rings);
    error.push_back(
        after_a_turn(domain, Vector3::UnitZ(), 6 * rings, {.barycentre = false, .corrected = true}).first);
  }
  EXPECT_LT(error.back(), 0.06);
  EXPECT_GT(test::slope(edge, error), 1.2);
}

TEST(OneFormTransport, is_of_second_order_in_time) {
  const Domain domain("icosphere:5");
  std::vector<double> dt, error;
  for (const int steps : {8, 12, 16}) {
    dt.push_back(2 * std::numbers::pi / steps);
    error.push_back(after_a_turn(domain, axis, steps, {.barycentre = false, .corrected = true}).first);
  }
  EXPECT_GT(test::slope(dt, error), 1.8);
}

// ∂_t v♭ = d(½|v|²) if L_v v♭ = 0: the effect of the centrifugal force on solid rotation.
TEST(OneFormTransport, adds_the_head_of_its_own_flow) {
  std::vector<double> edge, error;
  for (const int level : {3, 4, 5}) {
    const Domain domain("icosphere:" + std::to_string(level));
    const double dt = domain.geometry.edge_length.mean();
    const Vector flow = domain.project(turning);
    const Vector force = domain.project([](const Vector3& x) { return Vector3(-axis.cross(axis.cross(x))); });
    Transported transported(domain, {.barycentre = false, .corrected = true});
    Vector with = flow, without = flow;
    transported.transport.advect_one_form(flow, dt, true, with);
    transported.transport.advect_one_form(flow, dt, false, without);
    const Vector difference = (with - without) / dt - force;
    edge.push_back(dt);
    error.push_back(std::sqrt(domain.energy(difference) / domain.energy(force)));
  }
  EXPECT_LT(error.back(), 0.03);
  EXPECT_GT(test::slope(edge, error), 0.8);  // of a gradient of values at vertices
}

// In a uniform flow a pull-back changes no vector, so the limiter keeps vectors within the range of the field.
TEST(OneFormTransport, limited_makes_no_vector_longer_in_a_uniform_wind) {
  const Domain domain("rectangle:16x12:jittered:periodic");
  const Vector wind = domain.project([](const Vector3&) { return Vector3(0.3, 0.2, 0); });
  Vector field = test::random_vector(wind.size(), 4);
  const auto longest = [&] {
    double max_speed = 0;
    for (Index k = 0; k < domain.surface.mesh.face_count(); ++k)
      max_speed = std::max(max_speed, domain.velocity(field, k).norm());
    return max_speed;
  };
  const double before = longest();
  Transported transported(domain, {.barycentre = false, .corrected = true});
  for (int step = 0; step < 20; ++step) {
    transported.transport.advect_one_form(wind, 0.05, false, field);
    EXPECT_LE(longest(), before * (1 + round_off));
  }
}

TEST(OneFormTransport, limited_does_not_grow_at_small_courant_numbers) {
  const Domain domain("icosphere:3");
  const Vector wind = domain.project(turning);
  Vector field = test::random_vector(wind.size(), 5);
  const double before = domain.energy(field);
  Transported transported(domain, {.barycentre = false, .corrected = true});
  for (int step = 0; step < 2000; ++step) transported.transport.advect_one_form(wind, 0.015, false, field);
  EXPECT_LT(domain.energy(field), 0.1 * before);
}

TEST(OneFormTransport, of_a_flow_beyond_all_bounds_is_not_a_number) {
  const Domain domain("icosphere:1");
  const Vector flow = 1e7 * domain.project(turning);
  for (const SemiLagrangianOptions& options : all_options()) {
    Transported transported(domain, options);
    Vector field = flow;
    transported.transport.advect_one_form(flow, 1, true, field);
    EXPECT_FALSE(field.allFinite());
  }
}

TEST(OneFormTransport, gives_the_same_bits_on_any_number_of_threads) {
  const Domain domain("icosphere:4");
  const Vector wind = domain.project(turning), start = test::random_vector(wind.size(), 6);
  for (const SemiLagrangianOptions& options : all_options()) {
    Transported transported(domain, options);
    Vector one = start, two = start;
    for (Vector* field : {&one, &two}) {
      set_thread_count(field == &one ? 1 : 2);
      transported.transport.advect_one_form(wind, 0.1, true, *field);
    }
    set_thread_count(1);
    EXPECT_EQ((one - two).cwiseAbs().maxCoeff(), 0);
  }
}

}  // namespace
}  // namespace shoal
