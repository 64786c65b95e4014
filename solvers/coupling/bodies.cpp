// The only file that uses Bullet.
#include "solvers/coupling/bodies.hpp"

#include "discretizations/common/array.hpp"
#include "discretizations/common/error.hpp"

#include <btBulletDynamicsCommon.h>
#include <Eigen/Geometry>

#include <algorithm>

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

  Vector3 gravity;
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
  for (int i = 0; i < count(); ++i) energy += kinetic_energy(i) - mass(i) * gravity().dot(pose(i).position);
  return energy;
}

void Bodies::add_impulse(int body, const Vector3& impulse, const Vector3& point) {
  auto& one = implementation_->bodies[body];
  one.impulse += impulse;
  one.turn += (point - one.pose.position).cross(impulse);
}

/// Creates Bullet's world anew in each step: contacts that it keeps would change the bits after a restore.
void Bodies::step(double dt) {
  if (implementation_->bodies.empty()) return;
  btCollisionDispatcher dispatcher(&implementation_->configuration);
  btSimpleBroadphase pairs;  // in the order of the bodies
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &pairs, &solver, &implementation_->configuration);
  world.setGravity(to_bullet(implementation_->gravity));
  std::vector<std::unique_ptr<btRigidBody>> rigid;
  for (const auto& body : implementation_->bodies) {
    rigid.push_back(body.make(implementation_->restitution, dt));
    world.addRigidBody(rigid.back().get());
  }
  world.stepSimulation(dt, 0);
  for (int i = 0; i < count(); ++i) {
    implementation_->bodies[i].read(*rigid[i], dt);
    world.removeRigidBody(rigid[i].get());
  }
}

namespace {
constexpr int saved_size = 18;  // numbers per body
}  // namespace

int Bodies::count(const Archive& archive) {
  return static_cast<int>(archive.vector("bodies").size()) / saved_size;
}

void Bodies::save(Archive& archive) const {
  Vector values(saved_size * count());
  for (int i = 0; i < count(); ++i)
    values.segment<saved_size>(saved_size * i) << pose(i).position, pose(i).rotation.reshaped(), velocity(i),
        angular_velocity(i);
  archive.put("bodies", values);
}

void Bodies::restore(const Archive& archive) {
  if (count(archive) != count())
    throw Error("the checkpoint contains " + std::to_string(count(archive)) + " bodies, not " +
                std::to_string(count()));
  const Vector& values = archive.vector("bodies");
  for (int i = 0; i < count(); ++i) {
    auto& body = implementation_->bodies[i];
    const auto saved = values.segment<saved_size>(saved_size * i);
    body.pose.position = saved.head<3>();
    body.pose.rotation = saved.segment<9>(3).reshaped(3, 3);
    body.velocity = saved.segment<3>(12);
    body.angular_velocity = saved.segment<3>(15);
  }
}

}  // namespace shoal
