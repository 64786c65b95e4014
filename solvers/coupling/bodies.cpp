// The only file that uses Bullet.
#include "solvers/coupling/bodies.hpp"

#include "discretizations/common/array.hpp"
#include "discretizations/common/error.hpp"

#include <btBulletDynamicsCommon.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <map>

namespace shoal {
namespace {

btVector3 to_bullet(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}
Vector3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

btTransform to_bullet(const Pose& pose) {
  const Eigen::Matrix3d& r = pose.rotation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      to_bullet(pose.position));
}

Pose from_bullet(const btTransform& transform) {
  Pose pose;
  pose.position = from_bullet(transform.getOrigin());
  for (int i = 0; i < 3; ++i) pose.rotation.row(i) = from_bullet(transform.getBasis()[i]).transpose();
  return pose;
}

/// Shapes for contacts between bodies; triangle solids are replaced by their convex hull.
std::unique_ptr<btCollisionShape> contact_shape(const Solid& solid) {
  if (const auto* ball = dynamic_cast<const Ball*>(&solid))
    return std::make_unique<btSphereShape>(ball->radius());
  if (const auto* box = dynamic_cast<const Box*>(&solid))
    return std::make_unique<btBoxShape>(to_bullet(box->half_size()));
  auto hull = std::make_unique<btConvexHullShape>();
  const Points& points = dynamic_cast<const TriangleSolid&>(solid).points();
  for (Eigen::Index i = 0; i < points.cols(); ++i) hull->addPoint(to_bullet(points.col(i)), false);
  hull->recalcLocalAabb();
  return hull;
}

/// Where a body touches a ground or will within a step: a point of the ground, the direction in which it holds the body, and the distance,
/// negative if they overlap.
struct GroundContact {
  Vector3 point, normal;
  double distance;
};

Vector3 closest_point(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
  const auto on_edge = [&](const Vector3& from, const Vector3& to) -> Vector3 {
    const Vector3 along = to - from;
    return from + std::clamp(along.dot(p - from) / along.squaredNorm(), 0.0, 1.0) * along;
  };
  const Vector3 n = (b - a).cross(c - a), foot = p - n.dot(p - a) / n.squaredNorm() * n;
  if ((b - a).cross(foot - a).dot(n) >= 0 && (c - b).cross(foot - b).dot(n) >= 0 &&
      (a - c).cross(foot - c).dot(n) >= 0)
    return foot;
  Vector3 nearest = on_edge(a, b);
  for (const Vector3& other : {on_edge(b, c), on_edge(c, a)})
    if ((other - p).squaredNorm() < (nearest - p).squaredNorm()) nearest = other;
  return nearest;
}

/// Contacts of a solid with separate triangles, up to `reach` m away: of a ball, at the nearest point; otherwise of the solid's corners
/// with triangles, and of the triangles' corners with the solid. Edges that cross without a corner in the other are not found. Bullet's
/// own contacts with triangles catch on the edges between them, and leave a box that lies on a single one rocking.
std::vector<GroundContact> contacts_with(const Points& triangles, const Solid& solid, const Pose& pose,
                                         double reach) {
  std::vector<GroundContact> contacts;
  const double deepest = solid.bounding_radius();
  if (const auto* ball = dynamic_cast<const Ball*>(&solid)) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Eigen::Index k = 0; k < triangles.cols(); k += 3) {
      const Vector3 a = triangles.col(k), b = triangles.col(k + 1), c = triangles.col(k + 2);
      const Vector3 point = closest_point(pose.position, a, b, c), away = pose.position - point;
      const double distance = away.norm(), side = (b - a).cross(c - a).dot(away) < 0 ? -1 : 1;
      if (!(distance < nearest) || distance == 0 || side * distance - ball->radius() > reach) continue;
      nearest = distance;
      contacts = {{point, side * away / distance, side * distance - ball->radius()}};
    }
    return contacts;
  }
  Points corners;
  if (const auto* box = dynamic_cast<const Box*>(&solid)) {
    corners.resize(3, 8);
    for (int i = 0; i < 8; ++i)
      corners.col(i) = box->half_size().cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  } else {
    corners = dynamic_cast<const TriangleSolid&>(solid).points();
  }
  corners = (pose.rotation * corners).colwise() + pose.position;
  std::map<std::array<double, 3>, Vector3> normals;  // of the ground's corners
  for (Eigen::Index k = 0; k < triangles.cols(); k += 3) {
    const Vector3 a = triangles.col(k), b = triangles.col(k + 1), c = triangles.col(k + 2);
    const Vector3 area = (b - a).cross(c - a), normal = area.normalized();
    for (const Vector3& corner : {a, b, c})
      normals.try_emplace({corner[0], corner[1], corner[2]}, Vector3::Zero()).first->second += area;
    for (Eigen::Index i = 0; i < corners.cols(); ++i) {
      const Vector3 p = corners.col(i);
      const double distance = normal.dot(p - a);
      if (distance > reach || distance < -deepest) continue;
      const Vector3 foot = p - distance * normal;
      if ((b - a).cross(foot - a).dot(normal) >= 0 && (c - b).cross(foot - b).dot(normal) >= 0 &&
          (a - c).cross(foot - c).dot(normal) >= 0)
        contacts.push_back({foot, normal, distance});
    }
  }
  for (const auto& [at, sum] : normals) {  // lines through the ground's corners, which begin below them
    const Vector3 point(at[0], at[1], at[2]), up = sum.normalized();
    const LineCut cut = solid.cut(pose, point - deepest * up, up);
    if (!cut.hits || cut.in > deepest + reach || cut.out < deepest) continue;
    const double facing = -cut.normal.dot(up);
    if (facing > 0) contacts.push_back({point, -cut.normal, (cut.in - deepest) * facing});
  }
  return contacts;
}

/// A ground in Bullet's world: a fixed or moving object, and its contacts with its body.
class GroundObject {
 public:
  GroundObject(const Ground& ground, double dt) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &shape_);
    object_ = std::make_unique<btRigidBody>(info);
    if (ground.velocity.isZero(0)) return;
    // Bullet derives the velocity of a kinematic object from its last position.
    object_->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    object_->setActivationState(DISABLE_DEACTIVATION);
    btTransform before = btTransform::getIdentity();
    before.setOrigin(to_bullet(-dt * ground.velocity));
    object_->setInterpolationWorldTransform(before);
  }
  btRigidBody* get() const { return object_.get(); }

  void touch(btDispatcher& dispatcher, btRigidBody& body, const std::vector<GroundContact>& contacts,
             double friction) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i % MANIFOLD_CACHE_SIZE == 0) manifolds_.push_back(dispatcher.getNewManifold(&body, object_.get()));
      const GroundContact& one = contacts[i];
      const Vector3 on_body = one.point + one.distance * one.normal;
      btManifoldPoint point(body.getWorldTransform().invXform(to_bullet(on_body)), to_bullet(one.point),
                            to_bullet(one.normal), one.distance);
      point.m_positionWorldOnA = to_bullet(on_body);
      point.m_positionWorldOnB = to_bullet(one.point);
      point.m_combinedFriction = friction;
      point.m_combinedRestitution = 0;
      manifolds_.back()->addManifoldPoint(point);
    }
  }
  void release(btDispatcher& dispatcher) {
    for (btPersistentManifold* manifold : manifolds_) dispatcher.releaseManifold(manifold);
  }

 private:
  btSphereShape shape_{1};  // required by Bullet; it collides with nothing
  std::unique_ptr<btRigidBody> object_;
  std::vector<btPersistentManifold*> manifolds_;
};

}  // namespace

struct Bodies::Implementation {
  struct Body {
    BodySetting setting;
    double mass;
    std::unique_ptr<btCollisionShape> shape;
    Pose pose;
    Vector3 velocity, angular_velocity;
    Vector3 impulse = Vector3::Zero(),
            turn = Vector3::Zero();  // N s and N m s about the centre, applied in the next step
    bool present = true;

    Eigen::Matrix3d inertia(const Eigen::Matrix3d& rotation) const {
      return rotation * (setting.density * setting.solid->second_moments()).asDiagonal() *
             rotation.transpose();
    }
    Eigen::Matrix3d inverse_inertia(const Eigen::Matrix3d& rotation) const {
      return rotation * (setting.density * setting.solid->second_moments()).cwiseInverse().asDiagonal() *
             rotation.transpose();
    }
    /// ω at the middle of a step without torque, with the angular momentum of its beginning.
    Vector3 middle_spin(double dt) const {
      const Vector3 way = 0.5 * dt * angular_velocity;
      const double angle = way.norm();
      if (angle == 0) return angular_velocity;
      const Eigen::Matrix3d half = Eigen::AngleAxisd(angle, way / angle) * pose.rotation;
      return inverse_inertia(half) * (inertia(pose.rotation) * angular_velocity);
    }

    /// Uses the rotation at the middle of the step, because Bullet's own gyroscopic torque has damping that depends on the
    /// size of the body.
    std::unique_ptr<btRigidBody> make(double restitution, double dt) const {
      btRigidBody::btRigidBodyConstructionInfo info(
          mass, nullptr, shape.get(), to_bullet(setting.density * setting.solid->second_moments()));
      info.m_startWorldTransform = to_bullet(pose);
      info.m_restitution = restitution;
      auto rigid = std::make_unique<btRigidBody>(info);
      rigid->setActivationState(DISABLE_DEACTIVATION);
      rigid->setLinearVelocity(to_bullet(velocity));
      rigid->setFlags(0);
      rigid->setAngularVelocity(to_bullet(middle_spin(dt)));
      rigid->applyCentralImpulse(to_bullet(impulse));
      rigid->applyTorqueImpulse(to_bullet(turn));
      return rigid;
    }
    /// Adds the change by impulses and contacts to the angular momentum.
    void read(const btRigidBody& rigid, double dt) {
      const Vector3 spin = from_bullet(rigid.getAngularVelocity()),
                    momentum = inertia(pose.rotation) * (angular_velocity + spin - middle_spin(dt));
      pose = from_bullet(rigid.getWorldTransform());
      velocity = from_bullet(rigid.getLinearVelocity());
      angular_velocity = inverse_inertia(pose.rotation) * momentum;
      impulse.setZero();
      turn.setZero();
    }
  };

  Vector3 gravity, ground_impulse = Vector3::Zero();
  double restitution;
  btDefaultCollisionConfiguration configuration;
  Array<Body> bodies;

  Implementation(const Vector3& g, double e) : gravity(g), restitution(e) {}
};

Bodies::Bodies(const Vector3& gravity, double restitution)
    : implementation_(std::make_unique<Implementation>(gravity, restitution)) {}

Bodies::~Bodies() = default;

void Bodies::add(const BodySetting& body) {
  const auto wrong = [&](const std::string& how) { return Error("body '" + body.name + "': " + how); };
  if (!body.solid) throw wrong("it has no shape");
  if (!(body.density > 0) || !std::isfinite(body.density))
    throw wrong("its density is " + std::to_string(body.density) + " kg/m³, which must be positive");
  if (!body.pose.position.allFinite() || !body.velocity.allFinite() || !body.angular_velocity.allFinite())
    throw wrong("its position and velocities must be finite");
  if ((body.pose.rotation.transpose() * body.pose.rotation - Eigen::Matrix3d::Identity()).norm() > 1e-9)
    throw wrong("its rotation is not a rotation");
  for (const auto& other : implementation_->bodies)
    if (other.setting.name == body.name) throw wrong("the name is already in use");

  implementation_->bodies.push_back({body, body.density * body.solid->volume(), contact_shape(*body.solid),
                                     body.pose, body.velocity, body.angular_velocity});
}

void Bodies::remove(int body) {
  implementation_->bodies[body].present = false;
}

bool Bodies::is_present(int body) const {
  return implementation_->bodies[body].present;
}

int Bodies::count() const {
  return implementation_->bodies.size();
}

const std::string& Bodies::name(int body) const {
  return implementation_->bodies[body].setting.name;
}
const Solid& Bodies::solid(int body) const {
  return *implementation_->bodies[body].setting.solid;
}
double Bodies::mass(int body) const {
  return implementation_->bodies[body].mass;
}
const Pose& Bodies::pose(int body) const {
  return implementation_->bodies[body].pose;
}
const Vector3& Bodies::velocity(int body) const {
  return implementation_->bodies[body].velocity;
}
const Vector3& Bodies::angular_velocity(int body) const {
  return implementation_->bodies[body].angular_velocity;
}
const Vector3& Bodies::gravity() const {
  return implementation_->gravity;
}

Vector3 Bodies::velocity_at(int body, const Vector3& point) const {
  return velocity(body) + angular_velocity(body).cross(point - pose(body).position);
}

double Bodies::kinetic_energy(int body) const {
  const Vector3 spin = pose(body).rotation.transpose() * angular_velocity(body);
  const auto& one = implementation_->bodies[body];
  return 0.5 * one.mass * one.velocity.squaredNorm() +
         0.5 * one.setting.density * spin.cwiseAbs2().dot(solid(body).second_moments());
}

double Bodies::energy() const {
  double energy = 0;
  for (int i = 0; i < count(); ++i)
    if (is_present(i)) energy += kinetic_energy(i) - mass(i) * gravity().dot(pose(i).position);
  return energy;
}

void Bodies::add_impulse(int body, const Vector3& impulse, const Vector3& point) {
  auto& one = implementation_->bodies[body];
  one.impulse += impulse;
  one.turn += (point - one.pose.position).cross(impulse);
}

const Vector3& Bodies::ground_impulse() const {
  return implementation_->ground_impulse;
}

/// Creates Bullet's world anew in each step: contacts that it keeps would change the bits after a restore.
void Bodies::step(double dt, const std::vector<Ground>& grounds) {
  if (implementation_->bodies.empty()) return;
  btCollisionDispatcher dispatcher(&implementation_->configuration);
  btSimpleBroadphase pairs;  // in the order of the bodies
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &pairs, &solver, &implementation_->configuration);
  world.setGravity(to_bullet(implementation_->gravity));
  if (!grounds.empty()) {
    // Without the contacts of the step before, the solver begins at zero and needs more than its usual 10 sweeps to leave a body at rest.
    // An overlap is undone without giving a velocity.
    world.getSolverInfo().m_numIterations = 100;
    world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
  }
  std::vector<std::unique_ptr<btRigidBody>> rigid;  // null for a body that has been removed
  std::vector<std::unique_ptr<GroundObject>> objects;
  Vector3 from_ground = Vector3::Zero();  // N s; impulses between bodies cancel
  for (const auto& body : implementation_->bodies) {
    rigid.emplace_back();
    if (!body.present) continue;
    from_ground -= body.mass * (body.velocity + dt * implementation_->gravity) + body.impulse;
    rigid.back() = body.make(implementation_->restitution, dt);
    world.addRigidBody(rigid.back().get());
  }
  for (const Ground& ground : grounds) {
    const auto& body = implementation_->bodies[ground.body];
    const Solid& solid = *body.setting.solid;
    const double speed = (body.velocity - ground.velocity).norm() + dt * implementation_->gravity.norm() +
                         body.impulse.norm() / body.mass +
                         body.angular_velocity.norm() * solid.bounding_radius();
    const std::vector<GroundContact> contacts = contacts_with(ground.corners, solid, body.pose, dt * speed);
    if (contacts.empty()) continue;
    objects.push_back(std::make_unique<GroundObject>(ground, dt));
    world.addRigidBody(objects.back()->get(), 0, 0);
    objects.back()->touch(dispatcher, *rigid[ground.body], contacts, ground.friction);
  }
  world.stepSimulation(dt, 0);
  for (const auto& object : objects) {
    object->release(dispatcher);
    world.removeRigidBody(object->get());
  }
  for (int i = 0; i < count(); ++i) {
    auto& body = implementation_->bodies[i];
    if (!body.present) continue;
    body.read(*rigid[i], dt);
    from_ground += body.mass * body.velocity;
    world.removeRigidBody(rigid[i].get());
  }
  if (!objects.empty()) implementation_->ground_impulse += from_ground;
}

namespace {
constexpr int saved_size = 18;  // numbers per body
}  // namespace

int Bodies::count(const Archive& archive) {
  return static_cast<int>(archive.vector("bodies").size()) / saved_size;
}

void Bodies::save(Archive& archive) const {
  Vector values = Vector::Zero(saved_size * count());  // zero, even the rotation: removed
  for (int i = 0; i < count(); ++i)
    if (is_present(i))
      values.segment<saved_size>(saved_size * i) << pose(i).position, pose(i).rotation.reshaped(),
          velocity(i), angular_velocity(i);
  archive.put("bodies", values);
  archive.put("ground_impulse", Vector(ground_impulse()));
}

void Bodies::restore(const Archive& archive) {
  if (count(archive) != count())
    throw Error("the checkpoint contains " + std::to_string(count(archive)) + " bodies, not " +
                std::to_string(count()));
  implementation_->ground_impulse = archive.vector("ground_impulse");
  const Vector& values = archive.vector("bodies");
  for (int i = 0; i < count(); ++i) {
    auto& body = implementation_->bodies[i];
    const auto saved = values.segment<saved_size>(saved_size * i);
    body.pose.position = saved.head<3>();
    body.pose.rotation = saved.segment<9>(3).reshaped(3, 3);
    body.present = !body.pose.rotation.isZero(0);
    body.velocity = saved.segment<3>(12);
    body.angular_velocity = saved.segment<3>(15);
  }
}

}  // namespace shoal
