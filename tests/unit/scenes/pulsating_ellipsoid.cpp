// The formulas of the flow on a pulsating ellipsoid satisfy the equations, by finite differences.
#include "experiments/scenes/pulsating_ellipsoid.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace shoal {
namespace {

constexpr double step = 1e-5;       // central differences: an error of 1e-10 times third derivatives
constexpr double tolerance = 1e-7;  // those reach 1e3

const double times[] = {0.13, 0.7, 1.9};

std::vector<Vector3> points() {
  return {Vector3(0.3, -0.5, 0.8).normalized(), Vector3(-0.9, 0.1, 0.2).normalized(),
          Vector3(0.1, 0.7, -0.4).normalized()};
}

/// From a point of the sphere along a tangent t, on the sphere.
Vector3 moved(const Vector3& x, const Vector3& t) {
  return (x + t).normalized();
}

/// The change of area of the sphere under F, from two small tangents.
double stretch(const EllipsoidFlow& flow, const Vector3& x, double time) {
  const Vector3 a = x.unitOrthogonal(), b = x.cross(a);
  const auto image = [&](const Vector3& t) -> Vector3 {
    return (flow.position(moved(x, step * t), time) - flow.position(moved(x, -step * t), time)) / (2 * step);
  };
  return image(a).cross(image(b)).norm();
}

TEST(EllipsoidFlow, keeps_the_mass_on_every_piece_of_the_surface) {
  const EllipsoidFlow flow;
  for (const double time : times)
    for (const Vector3& x : points()) {
      const auto volume = [&](double t) { return flow.depth(x, t) * stretch(flow, x, t); };
      const double rate = (volume(time + step) - volume(time - step)) / (2 * step);
      // ∇·Q on the sphere, from the flux through the sides of a small square.
      const Vector3 a = x.unitOrthogonal(), b = x.cross(a);
      const auto flux = [&](const Vector3& y) -> Vector3 {
        return flow.depth(y, time) * stretch(flow, y, time) * flow.material_velocity(y, time);
      };
      double divergence = 0;
      for (const Vector3& t : {a, b}) {
        const auto along = [&](double s) {
          const Vector3 y = moved(x, s * t);
          return flux(y).dot((t - t.dot(y) * y).normalized());
        };
        divergence += (along(1e-4) - along(-1e-4)) / 2e-4;
      }
      EXPECT_NEAR(rate + divergence, 0, 1e-5);
    }
}

TEST(EllipsoidFlow, is_driven_by_gravity_and_its_force_alone) {
  using Equations = EllipsoidFlow::Equations;
  for (const Equations equations : {Equations::linear, Equations::without_advection, Equations::full}) {
    EllipsoidFlow flow;
    flow.equations = equations;
    for (const double time : times)
      for (const Vector3& x : points()) {
        const Vector3 rate =
            (flow.material_velocity(x, time + step) - flow.material_velocity(x, time - step)) / (2 * step);
        const Vector3 v = flow.material_velocity(x, time);
        Vector3 total = flow.force(x, time);
        for (const Vector3& along : {Vector3(x.unitOrthogonal()), Vector3(x.cross(x.unitOrthogonal()))}) {
          const auto place = [&](double s) { return flow.position(moved(x, s * along), time); };
          const auto velocity = [&](const Vector3& y) { return flow.velocity(y, time); };
          const Vector3 tangent = (place(step) - place(-step)) / (2 * step);
          const double slope =
              (flow.depth(moved(x, step * along), time) - flow.depth(moved(x, -step * along), time)) /
              (2 * step);
          // F V_t = f − g ∇h − (v·∇)v, tested along a tangent of the ellipsoid.
          const Vector3 pushed = flow.position(rate, time);
          Vector3 advection = Vector3::Zero();
          if (equations == Equations::full)
            advection = (velocity(moved(x, step * v)) - velocity(moved(x, -step * v))) / (2 * step);
          EXPECT_NEAR(tangent.dot(pushed - total + advection) + flow.gravity * slope, 0, tolerance) << time;
        }
      }
  }
}

TEST(EllipsoidFlow, is_linear_where_that_is_asked_for) {
  EllipsoidFlow flow, larger;
  flow.equations = larger.equations = EllipsoidFlow::Equations::linear;
  larger.amplitude = 3 * flow.amplitude;
  for (const Vector3& x : points())
    EXPECT_LT((larger.velocity(x, 0.4) - 3 * flow.velocity(x, 0.4)).norm(), 1e-14);
}

TEST(EllipsoidFlow, finds_back_the_material_point) {
  const EllipsoidFlow flow;
  for (const Vector3& x : points()) EXPECT_LT((flow.material(flow.position(x, 0.4), 0.4) - x).norm(), 1e-14);
}

}  // namespace
}  // namespace shoal
