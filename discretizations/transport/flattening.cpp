// Fans in order, their flattened edges, and the means in them.
#include "discretizations/transport/flattening.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/operators/trigonometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

/// The corner that follows counterclockwise about the same vertex, or none at a wall.
Index next_in_fan(const Mesh& mesh, Index corner) {
  const Index face = corner / 3, edge = mesh.face_edges((corner % 3 + 1) % 3, face);
  const Index other = mesh.edge_faces(0, edge) == face ? mesh.edge_faces(1, edge) : mesh.edge_faces(0, edge);
  if (other == Mesh::none) return Mesh::none;
  Index local = 0;
  while (mesh.faces(local, other) != mesh.faces(corner % 3, face)) ++local;
  return 3 * other + local;
}

}  // namespace

Flattening::Flattening(const Mesh& mesh, FanWeight weight)
    : mesh_(mesh),
      weight_(weight),
      on_wall_(mesh.vertex_count),
      corner_(mesh.ring_corner),
      place_(mesh.ring_corner.size()),
      angle_(3 * mesh.face_count()),
      weight_of_wedge_(weight == FanWeight::angle ? 0 : 3 * mesh.face_count()),
      inverse_weight_(mesh.vertex_count),
      fan_angle_(mesh.vertex_count),
      edge_(3 * mesh.face_count() + mesh.vertex_count),
      direction_(edge_.size()),
      x_(edge_.size()),
      y_(edge_.size()),
      inverse_determinant_(edge_.size()),
      wall_length_(Vector::Zero(mesh.vertex_count)),
      along_wall_(mesh.vertex_count),
      rates_(4 * mesh.face_count()) {
  for (Index i = 0; i < on_wall_.size(); ++i) {
    const Index begin = mesh.ring_start[i];
    const Index end = mesh.ring_start[i + 1];
    Index first = mesh.ring_corner[begin];
    for (Index j = begin; j < end; ++j) {
      const Index corner = mesh.ring_corner[j];
      if (!mesh.is_wall(mesh.face_edges((corner % 3 + 2) % 3, corner / 3))) continue;
      first = corner;
      on_wall_[i] = 1;
    }
    if (on_wall_[i]) walls_.push_back(i);
    for (Index j = begin; j < end; ++j) {
      corner_[j] = first;
      place_[first] = j;
      edge_[j + i] = mesh.face_edges((first % 3 + 2) % 3, first / 3);
      edge_[j + i + 1] = mesh.face_edges((first % 3 + 1) % 3, first / 3);
      first = next_in_fan(mesh, first);
    }
  }
}

/// The angles; their sums around each vertex, which give the directions of the spokes; the spokes; determinants.
void Flattening::refresh(const Geometry& geometry) {
  const double* __restrict cotangent = geometry.cotangent.data();
  const Index* __restrict corner = corner_.data();
  double* __restrict angle = angle_.data();
  parallel_for(corner_.size(), [=](Index first, Index last) {
#pragma omp simd
    for (Index j = first; j < last; ++j) angle[j] = arc_cotangent(cotangent[corner[j]]);
  });
  if (weight_ == FanWeight::area)
    for (Index j = 0; j < corner_.size(); ++j) weight_of_wedge_[j] = geometry.face_area[corner_[j] / 3];
  const double* __restrict weight = weight_ == FanWeight::area ? weight_of_wedge_.data() : angle;
  const Index* __restrict start = mesh_.ring_start.data();
  const char* __restrict on_wall = on_wall_.data();
  double *__restrict fan_angle = fan_angle_.data(), *__restrict inverse_weight = inverse_weight_.data(),
                     *__restrict direction = direction_.data();
  parallel_for(mesh_.vertex_count, [=](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double angles = 0, weights = 0;
      for (Index j = start[i]; j < start[i + 1]; ++j) {
        direction[j + i] = angles;
        angles += angle[j];
        weights += weight[j];
      }
      fan_angle[i] = angles;
      inverse_weight[i] = 1 / weights;
      direction[start[i + 1] + i] = angles;
      if (on_wall[i]) continue;
      const double stretch = 2 * std::numbers::pi / angles;
      for (Index m = start[i] + i; m <= start[i + 1] + i; ++m) direction[m] *= stretch;
    }
  });
  place_spokes(geometry);
  for (const Index vertex : walls_) measure_wall(geometry, vertex);
}

void Flattening::place_spokes(const Geometry& geometry) {
  const double* __restrict length = geometry.edge_length.data(), * __restrict direction = direction_.data();
  const Index* __restrict edge = edge_.data();
  double* __restrict x = x_.data(), * __restrict y = y_.data(), * __restrict inverse = inverse_determinant_.data();
  const Index spokes = edge_.size();
  parallel_for(spokes, [=](Index first, Index last) {
#pragma omp simd
    for (Index m = first; m < last; ++m) {
      double cosine = 0, sine = 0;
      cosine_and_sine(direction[m], cosine, sine);
      x[m] = length[edge[m]] * cosine;
      y[m] = length[edge[m]] * sine;
    }
  });
  parallel_for(spokes - 1, [=](Index first, Index last) {
#pragma omp simd
    for (Index m = first; m < last; ++m)  // between two vertices: not used
      inverse[m] = 1 / (x[m] * y[m + 1] - y[m] * x[m + 1]);
  });
}

/// The direction from the end of the fan to its beginning; the cosine of the turn is that between the two
/// wall edges, one of them reversed.
void Flattening::measure_wall(const Geometry& geometry, Index vertex) {
  const Index begin = mesh_.ring_start[vertex] + vertex, end = mesh_.ring_start[vertex + 1] + vertex;
  wall_length_[vertex] = geometry.edge_length[edge_[begin]] + geometry.edge_length[edge_[end]];
  const Tangent last = Tangent(x_[end], y_[end]) / geometry.edge_length[edge_[end]], along = 1.0 - last;
  const double kept = std::max(0.0, -2 * last.real() - 1);
  along_wall_[vertex] = kept > 0 ? std::sqrt(kept) * along / std::abs(along) : 0;
}

/// (5.5)
inline CornerRates Flattening::in_wedge(Index spoke, double x, double y) const {
  const double inverse = inverse_determinant_[spoke];
  return {(x * y_[spoke + 1] - y * x_[spoke + 1]) * inverse, (y * x_[spoke] - x * y_[spoke]) * inverse};
}

void Flattening::set_along_walls(const Vector& circulation, Array<CornerRates>& at_corners) const {
  for (const Index i : walls_) {
    const Index begin = mesh_.ring_start[i], end = mesh_.ring_start[i + 1];
    const double speed = (circulation[edge_[begin + i]] + circulation[edge_[end + i]]) / wall_length_[i];
    const double kept = std::norm(along_wall_[i]);  // 1 − φ⁴ of the speed, zero from 60° on
    const Tangent v = speed * (2 - kept) * std::sqrt(kept) * along_wall_[i];
    for (Index j = begin; j < end; ++j) at_corners[corner_[j]] = in_wedge(j + i, v.real(), v.imag());
  }
}

void Flattening::interpolate(const VectorIn& flow, Array<CornerRates>& at_corners) {
  at_corners.resize(corner_.size());
  const Index faces = mesh_.face_count();
  const double* __restrict first_rate = flow.data(), * __restrict second_rate = first_rate + faces;
  double* __restrict rates = rates_.data();
  parallel_for(faces, [=](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      rates[4 * k] = rates[4 * k + 3] = first_rate[k];
      rates[4 * k + 1] = second_rate[k];
      rates[4 * k + 2] = -(first_rate[k] + second_rate[k]);
    }
  });
  const Index* __restrict start = mesh_.ring_start.data();
  const Index* __restrict corner = corner_.data();
  const double *__restrict weight = weight_ == FanWeight::area ? weight_of_wedge_.data() : angle_.data(),
                           *__restrict inverse_weight = inverse_weight_.data(), *__restrict x = x_.data(),
                           *__restrict y = y_.data();
  CornerRates* __restrict out = at_corners.data();
  parallel_for(mesh_.vertex_count, [=, this](Index first_vertex, Index last_vertex) {
    for (Index i = first_vertex; i < last_vertex; ++i) {
      double sum_x = 0, sum_y = 0;
      for (Index j = start[i]; j < start[i + 1]; ++j) {
        const double* at = rates + corner[j] / 3 + corner[j];  // 4·face + corner
        const double a = weight[j] * at[0], b = weight[j] * at[1];
        sum_x += a * x[j + i] + b * x[j + i + 1];
        sum_y += a * y[j + i] + b * y[j + i + 1];
      }
      sum_x *= inverse_weight[i];
      sum_y *= inverse_weight[i];
      if (on_wall_[i]) {
        const Tangent t = along_wall_[i];
        const double along = sum_x * t.real() + sum_y * t.imag();
        sum_x = along * t.real();
        sum_y = along * t.imag();
      }
      for (Index j = start[i]; j < start[i + 1]; ++j) out[corner[j]] = in_wedge(j + i, sum_x, sum_y);
    }
  });
}

}  // namespace shoal
