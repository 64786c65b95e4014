// A basin with boundaries under every pair of the lists.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/trial.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace shoal::test {

inline constexpr double g = 9.81;

struct Setup {
  std::string discretization, integrator;
  std::string mesh = "rectangle:20x4:10x2";
  std::string boundaries = {};
  ScalarField bed = [](const Vector3&) { return 1.0; };
  Fields initial = {};
  std::function<Vector3(const Vector3&)> place = {};  ///< of the mesh in space
  double friction = 0;
  std::string advection = "none";
  bool dry_closed = false;         ///< dry_outflow
  std::string vorticity = "cell";  ///< of dec

  std::string name() const {
    return discretization + " × " + integrator + ", " + mesh + ", " + boundaries + ", " + advection + ", " +
           vorticity;
  }
  const DiscretizationEntry& scheme() const { return catalog().discretizations.find(discretization); }
  const IntegratorEntry& stepper() const { return catalog().integrators.find(integrator); }
};

class Basin {
 public:
  explicit Basin(const Setup& setup)
      : setup_(setup),
        surface_(load_surface(setup.mesh)),
        water_(surface_.mesh, placed(), setup.bed, forcing(setup.boundaries), setting(setup_),
               [&](const Discretization& scheme, const Forces&) { return scheme.project(setup.initial); }) {}

  static ShallowWaterSetting setting(const Setup& setup) {
    std::map<std::string, Value> values = {{"projection_tolerance", 1e-13}, {"vorticity", setup.vorticity}};
    if (setup.dry_closed) values["dry_outflow"] = "closed";
    return with_parameters(
        {.discretization = setup.scheme(),
         .integrator = setup.stepper(),
         .linear_solver =
             setup.stepper().uses_linear_solver ? &catalog().linear_solvers.find("multifrontal") : nullptr,
         .advection = setup.advection == "none" ? nullptr : &catalog().advections.find(setup.advection)},
        values);
  }

  Points placed() const {
    Points x = surface_.x;
    if (setup_.place)
      for (Index i = 0; i < x.cols(); ++i) x.col(i) = setup_.place(x.col(i));
    return x;
  }

  Forcing forcing(const std::string& boundaries) const {
    Forcing forcing{Vector::Constant(surface_.mesh.vertex_count, -g)};
    forcing.boundaries = parse_boundaries(boundaries);
    forcing.friction = setup_.friction;
    return forcing;
  }

  bool step(double dt) { return water_.step(dt, clock_).ok; }

  /// To `end`, in steps of half the stable one at the beginning or shorter.
  void run(double end, double part = 0.5) {
    const int steps = step_count(end, part * water_.stable_dt());
    for (int i = 0; i < steps; ++i) REQUIRE((step(end / steps) && water_.state().q.allFinite()));
  }

  /// To `end`, in steps of half the stable one at the time, after each of which visit() is called.
  template <class Visit>
  void run_until(double end, const Visit& visit) {
    step_until(
        end, [&] { return water_.time(); }, [&] { return 0.5 * water_.stable_dt(); },
        [&](double dt) {
          if (!step(dt) || !water_.state().q.allFinite()) return false;
          visit();
          return true;
        });
  }

  Vector elevation() const {
    const Cells& cells = water_.discretization().cells();
    return water_.volume().cwiseQuotient(cells.area) - cells.bed;
  }
  const Cells& cells() const { return water_.discretization().cells(); }
  Values sample(const std::string& output) const {
    Values values;
    water_.sample(output, values);
    return values;
  }
  ShallowWater* operator->() { return &water_; }
  const ShallowWater* operator->() const { return &water_; }
  const Surface& surface() const { return surface_; }

 private:
  Setup setup_;
  Surface surface_;
  ShallowWater water_;
  StageClock clock_;
};

inline bool possible(const Setup& setup) {
  const Parameters options = Basin::setting(setup).parameters;
  return setup.stepper().incompatibility(setup.scheme(), options).empty();
}

enum class Sides { open, periodic };  ///< of the rectangles; every scheme supports periodic ones

inline std::vector<Setup> possible_pairs(Sides sides = Sides::open) {
  std::vector<Setup> pairs;
  for (const DiscretizationEntry& scheme : surface_schemes()) {
    if (sides == Sides::open && !scheme.offers_capability<OpensBoundaries>()) continue;
    for (const IntegratorEntry& integrator : catalog().integrators)
      if (const Setup setup{scheme.name, integrator.name}; is_tested(scheme, integrator) && possible(setup))
        pairs.push_back(setup);
  }
  return pairs;
}

/// Those whose steps contain a flux that depends on the state.
inline std::vector<Setup> explicit_pairs(Sides sides = Sides::open) {
  std::vector<Setup> pairs;
  for (const Setup& setup : possible_pairs(sides))
    if (setup.stepper().explicit_terms.has(Term::gravity)) pairs.push_back(setup);
  return pairs;
}

/// One for each scheme: of the highest order up to this one, in whose steps others of higher order are no more stable.
inline std::vector<Setup> one_per_scheme(int highest_order = 3, Sides sides = Sides::open) {
  std::vector<Setup> setups;
  for (const DiscretizationEntry& scheme : surface_schemes()) {
    Setup best{scheme.name, ""};
    for (const Setup& pair : explicit_pairs(sides))
      if (pair.discretization == scheme.name && pair.stepper().claims.order <= highest_order &&
          (best.integrator.empty() || pair.stepper().claims.order > best.stepper().claims.order))
        best = pair;
    if (!best.integrator.empty()) setups.push_back(best);
  }
  return setups;
}

/// Those of `pairs`, and beside each the same with an advection that is a rate where one can be added.
inline std::vector<Setup> with_advection(const std::vector<Setup>& pairs) {
  std::vector<Setup> all;
  for (const Setup& pair : pairs)
    for (const AdvectionEntry& entry : catalog().advections) {
      if (entry.name != "none" && (!entry.is_rate || pair.scheme().transports_momentum())) continue;
      if (!entry.incompatibility(pair.scheme(), pair.stepper(), Basin::setting(pair).parameters).empty())
        continue;
      all.push_back(pair);
      all.back().advection = entry.name;
    }
  return all;
}

/// A hump of this width about x, which runs to the right on water of depth 1.
inline Fields packet(double amplitude, double x0, double width) {
  const auto hump = [=](const Vector3& x) {
    return amplitude * std::exp(-std::pow((x.x() - x0) / width, 2));
  };
  return {[=](const Vector3& x) { return 1 + hump(x); },
          [=](const Vector3& x) { return Vector3(std::sqrt(g) * hump(x), 0, 0); }};
}

}  // namespace shoal::test
