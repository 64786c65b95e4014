// newmark: Angst 2008, (10) with β = ¼, γ = ½ (the paper's β = γ = ½), for the depth equation linearised
// about a reference depth (DepthEquation), constant by default:
//
//     V_tt = F(V) − C V_t,    F(V) = η̃ (−K(s)(r h) − D(1) b),    C = α − β ∂F/∂V,
//     (μ − c ∂F/∂V) δV = Δt V_t + ½Δt² F(Vⁿ),    μ = 1 + ½αΔt,    c = ¼Δt² + ½βΔt,
//     Vⁿ⁺¹ = Vⁿ + δV,    V_tⁿ⁺¹ = 2 δV/Δt − V_tⁿ.
//
// Without damping |z| = 1 for every ωΔt. With a constant η̃ the increment comes from fluxes, and mass is
// exact.
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
      : DepthRateIntegrator(setting, options.equation), options_(options) {}

  State start(State projected, const Forces& forces) override {
    State state = DepthRateIntegrator::start(std::move(projected), forces);
    total_volume_ = state[volume_].sum();
    measure_bed();
    return state;
  }

  void refresh(const Forces& forces) override {
    DepthRateIntegrator::refresh(forces);
    measure_bed();
  }

  StepReport step(State& state, const Forces& forces, double dt, StageClock& clock) override {
    Block volume = state[volume_], volume_rate = state[volume_rate_];
    const double mu = 1 + 0.5 * options_.rayleigh * dt;
    const double c = 0.25 * dt * dt + 0.5 * options_.rayleigh_stiffness * dt;
    if (StepReport report = equation_.prepare(volume, forces, mu, c, clock); !report.ok) return report;
    equation_.acceleration(volume, forces, acceleration_);
    right_side_ = dt * volume_rate + 0.5 * dt * dt * acceleration_;
    if (StepReport report = equation_.solve(right_side_, increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::depth);
    volume += increment_;
    volume_rate = 2 / dt * increment_ - volume_rate;
    if (options_.displacement_damping > 0)
      damp_displacement(std::exp(-options_.displacement_damping * dt), volume);
    if (options_.mass_rescale) volume *= total_volume_ / volume.sum();
    return {};
  }

  bool has_drag() const override { return options_.rayleigh > 0; }

  void volume_added(double volume) override { total_volume_ += volume; }

  void save(Archive& archive) const override {
    DepthRateIntegrator::save(archive);
    archive.put("newmark/total_volume", total_volume_);
  }
  void restore(const Archive& archive, const Forces& forces) override {
    DepthRateIntegrator::restore(archive, forces);
    total_volume_ = archive.number("newmark/total_volume");
    measure_bed();
  }

 private:
  void add_drag(const State& state, Vector& acceleration) const override {
    if (options_.rayleigh > 0) acceleration -= options_.rayleigh * state[volume_rate_];
  }

  void measure_bed() { bed_volume_ = discretization_.cells().area.dot(discretization_.cells().bed); }

  /// Multiplies the elevation by `factor`, about its mean, so that mass stays.
  void damp_displacement(double factor, VectorOut volume) const {
    const Cells& cells = discretization_.cells();
    const double mean = (volume.sum() - bed_volume_) / cells.area.sum();
    volume = factor * volume + (1 - factor) * (cells.area.cwiseProduct(cells.bed) + mean * cells.area);
  }

  const NewmarkOptions options_;
  double total_volume_ = 0;  // of the start
  double bed_volume_ = 0;    // Σ A H
  Vector acceleration_, right_side_, increment_, change_;
};

/// On (h, Δt h_t), with b = a²/4 and k = ½Δt(α + βω²); displacement damping then shrinks h.
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
              "on: after each step all depths are scaled to the mass at the start; "
              "without effect while the reference depth is constant")
      .number("rayleigh", "1/s", &O::rayleigh, 0, unlimited, "drag: η_tt loses this times η_t (Rayleigh's α)")
      .number("rayleigh_stiffness", "s", &O::rayleigh_stiffness, 0, unlimited,
              "damping by stiffness (Rayleigh's β): a wave loses βω² η_t")
      .number(
          "displacement_damping", "1/s", &O::displacement_damping, 0, unlimited,
          "rate at which the elevation shrinks towards its mean, applied after each step (Angst 2008, 4)");
}

}  // namespace

IntegratorEntry newmark() {
  IntegratorEntry entry;
  entry.name = "newmark";
  entry.summary =
      "implicit Newmark for the linear depth equation (Angst 2008, 10): no damping at any time step";
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
  entry.incompatibility = [](const DiscretizationEntry& scheme, const Parameters& options) {
    const std::string reason = flux_incompatibility(scheme, options);
    return reason.empty() ? read_options<NewmarkOptions>(options).equation.contradiction() : reason;
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Newmark>(setting);
  };
  return entry;
}

}  // namespace shoal
