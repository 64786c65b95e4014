// The order in Δt of every pair, at the order claimed by both; and the test's ability to distinguish orders up to 5.
#include "tests/support/order.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/integrators/runge_kutta.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace shoal;
using namespace shoal::test;

namespace {

constexpr double margin = 0.15;  // of a slope over two or three halvings

/// A smooth state with waves and flow, far from dry.
Fields waves(double amplitude) {
  Fields fields;
  fields.depth = [amplitude](const Vector3& x) {
    return 1 + amplitude * std::sin(2 * x.x() + 1) * std::cos(x.y() - x.z());
  };
  fields.velocity = [amplitude](const Vector3& x) {
    return Vector3(amplitude * Vector3(-x.y(), x.x(), 0.3));
  };
  return fields;
}

}  // namespace

TEST_CASE("the error falls with Δt at the claimed order", "[conformance]") {
  const bool linear = GENERATE(false, true);
  const bool uniform = GENERATE(true, false);
  // Where aₙ varies a uniform depth is no equilibrium: only the finite amplitude makes sense.
  if (!uniform && linear) return;
  for (const DiscretizationEntry& scheme : surface_schemes())
    for (const IntegratorEntry& integrator : catalog().integrators) {
      if (!is_tested(scheme, integrator) || !integrator.incompatibility(scheme, {}).empty()) continue;
      INFO(scheme.name << " × " << integrator.name << (linear ? ", linear" : ", finite amplitude")
                       << (uniform ? "" : ", varying normal acceleration"));
      Configuration setup{.mesh = "icosphere:1",
                          .discretization = scheme.name,
                          .integrator = integrator.name,
                          .parameters = {{"dual", "intrinsic"}},  // dec on meshes that are not Delaunay
                          .substeps = 1};
      const Claims claims = claims_of(scheme, integrator);
      const int claimed = linear ? claims.linear_order : claims.order;
      // Results at finite amplitude hold for small waves too, whose errors vanish in round-off at high orders.
      if (linear && integrator.claims.order >= 4 && claims.linear_order == claims.order) continue;
      // Small enough to hide nonlinear terms of lower order, otherwise large enough to exceed round-off.
      const double small = claims.linear_order > claims.order ? 1e-7 : 1e-3;
      setup.initial = waves(linear ? small : claimed >= 4 ? 0.2 : 0.05);
      if (!uniform)
        setup.normal_acceleration = [](const Vector3& x) {
          return -gravity * (1 + 0.2 * x.x() + 0.1 * x.y() * x.z());
        };
      const OrderInTime measured = order_in_time(setup, claimed);
      CAPTURE(measured.above_rounding);
      CHECK(measured.order >= claimed - margin);
      if (claimed >= 4) CHECK(measured.above_rounding >= min_above_rounding);
    }
}

namespace {

/// A force, rain and an acceleration that depend on the time, the place and the surface.
std::vector<TimedForce> forces_in_time() {
  const auto force = [](double time, const WaterNow& water, double share, ForceSum& sum) {
    Points& acceleration = sum.body_acceleration();
    Vector& normal = sum.normal_acceleration();
    for (Index i = 0; i < normal.size(); ++i) {
      const Vector3 x = water.geometry.x.col(i);
      acceleration.col(i) += share * Vector3(std::cos(11 * time) * x.y(), std::sin(9 * time), 0.4 * x.x());
      normal[i] += share * std::sin(12 * time) * x.x();
    }
    const Cells& cells = water.discretization.cells();
    Vector& inflow = sum.inflow(cells.count());
    for (Index i = 0; i < cells.count(); ++i)
      inflow[i] += share * 0.1 * cells.area[i] * (1 + std::sin(14 * time + cells.points(2, i)));
  };
  return {{.add = force}};
}

Configuration forced_in_time(const std::string& scheme, const std::string& integrator) {
  Configuration setup{.mesh = "icosphere:1",
                      .discretization = scheme,
                      .integrator = integrator,
                      .parameters = {{"dual", "intrinsic"}, {"projection_tolerance", 1e-13}},
                      .forces = forces_in_time(),
                      .initial = waves(0.05),
                      .substeps = 1};
  const DiscretizationEntry& entry = catalog().discretizations.find(scheme);
  const AdvectionEntry& advection = catalog().advections.find("vector-invariant");
  if (advection.incompatibility(entry, catalog().integrators.find(integrator), {}).empty())
    setup.advection = advection.name;
  return setup;
}

/// A surface whose points move tangentially and normally, each differently.
Motion swaying(const Points& rest) {
  return [rest](double time, Points& x) {
    x.resize(3, rest.cols());
    for (Index i = 0; i < rest.cols(); ++i) {
      const Vector3 X = rest.col(i);
      x.col(i) = (1 + 0.05 * std::sin(5 * time) * X.z()) * X +
                 Vector3(0.04 * std::sin(6 * time) * X.y(), 0, 0.03 * std::sin(4 * time + X.x()));
    }
  };
}

/// Whether its errors in time do not exceed those of another method, for steps from coarse to fine.
bool is_as_accurate_as(const std::string& other, const Configuration& setup) {
  constexpr double end = 0.25;
  const auto volume_after = [&](const std::string& integrator, int steps) -> Vector {
    Configuration one = setup;
    one.integrator = integrator;
    Trial trial(one);
    trial.prepare(end / steps);
    trial.run(steps);
    return trial.volume();
  };
  const Vector reference = volume_after(setup.integrator, 1024);
  for (const int steps : {16, 64})
    if ((volume_after(setup.integrator, steps) - reference).norm() >
        (volume_after(other, steps) - reference).norm())
      return false;
  return true;
}

}  // namespace

TEST_CASE("stages keep the order where forces, sources and boundary values depend on the time",
          "[conformance][slow]") {
  for (const DiscretizationEntry& scheme : surface_schemes())
    for (const IntegratorEntry& integrator : catalog().integrators) {
      if (!is_tested(scheme, integrator) || !integrator.incompatibility(scheme, {}).empty() ||
          !integrator.stages_in_time)
        continue;
      for (const bool open : {false, true})
        for (const bool moves : {false, true}) {
          if (!open && !moves) continue;  // the simplest of the four; left out to save a quarter of the time
          Configuration setup = forced_in_time(scheme.name, integrator.name);
          if (open) {
            setup.advection = "none";  // the heads of vector-invariant have a kink where the flow reverses
            setup.mesh = "rectangle:5x4:2x1.5";
            setup.boundaries = parse_boundaries(
                "left = discharge 0:0.1,0.25:0.4; right = outflow; top = level 0:0,0.25:0.1");
          }
          if (moves) setup.motion = swaying(load_surface(setup.mesh).x);
          if (integrator.claims.order >= 5 ||
              (integrator.claims.order >= 4 && scheme.transports_momentum())) {
            // Finite volumes, sinks and boundaries have kinks, and the velocity of a surface is a difference of order 4: those
            // errors are left where the method's are gone.
            CHECK(is_as_accurate_as("ssprk3", setup));
            continue;
          }
          const int claimed = claims_of(scheme, integrator).order;
          const OrderInTime measured = order_in_time(setup, claimed);
          INFO(scheme.name << " × " << integrator.name << (open ? ", open boundaries" : ", a sphere")
                           << (moves ? " that moves" : ""));
          CAPTURE(measured.above_rounding);
          CHECK(measured.order >= claimed - margin);
        }
    }
}

TEST_CASE("integrators that take what acts in the middle of a step keep their order", "[conformance]") {
  for (const DiscretizationEntry& scheme : surface_schemes())
    for (const IntegratorEntry& integrator : catalog().integrators) {
      if (!is_tested(scheme, integrator) || !integrator.incompatibility(scheme, {}).empty() ||
          integrator.stages_in_time || !integrator.carries_velocity ||
          !integrator.mass_drift(Parameters(integrator.parameters, {})).empty())
        continue;
      Configuration setup = forced_in_time(scheme.name, integrator.name);
      setup.advection = "none";
      const int claimed = std::min(2, claims_of(scheme, integrator).order);
      const OrderInTime measured = order_in_time(setup, claimed);
      INFO(scheme.name << " × " << integrator.name);
      CHECK(measured.order >= claimed - margin);
    }
}

TEST_CASE("a right side keeps a method of order 5 where it claims no limit, and only there",
          "[conformance]") {
  const IntegratorEntry& method = catalog().integrators.find("dormand-prince");
  for (const DiscretizationEntry& scheme : surface_schemes()) {
    if (!is_tested(scheme)) continue;
    const OrderInTime measured = order_in_time({.mesh = "icosphere:1",
                                                .discretization = scheme.name,
                                                .integrator = method.name,
                                                .parameters = {{"dual", "intrinsic"}},
                                                .initial = waves(0.2),
                                                .substeps = 1},
                                               method.claims.order);
    const Claims claims = claims_of(scheme, method);
    CAPTURE(scheme.name, measured.order, measured.above_rounding);
    INFO("a scheme whose rates have kinks says so by order_limit of its entry");
    if (claims.order == method.claims.order) {
      CHECK(measured.order >= claims.order - margin);
      CHECK(measured.above_rounding >= min_above_rounding);
    } else {
      CHECK(measured.order >= claims.order - margin);
      CHECK(measured.order < claims.order + 1);  // the claim is data too
    }
  }
}

TEST_CASE("the order that is measured of a method of order 5 is 5, and 4 of its neighbours of order 4",
          "[order][own]") {
  const Array<double> of_order_4 = {5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                                    187.0 / 2100,   1.0 / 40};
  for (const char* scheme : {"fefv", "dec"})
    for (const double share : {0.0, 0.1, 1.0}) {  // share of the order-4 weights in the order-5 weights
      RungeKuttaMethod neighbour = runge_kutta_methods().find("dormand-prince");
      Array<double>& b = neighbour.tableau.b;
      for (Index i = 0; i < b.size(); ++i) b[i] += share * (of_order_4[i] - b[i]);
      IntegratorEntry method = runge_kutta(neighbour);
      // Some amplify undamped waves, by (ωΔt)⁶/584: not within these few steps.
      method.unsupported = [](const DiscretizationEntry&, const Parameters&) { return std::string(); };
      const OrderInTime measured = order_in_time({.mesh = "icosphere:1",
                                                  .discretization = scheme,
                                                  .integrator_entry = &method,
                                                  .initial = waves(0.2),
                                                  .substeps = 1},
                                                 method.claims.order);
      CAPTURE(scheme, share, measured.order, measured.above_rounding);
      CHECK(measured.above_rounding >= min_above_rounding);
      CHECK(std::abs(measured.order - (share > 0 ? 4 : 5)) <= margin);
    }
}
