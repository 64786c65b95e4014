// From states of a simulation to meshes, colours and arrows.
#include "reference/view/simulation_view.hpp"

#include "discretizations/common/error.hpp"
#include "reference/renderer/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double legend_free = 0.76;  // of the width
constexpr Color arrow_color{0.1, 0.1, 0.12};

/// The triangulation that outputs on faces refer to.
const Mesh& triangulation(const Simulation& simulation) {
  const Mesh* own = simulation.discretization().own_triangulation();
  return own ? *own : simulation.surface().mesh;
}

/// m, of straight lines through a closed body: 4 V/A where it is convex (Cauchy).
double mean_chord(const Mesh& mesh, const Points& x) {
  double volume = 0, area = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 a = x.col(mesh.faces(0, k)), b = x.col(mesh.faces(1, k)), c = x.col(mesh.faces(2, k));
    volume += a.dot(b.cross(c)) / 6;
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  return 4 * std::abs(volume) / area;
}

/// Where the sun stands: behind what is shown and to the left, so that its shadow falls towards the camera.
Vector3 sun_of(const Vector3& view, const Vector3& up) {
  const Vector3 upwards = up.normalized(), away = (upwards.dot(view) * upwards - view).normalized(),
                right = away.cross(upwards);
  return 0.95 * upwards - 0.55 * right + 0.4 * away;
}

}  // namespace

std::vector<std::string> fields_of(const Simulation& simulation) {
  std::vector<std::string> names = {"depth", "elevation"};
  if (simulation.water().has_velocity()) names.push_back("speed");
  for (const Output& output : simulation.discretization().outputs())
    if (output.components == 1 && output.location != Location::edge) names.push_back(output.name);
  return names;
}

SimulationView::SimulationView(const Simulation& simulation, const ViewOptions& options, double aspect)
    : options_(options),
      mesh_(simulation.surface().mesh),
      closed_(mesh_.closed() && !mesh_.periodic()),
      framing_(options.view, options.up, options.look == Look::science ? legend_free * aspect : aspect,
               options.margin),
      bed_(mesh_.vertex_count) {
  for (Index i = 0; i < mesh_.vertex_count; ++i)
    bed_[i] = simulation.scene().bed_depth(simulation.surface().x.col(i));
  if (!mesh_.periodic()) volume_.emplace(mesh_, options.surface);
  if (options.look == Look::water) {
    if (mesh_.periodic())
      throw Error(
          "--look water: the mesh is periodic and its water has no closed surface; choose --look science");
    return;
  }
  low_ = infinity;
  high_ = -infinity;
  if (options.field == "depth" || options.field == "elevation") {
    unit_ = "m";
    signed_ = options.field == "elevation";
  } else if (options.field == "speed") {
    if (!simulation.water().has_velocity()) throw Error("--field speed: this integrator carries no velocity");
    unit_ = "m/s";
    per_face_ = true;
  } else {
    std::vector<std::string> names = {"depth", "elevation", "speed"};
    const Output* output = nullptr;
    for (const Output& one : simulation.discretization().outputs()) {
      if (one.components != 1 || one.location == Location::edge) continue;
      names.push_back(one.name);
      if (one.name == options.field) output = &one;
    }
    if (!output)
      throw Error(fmt::format("--field: '{}' is none of {}{}", options.field, join(names),
                              did_you_mean(options.field, names)));
    unit_ = output->unit;
    per_face_ = output->location == Location::face;
    signed_ = options.field.find("vorticity") != std::string::npos;
  }
  if (options.vectors && !simulation.water().has_velocity())
    throw Error("--vectors: this integrator carries no velocity");
}

void SimulationView::update(const Simulation& simulation) {
  const Geometry& geometry = simulation.water().geometry();
  x_ = geometry.x;
  vertex_normals(mesh_, geometry, normals_);
  simulation.water().sample("depth_at_vertices", values_);
  depth_ = values_.row(0).transpose();
}

const FluidSurface& SimulationView::water_surface(const Simulation& simulation) {
  update(simulation);
  if (!sheets_) sheets_.emplace(mesh_, options_.surface);
  FluidSurfaceOptions options = options_.surface;
  options.back = !(closed_ && depth_.minCoeff() > options.iso_level);
  sheets_->configure(options);
  sheets_->update(x_, normals_, depth_, bed_);
  return *sheets_;
}

Vector SimulationView::depth_on_surface() const {
  Vector values(sheets_->vertex_count());
  sheets_->interpolate(depth_, values);
  return values;
}

void SimulationView::survey(const Simulation& simulation, bool with_bodies) {
  update(simulation);
  const Vector lifted = options_.exaggeration * (depth_ - bed_);
  framing_.add(x_ + normals_ * lifted.asDiagonal());
  if (closed_)
    framing_.add(x_);
  else
    framing_.add(x_ - normals_ * bed_.asDiagonal());
  const Bodies& bodies = simulation.world().bodies();
  for (int i = 0; with_bodies && i < bodies.count(); ++i) {
    const Points corners = bodies.solid(i).bounding_radius() * Points(Eigen::Matrix3d::Identity());
    framing_.add(corners.colwise() + bodies.pose(i).position);
    framing_.add((-corners).colwise() + bodies.pose(i).position);
  }
  if (options_.look == Look::water) return;
  const Vector field = field_at_vertices(simulation);
  low_ = std::min(low_, field.minCoeff());
  high_ = std::max(high_, field.maxCoeff());
  if (!options_.vectors) return;
  if (arrow_faces_.empty()) choose_arrows(simulation);
  largest_speed_ =
      std::max(largest_speed_, std::sqrt(velocity_of_arrows(simulation).colwise().squaredNorm().maxCoeff()));
}

/// Values of triangles become means of those around each vertex, weighted with their areas.
Vector SimulationView::field_at_vertices(const Simulation& simulation) {
  if (options_.field == "depth") return depth_;
  if (options_.field == "elevation") return depth_ - bed_;
  simulation.water().sample(options_.field == "speed" ? "velocity" : options_.field, values_);
  if (!per_face_) return values_.row(0).transpose();
  const Mesh& triangles = triangulation(simulation);
  const bool speed = options_.field == "speed";
  const Vector& area = simulation.discretization().find_output(speed ? "velocity" : options_.field)->area();
  const Vector value = speed ? Vector(values_.colwise().norm()) : Vector(values_.row(0).transpose());
  Vector sum = Vector::Zero(mesh_.vertex_count), weight = sum;
  for (Index k = 0; k < triangles.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      sum[triangles.faces(c, k)] += area[k] * value[k];
      weight[triangles.faces(c, k)] += area[k];
    }
  return sum.cwiseQuotient(weight);
}

std::pair<double, double> SimulationView::range() const {
  if (options_.range) return *options_.range;
  double low = low_, high = high_;
  if (signed_) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  } else {
    low = std::min(0.0, low);
  }
  if (!(high > low)) high = low + 1;  // nothing happens: any range shows it
  return {low, high};
}

const ColorMap& SimulationView::colors() const {
  return signed_ ? diverging_colors() : sequential_colors();
}

/// Triangles in the input's order, of which none is taken that is near one taken before.
void SimulationView::choose_arrows(const Simulation& simulation) {
  arrow_distance_ = framing_.radius() / 13;
  const Mesh& triangles = triangulation(simulation);
  std::vector<Vector3> points;
  for (Index k = 0; k < triangles.face_count(); ++k) {
    Vector3 middle = Vector3::Zero();
    for (int c = 0; c < 3; ++c) middle += x_.col(triangles.faces(c, k)) / 3;
    const bool near = std::any_of(points.begin(), points.end(), [&](const Vector3& other) {
      return (other - middle).squaredNorm() < arrow_distance_ * arrow_distance_;
    });
    if (near) continue;
    points.push_back(middle);
    arrow_faces_.push_back(k);
  }
}

Points SimulationView::velocity_of_arrows(const Simulation& simulation) {
  simulation.water().sample("velocity", values_);
  Points velocity(3, static_cast<Eigen::Index>(arrow_faces_.size()));
  for (Index i = 0; i < velocity.cols(); ++i) velocity.col(i) = values_.col(arrow_faces_[i]);
  return velocity;
}

void SimulationView::add_arrows(const Simulation& simulation, Picture& picture) {
  Points velocity = velocity_of_arrows(simulation), from(3, velocity.cols());
  const Mesh& triangles = triangulation(simulation);
  for (Index i = 0; i < from.cols(); ++i) {
    Vector3 point = Vector3::Zero(), normal = Vector3::Zero();
    for (int c = 0; c < 3; ++c) {
      const Index vertex = triangles.faces(c, arrow_faces_[i]);
      const double lifted = options_.exaggeration * (depth_[vertex] - bed_[vertex]);
      point += (x_.col(vertex) + lifted * normals_.col(vertex)) / 3;
      normal += normals_.col(vertex) / 3;
    }
    from.col(i) = point + 0.15 * arrow_distance_ * normal;
  }
  velocity *= largest_speed_ > 0 ? arrow_length() / largest_speed_ : 0;
  picture.solids.push_back(
      {.mesh = std::make_shared<PictureMesh>(arrow_mesh(from, velocity, 0.08 * arrow_distance_)),
       .color = arrow_color,
       .unlit = true});
}

void SimulationView::add_water(Picture& picture) {
  WaterBody water{.mesh = volume_->update(x_, normals_, depth_, bed_, options_.exaggeration),
                  .on_bed = !closed_,
                  .clarity = options_.clarity.value_or(closed_ ? mean_chord(mesh_, x_) : 2.2 * bed_.mean())};
  if (!closed_)
    picture.solids.push_back(
        {.mesh = std::make_shared<PictureMesh>(pool_mesh(mesh_, x_, normals_, bed_, 0.15 * bed_.mean())),
         .color = {0.75, 0.78, 0.78},
         .one_sided = true,
         .tiles = true});
  if (water.mesh.faces.cols() > 0) picture.water = std::move(water);
  const double level = options_.surface.iso_level;
  if (!closed_ || !(depth_.minCoeff() <= level)) return;
  Skin skin{.mesh = {.x = x_, .normals = normals_, .faces = mesh_.faces, .values = depth_}, .lines = true};
  for (double& value : skin.mesh.values) value = value > level ? 0 : 1;
  picture.skin = std::move(skin);
}

void SimulationView::add_field(const Simulation& simulation, Picture& picture) {
  const auto [low, high] = range();
  const Vector lifted = options_.exaggeration * (depth_ - bed_), field = field_at_vertices(simulation);
  FieldSurface surface{.mesh = {}, .colors = &colors(), .low = low, .high = high, .lines = options_.lines};
  const Points points = x_ + normals_ * lifted.asDiagonal();
  if (mesh_.periodic()) {  // a face may see a vertex beyond the seam
    surface.mesh.x.resize(3, 3 * mesh_.face_count());
    surface.mesh.values.resize(3 * mesh_.face_count());
    surface.mesh.faces.resize(3, mesh_.face_count());
    for (Index k = 0; k < mesh_.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        const Index corner = 3 * k + c, vertex = mesh_.faces(c, k);
        surface.mesh.x.col(corner) = points.col(vertex) + mesh_.corner_shift.col(corner);
        surface.mesh.values[corner] = field[vertex];
        surface.mesh.faces(c, k) = corner;
      }
  } else {
    surface.mesh = {.x = points, .normals = {}, .faces = mesh_.faces, .values = field};
    const Geometry lifted_geometry = make_geometry(mesh_, points);
    vertex_normals(mesh_, lifted_geometry, surface.mesh.normals);
  }
  picture.field = std::move(surface);
  if (options_.vectors) add_arrows(simulation, picture);
}

Picture SimulationView::picture(const Simulation& simulation) {
  update(simulation);
  Picture picture;
  picture.camera = framing_.camera(options_.zoom);
  picture.up = options_.up.normalized();
  picture.center = framing_.center();
  picture.size = framing_.radius();
  picture.light = sun_of(options_.view, options_.up);
  if (options_.look == Look::science) {
    picture.backdrop = Backdrop::plain;
    add_field(simulation, picture);
  } else {
    if (options_.ground) picture.ground = framing_.lowest() - 4e-3 * picture.size;
    add_water(picture);
  }
  bodies_.add_to(picture, simulation.world().bodies());
  return picture;
}

}  // namespace shoal
