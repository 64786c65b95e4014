#include "discretizations/grid/grid_scheme.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace shoal {
namespace {

GridScratch& of_grid(Scratch& scratch) {
  return static_cast<GridScratch&>(scratch);
}

}  // namespace

GridScheme::GridScheme(const std::string& name, const Mesh& mesh, const Geometry& geometry,
                       const ScalarField& bed_depth, const Parameters& parameters)
    : Discretization(mesh, geometry, parameters),
      grid_(with_context(name, [&] { return make_square_grid(mesh, geometry); })),
      side_(grid_.side),
      area_(grid_.area()) {
  cells_.location = Location::face;
  cells_.area.setConstant(grid_.count(), area_);
  cells_.points = grid_.centre;
  cells_.of_element = grid_.of_face;
  cells_.bed.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) cells_.bed[c] = bed_depth(cells_.points.col(c));
  for (int axis = 0; axis < 2; ++axis)
    for (Index c = 0; c < grid_.count(); ++c)
      if (grid_.neighbour[c][2 * axis] == SquareGrid::none &&
          grid_.neighbour[c][2 * axis + 1] == SquareGrid::none)
        between_walls_.push_back(axis * grid_.count() + c);
}

/// Symmetric in the corners, so that uniform values and mirrored fields give the same bits.
template <class Values>
double GridScheme::corner_mean(Index cell, const Values& values) const {
  const auto& at = grid_.corners[cell];
  return 0.25 * ((values(at[0]) + values(at[3])) + (values(at[1]) + values(at[2])));
}

void GridScheme::derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                               Scratch& /*scratch*/) const {
  GridForces& own = forces.own.as<GridForces>();
  Vector& acceleration = own.acceleration;
  acceleration.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c)
    acceleration[c] = -corner_mean(c, [&](Index vertex) { return normal_acceleration[vertex]; });
  own.between_walls = between_walls_;
  if (const auto& open = forces.open_boundary.places; !open.empty()) {
    const auto is_open = [&](Index i) {
      const auto& edges = grid_.edge_of[i % grid_.count()];
      const int first = i < grid_.count() ? SquareGrid::west : SquareGrid::south;
      return std::any_of(open.begin(), open.end(), [&](const OpenBoundary::Place& place) {
        return place.edge == grid_.edges[edges[first]].of_mesh ||
               place.edge == grid_.edges[edges[first + 1]].of_mesh;
      });
    };
    own.between_walls.resize(std::remove_if(own.between_walls.begin(), own.between_walls.end(), is_open) -
                             own.between_walls.begin());
  }
  if (forces.rotates) {
    const double f = 2 * forcing.rotation.dot(grid_.x_axis.cross(grid_.y_axis));
    forces.coriolis.setConstant(grid_.count(), f);
  }
  if (!forces.has_body_force) return;
  // [2 cells], not one value for each entry of the velocity.
  forces.body_force.resize(2 * grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) {
    const auto along = [&](const Vector3& axis) {
      return corner_mean(c, [&](Index vertex) { return axis.dot(forcing.body_acceleration.col(vertex)); });
    };
    forces.body_force[c] = along(grid_.x_axis);
    forces.body_force[grid_.count() + c] = along(grid_.y_axis);
  }
}

std::string GridScheme::lifted(const Forces& forces) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  Index at = 0;
  if (!(acceleration.minCoeff(&at) < 0)) return "";
  return fmt::format("the normal acceleration lifts the water at {}: {:.4g} m/s²",
                     to_text(Vector3(cells_.points.col(at))), -acceleration[at]);
}

State GridScheme::project(const Fields& fields) const {
  State state = zero_state(layout());
  Block volumes = state[volume()];
  for (Index c = 0; c < grid_.count(); ++c)
    volumes[c] = area_ * (fields.depth ? fields.depth(cells_.points.col(c)) : 1.0);
  if (fields.velocity) set_velocity(fields.velocity, state);
  return state;
}

void GridScheme::compute_depth(const State& state, GridScratch& s) const {
  const double* volumes = state[volume()].data();
  const double* bed = cells_.bed.data();
  s.depth.resize(grid_.count());
  s.elevation.resize(grid_.count());
  double *depth = s.depth.data(), *elevation = s.elevation.data();
  const double area = area_;
  parallel_for(grid_.count(), [=](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      depth[c] = volumes[c] / area;
      elevation[c] = depth[c] - bed[c];
    }
  });
}

void GridScheme::turn(double dt, const Forces& forces, double* x, double* y) const {
  for (Index c = 0; c < grid_.count(); ++c) {
    const double cosine = std::cos(dt * forces.coriolis[c]), sine = std::sin(dt * forces.coriolis[c]);
    const double before = x[c];
    x[c] = cosine * before + sine * y[c];
    y[c] = cosine * y[c] - sine * before;
  }
}

/// Of the terms of the step, the force alone has a rate, and the velocity part of gravity: the work of forces is measured by them.
void GridScheme::add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                           Scratch& scratch) const {
  GridScratch& s = of_grid(scratch);
  if (terms.has(Term::gravity)) add_pressure(state, forces, scale, rate, s);
  if (terms.has(Term::force) && forces.has_body_force) {
    s.velocity.x = forces.body_force.head(grid_.count());
    s.velocity.y = forces.body_force.tail(grid_.count());
    add_cell_velocity(state, s.velocity, scale, rate);
  }
  if (terms.has(Term::source) && forces.has_inflow) add_source(state, forces, scale, rate, s);
}

void GridScheme::add_source(const State& state, const Forces& forces, double scale, State& rate,
                            GridScratch& s) const {
  // Before `rate`, which may be the state, changes.
  if (forces.has_own_velocity) cell_velocity(state, s.velocity);
  add_inflow(state[volume()], s.lacking_discharge, forces, scale, rate, s);
  if (!forces.has_own_velocity) return;
  compute_depth(state, s);
  const Index cells = grid_.count();
  for (Index c = 0; c < cells; ++c) {
    const double mixing = mixing_rate(forces.own_inflow[c] / area_, s.depth[c], forces);
    s.velocity.x[c] = mixing * (forces.own_velocity[c] - s.velocity.x[c]);
    s.velocity.y[c] = mixing * (forces.own_velocity[cells + c] - s.velocity.y[c]);
  }
  add_cell_velocity(state, s.velocity, scale, rate);
}

double GridScheme::mixing_rate(double inflow, double depth, const Forces& forces) {
  if (!(inflow > 0)) return 0;
  const double rate = inflow < forces.steps_per_second * depth ? inflow / depth : forces.steps_per_second;
  return std::isfinite(rate) ? rate : 0;
}

void GridScheme::add_velocity(const Points& velocity, State& state) const {
  CellVelocity mean{Vector::Zero(grid_.count()), Vector::Zero(grid_.count())};
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    const Index cell = grid_.of_face[k];
    mean.x[cell] += 0.5 * x_component(velocity.col(k));
    mean.y[cell] += 0.5 * y_component(velocity.col(k));
  }
  add_cell_velocity(state, mean, 1, state);
}

double GridScheme::kinetic_energy(const State& state, Scratch& scratch) const {
  CellVelocity& v = of_grid(scratch).velocity;
  cell_velocity(state, v);
  const ConstBlock volumes = state[volume()];
  return 0.5 * sum(mesh_, cells_, [&](Index c) { return volumes[c] * (v.x[c] * v.x[c] + v.y[c] * v.y[c]); });
}

BedFriction::SiteFlow GridScheme::site_flow(const State& state, const Forces& /*forces*/,
                                            Scratch& scratch) const {
  GridScratch& s = of_grid(scratch);
  compute_depth(state, s);
  cell_velocity(state, s.velocity);
  s.speed = (s.velocity.x.array().square() + s.velocity.y.array().square()).sqrt();
  return {s.depth, s.speed};
}

void GridScheme::cell_velocity(const State& state, CellVelocity& of_cells) const {
  of_cells.x = state[velocity()].head(grid_.count());
  of_cells.y = state[velocity()].tail(grid_.count());
}

void GridScheme::set_velocity(const VectorField& given, State& state) const {
  Block flow = state[velocity()];
  for (Index c = 0; c < grid_.count(); ++c) {
    const Vector3 v = given(cells_.points.col(c));
    flow[c] = x_component(v);
    flow[grid_.count() + c] = y_component(v);
  }
}

void GridScheme::add_cell_velocity(const State& /*state*/, const CellVelocity& added, double scale,
                                   State& rate) const {
  rate[velocity()].head(grid_.count()) += scale * added.x;
  rate[velocity()].tail(grid_.count()) += scale * added.y;
}

/// Mean of the adjacent cells.
void GridScheme::compute_vertex_depth(const State& state, Vector& depth) const {
  const ConstBlock volumes = state[volume()];
  depth.setZero(mesh_.vertex_count);
  for (Index c = 0; c < grid_.count(); ++c)
    for (const Index vertex : grid_.corners[c]) depth[vertex] += 0.25 * volumes[c];
  depth.array() /= vertex_area_.array();
}

/// Circulation around the square of the adjacent cells' centres over its area. Where cells are missing, the path runs along the
/// walls, with the velocity of the cell beside them.
void GridScheme::compute_vorticity(const CellVelocity& velocity, Vector& vorticity) const {
  vorticity.setZero(mesh_.vertex_count);
  for (Index c = 0; c < grid_.count(); ++c)
    for (int corner = 0; corner < 4; ++corner) {
      const bool at_east = corner % 2 == 1, at_north = corner / 2 == 1;
      // Of the quarter of the cell at this corner, the sides through the centre run counter-clockwise around the corner.
      const double u = at_north ? velocity.x[c] : -velocity.x[c],
                   v = at_east ? -velocity.y[c] : velocity.y[c];
      const bool wall_x =
          grid_.neighbour[c][at_east ? SquareGrid::east : SquareGrid::west] == SquareGrid::none;
      const bool wall_y =
          grid_.neighbour[c][at_north ? SquareGrid::north : SquareGrid::south] == SquareGrid::none;
      vorticity[grid_.corners[c][corner]] += 0.5 * side_ * ((wall_y ? 0 : u) + (wall_x ? 0 : v));
    }
  vorticity.array() /= vertex_area_.array();
}

void GridScheme::declare_outputs() {
  vertex_area_.setZero(mesh_.vertex_count);
  for (Index c = 0; c < grid_.count(); ++c)
    for (const Index vertex : grid_.corners[c]) vertex_area_[vertex] += 0.25 * area_;
  const auto face_area = [this]() -> const Vector& { return geometry_.face_area; };
  add_output({"velocity", "m/s", "v of the square", Location::face, 3,
              [this](const State& state, const Forces&, Values& values, Scratch& scratch) {
                CellVelocity& v = of_grid(scratch).velocity;
                cell_velocity(state, v);
                values.resize(3, mesh_.face_count());
                for (Index k = 0; k < mesh_.face_count(); ++k) {
                  const Index cell = grid_.of_face[k];
                  values.col(k) = v.x[cell] * grid_.x_axis + v.y[cell] * grid_.y_axis;
                }
              },
              face_area});
  add_output({"depth_at_faces", "m", "η of the square", Location::face, 1,
              [this](const State& state, const Forces&, Values& values, Scratch&) {
                const ConstBlock volumes = state[volume()];
                values.resize(1, mesh_.face_count());
                for (Index k = 0; k < mesh_.face_count(); ++k)
                  values(0, k) = volumes[grid_.of_face[k]] / area_;
              },
              face_area});
  add_vertex_outputs(
      [this](const State& state, Vector& depth, Scratch&) { compute_vertex_depth(state, depth); },
      [this](const State& state, const Forces&, Vector& vorticity, Scratch& scratch) {
        CellVelocity& v = of_grid(scratch).velocity;
        cell_velocity(state, v);
        compute_vorticity(v, vorticity);
      },
      [this]() -> const Vector& { return vertex_area_; });
}

}  // namespace shoal
