// What a scheme without a capability is refused for.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

/// Still water: depth and a tangent vector per triangle, of which nothing changes, and no capability.
class Bare final : public Discretization {
 public:
  struct SchemeOptions {
    static Options<SchemeOptions> describe() { return {}; }
  };

  Bare(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters)
      : Discretization(mesh, geometry, parameters) {
    cells_.location = Location::face;
    cells_.area = geometry.face_area;
    cells_.points.resize(3, mesh.face_count());
    cells_.bed.resize(mesh.face_count());
    for (Index k = 0; k < mesh.face_count(); ++k) {
      cells_.points.col(k) = geometry.centroid(mesh, k);
      cells_.bed[k] = bed_depth(cells_.points.col(k));
      cells_.of_element.push_back(k);
    }
    set_layout("velocity", "m/s", Location::face, 3, mesh.face_count());
  }

  State project(const Fields& fields) const override {
    State state = zero_state(layout());
    Block volumes = state[volume()];
    for (Index k = 0; k < cells_.count(); ++k)
      volumes[k] = cells_.area[k] * (fields.depth ? fields.depth(cells_.points.col(k)) : 1.0);
    return state;
  }
  void add_rates(const State&, const Forces&, Terms, double, State&, Scratch&) const override {}
  double stable_dt(const State&, const Forces&, Terms, Scratch&) const override { return 1; }
  void add_velocity(const Points&, State&) const override {}
  double kinetic_energy(const State&, Scratch&) const override { return 0; }

 private:
  void derive_forces(const Vector&, const Forcing&, Forces&, Scratch&) const override {}
  std::unique_ptr<SchemeForces> make_forces() const override { return nullptr; }
};

class Refusals : public testing::Test {
 protected:
  Refusals() {
    entry.terms = Terms::all();
    entry.dissipative = true;
  }

  std::unique_ptr<ShallowWater> water(const Forcing& forcing) const {
    return std::make_unique<ShallowWater>(
        surface.mesh, surface.x, [](const Vector3&) { return 1.0; }, forcing,
        with_parameters({.discretization = entry,
                         .integrator = test::catalog().integrators.find(integrator),
                         .splitting = &test::catalog().splittings.find(splitting)},
                        parameters),
        [](const Discretization& scheme, const Forces&) { return scheme.project({}); });
  }
  Forcing gravity() const {
    return {.normal_acceleration = Vector::Constant(surface.mesh.vertex_count, -test::gravity)};
  }
  template <class Exception, class Action>
  static std::string reason(const Action& action) {
    try {
      action();
    } catch (const Exception& refusal) {
      return refusal.what();
    }
    return "nothing was refused";
  }

  DiscretizationEntry entry = describe_scheme<Bare>("bare", "still water");
  const Surface surface = load_surface("rectangle:4x4");
  std::string integrator = "ssprk3", splitting = "none";
  std::map<std::string, Value> parameters;
};

TEST_F(Refusals, still_water_is_stepped) {
  StageClock clock;
  EXPECT_TRUE(water(gravity())->step(0.1, clock).ok);
}

TEST_F(Refusals, a_surface_that_moves) {
  const auto still = water(gravity());
  StageClock clock;
  EXPECT_EQ(reason<Refusal>([&] { still->move_to(2 * surface.x, 0.1, clock); }),
            "bare requires a surface at rest");
}

TEST_F(Refusals, an_open_boundary) {
  Forcing forcing = gravity();
  forcing.boundaries = parse_boundaries("left = outflow");
  EXPECT_EQ(reason<SettingError>([&] { water(forcing); }), "boundaries: the scheme supports only walls");
}

TEST_F(Refusals, a_rotation_that_is_split_off) {
  Forcing forcing = gravity();
  forcing.rotation = {0, 0, 1};
  EXPECT_NO_THROW(water(forcing));
  splitting = "lie";
  EXPECT_EQ(
      reason<Refusal>([&] { water(forcing); }),
      "splitting = lie: bare offers no rotation of the velocity apart from its rates; use splitting = none");
}

TEST_F(Refusals, friction_at_the_bed) {
  parameters = {{"friction", 0.1}};
  EXPECT_NO_THROW(water(gravity()));
  parameters = {{"chezy", 50.0}};
  EXPECT_EQ(reason<Refusal>([&] { water(gravity()); }),
            "bare offers no friction at the bed; use manning = 0 and chezy = 0");
}

}  // namespace
}  // namespace shoal
