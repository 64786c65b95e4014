// Coefficients, acceleration and linear system of the depth equation.
#include "solvers/integrators/depth_equation.hpp"

#include <cmath>

namespace shoal {

ParameterInfos DepthEquation::parameters(const std::string& fallback) {
  return {
      text("reference_depth", "m", fallback,
           "η̃ in front of the divergence: 'mean' of the initial state, a depth, or of each cell its "
           "'initial' depth or that at the beginning of each step, 'local'"),
      choice(
          "depth_gradient", {"dropped", "exact"},
          "∇η̃·v_t of a depth that varies: left out with v·∇η, which Angst 2007 leaves to a transport of the "
          "depth and Angst 2008 neglects, or kept, so that mass is exact and waves converge over uneven "
          "ground and on surfaces that deform; with reference_depth = initial or local"),
      choice("acceleration_gradient", {"exact", "dropped", "paper"},
             "the terms with ∇aₙ: exact and symmetric, left out (Angst 2007, 5.8), or as printed (Angst "
             "2008, 5), which does not keep the mass"),
      choice(
          "forcing", {"exact", "paper"},
          "depth in front of ∇·f/ρ: η̃, or as printed (Angst 2008, 5) that of each cell, which does not keep "
          "the mass")};
}

DepthEquation::DepthEquation(const IntegratorSetting& setting, Use use)
    : discretization_(setting.discretization),
      wave_(require_wave(setting.discretization, use)),
      system_(wave_, *setting.linear_solver, setting.parameters),
      ones_(Vector::Ones(wave_.sites())) {
  const std::string& gradient = setting.parameters.text("acceleration_gradient");
  local_forcing_ = setting.parameters.text("forcing") == "paper";
  if (gradient != "exact") gradient_ = gradient == "paper" ? Gradient::paper : Gradient::dropped;
  const std::string& text = setting.parameters.text("reference_depth");
  keeps_depth_gradient_ = setting.parameters.text("depth_gradient") == "exact";
  if (keeps_depth_gradient_ && text != "initial" && text != "local")
    throw Refusal("depth_gradient = exact needs a depth that varies, reference_depth = initial or local");
  if (keeps_depth_gradient_ && (local_forcing_ || gradient_ == Gradient::paper))
    throw Refusal(
        "depth_gradient = exact goes with acceleration_gradient = exact or dropped and forcing = exact");
  if (text == "mean") return;
  if (text == "initial") {
    reference_ = Reference::initial;
  } else if (text == "local") {
    reference_ = Reference::local;
  } else {
    const std::string allowed = "a positive depth, 'mean', 'initial' or 'local'";
    given_depth_ = parse_parameter(text, "reference_depth", allowed);
    if (!(*given_depth_ > 0 && std::isfinite(*given_depth_)))
      throw parameter_error("reference_depth", "'" + text + "' is not " + allowed);
  }
}

void DepthEquation::start(const Vector& volume) {
  const Vector& area = discretization_.cells().area;
  if (reference_ == Reference::constant) {
    mean_reference_depth_ = given_depth_.value_or(volume.sum() / area.sum());
    reference_depth_.setConstant(area.size(), mean_reference_depth_);
  } else {
    reference_volume_ = volume;
  }
  refresh();
  freeze(volume);
}

void DepthEquation::refresh() {
  prepared_ = false;
  if (reference_ != Reference::constant) {
    const Vector& area = discretization_.cells().area;
    reference_depth_ = reference_volume_.cwiseQuotient(area);
    mean_reference_depth_ = reference_volume_.sum() / area.sum();
  }
  const Vector& r = wave_.root_acceleration();
  if (gradient_ == Gradient::exact) {
    scale_ = r;
    row_factor_.setOnes(r.size());
    return;
  }
  scale_.setOnes(r.size());
  row_factor_ = r.cwiseAbs2();
  relative_laplacian_.setZero(r.size());
  wave_.add_stiffness(row_factor_, 1, ones_, relative_laplacian_);
  relative_laplacian_.array() /= row_factor_.array();
}

void DepthEquation::freeze(const Vector& volume) {
  if (reference_ == Reference::local) reference_depth_ = volume.cwiseQuotient(discretization_.cells().area);
  if (!keeps_depth_gradient_) {
    row_ = reference_depth_.cwiseProduct(row_factor_);
    return;
  }
  wave_.site_depth(reference_ == Reference::local ? volume : reference_volume_, site_depth_);
  site_weight_ = site_depth_;
  if (gradient_ == Gradient::exact) site_weight_.array() *= wave_.site_root_acceleration().array();
  row_ = row_factor_;
}

StepReport DepthEquation::prepare(const Vector& volume, double mu, double c, StageClock& clock) {
  if (prepared_ && reference_ != Reference::local && c == c_ && mu == mu_[0]) return {};
  freeze(volume);
  mu_.setConstant(volume.size(), mu);
  StepReport report = assemble(c, clock);
  prepared_ = report.ok;
  return report;
}

StepReport DepthEquation::prepare(const Vector& volume, const Vector& mu, double c, StageClock& clock) {
  freeze(volume);
  mu_ = mu;
  prepared_ = false;
  return assemble(c, clock);
}

/// The matrix is symmetric in z = scale δV/A: (μ A/(scale row) + c K) z = right side/row, positive definite
/// while η̃ > 0.
StepReport DepthEquation::assemble(double c, StageClock& clock) {
  c_ = c;
  diagonal_ = mu_.array() * discretization_.cells().area.array() / (scale_.array() * row_.array());
  if (gradient_ == Gradient::paper) diagonal_ += 0.5 * c * relative_laplacian_;
  return system_.prepare(diagonal_, c, site_weight(), clock);
}

void DepthEquation::acceleration(const Vector& volume, Vector& out) const {
  out.setZero(volume.size());
  wave_.pressure(volume, pressure_);
  if (gradient_ == Gradient::exact) {
    wave_.add_stiffness(pressure_, -1, site_weight(), out);
    if (wave_.force().size()) wave_.add_outflow(wave_.force(), -1, outflow_weight(), out);
  } else {
    elevation_ = pressure_.cwiseQuotient(wave_.root_acceleration());
    wave_.add_stiffness(elevation_, -1, site_weight(), out);
    if (gradient_ == Gradient::paper) add_paper_terms(volume, out);
    if (wave_.body_force().size()) {  // without the factor |aₙ| of the rows
      product_.setZero(volume.size());
      wave_.add_outflow(wave_.body_force(), -1, outflow_weight(), product_);
      out.array() += product_.array() / row_factor_.array();
    }
  }
  out.array() *= row_.array();
  if (!local_forcing_ || !wave_.body_force().size()) return;
  product_.setZero(volume.size());
  wave_.add_outflow(wave_.body_force(), -1, ones_, product_);
  out.array() +=
      (volume.array() / discretization_.cells().area.array() - reference_depth_.array()) * product_.array();
}

void DepthEquation::force_acceleration(const Vector& volume, double gravity, Vector& out) const {
  acceleration(volume, out);
  wave_.pressure(volume, pressure_);
  elevation_ = pressure_.cwiseQuotient(wave_.root_acceleration());
  product_.setZero(volume.size());
  wave_.add_stiffness(elevation_, gravity, outflow_weight(), product_);
  if (keeps_depth_gradient_)
    out += product_;
  else
    out.array() += reference_depth_.array() * product_.array();
}

/// out += −½ η K(α)/α + G(α, f)/α, f = 3/2 h + ½ H. G/α = −½ (K(αf)/α − K f − f K(α)/α).
void DepthEquation::add_paper_terms(const Vector& volume, Vector& out) const {
  const Cells& cells = discretization_.cells();
  out.array() -= 0.5 * volume.array() / cells.area.array() * relative_laplacian_.array();
  elevation_ = 1.5 * elevation_ + 0.5 * cells.bed;
  out.array() += 0.5 * elevation_.array() * relative_laplacian_.array();
  wave_.add_stiffness(elevation_, 0.5, ones_, out);
  elevation_.array() *= row_factor_.array();
  product_.setZero(volume.size());
  wave_.add_stiffness(elevation_, -0.5, ones_, product_);
  out.array() += product_.array() / row_factor_.array();
}

StepReport DepthEquation::solve(const Vector& right_side, Vector& increment, Vector& change,
                                StageClock& clock) {
  scaled_ = right_side.cwiseQuotient(row_);
  if (StepReport report = system_.solve(scaled_, solution_, clock); !report.ok) return report;
  change.setZero(right_side.size());
  wave_.add_stiffness(solution_, -1, site_weight(), change);
  if (gradient_ == Gradient::paper) change.array() -= 0.5 * relative_laplacian_.array() * solution_.array();
  change.array() *= row_.array();
  increment = (right_side + c_ * change).cwiseQuotient(mu_);
  return {};
}

}  // namespace shoal
