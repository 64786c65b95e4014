// Semi-Lagrangian transport on a triangle surface (Angst 2007, §5.2, appendix B.2). Tangent vectors: a trace
// back from each barycentre, interpolation at its end, and rotation across all crossed edges. Scalars: a
// trace back from each vertex, and linear interpolation. One-forms: circulations along the edges between
// traced vertices (one_form.md).
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/circulations.hpp"

#include <atomic>

namespace shoal {

struct SemiLagrangianOptions {
  TraceVelocity trace = TraceVelocity::of_each_triangle;
  FanWeight weight = FanWeight::angle;
  /// true: interpolates on the three parts of a triangle around its barycentre, where the field has its
  /// values. false: from the vertices alone, which removes every component that averages to zero around the
  /// vertices.
  bool barycentre = true;
  /// Uses traces with the midpoint velocity (second order) and subtracts the error of a transport forward and
  /// back (Dupont & Liu 2003; Selle et al. 2008); the result is limited to the values around the end of the
  /// trace, because the unlimited correction grows at small Courant numbers.
  bool corrected = false;
  bool limited = true;
  bool second_order_trace() const { return corrected || trace == TraceVelocity::of_the_middle; }
};

class SemiLagrangian {
 public:
  SemiLagrangian(const Mesh& mesh, const SemiLagrangianOptions& options);
  /// Updates the geometry; allocates nothing.
  void refresh(const Geometry& geometry);

  /// Advects `field` by `advecting_velocity` over the time dt, in place. Both have the layout of fefv, β₁ of
  /// all faces, then β₂, 1/s, and may be the same vector. Allocates nothing after the first call.
  void advect(const VectorIn& advecting_velocity, double dt, VectorOut field);

  /// The same for values at vertices [nV]. The velocity at a vertex is that of its flattened fan; its trace
  /// begins in the wedge to which the velocity points. Values stay within the range of the triangle at the
  /// end of the trace, unless corrected without a limiter.
  void advect_scalar(const VectorIn& advecting_velocity, double dt, VectorOut field);

  /// Advects the one-form w♭ = w·dx of `field`, in place: ∂_t w♭ + L_v w♭ = 0, by circulations along edges
  /// (one_form.md). Gradients of piecewise linear functions become the gradients of those functions after
  /// advect_scalar(), unless limited. Components of `field` without circulation along any edge are lost. With
  /// `head`, d(½|v|²) of the advecting velocity is added along the traces; for w = v this gives ∂_t v + ∇_v v
  /// = 0.
  void advect_one_form(const VectorIn& advecting_velocity, double dt, bool head, VectorOut field);

  /// On a part of a surface: whether all traces since the last call have ended within the available layers of
  /// triangles. Collective: all processes must call it.
  bool have_traces_stayed();

  const TangentFrames& frames() const { return frames_; }

 private:
  /// The starting point of a trace and the velocity there.
  struct Start {
    Index face;
    std::array<double, 3> weight;
    BarycentricRates rates;
  };
  struct Work {
    Vector forth, back, corrected;
  };
  /// The traces of all elements; start(i) is the start of element i. If start() interpolates the advecting
  /// velocity, at_corners_ must contain it.
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
  Array<TracedPoint> traced_, traced_vertex_;  // [nF], only for second-order traces; [nV]
  // [3·nF] corner values of the advecting velocity or the field being advected
  Array<CornerRates> at_corners_;
  Vector advecting_velocity_;           // [2·nF]
  Work vectors_, scalars_, one_forms_;  // sized for their fields, so that none is ever resized
  Circulations circulations_;
  Array<VertexTrace> vertex_trace_;  // [nV]
  Array<Tangent> displacement_;  // [nV] displacements of the vertices' traces, in the frames at their starts
  Vector circulation_, traced_circulation_;  // [nE]
  Vector head_;                              // [nV]
  mutable std::atomic<bool> has_left_ = false;
};

}  // namespace shoal
