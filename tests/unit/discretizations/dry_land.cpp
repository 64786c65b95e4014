// Dry land beside water: still lakes stay still, gradient and flux stay adjoint, Thacker's planar bowl is approached.
#include "discretizations/capabilities.hpp"
#include "experiments/scenes/thacker.hpp"
#include "tests/support/trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace shoal::test {
namespace {

using ParameterMap = std::map<std::string, Value>;

struct Lake {
  std::string name, mesh;
  ScalarField bed_depth;  ///< m, below the level of the lake; negative: land
};

const Lake lakes[] = {
    {"island", "rectangle:20x20:2x2",
     [](const Vector3& x) {
       return 0.3 - 0.6 * std::exp(-(std::pow(x.x() - 1, 2) + std::pow(x.y() - 1, 2)) / 0.1);
     }},
    {"shore", "rectangle:20x10:2x1:structured", [](const Vector3& x) { return 0.2 * (x.x() - 0.71); }},
    {"step", "rectangle:20x10:2x1", [](const Vector3& x) { return x.x() < 1.03 ? 0.3 : -0.2; }},
    {"wavy bed", "rectangle:24x24:2x2",
     [](const Vector3& x) { return 0.1 + 0.3 * std::sin(7 * x.x()) * std::cos(5 * x.y()); }},
    {"sphere", "icosphere:3", [](const Vector3& x) { return 0.3 * x.z() + 0.05 * std::sin(5 * x.x()); }},
    {"jittered", "rectangle:10x10:2x2:jittered",
     [](const Vector3& x) { return 0.05 + 0.4 * (x.x() - 1) * (x.x() - 1) - 0.3 * x.y() * (2 - x.y()); }}};

struct Scheme {
  std::string discretization, integrator, advection = "none";
  ParameterMap parameters = {};
  std::string name() const {
    std::string text = discretization + " " + integrator + " " + advection;
    for (const auto& [key, value] : parameters) text += " " + key + "=" + std::get<std::string>(value);
    return text;
  }
};

Configuration still(const Lake& lake, const Scheme& scheme) {
  Configuration setup = {.mesh = lake.mesh,
                         .discretization = scheme.discretization,
                         .integrator = scheme.integrator,
                         .advection = scheme.advection,
                         .parameters = scheme.parameters};
  if (scheme.discretization == "dec") setup.parameters["dual"] = "intrinsic";
  setup.bed_depth = lake.bed_depth;
  setup.initial.depth = [bed = lake.bed_depth](const Vector3& x) { return std::max(0.0, bed(x)); };
  return setup;
}

/// The largest speed of a lake at any step of 20 s, m/s.
double unrest(const Lake& lake, const Scheme& scheme) {
  Configuration setup = still(lake, scheme);
  setup.substeps = 1;
  Trial trial(setup);
  const double dt = std::min(0.7 * trial.stable_dt(), 0.05);
  trial.prepare(dt);
  double speed = 0;
  for (double time = 0; time < 20; time += dt) {
    trial.run(1);
    speed = std::max(speed, trial.sample("velocity").topRows(3).colwise().norm().maxCoeff());
  }
  return speed;
}

class StillLake : public testing::TestWithParam<Scheme> {};

TEST_P(StillLake, stays_still) {
  constexpr double round_off = 1e-11;  // m/s
  for (const Lake& lake : lakes) EXPECT_LE(unrest(lake, GetParam()), round_off) << lake.name;
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, StillLake,
    testing::Values(
        Scheme{"fefv", "explicit"}, Scheme{"fefv", "explicit", "none", {{"dry_outflow", "closed"}}},
        Scheme{"fefv", "explicit", "none", {{"flux_depth", "edge"}}},
        Scheme{"fefv", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
        Scheme{"fefv", "explicit", "semi-lagrangian"}, Scheme{"fefv", "semi-implicit"},
        Scheme{"dec", "explicit"}, Scheme{"dec", "explicit", "none", {{"dry_outflow", "closed"}}},
        Scheme{"dec", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
        Scheme{"dec", "ssprk3", "vector-invariant"}, Scheme{"dec", "semi-implicit"},
        Scheme{"dec", "ssprk3", "vector-invariant", {{"vorticity", "linear"}}},
        Scheme{"dec", "ssprk3", "vector-invariant", {{"advection_form", "momentum"}}},
        Scheme{"hllc", "explicit"}, Scheme{"kinetic", "explicit"}, Scheme{"rusanov", "ssprk2"},
        Scheme{"roe", "explicit"}, Scheme{"hllc", "ssprk2", "none", {{"reconstruction", "linear"}}},
        Scheme{"kinetic", "ssprk3", "none", {{"reconstruction", "linear"}, {"limiter", "none"}}},
        Scheme{"roe", "ssprk2", "none", {{"reconstruction", "linear"}, {"limiter", "venkatakrishnan"}}}),
    [](const auto& entry) {
      std::string name = entry.param.name();
      for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
      return name;
    });

/// Lakes under a force along the surface: f·x/g + h is level, and land stands above that.
double unrest_under(const VectorField& force, const ScalarField& level, Lake lake, const Scheme& scheme) {
  Configuration setup = still(lake, scheme);
  setup.parameters["projection_tolerance"] = 1e-13;
  setup.body_acceleration = force;
  setup.initial.depth = [bed = lake.bed_depth, level](const Vector3& x) {
    return std::max(0.0, bed(x) + level(x));
  };
  setup.substeps = 1;
  Trial trial(setup);
  const double dt = std::min(0.7 * trial.stable_dt(), 0.02);
  trial.prepare(dt);
  double speed = 0;
  for (double time = 0; time < 4; time += dt) {
    trial.run(1);
    speed = std::max(speed, trial.sample("velocity").topRows(3).colwise().norm().maxCoeff());
  }
  return speed;
}

class TiltedLake : public testing::TestWithParam<Scheme> {};

TEST_P(TiltedLake, stays_still) {
  constexpr double round_off = 1e-11;  // m/s
  const Vector3 force(2, -1, 0);
  const Lake flat = {"flat", "rectangle:16x8:2x1", [](const Vector3&) { return 0.1; }};
  const Lake jittered = {"flat, jittered", "rectangle:16x8:2x1:jittered", flat.bed_depth};
  std::vector<Lake> tilted = {flat, jittered};
  for (const Lake& lake : lakes)
    if (lake.name != "sphere") tilted.push_back(lake);
  for (const Lake& lake : tilted) {
    const double speed = unrest_under(
        [force](const Vector3&) { return force; },
        [force](const Vector3& x) { return force.dot(x - Vector3(1, 0.5, 0)) / gravity; }, lake, GetParam());
    EXPECT_LE(speed, round_off) << lake.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, TiltedLake,
    testing::Values(Scheme{"fefv", "explicit"},
                    Scheme{"fefv", "explicit", "none", {{"dry_outflow", "closed"}}},
                    Scheme{"fefv", "ssprk3", "vector-invariant"},
                    Scheme{"fefv", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
                    Scheme{"fefv", "explicit", "semi-lagrangian"}, Scheme{"fefv", "semi-implicit"},
                    Scheme{"dec", "explicit"}, Scheme{"dec", "explicit", "none", {{"dry_outflow", "closed"}}},
                    Scheme{"dec", "ssprk3", "vector-invariant"},
                    Scheme{"dec", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
                    Scheme{"dec", "ssprk3", "vector-invariant", {{"vorticity", "linear"}}},
                    Scheme{"dec", "ssprk3", "vector-invariant", {{"advection_form", "momentum"}}},
                    Scheme{"dec", "semi-implicit"}),
    [](const auto& entry) {
      std::string name = entry.param.name();
      for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
      return name;
    });

/// Water at rest in a basin that turns around its corner: h = ω²r²/2g. With a dry middle, or wet on triangles of which
/// dec merges some into one cell.
TEST(TurningLake, stays_still) {
  constexpr double rate = 1.5, round_off = 1e-11;  // rad/s, m/s
  const auto speed = [&](const std::string& mesh, double level, const Scheme& scheme) {
    return unrest_under(
        [](const Vector3& x) -> Vector3 { return rate * rate * x; },
        [level](const Vector3& x) { return 0.5 * rate * rate * x.squaredNorm() / gravity + level; },
        {"basin", mesh, [](const Vector3&) { return 0.1; }}, scheme);
  };
  for (const std::string discretization : {"fefv", "dec"})
    for (const std::string dry_outflow : {"open", "closed"})
      for (const int cells : {8, 12, 16}) {
        const Scheme scheme = {discretization, "ssprk3", "vector-invariant", {{"dry_outflow", dry_outflow}}};
        EXPECT_LE(speed(fmt::format("rectangle:{0}x{0}:1x1", cells), -0.2, scheme), round_off)
            << discretization << dry_outflow << cells;
        EXPECT_LE(speed(fmt::format("rectangle:{0}x{0}:1x1:jittered", cells), 0, scheme), round_off)
            << discretization << dry_outflow << cells << "jittered";
      }
  const Scheme barycentric = {"dec", "ssprk3", "vector-invariant", {{"dual", "barycentric"}}};
  EXPECT_LE(speed("rectangle:12x12:1x1:jittered", 0, barycentric), round_off);
  const Scheme momentum = {"dec", "ssprk3", "vector-invariant", {{"advection_form", "momentum"}}};
  EXPECT_LE(speed("rectangle:12x12:1x1", -0.2, momentum), round_off);
  EXPECT_LE(speed("rectangle:12x12:1x1:jittered", 0, momentum), round_off);
}

/// What acts besides: nothing of it moves a still lake, but what is next to nothing is enough to open the land around it.
struct Disturbance {
  std::string name;
  double rotation = 0;  ///< rad/s, around z
  double spin = 0;      ///< 1/s, of the water around z, at the start
  std::string splitting = {};
};

class DisturbedLake : public testing::TestWithParam<std::pair<Scheme, Disturbance>> {};

TEST_P(DisturbedLake, stays_still) {
  constexpr double round_off = 1e-11;  // m/s
  const Lake hills = {"hills", "icosphere:2", [](const Vector3& x) {
                        return 0.4 * std::sin(7 * x.x()) * std::cos(5 * x.y()) +
                               0.3 * std::sin(11 * x.z() + 1) - 0.02;
                      }};
  const Lake cap = {"cap", "icosphere:2", [](const Vector3& x) { return x.z() > 0.5 ? -0.1 : 0.3; }};
  const Lake dam = {"dam", "rectangle:12x12:3x3:structured", [](const Vector3& x) {
                      return std::abs(x.x() - 1.5) < 0.2 ? -0.3 : 0.2 + 0.1 * std::sin(9 * x.x() * x.y());
                    }};
  // Land as high as the water: what rounding makes flow there has depths down to the least numbers.
  const Lake flush = {"flush", "rectangle:24x12:2x1",
                      [](const Vector3& x) { return x.x() + 0.7 * x.y() < 1.2 ? 0.3 : 0; }};
  const auto& [scheme, disturbance] = GetParam();
  for (const Lake& lake : {hills, cap, dam, flush}) {
    Configuration setup = still(lake, scheme);
    if (lake.name == "dam")  // a lake on either side, at different levels
      setup.initial.depth = [bed = lake.bed_depth](const Vector3& x) {
        return std::max(0.0, bed(x) + (x.x() < 1.5 ? 0 : 0.1));
      };
    setup.rotation = disturbance.rotation * Vector3::UnitZ();
    setup.splitting = disturbance.splitting;
    if (disturbance.spin != 0)
      setup.initial.velocity = [spin = disturbance.spin](const Vector3& x) {
        return Vector3(-spin * x.y(), spin * x.x(), 0);
      };
    Trial trial(setup);
    const double dt = std::min(0.02, 0.7 * trial.stable_dt());
    trial.prepare(dt);
    for (int step = 0; step < 1 / dt; ++step) {
      trial.run(1);
      ASSERT_LE(trial.sample("velocity").topRows(3).colwise().norm().maxCoeff(), round_off)
          << lake.name << ", step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, DisturbedLake,
    testing::Values(
        std::pair(Scheme{"fefv", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
                  Disturbance{"spin", 0, 1e-15}),
        std::pair(Scheme{"dec", "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}},
                  Disturbance{"spin", 0, 1e-15}),
        std::pair(Scheme{"fefv", "explicit", "none", {{"dry_outflow", "closed"}}},
                  Disturbance{"lie", 1, 1e-15}),
        std::pair(Scheme{"dec", "explicit", "none", {{"dry_outflow", "closed"}}},
                  Disturbance{"lie", 1, 1e-15}),
        std::pair(Scheme{"fefv", "explicit", "vector-invariant"}, Disturbance{"turning", -3}),
        std::pair(Scheme{"dec", "explicit", "vector-invariant"}, Disturbance{"turning", -3}),
        std::pair(Scheme{"fefv", "semi-implicit"}, Disturbance{"turning", 1}),
        std::pair(Scheme{"dec", "semi-implicit"}, Disturbance{"turning", 1}),
        std::pair(Scheme{"fefv", "semi-implicit", "bfecc"}, Disturbance{"strang", 1, 0, "strang"}),
        std::pair(Scheme{"fefv", "semi-implicit", "vector-invariant"}, Disturbance{"strang", 1, 0, "strang"}),
        std::pair(Scheme{"dec", "semi-implicit", "vector-invariant"}, Disturbance{"strang", 1, 0, "strang"})),
    [](const auto& entry) {
      std::string name = entry.param.first.name() + " " + entry.param.second.name;
      for (char& letter : name)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
      return name;
    });

/// E − E₀ at most, over the largest kinetic energy.
double energy_gained(Trial& trial, double dt, double end) {
  trial.prepare(dt);
  // Below the level at rest what the land has counts nothing: it has no water.
  const auto potential = [&] {
    const Cells& cells = trial.discretization->cells();
    const Vector depth = trial.volume().array() / cells.area.array();
    return gravity * (cells.area.array() * depth.array() * (0.5 * depth.array() - cells.bed.array())).sum();
  };
  const double start = potential() + trial.kinetic_energy();
  double gained = 0, kinetic = trial.kinetic_energy();
  for (double time = 0; time < end; time += dt) {
    trial.run(1);
    kinetic = std::max(kinetic, trial.kinetic_energy());
    gained = std::max(gained, potential() + trial.kinetic_energy() - start);
  }
  return gained / kinetic;
}

// Water that runs against land climbs no higher than its energy takes it.
TEST(DryLand, gives_no_energy_to_water_that_runs_against_a_cliff) {
  for (const std::string discretization : {"fefv", "dec"})
    for (const std::string integrator : {"explicit", "ssprk3"}) {
      const Lake cliff = {"cliff", "rectangle:20x4:4x0.8:structured",
                          [](const Vector3& x) { return x.x() < 2 ? 0.3 : -0.5; }};
      Configuration setup = still(cliff, {discretization, integrator, "none", {{"dry_outflow", "closed"}}});
      setup.initial.velocity = [](const Vector3& x) { return Vector3(x.x() < 2 ? 0.1 : 0, 0, 0); };
      setup.substeps = 1;
      Trial trial(setup);
      const double dt = 0.1 * trial.stable_dt();
      EXPECT_LE(energy_gained(trial, dt, 1), 0.02)
          << discretization << ' ' << integrator;  // that of the steps
    }
}

// In water faster than its waves v·∇v is from upstream, too: centred beside a film, it gained twice what fell.
TEST(DryLand, gives_no_energy_to_a_dam_break_upslope) {
  for (const std::string discretization : {"fefv", "dec"})
    for (const std::string kind : {"", ":jittered"}) {
      const auto bed = [](const Vector3& x) { return 2 + 0.1 * (x.x() - 5); };
      const Lake slope = {"slope", "rectangle:60x3:10x0.5" + kind, bed};
      Configuration setup =
          still(slope, {discretization, "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}});
      setup.initial.depth = [](const Vector3& x) { return x.x() < 5 ? 0.5 : 0; };
      Trial trial(setup);
      EXPECT_LE(energy_gained(trial, 0.25 * trial.stable_dt(), 0.6), 0.01) << discretization << kind;
    }
}

// Water that runs up a slope of irregular triangles, and leaves films of any thickness behind.
TEST(DryLand, keeps_the_speed_of_a_wave_that_runs_up_irregular_triangles) {
  for (const std::string discretization : {"fefv", "dec"}) {
    const Lake ramp = {"ramp", "rectangle:60x12:6x1.2:jittered",
                       [](const Vector3& x) { return 0.3 - 0.15 * std::max(0.0, x.x() - 3); }};
    Configuration setup =
        still(ramp, {discretization, "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}});
    setup.initial.depth = [bed = ramp.bed_depth](const Vector3& x) {
      return std::max(0.0, bed(x)) + (x.x() < 1 ? 0.3 : 0);
    };
    Trial trial(setup);
    trial.prepare(0.0005);  // at most 0.9 of dec's stable step
    double speed = 0;
    for (int sample = 0; sample < 2100; ++sample) {
      trial.run(4);
      speed = std::max(speed, trial.sample("velocity").topRows(3).colwise().norm().maxCoeff());
    }
    EXPECT_LE(speed, 2 * std::sqrt(gravity * 0.6)) << discretization;
  }
}

// A tide that overflows a sill: what enters an opening from rest slows down the film that is there.
TEST(DryLand, takes_in_a_tide_at_no_more_than_the_speed_of_its_fall) {
  for (const std::string discretization : {"fefv", "dec"}) {
    const Lake sill = {"sill", "rectangle:16x4:2x0.5",
                       [](const Vector3& x) { return x.x() < 0.5 ? -0.1 : 0.5; }};
    Configuration setup =
        still(sill, {discretization, "ssprk3", "vector-invariant", {{"dry_outflow", "closed"}}});
    setup.boundaries = parse_boundaries("left = level 0:0.11, 1:0.3");
    Trial trial(setup);
    const double dt = 0.002, fall = 0.6;
    trial.prepare(dt);
    for (int step = 0; step < 1000; ++step) {
      trial.run(1);
      ASSERT_LE(trial.sample("velocity").topRows(3).colwise().norm().maxCoeff(),
                std::sqrt(2 * gravity * fall))
          << discretization << ", step " << step;
    }
  }
}

Trial random_shore(const std::string& scheme, const std::string& mesh, const std::string& dry_outflow) {
  Configuration setup = {
      .mesh = mesh, .discretization = scheme, .parameters = {{"dry_outflow", dry_outflow}}};
  if (scheme == "dec") setup.parameters["dual"] = "intrinsic";
  setup.bed_depth = [](const Vector3& x) {
    return 0.3 * std::sin(9 * x.x()) * std::cos(7 * x.y() + 5 * x.z());
  };
  return Trial(setup);
}

/// A third of the cells dry, some of them below zero, and as many films.
void fill_at_random(Trial& trial, unsigned seed) {
  const Vector part = random_vector(trial.volume().size(), seed);
  const Vector area = trial.discretization->cells().area;
  for (Index i = 0; i < part.size(); ++i)
    trial.volume()[i] = area[i] * (part[i] < -0.9   ? -0.01
                                   : part[i] < -0.3 ? 0
                                   : part[i] < 0.3  ? 0.003 * (1 + part[i])
                                                    : part[i]);
  trial.velocity() = random_vector(trial.velocity().size(), seed + 100);
}

/// The change of ½ uᵀ W η̄ u by the rates of `rate`.
double kinetic_power(Trial& trial, const State& rate) {
  const Field& velocity = trial.discretization->velocity();
  State state = trial.state;
  const Vector flow = std::as_const(trial).velocity(), change = rate[velocity];
  state[velocity] = flow + change;
  const double with = trial.discretization->kinetic_energy(state);
  state[velocity] = flow - change;
  return 0.5 * (with - trial.discretization->kinetic_energy(state));
}

/// d/dt (½ uᵀ W η̄ u) at fixed depth and ½g Σ A h² at fixed velocity are each other's.
TEST(DryLandEnergy, is_exchanged_to_round_off_at_random_states) {
  for (const std::string scheme : {"fefv", "dec"})
    for (const std::string mesh : {"blob:3:slivers", "rectangle:12x12:1x1:jittered"})
      for (const std::string dry_outflow : {"open", "closed"})
        for (unsigned seed = 1; seed < 6; ++seed) {
          SCOPED_TRACE(scheme + " " + mesh + " " + dry_outflow);
          Trial trial = random_shore(scheme, mesh, dry_outflow);
          fill_at_random(trial, seed);
          State rate = trial.zero();
          trial.discretization->add_rates(trial.state, trial.forces, Term::gravity, 1, rate);
          const Vector volume_rate = rate[trial.discretization->volume()];
          const double potential = gravity * volume_rate.dot(trial.elevation());
          const double kinetic = kinetic_power(trial, rate);
          constexpr double round_off = 1e-11;  // of sums of some thousand products that cancel
          EXPECT_GT(std::abs(potential), 0);
          EXPECT_NEAR(kinetic + potential, 0,
                      round_off * gravity * volume_rate.cwiseAbs().dot(trial.elevation().cwiseAbs()));
          EXPECT_NEAR(volume_rate.sum(), 0, round_off * volume_rate.cwiseAbs().sum());
        }
}

/// A uniform force f has the potential −f·x, and does the work on what flows, also out of films and into dry cells.
TEST(DryLandEnergy, takes_from_a_force_what_it_does_to_the_water_that_flows) {
  const Vector3 force(2, -1, 0);
  for (const std::string scheme : {"fefv", "dec"})
    for (const std::string dry_outflow : {"open", "closed"})
      for (unsigned seed = 1; seed < 6; ++seed) {
        SCOPED_TRACE(scheme + " " + dry_outflow);
        Configuration setup = {.mesh = "rectangle:12x12:1x1:structured",
                               .discretization = scheme,
                               .parameters = {{"dry_outflow", dry_outflow}}};
        if (scheme == "dec") setup.mesh = "rectangle:12x12:1x1";
        setup.bed_depth = [](const Vector3& x) { return 0.3 * std::sin(9 * x.x()) * std::cos(7 * x.y()); };
        setup.body_acceleration = [&](const Vector3&) { return force; };
        Trial trial(setup);
        fill_at_random(trial, seed);
        State with = trial.zero(), without = trial.zero();
        trial.discretization->add_rates(trial.state, trial.forces, Term::gravity | Term::force, 1, with);
        trial.discretization->add_rates(trial.state, trial.forces, Term::gravity, 1, without);
        const Vector volume_rate = with[trial.discretization->volume()];
        const double work =
            volume_rate.dot(trial.discretization->cells().points.transpose() * Vector3(force));
        const double gained = kinetic_power(trial, with) - kinetic_power(trial, without);
        EXPECT_GT(std::abs(work), 0);
        EXPECT_NEAR(gained, work, 1e-11 * volume_rate.cwiseAbs().sum() * gravity);
      }
}

// By rates of single terms their work is measured. What the shore takes from the velocity was counted as work of sources: −247 J of
// rain on a torus that is squashed, where it does −10 J.
TEST(DryLandEnergy, counts_what_the_shore_takes_as_no_work_of_other_terms) {
  for (const std::string scheme : {"fefv", "dec"}) {
    Trial trial = random_shore(scheme, "blob:3:slivers", "closed");
    fill_at_random(trial, 1);
    trial.forces.steps_per_second = 100;
    const auto rate_of = [&](Terms terms) {
      Vector rate = Vector::Zero(trial.velocity().size());
      trial.right_side.add_velocity_rate(trial.state, terms, 1, rate);
      return rate.cwiseAbs().maxCoeff();
    };
    EXPECT_EQ(rate_of(Term::source | Term::force | Term::friction), 0) << scheme;
    EXPECT_GT(rate_of(Term::gravity), 1) << scheme;
  }
}

/// Relative error of the volume after a period, and the largest speed over the exact one.
std::pair<double, double> after_a_period(const std::string& scheme, int cells, double dry_depth) {
  const ParabolicBowl bowl;
  const PlanarBowl exact(bowl, 0.5);
  const auto depth = [=](const Vector3& x, double time) {
    const double right = x.x() - 2, up = x.y() - 2;
    return std::max(0.0, bowl.bed_depth(right, up) + exact.at(right, up, time).elevation);
  };
  const std::string side = std::to_string(cells);
  Configuration setup = {.mesh = "rectangle:" + side + "x" + side + ":4x4",
                         .discretization = scheme,
                         .integrator = "ssprk3",
                         .advection = "vector-invariant",
                         .parameters = {{"dry_outflow", "closed"}, {"dry_depth", dry_depth}}};
  setup.bed_depth = [=](const Vector3& x) { return bowl.bed_depth(x.x() - 2, x.y() - 2); };
  setup.initial.depth = [=](const Vector3& x) { return depth(x, 0); };
  setup.initial.velocity = [=](const Vector3& x) -> Vector3 {
    const Eigen::Vector2d v = exact.at(x.x() - 2, x.y() - 2, 0).velocity;
    return depth(x, 0) > 0 ? Vector3(v.x(), v.y(), 0) : Vector3(0, 0, 0);
  };
  Trial trial(setup);
  const int steps = 177 * cells / 40;
  trial.prepare(exact.period() / steps);
  double speed = 0;
  for (int step = 0; step < steps; ++step) {
    trial.run(1);
    speed = std::max(speed, trial.sample("velocity").topRows(3).colwise().norm().maxCoeff());
  }
  const Cells& at = trial.discretization->cells();
  double error = 0;
  for (Index i = 0; i < at.count(); ++i)
    error += std::abs(trial.volume()[i] - at.area[i] * depth(at.points.col(i), exact.period()));
  return {error / trial.mass(), speed / exact.at(0, 0, 0).velocity.norm()};
}

TEST(PlanarBowlOnAMesh, is_approached_at_no_more_than_its_speed) {
  for (const std::string scheme : {"fefv", "dec"}) {
    const auto [coarse, coarse_speed] = after_a_period(scheme, 40, 2e-3);
    const auto [fine, fine_speed] = after_a_period(scheme, 80, 1e-3);
    EXPECT_LE(coarse, 0.2) << scheme;
    EXPECT_LE(fine, 0.12) << scheme;
    EXPECT_LE(std::max(coarse_speed, fine_speed), 1.3) << scheme;
  }
}

/// Over the volume 2 s after a dam at x = 4 m has broken: 0.1 m of water runs over a dry bed (Ritter 1892).
double distance_from_ritter(const std::string& scheme, int cells) {
  const double depth = 0.1, time = 2, wave = std::sqrt(gravity * depth);
  Configuration setup = {.mesh = fmt::format("rectangle:{}x4:10x{}", cells, 40.0 / cells),
                         .discretization = scheme,
                         .integrator = "ssprk3",
                         .advection = "vector-invariant",
                         .parameters = {{"dry_outflow", "closed"}}};
  setup.bed_depth = [=](const Vector3&) { return depth; };
  setup.initial.depth = [=](const Vector3& x) { return x.x() < 4 ? depth : 0; };
  Trial trial(setup);
  const int steps = 4 * cells;
  trial.prepare(time / steps);
  for (int step = 0; step < steps; ++step) trial.run(1);
  const Cells& at = trial.discretization->cells();
  double error = 0;
  for (Index i = 0; i < at.count(); ++i) {
    const double speed = (at.points(0, i) - 4) / time;
    const double exact = speed < -wave      ? depth
                         : speed < 2 * wave ? std::pow(2 * wave - speed, 2) / (9 * gravity)
                                            : 0;
    error += std::abs(trial.volume()[i] - at.area[i] * exact);
  }
  return error / trial.mass();
}

TEST(DamBreak, approaches_ritters_solution_over_a_dry_bed) {
  for (const std::string scheme : {"fefv", "dec"}) {
    const double coarse = distance_from_ritter(scheme, 100), fine = distance_from_ritter(scheme, 200);
    EXPECT_LT(coarse, 0.025) << scheme;
    EXPECT_LT(fine, 0.75 * coarse) << scheme;
  }
}

/// Of depths that are denormal the inverse is infinite, and times an impulse of zero no number: kinetic finite volumes leave such.
TEST(DryLand, takes_an_impulse_without_becoming_what_is_no_number) {
  for (const std::string scheme : {"fefv", "dec", "kinetic", "hllc"}) {
    Trial trial({.mesh = "rectangle:4x4:1x1", .discretization = scheme});
    trial.volume().setConstant(1e-310);
    trial.prepare(1e-3);
    Points impulse = Points::Zero(3, trial.surface.mesh.face_count());
    impulse.col(0) = Vector3(1e-310, 0, 0);
    trial.water->exchange(Vector::Zero(trial.volume().size()), impulse);
    Values velocity;
    trial.water->sample("velocity", velocity);
    EXPECT_TRUE(velocity.allFinite()) << scheme;
  }
}

/// A cell without water stays above zero in steps that are short enough for the speed of the water.
TEST(DryLand, stays_dry_where_its_outflow_is_closed) {
  for (const std::string scheme : {"fefv", "dec"}) {
    Trial trial = random_shore(scheme, "rectangle:24x24:1x1", "closed");
    const Cells& cells = trial.discretization->cells();
    for (Index i = 0; i < cells.count(); ++i)
      trial.volume()[i] =
          cells.area[i] * std::max(0.0, cells.bed[i] + (cells.points(0, i) < 0.5 ? 0.2 : -0.1));
    const double before = trial.mass();
    trial.prepare(0.1 / 24 / std::sqrt(gravity * 0.5));
    double lowest = 0;
    for (int step = 0; step < 1200; ++step) {
      trial.run(1);
      lowest = std::min(lowest, (trial.volume().array() / cells.area.array()).minCoeff());
    }
    EXPECT_GE(lowest, 0) << scheme;
    EXPECT_NEAR(trial.mass() / before, 1, 1e-12) << scheme;
  }
}

}  // namespace
}  // namespace shoal::test
