#include "solvers/integrators/depth_rate.hpp"

#include "solvers/linear/cholmod.hpp"

#include <numeric>

namespace shoal {

DepthRateEnergy::DepthRateEnergy(const Discretization& discretization, const Wave& wave)
    : discretization_(discretization), wave_(wave) {}

void DepthRateEnergy::find_components(const SymmetricMatrix& pattern) {
  component_.resize(static_cast<std::size_t>(pattern.cols()));
  std::iota(component_.begin(), component_.end(), 0);
  const auto root = [this](Index i) {
    while (component_[static_cast<std::size_t>(i)] != i) i = component_[static_cast<std::size_t>(i)];
    return i;
  };
  for (Index column = 0; column < pattern.cols(); ++column)
    for (SymmetricMatrix::InnerIterator entry(pattern, column); entry; ++entry) {
      const auto [first, second] = std::minmax({root(static_cast<Index>(entry.row())), root(column)});
      component_[static_cast<std::size_t>(second)] = first;
    }
  for (Index i = 0; i < pattern.cols(); ++i) {
    component_[static_cast<std::size_t>(i)] = root(i);
    if (root(i) == i) ground_.push_back(i);
  }
}

double DepthRateEnergy::operator()(const Vector& volume_rate, double reference_depth) {
  const Vector& area = discretization_.cells().area;
  if (!factorized_) {
    SymmetricMatrix matrix = wave_.stiffness_pattern();
    find_components(matrix);
    const LinearSolverEntry entry = cholmod();
    solver_ = entry.make(Parameters(entry.parameters, {}));
    solver_->analyze(matrix);
    const Vector ones = Vector::Ones(wave_.sites());
    wave_.assemble(Vector::Zero(area.size()), 1, ones, matrix);
    for (const Index i : ground_) matrix.valuePtr()[matrix.outerIndexPtr()[i]] *= 2;
    if (const SolverReport report = solver_->factorize(matrix); !report.ok) return std::nan("");
    factorized_ = true;
  }
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
      wave_(require_wave(setting.discretization)),
      system_(wave_, *setting.linear_solver, setting.parameters),
      ones_(Vector::Ones(wave_.sites())),
      reference_depth_text_(setting.parameters.text("reference_depth")),
      energy_(discretization_, wave_) {}

ParameterInfo DepthRateIntegrator::reference_depth_parameter() {
  return text("reference_depth", "m", "mean",
              "η₀, constant in space and time: 'mean' of the initial state, or a depth");
}

void DepthRateIntegrator::start(State& state, double /*dt*/) {
  if (reference_depth_text_ == "mean") {
    reference_depth_ = state.volume.sum() / discretization_.cells().area.sum();
  } else {
    reference_depth_ = parse_number(reference_depth_text_, "parameter 'reference_depth'");
    if (!(reference_depth_ > 0))
      throw Error("parameter 'reference_depth': '" + reference_depth_text_ +
                  "' is not a positive depth or 'mean'");
  }
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
  wave_pressure(discretization_, wave_, volume, pressure_);
  wave_.add_stiffness(pressure_, -scale, wave_.site_root_acceleration(), out);
  if (wave_.bed_force().size()) wave_.add_outflow(wave_.bed_force(), -scale, ones_, out);
}

}  // namespace shoal
