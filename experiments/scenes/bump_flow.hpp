// Exact steady flow over the parabolic bump of SWASHES, without friction.
#pragma once

#include <optional>

namespace shoal {

/// The bed of SWASHES (Delestre et al. 2013, section 3.1), z(x) = max(0, height − slope (x − crest)²), m; the defaults end at 8 and
/// 12 m.
struct ParabolicBump {
  double height = 0.2;  ///< m
  double crest = 10;    ///< m
  double slope = 0.05;  ///< 1/m

  double bed(double x) const;
  double half_width() const;  ///< √(height/slope), m
};

/// The steady flow with discharge q per width along x that leaves at a given level (Delestre et al. 2013, section 3.1; Goutal &
/// Maurel 1997). q and, except across a jump, the head are constant:
///
///     η + z + q²/(2gη²) = E.
///
/// If the outflow is subcritical and its head exceeds that of critical flow over the crest, z_c + (3/2)(q²/g)^⅓, the flow is
/// subcritical everywhere. Otherwise it is critical at the crest and supercritical behind it: as far as the outlet, or up to a
/// hydraulic jump, which conserves q and q²/η + ½gη² and stands on the downstream side of the bump. There is a jump if the level is
/// above that of the jump at the foot of the bump; below it, it has no effect.
class FlowOverBump {
 public:
  /// discharge q > 0, m²/s; level at the outlet above the flat bed, m, > 0.
  FlowOverBump(const ParabolicBump& bump, double discharge, double level, double gravity);

  double depth(double x) const;  ///< η, m; at the jump, that in front of it
  double velocity(double x) const { return discharge_ / depth(x); }
  double critical_depth() const { return critical_depth_; }  ///< (q²/g)^⅓, m
  bool critical_at_crest() const { return critical_; }
  std::optional<double> jump() const { return jump_; }  ///< x, m

 private:
  double subcritical(double head) const;    ///< larger root η of η + q²/(2gη²) = head, m
  double supercritical(double head) const;  ///< smaller root, m
  double cosine(double head) const;

  ParabolicBump bump_;
  double discharge_, gravity_, critical_depth_;
  bool critical_ = false;
  double inner_head_ = 0, outer_head_ = 0;  ///< E up to the jump and behind it, m
  std::optional<double> jump_;
};

}  // namespace shoal
