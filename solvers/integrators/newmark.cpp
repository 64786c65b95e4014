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
#include "solvers/integrators/list.hpp"

#include <cmath>

namespace shoal {
namespace {

class Newmark final : public DepthRateIntegrator {
 public:
  explicit Newmark(const IntegratorSetting& setting)
      : DepthRateIntegrator(setting),
        mass_damping_(setting.parameters.number("rayleigh")),
        stiffness_damping_(setting.parameters.number("rayleigh_stiffness")),
        displacement_damping_(setting.parameters.number("displacement_damping")),
        rescales_mass_(setting.parameters.text("mass_rescale") == "on") {}

  void start(State& state, double dt) override {
    DepthRateIntegrator::start(state, dt);
    volume_ = state.volume.sum();
    measure_bed();
  }

  void refresh() override {
    DepthRateIntegrator::refresh();
    measure_bed();
  }

  StepReport step(State& state, double dt, StageClock& clock) override {
    const double mu = 1 + 0.5 * mass_damping_ * dt;
    const double c = 0.25 * dt * dt + 0.5 * stiffness_damping_ * dt;
    if (StepReport report = equation_.prepare(state.volume, mu, c, clock); !report.ok) return report;
    equation_.acceleration(state.volume, acceleration_);
    right_side_ = dt * state.volume_rate + 0.5 * dt * dt * acceleration_;
    if (StepReport report = equation_.solve(right_side_, increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::depth);
    state.volume += increment_;
    state.volume_rate = 2 / dt * increment_ - state.volume_rate;
    if (displacement_damping_ > 0) damp_displacement(std::exp(-displacement_damping_ * dt), state.volume);
    if (rescales_mass_) state.volume *= volume_ / state.volume.sum();
    return {};
  }

  bool has_drag() const override { return mass_damping_ > 0; }

 private:
  void add_drag(const State& state, Vector& acceleration) const override {
    if (mass_damping_ > 0) acceleration -= mass_damping_ * state.volume_rate;
  }

  void measure_bed() { bed_volume_ = discretization_.cells().area.dot(discretization_.cells().bed); }

  /// Multiplies the elevation by `factor`, about its mean, so that mass stays.
  void damp_displacement(double factor, Vector& volume) const {
    const Cells& cells = discretization_.cells();
    const double mean = (volume.sum() - bed_volume_) / cells.area.sum();
    volume = factor * volume + (1 - factor) * (cells.area.cwiseProduct(cells.bed) + mean * cells.area);
  }

  double mass_damping_, stiffness_damping_, displacement_damping_;
  bool rescales_mass_;
  double volume_ = 0;      // of the start
  double bed_volume_ = 0;  // Σ A H
  Vector acceleration_, right_side_, increment_, change_;
};

/// On (h, Δt h_t), with b = a²/4 and k = ½Δt(α + βω²); displacement damping then shrinks h.
Amplification amplification(const WaveStep& step) {
  const double b = step.a() * step.a() / 4;
  const double k = 0.5 * step.parameters.number("rayleigh") * step.dt +
                   2 * step.parameters.number("rayleigh_stiffness") * b / step.dt;
  const double d = std::exp(-step.parameters.number("displacement_damping") * step.dt);
  return dominant_factor((d * (1 + k - b) + (1 - k - b)) / (1 + k + b), d * (1 + b - k) / (1 + b + k));
}

}  // namespace

IntegratorEntry newmark() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  IntegratorEntry entry;
  entry.name = "newmark";
  entry.summary =
      "implicit Newmark for the linear depth equation (Angst 2008, 10): no damping at any time step";
  entry.parameters = DepthEquation::parameters("mean");
  entry.parameters.push_back(choice("mass_rescale", {"off", "on"},
                                    "on: after each step all depths are scaled to the mass at the start; "
                                    "without effect while the reference depth is constant"));
  entry.parameters.push_back(
      number("rayleigh", "1/s", 0, 0, unlimited, "drag: η_tt loses this times η_t (Rayleigh's α)"));
  entry.parameters.push_back(number("rayleigh_stiffness", "s", 0, 0, unlimited,
                                    "damping by stiffness (Rayleigh's β): a wave loses βω² η_t"));
  entry.parameters.push_back(number(
      "displacement_damping", "1/s", 0, 0, unlimited,
      "rate at which the elevation shrinks towards its mean, applied after each step (Angst 2008, 4)"));
  entry.uses_linear_solver = true;
  entry.carries_velocity = false;
  entry.claims = {.order = 2, .linear_order = 2, .unconditional = true, .neutral = true};
  entry.amplification = amplification;
  entry.incompatibility = wave_incompatibility;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Newmark>(setting);
  };
  return entry;
}

}  // namespace shoal
