// The three steps, and the correction by a transport forth and back.
#include "discretizations/transport/semi_lagrangian.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>

namespace shoal {
namespace {

constexpr std::array<double, 3> barycentre = {1.0 / 3, 1.0 / 3, 1.0 / 3};

BarycentricRates rates_of(const Vector& flow, Index face) {
  return {flow[face], flow[flow.size() / 2 + face]};
}

void set_rates(Vector& flow, Index face, BarycentricRates rates) {
  flow[face] = rates.first;
  flow[flow.size() / 2 + face] = rates.second;
}

}  // namespace

SemiLagrangian::SemiLagrangian(const Mesh& mesh, const SemiLagrangianOptions& options)
    : mesh_(mesh),
      options_(options),
      frames_(mesh),
      flattening_(mesh, options.weight),
      traced_(static_cast<std::size_t>(mesh.face_count())),
      at_corners_(static_cast<std::size_t>(3 * mesh.face_count())) {}

void SemiLagrangian::refresh(const Geometry& geometry) {
  frames_.refresh(geometry);
  flattening_.refresh(geometry);
}

template <TraceVelocity which>
void SemiLagrangian::trace_first_order(const Vector& carrier, double dt) {
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k)
      traced_[static_cast<std::size_t>(k)] =
          trace_back<which>(frames_, k, barycentre, rates_of(carrier, k), dt,
                            [&](Index face) { return rates_of(carrier, face); });
  });
}

/// Straight lines with the velocity half way: x(t) − Δt v(x(t) − ½Δt v).
void SemiLagrangian::trace_second_order(const Vector& carrier, double dt) {
  flattening_.interpolate(carrier, at_corners_);
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto straight = [&](BarycentricRates rates, double time) {
        return trace_back<TraceVelocity::of_the_start>(frames_, k, barycentre, rates, time, 0);
      };
      const TracedPoint half = straight(rates_of(carrier, k), 0.5 * dt);
      const Tangent there = frames_[half.face].tangent(sample(half, carrier));
      traced_[static_cast<std::size_t>(k)] = straight(frames_[k].rates(half.carried(there)), dt);
    }
  });
}

void SemiLagrangian::trace_all(const Vector& carrier, double dt) {
  if (options_.corrected) return trace_second_order(carrier, dt);
  if (options_.trace == TraceVelocity::of_each_triangle)
    return trace_first_order<TraceVelocity::of_each_triangle>(carrier, dt);
  trace_first_order<TraceVelocity::of_the_start>(carrier, dt);
}

/// The field, whose values at the corners have been interpolated, at a point; in the rates of its face.
BarycentricRates SemiLagrangian::sample(const TracedPoint& point, const Vector& field) const {
  const BarycentricRates* corner = &at_corners_[static_cast<std::size_t>(3 * point.face)];
  const double least =
      options_.barycentre ? std::min({point.weight[0], point.weight[1], point.weight[2]}) : 0;
  const BarycentricRates middle = rates_of(field, point.face);
  BarycentricRates sum{3 * least * middle.first, 3 * least * middle.second};
  for (std::size_t c = 0; c < 3; ++c) {
    sum.first += (point.weight[c] - least) * corner[c].first;
    sum.second += (point.weight[c] - least) * corner[c].second;
  }
  return sum;
}

/// `field` at the ends of all traces, carried to their starts.
void SemiLagrangian::transport(const Vector& field, Vector& out) {
  flattening_.interpolate(field, at_corners_);
  out.resize(field.size());
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const TracedPoint& point = traced_[static_cast<std::size_t>(k)];
      const Tangent value = frames_[point.face].tangent(sample(point, field));
      set_rates(out, k, frames_[k].rates(point.carried(value)));
    }
  });
}

/// Cuts each component of `out`, in the frame where its trace ends, to the range of `field` there: at the
/// triangle and the three around it.
void SemiLagrangian::limit(const Vector& field, Vector& out) {
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const TracedPoint& point = traced_[static_cast<std::size_t>(k)];
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
      for (const Crossing& crossing : there.crossing)
        if (crossing.face != Mesh::none)
          include(std::conj(crossing.turn) * frames_[crossing.face].tangent(rates_of(field, crossing.face)));
      // The value in the frame of the end: the inverse of carried().
      const Tangent at_start = frames_[k].tangent(rates_of(out, k));
      const Tangent at_end = point.mirrored ? point.turn * std::conj(at_start) : point.turn * at_start;
      Tangent cut(std::clamp(at_end.real(), low_x, high_x), std::clamp(at_end.imag(), low_y, high_y));
      if (std::norm(cut) > longest) cut *= std::sqrt(longest / std::norm(cut));
      set_rates(out, k, frames_[k].rates(point.carried(cut)));
    }
  });
}

void SemiLagrangian::advect(const Vector& carrier, double dt, Vector& field) {
  carrier_ = carrier;  // field may be the same
  trace_all(carrier_, dt);
  transport(field, forth_);
  if (!options_.corrected) {
    field.swap(forth_);
    return;
  }
  carrier_ = -carrier_;
  trace_all(carrier_, dt);
  transport(forth_, back_);
  corrected_ = field + 0.5 * (field - back_);
  carrier_ = -carrier_;
  trace_all(carrier_, dt);
  transport(corrected_, forth_);
  if (options_.limited) limit(field, forth_);
  field.swap(forth_);
}

}  // namespace shoal
