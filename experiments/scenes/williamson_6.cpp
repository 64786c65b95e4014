// Scene `williamson-6`: a Rossby-Haurwitz wave, which travels eastwards almost unchanged for days.
#include "experiments/scenes/planet.hpp"

#include <cmath>
#include <complex>

namespace shoal {
namespace {

/// With (x, y, z) on the unit sphere, c² = x² + y² and w = (x + iy)ᴿ, so that Re w = cᴿ cos Rλ,
///
///     v = n×∇ψ,    ψ = a² z (K Re w − ω),
///     gη = gη₀ + a² (A + B Re w + C Re w²),
///     A = ½ω(2Ω+ω) c² + ¼K² c²ᴿ⁻² ((R+1)c⁴ + (2R²−R−2)c² − 2R²),
///     B = 2(Ω+ω)K ((R²+2R+2) − (R+1)²c²) / ((R+1)(R+2)),    C = ¼K² ((R+1)c² − (R+2)),
///
/// the depth at which the divergence of v does not change at t = 0. Without divergence at all the wave would move at the angular
/// velocity (R(3+R)ω − 2Ω) / ((1+R)(2+R)).
struct RossbyWave {
  double radius, depth, gravity, rotation;  // a, η₀, g, Ω
  double rate, amplitude;                   // ω, K
  int number;                               // R

  std::complex<double> power(const Vector3& n, int exponent) const {
    return std::pow(std::complex<double>(n.x(), n.y()), exponent);
  }
  double depth_at(const Vector3& point) const {
    const Vector3 n = point.normalized();
    const double R = number, K = amplitude, c2 = n.head<2>().squaredNorm();
    const double A =
        0.5 * rate * (2 * rotation + rate) * c2 +
        0.25 * K * K * std::pow(c2, R - 1) * ((R + 1) * c2 * c2 + (2 * R * R - R - 2) * c2 - 2 * R * R);
    const double B =
        2 * (rotation + rate) * K * ((R * R + 2 * R + 2) - (R + 1) * (R + 1) * c2) / ((R + 1) * (R + 2));
    const double C = 0.25 * K * K * ((R + 1) * c2 - (R + 2));
    return depth +
           radius * radius / gravity * (A + B * power(n, number).real() + C * power(n, 2 * number).real());
  }
  Vector3 velocity_at(const Vector3& point) const {
    const Vector3 n = point.normalized();
    const std::complex<double> inner = double(number) * n.z() * power(n, number - 1);
    return radius * n.cross(Vector3(amplitude * inner.real(), -amplitude * inner.imag(),
                                    amplitude * power(n, number).real() - rate));
  }
};

struct Williamson6Options {
  PlanetOptions planet;
  double depth = 8000;                           ///< m
  double rate = 7.848e-6, amplitude = 7.848e-6;  ///< 1/s
  int number = 4;
  static Options<Williamson6Options> describe() {
    using O = Williamson6Options;
    return Options<O>()
        .part(&O::planet, PlanetOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited,
                "η₀, depth at the poles if R > 1; with R = 1 water flows across them, where the depth is η₀ "
                "− (aK)²/2g")
        .number("rate", "1/s", &O::rate, -unlimited, unlimited, "ω, angular velocity of the zonal flow")
        .number("amplitude", "1/s", &O::amplitude, -unlimited, unlimited, "K, of the wave")
        .whole_number("wavenumber", "1", &O::number, 1, 32, "R, number of crests along a circle of latitude");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const Williamson6Options& options) {
  const RossbyWave wave{.radius = options.planet.radius,
                        .depth = options.depth,
                        .gravity = options.planet.fluid.gravity,
                        .rotation = options.planet.coriolis,
                        .rate = options.rate,
                        .amplitude = options.amplitude,
                        .number = options.number};
  SceneInstance instance = water_on_planet(surface, options.planet, options.depth);
  instance.initial.depth = [wave](const Vector3& x) { return wave.depth_at(x); };
  instance.initial.velocity = [wave](const Vector3& x) { return wave.velocity_at(x); };
  require_wet_start(instance, surface, "rate, amplitude, wavenumber, radius, gravity and coriolis");
  instance.end = 14 * day;
  instance.sample_times = {1 * day, 7 * day, 10 * day, 14 * day};
  return instance;
}

}  // namespace

SceneEntry williamson_6_scene() {
  return describe_scene({.name = "williamson-6",
                         .summary = "a Rossby-Haurwitz wave travels around a rotating sphere",
                         .source = "Williamson et al. 1992, test case 6, doi:10.1016/S0021-9991(05)80016-6",
                         .default_mesh = "icosphere:5",
                         .default_advection = "vector-invariant",
                         .needs_edges = false},
                        make);
}

}  // namespace shoal
