#include "discretizations/reconstructions/linear.hpp"

#include <algorithm>
#include <limits>

namespace shoal {

void LinearReconstruction::measure(const Mesh& mesh, const Array<FaceFrame>& frames,
                                   const Array<Index>& place, const EdgeNormals& normals, LimitedAt limited) {
  cells_ = mesh.face_count();
  edges_ = mesh.edge_count();
  neighbour_.resize(3 * cells_);
  slot_.resize(3 * cells_);
  side_.resize(edges_);
  for (Corners* values :
       {&weight_1_, &weight_2_, &turn_1_, &turn_2_, &middle_1_, &middle_2_, &normal_1_, &normal_2_})
    values->resize(3 * cells_);
  if (limited == LimitedAt::vertices)
    bounds_.measure(mesh, frames, [&](Index edge) {
      return Tangent(normals.left_1[place[edge]], normals.left_2[place[edge]]);
    });
  /// The midpoint of the edge opposite to a corner, relative to the centroid.
  const auto middle = [&](Index k, int corner) {
    const FaceFrame& frame = frames[k];
    const Tangent corners[] = {0.0, frame.first, frame.second};
    return (corners[0] + corners[1] + corners[2]) / 6.0 - 0.5 * corners[corner];
  };
  for (Index k = 0; k < cells_; ++k) {
    std::array<Tangent, 3> d;
    std::array<double, 3> w;
    double m11 = 0, m12 = 0, m22 = 0;
    for (int j = 0; j < 3; ++j) {
      const Index edge = mesh.face_edges(j, k), e = place[edge];
      const bool is_left = mesh.edge_faces(0, edge) == k, wall = mesh.is_wall(edge);
      const Tangent of_left(normals.left_1[e], normals.left_2[e]),
          of_right(normals.right_1[e], normals.right_2[e]);
      const Tangent own = is_left ? of_left : of_right, other = is_left ? of_right : of_left;
      const Tangent here = middle(k, j), turn = wall ? -own * own : own * std::conj(other);
      const Index neighbour = wall ? k : mesh.edge_faces(is_left ? 1 : 0, edge);
      slot_[j * cells_ + k] = e + (is_left ? 0 : edges_);
      if (is_left) side_[e] = j * cells_ + k;
      neighbour_[j * cells_ + k] = neighbour;
      turn_1_[j * cells_ + k] = turn.real();
      turn_2_[j * cells_ + k] = turn.imag();
      middle_1_[j * cells_ + k] = here.real();
      middle_2_[j * cells_ + k] = here.imag();
      normal_1_[j * cells_ + k] = own.real();
      normal_2_[j * cells_ + k] = own.imag();
      if (wall) {
        d[j] = 2 * (here * std::conj(own)).real() * own;
      } else {
        int corner = 0;
        while (mesh.face_edges(corner, neighbour) != edge) ++corner;
        d[j] = here - turn * middle(neighbour, corner);
      }
      w[j] = 1 / std::norm(d[j]);
      m11 += w[j] * d[j].real() * d[j].real();
      m12 += w[j] * d[j].real() * d[j].imag();
      m22 += w[j] * d[j].imag() * d[j].imag();
    }
    // With one neighbour, or several in one direction, the slope is along d.
    constexpr double singular = 1e-10;
    const double trace = m11 + m22, determinant = m11 * m22 - m12 * m12;
    const bool regular = determinant > singular * trace * trace;
    for (int j = 0; j < 3; ++j) {
      const double x = d[j].real(), y = d[j].imag();
      weight_1_[j * cells_ + k] = regular     ? w[j] * (m22 * x - m12 * y) / determinant
                                  : trace > 0 ? w[j] * x / trace
                                              : 0;
      weight_2_[j * cells_ + k] = regular     ? w[j] * (m11 * y - m12 * x) / determinant
                                  : trace > 0 ? w[j] * y / trace
                                              : 0;
    }
  }
}

OpenEdges LinearReconstruction::open_edges(Index cell, const Array<OpenBoundary::Place>& open) const {
  OpenEdges result;
  for (int j = 0; j < 3; ++j) {
    const Index side = j * cells_ + cell;
    result.open[j] = neighbour_[side] == cell &&
                     std::any_of(open.begin(), open.end(),
                                 [&](const OpenBoundary::Place& place) { return place.at == slot_[side]; });
  }
  return result;
}

void LinearReconstruction::open_vertices(const Array<OpenBoundary::Place>& open,
                                         BoundsAtVertices& bounds) const {
  constexpr double unlimited = std::numeric_limits<double>::max();
  for (const OpenBoundary::Place& place : open)
    for (const int next : {1, 2}) {
      const Index side = side_[place.at], corner = (side / cells_ + next) % 3;
      const Index i = bounds_.vertex()[corner * cells_ + side % cells_];
      bounds.at[i] = {-unlimited, unlimited, -unlimited, unlimited, 0, 0, unlimited};
    }
}

}  // namespace shoal
