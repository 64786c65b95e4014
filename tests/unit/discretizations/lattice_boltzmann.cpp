// lattice-boltzmann: equilibria, waves, viscosity, walls and forces against the theory of grid.md.
#include "discretizations/grid/lattice_boltzmann.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <numbers>

namespace shoal::test {
namespace {

constexpr double pi = std::numbers::pi;

Configuration on(const std::string& mesh, std::map<std::string, Value> parameters = {}) {
  return {.mesh = mesh,
          .discretization = "lattice-boltzmann",
          .integrator = "own",
          .parameters = std::move(parameters)};
}

/// Δt at which gη/e² = `ratio`, for cells of 1 m and a depth of 1 m.
double step_at(double ratio) {
  return std::sqrt(ratio / gravity);
}
double viscosity(double tau, double dt) {
  return (tau - 0.5) / (3 * dt);
}

/// Σ over the cells of a component of q, or of the elevation, times cos k·x + i sin k·x at their centres.
std::complex<double> part(const Trial& trial, VectorIn values, const Vector3& k) {
  const Cells& cells = trial.discretization->cells();
  std::complex<double> sum = 0;
  for (Index c = 0; c < cells.count(); ++c) sum += values[c] * std::polar(1.0, k.dot(cells.points.col(c)));
  return sum;
}
Vector flow(const Trial& trial, int component) {
  const Index cells = trial.discretization->cells().count();
  return trial.velocity().segment(component * cells, cells);
}

TEST(LatticeBoltzmann, equilibria_are_those_of_shallow_water) {
  const Vector random = random_vector(80, 1);
  for (int i = 0; i < 80; i += 4) {
    const double depth = 1.5 + random[i], u = 0.2 * random[i + 1], v = 0.2 * random[i + 2];
    const double gravity_ratio = 0.3 * (1.1 + random[i + 3]);  // g/e²
    const double pressure = 0.5 * gravity_ratio * depth * depth;
    const auto f = Lattice::populations(Lattice::equilibrium(depth, depth * u, depth * v, pressure));
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int d = 0; d < 9; ++d) {
      const double along = Lattice::x[d] * u + Lattice::y[d] * v, v2 = u * u + v * v;
      const double expected =
          d == 0 ? depth - 5.0 / 6 * gravity_ratio * depth * depth - 2.0 / 3 * depth * v2
                 : (d < 5 ? 1 : 0.25) * (gravity_ratio * depth * depth / 6 + depth * along / 3 +
                                         depth * along * along / 2 - depth * v2 / 6);
      EXPECT_NEAR(f[d], expected, 1e-15);
      sum += f[d];
      x += f[d] * Lattice::x[d];
      y += f[d] * Lattice::y[d];
      xx += f[d] * Lattice::x[d] * Lattice::x[d];
      xy += f[d] * Lattice::x[d] * Lattice::y[d];
      yy += f[d] * Lattice::y[d] * Lattice::y[d];
    }
    EXPECT_NEAR(sum, depth, 1e-15);
    EXPECT_NEAR(x, depth * u, 1e-15);
    EXPECT_NEAR(y, depth * v, 1e-15);
    EXPECT_NEAR(xx, depth * u * u + pressure, 1e-15);
    EXPECT_NEAR(xy, depth * u * v, 1e-15);
    EXPECT_NEAR(yy, depth * v * v + pressure, 1e-15);
  }
}

/// The weights of nine directions for an incompressible fluid are 4/9, 1/9, 1/36, of which the sum is 1; Müller et al. 2008 print
/// those of 19 directions, 1/3 and 1/18, beside their listing for nine.
TEST(LatticeBoltzmann, resting_populations_are_the_weights_of_nine_directions_where_the_pressure_is_theirs) {
  const auto f = Lattice::populations(Lattice::equilibrium(1, 0, 0, 1.0 / 3));
  for (int d = 0; d < 9; ++d) EXPECT_NEAR(f[d], d == 0 ? 4.0 / 9 : d < 5 ? 1.0 / 9 : 1.0 / 36, 1e-16);
}

/// The largest factor per step of small waves on a flow, in units of e, with gη/e² = `ratio`, if even and odd parts relax with these
/// times.
double amplification(double ratio, double tau, double odd_tau, Eigen::Vector2d flow_ = {0, 0}) {
  Eigen::Matrix<double, 9, 9> relaxed;  // from populations to their equilibrium
  for (int from = 0; from < 9; ++from) {
    constexpr double small = 1e-5;
    const auto equilibrium = [&](double part) {
      const double depth = 1 + part;
      return Lattice::populations(Lattice::equilibrium(depth, flow_.x() + part * Lattice::x[from],
                                                       flow_.y() + part * Lattice::y[from],
                                                       0.5 * ratio * depth * depth));
    };
    const auto more = equilibrium(small), less = equilibrium(-small);
    for (int to = 0; to < 9; ++to) relaxed(to, from) = (more[to] - less[to]) / (2 * small);
  }
  Eigen::Matrix<double, 9, 9> collision = Eigen::Matrix<double, 9, 9>::Identity();
  for (int to = 0; to < 9; ++to) {
    const auto change = [&](int row) {
      Eigen::Matrix<double, 1, 9> of_row = relaxed.row(row);
      of_row[row] -= 1;
      return of_row;
    };
    const auto same = change(to), opposite = change(Lattice::opposite(to));
    collision.row(to) += 0.5 * ((same + opposite) / tau + (same - opposite) / odd_tau);
  }
  double largest = 0;
  constexpr int waves = 8;
  for (int i = -waves; i <= waves; ++i)
    for (int j = 0; j <= waves; ++j) {
      Eigen::Matrix<std::complex<double>, 9, 9> step = collision.cast<std::complex<double>>();
      for (int d = 0; d < 9; ++d)
        step.row(d) *= std::polar(1.0, -pi / waves * (i * Lattice::x[d] + j * Lattice::y[d]));
      largest = std::max(largest, step.eigenvalues().cwiseAbs().maxCoeff());
    }
  return largest;
}

double other_time(double tau) {
  return 0.5 + 3.0 / 16 / (tau - 0.5);
}

TEST(LatticeBoltzmann, waves_are_stable_up_to_the_limit) {
  constexpr double round_off = 1e-9;
  for (const double tau : {0.501, 0.6, 1.0, 10.0}) {
    EXPECT_LE(amplification(0.599, tau, tau), 1 + round_off) << tau;
    EXPECT_LE(amplification(0.749, tau, other_time(tau)), 1 + round_off) << tau;
    EXPECT_GT(amplification(0.77, tau, other_time(tau)), 1 + 1e-6) << tau;
  }
  EXPECT_GT(amplification(0.61, 0.501, 0.501), 1 + 1e-6);
  for (const Eigen::Vector2d& along : {Eigen::Vector2d(1, 0), Eigen::Vector2d(1, 1).normalized().eval()})
    for (const double froude : {0.1, 0.4, 0.7}) {
      const auto growth = [&](double limit, double odd_tau) {
        const double wave = std::sqrt(limit) / (1 + froude);
        return amplification(wave * wave, 0.6, odd_tau, froude * wave * along);
      };
      EXPECT_LE(growth(0.6, 0.6), 1 + round_off) << froude;
      if (froude > 0.5) continue;
      EXPECT_LE(growth(0.75, other_time(0.6)), 1 + round_off) << froude;
    }
  EXPECT_NEAR(Trial(on("rectangle:9x1:9x1:structured")).stable_dt(), step_at(0.6), 1e-15);
  EXPECT_NEAR(Trial(on("rectangle:9x1:9x1:structured", {{"collision", "trt"}})).stable_dt(), step_at(0.75),
              1e-15);
}

struct Wave {
  double frequency, decay;  // ω, 1/s: amplitudes decay as e^(−decay t)
};

/// The standing wave of wave number π/n of a channel of n cells over half a period.
Wave standing_wave(int n, double tau, double ratio) {
  const double k = pi / n;
  Configuration setup =
      on("rectangle:" + std::to_string(n) + "x2:" + std::to_string(n) + "x2:structured", {{"tau", tau}});
  setup.initial.depth = [k](const Vector3& x) { return 1 + 1e-6 * std::cos(k * x.x()); };
  Trial trial(setup);
  trial.prepare(step_at(ratio));
  const auto elevation = [&] { return part(trial, trial.elevation(), k * Vector3::UnitX()).real(); };
  // The energy of the wave ripples twice in a period and is compared at the same phase.
  std::vector<double> crossing, speed;
  for (double t = 0, before = elevation(); crossing.size() < 5; t += trial.dt) {
    const double flow_before = part(trial, flow(trial, 0), k * Vector3::UnitX()).imag();
    trial.step();
    const double now = elevation();
    if (before * now < 0) {
      const double s = before / (before - now);
      crossing.push_back(t + s * trial.dt);
      speed.push_back(
          std::abs((1 - s) * flow_before + s * part(trial, flow(trial, 0), k * Vector3::UnitX()).imag()));
    }
    before = now;
  }
  const double time = crossing.back() - crossing.front();
  return {pi * 4 / time, std::log(speed.front() / speed.back()) / time};
}

TEST(LatticeBoltzmann, waves_run_at_their_speed_and_are_damped_as_derived) {
  constexpr int n = 24;
  for (const auto& [tau, ratio] : {std::pair(0.55, 1.0 / 16), std::pair(0.55, 0.3), std::pair(0.7, 0.5)}) {
    const double k = pi / n, dt = step_at(ratio);
    const Wave wave = standing_wave(n, tau, ratio);
    const double expected = 0.5 * (tau - 0.5) * dt * (1 / (dt * dt) - gravity) * k * k;
    EXPECT_NEAR(wave.frequency / (std::sqrt(gravity) * k), 1, 1e-3) << tau;
    EXPECT_NEAR(wave.decay / expected, 1, 0.01) << tau << " " << ratio;
  }
}

/// Of the frequency, which tends to that of waves with damping D k², ω² = c²k² − (D k²)²; at fixed Δt/Δ D is proportional to Δ, at
/// fixed Δt/Δ² it tends to a constant.
TEST(LatticeBoltzmann, waves_are_of_second_order) {
  const auto error = [](int n, double ratio) {
    const double k = pi / n, dt = step_at(ratio), tau = 0.6;
    const double damping = 0.5 * (tau - 0.5) * dt * (1 / (dt * dt) - gravity) * k * k;
    return standing_wave(n, tau, ratio).frequency / std::sqrt(gravity * k * k - damping * damping) - 1;
  };
  EXPECT_NEAR(std::log2(error(24, 0.4) / error(48, 0.4)), 2, 0.05);
  EXPECT_NEAR(std::log2(error(48, 0.025) / error(96, 0.00625)), 2, 0.05);
}

/// ν of a shear wave over that of the relaxation time; `drift` is a flow along its wave number, over e.
double shear_viscosity(double tau, double drift, bool given = false) {
  constexpr int n = 32;
  const double k = 2 * pi / n, dt = step_at(0.2);
  Configuration setup =
      on("rectangle:32x3:32x3:structured:periodic",
         given ? std::map<std::string, Value>{{"viscosity", std::to_string(viscosity(tau, dt))}}
               : std::map<std::string, Value>{{"tau", tau}});
  setup.initial.velocity = [=](const Vector3& x) {
    return Vector3(drift / dt, 1e-6 * std::sin(k * x.x()), 0);
  };
  Trial trial(setup);
  const auto amplitude = [&] { return std::abs(part(trial, flow(trial, 1), k * Vector3::UnitX())); };
  trial.prepare(dt);
  trial.run(300);  // the other moments, zero at the start, oscillate for a while if τ is near ½
  const double before = amplitude();
  trial.run(400);
  return std::log(before / amplitude()) / (viscosity(tau, dt) * k * k * 400 * dt);
}

TEST(LatticeBoltzmann, a_shear_wave_decays_with_the_viscosity) {
  for (const double tau : {0.51, 0.55, 0.7, 1.0}) EXPECT_NEAR(shear_viscosity(tau, 0), 1, 0.01) << tau;
  EXPECT_NEAR(shear_viscosity(0.55, 0, true), 1, 0.01);
}

/// The Galilean error: third moments of nine directions lack v³.
TEST(LatticeBoltzmann, in_a_flow_the_viscosity_decreases_with_the_square_of_its_speed) {
  for (const double drift : {0.05, 0.1, 0.2})
    EXPECT_NEAR(shear_viscosity(0.7, drift), 1 - 3 * drift * drift, 0.01) << drift;
}

/// Of the velocity of a vortex of radius 6 cells and speed 0.02 e: the relative L2 difference that a flow of 0.1 e makes which carries
/// it once around a periodic square of 64 cells.
double galilean_error(double tau, const char* collision) {
  const double dt = step_at(0.2), speed = 0.02 / dt, drift = 0.1 / dt;
  const auto run = [&](double along) {
    Configuration setup =
        on("rectangle:64x64:64x64:structured:periodic", {{"tau", tau}, {"collision", collision}});
    setup.initial.velocity = [=](const Vector3& x) {
      const double a = (x.x() - 32) / 6, b = (x.y() - 32) / 6;
      const double swirl = speed * std::exp(0.5 * (1 - a * a - b * b));
      return Vector3(along - swirl * b, swirl * a, 0);
    };
    Trial trial(setup);
    trial.prepare(dt);
    trial.run(640);
    Values v = trial.sample("velocity");
    v.row(0).array() -= along;
    return v;
  };
  const Values at_rest = run(0);
  return (run(drift) - at_rest).norm() / at_rest.norm();
}

/// Pinned: the values of this test. Two relaxation times carry short waves of vorticity too slowly (grid.md).
TEST(LatticeBoltzmann, a_vortex_in_a_flow_is_nearly_that_in_still_water) {
  EXPECT_NEAR(galilean_error(0.6, "bgk"), 0.014, 0.001);
  EXPECT_NEAR(galilean_error(0.6, "trt"), 0.032, 0.001);
  EXPECT_NEAR(galilean_error(0.51, "bgk"), 0.020, 0.001);
  EXPECT_NEAR(galilean_error(0.51, "trt"), 0.090, 0.001);
}

/// Because the moments of the state do not depend on Δt.
TEST(LatticeBoltzmann, the_viscosity_does_not_depend_on_changes_of_the_time_step) {
  constexpr int n = 32;
  const double k = 2 * pi / n, dt = step_at(0.2), nu = viscosity(0.6, dt);
  Configuration setup = on("rectangle:32x3:32x3:structured:periodic", {{"viscosity", std::to_string(nu)}});
  setup.initial.velocity = [=](const Vector3& x) { return Vector3(0, 1e-6 * std::sin(k * x.x()), 0); };
  Trial trial(setup);
  trial.prepare(dt);
  const auto amplitude = [&] { return std::abs(part(trial, flow(trial, 1), k * Vector3::UnitX())); };
  trial.run(50);
  const double before = amplitude();
  double time = 0;
  for (int i = 0; i < 200; ++i) {
    trial.dt = (i % 2 ? 0.6 : 1) * dt;
    time += trial.dt;
    trial.run(1);
  }
  EXPECT_NEAR(std::log(before / amplitude()) / (nu * k * k * time), 1, 0.01);
}

/// Vortices of alternating sign, which an incompressible fluid damps as e^(−2νk²t). Here the depth is free, and its waves decay
/// with the square of the Froude number.
TEST(LatticeBoltzmann, taylor_green_vortices_decay_with_twice_the_viscosity) {
  constexpr int n = 24;
  constexpr double tau = 0.8, speed = 1e-3;
  const double k = 2 * pi / n, dt = step_at(0.5);
  Configuration setup = on("rectangle:24x24:24x24:structured:periodic", {{"tau", tau}});
  setup.initial.velocity = [=](const Vector3& x) {
    return Vector3(speed * std::sin(k * x.x()) * std::cos(k * x.y()),
                   -speed * std::cos(k * x.x()) * std::sin(k * x.y()), 0);
  };
  Trial trial(setup);
  trial.prepare(dt);
  trial.run(10);
  const double before = trial.kinetic_energy();
  trial.run(40);
  EXPECT_NEAR(0.5 * std::log(before / trial.kinetic_energy()) / (2 * viscosity(tau, dt) * k * k * 40 * dt), 1,
              0.01);
}

/// A flow in a channel of 24 × 5 cells that varies along it alone.
double variation_across(const char* walls) {
  Configuration setup = on("rectangle:24x5:24x5:structured", {{"walls", walls}});
  setup.bed_depth = [](const Vector3& x) { return 1 + 0.1 * std::sin(x.x()); };
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.2 * std::exp(-x.x() * x.x() / 16); };
  Trial trial(setup);
  trial.prepare(step_at(0.3));
  trial.run(100);
  const Eigen::Map<const Eigen::MatrixXd> depth(trial.volume().data(), 24, 5);
  return (depth.colwise() - depth.col(2)).cwiseAbs().maxCoeff() + flow(trial, 1).cwiseAbs().maxCoeff();
}

TEST(LatticeBoltzmann, walls_stop_the_flow_along_them_only_without_slip) {
  EXPECT_LT(variation_across("slip"), 1e-14);
  EXPECT_GT(variation_across("no-slip"), 1e-3);
}

/// The largest relative difference of a flow in a channel, driven by a uniform force, from the parabola F y(W − y)/2ν.
double error_of_parabola(double tau, const char* collision) {
  const double dt = step_at(0.3);
  Configuration setup = on("rectangle:3x8:3x8:structured:periodic-x",
                           {{"tau", tau}, {"walls", "no-slip"}, {"collision", collision}});
  setup.body_acceleration = [](const Vector3&) { return Vector3(1e-6, 0, 0); };
  Trial trial(setup);
  trial.prepare(dt);
  trial.run(3000);
  double largest = 0;
  for (Index c = 0; c < 24; ++c) {
    const double y = trial.discretization->cells().points(1, c);
    largest =
        std::max(largest, std::abs(flow(trial, 0)[c] / (1e-6 * y * (8 - y) / (2 * viscosity(tau, dt))) - 1));
  }
  return largest;
}

/// At the walls between cells, where v = 0, only if the product of both times less ½ is 3/16.
TEST(LatticeBoltzmann, without_slip_a_driven_flow_is_a_parabola) {
  EXPECT_LT(error_of_parabola(0.5 + std::sqrt(3.0 / 16), "bgk"), 1e-9);
  EXPECT_GT(error_of_parabola(2, "bgk"), 0.1);
  for (const double tau : {0.7, 1.0, 2.0}) EXPECT_LT(error_of_parabola(tau, "trt"), 1e-9) << tau;
}

/// The energy of a shear wave decays by (ν + (CΔ)² |S|) (∂v)², S = |∂v|/√2, also where the eddies are as strong as the rest.
TEST(LatticeBoltzmann, eddies_have_the_viscosity_of_smagorinsky) {
  constexpr int n = 32;
  constexpr double tau = 0.6, c = 1;
  const double k = 2 * pi / n, dt = step_at(0.2), speed = 0.05 / dt;
  Configuration setup =
      on("rectangle:32x3:32x3:structured:periodic",
         {{"tau", tau}, {"collision", "smagorinsky"}, {"smagorinsky", c}, {"eddy_viscosity", "consistent"}});
  setup.initial.velocity = [=](const Vector3& x) { return Vector3(0, speed * std::sin(k * x.x()), 0); };
  Trial trial(setup);
  trial.prepare(dt);
  trial.run(30);
  const auto loss = [&] {  // m⁵/s³, by differences over one cell
    double sum = 0;
    const Vector v = flow(trial, 1).cwiseQuotient(trial.volume());
    const Cells& cells = trial.discretization->cells();
    for (Index i = 0; i < v.size(); ++i)
      for (Index j = 0; j < v.size(); ++j) {
        const Vector3 between = cells.points.col(j) - cells.points.col(i);
        const bool follows = std::abs(between.x() - 1) < 0.1 || std::abs(between.x() - 1 + n) < 0.1;
        if (!follows || std::abs(between.y()) > 0.1) continue;
        const double slope = v[j] - v[i];
        sum += (viscosity(tau, dt) + c * c * std::abs(slope) / std::sqrt(2)) * slope * slope;
      }
    return sum;
  };
  const double before = trial.kinetic_energy();
  double lost = 0;
  for (int i = 0; i < 20; ++i) {
    lost += 0.5 * dt * loss();
    trial.run(1);
    lost += 0.5 * dt * loss();
  }
  EXPECT_NEAR((before - trial.kinetic_energy()) / lost, 1, 0.02);
  EXPECT_GT(lost, 1.15 * viscosity(tau, dt) * k * k * 2 * 20 * dt * trial.kinetic_energy());
}

TEST(LatticeBoltzmann, dry_land_is_refused_and_ends_a_run) {
  Configuration setup = on("rectangle:20x2:20x2:structured");
  setup.initial.depth = [](const Vector3& x) { return x.x() < 10 ? 1.0 : 0.0; };
  EXPECT_THROW(Trial{setup}, Refusal);
  setup.initial.depth = [](const Vector3&) { return 0.05; };
  setup.initial.velocity = [](const Vector3& x) { return Vector3(x.x() < 10 ? -3 : 3, 0, 0); };
  Trial trial(setup);
  trial.prepare(0.1);
  StepReport report;
  for (int i = 0; i < 100 && report.ok; ++i) report = trial.step();
  EXPECT_FALSE(report.ok);
  EXPECT_TRUE(report.unstable);
  EXPECT_NE(report.reason.find("needs water everywhere"), std::string::npos);
}

TEST(LatticeBoltzmann, a_uniform_flow_turns_and_is_accelerated_exactly) {
  Configuration setup = on("rectangle:5x4:5x4:structured:periodic");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.3, 0, 0); };
  setup.rotation = Vector3(0, 0, 0.5);  // f = 1 s⁻¹
  Trial turning(setup);
  turning.prepare(0.1);
  turning.run(20);
  EXPECT_LT((turning.sample("velocity").col(0) - Vector3(0.3 * std::cos(2), -0.3 * std::sin(2), 0)).norm(),
            1e-14);
  setup.rotation.setZero();
  setup.body_acceleration = [](const Vector3&) { return Vector3(0.1, -0.2, 0); };
  Trial accelerated(setup);
  accelerated.prepare(0.1);
  accelerated.run(20);
  EXPECT_LT((accelerated.sample("velocity").col(0) - Vector3(0.5, -0.4, 0)).norm(), 1e-14);
}

TEST(LatticeBoltzmann, rain_falls_with_the_velocity_of_the_water_and_friction_slows_it) {
  Configuration setup = on("rectangle:5x4:5x4:structured:periodic");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.3, -0.1, 0); };
  for (const double friction : {0.0, 0.5}) {
    Trial trial(setup);
    trial.forcing.inflow = Vector::Constant(20, 0.05);
    trial.forcing.friction = friction;
    trial.set_forcing(trial.forcing);
    trial.prepare(0.1);
    trial.run(20);
    EXPECT_NEAR(trial.mass(), 20 * 1.1, 1e-12);
    EXPECT_LT((trial.sample("velocity").col(3) - std::exp(-2 * friction) * Vector3(0.3, -0.1, 0)).norm(),
              1e-14);
  }
}

}  // namespace
}  // namespace shoal::test
