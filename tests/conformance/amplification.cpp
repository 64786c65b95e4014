// |z| and phase of every integrator compared with its own theory (IntegratorEntry::amplification), on eigenvectors of
// the scheme's own operators, over the whole stable range and slightly beyond.
#include "tests/support/amplification.hpp"
#include "solvers/wave_modes.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/catch.hpp"

#include <random>

using namespace shoal;
using namespace shoal::test;

namespace {

constexpr double amplitude = 1e-6;  // relative to H = 1: nonlinear terms are of this size

/// An integrator with parameters that change its theory.
struct Variant {
  std::string integrator;
  std::map<std::string, Value> parameters = {};
  int substeps = 0;

  std::string name() const {
    std::string text = integrator;
    for (const auto& [key, value] : parameters) text += ", " + key + " = " + to_string(value);
    return text + (substeps ? ", " + std::to_string(substeps) + " substeps" : "");
  }
};

/// Every listed integrator that has a theory with its defaults, and these.
std::vector<Variant> variants() {
  std::vector<Variant> all = {
      {"explicit", {}, 1},
      {"explicit", {}, 2},
      {"ssprk3", {}, 2},
      {"rk4", {}, 2},
      {"implicit-euler", {{"damping", 0.3}}},
      {"implicit-euler", {{"damping", 1.0}}},
      {"implicit-euler", {{"reference_depth", "mean"}}},
      {"implicit-euler", {{"divergence_term", "matrix"}}},
      {"implicit-euler", {{"divergence_term", "right-side"}}},
      {"implicit-euler", {{"divergence_term", "layton"}}},
      {"implicit-euler", {{"divergence_term", "layton"}, {"damping", 0.7}}},
      {"implicit-euler", {{"acceleration_gradient", "dropped"}}},
      {"newmark", {{"reference_depth", "local"}}},
      {"newmark", {{"reference_depth", "initial"}}},
      {"newmark", {{"reference_depth", "local"}, {"mass_rescale", "on"}}},
      {"newmark", {{"reference_depth", "local"}, {"depth_gradient", "exact"}}},
      {"newmark", {{"acceleration_gradient", "paper"}}},
      {"newmark", {{"rayleigh", 2.0}}},
      {"newmark", {{"rayleigh_stiffness", 0.01}}},
      {"newmark", {{"displacement_damping", 2.0}}},
      {"newmark", {{"rayleigh", 3.0}, {"rayleigh_stiffness", 0.02}, {"displacement_damping", 1.0}}},
      {"newmark-analytic", {{"velocity_rule", "midpoint"}}},
      {"newmark-analytic", {{"reference_depth", "mean"}}},
      {"semi-implicit", {{"theta", 0.6}}},
      {"semi-implicit", {{"theta", 1.0}}},
  };
  for (const IntegratorEntry& integrator : catalog().integrators)
    if (integrator.amplification) all.push_back({integrator.name});
  return all;
}

/// Those under test with this scheme.
std::vector<Variant> variants_with(const DiscretizationEntry& discretization) {
  std::vector<Variant> tested;
  for (const Variant& variant : variants())
    if (const IntegratorEntry& integrator = catalog().integrators.find(variant.integrator);
        is_tested(discretization, integrator) && integrator.incompatibility(discretization, {}).empty())
      tested.push_back(variant);
  return tested;
}

Configuration setup_for(const DiscretizationEntry& discretization, const Variant& variant) {
  return {.discretization = discretization.name,
          .integrator = variant.integrator,
          .parameters = variant.parameters,
          .substeps = variant.substeps};
}

/// The largest a = ωΔt up to which theory grows by no more than `growth` a step, at most `max_dt`; ω is kept and Δt varied. Next
/// to nothing where theory grows at any step.
double theoretical_limit(const Trial& simulation, double omega, double max_dt, double growth = 1e-9) {
  const double spacing = 1e-3 * max_dt;
  double a = spacing;
  while (a < max_dt && simulation.integrator_entry
                               .amplification({omega, a / omega, simulation.substeps, simulation.parameters})
                               .modulus <= 1 + growth)
    a += spacing;
  return a;
}

}  // namespace

TEST_CASE("amplitude and phase follow theory over the stable range and beyond its end", "[amplification]") {
  // Relative of |z|, in radians of the phase: near a double root √amplitude; where a step leaves 1/500 of a
  // wave the rounding of its remains shows as 2e-3.
  constexpr double tolerance = 3e-3;
  constexpr double largest_a = 20;  // if the stable range is unbounded
  for (const DiscretizationEntry& discretization : surface_schemes()) {
    if (!discretization.offers_capability<Wave>()) continue;
    if (variants_with(discretization).empty()) continue;
    const Trial still({.discretization = discretization.name});
    const WaveSpectrum spectrum(*still.discretization, still.forces, still.volume());
    const double highest = spectrum.highest_angular_frequency();
    std::vector<StandingWave> waves;
    for (const Index k : {spectrum.constant_modes(), spectrum.size() / 3, spectrum.size() - 1}) {
      const WaveModes mode = spectrum.modes(k, 1);
      waves.push_back({mode.angular_frequency[0], mode.elevation.col(0)});
    }
    for (const Variant& variant : variants_with(discretization)) {
      const Configuration setup = setup_for(discretization, variant);
      const double limit = theoretical_limit(Trial(setup), highest, largest_a);
      for (const StandingWave& wave : waves)
        for (const double part :
             {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.85, 0.9, 0.95, 0.99, 1.02, 1.1}) {
          if (part > 1 && &wave != &waves.back()) continue;  // the highest mode would outgrow the others
          Trial simulation(setup);
          const double dt = part * limit / highest;
          const Amplification expected = simulation.integrator_entry.amplification(
              {wave.angular_frequency, dt, simulation.substeps, simulation.parameters});
          const Amplification measured = measure_amplification(simulation, wave, amplitude, dt);
          INFO(discretization.name << " × " << variant.name() << ", ω = " << wave.angular_frequency
                                   << ", a = " << wave.angular_frequency * dt);
          CHECK(measured.modulus == Approx(expected.modulus).epsilon(tolerance));
          CHECK(std::abs(measured.phase - folded(expected.phase)) <= tolerance);
        }
    }
  }
}

TEST_CASE("the stable range ends where theory says, within five percent", "[amplification]") {
  constexpr double visible = 0.01;  // growth a step: within 2000 steps out of the smallest share of a wave
  for (const DiscretizationEntry& discretization : surface_schemes()) {
    if (!discretization.offers_capability<Wave>()) continue;
    if (variants_with(discretization).empty()) continue;
    const Trial still({.discretization = discretization.name});
    const double highest =
        WaveSpectrum(*still.discretization, still.forces, still.volume()).highest_angular_frequency();
    int limited = 0;
    for (const Variant& variant : variants_with(discretization)) {
      Configuration setup = setup_for(discretization, variant);
      setup.initial.depth = [](const Vector3& x) { return 1 + 1e-3 * std::sin(3 * x.x() + x.y()); };
      const double limit = theoretical_limit(Trial(setup), highest, 50);
      const auto grows = [&](double a) {
        Trial simulation(setup);
        simulation.prepare(a / highest);
        const double before = simulation.energy();
        for (int step = 0; step < 2000; ++step) {
          simulation.run(1);
          if (!(simulation.energy() <= 10 * before)) return true;
        }
        return false;
      };
      INFO(discretization.name << " × " << variant.name() << ", limit " << limit);
      // newmark with a local depth is neutral for vanishing waves only (see below).
      if (variant.integrator == "newmark" && setup.parameters.count("reference_depth") &&
          setup.parameters["reference_depth"] == Value("local"))
        continue;
      if (variant.parameters.count("divergence_term") &&
          variant.parameters.at("divergence_term") == Value("layton")) {
        CHECK(limit < 0.1);  // long waves grow, |z|² = (2−s)/(1+a²)
        CHECK(grows(0.5));
        continue;
      }
      CHECK_FALSE(grows(0.95 * limit));
      if (limit >= 50) continue;
      ++limited;
      CHECK(grows(std::max(1.05 * limit, theoretical_limit(Trial(setup), highest, 50, visible))));
    }
    if (tested_entries().empty())
      CHECK(limited >= 5);  // explicit and the Runge–Kutta methods, newmark-analytic by implicit Euler
  }
}

TEST_CASE("a reference depth that varies in space is stable at any step, one that varies in time is not",
          "[amplification][own]") {
  // Angst 2008, 3, requires a constant in space and time; constancy in space is not necessary.
  const std::string discretization = GENERATE("fefv", "dec");
  for (const auto& [reference, stable] :
       std::map<std::string, bool>{{"mean", true}, {"initial", true}, {"local", false}}) {
    Configuration setup{.discretization = discretization, .integrator = "newmark"};
    setup.parameters["reference_depth"] = reference;
    setup.initial.depth = [](const Vector3& x) { return 1 + 1e-3 * std::sin(3 * x.x() + x.y()); };
    Trial simulation(setup);
    simulation.prepare(20 * simulation.stable_dt());
    const double before = simulation.energy();
    bool grows = false;  // until the matrix is no longer positive definite, because a depth is not
    for (int step = 0; step < 5000 && !grows; ++step)
      grows = !simulation.step().ok || !(simulation.energy() < 1.1 * before);
    INFO(discretization << ", reference_depth = " << reference);
    CHECK(grows != stable);
  }
}

TEST_CASE("under steps of random length the highest wave grows as the product of its steps says",
          "[amplification][own]") {
  // c ← c + Δt·s, s ← s − Δt·ω²c: each step preserves a different quadratic form, and their product none.
  const std::string discretization = GENERATE("fefv", "dec");
  Trial simulation({.discretization = discretization, .integrator = "explicit", .substeps = 1});
  const WaveSpectrum spectrum(*simulation.discretization, simulation.forces, simulation.volume());
  const WaveModes mode = spectrum.modes(spectrum.size() - 1, 1);
  const double omega = mode.angular_frequency[0];
  const Vector shape = mode.elevation.col(0), area = simulation.discretization->cells().area;
  const Vector weight = area.cwiseProduct(shape);
  simulation.volume() += amplitude * weight;
  simulation.prepare(1 / omega);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(0, 0.9);
  double c = 1, s = 0, largest = 1;
  for (int step = 0; step < 200; ++step) {
    const double dt = part(random) * 2 / omega;
    REQUIRE(simulation.water->step(dt, simulation.clock).ok);
    c += dt * s;
    s -= dt * omega * omega * c;
    largest = std::max(largest, std::abs(c));
    const Vector elevation = simulation.water->volume() - area;  // times area, H = 1
    INFO(discretization << ", step " << step);
    CHECK(std::abs(shape.dot(elevation) / (amplitude * weight.dot(shape)) - c) < 1e-3 * largest);
  }
  CHECK(largest > 10);
}

TEST_CASE("newmark-analytic damps as theory up to 1.7 and is stable up to 2", "[amplification][own]") {
  const IntegratorEntry& entry = catalog().integrators.find("newmark-analytic");
  const Parameters parameters(entry.parameters, {});
  const auto modulus = [&](double a) { return entry.amplification({a, 1, 1, parameters}).modulus; };
  const auto formula = [](double a) { return std::sqrt((1 - a * a / 4) / (1 + a * a / 4)); };
  for (const double a : {0.1, 0.5, 1.0, 1.5, 1.7}) CHECK(modulus(a) == Approx(formula(a)).epsilon(1e-12));
  CHECK(modulus(1.999) < 1);
  CHECK(modulus(2) == Approx(1).epsilon(1e-12));
  CHECK(modulus(2.001) > 1);
}
