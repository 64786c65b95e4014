// Semi-Lagrangian transport of tangent vectors on a triangle surface (Angst 2007, §5.2, appendix B.2): a
// trace back from each barycentre, interpolation where it ends, and the turn of all edges crossed.
#pragma once

#include "discretizations/transport/back_trace.hpp"
#include "discretizations/transport/flattening.hpp"

namespace shoal {

struct SemiLagrangianOptions {
  TraceVelocity trace = TraceVelocity::of_each_triangle;
  FanWeight weight = FanWeight::angle;
  /// Interpolation on the three parts of a triangle around its barycentre, where the field has its values; or
  /// from the vertices alone, which does not see what adds up to zero around them.
  bool barycentre = true;
  /// Trace with the velocity half way (second order), and the error of a transport forth and back taken off
  /// (Dupont & Liu 2003; Selle et al. 2008), limited to the values around where the trace ends: unlimited the
  /// correction grows at small Courant numbers.
  bool corrected = false;
  bool limited = true;
};

class SemiLagrangian {
 public:
  SemiLagrangian(const Mesh& mesh, const SemiLagrangianOptions& options);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);

  /// Carries `field` along `carrier` for the time dt, in place; both as fefv has velocities: β₁ of all faces,
  /// then β₂. They may be the same vector. Allocates nothing after the first call.
  void advect(const Vector& carrier, double dt, Vector& field);

  const TangentFrames& frames() const { return frames_; }

 private:
  struct Sampled;
  void trace_all(const Vector& carrier, double dt);
  template <TraceVelocity which>
  void trace_first_order(const Vector& carrier, double dt);
  void trace_second_order(const Vector& carrier, double dt);
  BarycentricRates sample(const TracedPoint& point, const Vector& field) const;
  void transport(const Vector& field, Vector& out);
  void limit(const Vector& field, Vector& out);

  const Mesh& mesh_;
  SemiLagrangianOptions options_;
  TangentFrames frames_;
  Flattening flattening_;
  std::vector<TracedPoint> traced_;            // [nF]
  std::vector<BarycentricRates> at_corners_;   // [3·nF] of the field in transport
  Vector carrier_, forth_, back_, corrected_;  // [2·nF]
};

}  // namespace shoal
