// Second differences, smoothed and limited.
#include "solvers/inertia.hpp"

#include <cmath>
#include <limits>

namespace shoal {

Options<InertiaOptions> InertiaOptions::describe() {
  using O = InertiaOptions;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<O>()
      .choice("inertia", &O::inertia, {{"off", false}, {"on", true}},
              "whether the water experiences the acceleration of the surface; with carried_velocity = "
              "circulation only its normal component, as the tangential one is always included")
      .number("inertia_smoothing", "1", &O::smoothing, 0, 0.999,
              "σ: weight of the acceleration of the previous step (Angst 2007, 6.4)")
      .number("inertia_limit", "m/s^2", &O::limit, 0, unlimited,
              "upper limit of the acceleration of a vertex; 0: no limit")
      .number("normal_smoothing", "1", &O::normal_smoothing, 0, 0.999,
              "weight of aₙ of the previous step (Angst 2007, table C.2); larger values make the fluid more "
              "inert")
      .choice(
          "onset", &O::continued, {{"continued", true}, {"sudden", false}},
          "motion of the surface before t = 0. continued: without a jump of its velocity; sudden: at rest");
}

Inertia::Inertia(const InertiaOptions& options, const Points& x)
    : options_(options), now_(x), before_(x), surface_acceleration_(Points::Zero(3, x.cols())) {}

void Inertia::set_past(const Points& before, double dt) {
  before_ = before;
  dt_before_ = dt;
}

void Inertia::move_to(const Points& x, double dt) {
  const double dt_before = dt_before_ > 0 ? dt_before_ : dt;
  surface_acceleration_ = (1 - options_.smoothing) * 2 / (dt * (dt + dt_before)) *
                              ((x - now_) - (dt / dt_before) * (now_ - before_)) +
                          options_.smoothing * surface_acceleration_;
  dt_before_ = dt;
  before_.swap(now_);
  now_ = x;
  cut();
}

void Inertia::set(const Points& surface_acceleration) {
  surface_acceleration_ = surface_acceleration;
  cut();
}

void Inertia::cut() {
  acceleration_ =
      -1 * surface_acceleration_;  // not −x: Eigen's −0 is +0 or −0, depending on the place in an array
  for (Eigen::Index i = 0; i < acceleration_.cols(); ++i) {
    const double length = acceleration_.col(i).norm();
    if (options_.limit == 0 || !(length > options_.limit)) continue;
    acceleration_.col(i) *= options_.limit / length;
  }
}

Index Inertia::limited(const Range& vertices) const {
  Index count = 0;
  if (acceleration_.size())
    for (Index i = vertices.begin; i < vertices.begin + vertices.count; ++i)
      count += acceleration_.col(i) != -1 * surface_acceleration_.col(i);
  return count;
}

void Inertia::save(Archive& archive) const {
  archive.put("inertia/dt_before", dt_before_);
  archive.put_points("inertia/now", now_);
  archive.put_points("inertia/before", before_);
  archive.put_points("inertia/surface_acceleration", surface_acceleration_);
  archive.put_points("inertia/acceleration", acceleration_);
}

void Inertia::restore(const Archive& archive) {
  dt_before_ = archive.number("inertia/dt_before");
  now_ = archive.points("inertia/now");
  before_ = archive.points("inertia/before");
  surface_acceleration_ = archive.points("inertia/surface_acceleration");
  acceleration_ = archive.points("inertia/acceleration");
}

void FlowAcceleration::measure(const Mesh& mesh, const Points& x, const Points& normals,
                               const Points& surface_velocity, const Eigen::MatrixXd& velocity,
                               Vector& at_vertices) {
  at_vertices.setZero(mesh.vertex_count);
  area_.setZero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    Vector3 corner[3] = {x.col(mesh.faces(0, k)), x.col(mesh.faces(1, k)), x.col(mesh.faces(2, k))};
    if (mesh.periodic())
      for (int c = 0; c < 3; ++c) corner[c] += mesh.corner_shift.col(3 * Eigen::Index{k} + c);
    const Vector3 twice_area = (corner[1] - corner[0]).cross(corner[2] - corner[0]), v = velocity.col(k);
    const double squared = twice_area.squaredNorm();
    if (!(squared > 0)) continue;  // flipped triangles may be flat
    const double size = std::sqrt(squared);
    double value = 0;
    for (int c = 0; c < 3; ++c) {
      const Index i = mesh.faces(c, k);
      const double rate = v.dot(twice_area.cross(corner[(c + 2) % 3] - corner[(c + 1) % 3])) / squared;
      value -= rate * v.dot(normals.col(i));
      if (surface_velocity.size()) value += 2 * rate * twice_area.dot(surface_velocity.col(i)) / size;
    }
    for (int c = 0; c < 3; ++c) {
      at_vertices[mesh.faces(c, k)] += size * value;
      area_[mesh.faces(c, k)] += size;
    }
  }
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (area_[i] > 0) at_vertices[i] /= area_[i];
}

}  // namespace shoal
