// What every numerical flux of finite volumes must do, by itself and in its scheme. The fluxes are those of the list's
// schemes that have one: a new flux is tested by being listed.
#include "discretizations/finite_volume.hpp"
#include "tests/support/trial.hpp"

#include <catch2/catch.hpp>

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
  for (const DiscretizationEntry& entry : catalog().discretizations) {
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
    for (int i = 0; i < 1000; ++i) {
      const EdgeState water = random();
      const EdgeFlux flux = scheme.edge_flux(water, water, gravity);
      CAPTURE(water.depth, water.normal, water.tangential);
      const double tolerance = rounding(water, water);
      CHECK(std::abs(flux.volume - water.volume_flux()) <= tolerance);
      CHECK(std::abs(flux.momentum - water.momentum_flux(gravity)) <= tolerance);
      CHECK(std::abs(flux.tangential - water.volume_flux() * water.tangential) <= tolerance);
    }
  });
}

TEST_CASE("seen from the other side a flux is the same", "[conformance][flux]") {
  for_each_flux([](const DiscretizationEntry&, const FiniteVolume& scheme) {
    RandomStates random;
    for (int i = 0; i < 1000; ++i) {
      const EdgeState left = random(), right = random();
      const EdgeFlux there = scheme.edge_flux(left, right, gravity),
                     back = scheme.edge_flux(right.mirrored(), left.mirrored(), gravity);
      const double tolerance = rounding(left, right);
      CHECK(std::abs(there.volume + back.volume) <= tolerance);
      CHECK(std::abs(there.momentum - back.momentum) <= tolerance);
      CHECK(std::abs(there.tangential + back.tangential) <= tolerance);
    }
  });
}

TEST_CASE("a flux is finite beside dry land and takes nothing out of it", "[conformance][flux]") {
  for_each_flux([](const DiscretizationEntry& entry, const FiniteVolume& scheme) {
    RandomStates random;
    for (int i = 0; i < 2000; ++i) {
      const EdgeState water = random();
      EdgeState dry = random();
      dry.depth = 0;
      EdgeState land = water;
      land.depth = 0;
      CAPTURE(water.depth, water.normal, dry.normal);
      const EdgeFlux out = scheme.edge_flux(water, dry, gravity), none = scheme.edge_flux(land, dry, gravity);
      CHECK((std::isfinite(out.volume) && std::isfinite(out.momentum) && std::isfinite(out.tangential)));
      CHECK((none.volume == 0 && none.momentum == 0 && none.tangential == 0));
      if (entry.positive) CHECK(out.volume >= 0);
    }
  });
}

TEST_CASE("no more leaves across an edge than the bound of the speed says", "[conformance][flux]") {
  constexpr double factor = 1 + 1e-14;
  for_each_flux([&](const DiscretizationEntry& entry, const FiniteVolume& scheme) {
    RandomStates random;
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> part(0, 1);
    for (int i = 0; i < 5000; ++i) {
      const EdgeState left = random(), right = random();
      EdgeState cut_left = left, cut_right = right;  // at the bed, of which the bound knows nothing
      cut_left.depth *= part(engine);
      if (i % 2) cut_right.depth *= part(engine);
      const double bound = scheme.edge_speed(left, right, gravity);
      CAPTURE(left.depth, left.normal, right.depth, right.normal);
      CHECK(bound >= std::abs(left.normal));
      if (entry.positive)
        CHECK(scheme.edge_flux(cut_left, cut_right, gravity).volume <=
              factor * bound * cut_left.depth + 1e-300);
    }
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
      double least = 0;
      for (int step = 0; step < 50; ++step) {
        State next = simulation.state;
        simulation.discretization->add_rates(simulation.state, simulation.forces, flux_terms,
                                             simulation.stable_dt(), next);
        simulation.state = next;
        least = std::min(least, simulation.volume().cwiseQuotient(area).minCoeff());
      }
      CHECK(simulation.state.q.allFinite());
      CHECK(least >= -of_depth);
      constexpr double of_mass = 1e-14;
      CHECK(std::abs(simulation.mass() / before - 1) <= of_mass);
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
    for (Index k = 0; k < mesh.face_count(); ++k) {
      Vector3 mirror = simulation.geometry.centroid(mesh, k);
      mirror.y() = -mirror.y();
      for (Index j = 0; j < mesh.face_count(); ++j)
        if ((simulation.geometry.centroid(mesh, j) - mirror).norm() < 1e-9) {
          ++pairs;
          CHECK(std::abs(depth[j] - depth[k]) <= tolerance);
        }
    }
    CHECK(pairs == mesh.face_count());
  }
}
