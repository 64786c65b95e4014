// A right side can be evaluated twice at once: nothing of an evaluation is stored in the scheme.
#include "solvers/right_side.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace shoal {
namespace {

/// Rates of several states, stable steps and energies, one after the other, in a work space of their own.
Vector evaluations(const test::Trial& trial, const Forcing& forcing, unsigned seed) {
  RightSide right_side(*trial.discretization);
  right_side.derive(forcing);
  State state = trial.state, rate = trial.zero();
  std::vector<double> values;
  for (unsigned i = 0; i < 5; ++i) {
    state[right_side.velocity()] = 0.1 * test::random_vector(right_side.velocity().size, seed + i);
    right_side.add(state, Terms::all(), 1, rate);
    values.push_back(right_side.stable_dt(state, Terms::all()));
    values.push_back(right_side.kinetic_energy(state));
    if (right_side.offered<OpensBoundaries>())
      values.push_back(right_side.opening_power(state, Term::advection | Term::coriolis));
  }
  Vector all(rate.q.size() + static_cast<Eigen::Index>(values.size()));
  all << rate.q, Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return all;
}

TEST(RightSide, has_the_same_bits_evaluated_by_two_threads_at_once_as_by_one) {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const bool closed : {false, true}) {
      test::Configuration setup{.mesh = "rectangle:24x16:3x2",
                                .discretization = scheme.name,
                                .integrator = "ssprk3",
                                .advection = scheme.transports_momentum() ? "none" : "vector-invariant"};
      if (closed && scheme.offers_capability<Split>()) setup.parameters = {{"dry_outflow", "closed"}};
      setup.rotation = {0, 0, 0.3};
      setup.boundaries = parse_boundaries("left = level 0.1; right = outflow; top = discharge 0.2");
      setup.bed_depth = [](const Vector3& x) { return 0.4 - 0.05 * x.x(); };
      setup.initial.depth = [](const Vector3& x) { return 0.4 - 0.05 * x.x() - 0.3 * (x.y() > 1.5); };
      setup.body_acceleration = [](const Vector3& x) { return Vector3(0.1, 0.2 * x.x(), 0); };
      const test::Trial trial(setup);
      Forcing turning = trial.forcing;
      turning.surface_velocity = Points::Zero(3, trial.surface.mesh.vertex_count);
      for (Index i = 0; i < turning.surface_velocity.cols(); ++i)
        turning.surface_velocity.col(i) = Vector3::UnitZ().cross(Vector3(trial.geometry.x.col(i)));

      const Vector first = evaluations(trial, trial.forcing, 1), second = evaluations(trial, turning, 100);
      EXPECT_TRUE(first.allFinite() && second.allFinite()) << scheme.name;
      for (int repetition = 0; repetition < 3; ++repetition) {
        Vector one, two;
        std::thread other([&] { two = evaluations(trial, turning, 100); });
        one = evaluations(trial, trial.forcing, 1);
        other.join();
        EXPECT_EQ(one, first) << scheme.name;
        EXPECT_EQ(two, second) << scheme.name;
      }
    }
}

}  // namespace
}  // namespace shoal
