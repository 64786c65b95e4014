// What becomes of volumes and velocities where the geometry behind a scheme changes.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

constexpr double round_off = 1e-12;

/// A wave with a velocity field on a torus, whose vertices then go to `map` times their positions.
struct Moved {
  Moved(const std::string& scheme, const std::string& carried, const Eigen::Matrix3d& map) {
    surface = load_surface("torus:12x8");
    geometry = make_geometry(surface.mesh, surface.x);
    const DiscretizationEntry& entry = test::catalog().discretizations.find(scheme);
    ParameterInfos declared = entry.parameters;
    for (const ParameterInfo& info : describe_options<MovingSurfaceOptions>()) declared.push_back(info);
    const Parameters parameters(declared, {{"carried_velocity", carried}, {"dual", "intrinsic"}});
    discretization = entry.make(
        surface.mesh, geometry, [](const Vector3&) { return 1.0; }, parameters);
    state = discretization->project({[](const Vector3& x) { return 1 + 0.1 * x.x(); },
                                     [](const Vector3& x) { return Vector3(1 - x.y(), x.x(), 0.5); }});
    volume_before = state[discretization->volume()];
    discretization->sample(state, {}, "velocity", before);
    compute_geometry(surface.mesh, map * surface.x, geometry);
    offered<MovesWithSurface>(*discretization)->refresh(&state);
    discretization->sample(state, {}, "velocity", after);
  }

  Vector volume() const { return state[discretization->volume()]; }

  Surface surface;
  Geometry geometry;
  std::unique_ptr<Discretization> discretization;
  State state;
  Vector volume_before;
  Values before, after;
};

TEST(Moving, a_turned_surface_turns_its_velocity) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  for (const std::string scheme : {"fefv", "dec", "kinetic"})
    for (const std::string carried : {"barycentric", "rotated"}) {
      const Moved moved(scheme, carried, turn);
      EXPECT_LT((moved.after - turn * moved.before).lpNorm<Eigen::Infinity>(), 1e-11) << scheme << carried;
      EXPECT_EQ(moved.volume(), moved.volume_before);
    }
}

TEST(Moving, a_larger_surface_is_shallower_and_stretches_its_velocity_or_keeps_it) {
  for (const std::string scheme : {"fefv", "dec", "kinetic"})
    for (const std::string carried : {"barycentric", "rotated"}) {
      const Moved moved(scheme, carried, 1.5 * Eigen::Matrix3d::Identity());
      const double factor = carried == "barycentric" ? 1.5 : 1;
      EXPECT_LT((moved.after - factor * moved.before).lpNorm<Eigen::Infinity>(), 1e-11) << scheme << carried;
      EXPECT_EQ(moved.volume(), moved.volume_before);
      EXPECT_NEAR(moved.discretization->cells().area.sum(), moved.geometry.total_area(),
                  round_off * moved.geometry.total_area());
    }
}

TEST(Moving, operators_are_those_of_a_scheme_made_on_the_new_geometry) {
  Eigen::Matrix3d squeeze = Eigen::Matrix3d::Identity();
  squeeze(2, 2) = 0.8;
  const Eigen::Matrix3d enlarge = 1.3 * Eigen::Matrix3d::Identity();
  for (const auto& [scheme, map] : {std::pair("fefv", squeeze),
                                    {"kinetic", squeeze},
                                    {"dec", enlarge}}) {  // it keeps its flips, a new one would choose others
    const Moved moved(scheme, "barycentric", map);
    const auto fresh = test::catalog().discretizations.find(scheme).make(
        moved.surface.mesh, moved.geometry, [](const Vector3&) { return 1.0; },
        Parameters(test::catalog().discretizations.find(scheme).parameters, {{"dual", "intrinsic"}}));
    State rates = moved.state, expected = moved.state;
    for (const auto& [discretization, out] :
         {std::pair(moved.discretization.get(), &rates), {fresh.get(), &expected}}) {
      Forces forces;
      discretization->derive(
          {.normal_acceleration = Vector::Constant(moved.surface.mesh.vertex_count, -test::gravity),
           .rotation = {0.3, -0.1, 0.5}},
          forces);
      discretization->add_rates(moved.state, forces, Terms::all(), 0.1, *out);
      offered<TurnsVelocity>(*discretization)
          ->apply_coriolis(0.1, forces, *out, *discretization->make_scratch());
    }
    for (const Field& field : moved.discretization->layout().fields())
      EXPECT_LE((rates[field] - expected[field]).norm(), round_off * expected[field].norm())
          << scheme << " " << field.name;
  }
}

}  // namespace
}  // namespace shoal
