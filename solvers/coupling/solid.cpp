// Volumes, moments of inertia and intersections of solids.
#include "solvers/coupling/solid.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <embree3/rtcore.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {

LineCut Solid::cut(const Pose& pose, const Vector3& origin, const Vector3& direction) const {
  LineCut found = cut_at_rest(pose.rotation.transpose() * (origin - pose.position),
                              pose.rotation.transpose() * direction);
  found.normal = pose.rotation * found.normal;
  return found;
}

namespace {

double checked_radius(double radius) {
  if (!(radius > 0)) throw Error("a ball of radius " + std::to_string(radius) + " m is not positive");
  return radius;
}

double ball_volume(double radius) {
  return 4 * std::numbers::pi / 3 * radius * radius * radius;
}

Vector3 checked_size(const Vector3& size) {
  if (!(size.minCoeff() > 0)) throw Error("a box requires three positive sizes, m");
  return size;
}

/// ∫ (|x|² − x_i²) over the box.
Vector3 box_moments(const Vector3& size) {
  const Vector3 squares = size.cwiseAbs2();
  return size.prod() / 12 * (Vector3::Constant(squares.sum()) - squares);
}

}  // namespace

Ball::Ball(double radius)
    : Solid(ball_volume(checked_radius(radius)), radius, 2 * radius,
            Vector3::Constant(0.4 * radius * radius * ball_volume(radius))) {}

LineCut Ball::cut_at_rest(const Vector3& origin, const Vector3& direction) const {
  const double middle = -origin.dot(direction);
  const double half_squared = radius() * radius() - (origin + middle * direction).squaredNorm();
  LineCut found;
  if (half_squared <= 0) return found;
  const double half = std::sqrt(half_squared);
  found.out = middle + half;
  if (found.out <= 0) return found;
  found.hits = true;
  found.in = std::max(0.0, middle - half);
  found.normal = (origin + (middle - half) * direction) / radius();
  return found;
}

Box::Box(const Vector3& size)
    : Solid(checked_size(size).prod(), 0.5 * size.norm(), size.minCoeff(), box_moments(size)),
      half_(0.5 * size) {}

LineCut Box::cut_at_rest(const Vector3& origin, const Vector3& direction) const {
  LineCut found;
  double in = -std::numeric_limits<double>::infinity(), out = -in;
  int axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (direction[i] == 0) {
      if (std::abs(origin[i]) >= half_[i]) return found;
      continue;
    }
    const double side = std::copysign(half_[i], direction[i]);
    const double enters = (-side - origin[i]) / direction[i];
    if (enters > in) {
      in = enters;
      axis = i;
    }
    out = std::min(out, (side - origin[i]) / direction[i]);
  }
  if (out <= std::max(in, 0.0)) return found;
  found.hits = true;
  found.in = std::max(0.0, in);
  found.out = out;
  found.normal[axis] = -std::copysign(1.0, direction[axis]);
  return found;
}

struct TriangleSolid::Measured {
  double volume, radius;
  Vector3 second_moments;
  Points x;
  Pose rest;
};

struct TriangleSolid::Scene {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  ~Scene() {
    if (scene) rtcReleaseScene(scene);
    if (device) rtcReleaseDevice(device);
  }
};

/// By the divergence theorem: integrals over the tetrahedra of each face and the origin.
TriangleSolid::Measured TriangleSolid::measure(const Faces& faces, const Points& x) {
  if (!make_mesh(faces, static_cast<Index>(x.cols())).closed())
    throw Error("its surface is open; a solid requires a closed surface");
  const Vector3 middle = 0.5 * (x.rowwise().minCoeff() + x.rowwise().maxCoeff());
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (Index k = 0; k < faces.cols(); ++k) {
    Eigen::Matrix3d corner;
    for (int c = 0; c < 3; ++c) corner.col(c) = x.col(faces(c, k)) - middle;
    const double six_volumes = corner.determinant();
    const Vector3 sum = corner.rowwise().sum();
    volume += six_volumes / 6;
    first += six_volumes / 24 * sum;
    second += six_volumes / 120 * (corner * corner.transpose() + sum * sum.transpose());
  }
  if (!(volume > 0)) throw Error("it encloses no volume, or its faces are oriented inward");
  const Vector3 centre = first / volume;
  second -= volume * centre * centre.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second);
  Measured measured;
  measured.volume = volume;
  measured.rest.position = middle + centre;
  measured.rest.rotation = axes.eigenvectors();
  if (measured.rest.rotation.determinant() < 0) measured.rest.rotation.col(2) *= -1;
  measured.x = measured.rest.rotation.transpose() * (x.colwise() - measured.rest.position);
  measured.radius = measured.x.colwise().norm().maxCoeff();
  measured.second_moments = Vector3::Constant(axes.eigenvalues().sum()) - axes.eigenvalues();
  return measured;
}

TriangleSolid::TriangleSolid(const Faces& faces, const Points& x) : TriangleSolid(faces, measure(faces, x)) {}

TriangleSolid::TriangleSolid(const Faces& faces, Measured measured)
    : Solid(measured.volume, measured.radius,
            (measured.x.rowwise().maxCoeff() - measured.x.rowwise().minCoeff()).minCoeff(),
            measured.second_moments),
      faces_(faces),
      x_(std::move(measured.x)),
      rest_(measured.rest),
      scene_(std::make_unique<Scene>()) {
  scene_->device = rtcNewDevice("threads=1");
  scene_->scene = rtcNewScene(scene_->device);
  rtcSetSceneFlags(scene_->scene, RTC_SCENE_FLAG_ROBUST);  // no line passes between two triangles
  const RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const std::size_t nv = x_.cols(), nf = faces_.cols();
  auto* vertices = static_cast<float*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), nv));
  auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                                 RTC_FORMAT_UINT3, 3 * sizeof(unsigned), nf));
  if (!vertices || !indices) throw MachineError("out of memory for a body of triangles");
  for (std::size_t i = 0; i < 3 * nv; ++i) vertices[i] = static_cast<float>(x_.data()[i] / bounding_radius());
  for (std::size_t i = 0; i < 3 * nf; ++i) indices[i] = static_cast<unsigned>(faces_.data()[i]);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_->scene);
}

TriangleSolid::~TriangleSolid() = default;

namespace {

/// The nearest triangle hit by a ray, with its geometric normal (not normalised).
struct RayHit {
  bool hits;
  double t;
  Vector3 normal;
};

RayHit shoot(RTCScene scene, const Vector3& origin, const Vector3& direction) {
  RTCRayHit ray{};
  ray.ray.org_x = static_cast<float>(origin.x());
  ray.ray.org_y = static_cast<float>(origin.y());
  ray.ray.org_z = static_cast<float>(origin.z());
  ray.ray.dir_x = static_cast<float>(direction.x());
  ray.ray.dir_y = static_cast<float>(direction.y());
  ray.ray.dir_z = static_cast<float>(direction.z());
  ray.ray.tfar = std::numeric_limits<float>::infinity();
  ray.ray.mask = ~0u;
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray);
  return {ray.hit.geomID != RTC_INVALID_GEOMETRY_ID, ray.ray.tfar,
          Vector3(ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z)};
}

}  // namespace

/// Two rays, as in Angst 2007, 6.2.1: one from the beginning of the line, and a reverse one from behind the solid.
LineCut TriangleSolid::cut_at_rest(const Vector3& origin, const Vector3& direction) const {
  LineCut found;
  const double scale = bounding_radius();
  const Vector3 scaled = origin / scale;
  const RayHit first = shoot(scene_->scene, scaled, direction);
  if (!first.hits) return found;
  const double behind = 2 - scaled.dot(direction);  // behind the scaled solid, whose radius is 1
  const RayHit last = shoot(scene_->scene, scaled + behind * direction, -direction);
  if (!last.hits) return found;
  const bool inside = first.normal.dot(direction) > 0;
  found.hits = true;
  found.in = inside ? 0 : scale * first.t;
  found.out = scale * (behind - last.t);
  found.normal = first.normal.normalized();
  if (inside) {  // inside: normal where the full line enters the solid
    const double before = -2 - scaled.dot(direction);
    const RayHit entry = shoot(scene_->scene, scaled + before * direction, direction);
    found.normal = entry.hits ? entry.normal.normalized() : Vector3(-direction);
  }
  return found;
}

std::shared_ptr<const TriangleSolid> read_solid(const std::string& path, double scale) {
  const Surface surface = load_surface(path);
  return with_context(
      path, [&] { return std::make_shared<const TriangleSolid>(surface.mesh.faces, scale * surface.x); });
}

}  // namespace shoal
