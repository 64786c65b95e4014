// The formulas of the flow on a pulsating ellipsoid satisfy the equations, by finite differences.
#include "experiments/scenes/pulsating_ellipsoid.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <functional>
#include <random>

namespace shoal {
namespace {

constexpr double step = 1e-5;       // central differences: an error of 1e-10 times third derivatives
constexpr double tolerance = 1e-7;  // the values reach 1e3

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
  // Of the model of Angst 2007.
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

// ---- the equations of water, with the circulation ---------------------------------------------------------

using Chart = Eigen::Vector3d;  // q¹, q², t

/// ∂f/∂(q¹, q², t)ᵢ by the central difference of fourth order.
template <class Function>
auto derivative(const Function& f, const Chart& at, int i) {
  constexpr double h = 2e-3;  // h⁴ times fifth derivatives of 1e3 is 1e-8; ε/h² of nested differences 1e-10
  const Chart e = h * Chart::Unit(i);
  using Value = std::decay_t<decltype(f(at))>;
  return Value((8 * (f(at + e) - f(at - e)) - (f(at + 2 * e) - f(at - 2 * e))) / (12 * h));
}

/// Uses positions, depths and velocities as functions of (q, t), and no other properties of the flow:
/// ∂_t U_β + vᵅ (∂_αU_β − ∂_βU_α) + ∂_β(½|v|² − ½|ẋ|²) + g ∂_βη, U_β = (ẋ + v)·∂_βx.
struct MovingFlow {
  std::function<Vector3(const Chart&)> position, velocity;
  std::function<double(const Chart&)> depth;
  double gravity;

  Vector3 tangent(const Chart& q, int i) const { return derivative(position, q, i); }
  double circulation(const Chart& q, int i) const {
    return (derivative(position, q, 2) + velocity(q)).dot(tangent(q, i));
  }
  Eigen::Vector2d components(const Chart& q) const {
    Eigen::Matrix<double, 3, 2> tangents;
    tangents << tangent(q, 0), tangent(q, 1);
    return tangents.colPivHouseholderQr().solve(velocity(q));
  }
  double force(const Chart& q, int i) const {
    const auto U = [&](int k) { return [this, k](const Chart& at) { return circulation(at, k); }; };
    const auto head = [&](const Chart& at) {
      return 0.5 * velocity(at).squaredNorm() - 0.5 * derivative(position, at, 2).squaredNorm() +
             gravity * depth(at);
    };
    const Eigen::Vector2d v = components(q);
    double result = derivative(U(i), q, 2) + derivative(head, q, i);
    for (int k = 0; k < 2; ++k) result += v[k] * (derivative(U(i), q, k) - derivative(U(k), q, i));
    return result;
  }
  /// ∂_t(ηA) + ∂_α(ηA vᵅ)
  double source(const Chart& q) const {
    const auto volume = [&](const Chart& at) {
      return depth(at) * tangent(at, 0).cross(tangent(at, 1)).norm();
    };
    double result = derivative(volume, q, 2);
    for (int k = 0; k < 2; ++k)
      result += derivative([&](const Chart& at) { return volume(at) * components(at)[k]; }, q, k);
    return result;
  }
};

TEST(EllipsoidFlow, satisfies_the_equations_of_circulation_and_mass_with_its_force) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  const EllipsoidFlow flow{.rest_depth = 0.8, .gravity = 7, .epsilon = 0.3, .amplitude = 0.5};
  for (int trial = 0; trial < 20; ++trial) {
    const Vector3 middle = Vector3(any(random), any(random), any(random)).normalized(),
                  a = middle.unitOrthogonal(), b = middle.cross(a);
    const auto material = [&](const Chart& q) -> Vector3 {
      return (middle + q[0] * a + q[1] * b).normalized();
    };
    const MovingFlow moving{.position = [&](const Chart& q) { return flow.position(material(q), q[2]); },
                            .velocity = [&](const Chart& q) { return flow.velocity(material(q), q[2]); },
                            .depth = [&](const Chart& q) { return flow.depth(material(q), q[2]); },
                            .gravity = flow.gravity};
    const Chart q(0.1 * any(random), 0.1 * any(random), 1 + any(random));
    EXPECT_NEAR(moving.source(q), 0, tolerance);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(flow.force(material(q), q[2]).dot(moving.tangent(q, i)), moving.force(q, i), tolerance);
    const Vector3 u = derivative(moving.position, q, 2) + moving.velocity(q);
    EXPECT_LT((u - flow.absolute_velocity(material(q), q[2])).norm(), tolerance);
  }
}

TEST(EllipsoidFlow, has_waves_that_are_no_smaller_than_what_the_area_does_to_still_water) {
  // So that an error of the depth is one of the flow.
  const EllipsoidFlow flow{.amplitude = 0.5};
  EllipsoidFlow still = flow;
  still.amplitude = 0;
  double wave = 0, area = 0, speed = 0;
  for (const Vector3& x : {Vector3(1, 1, 0.2), Vector3(1, -1, 0.3), Vector3(0.5, 0, 1), Vector3(0, 0.1, 1)})
    for (double time = 0; time < 1; time += 0.05) {
      const Vector3 X = x.normalized();
      wave = std::max(wave, std::abs(flow.depth(X, time) - still.depth(X, time)));
      area = std::max(area, std::abs(still.depth(X, time) - still.rest_depth));
      speed = std::max(speed, flow.velocity(X, time).norm());
    }
  EXPECT_GT(wave, 0.5 * area);
  EXPECT_GT(speed, 0.5 * std::sqrt(flow.gravity * flow.rest_depth));
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
