// The right-hand side f(q, t) of q_t = f, as used by integrators and advections.
#pragma once

#include "discretizations/capabilities.hpp"
#include "solvers/stage_friction.hpp"

namespace shoal {

/// Callbacks for steps whose stages lie at several times: set the forcing and, if the motion is known, the
/// surface of each stage. On a moving surface, the velocity between stages is the absolute circulation, which
/// is invariant; on a surface at rest it is left unchanged.
class StageCallbacks {
 public:
  virtual ~StageCallbacks() = default;
  /// Begins a stage at `offset` s after the beginning of the step: sets geometry and forces of that instant
  /// and converts the velocity of `state`. The powers of the stage are integrated with this weight, s.
  virtual void enter(double offset, State& state, double weight) = 0;
  /// Converts the velocity of `state` to the form used between stages.
  virtual void leave(State& state) const = 0;
  /// Ends the step at `offset` with this state and converts its velocity.
  virtual void finish(double offset, State& state) = 0;
};

/// A scheme, its forces at the last entered instant, and its work arrays: the only class that evaluates
/// forces at an instant and a state, and sums rates. Copies share the work arrays.
class RightSide {
 public:
  explicit RightSide(const Discretization& scheme)
      : scheme_(&scheme), split_(shoal::offered<Split>(scheme)), scratch_(scheme.make_scratch()) {}

  /// The same scheme and work arrays with these forces.
  RightSide under(Forces forces) const {
    RightSide other = *this;
    other.forces_ = std::move(forces);
    return other;
  }

  const Mesh& mesh() const { return scheme_->mesh(); }
  const Geometry& geometry() const { return scheme_->geometry(); }
  const Cells& cells() const { return scheme_->cells(); }
  const Layout& layout() const { return scheme_->layout(); }
  const Field& volume() const { return scheme_->volume(); }
  const Field& velocity() const { return scheme_->velocity(); }

  const Forces& forces() const { return forces_; }
  Forces& forces() { return forces_; }
  /// Derives the forces from `forcing`.
  void derive(const Forcing& forcing) { scheme_->derive(forcing, forces_, *scratch_); }

  /// rate += scale · Σ of `terms` of f(state), the velocity held or not.
  void add(const State& state, Terms terms, double scale, State& rate) const {
    if (held_) return add_with_held_velocity(state, terms, scale, rate);
    if (collected_ && terms.has(Term::source))
      scheme_->add_rates(state, forces_, Term::source, scale, *collected_, *scratch_);
    scheme_->add_rates(state, forces_, terms, scale, rate, *scratch_);
  }
  double stable_dt(const State& state, Terms terms) const {
    return scheme_->stable_dt(state, forces_, terms, *scratch_);
  }
  double kinetic_energy(const State& state) const { return scheme_->kinetic_energy(state, *scratch_); }

  /// For schemes with open boundaries, see OpensBoundaries.
  void add_boundary_rates(const State& state, double scale, State& rate) const {
    offered<OpensBoundaries>()->add_boundary_rates(state, forces_, scale, rate, *scratch_);
  }
  double opening_power(const State& state, Terms terms) const {
    return offered<OpensBoundaries>()->opening_power(state, forces_, terms, *scratch_);
  }

  /// For schemes with a step of their own, see OwnStep.
  std::string advance(double dt, State& state) const {
    return offered<OwnStep>()->advance(dt, forces_, state, *scratch_);
  }

  /// For schemes with split rates, see Split.
  bool splits() const { return split_ != nullptr; }
  void add_depth_rate(const State& state, Terms terms, double scale, State& rate) const {
    if (!terms.has(Term::source) || !forces_.has_inflow)
      return split_->add_depth_rate(state, forces_, terms, scale, rate, *scratch_);
    // `rate` may be the state: sources are limited by the water that is there after the flux.
    split_->add_depth_rate(state, forces_, terms.without(Term::source), scale, rate, *scratch_);
    if (collected_) split_->add_depth_rate(state, forces_, Term::source, scale, *collected_, *scratch_);
    split_->add_depth_rate(state, forces_, Term::source, scale, rate, *scratch_);
  }
  void add_velocity_rate(const State& state, Terms terms, double scale, VectorOut rate) const {
    if (held_) return;
    if (collected_ && terms.has(Term::source))
      split_->add_velocity_rate(state, forces_, Term::source, scale, (*collected_)[velocity()], *scratch_);
    split_->add_velocity_rate(state, forces_, terms, scale, rate, *scratch_);
  }

  /// From now on the velocity is constant: rates of velocities vanish, those of momenta are V_t v. `per_volume`: [velocity] v, as the
  /// momentum per volume; empty if the unknown is a velocity.
  void hold_velocity(Vector per_volume) {
    held_ = std::make_shared<HeldVelocity>();
    held_->per_volume = std::move(per_volume);
  }
  bool holds_velocity() const { return held_ != nullptr; }

  /// While set, rates that include the term source also add scale times that term to it: what sources, limited by the water
  /// that is there, have changed.
  void collect_sources(State* collected) { collected_ = collected; }

  /// Null: no friction at the bed acts in the steps of the integrator.
  void set_friction(StageFriction* friction) { friction_ = friction; }
  /// See StageFriction.
  void resist(double dt, State& state) const {
    if (friction_) friction_->resist(*this, dt, state);
  }
  void resist(double dt, State& state, const State& at, double weight) const {
    if (friction_) friction_->resist(*this, dt, state, at, weight);
  }
  void begin_friction(double dt, State& state) const {
    if (friction_) friction_->begin(*this, dt, state);
  }
  void end_friction(double lag, State& state) const {
    if (friction_) friction_->end(*this, lag, state);
  }

  /// A capability of the scheme; null if it does not offer it.
  template <class Capability>
  const Capability* offered() const {
    return shoal::offered<Capability>(*scheme_);
  }
  Scratch& scratch() const { return *scratch_; }

  /// Whether the stages of the current step have their own instants.
  bool has_stages() const { return stages_ != nullptr; }
  /// Null: forces and surface are constant over the step.
  void set_stages(StageCallbacks* stages) { stages_ = stages; }
  void enter(double offset, State& state, double weight) const {
    if (stages_) stages_->enter(offset, state, weight);
  }
  void leave(State& state) const {
    if (stages_) stages_->leave(state);
  }
  void finish(double offset, State& state) const {
    if (stages_) stages_->finish(offset, state);
  }

 private:
  struct HeldVelocity {
    Vector per_volume;
    State before;  // work array
  };

  void add_with_held_velocity(const State& state, Terms terms, double scale, State& rate) const {
    if (splits()) return add_depth_rate(state, terms, scale, rate);
    State& before = held_->before;
    before = rate;
    scheme_->add_rates(state, forces_, terms, scale, rate, *scratch_);
    Block flow = rate[velocity()];
    flow = before[velocity()];
    const Vector& v = held_->per_volume;
    const ConstBlock now = std::as_const(rate)[volume()], then = std::as_const(before)[volume()];
    for (Index first = 0; first < v.size(); first += now.size())
      flow.segment(first, now.size()) += v.segment(first, now.size()).cwiseProduct(now - then);
  }

  const Discretization* scheme_;
  const Split* split_;
  Forces forces_;
  std::shared_ptr<Scratch> scratch_;
  StageCallbacks* stages_ = nullptr;
  State* collected_ = nullptr;
  std::shared_ptr<HeldVelocity> held_;
  StageFriction* friction_ = nullptr;
};

/// The wave operators of a right-hand side whose scheme has them, see Wave.
class WaveSide {
 public:
  explicit WaveSide(const RightSide& right_side)
      : right_side_(right_side), wave_(*right_side.offered<Wave>()) {}

  const WaveForces& forces() const { return WaveForces::of(right_side_.forces()); }
  const Mesh& mesh() const { return right_side_.mesh(); }
  const Cells& cells() const { return right_side_.cells(); }
  Index sites() const { return wave_.sites(); }
  void pressure(VectorIn volume, Vector& p) const { wave_.pressure(volume, right_side_.forces(), p); }
  void site_depth(VectorIn volume, Vector& depth) const { wave_.site_depth(volume, depth, scratch()); }
  void close_dry_sites(VectorIn volume, Vector& depth) const {
    wave_.close_dry_sites(volume, right_side_.forces(), depth, scratch());
  }
  void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const {
    wave_.add_gradient(p, scale, weight, flow);
  }
  void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out) const {
    wave_.add_outflow(flow, scale, weight, out, scratch());
  }
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const {
    wave_.add_stiffness(p, scale, weight, out, scratch());
  }
  SymmetricMatrix stiffness_pattern() const { return wave_.stiffness_pattern(); }
  Index pattern_version() const { return wave_.pattern_version(); }
  void assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix) const {
    wave_.assemble(diagonal, scale, weight, matrix, scratch());
  }

 private:
  Scratch& scratch() const { return right_side_.scratch(); }

  const RightSide& right_side_;
  const Wave& wave_;
};

}  // namespace shoal
