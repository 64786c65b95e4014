// Traces, transport, limiting, and error correction by a transport forward and back.
#include "discretizations/transport/semi_lagrangian.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

#include <algorithm>

namespace shoal {
namespace {

constexpr std::array<double, 3> barycentre = {1.0 / 3, 1.0 / 3, 1.0 / 3};

BarycentricRates rates_of(const VectorIn& flow, Index face) {
  return {flow[face], flow[flow.size() / 2 + face]};
}

void set_rates(Vector& flow, Index face, BarycentricRates rates) {
  flow[face] = rates.first;
  flow[flow.size() / 2 + face] = rates.second;
}

constexpr auto unvisited = [](Index, const auto&) { return NoVisit{}; };

}  // namespace

SemiLagrangian::SemiLagrangian(const Mesh& mesh, const SemiLagrangianOptions& options)
    : mesh_(mesh),
      options_(options),
      frames_(mesh),
      flattening_(mesh, options.weight),
      traced_(options.second_order_trace() ? mesh.face_count() : 0),
      traced_vertex_(mesh.vertex_count),
      at_corners_(3 * mesh.face_count()),
      circulations_(mesh, frames_, flattening_) {}

void SemiLagrangian::refresh(const Geometry& geometry) {
  frames_.refresh(geometry);
  flattening_.refresh(geometry);
}

void SemiLagrangian::watch(Index start, Index end) const {
  if (mesh_.part && !mesh_.part->has_room(start, end)) has_left_ = true;
}

bool SemiLagrangian::have_traces_stayed() {
  return all(mesh_, !has_left_.exchange(false));
}

template <TraceVelocity which, class StartOf, class Visit>
void SemiLagrangian::trace_first_order(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                                       Array<TracedPoint>& points, const Visit& visit) const {
  parallel_for(static_cast<Index>(points.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Start at = start(i);
      points[i] = trace_back<which>(
          frames_, at.face, at.weight, at.rates, dt,
          [&](Index face) { return rates_of(advecting_velocity, face); }, visit(i, at));
      watch(at.face, points[i].face);
    }
  });
}

/// Straight lines with the midpoint velocity: x(t) − Δt v(x(t) − ½Δt v).
template <class StartOf, class Visit>
void SemiLagrangian::trace_second_order(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                                        Array<TracedPoint>& points, const Visit& visit) const {
  parallel_for(static_cast<Index>(points.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Start at = start(i);
      const auto straight = [&](BarycentricRates rates, double time, const auto& visits) {
        return trace_back<TraceVelocity::of_the_start>(frames_, at.face, at.weight, rates, time, 0, visits);
      };
      const TracedPoint half = straight(at.rates, 0.5 * dt, NoVisit{});
      const Tangent there = frames_[half.face].tangent(sample(half, advecting_velocity));
      points[i] = straight(frames_[at.face].rates(half.carried(there)), dt, visit(i, at));
      watch(at.face, points[i].face);
    }
  });
}

template <class StartOf, class Visit>
void SemiLagrangian::trace_all(const VectorIn& advecting_velocity, double dt, const StartOf& start,
                               Array<TracedPoint>& points, const Visit& visit) const {
  if (options_.second_order_trace()) return trace_second_order(advecting_velocity, dt, start, points, visit);
  if (options_.trace == TraceVelocity::of_each_triangle)
    return trace_first_order<TraceVelocity::of_each_triangle>(advecting_velocity, dt, start, points, visit);
  trace_first_order<TraceVelocity::of_the_start>(advecting_velocity, dt, start, points, visit);
}

void SemiLagrangian::trace_faces(const VectorIn& advecting_velocity, double dt) {
  flattening_.interpolate(advecting_velocity, at_corners_);
  trace_second_order(
      advecting_velocity, dt,
      [&](Index k) {
        return Start{k, barycentre, rates_of(advecting_velocity, k)};
      },
      traced_, unvisited);
}

void SemiLagrangian::trace_vertices(const VectorIn& advecting_velocity, double dt) {
  flattening_.interpolate(advecting_velocity, at_corners_);
  trace_all(
      advecting_velocity, dt, [&](Index i) { return start_at_vertex(i); }, traced_vertex_, unvisited);
}

/// The flow at vertices for traces of one-forms: along walls it is derived from the circulations, because a
/// first-order slip velocity would shear the triangles there.
void SemiLagrangian::interpolate_with_circulations(const VectorIn& velocity) {
  flattening_.interpolate(velocity, at_corners_);
  if (mesh_.boundary_sets.empty()) return;
  circulations_.from_vectors(velocity, circulation_);
  flattening_.set_along_walls(circulation_, at_corners_);
}

void SemiLagrangian::trace_vertices_unfolded(const VectorIn& advecting_velocity, double dt) {
  interpolate_with_circulations(advecting_velocity);
  vertex_trace_.resize(mesh_.vertex_count);
  displacement_.assign(mesh_.vertex_count, 0);
  trace_all(
      advecting_velocity, dt, [&](Index i) { return start_at_vertex(i); }, traced_vertex_,
      [&](Index i, const Start& start) {
        vertex_trace_[i].corner = 3 * start.face;
        while (start.weight[vertex_trace_[i].corner % 3] == 0) ++vertex_trace_[i].corner;
        return [this, i](const TracedPoint& point, const std::array<double, 3>& from,
                         const std::array<double, 3>& to) {
          displacement_[i] += point.carried(frames_[point.face].tangent({to[1] - from[1], to[2] - from[2]}));
        };
      });
  parallel_for(mesh_.vertex_count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      vertex_trace_[i] = vertex_trace(frames_, flattening_, vertex_trace_[i].corner, displacement_[i]);
  });
}

/// The start of the trace in the wedge into which it leads, where the other two coordinates increase. If a
/// wall, or round-off between two wedges, leaves no such wedge: the nearest one; the trace then begins by
/// crossing its edge.
SemiLagrangian::Start SemiLagrangian::start_at_vertex(Index vertex) const {
  const Index begin = mesh_.ring_start[vertex];
  const Index end = mesh_.ring_start[vertex + 1];
  Index best = Mesh::none;
  double least = 0;
  for (Index j = begin; j < end; ++j) {
    const Index corner = mesh_.ring_corner[j];
    const double outward = std::max(at_corners_[corner].next, at_corners_[corner].last);
    if (best != Mesh::none && !(outward < least)) continue;
    best = corner;
    least = outward;
    if (outward <= 0) break;
  }
  Start start{best / 3, {}, at_corners_[best].rates(best % 3)};
  start.weight[best % 3] = 1;
  return start;
}

/// The interpolated field at a point, as rates of its face; at_corners_ must contain its values at corners.
BarycentricRates SemiLagrangian::sample(const TracedPoint& point, const VectorIn& field) const {
  const CornerRates* corner = &at_corners_[3 * point.face];
  const double least =
      options_.barycentre ? std::min({point.weight[0], point.weight[1], point.weight[2]}) : 0;
  const BarycentricRates middle = rates_of(field, point.face);
  BarycentricRates sum{3 * least * middle.first, 3 * least * middle.second};
  for (int c = 0; c < 3; ++c) {
    const BarycentricRates rates = corner[c].rates(c);
    sum.first += (point.weight[c] - least) * rates.first;
    sum.second += (point.weight[c] - least) * rates.second;
  }
  return sum;
}

/// `field` at the end of a trace, transformed to its start, as rates of the face at its start.
BarycentricRates SemiLagrangian::carried(const TracedPoint& point, const VectorIn& field, Index start) const {
  const BarycentricRates value = sample(point, field);
  if (point.crossings == 0) return value;
  return frames_[start].rates(point.carried(frames_[point.face].tangent(value)));
}

/// out = `field` at the ends of all traces, transformed to their starts.
void SemiLagrangian::transport(const VectorIn& field, Vector& out) {
  flattening_.interpolate(field, at_corners_);
  out.resize(field.size());
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) set_rates(out, k, carried(traced_[k], field, k));
  });
}

/// The same with each trace computed when needed, which halves the memory traffic.
template <TraceVelocity which>
void SemiLagrangian::trace_and_transport(const VectorIn& advecting_velocity, double dt, const VectorIn& field,
                                         Vector& out) {
  flattening_.interpolate(field, at_corners_);
  out.resize(field.size());
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    const auto velocity = [&](Index face) { return rates_of(advecting_velocity, face); };
    for (Index k = begin; k < end; ++k) {
      const TracedPoint point = trace_back<which>(frames_, k, barycentre, velocity(k), dt, velocity);
      watch(k, point.face);
      set_rates(out, k, carried(point, field, k));
    }
  });
}

/// Limits each component of `out`, in the frame at the end of its trace, to the range of `field` in the
/// triangle there and its three neighbours; the length likewise.
void SemiLagrangian::limit(const VectorIn& field, Vector& out) {
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const TracedPoint& point = traced_[k];
      const TangentFrames::Face& there = frames_[point.face];
      const Tangent own = there.tangent(rates_of(field, point.face));
      double low_x = own.real(), high_x = low_x, low_y = own.imag(), high_y = low_y, longest = std::norm(own);
      const auto include = [&](Tangent z) {
        low_x = std::min(low_x, z.real());
        high_x = std::max(high_x, z.real());
        low_y = std::min(low_y, z.imag());
        high_y = std::max(high_y, z.imag());
        longest = std::max(longest, std::norm(z));
      };
      for (int c = 0; c < 3; ++c)
        if (const Index face = there.crossing[c].face; face != Mesh::none)
          include(std::conj(frames_.turn(there, c)) * frames_[face].tangent(rates_of(field, face)));
      // Transforms the value to the frame of the end: the inverse of carried().
      const Tangent at_start = frames_[k].tangent(rates_of(out, k));
      const Tangent at_end = point.mirrored ? point.turn * std::conj(at_start) : point.turn * at_start;
      Tangent cut(std::clamp(at_end.real(), low_x, high_x), std::clamp(at_end.imag(), low_y, high_y));
      if (std::norm(cut) > longest) cut *= std::sqrt(longest / std::norm(cut));
      set_rates(out, k, frames_[k].rates(point.carried(cut)));
    }
  });
}

void SemiLagrangian::transport_scalar(const VectorIn& field, Vector& out) const {
  out.resize(field.size());
  parallel_for(mesh_.vertex_count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const TracedPoint& point = traced_vertex_[i];
      // As differences to one corner, so that a uniform field is preserved bit for bit.
      const double first = field[mesh_.faces(0, point.face)];
      out[i] = first + point.weight[1] * (field[mesh_.faces(1, point.face)] - first) +
               point.weight[2] * (field[mesh_.faces(2, point.face)] - first);
    }
  });
}

/// Limits `out` to the range of `field` at the corners of the triangle in which its trace ends.
void SemiLagrangian::limit_scalar(const VectorIn& field, Vector& out) const {
  parallel_for(mesh_.vertex_count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index face = traced_vertex_[i].face;
      const auto [low, high] = std::minmax(
          {field[mesh_.faces(0, face)], field[mesh_.faces(1, face)], field[mesh_.faces(2, face)]});
      out[i] = std::clamp(out[i], low, high);
    }
  });
}

/// Transports once; with error correction also forward and back, subtracts the error, and limits the result.
template <class Trace, class Transport, class Limit>
void SemiLagrangian::carry(const VectorIn& advecting_velocity, double dt, VectorOut field, Work& work,
                           const Trace& trace, const Transport& transport, const Limit& limit) {
  advecting_velocity_ = advecting_velocity;  // field may alias it
  trace(advecting_velocity_, dt);
  transport(field, work.forth);
  if (options_.corrected) {
    advecting_velocity_ *= -1;  // not −x, see inertia.cpp
    trace(advecting_velocity_, dt);
    transport(work.forth, work.back);
    work.corrected = field + 0.5 * (field - work.back);
    advecting_velocity_ *= -1;  // not −x, see inertia.cpp
    trace(advecting_velocity_, dt);
    transport(work.corrected, work.forth);
    if (options_.limited) limit(field, work.forth);
  }
  field = work.forth;
}

/// E converts vectors to circulations, B back. B E removes the components without circulation along any edge,
/// and a second-order part of a smooth field. (2 − E B) E instead of E removes a fourth-order part only; the
/// error correction by a transport forward and back has the same effect without it.
void SemiLagrangian::transport_one_form(const VectorIn& field, Vector& out) {
  out.resize(field.size());
  circulations_.from_vectors(field, circulation_);
  if (!options_.corrected) {
    circulations_.to_vectors(circulation_, out);
    circulations_.from_vectors(out, traced_circulation_);
    circulation_ += circulation_ - traced_circulation_;
  }
  circulations_.along_traced_edges(traced_vertex_, vertex_trace_, circulation_, traced_circulation_);
  circulations_.to_vectors(traced_circulation_, out);
}

/// Adds d∫½|v|²dt along the traces of the vertices, as the mean of both ends; gradients on triangles of the
/// values at vertices.
void SemiLagrangian::add_head(double dt, VectorOut field) {
  const Vector& v = advecting_velocity_;
  interpolate_with_circulations(v);
  head_.resize(mesh_.vertex_count);
  parallel_for(mesh_.vertex_count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index corner = vertex_trace_[i].corner;
      const TracedPoint& point = traced_vertex_[i];
      const double here = std::norm(frames_[corner / 3].tangent(at_corners_[corner].rates(corner % 3))),
                   there = std::norm(frames_[point.face].tangent(sample(point, v)));
      head_[i] = dt * 0.25 * (here + there);
    }
  });
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double first = head_[mesh_.faces(0, k)];
      const BarycentricRates gradient = frames_[k].rates(
          frames_[k].raised({head_[mesh_.faces(1, k)] - first, head_[mesh_.faces(2, k)] - first}));
      field[k] += gradient.first;
      field[mesh_.face_count() + k] += gradient.second;
    }
  });
}

void SemiLagrangian::advect_one_form(const VectorIn& advecting_velocity, double dt, bool head,
                                     VectorOut field) {
  carry(
      advecting_velocity, dt, field, one_forms_,
      [this](const VectorIn& v, double time) { trace_vertices_unfolded(v, time); },
      [this](const VectorIn& from, Vector& to) { transport_one_form(from, to); },
      [this](const VectorIn& from, Vector& to) {
        circulations_.limit(traced_vertex_, vertex_trace_, from, to);
      });
  if (head) add_head(dt, field);
}

void SemiLagrangian::advect(const VectorIn& advecting_velocity, double dt, VectorOut field) {
  if (!options_.second_order_trace()) {
    if (options_.trace == TraceVelocity::of_each_triangle)
      trace_and_transport<TraceVelocity::of_each_triangle>(advecting_velocity, dt, field, vectors_.forth);
    else
      trace_and_transport<TraceVelocity::of_the_start>(advecting_velocity, dt, field, vectors_.forth);
    field = vectors_.forth;
    return;
  }
  carry(
      advecting_velocity, dt, field, vectors_,
      [this](const VectorIn& v, double time) { trace_faces(v, time); },
      [this](const VectorIn& from, Vector& to) { transport(from, to); },
      [this](const VectorIn& from, Vector& to) { limit(from, to); });
}

void SemiLagrangian::advect_scalar(const VectorIn& advecting_velocity, double dt, VectorOut field) {
  carry(
      advecting_velocity, dt, field, scalars_,
      [this](const VectorIn& v, double time) { trace_vertices(v, time); },
      [this](const VectorIn& from, Vector& to) { transport_scalar(from, to); },
      [this](const VectorIn& from, Vector& to) { limit_scalar(from, to); });
}

}  // namespace shoal
