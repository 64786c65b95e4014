// Properties derived from the coefficients of a Runge–Kutta method, and its integrator.
#include "solvers/integrators/runge_kutta.hpp"

#include "discretizations/mesh/whole.hpp"
#include "discretizations/renewal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace shoal {
namespace {

constexpr double rounding = 1e-14;  // of sums of a few products of coefficients

class RungeKutta final : public VelocityIntegrator {
 public:
  RungeKutta(const IntegratorSetting& setting, const Tableau& tableau, const ErrorControl& control)
      : VelocityIntegrator(setting), control_(control), steps_(tableau, control.tolerance > 0) {
    Tableau lower = tableau;
    lower.b = tableau.embedded;
    if (control.tolerance > 0) {
      order_of_estimate_ = StabilityPolynomial(lower).order() + 1;
      renewal_ = renewal_of(mesh(), right_side_.cells(), layout());
    }
  }

  StepReport step(State& state, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    if (control_.tolerance > 0)
      wave_speed_ = std::sqrt(min(mesh(), right_side_.cells(), right_side_.cells().area)) /
                    right_side_.stable_dt(state, terms_);
    right_side_.begin_friction(dt, state);
    right_side_.leave(state);
    StepReport report;
    if (control_.tolerance > 0) {
      report = advance_within_tolerance(state, dt, clock);
    } else {
      const double h = dt / substeps_;
      for (int substep = 0; substep < substeps_; ++substep) {
        begin_substep(substep, state, clock);
        advance(state, substep * h, h);
      }
    }
    right_side_.finish(dt, state);
    right_side_.end_friction(lag_ * dt / substeps_, state);
    return report;
  }

  void save(Archive& archive) const override {
    if (control_.tolerance > 0)
      archive.put("runge_kutta/substep", Vector(Eigen::Vector2d(substep_, last_error_)));
  }
  void restore(const Archive& archive) override {
    if (!archive.has("runge_kutta/substep")) return;
    substep_ = archive.vector("runge_kutta/substep")[0];
    last_error_ = archive.vector("runge_kutta/substep")[1];
  }

 private:
  /// The substeps of a step, see ErrorControl.
  StepReport advance_within_tolerance(State& state, double dt, StageClock& clock) {
    constexpr double safety = 0.9, own = 0.7, previous = 0.4, least = 1e-4;
    const double power = 1.0 / order_of_estimate_;
    const double negligible = 1e-12 * dt;
    if (!(substep_ > 0)) substep_ = dt / substeps_;
    bool rejected = false;
    for (double done = 0; dt - done > negligible;) {
      const double rest = dt - done, parts = std::fmax(1, std::ceil(rest / substep_ - 1e-9)),
                   h = rest / parts;
      trial_ = state;
      advance(trial_, done, h);
      const double error = relative_error(state, done + h) / control_.tolerance;
      if (!(error <= 1)) {
        const double ratio = std::isfinite(error) ? safety * std::pow(error, -power) : 0;
        substep_ = h * std::fmax(control_.shrink, ratio);
        rejected = true;
        if (substep_ < least * dt)
          return {.ok = false,
                  .reason = fmt::format("error_tolerance = {:.3g} is exceeded even by a substep of {:.3g} s",
                                        control_.tolerance, h),
                  .unstable = !std::isfinite(error)};
        continue;
      }
      book(done, h);
      state.q = trial_.q;
      renew(renewal_.get(), state, clock);
      done += h;
      constexpr double least_error = 1e-4;  // an error of zero would forbid any growth afterwards
      const double now = std::fmax(error, least_error);
      const double ratio = safety * std::pow(now, -own * power) * std::pow(last_error_, previous * power);
      substep_ = h * std::clamp(ratio, control_.shrink, rejected ? 1 : control_.growth);
      last_error_ = now;
      rejected = false;
    }
    return {};
  }

  /// The larger ratio of depths and velocities after a trial that ends at `end`, see ErrorControl. NaN if it is not finite.
  double relative_error(const State& before, double end) {
    State &after = compared_, &error = error_;
    steps_.error(error);
    const auto norm = [this](const State& q) {
      const ConstBlock volumes = q[volume()];
      return std::sqrt(dot(mesh(), right_side_.cells(), volumes, volumes));
    };
    const double of_depth = norm(error) / std::fmax(norm(before), norm(trial_));
    after = trial_;
    error.q += trial_.q;
    error[volume()] = trial_[volume()];
    if (right_side_.has_stages())
      for (State* state : {&error, &after})
        right_side_.enter(end, *state, 0);  // velocities from circulations
    error[velocity()] -= after[velocity()];
    const double of_waves =
        0.5 * wave_speed_ * wave_speed_ * sum(mesh(), right_side_.cells(), std::as_const(after)[volume()]);
    const double of_velocity =
        std::sqrt(right_side_.kinetic_energy(error) / (right_side_.kinetic_energy(after) + of_waves));
    return of_depth > of_velocity || std::isnan(of_depth) ? of_depth : of_velocity;
  }

  /// Integrates the powers of the stages of an accepted substep. Its trial had the weight 0.
  void book(double start, double h) {
    if (!right_side_.has_stages()) return;
    for (Index stage = 0; stage < steps_.tableau().stages(); ++stage)
      right_side_.enter(start + steps_.tableau().time(stage) * h, stage_[stage], steps_.weight(stage, h));
  }

  void advance(State& state, double start, double h) {
    const bool in_stages = right_side_.has_stages();
    const auto entered = [&](Index stage, const State& y) -> const State& {
      if (!in_stages) return y;
      entered_ = y;
      const bool is_trial = control_.tolerance > 0;
      if (is_trial) stage_[stage] = y;
      right_side_.enter(start + steps_.tableau().time(stage) * h, entered_,
                        is_trial ? 0 : steps_.weight(stage, h));
      return entered_;
    };
    const auto euler = [&](Index stage, const State& from, double dt, State& to) {
      const State& at = entered(stage, from);
      to = at;
      right_side_.add(at, terms_, dt, to);
      right_side_.resist(dt, to, at, steps_.weight(stage, h) / dt);
      right_side_.leave(to);
    };
    if (!steps_.tableau().euler.empty()) return steps_.by_euler_stages(state, h, euler);
    steps_.by_rates(state, h, [&](Index stage, const State& y, double dt, State& rate) {
      if (in_stages) {  // a rate alone cannot be converted: that of a momentum depends on the volume
        euler(stage, y, dt, rate);
        rate.q -= y.q;
      } else {
        rate.q.setZero(y.q.size());
        right_side_.add(y, terms_, dt, rate);
      }
    });
  }

  const Mesh& mesh() const { return right_side_.mesh(); }

  ErrorControl control_;
  RungeKuttaSteps steps_;
  const double lag_ = steps_.tableau().lag();
  State entered_;
  // With error control.
  std::unique_ptr<Renewal> renewal_;  // of a part of a mesh, which needs one in each substep; null: the whole
  int order_of_estimate_ = 1;         // that of the embedded solution, plus one
  double substep_ = 0, last_error_ = 1;  // s; ε of the last accepted substep
  double wave_speed_ = 0;                // m/s, its scale
  State trial_, error_, compared_;
  Array<State> stage_ = Array<State>(steps_.tableau().stages());
};

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return (number < 10 ? "" : superscript(number / 10)) + digits[number % 10];
}

}  // namespace

double Tableau::time(Index stage) const {
  return std::accumulate(a[stage].begin(), a[stage].end(), 0.0);
}

double Tableau::lag() const {
  double lag = 0;
  for (Index i = 0; i < euler.size(); ++i) lag += b[i] * euler[i].length;
  return lag;
}

Tableau of_euler_stages(const Array<EulerStage>& stages) {
  Tableau tableau;
  tableau.euler = stages;
  Array<double> row;  // current stage, qⁿ + h Σ row[j] f(Yⱼ)
  for (const EulerStage& stage : stages) {
    tableau.a.push_back(row);
    for (double& weight : row) weight *= stage.share;
    row.push_back(stage.share * stage.length);
  }
  tableau.b = row;
  return tableau;
}

StabilityPolynomial::StabilityPolynomial(const Tableau& tableau) : r_{1.0} {
  const Index stages = tableau.stages();
  Array<double> power(stages, 1.0);  // Aᵏ⁻¹ (1, …, 1); its product with b is rₖ
  for (Index k = 1; k <= stages; ++k) {
    double r = 0;
    for (Index i = stages; i-- > 0;) {
      r += tableau.b[i] * power[i];
      double next = 0;
      for (Index j = 0; j < tableau.a[i].size(); ++j) next += tableau.a[i][j] * power[j];
      power[i] = next;
    }
    r_.push_back(std::abs(r) > rounding ? r : 0);
  }
  growth_.assign(stages + 1, 0);
  for (Index i = 0; i <= stages; ++i)  // iⁱ (−i)ʲ = ±1 for even i + j; odd terms cancel
    for (Index j = i % 2; j <= stages; j += 2)
      growth_[(i + j) / 2] += ((i - j) / 2 % 2 == 0 ? 1 : -1) * r_[i] * r_[j];
  growth_[0] -= 1;
  for (double& term : growth_)
    if (std::abs(term) < rounding) term = 0;
}

std::complex<double> StabilityPolynomial::operator()(std::complex<double> z) const {
  std::complex<double> sum = 0;
  for (Index k = r_.size(); k-- > 0;) sum = r_[k] + z * sum;
  return sum;
}

int StabilityPolynomial::order() const {
  int k = 0;
  double factorial = 1;
  while (k + 1 < r_.size() && std::abs(r_[k + 1] * factorial * (k + 1) - 1) < 100 * rounding)
    factorial *= ++k;
  return k;
}

StabilityPolynomial::Growth StabilityPolynomial::leading_growth() const {
  for (Index k = 1; k < growth_.size(); ++k)
    if (growth_[k] != 0) return {growth_[k], 2 * static_cast<int>(k)};
  return {0, 0};
}

double StabilityPolynomial::imaginary_limit() const {
  const int power = leading_growth().power;
  const auto grows = [&](double y) {  // divided by the common power of y, for accuracy near 0
    double sum = 0;
    for (Index k = growth_.size(); k-- > power / 2;) sum = growth_[k] + y * y * sum;
    return sum > 0;
  };
  if (grows(0)) return 0;
  // No explicit method of s stages is stable beyond s − 1 (van der Houwen 1977).
  constexpr double spacing = 1e-3;
  double stable = 0;
  while (!grows(stable + spacing) && stable < static_cast<double>(r_.size())) stable += spacing;
  double unstable = stable + spacing;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (stable + unstable);
    (grows(middle) ? unstable : stable) = middle;
  }
  return stable;
}

Options<ErrorControl> ErrorControl::describe() {
  using O = ErrorControl;
  return Options<O>()
      .number("error_tolerance", "1", &O::tolerance, 0, 0.1,
              "error control: largest estimated error of a substep, relative to the norms of depth and "
              "velocity; the step is the "
              "upper limit of a substep; 0: no control")
      .number("error_growth", "1", &O::growth, 1, 100,
              "largest ratio of a substep to the previous one under error control")
      .number("error_shrink", "1", &O::shrink, 1e-3, 0.9, "smallest such ratio");
}

RungeKuttaSteps::RungeKuttaSteps(Tableau tableau, bool estimates_error) : tableau_(std::move(tableau)) {
  while (tableau_.b.back() == 0 && !estimates_error) {
    tableau_.a.pop_back();
    tableau_.b.pop_back();
  }
  if (tableau_.euler.empty()) rates_.resize(tableau_.stages());
}

void RungeKuttaSteps::add_rates(const Array<double>& weights, State& sum) const {
  for (Index j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum.q += weights[j] * rates_[j].q;
}

void RungeKuttaSteps::error(State& estimate) const {
  estimate.q.setZero(rates_.front().q.size());
  for (Index i = 0; i < tableau_.stages(); ++i)
    estimate.q += (tableau_.b[i] - tableau_.embedded[i]) * rates_[i].q;
}

IntegratorEntry runge_kutta(const RungeKuttaMethod& method) {
  const StabilityPolynomial polynomial(method.tableau);
  const double limit = polynomial.imaginary_limit();
  const Array<EulerStage>& euler = method.tableau.euler;
  IntegratorEntry entry;
  entry.name = method.name;
  entry.summary = method.summary;
  entry.default_substeps = 1;
  entry.stages_in_time = true;
  const bool estimates_error = !method.tableau.embedded.empty();
  if (estimates_error) entry.parameters = describe_options<ErrorControl>();
  entry.evaluations = [stages = RungeKuttaSteps(method.tableau).tableau().stages()](int substeps) {
    return stages * substeps;
  };
  entry.explicit_terms = Terms::all();
  entry.claims = {.order = method.order, .linear_order = polynomial.order(), .positive = !euler.empty()};
  std::string growth;
  if (limit > 0) {
    entry.summary += fmt::format("; stable to ωΔt = {:.3g}", limit);
    entry.claims.stable_part = limit / 2;
  } else {
    const auto [coefficient, power] = polynomial.leading_growth();
    growth = fmt::format("|z|² = 1 + (ωΔt){}/{:.3g}", superscript(power), 1 / coefficient);
  }
  // Any other method is one Euler step with the mean of its rates: limits of sinks and inflows for the whole
  // step then hold in the mean.
  if (!euler.empty()) entry.euler_part = 0;
  entry.resists = !euler.empty();
  for (const EulerStage& stage : euler) entry.euler_part = std::max(entry.euler_part, stage.length);
  entry.amplification = [polynomial](const WaveStep& step) {
    const std::complex<double> z = polynomial({0, step.a() / step.substeps});
    const double phase = std::arg(z);
    return Amplification{std::abs(z), phase < 0 ? phase + 2 * std::numbers::pi : phase}.repeated(
        step.substeps);
  };
  entry.unsupported = [growth](const DiscretizationEntry& scheme, const Parameters& options) -> std::string {
    if (!growth.empty())
      return scheme.dissipative
                 ? ""
                 : "requires a dissipative flux, because it amplifies undamped waves, " + growth;
    // Options that exclude split rates exclude every rate of the velocity.
    return scheme.offers_capability<Split>() ? scheme.unavailable<Split>(options) : "";
  };
  entry.make = [tableau = method.tableau,
                estimates_error](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<RungeKutta>(
        setting, tableau, estimates_error ? read_options<ErrorControl>(setting.parameters) : ErrorControl());
  };
  return entry;
}

}  // namespace shoal
