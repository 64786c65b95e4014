// Explicit Runge–Kutta methods as data: their coefficients, the properties derived from these, and their steps.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/common/options.hpp"
#include "solvers/integrators/integrator.hpp"

#include <complex>
#include <utility>

namespace shoal {

/// A stage in the form of Shu & Osher 1988 (doi:10.1016/0021-9991(88)90177-5): q ← (1−share) qⁿ + share (q + length·h f(q)).
struct EulerStage {
  double length = 1;
  double share = 1;
};

/// The coefficients of a method of s stages,
///
///     Yᵢ = qⁿ + h Σ_{j<i} aᵢⱼ f(tⁿ + cⱼh, Yⱼ),    cᵢ = Σ aᵢⱼ,    qⁿ⁺¹ = qⁿ + h Σ bᵢ f(tⁿ + cᵢh, Yᵢ).
struct Tableau {
  Array<Array<double>> a;  ///< row by row, the strictly lower triangle
  Array<double> b;         ///< [s]
  Array<EulerStage> euler =
      {};  ///< [s] the method as convex combinations of Euler steps, if known; empty otherwise
  Array<double> embedded =
      {};  ///< [s] b̂ of a solution of lower order, which gives an estimate of the error; empty if there is none

  Index stages() const { return b.size(); }
  double time(Index stage) const;  ///< cᵢ
  double lag() const;  ///< Σ bᵢhᵢ/h, by which the ends of the Euler steps are late on average
};

/// The tableau of the method with these stages from qⁿ to qⁿ⁺¹.
Tableau of_euler_stages(const Array<EulerStage>& stages);

/// R(z) = Σ rₖzᵏ, by which a step multiplies the solution of q_t = λq, z = λh.
class StabilityPolynomial {
 public:
  explicit StabilityPolynomial(const Tableau& tableau);

  std::complex<double> operator()(std::complex<double> z) const;
  /// The order for linear equations: the largest p with rₖ = 1/k! for all k ≤ p.
  int order() const;

  struct Growth {
    double coefficient;
    int power;
  };
  /// The lowest-order term in y of |R(iy)|² − 1. If it is positive, the method amplifies undamped waves at any step size.
  Growth leading_growth() const;
  /// The largest y up to which |R(iy)| ≤ 1; 0 if |R(iy)| exceeds 1 for arbitrarily small y.
  double imaginary_limit() const;

 private:
  Array<double> r_;
  Array<double> growth_;  // |R(iy)|² − 1 = Σ growth_[k] y²ᵏ
};

/// The steps of a method, with the storage of their stages.
class RungeKuttaSteps {
 public:
  /// `estimates_error`: also computes last stages that only the embedded solution uses.
  explicit RungeKuttaSteps(Tableau tableau, bool estimates_error = false);

  const Tableau& tableau() const { return tableau_; }  ///< without unused last stages
  /// h bᵢ, computed as a quotient so that h/6 is rounded once.
  double weight(Index stage, double h) const { return h / (1 / tableau_.b[stage]); }

  /// A step of a method with Euler stages. euler(stage, from, dt, to): to = from + dt f(from).
  template <class Euler>
  void by_euler_stages(State& q, double h, const Euler& euler) {
    const State* from = &q;
    const Index last = tableau_.stages() - 1;
    for (Index i = 0; i <= last; ++i) {
      const auto [length, share] = tableau_.euler[i];
      State& to = stage_[i % 2];
      euler(i, *from, length * h, to);
      if (i < last && share < 1) blend(1 - share, to, q);
      from = &to;
    }
    State& end = stage_[last % 2];
    if (const double share = tableau_.euler[last].share; share < 1)
      blend(share, q, end);
    else
      std::swap(q, end);
  }

  /// A step of any method. rate(stage, y, dt, rate): rate = dt f(y).
  template <class Rate>
  void by_rates(State& q, double h, const Rate& rate) {
    for (Index i = 0; i < tableau_.stages(); ++i) {
      if (i > 0) {
        stage_[0].q = q.q;
        add_rates(tableau_.a[i], stage_[0]);
      }
      rate(i, i > 0 ? stage_[0] : q, h, rates_[i]);
    }
    add_rates(tableau_.b, q);
  }

  /// The estimate of the error of the last step by_rates(): h Σ (bᵢ − b̂ᵢ) f(Yᵢ).
  void error(State& estimate) const;

 private:
  /// q ← (1−w) q + w other, written as an increment so that equal values keep all bits.
  static void blend(double w, State& q, const State& other) { q.q += w * (other.q - q.q); }
  void add_rates(const Array<double>& weights, State& sum) const;

  Tableau tableau_;
  State stage_[2];
  Array<State> rates_;
};

/// Error control of a method with an embedded solution. A step Δt of the run is divided into substeps h, each of which is repeated with a
/// smaller h until its estimated error e is at most `tolerance`: in the depths relative to their norm, in the velocities in the norm of
/// the kinetic energy K relative to K + ½c²ΣV, with the speed c of one cell per stable step, which still water has too. Then
///
///     h ← h · min(growth, max(shrink, 0.9 εₙ^(−0.7/k) εₙ₋₁^(0.4/k))),    ε = e/tolerance,    k = order of the lower solution + 1
///
/// (Hairer & Wanner 1996, Solving Ordinary Differential Equations II, section IV.2); after a rejection ε^(−1/k) without growth.
/// A run in which h falls below Δt/10000 ends. Δt, with `auto` a part of the stable step, remains the upper limit of h.
struct ErrorControl {
  double tolerance = 0;  ///< of the error of a substep; 0: no control
  double growth = 5;     ///< largest ratio of a substep to the previous one
  double shrink = 0.2;   ///< smallest such ratio
  static Options<ErrorControl> describe();
};

struct RungeKuttaMethod {
  std::string name;
  int order;
  Tableau tableau;
  std::string summary;
};

/// The method as an integrator, with the claims derived from its order and coefficients.
IntegratorEntry runge_kutta(const RungeKuttaMethod& method);

/// The built-in methods. A new one is one line of runge_kutta_methods.cpp.
const List<RungeKuttaMethod>& runge_kutta_methods();

}  // namespace shoal
