// Angles and directions without branches, so that loops over them are vectorised, unlike calls of the C library. Accurate
// to two units in the last place.
#pragma once

#include <cmath>
#include <numbers>

namespace shoal {

/// The angle in (0, π) with this cotangent. t is |tan| or |cot|, whichever is below 1; above tan(π/8), the tangent of the
/// difference to π/4. t takes one division, and atan t = t + t³ P(t²). P has degree 10 and minimises the maximum relative
/// error of atan t up to tan(π/8), 1.3e-18 (Remez exchange in 60 digits).
inline double arc_cotangent(double cotangent) {
  constexpr double pi = std::numbers::pi, tangent_of_eighth = 0.41421356237309503;
  const double size = std::abs(cotangent);
  const bool steep = size > 1;  // nearer to 0 or π than to π/2
  const double low = steep ? 1 : size, high = steep ? size : 1;
  const bool reduced = low > tangent_of_eighth * high;
  const double t = (reduced ? low - high : low) / (reduced ? low + high : high), z = t * t;
  const double p =
      (((((((((-0.017903426020146693 * z + 0.038060674033791486) * z - 0.050391329554841324) * z +
             0.05847846546723714) *
                z -
            0.06663097454281855) *
               z +
           0.07692059562932979) *
              z -
          0.09090897716486658) *
             z +
         0.11111110781844913) *
            z -
        0.14285714280160172) *
           z +
       0.1999999999995318) *
          z -
      0.333333333333332;
  const double arc = t + t * z * p + (reduced ? 0.25 * pi : 0.0);  // atan of low/high
  const double of_size = steep ? arc : 0.5 * pi - arc;
  return cotangent < 0 ? pi - of_size : of_size;
}

/// Cosine and sine of an angle of moderate size: reduction to [−π/4, π/4] with π/2 in two parts, then the polynomials of
/// Cephes.
inline void cosine_and_sine(double angle, double& cosine, double& sine) {
  constexpr double high = 1.57079632679489655800, low = 6.12323399573676603587e-17;
  const double quarters = std::nearbyint(angle * (2 / std::numbers::pi));
  const double t = (angle - quarters * high) - quarters * low, z = t * t;
  const double s =
      t +
      t * z *
          (((((1.58962301576546568060e-10 * z - 2.50507477628578072866e-8) * z + 2.75573136213857245213e-6) *
                 z -
             1.98412698295895385996e-4) *
                z +
            8.33333333332211858878e-3) *
               z -
           1.66666666666666307295e-1);
  const double c =
      1 - 0.5 * z +
      z * z *
          (((((-1.13585365213876817300e-11 * z + 2.08757008419747316778e-9) * z - 2.75573141792967388112e-7) *
                 z +
             2.48015872888517045348e-5) *
                z -
            1.38888888888730564116e-3) *
               z +
           4.16666666666665929218e-2);
  // The parity of the quarters, and that of the halves: 0 or 1.
  const double halves = std::floor(0.5 * quarters);
  const double odd = quarters - 2 * halves, half = halves - 2 * std::floor(0.5 * halves);
  const double x = odd > 0.5 ? s : c, y = odd > 0.5 ? c : s;
  cosine = (1 - 2 * std::abs(odd - half)) * x;
  sine = (1 - 2 * half) * y;
}

}  // namespace shoal
