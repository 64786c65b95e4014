// The built-in Runge–Kutta methods.
#include "solvers/integrators/runge_kutta.hpp"

namespace shoal {

// clang-format off
const List<RungeKuttaMethod>& runge_kutta_methods() {
  static const List<RungeKuttaMethod> all = [] {
    List<RungeKuttaMethod> list("Runge–Kutta method");
    list.add({"ssprk2", 2, of_euler_stages({{1, 1}, {1, 1.0 / 2}}),
              "strong-stability-preserving Runge–Kutta, two stages, for flux-form schemes; Heun's method (Shu & Osher 1988)"});
    list.add({"ssprk3", 3, of_euler_stages({{1, 1}, {1, 1.0 / 4}, {1, 2.0 / 3}}),
              "strong-stability-preserving Runge–Kutta, three stages (Shu & Osher 1988)"});
    list.add({"ssprk43", 3, of_euler_stages({{1.0 / 2, 1}, {1.0 / 2, 1}, {1.0 / 2, 1.0 / 3}, {1.0 / 2, 1}}),
              "strong-stability-preserving Runge–Kutta, four stages of half a step, order 3 (Spiteri & Ruuth 2002, doi:10.1137/S0036142901389025)"});
    list.add({"rk4", 4, {{{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
              "the classical Runge–Kutta method, four stages (Kutta 1901)"});
    // Only the embedded solution of order 4 uses the seventh stage.
    list.add({"dormand-prince", 5,
              {{{},
                {1.0 / 5},
                {3.0 / 40, 9.0 / 40},
                {44.0 / 45, -56.0 / 15, 32.0 / 9},
                {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
               {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
               {},
               {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40}},
              "the method of order 5 of the pair of Dormand & Prince 1980 (doi:10.1016/0771-050X(80)90013-3), six stages; error_tolerance enables error control"});
    return list;
  }();
  return all;
}
// clang-format on

}  // namespace shoal
