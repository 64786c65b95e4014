// The exact periodic wave on a plane beach of Carrier & Greenspan.
#pragma once

namespace shoal {

/// A wave that a plane beach reflects without breaking (Carrier & Greenspan 1958, J. Fluid Mech. 4, 97,
/// doi:10.1017/S0022112058000331, section 3). The still water is S x' deep at the distance x' from the still shoreline. In units of
/// l, time √(l/(Sg)), elevation Sl and velocity √(Sgl), with x = −x'/l and u towards the beach,
///
///     h_t + ((h − x)u)_x = 0,    u_t + u u_x + h_x = 0,
///
/// are solved by a function of σ = 4√(h − x) and λ = 2(t + u):
///
///     φ = A J₀(σ) cos λ,    u = φ_σ/σ,    h = φ_λ/4 − u²/2,    x = h − σ²/16.
///
/// The wave has the period π and does not break for A < 1. The shoreline is at σ = 0.
class BeachWave {
 public:
  /// slope S, unit of length l in m, 0 ≤ amplitude A < 1, gravity g in m/s².
  BeachWave(double slope, double length, double amplitude, double gravity);

  double period() const;                ///< π √(l/(Sg)), s
  double shoreline(double time) const;  ///< position from the still shoreline, positive on land, m
  struct Flow {
    double elevation, depth, velocity;  ///< h, m; η, m; towards the beach, m/s
  };
  /// At a distance from the still shoreline, positive on land, m. On dry land the depth and the velocity are 0.
  Flow at(double position, double time) const;

 private:
  double slope_, length_, amplitude_, time_unit_;
};

}  // namespace shoal
