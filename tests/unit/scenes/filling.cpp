// Water that gathers at the lower end of a surface: the order in which a figure fills, and the shape of the water at
// rest.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/diagnostics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct Filling {
  explicit Filling(const std::string& text)
      : configuration(expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface(load_surface(test::catalog(), configuration)),
        simulation(test::catalog(), configuration, surface) {}

  bool step() {
    const bool more = simulation.steps_done() < simulation.steps();
    if (!more) return false;
    const StepReport report = simulation.step(clock);
    EXPECT_TRUE(report.ok) << report.reason;
    return report.ok;
  }
  Vector depth() const {
    Values values;
    simulation.water().sample("depth_at_vertices", values);
    return values.row(0).transpose();
  }
  /// The part of a region's vertices that are wet.
  double wet(const std::string& name) const {
    const SceneInstance& scene = simulation.scene();
    const auto region = std::find_if(scene.regions.begin(), scene.regions.end(),
                                     [&](const Region& one) { return one.name == name; });
    const Vector depths = depth();
    double count = 0;
    for (const Index i : region->vertices) count += depths[i] > scene.wet_depth;
    return count / region->vertices.size();
  }

  RunConfiguration configuration;
  Surface surface;
  Simulation simulation;
  StageClock clock;
};

const char* const schemes[] = {"discretization = 'fefv'\n", "discretization = 'dec'\n",
                               "discretization = 'kinetic'\n"};

TEST(FillFigure, fills_one_leg_then_the_other_then_rises) {
  for (const std::string scheme : schemes) {
    Filling figure(scheme + "scene = 'fill-figure'\nmesh = 'figure:700'\ndt = '1/30'\nend = 220\n");
    const SceneInstance& scene = figure.simulation.scene();
    ASSERT_EQ(scene.regions.size(), 6) << scheme;
    struct Event {
      std::string region;
      double share, time = -1;
    };
    std::vector<Event> events = {{"right leg", 0.8}, {"left leg", 0.1}, {"left leg", 0.8}, {"torso", 0.1}};
    double highest = 0;
    for (int count = 0; figure.step(); ++count) {
      if (count % 30 != 0) continue;
      highest = std::max(highest, figure.depth().maxCoeff());
      for (Event& event : events)
        if (event.time < 0 && figure.wet(event.region) >= event.share) event.time = figure.simulation.time();
    }
    double before = 0;
    for (const Event& event : events) {
      EXPECT_GT(event.time, before) << scheme << event.region << event.share;
      before = event.time;
    }
    EXPECT_LT(highest - scene.depth, 1.1 * 0.2) << scheme;
    const double poured = 0.05 * figure.simulation.time();
    EXPECT_NEAR(figure.simulation.water().volume().sum(), poured, 1e-12 * poured) << scheme;
    EXPECT_NEAR(figure.simulation.water().ledger().mass_source, 1000 * poured, 1e-9 * poured) << scheme;
  }
}

/// Without v·∇v, and with other numbers of vertices and substeps than those that happen to be calm, fefv piles spikes up to
/// twice and four times the level's depth.
TEST(FillFigure, keeps_to_the_level_on_any_mesh) {
  for (const auto& [setting, end] : {std::pair<std::string, int>("mesh = 'figure:700'\n", 60),
                                     {"mesh = 'figure:1346'\nsubsteps = 6\n", 60},
                                     {"mesh = 'figure:2400'\n", 60}}) {
    Filling figure("discretization = 'fefv'\nscene = 'fill-figure'\n" + setting +
                   "end = " + std::to_string(end) + "\n");
    const double level = figure.simulation.scene().depth + 0.2;
    double highest = 0;
    while (figure.step()) highest = std::max(highest, figure.depth().maxCoeff());
    EXPECT_LT(highest - figure.simulation.scene().depth, 1.1 * 0.2) << setting;
    EXPECT_GT(highest, 0.5 * level) << setting << "it has not gathered";
  }
}

/// A sink takes only existing water, leaves some for the outflow, and the ledger records the amount taken.
TEST(FillFigure, takes_nothing_out_where_it_is_dry) {
  for (const std::string scheme : schemes) {
    Filling dry(scheme +
                "scene = 'fill-figure'\nmesh = 'figure:700'\nend = 1\nparameters.discharge = -0.05\n");
    while (dry.step()) continue;
    EXPECT_EQ(dry.simulation.water().volume().sum(), 0) << scheme;
    EXPECT_EQ(dry.simulation.water().ledger().mass_source, 0) << scheme;
  }
  for (const std::string scheme : schemes) {
    Filling wet(scheme +
                "scene = 'fill-figure'\nmesh = 'figure:700'\nend = 10\nparameters.discharge = -0.5\n"
                "parameters.initial_elevation = '-0.15'\n");
    const double before = wet.simulation.water().volume().sum();
    double lowest = 0;
    while (wet.step()) lowest = std::min(lowest, wet.depth().minCoeff());
    const double taken = before - wet.simulation.water().volume().sum();
    EXPECT_GT(taken, 0.1) << scheme;
    EXPECT_LT(taken, 0.9 * 0.5 * 10) << scheme << "there is not as much as is asked for";
    EXPECT_NEAR(wet.simulation.water().ledger().mass_source, -1000 * taken, 1e-12 * 1000 * before) << scheme;
    EXPECT_GT(lowest, -0.01) << scheme;
  }
}

std::string setting_error(const std::string& text) {
  try {
    const Filling figure(text);
  } catch (const SettingError& error) {
    return error.setting() + ": " + error.what();
  }
  return "";
}

TEST(FillFigure, says_at_once_which_source_reaches_nothing) {
  const std::string figure = "mesh = 'figure:300'\n";
  EXPECT_EQ(
      setting_error(figure + "scene = 'fill-figure'\nparameters.source = '100,0,0'\n").rfind("source: ", 0),
      0U);
  EXPECT_EQ(setting_error(figure + "scene = 'fill-walking'\nparameters.second_source = '100,0,0'\n")
                .rfind("second_source: ", 0),
            0U);
  EXPECT_EQ(setting_error(figure + "scene = 'fill-figure'\n"), "");
}

// Where velocities of dry places grew without bound, these ended after 0.8 and 3.9 s with dec. The level is 0.4 m deep, and
// surges pile up to some three times that while water falls in from all sides.
TEST(Filling, goes_on_with_the_transport_of_momentum) {
  for (const std::string scheme : {"fefv", "dec"})
    for (const auto& [scene, end] :
         {std::pair<std::string, int>("scene = 'fill-figure'\nmesh = 'figure:700'\n", 2),
          {"scene = 'fill-shape'\nmesh = 'icosphere:4'\n", 5}}) {
      Filling filling("discretization = '" + scheme + "'\n" + scene +
                      "integrator = 'ssprk3'\nadvection = 'vector-invariant'\ndt = '1/60'\nend = " +
                      std::to_string(end) + "\n");
      const ShallowWater& water = filling.simulation.water();
      const double before = water.volume().sum();
      while (filling.step())
        if (!(filling.depth().maxCoeff() < 1.4)) break;
      EXPECT_LT(filling.depth().maxCoeff(), 1.4) << scheme << scene << filling.simulation.time();
      const double poured =
          filling.simulation.scene().coupling->sources.empty() ? 0 : 0.05 * filling.simulation.time();
      EXPECT_NEAR(water.volume().sum(), before + poured, 1e-12 * (before + poured)) << scheme << scene;
    }
}

/// At rest on a sphere that is pulled down by s everywhere aₙ∇h + ½η∇aₙ + a_τ = 0, with the angle φ from the lowest point
/// (g − s cos φ) dη/dφ = −s sin φ (R + ½η).
class PulledDown {
 public:
  PulledDown(double strength, double radius, double volume) : strength_(strength), radius_(radius) {
    double low = 0, high = 1e3;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (integrate(middle) > volume ? high : low) = middle;
    }
    integrate(low);
  }
  double depth(double angle) const {
    const double place = angle / std::numbers::pi * parts;
    const int i = std::min(static_cast<int>(place), parts - 1);
    return depth_[static_cast<std::size_t>(i)] * (i + 1 - place) +
           depth_[static_cast<std::size_t>(i) + 1] * (place - i);
  }

 private:
  static constexpr int parts = 2000;
  /// The depths above a lowest point with the depth `begin`, and their volume.
  double integrate(double begin) {
    constexpr double step = std::numbers::pi / parts;
    const auto slope = [&](double angle, double depth) {
      return -strength_ * std::sin(angle) * (radius_ + 0.5 * depth) / (9.81 - strength_ * std::cos(angle));
    };
    depth_.assign(1, begin);
    double volume = 0;
    for (int i = 0; i < parts; ++i) {
      const double angle = i * step, depth = depth_.back();
      const double middle = depth + 0.5 * step * slope(angle, depth);
      depth_.push_back(std::max(0.0, depth + step * slope(angle + 0.5 * step, middle)));
      volume += 2 * std::numbers::pi * radius_ * radius_ * std::sin(angle + 0.5 * step) * step * 0.5 *
                (depth + depth_.back());
    }
    return volume;
  }
  double strength_, radius_;
  std::vector<double> depth_;
};

/// Σ |V − A η| over the volume of a layer that has come to rest, pulled down by 1 m/s², or with `points` by 4 m/s² along ±y
/// to the nearer of two points, half of the water to each.
double distance_from_rest(const std::string& text, const std::string& points = "") {
  const bool apart = !points.empty();
  Filling sphere("scene = 'fill-shape'\ndt = '1/30'\nend = 60\n" + text +
                 "[parameters]\nfriction = 2\nartificial_acceleration = 'constant'\n" +
                 (apart ? "artificial_strength = 4\nartificial_points = '" + points + "'\n" : ""));
  while (sphere.step()) continue;
  const Cells& cells = sphere.simulation.discretization().cells();
  const ConstBlock volume = sphere.simulation.water().volume();
  const PulledDown exact(apart ? 4 : 1, 5, volume.sum() / (apart ? 2 : 1));
  double distance = 0;
  for (Index i = 0; i < cells.count(); ++i) {
    const double down = -cells.points(1, i) / cells.points.col(i).norm();
    const double angle = std::acos(std::clamp(apart ? std::abs(down) : down, -1.0, 1.0));
    distance += std::abs(volume[i] - cells.area[i] * exact.depth(angle));
  }
  return distance / volume.sum();
}

TEST(FillShape, leaves_water_at_rest_as_the_acceleration_balances_it) {
  for (const std::string scheme : {"fefv", "dec"})
    EXPECT_LT(distance_from_rest("mesh = 'icosphere:4'\ndiscretization = '" + scheme + "'\n"), 0.002)
        << scheme;
}

// The two caps end at dry shores, which are resolved to a cell.
TEST(FillShape, leaves_half_of_the_water_at_each_of_two_points) {
  for (const std::string scheme : {"fefv", "dec"}) {
    const auto distance = [&](int level) {
      return distance_from_rest(
          "discretization = '" + scheme + "'\nmesh = 'icosphere:" + std::to_string(level) + "'\n",
          "0,5e5,0;0,-5e5,0");
    };
    const double coarse = distance(3), fine = distance(4);
    EXPECT_LT(fine, 0.03) << scheme;
    EXPECT_GT(coarse / fine, 1.8) << scheme;
  }
}

// Its pressure and the force balance to first order only: the flux does not preserve states of rest between them.
TEST(FillShape, comes_near_that_with_the_kinetic_scheme_to_first_order) {
  const auto distance = [](int level) {
    return distance_from_rest("discretization = 'kinetic'\nmesh = 'icosphere:" + std::to_string(level) +
                              "'\n");
  };
  const double coarse = distance(3), fine = distance(4);
  EXPECT_LT(fine, 0.08);
  EXPECT_GT(coarse / fine, 1.8);
}

/// Quantities that require a depth are not measured without one.
TEST(FillWalking, is_measured_while_it_is_dry) {
  for (const char* name : {"absolute_circulation", "potential_enstrophy"}) {
    Filling figure("scene = 'fill-walking'\nmesh = 'figure:700'\ndt = '1/60'\nend = 0.5\n");
    const std::vector<double> values = test::series(figure.simulation, name);
    EXPECT_EQ(values.size(), 30) << name;
    for (const double value : values) EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

/// The thesis's fig. 7.1 c to f: a leg and an arm, which carry their sources along as they swing.
TEST(FillWalking, fills_the_limbs_with_the_sources) {
  Filling figure("scene = 'fill-walking'\nmesh = 'figure:700'\ndt = '1/60'\nend = 8\n");
  while (figure.step()) {
  }
  const double inflow = 2 * 0.05 * 8;
  EXPECT_NEAR(figure.simulation.water().volume().sum(), inflow, 1e-12 * inflow);
  EXPECT_TRUE(figure.depth().allFinite());
  EXPECT_GT(figure.wet("left leg"), 0.05);
  EXPECT_GT(figure.wet("left arm"), 0.05);
  EXPECT_EQ(figure.wet("right leg"), 0);
  EXPECT_EQ(figure.wet("right arm"), 0);
}

/// Newton's law throws the water off the limbs that swing, 15 times as deep as the level.
TEST(FillWalking, keeps_its_water_on_the_limbs) {
  Filling figure("scene = 'fill-walking'\nmesh = 'figure'\nend = 20\n");
  double highest = 0;
  while (figure.step()) highest = std::max(highest, figure.depth().maxCoeff());
  EXPECT_LT(highest, 2 * 0.4);
}

/// The shore of water pulled down from the top of a sphere is a circle, whose angle follows from the wet fraction.
TEST(Shoreline, goes_as_far_in_a_step_as_the_circle_that_it_is) {
  static constexpr double radius = 5;
  const std::string text =
      "scene = 'fill-shape'\nmesh = 'icosphere:5'\nend = 10\n[parameters]\nwet_depth = 0.05\nfriction = 3\n";
  const auto along_the_run = [&](const std::string& name) {
    Filling sphere(text);
    return test::series(sphere.simulation, name);
  };
  const Surface surface = Filling(text).surface;
  double edge = 0;
  for (Index e = 0; e < surface.mesh.edge_count(); ++e)
    edge += (surface.x.col(surface.mesh.edges(0, e)) - surface.x.col(surface.mesh.edges(1, e))).norm() /
            surface.mesh.edge_count();
  const std::vector<double> step = along_the_run("shoreline_step"), wet = along_the_run("wet_shape");
  double way = 0, angle = 0;
  for (std::size_t i = 1; i < step.size(); ++i) {
    if (wet[i - 1] > 0.8) continue;  // while the circle is small its pieces come and go
    way += step[i] * edge;
    angle += std::acos(1 - 2 * wet[i]) - std::acos(1 - 2 * wet[i - 1]);
  }
  EXPECT_LT(angle, -0.3);
  EXPECT_GT(way, -0.97 * radius * angle);
  EXPECT_LT(way, -1.5 * radius * angle) << "the farthest point of each step counts, but not that much";
}

TEST(Shoreline, tells_the_water_that_is_too_shallow) {
  const auto hidden = [](double wet_depth) {
    Filling sphere(fmt::format(
        "scene = 'fill-shape'\nmesh = 'icosphere:2'\nend = 0.1\n[parameters]\nlayer = 0.1\nwet_depth = {}\n",
        wet_depth));
    const double volume = sphere.simulation.water().volume().sum();
    return test::series(sphere.simulation, "shallow_volume").front() / volume;
  };
  EXPECT_NEAR(hidden(0.2), 1, 1e-12);
  EXPECT_EQ(hidden(0.05), 0);
}

}  // namespace
}  // namespace shoal
