// Explicit Runge–Kutta methods as data: their coefficients, the properties derived from these, and their steps.
#pragma once

#include "discretizations/common/list.hpp"
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

  Index stages() const { return b.size(); }
  double time(Index stage) const;  ///< cᵢ
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
  explicit RungeKuttaSteps(Tableau tableau);

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

 private:
  /// q ← (1−w) q + w other, written as an increment so that equal values keep all bits.
  static void blend(double w, State& q, const State& other) { q.q += w * (other.q - q.q); }
  void add_rates(const Array<double>& weights, State& sum) const;

  Tableau tableau_;
  State stage_[2];
  Array<State> rates_;
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
