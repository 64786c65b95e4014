// Requirements on every numerical flux for finite volumes, alone and in its scheme. The fluxes are those of the
// listed schemes: a new flux is tested as soon as it is listed.
#include "discretizations/finite_volume.hpp"
#include "tests/support/riemann.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/trial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

using namespace shoal;
using namespace shoal::test;

namespace {

/// Waves and advection come together.
constexpr Terms flux_terms = Term::gravity | Term::advection;

/// visit(entry, scheme) for every finite-volume scheme under test, on a small mesh.
void for_each_flux(const std::function<void(const DiscretizationEntry&, const FiniteVolume&)>& visit) {
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry) || !entry.transports_momentum()) continue;
    const Trial simulation({.mesh = "rectangle:2x2", .discretization = entry.name, .integrator = "explicit"});
    const auto* scheme = dynamic_cast<const FiniteVolume*>(simulation.discretization.get());
    if (!scheme) continue;
    INFO(entry.name);
    visit(entry, *scheme);
  }
}

std::vector<std::string> finite_volume_schemes(bool positive_alone = false) {
  std::vector<std::string> names;
  for_each_flux([&](const DiscretizationEntry& entry, const FiniteVolume&) {
    if (entry.positive || !positive_alone) names.push_back(entry.name);
  });
  return names;
}

/// States of Froude numbers up to about 3 either way, some of them dry, in depths of several sizes.
class RandomStates {
 public:
  EdgeState operator()() {
    const double depth = part_(engine_) < 0.15 ? 0 : std::pow(10, -6 * part_(engine_));
    return {depth, speed(depth), speed(depth)};
  }

 private:
  double speed(double depth) {
    return 3 * (2 * part_(engine_) - 1) * std::sqrt(gravity * depth) + 0.1 * (part_(engine_) - 0.5);
  }
  std::mt19937_64 engine_{11};
  std::uniform_real_distribution<double> part_{0, 1};
};

std::string text_of(const EdgeState& state) {
  return fmt::format("(η, u, w) = ({:.6g}, {:.6g}, {:.6g})", state.depth, state.normal, state.tangential);
}
std::string text_of(const EdgeState& left, const EdgeState& right) {
  return text_of(left) + " | " + text_of(right);
}

/// Of many pairs of states, the one at which most is left of what should be at most 0.
void check_none(const std::string& what, const Largest& excess) {
  INFO(what << ", most of all at " << excess.where());
  CHECK(excess.value() <= 0);
}

/// What rounding may add to a flux between these states.
double rounding(const EdgeState& left, const EdgeState& right) {
  constexpr double operations = 50 * std::numeric_limits<double>::epsilon();
  const auto size = [](const EdgeState& state) {
    const double speed =
        std::abs(state.normal) + std::abs(state.tangential) + std::sqrt(gravity * state.depth);
    return state.depth * speed * (1 + speed);
  };
  const double u = std::abs(left.normal) + std::abs(right.normal);
  return operations * (1 + u) * (size(left) + size(right));
}

}  // namespace

TEST_CASE("a flux between equal states is that of the equations", "[conformance][flux]") {
  for_each_flux([](const DiscretizationEntry&, const FiniteVolume& scheme) {
    RandomStates random;
    Largest volume, momentum, tangential;
    for (int i = 0; i < 1000; ++i) {
      const EdgeState water = random();
      const EdgeFlux flux = scheme.edge_flux(water, water, gravity);
      const auto where = [&] { return text_of(water); };
      const double tolerance = rounding(water, water);
      volume.add(std::abs(flux.volume - water.volume_flux()) - tolerance, where);
      momentum.add(std::abs(flux.momentum - water.momentum_flux(gravity)) - tolerance, where);
      tangential.add(std::abs(flux.tangential - water.volume_flux() * water.tangential) - tolerance, where);
    }
    check_none("the flux of volume is wrong", volume);
    check_none("the flux of momentum is wrong", momentum);
    check_none("the flux of tangential momentum is wrong", tangential);
  });
}

TEST_CASE("seen from the other side a flux is the same", "[conformance][flux]") {
  for_each_flux([](const DiscretizationEntry&, const FiniteVolume& scheme) {
    RandomStates random;
    Largest volume, momentum, tangential;
    for (int i = 0; i < 1000; ++i) {
      const EdgeState left = random(), right = random();
      const EdgeFlux there = scheme.edge_flux(left, right, gravity),
                     back = scheme.edge_flux(right.mirrored(), left.mirrored(), gravity);
      const auto where = [&] { return text_of(left, right); };
      const double tolerance = rounding(left, right);
      volume.add(std::abs(there.volume + back.volume) - tolerance, where);
      momentum.add(std::abs(there.momentum - back.momentum) - tolerance, where);
      tangential.add(std::abs(there.tangential + back.tangential) - tolerance, where);
    }
    check_none("the flux of volume is another one from the other side", volume);
    check_none("the flux of momentum is another one from the other side", momentum);
    check_none("the flux of tangential momentum is another one from the other side", tangential);
  });
}

TEST_CASE("a flux is finite beside dry land and takes nothing out of it", "[conformance][flux]") {
  for_each_flux([](const DiscretizationEntry& entry, const FiniteVolume& scheme) {
    RandomStates random;
    Largest infinite, from_land, out_of_land;
    for (int i = 0; i < 2000; ++i) {
      const EdgeState water = random();
      EdgeState dry = random();
      dry.depth = 0;
      EdgeState land = water;
      land.depth = 0;
      const auto where = [&] { return text_of(water, dry); };
      const EdgeFlux out = scheme.edge_flux(water, dry, gravity), none = scheme.edge_flux(land, dry, gravity);
      infinite.add(std::isfinite(out.volume + out.momentum + out.tangential) ? 0 : 1, where);
      from_land.add(std::abs(none.volume) + std::abs(none.momentum) + std::abs(none.tangential), where);
      if (entry.positive) out_of_land.add(-out.volume, where);
    }
    check_none("the flux beside dry land is not finite", infinite);
    check_none("there is a flux between two dry sides", from_land);
    check_none("water leaves dry land", out_of_land);
  });
}

TEST_CASE("no more leaves across an edge than the bound of the speed says", "[conformance][flux]") {
  constexpr double factor = 1 + 1e-14;
  for_each_flux([&](const DiscretizationEntry& entry, const FiniteVolume& scheme) {
    RandomStates random;
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> part(0, 1);
    Largest speed, volume;
    for (int i = 0; i < 5000; ++i) {
      const EdgeState left = random(), right = random();
      EdgeState cut_left = left, cut_right = right;  // at the bed, which the bound ignores
      cut_left.depth *= part(engine);
      if (i % 2) cut_right.depth *= part(engine);
      const double bound = scheme.edge_speed(left, right, gravity);
      const auto where = [&] { return text_of(left, right); };
      speed.add(std::abs(left.normal) - bound, where);
      if (entry.positive)
        volume.add(scheme.edge_flux(cut_left, cut_right, gravity).volume -
                       (factor * bound * cut_left.depth + 1e-300),
                   where);
    }
    check_none("the speed is below |u|", speed);
    check_none("more leaves than the speed times the depth", volume);
  });
}

TEST_CASE("depths stay positive up to the bound where that is claimed", "[conformance][flux]") {
  constexpr double of_depth = 1e-15;  // rounding of a depth of 1 m that leaves a cell
  for (const std::string& name : finite_volume_schemes(true))
    for (const std::string mesh : {"icosphere:3", "rectangle:12x8:staggered"}) {
      INFO(name << " on " << mesh);
      Configuration setup{.mesh = mesh, .discretization = name, .integrator = "explicit"};
      std::mt19937_64 engine(5);
      std::uniform_real_distribution<double> depth(-0.3, 1), speed(-5, 5), bed(0, 1);  // from dry to deep
      setup.bed_depth = [&](const Vector3&) { return bed(engine); };
      setup.initial.depth = [&](const Vector3&) { return std::max(0.0, depth(engine)); };
      setup.initial.velocity = [&](const Vector3&) {
        return Vector3(speed(engine), speed(engine), speed(engine));
      };
      Trial simulation(setup);
      const Vector& area = simulation.discretization->cells().area;
      const double before = simulation.mass();
      double min_depth = 0;
      for (int step = 0; step < 50; ++step) {
        State next = simulation.state;
        simulation.discretization->add_rates(simulation.state, simulation.forces, flux_terms,
                                             simulation.stable_dt(), next);
        simulation.state = next;
        min_depth = std::min(min_depth, simulation.volume().cwiseQuotient(area).minCoeff());
      }
      CHECK(simulation.state.q.allFinite());
      CHECK(min_depth >= -of_depth);
      constexpr double of_mass = 1e-14;
      CHECK(std::abs(simulation.mass() / before - 1) <= of_mass);
    }
}

TEST_CASE("depths stay positive under the integrators that claim so", "[conformance][flux]") {
  // The bound is that of a step's first stage, and the flow may gain speed within it. Of the others dormand-prince takes
  // rusanov and hllc below zero here.
  constexpr double of_bound = 0.9, of_depth = 1e-15;
  for (const DiscretizationEntry& scheme : surface_schemes())
    for (const IntegratorEntry& integrator : catalog().integrators) {
      if (!scheme.positive || !integrator.claims.positive || !is_tested(scheme, integrator) ||
          !integrator.incompatibility(scheme, {}).empty())
        continue;
      INFO(scheme.name << " × " << integrator.name);
      double min_depth = 0;
      for (const unsigned seed : {5U, 6U, 7U}) {
        Configuration setup{
            .mesh = "icosphere:3", .discretization = scheme.name, .integrator = integrator.name};
        std::mt19937_64 engine(seed);
        std::uniform_real_distribution<double> depth(-0.3, 1), speed(-5, 5);  // from dry to deep
        setup.initial.depth = [&](const Vector3&) { return std::max(0.0, depth(engine)); };
        setup.initial.velocity = [&](const Vector3&) {
          return Vector3(speed(engine), speed(engine), speed(engine));
        };
        Trial simulation(setup);
        for (int step = 0; step < 30; ++step) {
          simulation.prepare(of_bound * simulation.substeps * simulation.stable_dt());
          simulation.run(1);
          min_depth =
              std::min(min_depth,
                       simulation.volume().cwiseQuotient(simulation.discretization->cells().area).minCoeff());
        }
        CHECK(simulation.state.q.allFinite());
      }
      CAPTURE(min_depth);
      CHECK(min_depth >= -of_depth);
    }
}

TEST_CASE("still water around islands stays still", "[conformance][flux]") {
  constexpr double tolerance = 1e-13;
  const ScalarField bed = [](const Vector3& x) {
    return 0.1 +
           0.3 * std::sin(5 * x.x() + 2) * std::cos(4 * x.y() - 3 * x.z());  // a part of it above the water
  };
  for (const std::string& name : finite_volume_schemes())
    for (const std::string mesh : {"icosphere:3", "rectangle:12x8:jittered"}) {
      INFO(name << " on " << mesh);
      Configuration setup{.mesh = mesh, .discretization = name, .integrator = "explicit"};
      setup.bed_depth = bed;
      setup.initial.depth = [&](const Vector3& x) { return std::max(0.0, bed(x)); };
      Trial simulation(setup);
      const Vector before = simulation.volume();
      CHECK((before.array() == 0).count() > 10);
      simulation.prepare(0.9 * simulation.substeps * simulation.stable_dt());
      simulation.run(200);
      CHECK((simulation.volume() - before)
                .cwiseQuotient(simulation.discretization->cells().area)
                .cwiseAbs()
                .maxCoeff() <= tolerance);
      CHECK(simulation.velocity().cwiseAbs().maxCoeff() <= tolerance);
    }
}

TEST_CASE("a symmetric flow stays symmetric", "[conformance][flux]") {
  constexpr double tolerance = 1e-12;  // 100 steps; the two halves round in different orders
  for (const std::string& name : finite_volume_schemes()) {
    INFO(name);
    Configuration setup{.mesh = "icosphere:3", .discretization = name, .integrator = "explicit"};
    setup.initial.depth = [](const Vector3& x) {
      return 1 + 0.5 * std::exp(-4 * (x.x() - 0.3) * (x.x() - 0.3)) * (1 + x.z());
    };
    Trial simulation(setup);
    const Mesh& mesh = simulation.surface.mesh;
    simulation.prepare(0.5 * simulation.substeps * simulation.stable_dt());
    simulation.run(100);
    const Vector depth = simulation.volume().cwiseQuotient(simulation.discretization->cells().area);
    // The icosahedron is its own mirror image in the plane y = 0.
    int pairs = 0;
    Largest asymmetry;
    for (Index k = 0; k < mesh.face_count(); ++k) {
      Vector3 mirror = simulation.geometry.centroid(mesh, k);
      mirror.y() = -mirror.y();
      for (Index j = 0; j < mesh.face_count(); ++j)
        if ((simulation.geometry.centroid(mesh, j) - mirror).norm() < 1e-9) {
          ++pairs;
          asymmetry.add(std::abs(depth[j] - depth[k]));
        }
    }
    CHECK(asymmetry.value() <= tolerance);
    CHECK(pairs == mesh.face_count());
  }
}

namespace {

/// A row of cells of 1 m, stepped by a flux only, with two states that meet in the middle.
class Row {
 public:
  Row(const FiniteVolume& scheme, const EdgeState& left, const EdgeState& right, int cells)
      : scheme_(scheme), water_(static_cast<std::size_t>(cells), left) {
    std::fill(water_.begin() + cells / 2, water_.end(), right);
  }

  /// One step of the bound, Δt = Δx/Σ s; its length. What rounding may add to the energy is taken off its growth.
  double step() {
    const std::size_t cells = water_.size();
    const auto at = [&](std::size_t i) { return water_[std::min(std::max<std::size_t>(i, 1), cells) - 1]; };
    Array<EdgeState> left, right, left_mirrored, right_mirrored;
    for (std::size_t i = 0; i <= cells; ++i) {
      left.push_back(at(i));
      right.push_back(at(i + 1));
      left_mirrored.push_back(at(i).mirrored());
      right_mirrored.push_back(at(i + 1).mirrored());
    }
    Array<EdgeFlux> fluxes;
    Array<double> of_left, of_right;
    scheme_.edge_fluxes(left, right, gravity, fluxes);
    scheme_.edge_speeds(left, right, gravity, of_left);
    scheme_.edge_speeds(right_mirrored, left_mirrored, gravity, of_right);
    const double speed = std::max(*std::max_element(of_left.begin(), of_left.end()),
                                  *std::max_element(of_right.begin(), of_right.end()));
    const EdgeFlux* flux = fluxes.data();
    const double dt = 0.5 / speed;
    const double kept = energy() - dt * (energy_flux(water_.back()) - energy_flux(water_.front()));
    for (std::size_t i = 0; i < cells; ++i) {
      EdgeState& water = water_[i];
      const double depth = water.depth + dt * (flux[i].volume - flux[i + 1].volume);
      const double normal = water.depth * water.normal + dt * (flux[i].momentum - flux[i + 1].momentum),
                   tangential =
                       water.depth * water.tangential + dt * (flux[i].tangential - flux[i + 1].tangential);
      min_depth_ = std::min(min_depth_, depth);
      water = depth > dry ? EdgeState{depth, normal / depth, tangential / depth}
                          : EdgeState{std::max(0.0, depth), 0, 0};
      if (depth <= dry) continue;
      largest_speed_ = std::max(largest_speed_, std::abs(water.normal));
      largest_tangential_ = std::max(largest_tangential_, std::abs(water.tangential));
    }
    constexpr double operations = 1e-13;
    growth_ = std::max(growth_, (energy() - kept) - operations * (energy() + kept));
    return dt;
  }

  double min_depth() const { return min_depth_; }
  double largest_speed() const { return largest_speed_; }
  double largest_tangential() const { return largest_tangential_; }
  double energy_growth() const { return growth_; }  ///< the largest in a step
  const std::vector<EdgeState>& water() const { return water_; }

 private:
  static constexpr double dry = 1e-12;  // m
  static double kinetic(const EdgeState& one) {
    return 0.5 * one.depth * (one.normal * one.normal + one.tangential * one.tangential);
  }
  static double energy_flux(const EdgeState& one) {
    return one.normal * (kinetic(one) + gravity * one.depth * one.depth);
  }
  double energy() const {
    double sum = 0;
    for (const EdgeState& one : water_) sum += kinetic(one) + 0.5 * gravity * one.depth * one.depth;
    return sum;
  }

  const FiniteVolume& scheme_;
  std::vector<EdgeState> water_;
  double min_depth_ = 1, largest_speed_ = 0, largest_tangential_ = 0,
         growth_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

TEST_CASE("between any two states a flux keeps to the speeds, depths and energies of the solution",
          "[conformance][flux]") {
  // Relative to the exact ones: the overshoot of the first steps at a jump.
  constexpr double overshoot = 1.08, rounding_of_depth = 1e-15, rounding_of_speed = 1e-9;
  constexpr int cells = 60, steps = 50;  // half of it is crossed at most
  const double depths[] = {0, 1e-4, 1e-2, 0.3, 1}, speeds[] = {-7, -3.13, -3, -1, 0, 0.5, 2.9, 3.2, 6};
  for_each_flux([&](const DiscretizationEntry&, const FiniteVolume& scheme) {
    Largest negative, speed, tangential, growth;
    for (const double depth_left : depths)
      for (const double depth_right : depths)
        for (const double left : speeds)
          for (const double right : speeds) {
            if (depth_left + depth_right == 0) continue;
            const RiemannSolution exact({depth_left, left}, {depth_right, right}, gravity);
            Row row(scheme, {depth_left, left, 1}, {depth_right, right, -1}, cells);
            for (int step = 0; step < steps; ++step) row.step();
            const auto where = [&] { return text_of({depth_left, left, 1}, {depth_right, right, -1}); };
            negative.add(-row.min_depth() - rounding_of_depth, where);
            speed.add(row.largest_speed() - overshoot * exact.largest_speed(), where);
            tangential.add(row.largest_tangential() - (1 + rounding_of_speed), where);
            growth.add(row.energy_growth(), where);
          }
    check_none("a depth is negative", negative);
    check_none("|u| exceeds 1.08 times that of the solution", speed);
    check_none("|w| exceeds that of both states", tangential);
    check_none("the energy grows", growth);
  });
}

TEST_CASE("two fans leave as much water between them as the solution", "[conformance][flux]") {
  constexpr double max_error =
      0.08;  // relative L1 of the depth on 400 cells: twice the error of the listed fluxes
  constexpr int max_steps = 20000;
  for_each_flux([&](const DiscretizationEntry&, const FiniteVolume& scheme) {
    for (const double speed : {1.0, 2.5, 2.9, 3.0, 3.13, 4.0, 6.0, 6.26, 7.0}) {
      Row row(scheme, {1, -speed, 0}, {1, speed, 0}, 400);
      double time = 0;
      const double end = 150 / (speed + std::sqrt(gravity));
      int steps = 0;
      while (time < end && ++steps < max_steps) time += row.step();
      REQUIRE(time >= end);
      const RiemannSolution exact({1, -speed}, {1, speed}, gravity);
      double error = 0, water = 0;
      for (int i = 0; i < 400; ++i) {
        const double depth = exact.at((i + 0.5 - 200) / time).depth;
        error += std::abs(row.water()[static_cast<std::size_t>(i)].depth - depth);
        water += depth;
      }
      CAPTURE(speed, error / water, row.largest_speed());
      CHECK(error <= max_error * water);
      CHECK(row.largest_speed() <= speed * (1 + 1e-9));
      CHECK(row.min_depth() > 0);
    }
  });
}

TEST_CASE("a film runs down a slope with the whole of its weight", "[conformance][flux]") {
  constexpr double tolerance = 0.02, depth = 0.01, length = 40;
  for (const std::string& name : finite_volume_schemes())
    for (const std::string layout : {"structured", "staggered", "jittered"})
      for (const double step_over_depth : {0.3, 1.0, 2.5, 10.0}) {
        INFO(name << ", " << layout << ", bed step " << step_over_depth << " depths");
        constexpr int cells_along = 80;
        const double slope = step_over_depth * depth / (length / cells_along);
        Configuration setup{
            .mesh = "rectangle:80x4:40x2:" + layout, .discretization = name, .integrator = "explicit"};
        setup.bed_depth = [&](const Vector3& x) { return 1 + slope * x.x(); };
        setup.initial.depth = [](const Vector3&) { return depth; };
        Trial simulation(setup);
        // Away from the walls, from which water leaves and at which it gathers.
        const auto in_the_middle = [&](Index k) {
          return std::abs(simulation.discretization->cells().points(0, k) - 0.75 * length) < 0.1 * length;
        };
        double time = 0;
        // Down a tenth of the channel.
        const double acceleration = gravity * slope, end = std::sqrt(2 * 0.1 * length / acceleration);
        step_until(
            end, [&] { return time; }, [&] { return 0.4 * simulation.stable_dt(); },
            [&](double dt) {
              State next = simulation.state;
              simulation.discretization->add_rates(simulation.state, simulation.forces, flux_terms, dt, next);
              simulation.state = next;
              time += dt;
              return next.q.allFinite();
            });
        Values velocity;
        simulation.discretization->sample(simulation.state, simulation.forces, "velocity", velocity);
        double momentum = 0, volume = 0;
        for (Index k = 0; k < simulation.volume().size(); ++k) {
          if (!in_the_middle(k)) continue;
          momentum += simulation.volume()[k] * velocity(0, k);
          volume += simulation.volume()[k];
        }
        CHECK(std::abs(momentum / volume / (acceleration * time) - 1) <= tolerance);
      }
}
