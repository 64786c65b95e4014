// Frames, flattening, traces and transport of tangent vectors, compared with known results on planes, developable
// surfaces and spheres.
#include "discretizations/transport/semi_lagrangian.hpp"

#include "discretizations/common/parallel.hpp"
#include "tests/unit/transport/domain.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace shoal {
namespace {

constexpr double round_off = 1e-12;

using test::Domain;

std::vector<SemiLagrangianOptions> all_options() {
  return {{},
          {.trace = TraceVelocity::of_the_start},
          {.trace = TraceVelocity::of_the_middle},
          {.weight = FanWeight::area},
          {.barycentre = false},
          {.barycentre = false, .corrected = true},
          {.corrected = true}};
}

/// How far from a wall, where the flow is bent, a transport over a distance may feel it: the way and two
/// triangles, three times if it is corrected.
double reach_of_walls(const SemiLagrangianOptions& options, double way, double edge) {
  return (options.corrected ? 3 : 1) * (way + 2 * edge);
}

TEST(TangentFrames, hold_the_vectors_of_the_embedding) {
  const Domain domain("torus:8x6");
  TangentFrames frames(domain.surface.mesh);
  frames.refresh(domain.geometry);
  const Vector flow = test::random_vector(2 * domain.surface.mesh.face_count(), 1);
  for (Index k = 0; k < domain.surface.mesh.face_count(); ++k) {
    const BarycentricRates rates{flow[k], flow[domain.surface.mesh.face_count() + k]};
    const Tangent z = frames[k].tangent(rates);
    EXPECT_NEAR(std::abs(z), domain.velocity(flow, k).norm(), round_off);
    EXPECT_NEAR(frames[k].rates(z).first, rates.first, round_off);
    EXPECT_NEAR(frames[k].rates(z).second, rates.second, round_off);
  }
}

TEST(TangentFrames, turn_about_edges_as_rotations_of_space_do) {
  const Domain domain("torus:8x6");
  const Mesh& mesh = domain.surface.mesh;
  TangentFrames frames(mesh);
  frames.refresh(domain.geometry);
  const Vector flow = test::random_vector(2 * mesh.face_count(), 2);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Crossing& crossing = frames[k].crossing[c];
      const Tangent z = frames.turn(frames[k], c) * frames[k].tangent({flow[k], flow[mesh.face_count() + k]});
      const BarycentricRates there = frames[crossing.face].rates(z);
      Vector beyond = Vector::Zero(flow.size());
      beyond[crossing.face] = there.first;
      beyond[mesh.face_count() + crossing.face] = there.second;
      const auto turn =
          Eigen::Quaterniond::FromTwoVectors(Vector3(domain.geometry.face_normal.col(k)),
                                             Vector3(domain.geometry.face_normal.col(crossing.face)));
      EXPECT_LT((turn * domain.velocity(flow, k) - domain.velocity(beyond, crossing.face)).norm(), round_off);
    }
}

TEST(Trace, around_a_circle_of_a_sphere_turns_a_vector_by_the_enclosed_solid_angle) {
  // A circle at the angle θ from the axis encloses 2π(1 − cos θ).
  const Vector3 axis = Vector3(0.3, 0.5, 0.8).normalized();
  std::vector<double> edge, error;
  for (const char* mesh : {"icosphere:3", "icosphere:4", "icosphere:5", "icosphere:6"}) {
    const Domain domain(mesh);
    TangentFrames frames(domain.surface.mesh);
    frames.refresh(domain.geometry);
    const Index faces = domain.surface.mesh.face_count();
    const Vector flow = domain.project([&](const Vector3& x) { return axis.cross(x); });
    double sum = 0;
    int traces = 0;
    for (Index k = 0; k < faces; k += faces / 320) {
      const Vector3 x = domain.geometry.centroid(domain.surface.mesh, k).normalized();
      if (axis.dot(x) < 0.3 || axis.dot(x) > 0.8) continue;  // away from the axis and the equator
      const auto rates = [&](Index face) { return BarycentricRates{flow[face], flow[faces + face]}; };
      const TracedPoint end = trace_back<TraceVelocity::of_each_triangle>(
          frames, k, {1.0 / 3, 1.0 / 3, 1.0 / 3}, rates(k), 2 * std::numbers::pi, rates);
      // The trace ends near its start but not at it: both directions compared with that of the flow.
      const Tangent here = frames[k].tangent(rates(k));
      const Tangent there = end.carried(frames[end.face].tangent(rates(end.face)));
      // Against the flow, around the axis clockwise, parallel transport turns a vector against the flow's
      // own.
      const double solid_angle = 2 * std::numbers::pi * (1 - axis.dot(x));
      sum += std::abs(std::remainder(std::arg(there / here) - solid_angle, 2 * std::numbers::pi));
      ++traces;
    }
    ASSERT_GT(traces, 30);
    edge.push_back(domain.geometry.edge_length.mean());
    error.push_back(sum / traces);
  }
  EXPECT_GT(test::slope(edge, error), 0.9);
}

TEST(Transport, keeps_a_uniform_field_of_the_plane) {
  const Domain domain("rectangle:24x24");
  const Index faces = domain.surface.mesh.face_count();
  const Vector3 wind(0.3, 0.2, 0);
  const Vector uniform = domain.project([&](const Vector3&) { return wind; });
  for (const SemiLagrangianOptions& options : all_options()) {
    SemiLagrangian transport(domain.surface.mesh, options);
    transport.refresh(domain.geometry);
    Vector field = uniform;
    transport.advect(uniform, 0.1, field);
    int inside = 0;
    for (Index k = 0; k < faces; ++k) {
      const Vector3 x = domain.geometry.centroid(domain.surface.mesh, k);
      const double margin = reach_of_walls(options, 0.1 * wind.norm(), 1.0 / 24);
      if (x.x() < margin || x.y() < margin || x.x() > 1 - margin || x.y() > 1 - margin) continue;
      ++inside;
      EXPECT_LT((domain.velocity(field, k) - wind).norm(), round_off) << k;
    }
    EXPECT_GT(inside, 10);
  }
}

TEST(Transport, sees_no_difference_between_a_plane_and_what_it_is_bent_to) {
  // Rolled up along its rows of edges, the sheet keeps all lengths, and all fans keep their 2π.
  Domain flat("rectangle:16x8:1x0.5:structured"), rolled("rectangle:16x8:1x0.5:structured");
  Points x = rolled.surface.x;
  const double step = 1.0 / 16, bend = 0.3;  // between columns, rad
  for (Index i = 0; i < x.cols(); ++i) {
    const int column = static_cast<int>(std::lround(flat.surface.x(0, i) / step));
    Vector3 position(0, flat.surface.x(1, i), 0);
    for (int j = 0; j < column; ++j) position += step * Vector3(std::cos(bend * j), 0, std::sin(bend * j));
    x.col(i) = position;
  }
  rolled.set_positions(x);
  const Vector advecting_velocity = 0.1 * test::random_vector(2 * flat.surface.mesh.face_count(), 3);
  const Vector field = test::random_vector(advecting_velocity.size(), 4);
  for (const SemiLagrangianOptions& options : all_options()) {
    Vector on_flat = field, on_rolled = field;
    SemiLagrangian transport(flat.surface.mesh, options);
    transport.refresh(flat.geometry);
    transport.advect(advecting_velocity, 0.5, on_flat);
    transport.refresh(rolled.geometry);
    transport.advect(advecting_velocity, 0.5, on_rolled);
    EXPECT_LT((on_flat - on_rolled).lpNorm<Eigen::Infinity>(), 1e-10);
  }
}

TEST(Flattening, finds_the_flow_at_a_wall_to_second_order) {
  // The eddies of a box. Their mirror image beyond a wall is their continuation.
  const VectorField eddies = [](const Vector3& x) {
    const double k = std::numbers::pi;
    return Vector3(std::sin(k * x.x()) * std::cos(k * x.y()), -std::cos(k * x.x()) * std::sin(k * x.y()), 0);
  };
  std::vector<double> edge, error;
  for (const int n : {8, 16, 32, 64}) {
    const Domain domain("rectangle:" + std::to_string(n) + "x" + std::to_string(n));
    const Mesh& mesh = domain.surface.mesh;
    TangentFrames frames(mesh);
    Flattening flattening(mesh, FanWeight::angle);
    frames.refresh(domain.geometry);
    flattening.refresh(domain.geometry);
    Array<CornerRates> at_corners;
    flattening.interpolate(domain.project(eddies), at_corners);
    double worst = 0;
    for (Index c = 0; c < 3 * mesh.face_count(); ++c) {
      const Vector3 x = domain.geometry.x.col(mesh.faces(c % 3, c / 3));
      const bool on_wall = std::min({x.x(), x.y(), 1 - x.x(), 1 - x.y()}) < 1e-12;
      if (!on_wall) continue;
      Vector there = Vector::Zero(2 * mesh.face_count());
      const BarycentricRates rates = at_corners[c].rates(c % 3);
      there[c / 3] = rates.first;
      there[mesh.face_count() + c / 3] = rates.second;
      worst = std::max(worst, (domain.velocity(there, c / 3) - eddies(x)).norm());
    }
    edge.push_back(1.0 / n);
    error.push_back(worst);
  }
  EXPECT_LT(error.back(), 0.01);
  EXPECT_GT(test::slope(edge, error), 1.8);
}

// Also thin triangles with corners of 0.3°, whose determinants lose five digits.
TEST(Flattening, gives_what_its_printed_formulas_give_with_the_functions_of_the_c_library) {
  constexpr double tolerance = 1e-10;
  for (const std::string name : {"torus:8x6", "blob:3:slivers", "icosphere:2"})
    for (const FanWeight weight : {FanWeight::angle, FanWeight::area}) {
      const Domain domain(name);
      const Mesh& mesh = domain.surface.mesh;
      Flattening flattening(mesh, weight);
      flattening.refresh(domain.geometry);
      const Vector flow = test::random_vector(2 * mesh.face_count(), 7);
      Array<CornerRates> at_corners;
      flattening.interpolate(flow, at_corners);
      const auto length = [&](Index corner, int which) {  // of the edge to the next corner, or to the last
        const Vector3 from = domain.geometry.x.col(mesh.faces(corner % 3, corner / 3)),
                      to = domain.geometry.x.col(mesh.faces((corner % 3 + which) % 3, corner / 3));
        return (to - from).norm();
      };
      const auto angle = [&](Index corner) {
        return std::atan2(1.0, domain.geometry.cotangent(corner % 3, corner / 3));
      };
      for (Index i = 0; i < mesh.vertex_count; ++i) {
        double whole = 0, weights = 0;
        for (Index j = mesh.ring_start[i]; j < mesh.ring_start[i + 1]; ++j)
          whole += angle(mesh.ring_corner[j]);
        std::vector<std::pair<Index, double>>
            fan;  // corners counterclockwise, and the angles where they begin
        double reached = 0;
        for (Index corner = mesh.ring_corner[mesh.ring_start[i]];
             fan.size() < static_cast<std::size_t>(mesh.ring_start[i + 1] - mesh.ring_start[i]);) {
          fan.emplace_back(corner, reached);
          reached += 2 * std::numbers::pi * angle(corner) / whole;
          const Index face = corner / 3, edge = mesh.face_edges((corner % 3 + 1) % 3, face);
          const Index other =
              mesh.edge_faces(0, edge) == face ? mesh.edge_faces(1, edge) : mesh.edge_faces(0, edge);
          corner = 3 * other;
          while (mesh.faces(corner % 3, other) != i) ++corner;
        }
        const auto spokes = [&](std::size_t k) {
          const Index corner = fan[k].first;
          const double next = k + 1 < fan.size() ? fan[k + 1].second : reached;
          return std::pair(std::polar(length(corner, 1), fan[k].second), std::polar(length(corner, 2), next));
        };
        Tangent mean = 0;
        for (std::size_t k = 0; k < fan.size(); ++k) {
          const Index corner = fan[k].first, face = corner / 3;
          const BarycentricRates rates{flow[face], flow[mesh.face_count() + face]};
          const auto [u, next] = spokes(k);
          const double w = weight == FanWeight::angle ? angle(corner) : domain.geometry.face_area[face];
          const auto at = [&](Index c) { return rates[static_cast<int>((corner + c) % 3)]; };
          mean += w * (at(1) * u + at(2) * next);
          weights += w;
        }
        mean /= weights;
        for (std::size_t k = 0; k < fan.size(); ++k) {
          const auto [u, next] = spokes(k);
          const CornerRates& rates = at_corners[fan[k].first];
          EXPECT_LT(std::abs(rates.next * u + rates.last * next - mean), tolerance * (1 + std::abs(mean)))
              << name;
        }
      }
    }
}

TEST(Transport, is_mirrored_by_a_wall) {
  const Domain domain("rectangle:4x4");
  TangentFrames frames(domain.surface.mesh);
  frames.refresh(domain.geometry);
  const Vector3 wind(1, 0.25, 0);
  const Vector flow = domain.project([&](const Vector3&) { return wind; });
  const Index faces = domain.surface.mesh.face_count();
  const auto rates = [&](Index face) { return BarycentricRates{flow[face], flow[faces + face]}; };
  for (Index k = 0; k < faces; ++k) {
    const Vector3 start = domain.geometry.centroid(domain.surface.mesh, k);
    const TracedPoint end =
        trace_back<TraceVelocity::of_the_start>(frames, k, {1.0 / 3, 1.0 / 3, 1.0 / 3}, rates(k), 0.9, rates);
    Vector3 position = Vector3::Zero();
    for (int c = 0; c < 3; ++c)
      position += end.weight[static_cast<std::size_t>(c)] *
                  Vector3(domain.geometry.x.col(domain.surface.mesh.faces(c, end.face)));
    const Vector3 straight = start - 0.9 * wind;
    const auto folded = [](double x) { return x < 0 ? -x : x; };
    EXPECT_NEAR(position.x(), folded(straight.x()), round_off);
    EXPECT_NEAR(position.y(), folded(straight.y()), round_off);
    EXPECT_EQ(end.mirrored, (straight.x() < 0) != (straight.y() < 0));
    // A vector seen from its image: components across the walls met change their sign.
    const Tangent carried = end.carried(frames[end.face].tangent(rates(end.face)));
    Vector back = Vector::Zero(2 * faces);
    back[k] = frames[k].rates(carried).first;
    back[faces + k] = frames[k].rates(carried).second;
    const Vector3 expected(straight.x() < 0 ? -wind.x() : wind.x(), straight.y() < 0 ? -wind.y() : wind.y(),
                           0);
    EXPECT_LT((domain.velocity(back, k) - expected).norm(), round_off);
  }
}

TEST(Transport, of_a_flow_beyond_all_bounds_is_not_a_number) {
  const Domain domain("icosphere:1");
  const Vector flow =
      domain.project([](const Vector3& x) { return Vector3(1e7 * Vector3::UnitZ().cross(x)); });
  for (const SemiLagrangianOptions& options : all_options()) {
    SemiLagrangian transport(domain.surface.mesh, options);
    transport.refresh(domain.geometry);
    Vector field = flow;
    transport.advect(flow, 1, field);
    EXPECT_FALSE(field.allFinite());
  }
}

TEST(ScalarTransport, keeps_a_constant) {
  const Domain domain("torus:16x12");
  const Vector advecting_velocity = 5 * test::random_vector(2 * domain.surface.mesh.face_count(), 7);
  for (const SemiLagrangianOptions& options : all_options()) {
    Vector field = Vector::Constant(domain.surface.mesh.vertex_count, 0.3);
    SemiLagrangian transport(domain.surface.mesh, options);
    transport.refresh(domain.geometry);
    for (int step = 0; step < 5; ++step) transport.advect_scalar(advecting_velocity, 0.1, field);
    EXPECT_EQ((field.array() - 0.3).abs().maxCoeff(), 0);
  }
}

TEST(ScalarTransport, shifts_a_linear_function_of_the_plane) {
  const Domain domain("rectangle:48x48");
  const Vector3 wind(0.3, 0.2, 0), slope(0.7, -1.1, 0);
  const Vector advecting_velocity = domain.project([&](const Vector3&) { return wind; });
  for (const SemiLagrangianOptions& options : all_options()) {
    Vector field = (slope.transpose() * domain.geometry.x).transpose();
    SemiLagrangian transport(domain.surface.mesh, options);
    transport.refresh(domain.geometry);
    transport.advect_scalar(advecting_velocity, 0.3, field);
    int inside = 0;
    for (Index i = 0; i < field.size(); ++i) {
      const Vector3 x = domain.geometry.x.col(i), from = x - 0.3 * wind;
      const double margin = reach_of_walls(options, 0.3 * wind.norm(), 1.0 / 48);
      if (x.x() < margin || x.y() < margin || x.x() > 1 - margin || x.y() > 1 - margin) continue;
      ++inside;
      EXPECT_NEAR(field[i], slope.dot(from), round_off);
    }
    EXPECT_GT(inside, 10);
  }
}

TEST(ScalarTransport, stays_in_the_range_of_its_field) {
  for (const char* mesh : {"blob:3:slivers", "rectangle:12x8:jittered"}) {
    const Domain domain(mesh);
    const Vector advecting_velocity = 20 * test::random_vector(2 * domain.surface.mesh.face_count(), 8);
    const Vector before = test::random_vector(domain.surface.mesh.vertex_count, 9);
    for (const SemiLagrangianOptions& options : all_options()) {
      Vector field = before;
      SemiLagrangian transport(domain.surface.mesh, options);
      transport.refresh(domain.geometry);
      for (int step = 0; step < 20; ++step) transport.advect_scalar(advecting_velocity, 0.01, field);
      EXPECT_LE(field.maxCoeff(), before.maxCoeff() + round_off);
      EXPECT_GE(field.minCoeff(), before.minCoeff() - round_off);
      EXPECT_GT((field - before).norm(), 0.1);
    }
  }
}

TEST(ScalarTransport, carries_a_bump_around_the_sphere) {
  const Vector3 axis = Vector3(0.3, 0.5, 0.8).normalized(), center = Vector3(1, -0.2, 0.1).normalized();
  const auto error_after_a_turn = [&](int level, bool corrected) {
    const Domain domain("icosphere:" + std::to_string(level));
    SemiLagrangian transport(domain.surface.mesh, {.barycentre = !corrected, .corrected = corrected});
    transport.refresh(domain.geometry);
    const Vector advecting_velocity = domain.project([&](const Vector3& x) { return axis.cross(x); });
    Vector start(domain.surface.mesh.vertex_count);
    for (Index i = 0; i < start.size(); ++i)
      start[i] = std::exp(8 * (center.dot(domain.geometry.x.col(i)) - 1));
    Vector field = start;
    const int steps = 24 << (level - 3);  // about two edges in a step
    for (int step = 0; step < steps; ++step)
      transport.advect_scalar(advecting_velocity, 2 * std::numbers::pi / steps, field);
    return (field - start).norm() / start.norm();
  };
  std::vector<double> size, first, corrected;
  for (const int level : {3, 4, 5}) {
    size.push_back(1.0 / (1 << level));
    first.push_back(error_after_a_turn(level, false));
    corrected.push_back(error_after_a_turn(level, true));
  }
  EXPECT_GT(test::slope(size, first), 0.6);
  EXPECT_GT(test::slope(size, corrected), 1.4);
  EXPECT_LT(corrected[2], 0.2 * first[2]);
}

TEST(Transport, gives_the_same_bits_on_any_number_of_threads) {
  const Domain domain("icosphere:4");
  const Vector advecting_velocity = test::random_vector(2 * domain.surface.mesh.face_count(), 5);
  for (const SemiLagrangianOptions& options : all_options()) {
    Vector one = advecting_velocity, two = advecting_velocity;
    SemiLagrangian transport(domain.surface.mesh, options);
    for (Vector* field : {&one, &two}) {
      set_thread_count(field == &one ? 1 : 2);
      transport.refresh(domain.geometry);
      transport.advect(advecting_velocity, 0.1, *field);
    }
    Vector scalar_one = advecting_velocity.head(domain.surface.mesh.vertex_count), scalar_two = scalar_one;
    for (Vector* field : {&scalar_one, &scalar_two}) {
      set_thread_count(field == &scalar_one ? 1 : 2);
      transport.advect_scalar(advecting_velocity, 0.1, *field);
    }
    set_thread_count(1);
    EXPECT_EQ((scalar_one - scalar_two).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ((one - two).cwiseAbs().maxCoeff(), 0);
  }
}

}  // namespace
}  // namespace shoal
