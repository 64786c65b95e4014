// The second-order equation of the depth, which implicit-euler and newmark linearise, with or without a
// velocity unknown.
#pragma once

#include "solvers/integrators/wave_system.hpp"

namespace shoal {

struct DepthEquationOptions {
  enum class Reference { mean, given, initial, local };
  enum class Gradient { exact, dropped, paper };
  /// The value of reference_depth.
  struct ReferenceDepth {
    Reference kind = Reference::mean;
    double depth = 0;  ///< m, if given
  };

  ReferenceDepth reference_depth;
  bool keep_depth_gradient = false;
  Gradient acceleration_gradient = Gradient::exact;
  bool local_forcing = false;

  /// Options with "mean" or "local" as the default of reference_depth.
  static Options<DepthEquationOptions> describe(const std::string& reference_depth);
  /// "" or the reason why some of the options exclude each other.
  std::string contradiction() const;
  /// "" or the reason why mass is not conserved.
  std::string mass_drift() const;
};

/// The depth η̃ in V_t = −factor · D(weight) u of a depth rate: factor, m or 1, times weight [sites].
struct FlowDepth {
  const Vector& weight;
  double factor;
};

/// η_tt = −η ∇·v_t with the depth in front of the divergence frozen at η̃ (Angst 2007, 5.6; Angst 2008, 5):
///
///     V_tt(V) = η̃ (−K(s)(r h) − D(1)(b + f/ρ)),        ∂V_tt/∂V = −η̃ K(s) diag(r/A),
///     V_tt(V) = −K(η̃ s)(r h) − D(η̃)(b + f/ρ)           with depth_gradient = exact.
///
/// The first form sums to zero, so that mass is exact, if η̃ is constant; the second does so for every η̃.
/// acceleration_gradient and forcing replace the terms with ∇aₙ and f/ρ by those of the sources. Derivation:
/// solvers/integrators/depth_equation.md.
class DepthEquation {
 public:
  DepthEquation(const IntegratorSetting& setting, const DepthEquationOptions& options);

  const WaveSide& wave() const { return wave_; }

  /// Sets η̃ for the whole run, unless it is local or the surface moves.
  void start(VectorIn volume);
  /// Call after a change of geometry or forcing, and then prepare(). On a moving surface, an initial η̃ is
  /// carried along as a volume, like the depth. A constant η̃ is unchanged: it must not vary in time if the
  /// method is to be stable for any step (Angst 2008, 3).
  void refresh();
  /// The η̃ in the kinetic energy. If its gradient is kept: η̃ at the sites, for which the energy of the
  /// linear equation is exact (a local η̃ at this volume). Otherwise its area mean on the current geometry;
  /// for a local η̃ that of the initial state. Valid until the next call.
  FlowDepth flow_depth(VectorIn volume);

  /// Freezes a local η̃ at this state, then assembles and factorizes μ − c·∂V_tt/∂V unless that matrix was
  /// prepared last.
  StepReport prepare(VectorIn volume, double mu, double c, StageClock& clock);
  /// The same with μ per cell; always factorizes.
  StepReport prepare(VectorIn volume, const Vector& mu, double c, StageClock& clock);
  /// out = V_tt(volume) with the last frozen η̃.
  void acceleration(VectorIn volume, Vector& out);
  /// out += scale · V_t of a velocity with the same η̃: −η̃ D(1) u, or −D(η̃) u if its gradient is kept.
  void add_rate(VectorIn flow, double scale, VectorOut out);
  /// out = V_tt(volume) minus its part due to gravity, −η̃ g K(1) h.
  void force_acceleration(VectorIn volume, double gravity, Vector& out);
  /// Solves (μ − c·∂V_tt/∂V) δV = right_side; sets `change` to ∂V_tt/∂V δV. δV is computed from the fluxes in
  /// `change`, not from the solver's solution, so that mass is exact whatever the residual.
  StepReport solve(VectorIn right_side, Vector& increment, Vector& change, StageClock& clock);

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  using Reference = DepthEquationOptions::Reference;
  using Gradient = DepthEquationOptions::Gradient;

  /// The weight of D: 1, or η̃ if its gradient is kept.
  const Vector& outflow_weight() const { return options_.keep_depth_gradient ? site_depth_ : ones_; }
  void freeze(VectorIn volume);
  StepReport assemble(double c, StageClock& clock);
  void add_paper_terms(VectorIn volume, Vector& out);

  const RightSide& right_side_;
  const WaveSide wave_;
  WaveSystem system_;
  const DepthEquationOptions options_;
  double mean_reference_depth_ = 0;
  Vector reference_volume_;  // [cells] initial volumes, unless η̃ is constant
  Vector reference_depth_;   // [cells] η̃
  Vector ones_;              // [sites]
  Vector site_depth_;        // [sites] η̃, if its gradient is kept
  Vector site_weight_;       // [sites] weight of K: s or 1, times η̃ if its gradient is kept

  // Functions of geometry and forcing: r or 1, with V = A h and z = scale δV/A; 1 or α; K(1) α / α.
  Vector scale_, row_factor_, relative_laplacian_;

  bool prepared_ = false;
  Vector mu_, row_;  // [cells] μ of the prepared matrix; factor of its rows, η̃ and α as applicable
  double c_ = 0;
  Vector diagonal_, scaled_, solution_;
  Vector pressure_, elevation_, product_, flow_depth_;
};

}  // namespace shoal
