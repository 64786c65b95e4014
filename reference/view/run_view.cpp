// From states of a run to meshes, colours and arrows.
#include "reference/view/run_view.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/operators/p1.hpp"
#include "reference/renderer/shapes.hpp"
#include "reference/view/overlays.hpp"
#include "solvers/coupling/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double far = 4;  // times the reach of the surface from its middle

/// The fraction of the width that the legend leaves free on both sides of the middle: its letters are in proportion to the height.
double free_of_legend(double aspect) {
  constexpr double wide = 0.76, legend_width = 0.2,
                   min_free = 0.42;  // of the width; of the height; of the width
  return std::max(min_free, std::min(wide, 1 - 2 * legend_width / aspect));
}

constexpr Color velocity_color{0.1, 0.1, 0.12}, vertex_velocity_color{0.1, 0.4, 0.15},
    fan_velocity_color{0.1, 0.15, 0.85}, acceleration_color{0.75, 0.15, 0.1}, edge_color{0.05, 0.06, 0.1},
    bed_color{0.45, 0.3, 0.15}, source_color{0.05, 0.55, 0.2}, sink_color{0.85, 0.2, 0.05},
    push_color{0.55, 0.1, 0.65}, face_trace_color{0.9, 0.55, 0.05}, start_trace_color{0.1, 0.6, 0.2},
    vertex_trace_color{0.6, 0.1, 0.6}, bone_color{0.95, 0.95, 0.85};

/// m, mean length of straight lines through a closed body: 4 V/A if it is convex (Cauchy).
double mean_chord(const Mesh& mesh, const Points& x) {
  double volume = 0, area = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 a = x.col(mesh.faces(0, k)), b = x.col(mesh.faces(1, k)), c = x.col(mesh.faces(2, k));
    volume += a.dot(b.cross(c)) / 6;
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  return 4 * std::abs(volume) / area;
}

/// m, of the part of the bed below the zero level; 1 if there is none.
double mean_depth_of(const Vector& bed) {
  const auto count = (bed.array() > 0).count();
  return count > 0 ? bed.cwiseMax(0).sum() / static_cast<double>(count) : 1;
}

/// Direction of the sun: behind the scene and to the left, so that shadows fall towards the camera.
Vector3 sun_of(const Vector3& view, const Vector3& up) {
  const Vector3 upwards = up.normalized(), away = (upwards.dot(view) * upwards - view).normalized(),
                right = away.cross(upwards);
  return 0.95 * upwards - 0.55 * right + 0.4 * away;
}

}  // namespace

Vector3 default_view(const Vector3& up) {
  const Vector3 right = (std::abs(up.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY()).eval();
  const Vector3 across = (right - right.dot(up) * up).normalized();
  return across.cross(up) + 0.3 * across + 0.45 * up;
}

Points choppy_shift(const Mesh& mesh, const Geometry& geometry, const Points& normals,
                    const Vector& elevation, double gravity, double c) {
  constexpr double max_share = 0.49;  // of an edge
  Points shift = Points::Zero(3, mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    Vector3 gradient = Vector3::Zero();  // times the area
    for (int corner = 0; corner < 3; ++corner)
      gradient += elevation[mesh.faces(corner, k)] * area_gradient(mesh, geometry, k, corner);
    for (int corner = 0; corner < 3; ++corner) shift.col(mesh.faces(corner, k)) += gradient / 3;
  }
  Vector shortest = Vector::Constant(mesh.vertex_count, infinity);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end)
      shortest[mesh.edges(end, e)] = std::min(shortest[mesh.edges(end, e)], geometry.edge_length[e]);
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    const Vector3 gradient = shift.col(i) / geometry.vertex_area[i], n = normals.col(i);
    shift.col(i) = c * gravity * (gradient - n.dot(gradient) * n);
  }
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (!mesh.is_wall(e)) continue;
    for (int end = 0; end < 2; ++end) {
      const Index vertex = mesh.edges(end, e);
      const Vector3 out = geometry.edge_vector(mesh, e).cross(Vector3(normals.col(vertex))).normalized();
      shift.col(vertex) -= out.dot(shift.col(vertex)) * out;
    }
  }
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (const double length = shift.col(i).norm(); length > max_share * shortest[i])
      shift.col(i) *= max_share * shortest[i] / length;
  return shift;
}

bool supports_foam(const ShownRun& run) {
  return run.has_velocity() && &run.triangles() == &run.mesh() && !run.mesh().periodic();
}

std::vector<ShownField> fields_of(const ShownRun& run) {
  std::vector<ShownField> fields = {{"depth", "m"}, {"elevation", "m"}};
  if (run.has_velocity()) fields.push_back({"speed", "m/s", Location::face});
  for (const ShownField& field : run.fields()) fields.push_back(field);
  return fields;
}

RunView::RunView(const ShownRun& run, const ViewOptions& options, double aspect)
    : options_(options),
      mesh_(run.mesh()),
      closed_(mesh_.closed() && !mesh_.periodic()),
      framing_(options.view, options.up,
               options.look == Look::science ? free_of_legend(aspect * options.framed_part) * aspect : aspect,
               options.margin),
      bed_(run.bed()) {
  if (options.vectors && !run.has_velocity()) throw Error("--vectors: this integrator carries no velocity");
  if (options.foam && !mesh_.periodic()) foam_ = std::make_unique<Foam>(mesh_, options.foam_options);
  if (!mesh_.periodic()) volume_.emplace(mesh_, options.surface);
  if (options.look == Look::water) {
    if (mesh_.periodic())
      throw Error(
          "--look water: the mesh is periodic and its water has no closed surface; choose --look science");
    return;
  }
  low_ = least_positive_ = infinity;
  high_ = -infinity;
  if (!options.color_map.empty()) with_context("--color-map", [&] { find_color_map(options.color_map); });
  if (options.logarithmic && options.range && !(options.range->first > 0))
    throw Error(fmt::format(
        "--log: the colour range begins at {:.4g}, which has no logarithm; choose a positive number",
        options.range->first));
  if (options.field == "speed" && !run.has_velocity())
    throw Error("--field speed: this integrator carries no velocity");
  std::vector<std::string> names;
  for (const ShownField& field : fields_of(run)) {
    names.push_back(field.name);
    if (field.name != options.field) continue;
    unit_ = field.unit;
    per_face_ = field.location == Location::face;
    signed_ = field.name == "elevation" || field.name.find("vorticity") != std::string::npos;
    return;
  }
  if (!run.has_velocity()) names.push_back("speed");
  throw Error(fmt::format("--field: '{}' is none of {}{}", options.field, join(names),
                          did_you_mean(options.field, names)));
}

void RunView::update(const ShownRun& run) {
  const Geometry& geometry = run.geometry();
  x_ = geometry.x;
  bed_ = run.bed();
  vertex_normals(mesh_, geometry, normals_);
  run.sample("depth_at_vertices", values_);
  depth_ = values_.row(0).transpose();
  if (options_.choppy != 0)
    shift_ = choppy_shift(mesh_, geometry, normals_, depth_ - bed_, run.gravity(), options_.choppy);
  if (options_.look == Look::water) {  // the body of water itself shows the wet part
    shore_.height = depth_ - bed_;
    return;
  }
  constexpr double share =
      1e-3;  // fraction of the largest initial depth; later depths of an unstable run can be arbitrarily large
  for (const double depth : depth_)
    if (!deepest_known_ && std::isfinite(depth)) deepest_ = std::max(deepest_, depth);
  deepest_known_ = deepest_ > 0;
  dry_depth_ = options_.dry_depth.value_or(run.wet_depth() > 0 ? run.wet_depth() : share * deepest_);
  shore_.find(run, depth_, bed_, dry_depth_);
  land_seen_ = land_seen_ || shore_.has_land;
}

const FluidSurface& RunView::water_surface(const ShownRun& run) {
  update(run);
  if (!sheets_) sheets_.emplace(mesh_, options_.surface);
  FluidSurfaceOptions options = options_.surface;
  options.back = !(closed_ && depth_.minCoeff() > options.iso_level);
  sheets_->configure(options);
  sheets_->update(x_, normals_, depth_, bed_);
  return *sheets_;
}

Vector RunView::depth_on_surface() const {
  Vector values(sheets_->vertex_count());
  sheets_->interpolate(depth_, values);
  return values;
}

void RunView::survey(const ShownRun& run, bool with_bodies) {
  update(run);
  framing_.add(drawn_surface());
  if (closed_)
    framing_.add(x_);
  else
    framing_.add(x_ - normals_ * bed_.asDiagonal());
  if (with_bodies)
    for (const ShownBody& body : run.bodies()) {
      // Including bodies that have flown or fallen away would shrink the water to a speck.
      const Vector3 middle = 0.5 * (x_.rowwise().maxCoeff() + x_.rowwise().minCoeff());
      const double reach = (x_.colwise() - middle).colwise().norm().maxCoeff();
      if ((body.pose.position - middle).norm() > far * reach) continue;
      const Points corners = body.solid->bounding_radius() * Points(Eigen::Matrix3d::Identity());
      framing_.add(corners.colwise() + body.pose.position);
      framing_.add((-corners).colwise() + body.pose.position);
    }
  if (has_arrows() && run.has_velocity()) {
    if (arrow_faces_.empty()) choose_arrows(run);
    largest_speed_ = std::max(largest_speed_, largest_speed_now(run));
  }
  if (options_.look == Look::water) return;
  const Vector field = field_at_vertices(run);
  instant_ = {};
  for (Index i = 0; i < mesh_.vertex_count; ++i) {
    if (!shore_.wet[static_cast<std::size_t>(i)]) continue;
    no_value_seen_ = no_value_seen_ || std::isnan(field[i]) || (options_.logarithmic && field[i] <= 0);
    if (std::isfinite(field[i])) instant_.add(field[i]);
  }
  least_positive_ = std::min(least_positive_, instant_.least_positive);
  low_ = std::min(low_, instant_.low);
  high_ = std::max(high_, instant_.high);
}

void RunView::go_on_from(RunView& other) {
  if (foam_ && other.foam_) {
    foam_ = std::move(other.foam_);
    foam_->configure(options_.foam_options);
  }
  largest_speed_ = std::max(largest_speed_, other.largest_speed_);
  if (other.deepest_known_) {
    deepest_ = other.deepest_;
    deepest_known_ = true;
  }
  land_seen_ = land_seen_ || other.land_seen_;
  if (other.options_.up == options_.up) {
    ground_ = other.ground_;
    above_ground_ = other.above_ground_;
  }
  const ViewOptions &mine = options_, &others = other.options_;
  if (mine.look != others.look || mine.field != others.field || mine.range != others.range) return;
  no_value_seen_ = no_value_seen_ || (other.no_value_seen_ && mine.logarithmic == others.logarithmic);
  least_positive_ = std::min(least_positive_, other.least_positive_);
  low_ = std::min(low_, other.low_);
  high_ = std::max(high_, other.high_);
}

std::vector<ShownBody> RunView::bodies(const ShownRun& run) const {
  std::vector<ShownBody> bodies = run.bodies();
  if (bodies.empty()) return bodies;
  const Vector3 middle = 0.5 * (x_.rowwise().maxCoeff() + x_.rowwise().minCoeff());
  const double reach = (x_.colwise() - middle).colwise().norm().maxCoeff();
  std::erase_if(bodies, [&](const ShownBody& body) {
    return options_.up.normalized().dot(body.pose.position - middle) < -far * reach;
  });
  return bodies;
}

/// Only a surface that moves down takes the ground with it, no waves and no falling bodies.
double RunView::ground() {
  const double lowest = (options_.up.normalized().transpose() * x_).minCoeff();
  if (!ground_) {
    ground_ = framing_.lowest() - 4e-3 * framing_.radius();
    above_ground_ = lowest - *ground_;
  }
  ground_ = std::min(*ground_, lowest - above_ground_);
  return *ground_;
}

double RunView::largest_speed_now(const ShownRun& run) {
  run.sample("velocity", values_);
  return std::sqrt(at_arrows(values_).colwise().squaredNorm().maxCoeff());
}

/// Averages values of triangles to vertices, weighted with areas.
Vector RunView::field_at_vertices(const ShownRun& run) {
  if (options_.field == "depth") return depth_;
  if (options_.field == "elevation") return shore_.elevation;
  if (options_.field == "speed" && !run.has_velocity())
    return Vector::Constant(mesh_.vertex_count, std::numeric_limits<double>::quiet_NaN());
  run.sample(options_.field == "speed" ? "velocity" : options_.field, values_);
  if (!per_face_) {
    Vector values = values_.row(0).transpose();
    if (!shore_.whole_faces) shore_.spread(mesh_, values);
    return values;
  }
  const Mesh& triangles = run.triangles();
  const bool speed = options_.field == "speed";
  const Vector& area = run.area();
  const Vector value = speed ? Vector(values_.colwise().norm()) : Vector(values_.row(0).transpose());
  Vector sum = Vector::Zero(mesh_.vertex_count), weight = sum;
  for (Index k = 0; k < triangles.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      if (&triangles == &mesh_ && shore_.dry[static_cast<std::size_t>(3 * k + c)]) continue;
      sum[triangles.faces(c, k)] += area[k] * value[k];
      weight[triangles.faces(c, k)] += area[k];
    }
  Vector mean = (weight.array() > 0).select(sum.array() / weight.array(), 0.0);
  if (!shore_.whole_faces) shore_.spread(mesh_, mean);
  return mean;
}

std::pair<double, double> RunView::range() const {
  if (options_.range) return *options_.range;
  if (options_.logarithmic) {
    if (!(least_positive_ <= high_)) return {0.1, 1};  // nothing was positive
    const double low = std::max(least_positive_, high_ * std::pow(10, -options_.log_decades));
    return {low < high_ ? low : 0.1 * high_, high_};
  }
  if (!(low_ <= high_)) return {signed_ ? -1.0 : 0.0, 1};  // nothing was wet
  double low = low_, high = high_;
  if (signed_) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  } else {
    low = std::min(0.0, low);
  }
  if (!(high > low)) high = low + 1;  // constant field: any range will do
  return {low, high};
}

void RunView::Extremes::add(double value) {
  if (value > 0) least_positive = std::min(least_positive, value);
  low = std::min(low, value);
  high = std::max(high, value);
}

std::pair<double, double> RunView::range_of_instant() const {
  double low = instant_.low, high = instant_.high;
  if (options_.logarithmic)
    low = std::max(instant_.least_positive, high * std::pow(10, -options_.log_decades));
  else if (signed_)
    low = -std::max(std::abs(low), std::abs(high)), high = -low;
  return low < high ? std::pair(low, high) : range();  // nothing is wet, or the field is constant
}

Scale RunView::scale() const {
  Scale scale{.colors = &colors(),
              .range = range(),
              .instant = range_of_instant(),
              .field = field_title(),
              .dry_depth = dry_depth_,
              .land = land_seen_,
              .logarithmic = options_.logarithmic,
              .no_value = no_value_seen_};
  if (options_.vectors && largest_speed_ > 0)
    scale.arrow_value = largest_speed_, scale.arrow_length = arrow_length();
  return scale;
}

Legend make_legend(const Scale& scale, const Picture& picture, double time, int height) {
  Legend legend{.colors = scale.colors,
                .low = scale.range.first,
                .high = scale.range.second,
                .logarithmic = scale.logarithmic,
                .name = scale.field,
                .note = fmt::format("t = {:.4g} s", time),
                .land = scale.land,
                .no_value = scale.no_value};
  if (scale.arrow_value > 0) {
    const Camera& camera = picture.camera;
    const double away = (picture.center - camera.eye).dot((camera.target - camera.eye).normalized());
    legend.arrow_value = scale.arrow_value;
    legend.arrow_unit = "m/s";
    const double pixels = scale.arrow_length / (2 * camera.tan_half_height * away) * height;
    if (pixels > 0 && pixels < 10 * height) legend.arrow_pixels = static_cast<int>(std::lround(pixels));
    if (legend.arrow_pixels == 0) legend.arrow_value = 0;  // the arrows are behind the camera
  }
  return legend;
}

const ColorMap& RunView::colors() const {
  if (!options_.color_map.empty()) return find_color_map(options_.color_map);
  return signed_ && !options_.logarithmic ? diverging_colors() : sequential_colors();
}

/// Takes triangles in the input's order, skipping those near an earlier one, and a corner of each.
void RunView::choose_arrows(const ShownRun& run) {
  arrow_distance_ = framing_.radius() / 13;
  const Mesh& triangles = run.triangles();
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
    arrow_vertices_.push_back(triangles.faces(0, k));
  }
}

Points RunView::at_arrows(const Values& values) const {
  Points chosen(3, static_cast<Eigen::Index>(arrow_faces_.size()));
  for (Index i = 0; i < chosen.cols(); ++i) chosen.col(i) = values.col(arrow_faces_[i]);
  return chosen;
}

/// Draws vectors at the chosen triangles; the largest has the maximum length of an arrow.
void RunView::add_arrows(const ShownRun& run, const Points& vectors, double largest, const Color& color,
                         Picture& picture) {
  if (!(largest > 0)) return;
  Points from(3, vectors.cols());
  const Mesh& triangles = run.triangles();
  for (Index i = 0; i < from.cols(); ++i) {
    Vector3 point = Vector3::Zero(), normal = Vector3::Zero();
    for (int c = 0; c < 3; ++c) {
      const Index vertex = triangles.faces(c, arrow_faces_[i]);
      const double lifted = options_.exaggeration * shore_.height[vertex];
      point += (x_.col(vertex) + lifted * normals_.col(vertex)) / 3;
      normal += normals_.col(vertex) / 3;
    }
    from.col(i) = point + 0.15 * arrow_distance_ * normal;
  }
  picture.solids.push_back({.mesh = std::make_shared<PictureMesh>(arrow_mesh(
                                from, vectors * (arrow_length() / largest), 0.08 * arrow_distance_)),
                            .color = color,
                            .unlit = true});
}

/// Uses the scale of the triangles' velocities.
void RunView::add_vertex_arrows(const ShownRun& run, Picture& picture) {
  run.sample("velocity", values_);
  const Points all = velocity_at_vertices(mesh_, run.geometry(), normals_, values_),
               surface = drawn_surface();
  Points vectors(3, static_cast<Eigen::Index>(arrow_vertices_.size())), from = vectors;
  for (Index i = 0; i < vectors.cols(); ++i) {
    vectors.col(i) = all.col(arrow_vertices_[i]);
    from.col(i) = surface.col(arrow_vertices_[i]) + 0.15 * arrow_distance_ * normals_.col(arrow_vertices_[i]);
  }
  const double scale = largest_speed_ > 0 ? arrow_length() / largest_speed_ : 0;
  picture.solids.push_back(
      {.mesh = std::make_shared<PictureMesh>(arrow_mesh(from, vectors * scale, 0.08 * arrow_distance_)),
       .color = vertex_velocity_color,
       .unlit = true});
}

/// The cones of Angst 2007, fig. 5.6 (b), at the scale of the arrows.
void RunView::add_fans(const ShownRun& run, Picture& picture) {
  run.sample("velocity", values_);
  const Points all = velocity_at_corners(mesh_, run.geometry(), values_), surface = drawn_surface();
  std::vector<char> chosen(static_cast<std::size_t>(mesh_.vertex_count), 0);
  for (const Index vertex : arrow_vertices_) chosen[static_cast<std::size_t>(vertex)] = 1;
  const double scale = largest_speed_ > 0 ? arrow_length() / largest_speed_ : 0;
  Points ends(3, 2 * all.cols());
  Eigen::Index count = 0;
  for (Index corner = 0; corner < all.cols(); ++corner) {
    const Index vertex = mesh_.faces(corner % 3, corner / 3);
    if (!chosen[static_cast<std::size_t>(vertex)]) continue;
    ends.col(count) = surface.col(vertex) + 0.15 * arrow_distance_ * normals_.col(vertex);
    ends.col(count + 1) = ends.col(count) + scale * all.col(corner);
    count += 2;
  }
  picture.lines.push_back({ends.leftCols(count), fan_velocity_color});
}

void RunView::add_traces(const ShownRun& run, Picture& picture) {
  run.sample("velocity", values_);
  const Points surface = drawn_surface();
  const double fastest = std::sqrt(values_.colwise().squaredNorm().maxCoeff());
  if (!(fastest > 0)) return;
  const double time = std::min(options_.trace_time.value_or(run.dt()), 4 * framing_.radius() / fastest);
  if (options_.face_traces)
    picture.lines.push_back(
        {traces_from_faces(mesh_, run.geometry(), values_, arrow_faces_, time, surface), face_trace_color});
  if (options_.start_traces)
    picture.lines.push_back(
        {traces_from_faces(mesh_, run.geometry(), values_, arrow_faces_, time, surface, true),
         start_trace_color});
  if (options_.vertex_traces)
    picture.lines.push_back(
        {traces_from_vertices(mesh_, run.geometry(), values_, arrow_vertices_, time, surface),
         vertex_trace_color});
}

/// Draws a ring as wide as the source and an arrow: towards the water for a source, away from it for a sink, along the force for a push.
void RunView::add_sources(const ShownRun& run, Picture& picture) {
  constexpr int parts = 48;  // of a ring
  const double length = 0.2 * framing_.radius(), width = 0.1 * length, gap = 0.03 * framing_.radius();
  const std::vector<ShownSource> sources = run.sources();
  markers_.clear();
  struct Kind {
    Color color;
    std::vector<Vector3> from, along, ring;
  };
  std::array<Kind, 3> kinds = {Kind{source_color, {}, {}, {}}, Kind{sink_color, {}, {}, {}},
                               Kind{push_color, {}, {}, {}}};
  for (const ShownSource& source : sources) {
    Vector3 at = source.at, axis = source.acceleration;
    if (!source.is_push) {
      at.setZero();
      axis.setZero();
      for (int c = 0; c < 3; ++c) {
        const Index vertex = mesh_.faces(c, source.face);
        const double lifted = options_.exaggeration * shore_.height[vertex];
        at += source.weights[c] *
              (run.geometry().corner(mesh_, source.face, c) + lifted * normals_.col(vertex));
        axis += source.weights[c] * normals_.col(vertex);
      }
    }
    axis = axis.stableNormalized();
    Kind& kind = kinds[source.is_push ? 2 : source.discharge < 0 ? 1 : 0];
    const bool inwards = !source.is_push && source.discharge >= 0;
    kind.from.push_back(at + (inwards ? gap + length : gap) * axis);
    kind.along.push_back((inwards ? -length : length) * axis);
    markers_.push_back({source, at + (2 * gap + length) * axis});
    const Vector3 first = axis.unitOrthogonal(), second = axis.cross(first);
    for (int i = 0; i < 2 * parts; ++i) {  // from i/2 to the next
      const double angle = 2 * std::numbers::pi * ((i + 1) / 2) / parts;
      kind.ring.push_back(at + 0.2 * gap * axis +
                          source.radius * (std::cos(angle) * first + std::sin(angle) * second));
    }
  }
  if (!options_.sources) return;
  const auto columns = [](const std::vector<Vector3>& points) {
    Points all(3, static_cast<Eigen::Index>(points.size()));
    for (Eigen::Index i = 0; i < all.cols(); ++i) all.col(i) = points[static_cast<std::size_t>(i)];
    return all;
  };
  for (const Kind& kind : kinds) {
    if (kind.from.empty()) continue;
    picture.solids.push_back(
        {.mesh = std::make_shared<PictureMesh>(arrow_mesh(columns(kind.from), columns(kind.along), width)),
         .color = kind.color,
         .unlit = true});
    picture.lines.push_back({columns(kind.ring), kind.color, 0.8, true});
  }
}

/// Skips overlays that the run does not support, for instance after a change to a scheme without velocity.
void RunView::add_overlays(const ShownRun& run, Picture& picture) {
  if (options_.lines && options_.look == Look::water && !mesh_.periodic())
    picture.lines.push_back({edge_lines(mesh_, drawn_surface()), edge_color, 0.6});
  if (options_.fluid_mesh && !mesh_.periodic()) {
    const FluidSurface& sheets = water_surface(run);
    picture.lines.push_back({edge_lines(sheets.faces(), sheets.points()), edge_color});
    picture.lines.push_back({edge_lines(mesh_, x_ - normals_ * bed_.asDiagonal()), bed_color, 0.5, true});
  }
  if (options_.skeleton)
    if (Points bones = run.skeleton(); bones.cols() > 0)
      picture.lines.push_back({std::move(bones), bone_color, 1, true});
  if (!has_arrows() || !run.has_velocity()) return;
  if (arrow_faces_.empty()) choose_arrows(run);
  if (options_.vectors) {
    run.sample("velocity", values_);
    add_arrows(run, at_arrows(values_), largest_speed_, velocity_color, picture);
  }
  if (options_.acceleration && run.has_acceleration()) {
    run.sample_acceleration(values_);
    const Points vectors = at_arrows(values_);
    add_arrows(run, vectors, std::sqrt(vectors.colwise().squaredNorm().maxCoeff()), acceleration_color,
               picture);
  }
  if (&run.triangles() != &mesh_ || mesh_.periodic()) return;  // the overlays below need triangles in space
  if (options_.vertex_vectors) add_vertex_arrows(run, picture);
  if (options_.fan_vectors) add_fans(run, picture);
  if (options_.face_traces || options_.start_traces || options_.vertex_traces) add_traces(run, picture);
}

void RunView::add_water(Picture& picture) {
  WaterBody water{
      .mesh = volume_->update(x_, normals_, depth_, bed_, options_.exaggeration, shift_),
      .on_bed = !closed_,
      .clarity = options_.clarity.value_or(closed_ ? mean_chord(mesh_, x_) : 2.2 * mean_depth_of(bed_))};
  if (!closed_)
    picture.solids.push_back({.mesh = std::make_shared<PictureMesh>(
                                  pool_mesh(mesh_, x_, normals_, bed_, 0.15 * mean_depth_of(bed_))),
                              .color = {0.75, 0.78, 0.78},
                              .one_sided = true,
                              .tiles = true});
  if (water.mesh.faces.cols() > 0) picture.water = std::move(water);
  add_skin(picture);
}

/// Draws the dry part of a closed surface, and its wet part with the opacity of the options.
void RunView::add_skin(Picture& picture) const {
  const double level = options_.surface.iso_level;
  const bool dry = closed_ && depth_.minCoeff() <= level;
  if (!dry && options_.mesh_opacity == 0) return;
  Skin skin{.mesh = {.x = x_, .normals = normals_, .faces = mesh_.faces, .values = depth_, .land = {}},
            .lines = dry};
  for (double& value : skin.mesh.values) value = value > level || !closed_ ? options_.mesh_opacity : 1;
  picture.skin = std::move(skin);
}

void RunView::add_field(const ShownRun& run, Picture& picture) {
  const auto [low, high] = range();
  const Vector field = field_at_vertices(run);
  FieldSurface surface{.mesh = {},
                       .colors = &colors(),
                       .low = low,
                       .high = high,
                       .logarithmic = options_.logarithmic,
                       .lines = options_.lines};
  const Points points = drawn_surface();
  Points normals;
  if (!mesh_.periodic()) vertex_normals(mesh_, make_geometry(mesh_, points), normals);
  PictureMesh& mesh =
      surface.mesh;  // with separate corners, which may be dry or beyond the seam of a periodic mesh
  mesh.x.resize(3, 3 * mesh_.face_count());
  mesh.normals.resize(3, normals.cols() > 0 ? mesh.x.cols() : 0);
  mesh.values.resize(mesh.x.cols());
  mesh.land.resize(mesh.x.cols());
  mesh.faces.resize(3, mesh_.face_count());
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index corner = 3 * k + c, vertex = mesh_.faces(c, k);
      mesh.x.col(corner) = points.col(vertex);
      if (mesh_.periodic()) mesh.x.col(corner) += mesh_.corner_shift.col(corner);
      if (normals.cols() > 0) mesh.normals.col(corner) = normals.col(vertex);
      mesh.values[corner] = field[vertex];
      mesh.land[corner] = shore_.dry[static_cast<std::size_t>(corner)];
      mesh.faces(c, k) = corner;
    }
  picture.field = std::move(surface);
}

FoamWater RunView::foam_water(const ShownRun& run, const Geometry& geometry) {
  run.sample("velocity", values_);
  surface_ = drawn_surface();
  return {.time = run.time(),
          .gravity = run.gravity(),
          .wet = options_.look == Look::water ? options_.surface.iso_level : dry_depth_,
          .exaggeration = options_.exaggeration,
          .geometry = geometry,
          .normals = normals_,
          .surface = surface_,
          .depth = depth_,
          .bed = bed_,
          .velocity = values_};
}

void RunView::follow(const ShownRun& run) {
  if (!foam_ || !supports_foam(run)) return;
  update(run);
  foam_->advance(foam_water(run, run.geometry()));
}

Picture RunView::picture(const ShownRun& run) {
  follow(run);
  update(run);
  Picture picture;
  picture.camera = framing_.camera(options_.zoom);
  picture.up = options_.up.normalized();
  picture.center = framing_.center();
  picture.size = framing_.radius();
  picture.light = sun_of(options_.view, options_.up);
  if (options_.look == Look::science) {
    picture.backdrop = Backdrop::plain;
    add_field(run, picture);
  } else {
    if (options_.ground) picture.ground = ground();
    add_water(picture);
  }
  add_overlays(run, picture);
  add_sources(run, picture);
  if (foam_ && supports_foam(run)) picture.foam = foam_->draw(foam_water(run, run.geometry()));
  bodies_.add_to(picture, bodies(run));
  return picture;
}

}  // namespace shoal
