#include "solvers/water_transfer.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/components.hpp"

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

/// A level per cell or vertex, m above the rest level; NaN if there is none.
constexpr double none = std::numeric_limits<double>::quiet_NaN();
bool has(double level) {
  return level == level;
}

/// Weighted means of the levels that exist.
class Mean {
 public:
  explicit Mean(Index count) : sum_(Vector::Zero(count)), weight_(Vector::Zero(count)) {}
  void add(Index at, double level, double weight) {
    if (!has(level)) return;
    sum_[at] += weight * level;
    weight_[at] += weight;
  }
  Vector result() const { return (weight_.array() > 0).select(sum_.array() / weight_.array(), none); }

 private:
  Vector sum_, weight_;
};

/// Levels at vertices, weighted by the areas of the adjacent triangles.
Vector at_vertices(const PlacedCells& at, const Vector& levels) {
  if (at.cells.location == Location::vertex) return levels;
  Mean mean(at.mesh.vertex_count);
  for (Index k = 0; k < at.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      mean.add(at.mesh.faces(c, k), levels[at.cells.of_element[k]], at.face_area[k]);
  return mean.result();
}

/// Levels at cells: means of the piecewise linear function with these vertex values.
Vector at_cells(const PlacedCells& at, const Vector& vertices) {
  if (at.cells.location == Location::vertex) return vertices;
  Mean mean(at.cells.count());
  for (Index k = 0; k < at.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      mean.add(at.cells.of_element[k], vertices[at.mesh.faces(c, k)], at.face_area[k] / 3);
  return mean.result();
}

/// Levels at cells from the triangles and vertices shared with other cells; cells without a level are
/// ignored.
Vector around_cells(const PlacedCells& at, const Vector& levels) {
  const Vector vertices = at_vertices(at, levels);
  if (at.cells.location != Location::vertex) return at_cells(at, vertices);
  Mean mean(at.mesh.vertex_count);
  for (Index k = 0; k < at.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      for (int other = 0; other < 3; ++other)
        mean.add(at.mesh.faces(c, k), vertices[at.mesh.faces(other, k)], at.face_area[k]);
  return mean.result();
}

/// The level of a film is that of the bed under it, whatever the level of the adjacent lake; thinner films
/// count as dry.
Vector levels_of(const PlacedCells& at, const ConstBlock& volume) {
  constexpr double film = 1e-6;  // relative to the deepest water
  Vector levels(at.cells.count());
  const Vector depth = volume.cwiseQuotient(at.cells.area);
  const double min_depth = film * std::max(0.0, depth.maxCoeff());
  bool dry = false;
  for (Index i = 0; i < levels.size(); ++i) {
    levels[i] = depth[i] > min_depth ? depth[i] - at.cells.bed[i] : none;
    dry = dry || !has(levels[i]);
  }
  if (!dry) return levels;
  const Vector around = around_cells(at, levels);
  for (Index i = 0; i < levels.size(); ++i)
    if (!has(levels[i]) && has(around[i])) levels[i] = std::min(around[i], -at.cells.bed[i]);
  return levels;
}

/// Connected sets of vertices with a level; for every cell with a level the index of its set, else −1.
class Lakes {
 public:
  explicit Lakes(const Vector& vertices) : vertices_(vertices), sets_(static_cast<Index>(vertices.size())) {}

  void join(const Mesh& mesh) {
    for (Index k = 0; k < mesh.face_count(); ++k)
      for (int c = 0; c < 3; ++c)
        if (const Index i = mesh.faces(c, k), j = mesh.faces((c + 1) % 3, k);
            has(vertices_[i]) && has(vertices_[j]))
          sets_.join(i, j);
  }

  Array<Index> of(const PlacedCells& at, const Vector& levels) {
    Array<Index> lake(at.cells.count(), -1);
    const auto set = [&](Index cell, Index vertex) {
      if (has(levels[cell]) && has(vertices_[vertex])) lake[cell] = sets_.find(vertex);
    };
    if (at.cells.location == Location::vertex) {
      for (Index i = 0; i < at.cells.count(); ++i) set(i, i);
    } else {
      for (Index k = 0; k < at.mesh.face_count(); ++k)
        for (int c = 0; c < 3; ++c) set(at.cells.of_element[k], at.mesh.faces(c, k));
    }
    return lake;
  }

 private:
  const Vector& vertices_;
  DisjointSets sets_;
};

/// volume = A max(0, depth + δ) of these cells, with their sum, by Newton's method: the sum is a convex, piecewise linear function of δ.
void fill(const Array<Index>& cells, const Vector& area, const Vector& depth, double sum, Vector& volume) {
  double shift = 0, before = none;
  for (Index i = 0; i < 2 * cells.size() + 10; ++i) {
    double held = 0, wet = 0, highest = -std::numeric_limits<double>::infinity();
    for (const Index cell : cells) {
      volume[cell] = area[cell] * std::max(0.0, depth[cell] + shift);
      held += volume[cell];
      if (volume[cell] > 0) wet += area[cell];
      highest = std::max(highest, depth[cell]);
    }
    const double next = wet > 0 ? shift + (sum - held) / wet : -highest + sum / area.maxCoeff();
    if (next == shift || next == before) return;  // to round-off
    before = shift;
    shift = next;
  }
}

}  // namespace

Vector transferred_volume(const PlacedCells& from, const ConstBlock& volume, const PlacedCells& to,
                          bool cells_stay) {
  const Vector levels = levels_of(from, volume), vertices = at_vertices(from, levels);
  const Vector levels_to = cells_stay ? levels : at_cells(to, vertices);
  const Vector depth = levels_to + to.cells.bed;
  Lakes lakes(vertices);
  lakes.join(from.mesh);
  lakes.join(to.mesh);
  const Array<Index> lake_from = lakes.of(from, levels), lake_to = lakes.of(to, levels_to);

  Vector result = Vector::Zero(to.cells.count());
  Vector there = Vector::Zero(from.mesh.vertex_count);
  for (Index i = 0; i < from.cells.count(); ++i)
    if (lake_from[i] >= 0) there[lake_from[i]] += volume[i];
  Array<Array<Index>> cells(from.mesh.vertex_count);
  for (Index i = 0; i < to.cells.count(); ++i)
    if (lake_to[i] >= 0) cells[lake_to[i]].push_back(i);
  for (Index lake = 0; lake < cells.size(); ++lake)
    if (!cells[lake].empty() && there[lake] > 0) fill(cells[lake], to.cells.area, depth, there[lake], result);

  // Distributes the volume that no lake contains (negative depths) over the wet cells of the connected
  // component, or over all of its cells.
  const Components part_from(from.mesh, from.cells), part_to(to.mesh, to.cells);
  Vector lacking = Vector::Zero(part_from.count()), wet = lacking, area = lacking;
  for (Index i = 0; i < from.cells.count(); ++i) lacking[part_from[i]] += volume[i];
  for (Index i = 0; i < to.cells.count(); ++i) {
    lacking[part_to[i]] -= result[i];
    area[part_to[i]] += to.cells.area[i];
    if (result[i] > 0) wet[part_to[i]] += to.cells.area[i];
  }
  for (Index i = 0; i < to.cells.count(); ++i) {
    const Index part = part_to[i];
    if (result[i] > 0 || wet[part] == 0)
      result[i] += lacking[part] / (wet[part] > 0 ? wet[part] : area[part]) * to.cells.area[i];
  }
  return result;
}

namespace {

bool same_cells(const Discretization& from, const Discretization& to) {
  return from.cells().location == to.cells().location && from.cells().of_element == to.cells().of_element &&
         from.triangles().faces == to.triangles().faces;
}

bool same_fields(const Layout& from, const Layout& to) {
  return std::equal(from.fields().begin(), from.fields().end(), to.fields().begin(), to.fields().end(),
                    [](const Field& a, const Field& b) {
                      return a.name == b.name && a.unit == b.unit && a.location == b.location &&
                             a.components == b.components && a.offset == b.offset && a.size == b.size &&
                             !a.of_elements == !b.of_elements &&
                             (!a.of_elements || *a.of_elements == *b.of_elements);
                    });
}

}  // namespace

bool same_unknowns(const Discretization& from, const Discretization& to) {
  return same_cells(from, to) && from.cells().bed == to.cells().bed && from.cells().area == to.cells().area &&
         same_fields(from.layout(), to.layout());
}

State transferred_state(const State& state, const Forces& forces, const Discretization& from,
                        const Discretization& to) {
  const Mesh &mesh_from = from.triangles(), &mesh_to = to.triangles();
  const ConstBlock volume = state[from.volume()];
  const Cells &cells_from = from.cells(), &cells_to = to.cells();
  const Output &velocity = *from.find_output("velocity"), &velocity_to = *to.find_output("velocity");
  State result = zero_state(to.layout());
  const bool cells_stay = same_cells(from, to);
  if (cells_stay && cells_from.bed == cells_to.bed && cells_from.area == cells_to.area)
    result[to.volume()] = volume;
  else
    result[to.volume()] = transferred_volume({mesh_from, cells_from, velocity.area()}, volume,
                                             {mesh_to, cells_to, velocity_to.area()}, cells_stay);
  Values vectors;
  from.sample(state, forces, "velocity", vectors);
  Points at_faces = vectors;
  if (mesh_from.faces != mesh_to.faces) {
    Points sum = Points::Zero(3, from.mesh().vertex_count);
    Vector area = Vector::Zero(from.mesh().vertex_count);
    for (Index k = 0; k < mesh_from.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        sum.col(mesh_from.faces(c, k)) += velocity.area()[k] * at_faces.col(k);
        area[mesh_from.faces(c, k)] += velocity.area()[k];
      }
    for (Index k = 0; k < mesh_to.face_count(); ++k) {
      at_faces.col(k).setZero();
      for (int c = 0; c < 3; ++c)
        at_faces.col(k) += sum.col(mesh_to.faces(c, k)) / (3 * area[mesh_to.faces(c, k)]);
    }
  }
  to.add_velocity(at_faces, result);
  return result;
}

}  // namespace shoal
