// Energy of a depth rate, and its initial value.
#include "solvers/integrators/depth_rate.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <limits>

namespace shoal {

DepthRateEnergy::DepthRateEnergy(const WaveSide& wave)
    : wave_(wave),
      gathered_(wave.mesh(), wave.cells()),
      solver_(multifrontal().make(Parameters(multifrontal().parameters, {}))),
      matrix_(wave.stiffness_pattern()),
      no_mass_(Vector::Zero(matrix_.cols())),
      ones_(Vector::Ones(wave.sites())),
      weight_(ones_),
      pattern_version_(wave.pattern_version()) {
  analyze();
  wave.assemble(no_mass_, 1, weight_, matrix_);
  find_components(gathered_.gather(matrix_));
}

void DepthRateEnergy::analyze() {
  const SymmetricMatrix& whole = gathered_.analyze(matrix_);
  if (gathered_.is_here()) solver_->analyze(whole);
}

void DepthRateEnergy::find_components(const SymmetricMatrix& matrix) {
  component_.resize(static_cast<Index>(matrix.cols()));
  DisjointSets sets = coupled_unknowns(matrix);
  for (Index i = 0; i < matrix.cols(); ++i) component_[i] = sets.find(i);
}

/// Assembles and factorizes K(weight), grounded at one cell of each component, because constants are its
/// kernel. A cell without wet neighbours is a component by itself, with a zero row.
bool DepthRateEnergy::factorize() {
  if (pattern_version_ != wave_.pattern_version()) {
    pattern_version_ = wave_.pattern_version();
    matrix_ = wave_.stiffness_pattern();
    analyze();
  }
  wave_.assemble(no_mass_, 1, weight_, matrix_);
  const SymmetricMatrix& whole = gathered_.gather(matrix_);
  const bool is_dry = min(wave_.mesh(), wave_.cells(), weight_) <= 0;
  if (is_dry || was_dry_) find_components(whole);
  was_dry_ = is_dry;
  bool ok = true;
  if (gathered_.is_here()) {
    if (wave_.mesh().part) of_whole_ = whole;
    SymmetricMatrix& grounded = wave_.mesh().part ? of_whole_ : matrix_;
    for (Index i = 0; i < grounded.cols(); ++i) {
      if (component_[i] != i) continue;
      double& diagonal = grounded.valuePtr()[grounded.outerIndexPtr()[i]];
      diagonal = diagonal > 0 ? 2 * diagonal : 1;
    }
    StageClock unused;
    ok = solver_->factorize(grounded, unused).ok;
  }
  return all(wave_.mesh(), ok);
}

/// potential_ = factor · φ of this rate without its means.
bool DepthRateEnergy::solve(VectorIn volume_rate, const Vector& weight) {
  const Mesh& mesh = wave_.mesh();
  if (weight.size() != weight_.size() ||
      max(mesh, wave_.cells(), [&](Index i) { return weight[i] != weight_[i]; }) > 0) {
    weight_ = weight;
    factorized_ = false;
  }
  if (!factorized_ && !factorize()) return false;
  factorized_ = true;
  const VectorIn rate = gathered_.gather(volume_rate, rate_),
                 area = gathered_.gather(wave_.cells().area, area_);
  bool ok = true;
  if (gathered_.is_here()) {
    rate_sum_.setZero(area.size());
    area_sum_.setZero(area.size());
    for (Index i = 0; i < area.size(); ++i) {
      rate_sum_[component_[i]] += rate[i];
      area_sum_[component_[i]] += area[i];
    }
    right_side_.resize(area.size());
    for (Index i = 0; i < area.size(); ++i) {
      const Index c = component_[i];
      right_side_[i] = rate[i] - area[i] * (rate_sum_[c] / area_sum_[c]);
    }
    StageClock unused;
    ok = solver_->solve(right_side_, potential_, unused).ok;
  }
  if (mesh.part) {
    right_side_ = gathered_.spread(right_side_);
    potential_ = gathered_.spread(potential_);
  }
  return all(mesh, ok);
}

double DepthRateEnergy::operator()(VectorIn volume_rate, const FlowDepth& depth) {
  if (!solve(volume_rate, depth.weight)) return std::numeric_limits<double>::quiet_NaN();
  return 0.5 * dot(wave_.mesh(), wave_.cells(), potential_, right_side_) / depth.factor;
}

double DepthRateEnergy::power(VectorIn volume_rate, const Vector& acceleration, const FlowDepth& depth) {
  if (!solve(volume_rate, depth.weight)) return std::numeric_limits<double>::quiet_NaN();
  return dot(wave_.mesh(), wave_.cells(), potential_, acceleration) / depth.factor;
}

/// K(w) = GᵀW diag(w) G and V_t = GᵀW diag(η̃) u: hence u = G φ with the sign of potential_.
void DepthRateEnergy::add_flow(VectorIn volume_rate, const FlowDepth& depth, VectorOut velocity) {
  if (solve(volume_rate, depth.weight)) wave_.add_gradient(potential_, 1 / depth.factor, ones_, velocity);
}

DepthRateIntegrator::DepthRateIntegrator(const IntegratorSetting& setting,
                                         const DepthEquationOptions& options)
    : right_side_(setting.right_side), equation_(setting, options), energy_(equation_.wave()) {
  const Index cells = right_side_.cells().count();
  volume_ = layout_.add("volume", "m^3", Location::cell, 1, cells);
  volume_rate_ = layout_.add("volume_rate", "m^3/s", Location::cell, 1, cells);
}

State DepthRateIntegrator::start(State projected) {
  const ConstBlock volume = std::as_const(projected)[right_side_.volume()];
  State state = zero_state(layout_);
  state[volume_] = volume;
  equation_.start(volume);
  Vector depth;
  equation_.wave().site_depth(volume, depth);
  equation_.wave().add_outflow(projected[right_side_.velocity()], -1, depth, state[volume_rate_]);
  return state;
}

State DepthRateIntegrator::finish(const State& state) {
  State finished = zero_state(right_side_.layout());
  finished[right_side_.volume()] = state[volume_];
  energy_.add_flow(state[volume_rate_], equation_.flow_depth(state[volume_]),
                   finished[right_side_.velocity()]);
  return finished;
}

void DepthRateIntegrator::refresh() {
  equation_.refresh();
  energy_.refresh();
}

double DepthRateIntegrator::force_power(const State& state, double gravity) {
  equation_.force_acceleration(state[volume_], gravity, force_);
  add_drag(state, force_);
  return energy_.power(state[volume_rate_], force_, equation_.flow_depth(state[volume_]));
}

double DepthRateIntegrator::kinetic_energy(const State& state) {
  return energy_(state[volume_rate_], equation_.flow_depth(state[volume_]));
}

}  // namespace shoal
