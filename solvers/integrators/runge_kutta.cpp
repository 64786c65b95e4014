// Properties derived from the coefficients of a Runge–Kutta method, and its integrator.
#include "solvers/integrators/runge_kutta.hpp"

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
  RungeKutta(const IntegratorSetting& setting, const Tableau& tableau)
      : VelocityIntegrator(setting), steps_(tableau) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    const double h = dt / substeps_;
    right_side_.leave(state);
    for (int substep = 0; substep < substeps_; ++substep) advance(state, substep * h, h);
    right_side_.finish(dt, state);
    return {};
  }

 private:
  void advance(State& state, double start, double h) {
    const bool in_stages = right_side_.has_stages();
    const auto entered = [&](Index stage, const State& y) -> const State& {
      if (!in_stages) return y;
      entered_ = y;
      right_side_.enter(start + steps_.tableau().time(stage) * h, entered_, steps_.weight(stage, h));
      return entered_;
    };
    const auto euler = [&](Index stage, const State& from, double dt, State& to) {
      const State& at = entered(stage, from);
      to = at;
      right_side_.add(at, terms_, dt, to);
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

  RungeKuttaSteps steps_;
  State entered_;
};

std::string superscript(int number) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return (number < 10 ? "" : superscript(number / 10)) + digits[number % 10];
}

}  // namespace

double Tableau::time(Index stage) const {
  return std::accumulate(a[stage].begin(), a[stage].end(), 0.0);
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

RungeKuttaSteps::RungeKuttaSteps(Tableau tableau) : tableau_(std::move(tableau)) {
  while (tableau_.b.back() == 0) {
    tableau_.a.pop_back();
    tableau_.b.pop_back();
  }
  if (tableau_.euler.empty()) rates_.resize(tableau_.stages());
}

void RungeKuttaSteps::add_rates(const Array<double>& weights, State& sum) const {
  for (Index j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum.q += weights[j] * rates_[j].q;
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
  for (const EulerStage& stage : euler) entry.euler_part = std::max(entry.euler_part, stage.length);
  entry.amplification = [polynomial](const WaveStep& step) {
    const std::complex<double> z = polynomial({0, step.a() / step.substeps});
    const double phase = std::arg(z);
    return Amplification{std::abs(z), phase < 0 ? phase + 2 * std::numbers::pi : phase}.repeated(
        step.substeps);
  };
  entry.incompatibility = [growth](const DiscretizationEntry& scheme,
                                   const Parameters& options) -> std::string {
    if (!growth.empty())
      return scheme.dissipative
                 ? ""
                 : "requires a dissipative flux, because it amplifies undamped waves, " + growth;
    // Options that exclude split rates exclude every rate of the velocity.
    return scheme.offers_capability<Split>() ? scheme.unavailable<Split>(options) : "";
  };
  entry.make = [tableau = method.tableau](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<RungeKutta>(setting, tableau);
  };
  return entry;
}

}  // namespace shoal
