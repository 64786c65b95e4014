// Coefficients, acceleration and linear system of the depth equation.
#include "solvers/integrators/depth_equation.hpp"

namespace shoal {

ParameterInfos DepthEquation::parameters(const std::string& fallback) {
  return {text("reference_depth", "m", fallback,
               "η̃ in front of the divergence: 'mean' of the initial state, a depth, or of each cell its "
               "'initial' depth or that at the beginning of each step, 'local'")};
}

DepthEquation::DepthEquation(const IntegratorSetting& setting, Use use)
    : discretization_(setting.discretization),
      wave_(require_wave(setting.discretization, use)),
      system_(wave_, *setting.linear_solver, setting.parameters),
      ones_(Vector::Ones(wave_.sites())) {
  const std::string& text = setting.parameters.text("reference_depth");
  if (text == "mean") return;
  if (text == "initial") {
    reference_ = Reference::initial;
  } else if (text == "local") {
    reference_ = Reference::local;
  } else {
    given_depth_ = parse_number(text, "parameter 'reference_depth'");
    if (!(*given_depth_ > 0))
      throw Error("parameter 'reference_depth': '" + text +
                  "' is not a positive depth, 'mean', 'initial' or 'local'");
  }
}

void DepthEquation::start(const Vector& volume) {
  const Vector& area = discretization_.cells().area;
  mean_reference_depth_ = given_depth_.value_or(volume.sum() / area.sum());
  if (reference_ == Reference::constant)
    reference_depth_.setConstant(area.size(), mean_reference_depth_);
  else
    reference_depth_ = volume.cwiseQuotient(area);
  refresh();
}

StepReport DepthEquation::prepare(const Vector& volume, double mu, double c, StageClock& clock) {
  if (reference_ == Reference::local)
    reference_depth_ = volume.cwiseQuotient(discretization_.cells().area);
  else if (prepared_ && mu == mu_ && c == c_)
    return {};
  diagonal_ = mu * discretization_.cells().area.array() /
              (wave_.root_acceleration().array() * reference_depth_.array());
  const StepReport report = system_.prepare(diagonal_, c, wave_.site_root_acceleration(), clock);
  prepared_ = report.ok;
  mu_ = mu;
  c_ = c;
  return report;
}

void DepthEquation::acceleration(const Vector& volume, Vector& out) const {
  wave_.pressure(volume, pressure_);
  out.setZero(volume.size());
  wave_.add_stiffness(pressure_, -1, wave_.site_root_acceleration(), out);
  if (wave_.bed_force().size()) wave_.add_outflow(wave_.bed_force(), -1, ones_, out);
  out.array() *= reference_depth_.array();
}

/// The matrix is symmetric in z = r δV/A: (μ A/(r η̃) + c K(s)) z = right side/η̃, positive definite while η̃ >
/// 0.
StepReport DepthEquation::solve(const Vector& right_side, Vector& increment, Vector& change,
                                StageClock& clock) {
  scaled_ = right_side.cwiseQuotient(reference_depth_);
  if (StepReport report = system_.solve(scaled_, solution_, clock); !report.ok) return report;
  change.setZero(right_side.size());
  wave_.add_stiffness(solution_, -1, wave_.site_root_acceleration(), change);
  change.array() *= reference_depth_.array();
  increment = (right_side + c_ * change) / mu_;
  return {};
}

}  // namespace shoal
