// Requirements on ShallowWater as a model, for every listed pair: variable steps, saving and resuming, adding and
// removing water, and a change of parts during a run.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/order.hpp"
#include "tests/support/stepping.hpp"
#include "tests/support/surfaces.hpp"

#include <cmath>
#include <optional>
#include <random>

using namespace shoal;
using test::Largest;

namespace {

struct Choice {
  std::string discretization, integrator;
  std::string linear_solver = "multifrontal";
  std::string advection = "none";
  std::string splitting = "";
  bool moves = false;
  std::map<std::string, Value> parameters = {};
  bool forced = false;

  std::string name() const {
    return discretization + " × " + integrator + ", " + linear_solver + ", " + advection + " " + splitting +
           (moves ? ", moving" : "");
  }
};

/// A ShallowWater on a sphere, given by names, with the objects to which it refers.
class Water {
 public:
  explicit Water(
      const Choice& choice, double amplitude = 0.1, int substeps = 3,
      const ScalarField& bed = [](const Vector3& x) { return 1 + 0.1 * x.y(); })
      : choice_(choice),
        surface_(load_surface("icosphere:2")),
        water_(surface_.mesh, surface_.x, bed, forcing(), setting(choice, substeps),
               [amplitude, bed](const Discretization& scheme, const Forces&) {
                 return scheme.project({[amplitude, bed](const Vector3& x) {
                                          return std::max(0.0,
                                                          bed(x) + amplitude * std::sin(2 * x.x()) * x.z());
                                        },
                                        [amplitude](const Vector3& x) {
                                          return Vector3(amplitude * Vector3(-x.y(), x.x(), 0.3));
                                        }});
               }) {}

  static ShallowWaterSetting setting(const Choice& choice, int substeps = 3) {
    const IntegratorEntry& integrator = test::catalog().integrators.find(choice.integrator);
    std::map<std::string, Value> values = choice.parameters;
    if (choice.moves) values.insert({"inertia", "on"});
    return with_parameters(
        {.discretization = test::catalog().discretizations.find(choice.discretization),
         .integrator = integrator,
         .linear_solver = integrator.uses_linear_solver
                              ? &test::catalog().linear_solvers.find(choice.linear_solver)
                              : nullptr,
         .advection =
             choice.advection == "none" ? nullptr : &test::catalog().advections.find(choice.advection),
         .splitting = choice.splitting.empty() ? nullptr : &test::catalog().splittings.find(choice.splitting),
         .substeps = integrator.default_substeps > 0 ? substeps : 1,
         .forced = choice.forced},
        values);
  }

  Forcing forcing() const { return {Vector::Constant(surface_.mesh.vertex_count, -9.81)}; }

  bool step(double dt) {
    if (choice_.moves) {
      const double swing = std::sin(3 * (water_.time() + dt));
      Points x = surface_.x;
      x.row(2) *= 1 + 0.1 * swing;
      x.row(0).array() += 0.1 * swing;
      water_.move_to(x, dt, clock_);
    }
    return water_.step(dt, clock_).ok;
  }

  ShallowWater* operator->() { return &water_; }
  const Surface& surface() const { return surface_; }

 private:
  Choice choice_;
  Surface surface_;
  ShallowWater water_;
  StageClock clock_;
};

const DiscretizationEntry& scheme_of(const Choice& choice) {
  return test::catalog().discretizations.find(choice.discretization);
}
const IntegratorEntry& integrator_of(const Choice& choice) {
  return test::catalog().integrators.find(choice.integrator);
}

std::vector<Choice> possible_pairs() {
  std::vector<Choice> pairs;
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      Parameters options(scheme.parameters, {});
      options.merge(Parameters(integrator.parameters, {}));
      if (test::is_tested(scheme, integrator) && integrator.incompatibility(scheme, options).empty())
        pairs.push_back({scheme.name, integrator.name});
    }
  return pairs;
}

/// On a surface at rest and, if the scheme follows one, on a surface that moves.
std::vector<bool> motions_of(const Choice& choice) {
  return scheme_of(choice).offers_capability<MovesWithSurface>() ? std::vector{false, true}
                                                                 : std::vector{false};
}

bool keeps_mass(const Choice& choice) {
  return integrator_of(choice).mass_drift(Water::setting(choice).parameters).empty();
}

/// A step at which every integrator is stable on this sphere.
constexpr double stable_step = 0.01;
constexpr double round_off = 1e-13;  // relative, of sums over 320 cells and some tens of steps

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && (a.array() == b.array()).all();
}

}  // namespace

TEST_CASE("steps of random length keep mass to round-off", "[model]") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(0.05, 1);
  for (Choice choice : possible_pairs())
    for (const bool moves : motions_of(choice)) {
      choice.moves = moves;
      if (!keeps_mass(choice)) continue;
      INFO(choice.name());
      Water water(choice);
      const double before = water->volume().sum();
      for (int i = 0; i < 40; ++i) REQUIRE(water.step(part(random) * stable_step));
      CHECK(std::abs(water->volume().sum() / before - 1) < round_off);
    }
}

TEST_CASE("steps of random length keep the order", "[model]") {
  // N steps whose lengths vary by a factor of three, the same proportions refined: each is cut into equal
  // parts.
  std::mt19937 random(2);
  std::uniform_real_distribution<double> part(0.5, 1.5);
  constexpr int coarsest = 8;
  constexpr double end = 0.08;
  std::vector<double> lengths;
  double sum = 0;
  for (int i = 0; i < coarsest; ++i) sum += lengths.emplace_back(part(random));
  for (const Choice& choice : possible_pairs()) {
    INFO(choice.name());
    const auto state_after = [&](int cuts) {
      Water water(choice, 0.1, 1);
      for (const double length : lengths)
        for (int i = 0; i < cuts; ++i) REQUIRE(water.step(end * length / sum / cuts));
      return Vector(water->volume());
    };
    const bool kinks = test::limited_by_kinks(scheme_of(choice), integrator_of(choice));
    const int cuts = kinks ? 8 : 2;  // eight numbers of cuts up to twice as many
    const Vector reference = state_after(32 * cuts);
    const auto error = [&](int n) { return (state_after(n) - reference).norm(); };
    const double coarse = test::typical_error(cuts, kinks, error),
                 fine = test::typical_error(2 * cuts, kinks, error);
    const int claimed = claims_of(scheme_of(choice), integrator_of(choice)).order;
    constexpr double tolerance =
        0.25;  // first-order methods against a reference of 16 times shorter steps: 1.1
    CHECK(std::log2(coarse / fine) > claimed - tolerance);
  }
}

TEST_CASE("saved and restored, a model goes on with the same bits", "[model]") {
  std::vector<Choice> choices;
  for (const Choice& pair : possible_pairs())
    for (const bool moves : motions_of(pair)) {
      choices.push_back(pair);
      choices.back().moves = moves;
      for (const AdvectionEntry& advection : test::catalog().advections) {
        if (advection.name == "none" || scheme_of(pair).transports_momentum() ||
            !advection.incompatibility(scheme_of(pair), integrator_of(pair), {}).empty())
          continue;
        choices.push_back(choices.back());
        choices.back().advection = advection.name;
        choices.back().splitting = "strang";
      }
    }
  for (const LinearSolverEntry& solver : test::catalog().linear_solvers)
    for (const Choice& pair : possible_pairs())
      if (solver.claims.same_bits && integrator_of(pair).uses_linear_solver)
        choices.push_back({pair.discretization, pair.integrator, solver.name, "none", "", true, {}});
  choices.push_back({"fefv", "newmark", "eigen-cg", "none", "", true, {{"start", "warm"}}});
  for (const Choice& choice : choices) {
    INFO(choice.name());
    const auto dt = [](int step) { return stable_step * (1 - 0.1 * (step % 3)); };
    Water whole(choice);
    Archive saved;
    for (int i = 0; i < 12; ++i) {
      if (i == 6) whole->save(saved);
      REQUIRE(whole.step(dt(i)));
    }
    Water resumed(choice);
    resumed->restore(saved);
    for (int i = 6; i < 12; ++i) REQUIRE(resumed.step(dt(i)));
    CHECK(same_bits(whole->state().q, resumed->state().q));
    CHECK(whole->time() == resumed->time());
    const Ledger a = whole->ledger(), b = resumed->ledger();
    CHECK(a.work_geometry == b.work_geometry);
    CHECK(a.work_forces == b.work_forces);
  }
}

TEST_CASE("a source and a sink: volume follows mass_source, or the pair refuses", "[model]") {
  for (Choice choice : possible_pairs())
    for (const bool moves : motions_of(choice)) {
      choice.moves = moves;
      INFO(choice.name());
      Water water(choice);
      Forcing forcing = water.forcing();
      const Vector& area = water->discretization().cells().area;
      forcing.inflow = Vector::Zero(area.size());
      forcing.inflow[3] = 2 * area[3];
      forcing.inflow[area.size() - 5] = -0.5 * area[area.size() - 5];
      water->set_forcing(forcing);
      if (!keeps_mass(choice)) {
        CHECK_THROWS_AS(water.step(stable_step), Refusal);
        continue;
      }
      const double before = water->volume().sum();
      for (int i = 0; i < 30; ++i) REQUIRE(water.step(stable_step));
      const double source = water->ledger().mass_source / 1000;
      constexpr double tolerance = 1e-12;
      CHECK(source == Approx(0.3 * forcing.inflow.sum()).epsilon(tolerance));
      CHECK(std::abs(water->volume().sum() - before - source) < tolerance * before);
      CHECK(std::isfinite(water->ledger().work_source));
      CHECK(water->ledger().work_source != 0);
    }
}

TEST_CASE("water and momentum that are exchanged are booked", "[model]") {
  for (const Choice& choice : possible_pairs()) {
    if (!keeps_mass(choice)) continue;
    INFO(choice.name());
    Water water(choice);
    for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
    Vector volume = Vector::Zero(water->discretization().cells().count());
    volume[7] = 1e-3;
    Points impulse;
    if (water->has_velocity()) {
      impulse.resize(3, water.surface().mesh.face_count());
      for (Index k = 0; k < impulse.cols(); ++k)
        impulse.col(k) = 1e-3 * Vector3::UnitZ().cross(water->geometry().centroid(water.surface().mesh, k));
    }
    // Σ x × (A η̄ v) about the z axis, per density.
    const auto angular_momentum = [&] {
      Values velocity, depth;
      water->sample("velocity", velocity);
      water->sample("depth_at_faces", depth);
      const Geometry& geometry = water->geometry();
      double sum = 0;
      for (Index k = 0; k < velocity.cols(); ++k)
        sum += geometry.face_area[k] * depth(0, k) *
               geometry.centroid(water.surface().mesh, k).cross(Vector3(velocity.col(k))).z();
      return sum;
    };
    const double before = water->volume().sum(), energy = water->energy().total();
    const double spin = water->has_velocity() ? angular_momentum() : 0;
    water->exchange(volume, impulse);
    if (water->has_velocity()) {
      double given = 0;
      for (Index k = 0; k < impulse.cols(); ++k)
        given += water->geometry().centroid(water.surface().mesh, k).cross(Vector3(impulse.col(k))).z();
      constexpr double reconstruction = 0.03;  // of dec's velocity on 162 vertices; the others 0.003
      CHECK(angular_momentum() - spin == Approx(given).epsilon(reconstruction));
    }
    CHECK(water->volume().sum() - before == Approx(1e-3).epsilon(1e-9));
    CHECK(water->ledger().mass_source == Approx(1.0).epsilon(1e-12));
    CHECK(water->ledger().work_source == Approx(water->energy().total() - energy).epsilon(1e-9));
    REQUIRE(water.step(stable_step));
  }
}

TEST_CASE("other parts in the middle of a run: mass exact and the jump of the energy booked", "[model]") {
  const std::vector<Choice> pairs = possible_pairs();
  for (const Choice& from : pairs)
    for (const Choice& to : pairs) {
      INFO(from.name() + " → " + to.name());
      Water water(from);
      for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
      const double volume = water->volume().sum(), energy = water->energy().total();
      const Vector cells = water->volume();
      water->change(Water::setting(to));
      CHECK(std::abs(water->volume().sum() / volume - 1) < round_off);
      CHECK(water->ledger().work_change ==
            Approx(water->energy().total() - energy).margin(1e-12 * std::abs(energy)));
      // Of a wave of wavelength 3 on 162 vertices, smoothed once.
      constexpr double largest_jump = 0.12;
      CHECK(water->energy().total() / energy < 1 + largest_jump);
      // A depth rate does not contain the rotational part of the flow.
      if (integrator_of(to).carries_velocity || !integrator_of(from).carries_velocity)
        CHECK(water->energy().total() / energy > 1 - largest_jump);
      if (from.discretization == to.discretization) CHECK(same_bits(cells, water->volume()));
      if (!keeps_mass(to)) continue;
      for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
      CHECK(std::abs(water->volume().sum() / volume - 1) < round_off);
    }
}

TEST_CASE("a change of one option keeps every unknown where cells and bed stay", "[model]") {
  const auto other_value = [](const ParameterInfo& info) -> std::optional<Value> {
    if (info.choices.size() > 1)
      return info.choices.back() == to_string(info.fallback) ? info.choices.front() : info.choices.back();
    const double* value = std::get_if<double>(&info.fallback);
    if (!value) return {};
    const double more = info.whole ? *value + 1 : 1.1 * *value + 1e-3;
    return more <= info.max ? more : 0.9 * *value;
  };
  std::vector<Choice> choices = possible_pairs();
  for (Choice& choice : choices)
    if (integrator_of(choice).uses_linear_solver) choice.linear_solver = "eigen-cg";
  int changed = 0;
  for (Choice choice : choices)
    for (const bool moves : motions_of(choice)) {
      choice.moves = moves;
      const ParameterInfos options = declared_parameters(Water::setting(choice));
      Water water(choice);
      for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
      for (const ParameterInfo& info : options) {
        const auto value = other_value(info);
        if (!value || (info.name == "inertia" && moves)) continue;
        INFO(choice.name() << ": " << info.name << " = " << to_string(*value));
        Choice other = choice;
        other.parameters = {{info.name, *value}};
        const Vector q = water->state().q, bed = water->discretization().cells().bed;
        const double volume = water->volume().sum();
        try {
          water->change(Water::setting(other));
          ++changed;
        } catch (const Refusal&) {  // some options rule a pair out
        }
        if (info.name != "dual" &&
            info.name != "vorticity") {  // which move the points of cells, where the bed is taken
          CHECK(water->discretization().cells().bed == bed);
          CHECK(same_bits(water->state().q, q));
        }
        water->change(Water::setting(choice));
        CHECK(std::abs(water->volume().sum() / volume - 1) < round_off);
      }
    }
  if (test::tested_entries().empty()) CHECK(changed > 100);
}

TEST_CASE("a change that cannot be leaves all as it was", "[model][own]") {
  Water water({"fefv", "ssprk3"});
  Forcing forcing = water.forcing();
  forcing.rotation = Vector3(0, 0, 1);
  water->set_forcing(forcing);
  for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
  Water undisturbed({"fefv", "ssprk3"});
  undisturbed->set_forcing(forcing);
  for (int i = 0; i < 3; ++i) REQUIRE(undisturbed.step(stable_step));
  const Choice newmark{"fefv", "newmark"}, unsplit{"dec", "explicit", "multifrontal", "none", "none"};
  for (const Choice& impossible : {newmark, unsplit}) {
    CHECK_THROWS_AS(water->change(Water::setting(impossible, 1)), Refusal);
  }
  for (int i = 0; i < 3; ++i) REQUIRE((water.step(stable_step) && undisturbed.step(stable_step)));
  CHECK(same_bits(water->state().q, undisturbed->state().q));
}

TEST_CASE("still water stays still over a bed where the scheme changes", "[model]") {
  for (const Choice& from : possible_pairs())
    for (const Choice& to : possible_pairs()) {
      INFO(from.name() + " → " + to.name());
      Choice start = from, next = to;
      start.parameters = next.parameters = {{"dual", "intrinsic"}};
      Water water(start, 0.0);
      water->change(Water::setting(next));
      const Cells& cells = water->discretization().cells();
      const Vector elevation = water->volume().cwiseQuotient(cells.area) - cells.bed;
      // The bed at circumcentres and at barycentres is not quite the same one: a uniform shift keeps the
      // volume.
      CHECK((elevation.array() - elevation.mean()).abs().maxCoeff() < round_off);
      CHECK(std::abs(elevation.mean()) < 1e-3);
    }
}

TEST_CASE("a lake with a shore stays still where the scheme changes", "[model]") {
  const ScalarField bed = [](const Vector3& x) { return 0.2 - 0.4 * x.z() + 0.1 * std::sin(5 * x.x()); };
  for (const Choice& from : possible_pairs())
    for (const Choice& to : possible_pairs()) {
      const auto steps = [](const Choice& choice) {  // also beside dry land
        return integrator_of(choice).explicit_terms.has(Term::gravity) &&
               integrator_of(choice).claims.positive &&
               (scheme_of(choice).positive || !scheme_of(choice).transports_momentum());
      };
      if (!steps(from) || !steps(to) || from.discretization == to.discretization) continue;
      INFO(from.name() + " → " + to.name());
      Choice start = from, next = to;
      start.parameters = next.parameters = {{"dual", "intrinsic"}};
      Water water(start, 0, 3, bed);
      for (int i = 0; i < 3; ++i) REQUIRE(water.step(stable_step));
      const double volume = water->volume().sum();
      water->change(Water::setting(next));
      CHECK(std::abs(water->volume().sum() / volume - 1) < round_off);
      CHECK(water->volume().minCoeff() >= 0);
      CHECK((water->volume().array() == 0).count() > water->volume().size() / 8);  // land
      for (int i = 0; i < 30; ++i) REQUIRE(water.step(stable_step));
      Values velocity;
      water->sample("velocity", velocity);
      constexpr double rest = 1e-12;  // m/s
      CHECK(velocity.colwise().norm().maxCoeff() < rest);
    }
}

TEST_CASE("a front keeps its place where the scheme changes", "[model]") {
  // Water with the depth max(0, ½ sin 2x z) on a flat bed.
  const auto exact = [](const Vector3& x) { return 0.5 * std::sin(2 * x.x()) * x.z(); };
  for (const std::string from : {"fefv", "dec", "hllc"})
    for (const std::string to : {"fefv", "dec", "hllc"}) {
      INFO(from << " → " << to);
      Water water({from, "ssprk3"}, 0.5, 3, [](const Vector3&) { return 0.0; });
      const double volume = water->volume().sum();
      const Choice next = {to, "ssprk3"};
      water->change(Water::setting(next));
      CHECK(std::abs(water->volume().sum() / volume - 1) < round_off);
      const Cells& cells = water->discretization().cells();
      Largest dry_depth, error;
      for (Index i = 0; i < cells.count(); ++i) {
        const double depth = water->volume()[i] / cells.area[i], given = exact(cells.points.col(i));
        if (given < -0.15) dry_depth.add(depth);
        if (given > 0.3) error.add(std::abs(depth / given - 1));
      }
      CHECK(dry_depth.value() < 1e-15);  // round-off of the level
      CHECK(error.value() < 0.15);
    }
}

TEST_CASE("the work of friction is booked, and the same however it is joined", "[model]") {
  for (Choice choice : possible_pairs()) {
    const IntegratorEntry& integrator = integrator_of(choice);
    if (!integrator.carries_velocity ||
        !splitting_incompatibility(test::catalog().splittings.find("none"), integrator, nullptr).empty())
      continue;
    std::vector<double> booked;
    for (const SplittingEntry& splitting : test::catalog().splittings) {
      choice.splitting = splitting.name;
      choice.parameters = {{"friction", 2.0}};
      INFO(choice.name());
      Water water(choice);
      const double before = water->energy().total();
      for (int i = 0; i < 80; ++i) REQUIRE(water.step(stable_step / 4));
      booked.push_back(water->ledger().work_forces);
      CHECK(booked.back() < -0.1 * before);
      constexpr double nonlinear = 0.02;  // waves of 0.1 H without v·∇v; a flux that damps adds its own
      if (!scheme_of(choice).dissipative)
        CHECK(-booked.back() == Approx(before - water->energy().total()).epsilon(nonlinear));
      water->change(Water::setting(possible_pairs().front()));
      CHECK(water->ledger().work_forces == booked.back());
    }
    constexpr double split_error = 0.02;  // of lie at cΔt = 0.005 over 80 steps: 0.01
    for (const double work : booked) CHECK(work == Approx(booked.front()).epsilon(split_error));
  }
}

TEST_CASE("energy less the work of forces and friction stays what it was", "[model]") {
  // Waves of small amplitude under a force that changes with time, and a friction that takes most of what the
  // force gives.
  for (Choice choice : possible_pairs()) {
    if (scheme_of(choice).dissipative || !integrator_of(choice).carries_velocity || !keeps_mass(choice))
      continue;
    for (const SplittingEntry& splitting : test::catalog().splittings) {
      if (!splitting_incompatibility(splitting, integrator_of(choice), nullptr).empty()) continue;
      choice.splitting = splitting.name;
      choice.parameters = {{"friction", 2.0}};
      choice.forced = true;
      INFO(choice.name());
      Water water(choice, 0.0, 1);
      Forcing forcing = water.forcing();
      constexpr int steps = 400;
      double given = 0;  // J, up to here at most
      for (int i = 0; i < steps; ++i) {
        const double push = 1e-3 * std::sin(7 * water->time());
        forcing.body_acceleration =
            Vector3(push, 2 * push, 0).replicate(1, water.surface().mesh.vertex_count);
        water->set_forcing(forcing);
        REQUIRE(water.step(stable_step / 4));
        given = std::max(given, water->energy().total());
      }
      const double left = water->energy().total() - water->ledger().work_forces;
      // The measure is exact for the midpoint rule; others differ from it by the error of a step.
      const bool exact = integrator_of(choice).claims.neutral && splitting.order < 2;
      CHECK(std::abs(left) < (exact ? 1e-4 : 0.05) * given);
    }
  }
}

TEST_CASE("what sources give is what the energy gains", "[model]") {
  // Water that enters in the north and leaves in the south of a sphere at rest. Skips damping fluxes.
  for (const Choice& choice : possible_pairs()) {
    if (scheme_of(choice).dissipative || !keeps_mass(choice)) continue;
    INFO(choice.name());
    constexpr int steps = 400;
    Water water(choice, 0.0, 1);
    Forcing forcing = water.forcing();
    const Cells& cells = water->discretization().cells();
    forcing.inflow = 0.1 * cells.area.cwiseProduct(cells.points.row(2).transpose());
    water->set_forcing(forcing);
    for (int i = 0; i < steps; ++i) REQUIRE(water.step(0.5 / steps));
    const double gained = water->energy().total(), given = water->ledger().work_source;
    CHECK(given > 0);
    // What theory leaves of the longest wave, ω = √(2g), after all steps.
    const auto& theory = integrator_of(choice).amplification;
    const double left =
        theory ? std::pow(
                     theory({std::sqrt(2 * 9.81), 0.5 / steps, 1, Water::setting(choice).parameters}).modulus,
                     2 * steps)
               : 1;
    constexpr double first_order = 0.02;  // explicit: the depth half a step ahead
    const bool damps = left < 1 - first_order;
    if (!damps) CHECK(gained == Approx(given).epsilon(first_order));
    if (damps) CHECK(gained < given);
  }
}

TEST_CASE("a change of scheme moves no water from one part of the surface to another", "[model]") {
  const Surface two = test::two_spheres("icosphere:2");
  const auto bed = [](const Vector3& p) { return 1 + 0.02 * p.x() * p.x() * p.x() + 0.3 * p.y() * p.y(); };
  std::vector<Choice> one_of_each;  // scheme, with the first integrator that it works with
  for (const Choice& pair : possible_pairs())
    if (one_of_each.empty() || one_of_each.back().discretization != pair.discretization)
      one_of_each.push_back(pair);
  for (const Choice& before : one_of_each)
    for (const Choice& after : one_of_each) {
      INFO(before.name() << " → " << after.name());
      ShallowWater water(
          two.mesh, two.x, bed, {Vector::Constant(two.mesh.vertex_count, -9.81)}, Water::setting(before),
          [&](const Discretization& scheme, const Forces&) {
            return scheme.project({[&](const Vector3& p) { return bed(p) + (p.x() > 2 ? 0.5 : 0.0); }, {}});
          });
      const auto right = [&] {
        double sum = 0;
        const Cells& cells = water.discretization().cells();
        for (Index i = 0; i < cells.count(); ++i)
          if (cells.points(0, i) > 2) sum += water.volume()[i];
        return sum;
      };
      const double volume = right();
      water.change(Water::setting(after));
      CHECK(right() == Approx(volume).epsilon(round_off));
    }
}
