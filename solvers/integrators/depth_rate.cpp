// Energy and acceleration of a depth rate.
#include "solvers/integrators/depth_rate.hpp"

#include "discretizations/common/disjoint_sets.hpp"

#include <cassert>
#include <limits>

namespace shoal {

DepthRateEnergy::DepthRateEnergy(const IntegratorSetting& setting, const Wave& wave)
    : discretization_(setting.discretization),
      wave_(wave),
      solver_(setting.linear_solver->make(setting.parameters)),
      matrix_(wave.stiffness_pattern()) {
  solver_->analyze(matrix_);
  DisjointSets sets(static_cast<Index>(matrix_.cols()));
  for (Index column = 0; column < matrix_.cols(); ++column)
    for (SymmetricMatrix::InnerIterator entry(matrix_, column); entry; ++entry)
      sets.join(static_cast<Index>(entry.row()), column);
  component_.resize(static_cast<std::size_t>(matrix_.cols()));
  for (Index i = 0; i < matrix_.cols(); ++i) component_[static_cast<std::size_t>(i)] = sets.find(i);
}

/// K(1), grounded at one cell of each component: the constant is its kernel.
bool DepthRateEnergy::factorize() {
  wave_.assemble(Vector::Zero(matrix_.cols()), 1, Vector::Ones(wave_.sites()), matrix_);
  for (Index i = 0; i < matrix_.cols(); ++i)
    if (component_[static_cast<std::size_t>(i)] == i) matrix_.valuePtr()[matrix_.outerIndexPtr()[i]] *= 2;
  return solver_->factorize(matrix_).ok;
}

double DepthRateEnergy::operator()(const Vector& volume_rate, double reference_depth) {
  const Vector& area = discretization_.cells().area;
  if (!factorized_ && !factorize()) return std::numeric_limits<double>::quiet_NaN();
  factorized_ = true;
  Vector rate_sum = Vector::Zero(area.size()), area_sum = Vector::Zero(area.size());
  for (Index i = 0; i < area.size(); ++i) {
    rate_sum[component_[static_cast<std::size_t>(i)]] += volume_rate[i];
    area_sum[component_[static_cast<std::size_t>(i)]] += area[i];
  }
  right_side_.resize(area.size());
  for (Index i = 0; i < area.size(); ++i) {
    const Index c = component_[static_cast<std::size_t>(i)];
    right_side_[i] = volume_rate[i] - area[i] * (rate_sum[c] / area_sum[c]);
  }
  solver_->solve(right_side_, potential_);
  return 0.5 * potential_.dot(right_side_) / reference_depth;
}

DepthRateIntegrator::DepthRateIntegrator(const IntegratorSetting& setting)
    : discretization_(setting.discretization),
      wave_(require_wave(setting.discretization, Use::laplacian)),
      system_(wave_, *setting.linear_solver, setting.parameters),
      ones_(Vector::Ones(wave_.sites())),
      energy_(setting, wave_) {
  const std::string& text = setting.parameters.text("reference_depth");
  if (text == "mean") return;
  given_reference_depth_ = parse_number(text, "parameter 'reference_depth'");
  if (!(*given_reference_depth_ > 0))
    throw Error("parameter 'reference_depth': '" + text + "' is not a positive depth or 'mean'");
}

ParameterInfo DepthRateIntegrator::reference_depth_parameter() {
  return text("reference_depth", "m", "mean",
              "η₀, constant in space and time: 'mean' of the initial state, or a depth");
}

void DepthRateIntegrator::start(State& state, double /*dt*/) {
  assert(state.flow.size() == discretization_.flow_size() && "start() takes over a projected state, once");
  reference_depth_ = given_reference_depth_.value_or(state.volume.sum() / discretization_.cells().area.sum());
  Vector depth;
  wave_.site_depth(state.volume, depth);
  state.volume_rate.setZero(state.volume.size());
  wave_.add_outflow(state.flow, -1, depth, state.volume_rate);
  state.flow.resize(0);
}

double DepthRateIntegrator::kinetic_energy(const State& state) const {
  return energy_(state.volume_rate, reference_depth_);
}

void DepthRateIntegrator::add_acceleration(const Vector& volume, double scale, Vector& out) const {
  wave_.pressure(volume, pressure_);
  wave_.add_stiffness(pressure_, -scale, wave_.site_root_acceleration(), out);
  if (wave_.bed_force().size()) wave_.add_outflow(wave_.bed_force(), -scale, ones_, out);
}

}  // namespace shoal
