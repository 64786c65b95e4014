// From vectors to circulations and back, and the paths between the ends of traces.
#include "discretizations/transport/circulations.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

BarycentricRates rates_of(const VectorIn& flow, Index face) {
  return {flow[face], flow[flow.size() / 2 + face]};
}

int corner_opposite(const Mesh& mesh, Index face, Index edge) {
  int c = 0;
  while (mesh.face_edges(c, face) != edge) ++c;
  return c;
}

}  // namespace

VertexTrace vertex_trace(const TangentFrames& frames, const Flattening& fans, Index corner,
                         Tangent displacement) {
  const Tangent edge = frames[corner / 3].edge(corner % 3);
  // Without motion the direction is arbitrary; this one points to the centre of the triangle.
  const Tangent along = displacement == 0.0 ? edge * std::polar(1.0, 0.5 * fans.angle(corner)) : displacement;
  return {.corner = corner,
          .distance = std::abs(displacement),
          .angle = fans.angle_before(corner) + std::arg(along * std::conj(edge)),
          .direction = along / std::abs(along)};
}

/// The circulation along the edge opposite to a corner, counterclockwise.
double Circulations::signed_circulation(const Vector& circulation, Index face, Index corner) const {
  const Index edge = mesh_.face_edges(corner, face);
  return mesh_.edge_faces(0, edge) == face ? circulation[edge] : -circulation[edge];
}

double Circulations::around(const Vector& circulation, Index face) const {
  return signed_circulation(circulation, face, 0) + signed_circulation(circulation, face, 1) +
         signed_circulation(circulation, face, 2);
}

/// Mean vorticity of the neighbours that are not at a wall; zero if there are none, so that the wall
/// reflects.
double Circulations::vorticity_behind_wall(const Vector& circulation, Index face) const {
  double sum = 0, area = 0;
  for (const Crossing& crossing : frames_[face].crossing) {
    const Index k = crossing.face;
    if (k == Mesh::none) continue;
    if (mesh_.is_wall(mesh_.face_edges(0, k)) || mesh_.is_wall(mesh_.face_edges(1, k)) ||
        mesh_.is_wall(mesh_.face_edges(2, k)))
      continue;
    sum += around(circulation, k);
    area += frames_[k].area();
  }
  return area > 0 ? sum / area : 0;
}

void Circulations::from_vectors(const VectorIn& rates, Vector& circulation) const {
  circulation.resize(mesh_.edge_count());
  const auto along = [&](Index k, Index edge) {
    const TangentFrames::Face& face = frames_[k];
    const Tangent z = face.edge((corner_opposite(mesh_, k, edge) + 1) % 3);
    return (std::conj(z) * face.tangent(rates_of(rates, k))).real();
  };
  parallel_for(mesh_.edge_count(), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const Index left = mesh_.edge_faces(0, e), right = mesh_.edge_faces(1, e);
      const double first = along(left, e);
      if (right == Mesh::none) {
        circulation[e] = first;
        continue;
      }
      // The distances of the barycentres from the edge have the ratio of the areas.
      const double a = frames_[left].area(), b = frames_[right].area();
      circulation[e] = (b * first - a * along(right, e)) / (a + b);
    }
  });
  // v·e at the barycentre is C − ⅓ζA.
  parallel_for(mesh_.edge_count(), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      if (!mesh_.is_wall(e)) continue;
      const Index k = mesh_.edge_faces(0, e);
      circulation[e] += vorticity_behind_wall(circulation, k) * frames_[k].area() / 3;
    }
  });
}

void Circulations::to_vectors(const Vector& circulation, VectorOut rates) const {
  const Index faces = mesh_.face_count();
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const double third = around(circulation, k) / 3;
      const BarycentricRates v = frames_[k].rates(frames_[k].raised(
          {signed_circulation(circulation, k, 2) - third, third - signed_circulation(circulation, k, 1)}));
      rates[k] = v.first;
      rates[faces + k] = v.second;
    }
  });
}

/// ∫ w = Σ C_ij (aᵢ bⱼ − aⱼ bᵢ).
double Circulations::straight(Index face, const std::array<double, 3>& a, const std::array<double, 3>& b,
                              const Vector& circulation) const {
  return signed_circulation(circulation, face, 0) * (a[1] * b[2] - a[2] * b[1]) +
         signed_circulation(circulation, face, 1) * (a[2] * b[0] - a[0] * b[2]) +
         signed_circulation(circulation, face, 2) * (a[0] * b[1] - a[1] * b[0]);
}

/// The direction of the trace of the vertex at a corner, in the frame of this face. The fan is unfolded on the shorter side
/// from the direction at the angle `side` from the first edge.
Tangent Circulations::direction_in(const VertexTrace& trace, Index face, int corner, double side) const {
  const double fan = fans_.fan_angle(mesh_.faces(corner, face));
  const double angle = trace.angle - fans_.angle_before(3 * face + corner) - side;
  const Tangent edge = frames_[face].edge(corner);
  return std::polar(1 / std::abs(edge), side + (std::isinf(fan) ? angle : std::remainder(angle, fan))) * edge;
}

double Circulations::along_traced_edge(Index edge, const Array<TracedPoint>& ends,
                                       const Array<VertexTrace>& traces, const Vector& circulation) const {
  const Index face = mesh_.edge_faces(0, edge);
  const int c = corner_opposite(mesh_, face, edge), a = (c + 1) % 3, b = (c + 2) % 3;
  const Index tail = mesh_.faces(a, face), head = mesh_.faces(b, face);
  const Tangent at_tail = direction_in(traces[tail], face, a, 0),
                at_head = direction_in(traces[head], face, b, fans_.angle(3 * face + b));
  const Tangent between =
      frames_[face].edge(a) + traces[head].distance * at_head - traces[tail].distance * at_tail;
  const TracedPoint& from = ends[tail];
  const Tangent along = from.brought(traces[tail].direction * std::conj(at_tail) * between);
  double sum = 0;
  const TracedPoint reached = trace_back<TraceVelocity::of_the_start>(
      frames_, from.face, from.weight, frames_[from.face].rates(-along), 1, 0,
      [&](const TracedPoint& point, const std::array<double, 3>& first, const std::array<double, 3>& last) {
        sum += straight(point.face, first, last, circulation);
      });
  return sum + to_the_end(reached, ends[head], circulation);
}

/// For ends separated by walls or strong curvature: a path over edge midpoints through as few triangles as
/// possible; no contribution if more than `max_triangles` are nearer.
double Circulations::through_triangles(const TracedPoint& reached, const TracedPoint& end,
                                       const Vector& circulation) const {
  constexpr int max_triangles = 256;
  struct Entered {
    Index face;
    int from,
        corner;  // its predecessor in the list, and the corner of this face opposite to the edge between them
  };
  std::array<Entered, max_triangles> list;
  list[0] = {end.face, -1, 0};
  int count = 1;
  for (int next = 0; next < count; ++next)
    for (const Crossing& crossing : frames_[list[next].face].crossing) {
      const Index face = crossing.face;
      const auto known = [&](const Entered& entered) { return entered.face == face; };
      if (face == Mesh::none || std::any_of(list.begin(), list.begin() + count, known)) continue;
      if (count == max_triangles) return 0;
      list[count++] = {face, next, crossing.corner};
      if (face != reached.face) continue;
      double sum = 0;
      std::array<double, 3> at = reached.weight;
      for (const Entered* here = &list[count - 1]; here->from >= 0; here = &list[here->from]) {
        std::array<double, 3> middle{0.5, 0.5, 0.5}, beyond = middle;
        middle[here->corner] = 0;
        sum += straight(here->face, at, middle, circulation);
        beyond[frames_[here->face].crossing[here->corner].corner] = 0;
        at = beyond;
      }
      return sum + straight(end.face, at, end.weight, circulation);
    }
  return 0;
}

/// The gap that curvature and round-off leave between the end of a path and the end of the trace: straight within one
/// triangle, otherwise through a point of the edge or vertex that their triangles share.
double Circulations::to_the_end(const TracedPoint& reached, const TracedPoint& end,
                                const Vector& circulation) const {
  const Index k = reached.face, other = end.face;
  const auto& a = reached.weight;
  const auto& b = end.weight;
  if (k == other) return straight(k, a, b, circulation);
  const auto next = [](int corner) { return (corner + 1) % 3; };
  const auto last = [](int corner) { return (corner + 2) % 3; };
  const auto by = [&](const std::array<double, 3>& here, const std::array<double, 3>& there) {
    return straight(k, a, here, circulation) + straight(other, there, b, circulation);
  };
  for (int i = 0; i < 3; ++i) {
    const Crossing& crossing = frames_[k].crossing[i];
    if (crossing.face != other) continue;
    const int j = crossing.corner;
    // Both projected onto the edge from the opposite corners, with more weight for the nearer one.
    const auto part = [](double first, double second) {
      return first + second > 0 ? second / (first + second) : 0.5;
    };
    const double t = std::lerp(part(a[next(i)], a[last(i)]), part(b[last(j)], b[next(j)]), part(b[j], a[i]));
    std::array<double, 3> here{}, there{};
    here[next(i)] = there[last(j)] = 1 - t;
    here[last(i)] = there[next(j)] = t;
    return by(here, there);
  }
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      if (mesh_.faces(i, k) != mesh_.faces(j, other)) continue;
      std::array<double, 3> here{}, there{};
      here[i] = there[j] = 1;
      return by(here, there);
    }
  return through_triangles(reached, end, circulation);
}

void Circulations::along_traced_edges(const Array<TracedPoint>& ends, const Array<VertexTrace>& traces,
                                      const Vector& circulation, Vector& traced) const {
  traced.resize(mesh_.edge_count());
  parallel_for(mesh_.edge_count(), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) traced[e] = along_traced_edge(e, ends, traces, circulation);
  });
}

void Circulations::limit(const Array<TracedPoint>& ends, const Array<VertexTrace>& traces,
                         const VectorIn& before, VectorOut rates) const {
  const Index faces = mesh_.face_count();
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const TangentFrames::Face& here = frames_[k];
      std::array<Tangent, 3> direction, corner;  // of the displacements; their ends
      for (int c = 0; c < 3; ++c) {
        const VertexTrace& trace = traces[mesh_.faces(c, k)];
        direction[c] = direction_in(trace, k, c, 0.5 * fans_.angle(3 * k + c));
        corner[c] = (c == 0 ? 0 : c == 1 ? Tangent(here.first) : here.second) + trace.distance * direction[c];
      }
      const Tangent first = corner[1] - corner[0], second = corner[2] - corner[0];
      constexpr double infinity = std::numeric_limits<double>::infinity();
      double low_x = infinity, high_x = -infinity, low_y = infinity, high_y = -infinity, longest = 0;
      const auto include = [&](Tangent v) {  // v·∂ψ
        const Tangent z = here.raised({(std::conj(first) * v).real(), (std::conj(second) * v).real()});
        low_x = std::min(low_x, z.real());
        high_x = std::max(high_x, z.real());
        low_y = std::min(low_y, z.imag());
        high_y = std::max(high_y, z.imag());
        longest = std::max(longest, std::norm(z));
      };
      for (int c = 0; c < 3; ++c) {
        const Index i = mesh_.faces(c, k);
        const TangentFrames::Face& there = frames_[ends[i].face];
        const auto seen = [&](Tangent v) {
          return std::conj(traces[i].direction) * direction[c] * ends[i].carried(v);
        };
        include(seen(there.tangent(rates_of(before, ends[i].face))));
        for (int side = 0; side < 3; ++side)
          if (const Index face = there.crossing[side].face; face != Mesh::none)
            include(
                seen(std::conj(frames_.turn(there, side)) * frames_[face].tangent(rates_of(before, face))));
      }
      const Tangent v = here.tangent({rates[k], rates[faces + k]});
      Tangent cut(std::clamp(v.real(), low_x, high_x), std::clamp(v.imag(), low_y, high_y));
      if (std::norm(cut) > longest) cut *= std::sqrt(longest / std::norm(cut));
      if (cut == v) continue;
      const BarycentricRates limited = here.rates(cut);
      rates[k] = limited.first;
      rates[faces + k] = limited.second;
    }
  });
}

}  // namespace shoal
