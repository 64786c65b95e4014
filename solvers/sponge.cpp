#include "solvers/sponge.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/whole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

double distance(const Vector3& point, const Vector3& begin, const Vector3& end) {
  const Vector3 along = end - begin;
  const double part = std::clamp((point - begin).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - begin - part * along).norm();
}

/// A straight piece of a boundary.
struct Piece {
  Vector3 begin, end;
};

/// Of the whole surface.
std::vector<Piece> pieces_of(const Mesh& mesh, const Array<Index>& edges, const Points& x) {
  std::vector<Piece> pieces;
  const Range own_edges = own(mesh, Location::edge);
  for (const Index e : edges) {
    if (!own_edges.has(e)) continue;
    pieces.push_back({x.col(mesh.edges(0, e)), x.col(mesh.edges(1, e))});
    if (mesh.periodic()) pieces.back().end += mesh.edge_shift.col(e);
  }
  return of_all(ranks_of(mesh), pieces);
}

/// [3, n] the places of the elements of a field.
Points places(const Field& field, const Discretization& scheme, const Points& x) {
  const Mesh& mesh = scheme.triangles();
  switch (field.location) {
    case Location::cell:
      return scheme.cells().points;
    case Location::vertex:
      return x;
    case Location::edge: {
      Points middle(3, mesh.edge_count());
      for (Index e = 0; e < mesh.edge_count(); ++e) {
        middle.col(e) = 0.5 * (x.col(mesh.edges(0, e)) + x.col(mesh.edges(1, e)));
        if (mesh.periodic()) middle.col(e) += 0.5 * mesh.edge_shift.col(e);
      }
      return middle;
    }
    default: {
      Points centre(3, mesh.face_count());
      for (Index k = 0; k < mesh.face_count(); ++k) {
        centre.col(k).setZero();
        for (int c = 0; c < 3; ++c) {
          centre.col(k) += x.col(mesh.faces(c, k)) / 3;
          if (mesh.periodic()) centre.col(k) += mesh.corner_shift.col(3 * k + c) / 3;
        }
      }
      return centre;
    }
  }
}

}  // namespace

bool Sponge::is_in(const BoundaryConditions& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), is_at);
}

std::shared_ptr<Sponge> Sponge::make(const BoundaryConditions& conditions, const Discretization& scheme,
                                     const Points& x) {
  if (!is_in(conditions)) return nullptr;
  auto sponge = std::make_shared<Sponge>();
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const BoundaryCondition& condition = conditions[i];
    if (!is_at(condition)) continue;
    const Mesh& mesh = scheme.mesh();
    const std::vector<Piece> boundary =
        pieces_of(mesh, mesh.boundary_sets.begin()[find_boundary_set(mesh, condition.set)].edges, x);
    const double width = condition.value.values().front(), rate = condition.speed.values().front();
    const auto rate_at = [&](const Vector3& point) {
      double nearest = width;
      for (const Piece& piece : boundary)
        nearest = std::min(nearest, distance(point, piece.begin, piece.end));
      const double depth = 1 - nearest / width;
      return rate * depth * depth;
    };
    Layer layer{i, Vector(scheme.cells().count()), Vector(scheme.velocity().size)};
    for (Index c = 0; c < layer.at_cells.size(); ++c)
      layer.at_cells[c] = rate_at(scheme.cells().points.col(c));
    if (max(mesh, scheme.cells(), layer.at_cells) == 0)
      throw SettingError(
          "boundaries",
          fmt::format("the sponge at '{}', {} m wide, contains the centre of no cell; use a wider one",
                      condition.set, width));
    const Points at = places(scheme.velocity(), scheme, x);
    Vector of_elements(at.cols());
    for (Index e = 0; e < of_elements.size(); ++e) of_elements[e] = rate_at(at.col(e));
    for (Index j = 0; j < layer.at_velocity.size(); ++j)
      layer.at_velocity[j] = of_elements[scheme.velocity().element(j)];
    sponge->layers_.push_back(std::move(layer));
  }
  return sponge;
}

const Vector& Sponge::apply(const BoundaryConditions& conditions, double time, double dt,
                            const Discretization& scheme, State& state) {
  const Cells& cells = scheme.cells();
  Block volumes = state[scheme.volume()], flow = state[scheme.velocity()];
  added_ = volumes;
  for (const Layer& layer : layers_) {
    const double level = conditions[layer.condition].tangential.mean(time, dt);
    for (Index c = 0; c < cells.count(); ++c)
      if (layer.at_cells[c] > 0)
        volumes[c] -= std::expm1(-layer.at_cells[c] * dt) *
                      (cells.area[c] * std::max(0.0, cells.bed[c] + level) - volumes[c]);
    for (Index j = 0; j < flow.size(); ++j)
      if (layer.at_velocity[j] > 0) flow[j] *= std::exp(-layer.at_velocity[j] * dt);
  }
  return added_ = volumes - added_;
}

}  // namespace shoal
