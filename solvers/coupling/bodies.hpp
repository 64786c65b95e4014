// Rigid bodies: their properties, poses, and motion under given forces, gravity and mutual contacts.
#pragma once

#include "solvers/archive.hpp"
#include "solvers/coupling/solid.hpp"

#include <vector>

namespace shoal {

/// The part of a fixed or moving surface that one body may touch during a step.
struct Ground {
  int body = 0;
  Points corners = Points(3, 0);       ///< [3, 3n] m, of separate triangles
  Vector3 velocity = Vector3::Zero();  ///< m/s
  double friction = 0;                 ///< coefficient of Coulomb's law; contacts do not bounce
};

/// Moved by Bullet in double precision. Each step detects contacts afresh and keeps nothing of the previous step, so poses
/// and velocities are the complete state.
class Bodies {
 public:
  /// Gravity in m/s²; `restitution` is the fraction of the normal velocity that two bodies keep in a collision.
  explicit Bodies(const Vector3& gravity, double restitution = 0.5);
  ~Bodies();
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  /// Throws Error, naming the body, if its density is not positive, a number is not finite or its name is taken.
  void add(const BodySetting& body);
  /// Takes the body out of space for good. The numbers of the others stay.
  void remove(int body);

  int count() const;  ///< with those that have been removed
  bool is_present(int body) const;
  const std::string& name(int body) const;
  const Solid& solid(int body) const;
  double mass(int body) const;  ///< kg
  const Pose& pose(int body) const;
  const Vector3& velocity(int body) const;
  const Vector3& angular_velocity(int body) const;
  Vector3 velocity_at(int body, const Vector3& point) const;  ///< m/s
  double kinetic_energy(int body) const;                      ///< J
  double energy() const;  ///< J, of all bodies present: kinetic energy plus potential energy in their gravity
  const Vector3& gravity() const;

  /// Applies an impulse, N s, at a point in space, in the next step.
  void add_impulse(int body, const Vector3& impulse, const Vector3& point);
  /// Updates velocities first, then positions with the new velocities. Free rotation conserves angular momentum in space.
  /// Bodies are stopped at `grounds` however fast they are, and lie on them.
  void step(double dt, const std::vector<Ground>& grounds = {});
  /// N s, the sum of the impulses of grounds on bodies since the start.
  const Vector3& ground_impulse() const;

  /// Poses and velocities. They can be restored only to the same bodies.
  void save(Archive& archive) const;
  void restore(const Archive& archive);
  static int count(const Archive& archive);  ///< of the bodies that were saved

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shoal
