// A surface in parts, each of a thread of its own: every value and every sum is that of the whole, to the last bit.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/part.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thread_ranks.hpp"
#include "tests/support/trial.hpp"

#include <atomic>
#include <cmath>
#include <map>
#include <optional>

using namespace shoal;
using test::Configuration;
using test::Trial;

namespace {

constexpr int steps = 6;

ShallowWaterSetting setting_of(const Configuration& setup) {
  const Catalog& catalog = test::catalog();
  const IntegratorEntry& integrator = catalog.integrators.find(setup.integrator);
  return with_parameters(
      {.discretization = catalog.discretizations.find(setup.discretization),
       .integrator = integrator,
       .advection = setup.advection == "none" ? nullptr : &catalog.advections.find(setup.advection),
       .substeps = setup.substeps ? setup.substeps : std::max(1, integrator.default_substeps)},
      setup.parameters);
}

/// A motion by functions of the point's position at rest.
using MotionOfPoint = std::function<Vector3(const Vector3& rest, double time)>;

Motion motion_on(const Points& rest, const MotionOfPoint& of_point) {
  if (!of_point) return {};
  return [rest, of_point](double time, Points& x) {
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i) x.col(i) = of_point(rest.col(i), time);
  };
}

struct Diagnostics {
  double kinetic, potential, mean_elevation, stable_dt, work, source;
  bool operator==(const Diagnostics&) const = default;
};

Diagnostics diagnostics_of(const Trial& trial) {
  const Energy energy = trial.water->energy();
  const Ledger ledger = trial.water->ledger();
  return {energy.kinetic,           energy.potential,   energy.mean_elevation,
          trial.water->stable_dt(), ledger.work_forces, ledger.mass_source};
}

/// The elements of the state's entries that belong to this process, each as it is numbered in the whole.
template <class Visit>
void visit_own(const Trial& trial, const Visit& visit) {
  const Part& part = *trial.surface.mesh.part;
  const Cells& cells = trial.water->discretization().cells();
  for (const Field& field : trial.water->layout().fields()) {
    if (field.location == Location::boundary_set || field.location == Location::whole) {
      for (Index i = 0; i < field.size; ++i)
        visit(field, i / (field.size / field.components), i, field.offset + i);
      continue;
    }
    const Location at = place_of(field, cells);
    for (Index i = 0; i < field.size; ++i)
      if (const Index element = element_of(field, i, cells); part.own(at).has(element))
        visit(field, i / (field.size / field.components), part.in_whole(at)[element], field.offset + i);
  }
}

class Whole {
 public:
  Whole(Configuration setup, MotionOfPoint motion, double courant = 0.3)
      : setup_(std::move(setup)), motion_(std::move(motion)), surface_(load_surface(setup_.mesh)) {
    setup_.surface = surface_;
    setup_.motion = motion_on(surface_.x, motion_);
    trial_.emplace(setup_);
    dt_ = courant * trial_->substeps * trial_->stable_dt();
    trial_->prepare(dt_);
    trial_->run(steps);
    diagnostics_ = diagnostics_of(*trial_);
    for (const Field& field : trial_->water->layout().fields())
      for (Index i = 0; i < field.size; ++i) {
        const Index component = i / (field.size / field.components);
        const bool in_order = field.location == Location::boundary_set || field.location == Location::whole;
        place_[{field.offset, component,
                in_order ? i : element_of(field, i, trial_->water->discretization().cells())}] =
            field.offset + i;
      }
  }

  /// The number of values that differ, on so many ranks; and what is added up.
  int differences(int ranks, int layers, bool& same_sums) const {
    std::atomic<int> different = 0, values = 0;
    std::atomic<bool> same = true;
    test::on_ranks(ranks, [&](const std::shared_ptr<const Ranks>& of_rank) {
      Configuration setup = setup_;
      std::optional<Trial> with_layers;
      for (int margin = 0; !with_layers; margin = 2 * margin + 1) {
        setup.surface = part_of(surface_, of_rank, layers + margin, margin);
        setup.motion = motion_on(setup.surface->x, motion_);
        try {
          with_layers.emplace(setup);
        } catch (const TooFewLayers&) {
        }
      }
      Trial& trial = *with_layers;
      trial.prepare(dt_);
      trial.run(steps);
      if (!(diagnostics_of(trial) == diagnostics_)) same = false;
      const auto& fields = trial.water->layout().fields();
      visit_own(trial, [&](const Field& field, Index component, Index element, Index entry) {
        const Field& in_whole =
            trial_->water->layout().fields()[static_cast<std::size_t>(&field - fields.data())];
        const double here = trial.state.q[entry],
                     there = trial_->state.q[place_.at({in_whole.offset, component, element})];
        ++values;
        if (here != there) ++different;
      });
    });
    REQUIRE(values >= trial_->state.q.size() / 2);
    same_sums = same;
    return different;
  }

 private:
  Configuration setup_;
  MotionOfPoint motion_;
  Surface surface_;
  std::optional<Trial> trial_;
  double dt_ = 0;
  Diagnostics diagnostics_{};
  std::map<std::tuple<Index, Index, Index>, Index> place_;
};

/// With `sharp` one layer less is too few.
void check(const Configuration& setup, const MotionOfPoint& motion = {}, bool sharp = false) {
  const int layers = layers_of_step(setting_of(setup), setup.boundaries);
  CAPTURE(setup.discretization, setup.integrator, setup.linear_solver, setup.advection, setup.mesh, layers);
  const Whole whole(setup, motion);
  for (const int ranks : {2, 3, 4, 7}) {
    CAPTURE(ranks);
    bool same_sums = false;
    CHECK(whole.differences(ranks, layers, same_sums) == 0);
    CHECK(same_sums);
  }
  if (sharp) {
    bool same_sums = true;
    CHECK(whole.differences(4, layers - 1, same_sums) > 0);
  }
}

Configuration on_sphere(const std::string& scheme, const std::string& integrator,
                        const std::string& advection = "none") {
  Configuration setup;
  setup.mesh = "icosphere:4";
  setup.discretization = scheme;
  setup.integrator = integrator;
  setup.advection = advection;
  if (scheme == "fefv" && advection == "vector-invariant") setup.parameters["rotation"] = "plain";
  setup.bed_depth = [](const Vector3& x) { return 1 + 0.1 * x.y(); };
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * x.y() + 0.1 * std::sin(3 * x.x()) * x.z(); };
  setup.initial.velocity = [](const Vector3& x) { return Vector3(0.1 * Vector3(-x.y(), x.x(), 0.3)); };
  return setup;
}

bool works(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  return integrator.implicit_terms.empty() && integrator.incompatibility(scheme, {}).empty() &&
         test::is_tested(scheme, integrator);
}

}  // namespace

TEST_CASE("parts of a sphere step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators)
      if (works(scheme, integrator)) check(on_sphere(scheme.name, integrator.name));
}

TEST_CASE("the layers that a step needs are no more than it depends on", "[parts][own]") {
  for (const char* integrator : {"explicit", "ssprk3"}) check(on_sphere("fefv", integrator), {}, true);
  check(on_sphere("fefv", "ssprk3", "vector-invariant"), {}, true);
  check(on_sphere("dec", "ssprk3", "vector-invariant"), {}, true);
  for (const char* integrator : {"explicit", "ssprk2", "ssprk3"})
    check(on_sphere("hllc", integrator), {}, true);
}

TEST_CASE("parts project the rotation to the bits of the whole", "[parts][own]") {
  Configuration setup = on_sphere("fefv", "ssprk3", "vector-invariant");
  setup.parameters.clear();
  check(setup);
  setup.mesh = "torus:48x24";
  check(setup);
  setup.mesh = "rectangle:48x32:3x2";
  check(setup);
}

TEST_CASE("parts of a sphere take the substeps of the whole under error control", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes()) {
    const IntegratorEntry& integrator = test::catalog().integrators.find("dormand-prince");
    if (!works(scheme, integrator)) continue;
    Configuration setup = on_sphere(scheme.name, integrator.name);
    setup.parameters["error_tolerance"] = 1e-9;  // several substeps in each step
    check(setup);
  }
}

TEST_CASE("parts with dry land step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const std::string advection : {"none", "vector-invariant"}) {
      if (!works(scheme, test::catalog().integrators.find("ssprk3"))) continue;
      if (advection != "none" && scheme.transports_momentum()) continue;
      Configuration setup = on_sphere(scheme.name, "ssprk3", advection);
      const auto bed = [](const Vector3& x) { return 0.4 + 0.8 * x.z(); };
      setup.bed_depth = bed;
      setup.initial.depth = [bed](const Vector3& x) {
        return std::max(0.0, bed(x) + 0.1 * std::sin(3 * x.x()));
      };
      check(setup);
    }
}

TEST_CASE("parts move momentum to the bits of the whole", "[parts]") {
  if (!test::is_tested(test::catalog().discretizations.find("dec"))) return;
  for (const double level : {1.0, 0.4}) {  // without and with dry land
    Configuration setup = on_sphere("dec", "ssprk3", "vector-invariant");
    setup.parameters["advection_form"] = "momentum";
    const auto bed = [level](const Vector3& x) { return level + 0.8 * x.z(); };
    setup.bed_depth = bed;
    setup.initial.depth = [bed](const Vector3& x) {
      return std::max(0.0, bed(x) + 0.1 * std::sin(3 * x.x()));
    };
    check(setup);
  }
}

TEST_CASE("parts advect to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (!works(scheme, integrator) || scheme.transports_momentum()) continue;
      for (const AdvectionEntry& advection : test::catalog().advections)
        if (advection.name != "none" && advection_incompatibility(&advection, scheme, integrator, {}).empty())
          check(on_sphere(scheme.name, integrator.name, advection.name));
    }
}

TEST_CASE("parts of a torus and of rectangles step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const std::string integrator : {"explicit", "ssprk3"})
      for (const std::string mesh : {"torus:64x32", "rectangle:48x32:3x2", "rectangle:48x32:3x2:periodic"}) {
        if (!works(scheme, test::catalog().integrators.find(integrator))) continue;
        Configuration setup = on_sphere(scheme.name, integrator);
        setup.mesh = mesh;
        check(setup);
      }
}

TEST_CASE("parts with a sponge wider than some of them step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes()) {
    if (!works(scheme, test::catalog().integrators.find("ssprk3"))) continue;
    Configuration setup = on_sphere(scheme.name, "ssprk3");
    setup.mesh = "rectangle:48x32:3x2";
    setup.bed_depth = [](const Vector3&) { return 1.0; };
    setup.boundaries = parse_boundaries("left = sponge 2 1");
    check(setup);
  }
}

TEST_CASE("parts with open boundaries step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const std::string advection : {"none", "vector-invariant"}) {
      const IntegratorEntry& integrator = test::catalog().integrators.find("ssprk3");
      if (!works(scheme, integrator) || !scheme.offers_capability<OpensBoundaries>()) continue;
      if (advection != "none" && scheme.transports_momentum()) continue;
      Configuration setup = on_sphere(scheme.name, "ssprk3", advection);
      setup.mesh = "rectangle:48x32:3x2";
      setup.bed_depth = [](const Vector3&) { return 1.0; };
      setup.boundaries = parse_boundaries("left = level 0:0,1:0.1; right = outflow; top = discharge 0.3");
      check(setup);
      if (!scheme.transports_momentum()) continue;
      setup.parameters["reconstruction"] = "linear";
      check(setup);
    }
}

TEST_CASE("parts with friction at the bed step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const std::string integrator : {"explicit", "ssprk3"})
      for (const std::string advection : {"none", "vector-invariant"}) {
        if (!works(scheme, test::catalog().integrators.find(integrator))) continue;
        if (advection != "none" && scheme.transports_momentum()) continue;
        Configuration setup = on_sphere(scheme.name, integrator, advection);
        setup.parameters["manning"] = 0.1;
        check(setup);  // not sharp: what friction carries over its layers is lost to rounding
      }
}

TEST_CASE("parts of a surface that moves step to the bits of the whole", "[parts]") {
  const MotionOfPoint motion = [](const Vector3& x, double t) {
    return Vector3((1 + 0.1 * std::sin(2 * t) * x.z()) * x + t * Vector3(0.3, 0, 0.1));
  };
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const std::string integrator : {"explicit", "ssprk3"})
      for (const std::string advection : {"none", "vector-invariant", "semi-lagrangian"}) {
        const IntegratorEntry& entry = test::catalog().integrators.find(integrator);
        if (!works(scheme, entry) || !scheme.offers_capability<MovesWithSurface>()) continue;
        if (advection != "none" &&
            (scheme.transports_momentum() ||
             !advection_incompatibility(&test::catalog().advections.find(advection), scheme, entry, {})
                  .empty()))
          continue;
        check(on_sphere(scheme.name, integrator, advection), motion);
      }
}

TEST_CASE("parts that turn, and whose forces vary in space, step to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes()) {
    if (!works(scheme, test::catalog().integrators.find("ssprk3"))) continue;
    Configuration setup = on_sphere(scheme.name, "ssprk3");
    setup.rotation = Vector3(0, 0.2, 1);
    setup.normal_acceleration = [](const Vector3& x) { return -9.81 - x.x(); };
    setup.body_acceleration = [](const Vector3& x) { return Vector3(x.y(), 0.3, -x.x()); };
    check(setup);
  }
}

TEST_CASE("parts with flipped edges and merged cells step to the bits of the whole", "[parts]") {
  if (!test::is_tested(test::catalog().discretizations.find("dec"))) return;
  const MotionOfPoint motion = [](const Vector3& x, double t) {
    return Vector3((1 + 0.05 * std::sin(2 * t) * x.z()) * x + t * Vector3(0.3, 0, 0.1));
  };
  for (const std::string mesh : {"jittered-sphere:4", "uv-sphere:3", "rectangle:48x32:3x2:structured"})
    for (const std::string integrator : {"explicit", "ssprk3", "newmark", "semi-implicit"})
      for (const std::string advection : {"none", "vector-invariant", "semi-lagrangian"}) {
        const IntegratorEntry& entry = test::catalog().integrators.find(integrator);
        const DiscretizationEntry& scheme = test::catalog().discretizations.find("dec");
        if (!advection_incompatibility(
                 advection == "none" ? nullptr : &test::catalog().advections.find(advection), scheme, entry,
                 {})
                 .empty())
          continue;
        Configuration setup = on_sphere("dec", integrator, advection);
        setup.mesh = mesh;
        setup.parameters["dual"] = "intrinsic";
        if (!entry.implicit_terms.empty()) setup.linear_solver = "eigen-cg";
        check(setup);
        if (entry.implicit_terms.empty() && mesh != "rectangle:48x32:3x2:structured") check(setup, motion);
      }
}

TEST_CASE("parts solve linear equations to the bits of the whole", "[parts]") {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (integrator.implicit_terms.empty() || !integrator.incompatibility(scheme, {}).empty() ||
          !test::is_tested(scheme, integrator))
        continue;
      for (const char* solver : {"multifrontal", "eigen-cg"}) {
        if (!integrator.uses_linear_solver && solver != std::string("multifrontal")) continue;
        Configuration setup = on_sphere(scheme.name, integrator.name);
        if (integrator.uses_linear_solver) setup.linear_solver = solver;
        check(setup);
      }
    }
}
