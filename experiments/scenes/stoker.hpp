// The exact, self-similar solution of the dam break on a wet or dry bed.
#pragma once

namespace shoal {

/// Stoker, Water Waves (1957), section 10.8. Depth `left` for x < 0 and `right` < `left` for x > 0, at rest
/// at t = 0 over a flat bed. With c = √(gη), from left to right: rest; a rarefaction on −c_l < x/t < u* − c*, η =
/// (2c_l − x/t)²/9g, u = ⅔(c_l + x/t); the state (h*, u*); a shock at x/t = S; rest. The middle state connects
/// both:
///
///     u* = 2(c_l − c*) = (h* − h_r) √(g(h* + h_r)/(2 h* h_r)),    S = u* h*/(h* − h_r).
///
/// On a dry bed, right = 0 (Ritter, Z. Ver. Dtsch. Ing. 36 (1892), 947), the fan extends to the front at 2c_l, where the depth is
/// zero: h* = 0, u* = S = 2c_l. The depth at the dam is 4h_l/9.
class StokerDamBreak {
 public:
  /// 0 ≤ right < left.
  StokerDamBreak(double left, double right, double gravity);

  double middle_depth() const { return middle_; }       ///< h*, m
  double middle_velocity() const { return velocity_; }  ///< u*, m/s
  double shock_speed() const { return shock_; }         ///< S, m/s; the front's if dry
  double fan_begin() const { return -left_celerity_; }  ///< −c_l, m/s
  double fan_end() const;                               ///< u* − c*, m/s
  /// At x/t, m/s; exactly at the shock, the state behind it.
  double depth(double speed) const;
  double velocity(double speed) const;

 private:
  double left_, right_, gravity_, left_celerity_, middle_, velocity_, shock_;
};

}  // namespace shoal
