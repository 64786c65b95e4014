// Angles and directions without branches, so that loops over them are vectorised, as calls of the C library
// are not. Accurate to two units in the last place.
#pragma once

#include <cmath>
#include <numbers>

namespace shoal {

/// The angle in (0, π) of a cotangent. With t = |tan| or |cot|, whichever is below 1, reduced once more by
/// tan(π/8), atan t is t (1 + t² P(t²)/Q(t²)), Cephes's rational approximation.
inline double arc_cotangent(double cotangent) {
  constexpr double pi = std::numbers::pi;
  const double size = std::abs(cotangent);
  const bool steep = size > 1;  // nearer to 0 or π than to π/2
  const double ratio = steep ? 1 / size : size;
  const bool reduced = ratio > 0.66;
  const double t = reduced ? (ratio - 1) / (ratio + 1) : ratio, z = t * t;
  const double p =
      (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z -
       1.228866684490136173410e2) *
          z -
      6.485021904942025371773e1;
  const double q =
      ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) *
           z +
       4.853903996359136964868e2) *
          z +
      1.945506571482613964425e2;
  const double arc = t + t * z * p / q + (reduced ? 0.25 * pi : 0.0);  // atan of `ratio`
  const double of_size = steep ? arc : 0.5 * pi - arc;
  return cotangent < 0 ? pi - of_size : of_size;
}

/// Of an angle of moderate size: reduced to [−π/4, π/4] in two parts of π/2, then Cephes's polynomials.
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
