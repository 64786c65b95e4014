// Semi-Lagrangian transport on a triangle surface (Angst 2007, §5.2, appendix B.2). Of tangent vectors: a
// trace back from each barycentre, interpolation where it ends, and the turn of all edges crossed. Of
// scalars: a trace back from each vertex, and linear interpolation. Of one-forms: the circulations along the
// edges between vertices that have been traced back (one_form.md).
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/circulations.hpp"

#include <atomic>

namespace shoal {

struct SemiLagrangianOptions {
  TraceVelocity trace = TraceVelocity::of_each_triangle;
  FanWeight weight = FanWeight::angle;
  /// Interpolation on the three parts of a triangle around its barycentre, where the field has its values; or
  /// from the vertices alone, which loses every component that adds up to zero around the vertices.
  bool barycentre = true;
  /// Trace with the midpoint velocity (second order), with the error of a transport forward and back
  /// subtracted (Dupont & Liu 2003; Selle et al. 2008), limited to the values around where the trace ends:
  /// unlimited the correction grows at small Courant numbers.
  bool corrected = false;
  bool limited = true;
  bool second_order_trace() const { return corrected || trace == TraceVelocity::of_the_middle; }
};

class SemiLagrangian {
 public:
  SemiLagrangian(const Mesh& mesh, const SemiLagrangianOptions& options);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);

  /// Carries `field` along `advecting_velocity` for the time dt, in place; both in the layout of fefv: β₁ of
  /// all faces, then β₂. They may be the same vector. Allocates nothing after the first call.
  void advect(const VectorIn& advecting_velocity, double dt, VectorOut field);

  /// The same for values at vertices [nV]. The velocity at a vertex is that of its flattened fan; its trace
  /// begins in the wedge that the velocity points to. Values stay within those of the triangle where the
  /// trace ends, unless corrected without a limit.
  void advect_scalar(const VectorIn& advecting_velocity, double dt, VectorOut field);

  /// Carries the one-form of `field`, w♭ = w·dx, in place: ∂_t w♭ + L_v w♭ = 0, by circulations along edges
  /// (one_form.md). Gradients of functions linear on triangles become those of what advect_scalar makes of them,
  /// unless limited. Parts of `field` that have no circulation along any edge are lost.
  /// With `head`, d(½|v|²) of the advecting velocity is added along the traces, which for w = v makes of it
  /// ∂_t v + ∇_v v = 0.
  void advect_one_form(const VectorIn& advecting_velocity, double dt, bool head, VectorOut field);

  /// Whether, on a part of a surface, all traces since the last call have ended in the layers of triangles that it has for them.
  /// To be called by all processes.
  bool have_traces_stayed();

  const TangentFrames& frames() const { return frames_; }

 private:
  /// Where a trace begins, and with which velocity.
  struct Start {
    Index face;
    std::array<double, 3> weight;
    BarycentricRates rates;
  };
  struct Work {
    Vector forth, back, corrected;
  };
  /// The traces of all elements, start(i) of element i; at_corners_ holds the advecting velocity's
  /// interpolation wherever start needs it.
  void watch(Index start, Index end) const;
  template <class StartOf, class Visit>
  void trace_all(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                 Array<TracedPoint>& points, const Visit& visit) const;
  template <TraceVelocity which, class StartOf, class Visit>
  void trace_first_order(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                         Array<TracedPoint>& points, const Visit& visit) const;
  template <class StartOf, class Visit>
  void trace_second_order(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                          Array<TracedPoint>& points, const Visit& visit) const;
  void trace_faces(const VectorIn& advecting_velocity, double dt);
  void trace_vertices(const VectorIn& advecting_velocity, double dt);
  void interpolate_with_circulations(const VectorIn& velocity);
  void trace_vertices_unfolded(const VectorIn& advecting_velocity, double dt);
  Start start_at_vertex(Index vertex) const;
  BarycentricRates sample(const TracedPoint& point, const VectorIn& field) const;
  BarycentricRates carried(const TracedPoint& point, const VectorIn& field, Index start) const;
  template <TraceVelocity which>
  void trace_and_transport(const VectorIn& advecting_velocity, double dt, const VectorIn& field, Vector& out);
  void transport(const VectorIn& field, Vector& out);
  void transport_scalar(const VectorIn& field, Vector& out) const;
  void limit(const VectorIn& field, Vector& out);
  void limit_scalar(const VectorIn& field, Vector& out) const;
  void transport_one_form(const VectorIn& field, Vector& out);
  void add_head(double dt, VectorOut field);
  template <class Trace, class Transport, class Limit>
  void carry(const VectorIn& advecting_velocity, double dt, VectorOut field, Work& work, const Trace& trace,
             const Transport& transport, const Limit& limit);

  const Mesh& mesh_;
  SemiLagrangianOptions options_;
  TangentFrames frames_;
  Flattening flattening_;
  Array<TracedPoint> traced_, traced_vertex_;  // [nF] where the trace is of second order, [nV]
  Array<CornerRates> at_corners_;              // [3·nF] of the advecting velocity or the field in transport
  Vector advecting_velocity_;                  // [2·nF]
  Work vectors_, scalars_, one_forms_;         // each of the size of its fields, so that none is ever resized
  Circulations circulations_;
  Array<VertexTrace> vertex_trace_;          // [nV]
  Array<Tangent> displacement_;              // [nV] of the vertices' traces, in the frames that they begin in
  Vector circulation_, traced_circulation_;  // [nE]
  Vector head_;                              // [nV]
  mutable std::atomic<bool> has_left_ = false;
};

}  // namespace shoal
