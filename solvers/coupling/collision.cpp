// Columns, forces, and their sums.
#include "solvers/coupling/collision.hpp"

#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace shoal {

Options<CollisionOptions> CollisionOptions::describe() {
  using O = CollisionOptions;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<O>()
      .choice("body_drag_law", &O::drag_law, {{"quadratic", DragLaw::quadratic}, {"linear", DragLaw::linear}},
              "drag of a body in water: ½ C ρ A |v| v, or ½ C ρ A v₁ v")
      .number("body_drag", "1", &O::drag, 0, unlimited, "drag coefficient C of both laws")
      .number("body_drag_speed", "m/s", &O::drag_speed, 0, unlimited,
              "v₁, the speed at which the two laws agree")
      .number("body_push", "1", &O::push, 0, unlimited,
              "factor of the force density ρ|aₙ|Δη/η that pushes water out of bodies")
      .choice("body_columns", &O::columns,
              {{"joined", ColumnRule::joined}, {"emerging", ColumnRule::emerging}, {"all", ColumnRule::all}},
              "intersected columns of water that count. emerging: those where the body emerges from the "
              "water (Angst 2007); joined: also those connected to them; all: all")
      .whole_number("column_rays", "1", &O::column_rays, 1, 100,
                    "number of lines per triangle that are intersected with bodies; a square number")
      .number("thinnest_column", "m", &O::thinnest_column, 1e-12, unlimited,
              "minimum depth by which forces on the water are divided")
      .choice("body_bed", &O::bed, {{"pass", false}, {"contact", true}},
              "bodies pass through the bed (Angst 2007) or lie and slide on it")
      .number("body_bed_friction", "1", &O::bed_friction, 0, unlimited,
              "coefficient of Coulomb's friction between bodies and the bed, for body_bed = contact");
}

Collision::Collision(const CollisionOptions& options, Vector bed) : bed_(std::move(bed)) {
  configure(options);
}

void Collision::act(Bodies& bodies, double dt, ShallowWater& water, const Forcing& acting) {
  immersed_.assign(bodies.count(), 0);
  touched_ = false;
  grounds_.clear();
  if (bodies.count() == 0) return;
  prepare(water);
  if (options_.bed) find_grounds(bodies, dt, water);
  find_gravity(water, acting);
  for (int body = 0; body < bodies.count(); ++body) {
    if (!bodies.is_present(body)) continue;
    record_skipped_contact(bodies, body, dt);
    cut_solid(bodies.solid(body), bodies.pose(body));
    choose_columns();
    exchange(bodies, body, dt, water.density());
  }
  if (touched_) give_to_water(dt, water);
}

void Collision::find_columns(const ShallowWater& water) {
  mesh_ = &water.discretization().triangles();
  whole_ = &water.discretization().mesh();
  geometry_ = &water.geometry();
  surface_velocity_ = &water.surface_velocity();
  water.sample("depth_at_vertices", depth_);
}

void Collision::prepare(const ShallowWater& water) {
  find_columns(water);
  water.sample("depth_at_faces", face_depth_);
  if (water.has_velocity()) {
    water.sample("absolute_velocity", velocity_);
  } else {
    velocity_.setZero(3, mesh_->face_count());
    if (const Points& moving = *surface_velocity_; moving.cols())
      for (Index k = 0; k < mesh_->face_count(); ++k)
        for (int c = 0; c < 3; ++c) velocity_.col(k) += moving.col(mesh_->faces(c, k)) / 3;
  }
  impulse_.setZero(3, mesh_->face_count());
  push_.setZero(mesh_->face_count());
  stable_dt_ = std::numeric_limits<double>::infinity();
}

namespace {

/// Of the bed.
struct GroundTriangle {
  Eigen::Matrix3d corners, velocity;  // a column each
};

}  // namespace

/// The bed x − H n near each body, which moves with the mean velocity of the surface there.
void Collision::find_grounds(const Bodies& bodies, double dt, const ShallowWater& water) {
  constexpr double around = 1.1;  // of the bounding radius
  vertex_normals(water.discretization().mesh(), *geometry_, normals_);
  const Points x = geometry_->x - normals_ * bed_.asDiagonal();
  for (int body = 0; body < bodies.count(); ++body) {
    if (!bodies.is_present(body)) continue;
    const Vector3 at = bodies.pose(body).position;
    double speed = bodies.velocity(body).norm() + dt * bodies.gravity().norm();
    const Mesh& mesh = water.discretization().mesh();
    if (surface_velocity_->cols())
      speed += std::sqrt(
          max(mesh, Location::vertex, [&](Index i) { return surface_velocity_->col(i).squaredNorm(); }));
    const double reach = around * bodies.solid(body).bounding_radius() + dt * speed;
    std::vector<GroundTriangle> near;
    const Range own_faces = own(mesh, Location::face);
    for (Index k = own_faces.begin; k < own_faces.begin + own_faces.count; ++k) {
      const Eigen::Matrix3d corners = x(Eigen::all, mesh_->faces.col(k));
      if ((corners.rowwise().minCoeff() - at).maxCoeff() > reach ||
          (at - corners.rowwise().maxCoeff()).maxCoeff() > reach)
        continue;
      near.push_back({corners, Eigen::Matrix3d::Zero()});
      if (surface_velocity_->cols())
        near.back().velocity = (*surface_velocity_)(Eigen::all, mesh_->faces.col(k));
    }
    near = of_all(ranks_of(mesh), near);
    const auto count = std::ssize(near);
    Ground ground{.body = body, .corners = Points(3, 3 * count), .friction = options_.bed_friction};
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const GroundTriangle& triangle = near.begin()[i];
      ground.corners.middleCols<3>(3 * i) = triangle.corners;
      for (int c = 0; c < 3; ++c)
        if (surface_velocity_->cols())
          ground.velocity += triangle.velocity.col(c) / (3.0 * static_cast<double>(count));
    }
    grounds_.push_back(std::move(ground));
  }
}

/// gravity_ [nV] = |aₙ| without the pushes of bodies: the acceleration that presses the water onto the
/// surface causes buoyancy. Zero where aₙ ≥ 0.
void Collision::find_gravity(const ShallowWater& water, const Forcing& forcing) {
  gravity_ = forcing.normal_acceleration;
  water.add_inertial_acceleration(gravity_);
  if (const Points& body = forcing.body_acceleration; body.size()) {
    vertex_normals(water.discretization().mesh(), *geometry_, normals_);
    gravity_ += body.cwiseProduct(normals_).colwise().sum().transpose();
  }
  gravity_ = (-gravity_).cwiseMax(0);
}

namespace {

/// The area of the part of a triangle [2, 3] on which lower ≤ height ≤ upper; height is linear, given at its corners.
double area_between(const Eigen::Matrix<double, 2, 3>& corners, const Vector3& height, double lower,
                    double upper) {
  struct Point {
    Eigen::Vector2d x;
    double height;
  };
  constexpr int max_corners = 5;  // corners of a triangle clipped twice
  Point polygon[max_corners], clipped[max_corners];
  int count = 3;
  for (int c = 0; c < 3; ++c) polygon[c] = {corners.col(c), height[c]};
  const auto clip = [&](double sign, double level) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const Point &from = polygon[i], &to = polygon[(i + 1) % count];
      const double a = sign * (from.height - level), b = sign * (to.height - level);
      if (a >= 0) clipped[kept++] = from;
      if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
        const double part = a / (a - b);
        clipped[kept++] = {from.x + part * (to.x - from.x), level};
      }
    }
    count = kept;
    std::copy_n(clipped, count, polygon);
  };
  clip(1, lower);
  clip(-1, upper);
  double twice = 0;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector2d &a = polygon[i].x, &b = polygon[(i + 1) % count].x;
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * std::abs(twice);
}

/// Divides a triangle into n² parts of equal area; each has one ray.
std::vector<TrianglePart> parts_of_triangle(int n) {
  std::vector<TrianglePart> parts;
  const auto add = [&](int i, int j, int turn) {
    TrianglePart part;
    const auto corner = [&](double a, double b) { return Vector3(1 - (a + b) / n, a / n, b / n); };
    part.corners << corner(i, j), corner(i + turn, j), corner(i, j + turn);
    part.middle = part.corners.rowwise().mean();
    parts.push_back(part);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j) add(i, j, 1);
  for (int i = 1; i < n; ++i)
    for (int j = 1; i + j <= n; ++j) add(i, j, -1);
  return parts;
}

/// The area of the solid's tangent plane at the middle of a part, within the water column over that part, m².
double facing_area(const Eigen::Matrix3d& corner, const TrianglePart& part, const ColumnCut& cut) {
  const double along = cut.solid_normal.dot(cut.normal);
  if (std::abs(along) < 1e-12) return 0;  // edge-on: parallel to the column
  const Eigen::Matrix3d x = corner * part.corners;
  const Vector3 middle = corner * part.middle;
  const Vector3 e1 = (x.col(1) - x.col(0)).normalized(), e2 = cut.normal.cross(e1);
  Eigen::Matrix<double, 2, 3> flat;
  Vector3 height;
  for (int c = 0; c < 3; ++c) {
    const Vector3 offset = x.col(c) - middle;
    flat.col(c) << e1.dot(offset), e2.dot(offset);
    height[c] = cut.in - cut.solid_normal.dot(offset) / along;
  }
  return area_between(flat, height, 0, cut.depth) / std::abs(along);
}

}  // namespace

void Collision::configure(const CollisionOptions& options) {
  const int n = static_cast<int>(std::lround(std::sqrt(options.column_rays)));
  if (n * n != options.column_rays)
    throw SettingError("column_rays", "column_rays = " + std::to_string(options.column_rays) +
                                          " is not a square number: 1, 4, 9, 16 …");
  options_ = options;
  parts_ = parts_of_triangle(n);
}

/// Upper bound, m, of the distance between the first corner of a column in contact with the solid and the
/// solid's centre.
double Collision::reach_of(const Solid& solid) const {
  const double highest = max(*whole_, Location::vertex, [&](Index i) {
    return std::max(std::abs(bed_[i]), std::abs(depth_(0, i) - bed_[i]));
  });
  return solid.bounding_radius() + highest + max(*whole_, Location::edge, geometry_->edge_length);
}

/// The highest speed, m/s, of the body relative to the vertices that it passes within dt near enough to be in contact
/// with their columns; 0 if it passes none.
double Collision::passing_speed(const Bodies& bodies, int body, double dt) const {
  const Vector3 start = bodies.pose(body).position;
  const double reach = reach_of(bodies.solid(body));
  const Points& x = geometry_->x;
  double highest = 0;
  const Range vertices = own(*whole_, Location::vertex);
  for (Index i = vertices.begin; i < vertices.begin + vertices.count; ++i) {
    Vector3 velocity = bodies.velocity(body);
    if (surface_velocity_->cols()) velocity -= surface_velocity_->col(i);
    const double speed = velocity.norm();
    if (!(speed > highest)) continue;
    const double nearest = std::clamp((x.col(i) - start).dot(velocity) / (speed * speed), 0.0, dt);
    if ((x.col(i) - start - nearest * velocity).norm() <= reach) highest = speed;
  }
  return largest_of_all(*whole_, highest);
}

double Collision::dt_of_paths(const Bodies& bodies, double part, double dt, const ShallowWater& water) {
  if (bodies.count() > 0) find_columns(water);
  for (int body = 0; body < bodies.count(); ++body)
    if (bodies.is_present(body))
      dt = std::fmin(dt, part * bodies.solid(body).smallest_extent() / passing_speed(bodies, body, dt));
  return dt;
}

/// Records the body in skipped_contact_ if in the following step it moves farther than its extent near the
/// water.
void Collision::record_skipped_contact(const Bodies& bodies, int body, double dt) {
  const double length = dt * passing_speed(bodies, body, dt) / bodies.solid(body).smallest_extent();
  if (length > std::max(1.0, skipped_contact_.length)) skipped_contact_ = {body, length};
}

/// Finds columns near the solid by the distance of a corner, then intersects them along their lines.
void Collision::cut_solid(const Solid& solid, const Pose& pose) {
  cuts_.clear();
  const double reach = reach_of(solid);
  const Range faces = whole_->part ? own(*whole_, Location::face) : Range{0, mesh_->face_count()};
  for (Index k = faces.begin; k < faces.begin + faces.count; ++k) {
    if ((geometry_->corner(*mesh_, k, 0) - pose.position).squaredNorm() > reach * reach) continue;
    Eigen::Matrix3d corner;
    Vector3 bed, depth, gravity;
    for (int c = 0; c < 3; ++c) {
      const Index i = mesh_->faces(c, k);
      corner.col(c) = geometry_->corner(*mesh_, k, c);
      gravity[c] = gravity_[i];
      bed[c] = bed_[i];
      depth[c] = depth_(0, i);
    }
    const Vector3 twice = (corner.col(1) - corner.col(0)).cross(corner.col(2) - corner.col(0));
    const Vector3 normal = twice.normalized();
    for (const TrianglePart& part : parts_) {
      ColumnCut cut{};
      describe_column(k, cut);
      cut.area = 0.5 * twice.norm() / static_cast<double>(parts_.size());
      cut.depth = depth.dot(part.middle);
      cut.bed = bed.dot(part.middle);
      cut.gravity = gravity.dot(part.middle);
      if (!(cut.depth > 0)) continue;
      cut.normal = normal;
      cut.foot = corner * part.middle - cut.bed * normal;
      const LineCut line = solid.cut(pose, cut.foot, normal);
      if (!line.hits || line.in >= cut.depth) continue;
      cut.in = line.in;
      cut.out = line.out;
      cut.solid_normal = line.normal;
      cut.facing = facing_area(corner, part, cut);
      cuts_.push_back(cut);
    }
  }
  cuts_ = of_all(ranks_of(*whole_), std::move(cuts_));
}

/// What is known of the water of this triangle, which is own.
void Collision::describe_column(Index face, ColumnCut& cut) const {
  const auto in_whole = [&](Index k) { return whole_->part && k != Mesh::none ? whole_->part->face[k] : k; };
  cut.face = in_whole(face);
  cut.face_depth = face_depth_(0, face);
  cut.velocity = velocity_.col(face);
  cut.level = -std::numeric_limits<double>::infinity();
  const auto look_at = [&](Index k) {
    for (const Index i : mesh_->faces.col(k)) cut.level = std::max(cut.level, depth_(0, i) - bed_[i]);
  };
  look_at(face);
  for (int c = 0; c < 3; ++c) {
    const Index edge = mesh_->face_edges(c, face);
    const Index next = mesh_->edge_faces(mesh_->edge_faces(0, edge) == face ? 1 : 0, edge);
    cut.neighbours[c] = in_whole(next);
    if (next != Mesh::none) look_at(next);
  }
}

/// Sets `counts` by the column rule: with `joined`, starting at the columns where the solid emerges and
/// continuing to neighbours.
void Collision::choose_columns() {
  for (ColumnCut& cut : cuts_) cut.counts = options_.columns == ColumnRule::all || cut.out > cut.depth;
  if (options_.columns != ColumnRule::joined) return;
  enum : char { cut_through, reached };
  state_.assign(static_cast<Index>(cuts_.size()), cut_through);  // at the first cut of each triangle
  front_.clear();
  const auto first_cut_of = [&](double face) {
    return static_cast<Index>(std::ranges::lower_bound(cuts_, face, {}, &ColumnCut::face) - cuts_.begin());
  };
  const auto reach = [&](double face) {
    const Index cut = first_cut_of(face);
    if (cut == state_.size() || cuts_.begin()[cut].face != face || state_[cut] == reached) return;
    state_[cut] = reached;
    front_.push_back(cut);
  };
  for (const ColumnCut& cut : cuts_)
    if (cut.counts != 0) reach(cut.face);
  while (!front_.empty()) {
    const ColumnCut& cut = cuts_.begin()[front_.back()];
    front_.pop_back();
    for (const double next : cut.neighbours) reach(next);
  }
  for (ColumnCut& cut : cuts_) cut.counts = state_[first_cut_of(cut.face)] == reached;
}

/// The highest elevation of the water at the vertices of columns that count and of the adjacent triangles,
/// some of which are not pushed.
double Collision::level_around() const {
  double level = -std::numeric_limits<double>::infinity();
  for (const ColumnCut& cut : cuts_)
    if (cut.counts != 0) level = std::max(level, cut.level);
  return level;
}

/// The number of the triangle on this process.
Index Collision::face_here(const ColumnCut& cut) const {
  const auto face = static_cast<Index>(cut.face);
  if (!whole_->part) return face;
  const Array<Index>& faces = whole_->part->face;
  const auto found = std::ranges::lower_bound(faces, face);
  return found != faces.end() && *found == face ? static_cast<Index>(found - faces.begin()) : Mesh::none;
}

void Collision::exchange(Bodies& bodies, int body, double dt, double density) {
  const double level = level_around();
  const auto drag_of = [&](const ColumnCut& cut, const Vector3& relative) {
    const double speed = relative.norm();
    if (speed == 0) return 0.0;
    const double area = cut.facing * std::max(0.0, cut.solid_normal.dot(relative) / speed);
    return 0.5 * options_.drag * density * area *
           (options_.drag_law == DragLaw::quadratic ? speed : options_.drag_speed);
  };
  const auto relative_velocity = [&](const ColumnCut& cut) -> Vector3 {
    return bodies.velocity_at(body, cut.foot + cut.in * cut.normal) - cut.velocity;
  };
  double all = 0;  // kg/s
  for (const ColumnCut& cut : cuts_)
    if (cut.counts != 0) all += drag_of(cut, relative_velocity(cut));

  double restoring = 0;  // N/m
  for (const ColumnCut& cut : cuts_) {
    if (cut.counts == 0) continue;
    touched_ = true;
    const double immersed = std::max(0.0, std::min(cut.out, level + cut.bed) - cut.in);
    const double pushed = std::min(cut.out, cut.depth) - cut.in;
    const double mass = density * cut.face_depth * cut.area;
    const Vector3 relative = relative_velocity(cut);
    const double coefficient = drag_of(cut, relative);
    // Implicit, so that drag never reverses the relative velocity.
    const Vector3 drag =
        mass > 0 ? Vector3(-coefficient * dt / (1 + coefficient * dt / mass + all * dt / bodies.mass(body)) *
                           relative)
                 : Vector3(Vector3::Zero());
    const double across = drag.dot(cut.normal);
    const Vector3 along = drag - across * cut.normal;
    const Vector3 up = (density * cut.gravity * cut.area * immersed * dt + across) * cut.normal;
    bodies.add_impulse(body, along + up, cut.foot + cut.in * cut.normal);
    const double push = -options_.push * density * cut.gravity * cut.area * pushed * dt - across;
    if (cut.out > level + cut.bed) restoring += density * cut.gravity * cut.area;

    if (const Index face = face_here(cut); face != Mesh::none) {
      impulse_.col(face) -= along;
      push_[face] += push;
    }
    ledger_.on_bodies_along += along;
    ledger_.on_water_along -= along;
    ledger_.on_bodies_normal += up;
    ledger_.on_water_normal += push * cut.normal;
    immersed_[body] += cut.area * immersed;
  }
  if (const double stable = 2 * std::sqrt(bodies.mass(body) / restoring); stable < stable_dt_) {
    stable_dt_ = stable;
    fastest_body_ = body;
  }
}

/// Distributes the impulses on triangles to their vertices, a third each, divided by the mass of the water at
/// the vertex.
void Collision::give_to_water(double dt, ShallowWater& water) {
  const double density = water.density();
  const auto acceleration_per_impulse = [&](Index i) {
    const double depth = std::max(depth_(0, i), options_.thinnest_column);
    return 1 / (3 * density * depth * geometry_->vertex_area[i] * dt);
  };
  normal_acceleration_.setZero(mesh_->vertex_count);
  for (Index k = 0; k < mesh_->face_count(); ++k) {
    if (push_[k] == 0) continue;
    for (int c = 0; c < 3; ++c) {
      const Index i = mesh_->faces(c, k);
      normal_acceleration_[i] += push_[k] * acceleration_per_impulse(i);
    }
  }
  if (water.has_velocity()) {
    body_acceleration_.resize(3, 0);
    impulse_ /= density;
    no_volume_.setZero(water.discretization().cells().count());
    water.exchange(no_volume_, impulse_);
    return;
  }
  body_acceleration_.setZero(3, mesh_->vertex_count);
  for (Index k = 0; k < mesh_->face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index i = mesh_->faces(c, k);
      body_acceleration_.col(i) += impulse_.col(k) * acceleration_per_impulse(i);
    }
}

void Collision::add_to(ForceSum& sum) const {
  if (!touched_) return;
  sum.normal_acceleration() += normal_acceleration_;
  if (body_acceleration_.size()) sum.body_acceleration() += body_acceleration_;
}

void Collision::save(Archive& archive) const {
  Vector values(14);
  values << ledger_.on_bodies_along, ledger_.on_water_along, ledger_.on_bodies_normal,
      ledger_.on_water_normal, skipped_contact_.body, skipped_contact_.length;
  archive.put("impulses", values);
}

void Collision::restore(const Archive& archive) {
  const Vector& values = archive.vector("impulses");
  ledger_.on_bodies_along = values.segment<3>(0);
  ledger_.on_water_along = values.segment<3>(3);
  ledger_.on_bodies_normal = values.segment<3>(6);
  ledger_.on_water_normal = values.segment<3>(9);
  skipped_contact_ = {static_cast<int>(values[12]), values[13]};
}

}  // namespace shoal
