// newmark: Angst 2008, (10) with β = ¼, γ = ½ (the paper's β = γ = ½), for the depth equation linearised
// about a reference depth (DepthEquation), constant by default:
//
//     V_tt = F(V) − C V_t,    F(V) = η̃ (−K(s)(r h) − D(1) b),    C = α − β ∂F/∂V,
//     (μ − c ∂F/∂V) δV = Δt V_t + ½Δt² F(Vⁿ),    μ = 1 + ½αΔt,    c = ¼Δt² + ½βΔt,
//     Vⁿ⁺¹ = Vⁿ + δV,    V_tⁿ⁺¹ = 2 δV/Δt − V_tⁿ.
//
// Without damping |z| = 1 for every ωΔt. With a constant η̃ the increment is computed from fluxes, and mass
// is exact: V_t has no mean on any connected component; round-off in this mean is removed, because it would
// grow with t.
#include "discretizations/components.hpp"
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/integrator.hpp"

#include <cmath>

namespace shoal {
namespace {

struct NewmarkOptions {
  DepthEquationOptions equation;
  bool mass_rescale = false;
  double rayleigh = 0, rayleigh_stiffness = 0, displacement_damping = 0;
  static Options<NewmarkOptions> describe();
};

class Newmark final : public DepthRateIntegrator {
 public:
  explicit Newmark(const IntegratorSetting& setting)
      : Newmark(setting, read_options<NewmarkOptions>(setting.parameters)) {}
  Newmark(const IntegratorSetting& setting, const NewmarkOptions& options)
      : DepthRateIntegrator(setting, options.equation),
        options_(options),
        keeps_mass_(options.equation.mass_drift().empty()),
        components_(setting.right_side.mesh(), setting.right_side.cells()) {}

  State start(State projected) override {
    State state = DepthRateIntegrator::start(std::move(projected));
    components_.add_up(state[volume_], volume_of_component_);
    measure_components();
    if (keeps_mass_) remove_means(state[volume_rate_]);
    return state;
  }

  void refresh() override {
    DepthRateIntegrator::refresh();
    measure_components();
  }

  StepReport step(State& state, double dt, StageClock& clock) override {
    Block volume = state[volume_], volume_rate = state[volume_rate_];
    const double mu = 1 + 0.5 * options_.rayleigh * dt;
    const double c = 0.25 * dt * dt + 0.5 * options_.rayleigh_stiffness * dt;
    if (StepReport report = equation_.prepare(volume, mu, c, clock); !report.ok) return report;
    equation_.acceleration(volume, acceleration_);
    load_ = dt * volume_rate + 0.5 * dt * dt * acceleration_;
    if (StepReport report = equation_.solve(load_, increment_, change_, clock); !report.ok) return report;

    const auto stage = clock.measure(Stage::depth);
    volume += increment_;
    volume_rate = 2 / dt * increment_ - volume_rate;
    if (keeps_mass_) remove_means(volume_rate);
    if (options_.displacement_damping > 0)
      damp_displacement(std::exp(-options_.displacement_damping * dt), volume);
    if (options_.mass_rescale) rescale_mass(volume);
    return {};
  }

  bool has_drag() const override { return options_.rayleigh > 0; }

  void volume_added(VectorIn volume, double scale) override {
    components_.add_up(volume, mean_);
    volume_of_component_ += scale * mean_;
  }

  void save(Archive& archive) const override {
    DepthRateIntegrator::save(archive);
    archive.put("newmark/volume_of_component", volume_of_component_);
  }
  void restore(const Archive& archive) override {
    DepthRateIntegrator::restore(archive);
    volume_of_component_ = archive.vector("newmark/volume_of_component");
    measure_components();
  }

 private:
  void add_drag(const State& state, Vector& acceleration) const override {
    if (options_.rayleigh > 0) acceleration -= options_.rayleigh * state[volume_rate_];
  }

  void measure_components() {
    const Cells& cells = right_side_.cells();
    components_.add_up(cells.area, area_of_component_);
    bed_volume_ = cells.area.cwiseProduct(cells.bed);
    components_.add_up(bed_volume_, bed_of_component_);
  }

  void remove_means(VectorOut volume_rate) {
    components_.add_up(volume_rate, mean_);
    mean_.array() /= area_of_component_.array();
    const Vector& area = right_side_.cells().area;
    for (Index i = 0; i < volume_rate.size(); ++i) volume_rate[i] -= mean_[components_[i]] * area[i];
  }

  /// Multiplies the elevation by `factor` relative to its mean on each component, so that mass is conserved.
  void damp_displacement(double factor, VectorOut volume) {
    const Cells& cells = right_side_.cells();
    components_.add_up(volume, mean_);
    mean_ = (mean_ - bed_of_component_).cwiseQuotient(area_of_component_);
    for (Index i = 0; i < volume.size(); ++i)
      volume[i] = factor * volume[i] + (1 - factor) * cells.area[i] * (cells.bed[i] + mean_[components_[i]]);
  }

  /// Rescales the volumes to the mass of each component at the start, including mass added since.
  void rescale_mass(VectorOut volume) {
    components_.add_up(volume, mean_);
    for (Index i = 0; i < volume.size(); ++i)
      volume[i] *= volume_of_component_[components_[i]] / mean_[components_[i]];
  }

  const NewmarkOptions options_;
  const bool keeps_mass_;
  const Components components_;
  // [components] initial and added volume, m³; area, m²; Σ A H, m³; work array
  Vector volume_of_component_, area_of_component_, bed_of_component_, mean_;
  Vector acceleration_, load_, increment_, change_, bed_volume_;
};

/// For (h, Δt h_t), with b = a²/4 and k = ½Δt(α + βω²); displacement damping then reduces h.
Amplification amplification(const WaveStep& step) {
  const double b = step.a() * step.a() / 4;
  const NewmarkOptions options = read_options<NewmarkOptions>(step.parameters);
  const double k = 0.5 * options.rayleigh * step.dt + 2 * options.rayleigh_stiffness * b / step.dt;
  const double d = std::exp(-options.displacement_damping * step.dt);
  return dominant_factor((d * (1 + k - b) + (1 - k - b)) / (1 + k + b), d * (1 + b - k) / (1 + b + k));
}

Options<NewmarkOptions> NewmarkOptions::describe() {
  using O = NewmarkOptions;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<O>()
      .part(&O::equation, DepthEquationOptions::describe("mean"))
      .choice("mass_rescale", &O::mass_rescale, {{"off", false}, {"on", true}},
              "on: after each step, scale the depths of each connected component to its initial mass; no "
              "effect if the reference depth is constant")
      .number("rayleigh", "1/s", &O::rayleigh, 0, unlimited, "drag α of Rayleigh damping, η_tt = … − α η_t")
      .number("rayleigh_stiffness", "s", &O::rayleigh_stiffness, 0, unlimited,
              "stiffness damping β of Rayleigh damping: −β ω² η_t for a wave of frequency ω")
      .number(
          "displacement_damping", "1/s", &O::displacement_damping, 0, unlimited,
          "rate at which the elevation relaxes towards its mean, applied after each step (Angst 2008, 4)");
}

}  // namespace

IntegratorEntry newmark() {
  IntegratorEntry entry;
  entry.name = "newmark";
  entry.summary =
      "implicit Newmark for the linear depth equation (Angst 2008, 10); undamped and stable for any time "
      "step";
  entry.parameters = describe_options<NewmarkOptions>();
  entry.uses_linear_solver = true;
  entry.carries_velocity = false;
  entry.implicit_terms = Term::gravity;
  entry.explicit_terms = Term::force;
  entry.claims = {
      .order = 2, .linear_order = 2, .unconditional = true, .neutral = true, .keeps_energy = true};
  entry.amplification = amplification;
  entry.mass_drift = [](const Parameters& options) {
    return read_options<NewmarkOptions>(options).equation.mass_drift();
  };
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    const std::string reason = flux_incompatibility(scheme, options);
    return reason.empty() ? read_options<NewmarkOptions>(options).equation.contradiction() : reason;
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Newmark>(setting);
  };
  return entry;
}

}  // namespace shoal
