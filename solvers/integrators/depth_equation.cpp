// Coefficients, acceleration and linear system of the depth equation.
#include "solvers/integrators/depth_equation.hpp"

#include <cmath>

namespace shoal {

namespace {

DepthEquationOptions::ReferenceDepth reference_depth(const std::string& text) {
  using Reference = DepthEquationOptions::Reference;
  if (text == "mean") return {Reference::mean};
  if (text == "initial") return {Reference::initial};
  if (text == "local") return {Reference::local};
  const std::string allowed = "a positive depth, 'mean', 'initial' or 'local'";
  const double depth = parse_parameter(text, "reference_depth", allowed);
  if (!(depth > 0 && std::isfinite(depth)))
    throw parameter_error("reference_depth", "'" + text + "' is not " + allowed);
  return {Reference::given, depth};
}

}  // namespace

Options<DepthEquationOptions> DepthEquationOptions::describe(const std::string& fallback) {
  using O = DepthEquationOptions;
  return Options<O>()
      .parsed("reference_depth", "m", &O::reference_depth, fallback, shoal::reference_depth,
              "reference depth η̃ in front of the divergence: 'mean' of the initial state, a depth, the "
              "'initial' depth of each cell, or its 'local' depth at the beginning of each step")
      .choice("depth_gradient", &O::keep_depth_gradient, {{"dropped", false}, {"exact", true}},
              "the term ∇η̃·v_t of a variable reference depth. dropped: omitted together with v·∇η, which "
              "Angst 2007 leaves to the transport of the depth and Angst 2008 neglects; exact: included, so "
              "that mass is exact and waves converge over uneven beds and on deforming surfaces (requires "
              "reference_depth = initial or local)")
      .choice("acceleration_gradient", &O::acceleration_gradient,
              {{"exact", Gradient::exact}, {"dropped", Gradient::dropped}, {"paper", Gradient::paper}},
              "the terms with ∇aₙ. exact: exact and symmetric; dropped: omitted (Angst 2007, 5.8); paper: as "
              "printed (Angst 2008, 5), which does not conserve mass")
      .choice("forcing", &O::local_forcing, {{"exact", false}, {"paper", true}},
              "depth in front of ∇·f/ρ. exact: η̃; paper: that of each cell, as printed (Angst 2008, 5), "
              "which does not conserve mass");
}

std::string DepthEquationOptions::contradiction() const {
  if (!keep_depth_gradient) return "";
  if (reference_depth.kind != Reference::initial && reference_depth.kind != Reference::local)
    return "depth_gradient = exact requires a variable reference depth, reference_depth = initial or local";
  if (local_forcing || acceleration_gradient == Gradient::paper)
    return "depth_gradient = exact requires acceleration_gradient = exact or dropped, and forcing = exact";
  return "";
}

std::string DepthEquationOptions::mass_drift() const {
  const bool constant = reference_depth.kind == Reference::mean || reference_depth.kind == Reference::given;
  if (!constant && !keep_depth_gradient)
    return "with a variable reference_depth and depth_gradient = dropped its mass drifts; use "
           "reference_depth = mean or depth_gradient = exact";
  if (acceleration_gradient != Gradient::exact || local_forcing)
    return "with acceleration_gradient or forcing as printed its mass drifts; use exact";
  return "";
}

DepthEquation::DepthEquation(const IntegratorSetting& setting, const DepthEquationOptions& options)
    : right_side_(setting.right_side),
      wave_(setting.right_side),
      system_(wave_, *setting.linear_solver, setting.parameters),
      options_(options),
      ones_(Vector::Ones(wave_.sites())) {}

void DepthEquation::start(VectorIn volume) {
  const Cells& cells = right_side_.cells();
  const Mesh& mesh = right_side_.mesh();
  const Vector& area = cells.area;
  const Reference kind = options_.reference_depth.kind;
  if (kind == Reference::mean || kind == Reference::given) {
    mean_reference_depth_ = kind == Reference::given ? options_.reference_depth.depth
                                                     : sum(mesh, cells, volume) / sum(mesh, cells, area);
    reference_depth_.setConstant(area.size(), mean_reference_depth_);
  } else {
    reference_volume_ = volume;
  }
  refresh();
  freeze(volume);
}

void DepthEquation::refresh() {
  prepared_ = false;
  if (reference_volume_.size()) {
    const Cells& cells = right_side_.cells();
    const Mesh& mesh = right_side_.mesh();
    reference_depth_ = reference_volume_.cwiseQuotient(cells.area);
    mean_reference_depth_ = sum(mesh, cells, reference_volume_) / sum(mesh, cells, cells.area);
  }
  const Vector& r = wave_.forces().root_acceleration;
  if (options_.acceleration_gradient == Gradient::exact) {
    scale_ = r;
    row_factor_.setOnes(r.size());
    site_weight_ = wave_.forces().site_root_acceleration;
    return;
  }
  scale_.setOnes(r.size());
  row_factor_ = r.cwiseAbs2();
  site_weight_ = ones_;
  relative_laplacian_.setZero(r.size());
  wave_.add_stiffness(row_factor_, 1, ones_, relative_laplacian_);
  relative_laplacian_.array() /= row_factor_.array();
}

void DepthEquation::freeze(VectorIn volume) {
  const bool local = options_.reference_depth.kind == Reference::local;
  if (local) reference_depth_ = volume.cwiseQuotient(right_side_.cells().area);
  if (!options_.keep_depth_gradient) {
    row_ = reference_depth_.cwiseProduct(row_factor_);
    return;
  }
  if (local)
    wave_.site_depth(volume, site_depth_);
  else
    wave_.site_depth(reference_volume_, site_depth_);
  site_weight_ = site_depth_;
  if (options_.acceleration_gradient == Gradient::exact)
    site_weight_.array() *= wave_.forces().site_root_acceleration.array();
  row_ = row_factor_;
}

FlowDepth DepthEquation::flow_depth(VectorIn volume) {
  if (!options_.keep_depth_gradient) return {ones_, mean_reference_depth_};
  const bool local = options_.reference_depth.kind == Reference::local;
  wave_.site_depth(local ? volume : VectorIn(reference_volume_), flow_depth_);
  return {flow_depth_, 1};
}

StepReport DepthEquation::prepare(VectorIn volume, double mu, double c, StageClock& clock) {
  const bool local = options_.reference_depth.kind == Reference::local;
  if (prepared_ && !local && c == c_ && mu == mu_[0]) return {};
  freeze(volume);
  mu_.setConstant(volume.size(), mu);
  StepReport report = assemble(c, clock);
  prepared_ = report.ok;
  return report;
}

StepReport DepthEquation::prepare(VectorIn volume, const Vector& mu, double c, StageClock& clock) {
  freeze(volume);
  mu_ = mu;
  prepared_ = false;
  return assemble(c, clock);
}

/// The matrix is symmetric in z = scale δV/A: (μ A/(scale row) + c K) z = right side/row; positive definite
/// if η̃ > 0.
StepReport DepthEquation::assemble(double c, StageClock& clock) {
  c_ = c;
  diagonal_ = mu_.array() * right_side_.cells().area.array() / (scale_.array() * row_.array());
  if (options_.acceleration_gradient == Gradient::paper) diagonal_ += 0.5 * c * relative_laplacian_;
  return system_.prepare(diagonal_, c, site_weight_, clock);
}

void DepthEquation::acceleration(VectorIn volume, Vector& out) {
  const WaveForces& waves = wave_.forces();
  out.setZero(volume.size());
  wave_.pressure(volume, pressure_);
  if (options_.acceleration_gradient == Gradient::exact) {
    wave_.add_stiffness(pressure_, -1, site_weight_, out);
    if (waves.has_force) wave_.add_outflow(waves.force, -1, outflow_weight(), out);
  } else {
    elevation_ = pressure_.cwiseQuotient(waves.root_acceleration);
    wave_.add_stiffness(elevation_, -1, site_weight_, out);
    if (options_.acceleration_gradient == Gradient::paper) add_paper_terms(volume, out);
    if (right_side_.forces().has_body_force) {  // the rows below multiply by |aₙ|, which f/ρ must not have
      product_.setZero(volume.size());
      wave_.add_outflow(right_side_.forces().body_force, -1, outflow_weight(), product_);
      out.array() += product_.array() / row_factor_.array();
    }
  }
  out.array() *= row_.array();
  if (!options_.local_forcing || !right_side_.forces().has_body_force) return;
  product_.setZero(volume.size());
  wave_.add_outflow(right_side_.forces().body_force, -1, ones_, product_);
  out.array() +=
      (volume.array() / right_side_.cells().area.array() - reference_depth_.array()) * product_.array();
}

void DepthEquation::add_rate(VectorIn flow, double scale, VectorOut out) {
  product_.setZero(out.size());
  wave_.add_outflow(flow, -scale, outflow_weight(), product_);
  if (!options_.keep_depth_gradient) product_.array() *= reference_depth_.array();
  out += product_;
}

void DepthEquation::force_acceleration(VectorIn volume, double gravity, Vector& out) {
  acceleration(volume, out);
  wave_.pressure(volume, pressure_);
  elevation_ = pressure_.cwiseQuotient(wave_.forces().root_acceleration);
  product_.setZero(volume.size());
  wave_.add_stiffness(elevation_, gravity, outflow_weight(), product_);
  if (options_.keep_depth_gradient)
    out += product_;
  else
    out.array() += reference_depth_.array() * product_.array();
}

/// out += −½ η K(α)/α + G(α, f)/α, f = 3/2 h + ½ H. G/α = −½ (K(αf)/α − K f − f K(α)/α).
void DepthEquation::add_paper_terms(VectorIn volume, Vector& out) {
  const Cells& cells = right_side_.cells();
  out.array() -= 0.5 * volume.array() / cells.area.array() * relative_laplacian_.array();
  elevation_ = 1.5 * elevation_ + 0.5 * cells.bed;
  out.array() += 0.5 * elevation_.array() * relative_laplacian_.array();
  wave_.add_stiffness(elevation_, 0.5, ones_, out);
  elevation_.array() *= row_factor_.array();
  product_.setZero(volume.size());
  wave_.add_stiffness(elevation_, -0.5, ones_, product_);
  out.array() += product_.array() / row_factor_.array();
}

StepReport DepthEquation::solve(VectorIn right_side, Vector& increment, Vector& change, StageClock& clock) {
  scaled_ = right_side.cwiseQuotient(row_);
  if (StepReport report = system_.solve(scaled_, solution_, clock); !report.ok) return report;
  change.setZero(right_side.size());
  wave_.add_stiffness(solution_, -1, site_weight_, change);
  if (options_.acceleration_gradient == Gradient::paper)
    change.array() -= 0.5 * relative_laplacian_.array() * solution_.array();
  change.array() *= row_.array();
  increment = (right_side + c_ * change).cwiseQuotient(mu_);
  return {};
}

void DepthEquation::save(Archive& archive) const {
  archive.put("depth-equation/mean_reference_depth", mean_reference_depth_);
  archive.put("depth-equation/reference_depth", Location::cell, reference_depth_);
  archive.put("depth-equation/reference_volume", Location::cell, reference_volume_);
  archive.put("depth-equation/solution", Location::cell, solution_);  // start value of iterations
  archive.put("depth-equation/prepared", prepared_);
  archive.put("depth-equation/mu", Location::cell, mu_);
  archive.put("depth-equation/c", c_);
  system_.save(archive);
}

void DepthEquation::restore(const Archive& archive) {
  mean_reference_depth_ = archive.number("depth-equation/mean_reference_depth");
  reference_depth_ = archive.vector("depth-equation/reference_depth");
  reference_volume_ = archive.vector("depth-equation/reference_volume");
  solution_ = archive.vector("depth-equation/solution");
  refresh();
  prepared_ = archive.number("depth-equation/prepared") != 0;
  if (prepared_) {  // the next step uses this factorization
    StageClock unused;
    mu_ = archive.vector("depth-equation/mu");
    freeze(reference_volume_);
    assemble(archive.number("depth-equation/c"), unused);
  }
  system_.restore(archive);
}

}  // namespace shoal
