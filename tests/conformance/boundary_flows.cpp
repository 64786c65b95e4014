// Flows through boundaries under every pair of the lists: still water stays still, waves leave, steady flows stay, and a
// periodic rectangle has no seam.
#include "tests/conformance/basin.hpp"

#include <numbers>

using namespace shoal;
using namespace shoal::test;

TEST_CASE("still water stays still between open boundaries, over any bed", "[boundaries]") {
  const ScalarField bumpy = [](const Vector3& x) {
    return 1 + 0.3 * std::sin(x.x() + 1) * std::cos(2 * x.y());
  };
  for (Setup setup : explicit_pairs())
    for (const char* mesh : {"rectangle:20x4:10x2", "rectangle:12x6:6x3:structured"}) {
      setup.mesh = mesh;
      setup.boundaries = "left = level 0; right = outflow; top = discharge 0";
      setup.bed = bumpy;
      setup.initial.depth = bumpy;
      INFO(setup.name());
      Basin basin(setup);
      for (int i = 0; i < 200; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
      constexpr double tolerance = 1e-12;
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
      CHECK(basin.sample("velocity").colwise().norm().maxCoeff() < tolerance * std::sqrt(g));
    }
}

TEST_CASE("a wave packet leaves through an outflow", "[boundaries]") {
  // 10 cells from the crest to 1/e of the amplitude. What the boundary cell, of half a cell's length, sends
  // back is of first order in kΔx on cells whose depth is located off the boundary.
  for (Setup setup : one_per_scheme()) {
    setup.mesh = "rectangle:160x4:40x1";
    setup.boundaries = "right = outflow";
    constexpr double amplitude = 1e-5, max_reflected = 0.05;
    setup.initial = packet(amplitude, 30, 2.5);
    INFO(setup.name());
    Basin basin(setup);
    const double energy = basin->energy().total();
    basin.run(20 / std::sqrt(g));
    const double reflected = basin.elevation().cwiseAbs().maxCoeff() / amplitude;
    CAPTURE(reflected);
    CHECK(reflected < max_reflected);
    const double booked = (basin->energy().total() - basin->ledger().work() - energy) / energy;
    CAPTURE(booked);
    CHECK(booked < 0.01);  // the hump has left, or is damped by the flux
    if (!setup.scheme().dissipative) CHECK(booked > -0.01);
  }
}

TEST_CASE("a level that is raised sends out a wave of that height", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    setup.mesh = "rectangle:200x4:50x1";
    constexpr double level = 1e-4, end = 12;
    setup.boundaries = "left = level 0:0,1:1e-4";  // over a second: no ringing behind the front
    INFO(setup.name());
    Basin basin(setup);
    basin.run(end);
    const Vector h = basin.elevation();
    const double front = std::sqrt(g) * (end - 1);
    double worst = 0;
    for (Index i = 0; i < h.size(); ++i)
      if (basin.cells().points(0, i) < front - 8) worst = std::max(worst, std::abs(h[i] / level - 1));
    CAPTURE(worst);
    CHECK(worst < 0.02);
    // The flux behind it is c h, the volume c h t.
    CHECK(basin->ledger().mass_source / 1000 == Approx(std::sqrt(g) * level * (end - 0.5)).epsilon(0.02));
  }
}

TEST_CASE("water that enters through a level goes on to a steady flow", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme()))
    for (const char* mesh : {"rectangle:40x4:10x1", "rectangle:40x4:10x1:structured"}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      setup.mesh = mesh;
      setup.boundaries = "left = level 0:0,2:0.1; right = outflow";
      INFO(setup.name());
      Basin basin(setup);
      const double crossing = 10 / std::sqrt(g);
      basin.run(30 * crossing);
      // Kinetic: h = L at the boundary, and so everywhere. With vector-invariant the water comes from rest
      // outside: h + v²/2g = L.
      const bool from_rest = !setup.scheme().transports_momentum();
      const Values velocity = basin.sample("velocity"), depth = basin.sample("depth_at_faces");
      double worst = 0;
      for (Index k = 0; k < depth.cols(); ++k) {
        const double x = basin->geometry().centroid(basin.surface().mesh, k).x();
        const double head = depth(0, k) - 1 + (from_rest ? velocity.col(k).squaredNorm() / (2 * g) : 0);
        if (x > 1 && x < 9) worst = std::max(worst, std::abs(head / 0.1 - 1));
      }
      CAPTURE(worst);
      CHECK(worst < 1e-3);
    }
}

TEST_CASE("a level far above sends out a bore at the speed of Rankine and Hugoniot", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    if (!setup.scheme().transports_momentum()) continue;
    setup.mesh = "rectangle:200x2:50x0.5";
    setup.boundaries = "left = level 0.5";
    INFO(setup.name());
    Basin basin(setup);
    constexpr double end = 8, depth = 1.5;
    basin.run(end);
    const double flux = (depth - 1) * std::sqrt(0.5 * g * depth * (depth + 1));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * flux * end).epsilon(0.01));
    const Vector h = basin.elevation();
    Largest error;
    for (Index i = 0; i < h.size(); ++i)
      if (basin.cells().points(0, i) < 0.7 * flux / 0.5 * end) error.add(std::abs(h[i] / 0.5 - 1));
    CHECK(error.value() < 0.01);
  }
}

TEST_CASE("a discharge outwards draws no water faster than its waves", "[boundaries]") {
  // Through one end, and through one side until the channel is nearly empty; without v·∇v too. dec without v·∇v goes wrong
  // at right-angled triangles whatever the boundary (open-boundaries.md): none are there on merged squares.
  for (Setup setup : with_advection(possible_pairs()))
    for (const auto& [mesh, boundaries] :
         {std::pair("rectangle:20x5:2.5x0.6", "left = discharge -0.5"),
          std::pair("rectangle:20x5:2.5x0.6:structured", "bottom = discharge -5")}) {
      setup.mesh = mesh;
      setup.boundaries = boundaries;
      setup.bed = [](const Vector3&) { return 0.3; };
      setup.initial.depth = setup.bed;
      INFO(setup.name());
      if (!boundary_incompatibility(setup.stepper(), parse_boundaries(boundaries)).empty() ||
          !setup.stepper().mass_drift(Basin::setting(setup).parameters).empty() ||
          !setup.stepper().carries_velocity)
        continue;
      Basin basin(setup);
      const double before = basin->volume().sum();
      double lowest = 1, fastest = 0;
      basin.run_until(1, [&] {
        lowest = std::min(lowest, basin->volume().cwiseQuotient(basin.cells().area).minCoeff());
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      });
      CHECK(lowest > 0);
      CHECK(fastest < 2 * std::sqrt(g * 0.3));  // of a dam that breaks
      const Ledger ledger = basin->ledger();
      constexpr double round_off = 1e-12;
      CHECK(basin->volume().sum() == Approx(before + ledger.mass_source / 1000).margin(round_off * before));
      CHECK(ledger.mass_lacking > 0);
    }
}

TEST_CASE("a discharge onto a film keeps its steps short enough for the water that it brings",
          "[boundaries]") {
  // 1.25 m²/s, whose critical depth is 0.54 m, onto 0.02 m.
  for (Setup setup : with_advection(one_per_scheme(3))) {
    if (setup.scheme().transports_momentum() && !setup.scheme().positive) continue;
    setup.mesh = "rectangle:20x4:2x0.4:structured";
    setup.boundaries = "left = discharge 0.5";
    setup.bed = [](const Vector3&) { return 0.02; };
    setup.initial.depth = setup.bed;
    INFO(setup.name());
    Basin basin(setup);
    double fastest = 0;
    basin.run_until(
        1, [&] { fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff()); });
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * basin->time()).epsilon(1e-12));
    CHECK(fastest <
          12);  // fefv with vector-invariant: 9 at the front, where u + 2c of the critical state is 7
  }
}

TEST_CASE("a level fills a dry basin through the critical state", "[boundaries]") {
  // What enters crosses the boundary with η = 0.5 m and u = √(gη) until what comes back from the wall drowns it.
  for (Setup setup : explicit_pairs()) {
    if (!setup.scheme().transports_momentum() || !setup.scheme().positive || !setup.stepper().claims.positive)
      continue;
    setup.mesh = "rectangle:16x4:4x0.5";
    setup.bed = [](const Vector3&) { return 0.5; };
    setup.initial.depth = [](const Vector3&) { return 0.0; };
    setup.boundaries = "left = level 0";
    INFO(setup.name());
    Basin basin(setup);
    constexpr double end = 0.8;
    for (int i = 0; i < 400; ++i) REQUIRE(basin.step(end / 400));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.5 * 0.5 * std::sqrt(g * 0.5) * end).epsilon(1e-9));
  }
}

TEST_CASE("a uniform flow stays between a discharge and a level", "[boundaries]") {
  for (Setup setup : with_advection(explicit_pairs())) {
    setup.boundaries = "left = discharge 0.6; right = level 0";
    setup.initial.velocity = [](const Vector3&) { return Vector3(0.3, 0, 0); };
    INFO(setup.name());
    Basin basin(setup);
    for (int i = 0; i < 400; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
    constexpr double tolerance = 1e-12;
    CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    CHECK(basin->ledger().mass_source == Approx(0).margin(1e-8));
  }
}

TEST_CASE("a uniform flow through a discharge forgets a disturbance", "[boundaries][slow]") {
  // Along x: waves across a channel have hardly a group velocity along it and take their time to leave. What is left falls with
  // the damping of the integrator, too, which a leapfrog does not have.
  constexpr double amplitude = 1e-3, end = 400;
  constexpr int order = 3;
  for (Setup setup : with_advection(one_per_scheme(order)))
    for (const double froude : {0.2, 0.9}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      const double tolerance = setup.stepper().claims.order < order ? 1e-5 : 1e-6;
      const double speed = froude * std::sqrt(g);
      setup.mesh = "rectangle:40x4:10x1:structured";
      setup.boundaries = "left = discharge " + std::to_string(speed) + "; right = level 0";
      setup.initial = {
          [=](const Vector3& x) { return 1 + amplitude * std::exp(-std::pow((x.x() - 4) / 1.5, 2)); },
          [=](const Vector3&) { return Vector3(speed, 0, 0); }};
      INFO(setup.name());
      Basin basin(setup);
      basin.run(end);
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    }
}

TEST_CASE("an inflow keeps a uniform flow, oblique and supercritical too", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme()))
    for (const double froude : {0.5, 1.5, 3.0}) {
      if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
      const double speed = froude * std::sqrt(g), across = 0.3 * speed;
      setup.mesh = "rectangle:16x4:4x1:structured:periodic-y";
      setup.boundaries = "left = inflow 1 " + std::to_string(speed) + " " + std::to_string(across) +
                         (froude > 1 ? "; right = outflow" : "; right = level 0");
      setup.initial.velocity = [=](const Vector3&) { return Vector3(speed, across, 0); };
      INFO(setup.name());
      Basin basin(setup);
      for (int i = 0; i < 400; ++i) REQUIRE(basin.step(0.4 * basin->stable_dt()));
      constexpr double tolerance = 1e-6;  // six digits of the speed are written
      CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    }
}

TEST_CASE("through an inflow a supercritical flow fills a channel", "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme())) {
    if (!setup.scheme().transports_momentum()) continue;  // the others have no bores
    setup.mesh = "rectangle:40x2:10x0.5:structured";
    setup.boundaries = "left = inflow 1 6; right = outflow";
    setup.initial.velocity = [](const Vector3&) { return Vector3(4, 0, 0); };
    INFO(setup.name());
    Basin basin(setup);
    basin.run(40);
    constexpr double tolerance = 1e-6;
    CHECK(basin.elevation().cwiseAbs().maxCoeff() < tolerance);
    const Values velocity = basin.sample("velocity");
    CHECK((velocity.row(0).array() - 6).abs().maxCoeff() < tolerance);
  }
}

TEST_CASE("a discharge ends in a flow that is the same through every section, and does not drift",
          "[boundaries]") {
  for (Setup setup : with_advection(one_per_scheme())) {
    // Without v·∇v a flow on dec grows waves where triangles are right-angled (d_T = 0: the depth is taken
    // from downstream), as at the ends of staggered rows; merged squares have equal shares.
    setup.mesh = setup.advection == "none" ? "rectangle:40x4:10x1:structured" : "rectangle:40x4:10x1";
    setup.boundaries = "left = discharge 0:0,2:0.1; right = outflow";
    INFO(setup.name());
    Basin basin(setup);
    const double crossing = 10 / std::sqrt(g);
    basin.run(10 * crossing);
    const auto check = [&] {
      const Values velocity = basin.sample("velocity"), depth = basin.sample("depth_at_faces");
      const Geometry& geometry = basin->geometry();
      double worst = 0;  // away from the ends, where dec's vectors miss the edge of the boundary
      for (Index k = 0; k < depth.cols(); ++k) {
        const double x = geometry.centroid(basin.surface().mesh, k).x();
        if (x > 1 && x < 9) worst = std::max(worst, std::abs(velocity(0, k) * depth(0, k) / 0.1 - 1));
      }
      CAPTURE(worst);
      CHECK(worst < 0.02);
    };
    check();
    const double volume = basin->volume().sum();
    basin.run(100 * crossing);
    check();
    CHECK(basin->volume().sum() == Approx(volume).epsilon(1e-3));
  }
}

TEST_CASE("a wave that has gone around a periodic rectangle is back, to the scheme's order", "[boundaries]") {
  for (Setup setup : one_per_scheme(3, Sides::periodic))
    for (const char* layout : {"periodic", "structured:periodic", "periodic-x"}) {
      INFO(setup.name() << layout);
      std::vector<double> sizes, errors;
      for (const int cells : {16, 32, 64}) {
        setup.mesh =
            "rectangle:" + std::to_string(cells) + "x4:8x" + std::to_string(32.0 / cells) + ":" + layout;
        const double k = 2 * std::numbers::pi / 8;
        constexpr double amplitude = 1e-6;
        const auto wave = [=](const Vector3& x) { return amplitude * std::sin(k * x.x()); };
        setup.initial = {[=](const Vector3& x) { return 1 + wave(x); },
                         [=](const Vector3& x) { return Vector3(std::sqrt(g) * wave(x), 0, 0); }};
        Basin basin(setup);
        const Vector before = basin.elevation();
        basin.run(8 / std::sqrt(g), 0.25);
        sizes.push_back(1.0 / cells);
        errors.push_back((basin.elevation() - before).norm() / before.norm());
      }
      CAPTURE(errors);
      CHECK(test::slope(sizes, errors) > (setup.scheme().dissipative ? 0.6 : 1.8));
    }
}

TEST_CASE("on a periodic rectangle data shifted by a cell give the solution shifted by a cell",
          "[boundaries]") {
  constexpr double width = 3, height = 2;
  std::vector<Setup> setups;
  for (const Setup& pair : explicit_pairs(Sides::periodic))
    for (const AdvectionEntry& entry : test::catalog().advections) {  // rates and transports
      if (!entry.incompatibility(pair.scheme(), pair.stepper(), Basin::setting(pair).parameters).empty())
        continue;
      setups.push_back(pair);
      setups.back().advection = entry.name;
    }
  for (Setup setup : setups) {
    setup.mesh = "rectangle:12x8:3x2:structured:periodic";
    INFO(setup.name());
    const auto solution = [&](const Vector3& shift) {
      setup.initial = {[=](const Vector3& x) {
                         const Vector3 y = x - shift;
                         return 1 + 0.1 * std::sin(2 * std::numbers::pi * y.x() / width) *
                                        std::cos(4 * std::numbers::pi * y.y() / height);
                       },
                       [=](const Vector3& x) {
                         return Vector3(0.1 * std::cos(2 * std::numbers::pi * (x - shift).y() / height), 0.05,
                                        0);
                       }};
      Basin basin(setup);
      for (int i = 0; i < 100; ++i) REQUIRE(basin.step(0.01));
      return std::pair(basin.elevation(), Points(basin.cells().points));
    };
    const Vector3 shift(0.25, 0.25, 0);
    const auto [plain, points] = solution(Vector3::Zero());
    const auto [shifted, same_points] = solution(shift);
    const auto key = [&](const Vector3& x) {  // in twelfths of a cell, wrapped
      const auto wrap = [](double t, double period) {
        const long n = std::lround(t / period * 1200);
        return ((n % 1200) + 1200) % 1200;
      };
      return std::pair(wrap(x.x(), width), wrap(x.y(), height));
    };
    std::map<std::pair<long, long>, double> at;
    for (Index i = 0; i < plain.size(); ++i) at[key(points.col(i) + shift)] = plain[i];
    double worst = 0;
    for (Index i = 0; i < shifted.size(); ++i)
      worst = std::max(worst, std::abs(at.at(key(points.col(i))) - shifted[i]));
    CHECK(worst < 1e-12);
  }
}
