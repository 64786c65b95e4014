// dec with advection_form = momentum: what it conserves, what it keeps, and where it puts shocks and fronts.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/scenes/stoker.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/threads.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal::test {
namespace {

Configuration on(const std::string& mesh) {
  return {.mesh = mesh,
          .discretization = "dec",
          .integrator = "ssprk3",
          .advection = "vector-invariant",
          .parameters = {{"advection_form", "momentum"}}};
}

/// The staggered triangles of a mesh with displaced vertices: acute and irregular. Two rows at the walls are regular.
Surface irregular(const std::string& mesh, Index columns, double width, double amount) {
  Surface surface = load_surface(mesh);
  const double side = width / static_cast<double>(columns);
  const Vector noise = random_vector(2 * surface.x.cols(), 7);
  const double top = surface.x.row(1).maxCoeff();
  for (Index i = 0; i < surface.x.cols(); ++i) {
    auto x = surface.x.col(i);
    const double inside = std::min({x[0], width - x[0], x[1], top - x[1]});
    if (inside < 1.2 * side) continue;
    x[0] += amount * side * noise[2 * i];
    x[1] += amount * side * noise[2 * i + 1];
  }
  return surface;
}

/// Momentum over density, Σ l d n η̄ u over the sites, with the unit normals from left to right. Each edge between triangles is a
/// site.
struct MomentumSum {
  Vector weight_x, weight_y;  // [sites] l d n

  explicit MomentumSum(const Trial& trial) {
    const Mesh& mesh = trial.surface.mesh;
    const Points& centre = trial.discretization->cells().points;
    std::vector<Vector3> weights;
    for (Index e = 0; e < mesh.edge_count(); ++e) {
      if (mesh.is_wall(e)) continue;
      const Vector3 along = trial.geometry.x.col(mesh.edges(1, e)) - trial.geometry.x.col(mesh.edges(0, e)),
                    across = centre.col(mesh.edge_faces(1, e)) - centre.col(mesh.edge_faces(0, e));
      weights.push_back(along.norm() * across);  // d n: the dual edge is normal to the edge
    }
    weight_x.resize(weights.size());
    weight_y.resize(weights.size());
    for (Index s = 0; s < weight_x.size(); ++s) {
      weight_x[s] = weights[s].x();
      weight_y[s] = weights[s].y();
    }
  }
};

/// The rate of the sum of all momentum in the middle of still water of uniform depth, over that of its absolute values.
double rate_of_momentum(const std::string& form, const Surface& surface, double width, double height) {
  Configuration setup = on("");
  setup.parameters["advection_form"] = form;
  setup.surface = surface;
  setup.parameters["max_froude"] = 0.0;
  const auto inside = [=](const Vector3& x) {
    const double from_wall = std::min({x.x(), width - x.x(), x.y(), height - x.y()});
    return from_wall > 0.35 ? 1.0 : 0.0;
  };
  setup.initial.depth = [=](const Vector3& x) {
    return 1 + inside(x) * 0.7 * std::sin(17 * x.x() + 3 * x.y()) * std::cos(23 * x.y());
  };
  Trial trial(setup);
  EXPECT_EQ(trial.discretization->cells().count(), surface.mesh.face_count());
  const Points& centre = trial.discretization->cells().points;
  const MomentumSum sum(trial);
  trial.velocity() = random_vector(trial.velocity().size(), 3);
  Index s = 0;
  for (Index e = 0; e < surface.mesh.edge_count(); ++e) {
    if (surface.mesh.is_wall(e)) continue;
    trial.velocity()[s++] *=
        inside(centre.col(surface.mesh.edge_faces(0, e))) * inside(centre.col(surface.mesh.edge_faces(1, e)));
  }
  State rate = trial.zero();
  trial.discretization->add_rates(trial.state, trial.forces, Term::gravity | Term::advection, 1, rate);
  // The depth at a site is linear in the volumes as long as it is positive.
  const WaveSide wave(trial.right_side);
  const Vector deep = 100 * trial.discretization->cells().area;
  Vector depth, shallow, deeper;
  wave.site_depth(trial.volume(), depth);
  wave.site_depth(deep, shallow);
  wave.site_depth(deep + rate[trial.discretization->volume()], deeper);
  const Vector change = depth.cwiseProduct(Vector(rate[trial.discretization->velocity()])) +
                        (deeper - shallow).cwiseProduct(trial.velocity());
  return std::max(std::abs(sum.weight_x.dot(change)), std::abs(sum.weight_y.dot(change))) /
         sum.weight_x.cwiseAbs().dot(change.cwiseAbs());
}

TEST(MomentumForm, conserves_momentum_on_acute_triangles) {
  for (const double amount : {0.0, 0.12}) {
    const Surface surface = irregular("rectangle:24x20:2.4x1.8:staggered", 24, 2.4, amount);
    EXPECT_LT(rate_of_momentum("momentum", surface, 2.4, 1.8), 1e-13) << amount;
    EXPECT_GT(rate_of_momentum("vector-invariant", surface, 2.4, 1.8), 1e-4) << amount;
  }
}

TEST(MomentumForm, carries_a_uniform_velocity_unchanged_on_any_triangles_at_any_depth) {
  for (const std::string mesh :
       {"rectangle:9x8:9x8:periodic", "rectangle:9x7:9x7:structured:periodic", "rectangle:12x8:jittered"}) {
    Configuration setup = on(mesh);
    const bool walls = mesh.find("periodic") == std::string::npos;
    if (walls) setup.parameters["dual"] = "intrinsic";
    const Vector3 uniform(0.7, -1.3, 0);
    setup.initial.depth = [](const Vector3& x) { return 1 + 0.5 * std::sin(5 * x.x() + 3 * x.y()); };
    setup.initial.velocity = [=](const Vector3&) { return uniform; };
    const Trial trial(setup);
    Vector rate = Vector::Zero(trial.velocity().size());
    trial.right_side.add_velocity_rate(trial.state, Term::advection, 1, rate);
    const Cells& cells = trial.discretization->cells();
    const Mesh* own = trial.discretization->own_triangulation();
    const Mesh& m = own ? *own : trial.surface.mesh;
    Array<char> near_wall(cells.count(), 0), beside(cells.count(), 0);
    for (Index e = 0; e < m.edge_count(); ++e)
      if (m.is_wall(e)) near_wall[cells.of_element[m.edge_faces(0, e)]] = 1;
    for (Index e = 0; e < m.edge_count(); ++e) {
      if (m.is_wall(e)) continue;
      const Index a = cells.of_element[m.edge_faces(0, e)], b = cells.of_element[m.edge_faces(1, e)];
      beside[a] |= near_wall[b];
      beside[b] |= near_wall[a];
    }
    Index s = 0, inside = 0;
    for (Index e = 0; e < m.edge_count(); ++e) {
      if (m.is_wall(e)) continue;
      const Index a = cells.of_element[m.edge_faces(0, e)], b = cells.of_element[m.edge_faces(1, e)];
      if (a == b) continue;
      const double change = rate[s++];
      if (near_wall[a] || near_wall[b] || beside[a] || beside[b]) continue;
      ++inside;
      EXPECT_LT(std::abs(change), 1e-12) << mesh;
    }
    EXPECT_GT(inside, 20) << mesh;
  }
}

TEST(MomentumForm, keeps_a_uniform_flow_on_a_periodic_plane) {
  for (const std::string mesh : {"rectangle:9x8:9x8:periodic", "rectangle:9x7:9x7:structured:periodic"}) {
    Configuration setup = on(mesh);
    setup.initial.velocity = [](const Vector3&) { return Vector3(0.7, -1.3, 0); };
    Trial trial(setup);
    trial.prepare(0.5 * trial.stable_dt());
    trial.run(50);
    EXPECT_LT(trial.max_elevation(), 1e-13) << mesh;
    EXPECT_LT((trial.sample("velocity").colwise() - Vector3(0.7, -1.3, 0)).cwiseAbs().maxCoeff(), 1e-12)
        << mesh;
  }
}

struct DamResult {
  double l1, plateau, shock, smallest, mass;
};

/// A dam in the middle of 300 m × 12 m, after 6 s; the place of the shock from the water beyond the middle of the plateau.
DamResult break_dam(Index columns, double amount, double right) {
  constexpr double width = 300, left = 10, time = 6;
  const Index rows = columns * 7 / 150;
  const std::string mesh =
      "rectangle:" + std::to_string(columns) + "x" + std::to_string(rows) + ":300x12:staggered";
  Configuration setup = on(mesh);
  setup.surface = irregular(mesh, columns, width, amount);
  setup.bed_depth = [](const Vector3&) { return left; };
  setup.initial.depth = [=](const Vector3& x) { return x.x() < width / 2 ? left : right; };
  Trial trial(setup);
  const double before = trial.mass();
  const int steps = static_cast<int>(time / (0.5 * trial.stable_dt())) + 1;
  trial.prepare(time / steps);
  DamResult result = {0, 0, 0, left, 0};
  const Cells& cells = trial.discretization->cells();
  for (int step = 0; step < steps; ++step) {
    trial.run(1);
    result.smallest = std::min(result.smallest, trial.volume().cwiseQuotient(cells.area).minCoeff());
  }
  result.mass = std::abs(trial.mass() / before - 1);
  const StokerDamBreak exact(left, right, gravity);
  const double begin = exact.fan_end() * time, front = exact.shock_speed() * time,
               middle = 0.5 * (begin + front);
  double error = 0, water = 0, plateau = 0, area = 0, beyond = 0;
  for (Index i = 0; i < cells.count(); ++i) {
    const double x = cells.points(0, i) - width / 2, depth = trial.volume()[i] / cells.area[i];
    error += cells.area[i] * std::abs(depth - exact.depth(x / time));
    water += cells.area[i] * exact.depth(x / time);
    if (x > middle) beyond += cells.area[i] * (depth - right);
    if (!(x > begin + 8 && x < front - 12)) continue;
    plateau += cells.area[i] * depth;
    area += cells.area[i];
  }
  result.l1 = error / water;
  if (right == 0) return result;
  result.plateau = plateau / area / exact.middle_depth();
  result.shock = (middle + beyond / (12 * (exact.middle_depth() - right))) / front;
  return result;
}

TEST(MomentumForm, has_plateau_and_shock_of_a_dam_break) {
  for (const auto& [amount, right] : {std::pair(0.12, 5.0), {0.12, 1.0}, {0.0, 1.0}}) {
    const DamResult coarse = break_dam(100, amount, right), fine = break_dam(200, amount, right);
    EXPECT_NEAR(fine.plateau, 1, 0.004) << amount << ' ' << right;
    EXPECT_NEAR(fine.shock, 1, right == 5 ? 0.006 : 0.016) << amount << ' ' << right;
    EXPECT_GT(std::log2(coarse.l1 / fine.l1), 0.6) << amount << ' ' << right;
    EXPECT_LT(fine.mass, 1e-13);
  }
}

TEST(MomentumForm, keeps_depths_nonnegative_where_a_dam_breaks_onto_dry_land) {
  for (const double amount : {0.0, 0.12}) {
    const DamResult coarse = break_dam(75, amount, 0), fine = break_dam(150, amount, 0);
    EXPECT_GE(coarse.smallest, 0);
    EXPECT_GE(fine.smallest, 0);
    EXPECT_GT(std::log2(coarse.l1 / fine.l1), 0.5);
    EXPECT_LT(fine.mass, 1e-13);
  }
}

/// Water that sloshes in a bowl (Thacker 1981, doi:10.1017/S0022112081001882) at 0.7 m/s leaves films, which fall without bound if no
/// depth counts as dry.
TEST(MomentumForm, bounds_the_speed_of_films_that_drain) {
  const auto fastest = [](double dry_depth) {
    Configuration setup = on("rectangle:40x40:4x4");
    setup.parameters["dry_depth"] = dry_depth;
    const auto bed = [](const Vector3& x) {
      return 0.1 * (1 - std::pow(x.x() - 2, 2) - std::pow(x.y() - 2, 2));
    };
    setup.bed_depth = bed;
    setup.initial.depth = [=](const Vector3& x) {
      return std::max(0.0, bed(x) + 0.05 * (2 * (x.x() - 2) - 0.5));
    };
    Trial trial(setup);
    const double dt = 0.1 * trial.stable_dt();
    trial.prepare(dt);
    double speed = 0;
    for (double time = 0; time < 3; time += dt) {
      trial.run(1);
      speed = std::max(speed, trial.velocity().cwiseAbs().maxCoeff());
    }
    return speed;
  };
  EXPECT_LT(fastest(1e-4), 2);
  EXPECT_FALSE(fastest(0) < 10);
}

/// Water that runs into an empty valley from a head of 0.3 m leaves films on its sides, which slide down.
TEST(MomentumForm, lets_no_film_run_faster_than_a_dam_breaks) {
  Configuration setup = on("rectangle:30x10:3x1");
  const auto bed = [](const Vector3& x) { return 0.3 - 2 * std::pow(x.y() - 0.5, 2); };
  setup.bed_depth = bed;
  setup.initial.depth = [=](const Vector3& x) { return std::max(0.0, bed(x) - (x.x() > 1 ? 0.6 : 0)); };
  Trial trial(setup);
  const double dt = 0.1 * trial.stable_dt();
  trial.prepare(dt);
  for (double time = 0; time < 3; time += dt) {
    trial.run(1);
    ASSERT_LE(trial.velocity().cwiseAbs().maxCoeff(), 2 * std::sqrt(gravity * 0.3)) << time;
    ASSERT_GE(trial.volume().minCoeff(), 0) << time;
  }
}

TEST(MomentumForm, drains_land_beside_an_outflow_to_nothing_and_no_further) {
  Configuration setup = on("rectangle:20x8:2.5x1");
  setup.bed_depth = [](const Vector3& x) { return 0.1 - 2 * std::abs(x.y() - 0.5) - 0.3 * x.x(); };
  setup.initial.depth = [](const Vector3&) { return 0.1; };
  setup.boundaries = parse_boundaries("left = outflow");
  Trial trial(setup);
  const double dt = 0.3 * trial.stable_dt(), before = trial.mass();
  trial.prepare(dt);
  for (double time = 0; time < 4; time += dt) {
    trial.run(1);
    ASSERT_GE(trial.volume().minCoeff(), 0) << time;
  }
  EXPECT_LT(trial.mass(), 0.1 * before);
}

TEST(MomentumForm, has_the_same_bits_with_any_number_of_threads) {
  Configuration setup = on("icosphere:4");
  setup.rotation = {0.3, -0.4, 0.8};
  setup.initial.velocity = [](const Vector3& x) { return Vector3(0.3, -0.2, 0.5).cross(x); };
  EXPECT_EQ(state_on_threads(1, setup), state_on_threads(2, setup));
}

TEST(MomentumForm, is_refused_where_it_has_no_meaning) {
  const auto refuses = [](const std::string& integrator, const std::map<std::string, Value>& parameters) {
    Configuration setup = on("rectangle:8x6");
    setup.integrator = integrator;
    setup.parameters.insert(parameters.begin(), parameters.end());
    EXPECT_THROW(Trial{setup}, Refusal) << integrator;
  };
  refuses("ssprk3", {{"vorticity", "linear"}});
  const Catalog& all = catalog();
  const Parameters parameters(all.discretizations.find("dec").parameters, {{"advection_form", "momentum"}});
  EXPECT_NE(all.integrators.find("semi-implicit")
                .incompatibility(all.discretizations.find("dec"), parameters)
                .find("advection_form = vector-invariant"),
            std::string::npos);
}

}  // namespace
}  // namespace shoal::test
