// Rigid bodies: what they are, where they are, and their motion under given forces, gravity and contacts between them.
#pragma once

#include "solvers/archive.hpp"
#include "solvers/coupling/solid.hpp"

#include <vector>

namespace shoal {

/// Moved by Bullet in double precision. Contacts are found anew in each step and nothing of the one before is kept, so that
/// poses and velocities are all there is to save.
class Bodies {
 public:
  /// Gravity in m/s²; `restitution` is the part of the normal velocity that two bodies keep when they hit each other.
  explicit Bodies(const Vector3& gravity, double restitution = 0.5);
  ~Bodies();
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;

  /// Throws Error, naming the body, where its density is not positive, a number is not finite or its name is taken.
  void add(const BodySetting& body);

  int count() const;
  const std::string& name(int body) const;
  const Solid& solid(int body) const;
  double mass(int body) const;  ///< kg
  const Pose& pose(int body) const;
  const Vector3& velocity(int body) const;
  const Vector3& angular_velocity(int body) const;
  Vector3 velocity_at(int body, const Vector3& point) const;  ///< m/s
  double kinetic_energy(int body) const;                      ///< J
  double energy() const;  ///< J, of all: kinetic, and potential in their gravity
  const Vector3& gravity() const;

  /// In the next step the body feels this impulse, N s, at a point in space.
  void add_impulse(int body, const Vector3& impulse, const Vector3& point);
  /// Velocities first, positions with the new velocities. Free rotation keeps the angular momentum in space.
  void step(double dt);

  /// Poses and velocities of the bodies, which have to be the same ones when they are restored.
  void save(Archive& archive) const;
  void restore(const Archive& archive);
  static int count(const Archive& archive);  ///< of the bodies that were saved

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace shoal
