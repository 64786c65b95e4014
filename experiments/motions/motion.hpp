// Surfaces that move: positions as functions of time, and the list of motions, with which any scene can be
// combined.
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/surface.hpp"
#include "solvers/surface_motion.hpp"

#include <functional>
#include <memory>

namespace shoal {

// Families of deformations of a surface whose positions are X at t = 0, with s = sin 2πt/T.

/// x = (1 + a s) X: all lengths about the origin swell and shrink.
Motion breathing(const Points& rest, double amplitude, double period);
/// The component of X along the axis (a unit vector), times 1 + a s: a sphere becomes an ellipsoid, and back.
Motion squash(const Points& rest, const Vector3& axis, double amplitude, double period);
/// X turned about the axis by a s z/L, z the height along the axis and L the largest |z|. Throws Error if
/// that is zero.
Motion twist(const Points& rest, const Vector3& axis, double angle, double period);
/// X pushed away from the axis by a (r/r₀) exp((cos(φ − 2πt/T) − 1)/w²) at distance r and azimuth φ, r₀ the
/// largest distance: a hump that travels around the axis; less the hump at t = 0.
Motion bulge(const Points& rest, const Vector3& axis, double amplitude, double width, double period);
/// X + a ramp(t/T) Σ cᵢ sin(kᵢ·X + φᵢ + ωᵢ t), random waves no shorter than `wavelength`, of rms length a
/// together; ramp grows linearly from 0, so that triangles get worse and worse.
Motion crumple(const Points& rest, double amplitude, double wavelength, double period, std::uint64_t seed);
/// x = X + v t.
Motion translation(const Points& rest, const Vector3& velocity);
/// x = X + d s(t/T), s = 6τ⁵ − 15τ⁴ + 10τ³: to another place, from rest to rest.
Motion drag(const Points& rest, const Vector3& displacement, double duration);
/// x = X + a s along the direction.
Motion shake(const Points& rest, const Vector3& displacement, double period);
/// Meshes one after the other, of the same connectivity as the surface and in the order of its source, 1/rate
/// apart: straight lines in time between them; the last one stays. `pattern` names the files with one * in
/// it, in the order of the numbers in their names; the first is the surface itself, and what was welded there
/// stays so. Throws Error naming the file that does not fit.
Motion mesh_sequence(const Surface& surface, const std::string& pattern, double rate);
/// Its files in their order.
std::vector<std::string> sequence_files(const std::string& pattern);

class ClipMixer;  // clip_mixer.hpp

/// A motion that mixes clips, and the mixer, which takes further commands while it is in use.
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
  std::function<ClipMotion(const Surface&, const Parameters&)>
      make_of_clips{};  ///< the same motion, where it has clips
  /// The files that the motion is read from, given also the parameter `mesh`; none for a motion by a formula.
  std::function<std::vector<std::string>(const Parameters&)> files{};
  bool random = false;  ///< the seed chooses it
  /// A sphere about the origin stays what it is, and only the mesh moves in it: seen from space the water does
  /// what it does on a mesh at rest.
  bool stays_on_sphere = false;
  /// The surface as a whole goes straight on at a constant speed: relative to it the water does what it does on a
  /// surface at rest, its bed included.
  bool uniform = false;
};

}  // namespace shoal
