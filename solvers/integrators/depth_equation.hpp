// The second-order equation of the depth that implicit-euler and newmark, with or without a velocity of their
// own, linearise.
#pragma once

#include "solvers/integrators/wave_system.hpp"

namespace shoal {

struct DepthEquationOptions {
  enum class Reference { mean, given, initial, local };
  enum class Gradient { exact, dropped, paper };
  /// The value of reference_depth.
  struct ReferenceDepth {
    Reference kind = Reference::mean;
    double depth = 0;  ///< m, of a given one
  };

  ReferenceDepth reference_depth;
  bool keep_depth_gradient = false;
  Gradient acceleration_gradient = Gradient::exact;
  bool local_forcing = false;

  /// With "mean" or "local" as the default of reference_depth.
  static Options<DepthEquationOptions> describe(const std::string& reference_depth);
  /// "" or the reason why some of them rule each other out.
  std::string contradiction() const;
  /// "" or the reason why the mass is not kept.
  std::string mass_drift() const;
};

/// The depth η̃ that a depth rate flows through, V_t = −factor · D(weight) u: factor in m times weight [sites].
struct FlowDepth {
  const Vector& weight;
  double factor;
};

/// η_tt = −η ∇·v_t with the depth in front of the divergence frozen at η̃ (Angst 2007, 5.6; Angst 2008, 5):
///
///     V_tt(V) = η̃ (−K(s)(r h) − D(1)(b + f/ρ)),        ∂V_tt/∂V = −η̃ K(s) diag(r/A),
///     V_tt(V) = −K(η̃ s)(r h) − D(η̃)(b + f/ρ)           with depth_gradient = exact.
///
/// The first sums to zero, so that mass is exact, for a constant η̃, the second for every η̃.
/// acceleration_gradient and forcing exchange the terms with ∇aₙ and f/ρ for those of the sources.
/// Derivation: solvers/integrators/depth_equation.md.
class DepthEquation {
 public:
  DepthEquation(const IntegratorSetting& setting, const DepthEquationOptions& options);

  const WaveSide& wave() const { return wave_; }

  /// Sets η̃ for the whole run, except where it is local or the surface moves.
  void start(VectorIn volume);
  /// The geometry or the forcing has changed; prepare() comes next. Where the surface moves an initial η̃ is
  /// carried along as the depth is, as a volume. A constant one stays: it must not change in time if the
  /// method is to be stable at any step (Angst 2008, 3).
  void refresh();
  /// The η̃ of a kinetic energy: where its gradient is kept that at the sites, at which the energy of the
  /// linear equation is exact (a local one at this volume); else its area mean on the current geometry, of a
  /// local one that of the state that the run started from. Holds until the next call.
  FlowDepth flow_depth(VectorIn volume);

  /// Freezes η̃ at this state where it is local, then assembles and factorizes μ − c·∂V_tt/∂V unless that is
  /// what was prepared last.
  StepReport prepare(VectorIn volume, double mu, double c, StageClock& clock);
  /// The same with μ per cell, always anew.
  StepReport prepare(VectorIn volume, const Vector& mu, double c, StageClock& clock);
  /// out = V_tt(volume) with the η̃ that was frozen last.
  void acceleration(VectorIn volume, Vector& out);
  /// out += scale · V_t of a velocity under the same η̃, −η̃ D(1) u, or −D(η̃) u where its gradient is kept.
  void add_rate(VectorIn flow, double scale, VectorOut out);
  /// out = the part of V_tt(volume) that is due to all but gravity: less −η̃ g K(1) h.
  void force_acceleration(VectorIn volume, double gravity, Vector& out);
  /// Solves (μ − c·∂V_tt/∂V) δV = right_side. `change` becomes ∂V_tt/∂V δV. δV is built from the fluxes
  /// behind `change`, not from the solver's answer, so that mass is exact whatever the solver leaves.
  StepReport solve(VectorIn right_side, Vector& increment, Vector& change, StageClock& clock);

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  using Reference = DepthEquationOptions::Reference;
  using Gradient = DepthEquationOptions::Gradient;

  /// The weight of D: 1, or η̃ where its gradient is kept.
  const Vector& outflow_weight() const { return options_.keep_depth_gradient ? site_depth_ : ones_; }
  void freeze(VectorIn volume);
  StepReport assemble(double c, StageClock& clock);
  void add_paper_terms(VectorIn volume, Vector& out);

  const RightSide& right_side_;
  const WaveSide wave_;
  WaveSystem system_;
  const DepthEquationOptions options_;
  double mean_reference_depth_ = 0;
  Vector reference_volume_;  // [cells] of the start, where η̃ is not constant
  Vector reference_depth_;   // [cells] η̃
  Vector ones_;              // [sites]
  Vector site_depth_;        // [sites] η̃, where its gradient is kept
  Vector site_weight_;       // [sites] of K: s or 1, times η̃ where its gradient is kept

  // Of the geometry and the forcing: r or 1, with V = A h and z = scale δV/A; 1 or α; K(1) α / α.
  Vector scale_, row_factor_, relative_laplacian_;

  bool prepared_ = false;
  Vector mu_, row_;  // [cells] of the matrix that is prepared; the factor of its rows: η̃ and α as they are
  double c_ = 0;
  Vector diagonal_, scaled_, solution_;
  Vector pressure_, elevation_, product_, flow_depth_;
};

}  // namespace shoal
