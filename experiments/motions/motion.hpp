// Moving surfaces: positions as functions of time, and the list of motions that can be combined with any scene.
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/surface.hpp"
#include "solvers/surface_motion.hpp"

#include <functional>
#include <memory>

namespace shoal {

// Families of deformations of a surface whose positions are X at t = 0, with s = sin 2πt/T.

/// x = (1 + a s) X: all lengths about the origin oscillate.
Motion breathing(const Points& rest, double amplitude, double period);
/// Multiplies the component of X along the axis (a unit vector) by 1 + a s: a sphere becomes an ellipsoid and back.
Motion squash(const Points& rest, const Vector3& axis, double amplitude, double period);
/// Rotates X about the axis by a s z/L, where z is the height along the axis and L the largest |z|. Throws Error if L is zero.
Motion twist(const Points& rest, const Vector3& axis, double angle, double period);
/// Displaces X away from the axis by a (r/r₀) exp((cos(φ − 2πt/T) − 1)/w²) at distance r and azimuth φ, with the largest distance r₀,
/// minus the same at t = 0: a hump that travels around the axis.
Motion bulge(const Points& rest, const Vector3& axis, double amplitude, double width, double period);
/// X + a ramp(t/T) Σ cᵢ sin(kᵢ·X + φᵢ + ωᵢ t), a sum of random waves no shorter than `wavelength` with rms length a; ramp grows
/// linearly from 0, so that triangles get worse and worse.
Motion crumple(const Points& rest, double amplitude, double wavelength, double period, std::uint64_t seed);
/// x = X + v t.
Motion translation(const Points& rest, const Vector3& velocity);
/// x = X + d s(t/T), s = 6τ⁵ − 15τ⁴ + 10τ³: a displacement from rest to rest.
Motion drag(const Points& rest, const Vector3& displacement, double duration);
/// x = X + a s along the direction.
Motion shake(const Points& rest, const Vector3& displacement, double period);
/// Interpolates linearly in time between a sequence of meshes with the connectivity of the surface and the numbering of its source,
/// 1/rate apart; the last one stays. `pattern` is a file name with one *; the files are ordered by the numbers in their names. The
/// first is the surface itself, and its welded vertices stay welded. Throws Error naming a file that does not match.
Motion mesh_sequence(const Surface& surface, const std::string& pattern, double rate);
/// The files of mesh_sequence() in their order.
std::vector<std::string> sequence_files(const std::string& pattern);

class ClipMixer;  // clip_mixer.hpp
struct ClipCommand;

/// A motion that mixes clips, and the mixer, which accepts further commands during use.
struct ClipMotion {
  Motion motion;
  std::shared_ptr<ClipMixer> mixer;
  std::function<Points(double time)> bones;  ///< [3, 2n] m, from each joint to its parent
};

/// One row of the list of motions.
struct MotionEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters{};
  std::function<Motion(const Surface&, const Parameters&, std::uint64_t seed)> make{};
  /// The same motion with its mixer, if it consists of clips.
  std::function<ClipMotion(const Surface&, const Parameters&)> make_of_clips{};
  /// The files from which the motion is read, given also the parameter `mesh`; none for a formula.
  std::function<std::vector<std::string>(const Parameters&)> files{};
  bool random = false;  ///< depends on the seed
  /// A sphere about the origin keeps its shape, and only the mesh moves within it: in space the water behaves as on a mesh at rest.
  bool stays_on_sphere = false;
  /// The surface moves at constant velocity: relative to it, the water behaves as on a surface at rest, including the bed.
  bool uniform = false;
};

}  // namespace shoal
