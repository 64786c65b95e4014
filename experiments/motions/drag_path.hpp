// A displacement that follows targets given during use, for a surface dragged by hand.
#pragma once

#include "discretizations/common/types.hpp"

#include <vector>

namespace shoal {

/// d(t) of a critically damped spring between the displacement and its target, d″ = ω² (target − d) − 2ω d′, from rest at 0. Its
/// velocity is continuous, and at most ω/e times the distance to the target. Commands do not affect earlier times.
class DragPath {
 public:
  static constexpr double rate = 8;  ///< ω, 1/s: covers 90 % of the distance in 1/2 s
  bool empty() const { return legs_.empty(); }
  /// Starts at `time`, s, not before the last command.
  void go_to(const Vector3& target, double time);
  Vector3 at(double time) const;

 private:
  struct Leg {  // d = target − (a + b τ) exp(−ω τ), τ = t − begin
    double begin;
    Vector3 target, a, b;
    Vector3 place(double time) const;
    Vector3 velocity(double time) const;
  };
  std::vector<Leg> legs_;
};

}  // namespace shoal
