// Foam: spray above the water and particles that drift on it, after Krog 2003, chapters 8 and 9. They are for pictures only: the
// foam does not act on the water.
//
//     on each triangle of area A begin, per step Δt, Poisson numbers of flying particles with the means
//         λ = a_rough |v|^a_v |∇²h|^a_c A Δt     (8.2), with the velocity along the surface from upstream (8.4)
//         λ = a_f max(0, h_t)^a_a A Δt           (8.6), with h_t n + v
//     flight: w_t = −(1 − b) g n − a_air |w| w    (8.7), Euler; a particle that comes down on the water leaves foam a₁ e^{−(d/r)²} to the
//         drifting particles at the distances d, and bounces along n where it is fast and steep enough
//     drifting particles follow v, fade in and out, and number between a_min and a_max in each patch of the surface
//
// ∇² is that of Angst 2007, (4.7). The source gives no constants; the defaults are ours, for water of some metres. It prints ∇²h without
// its absolute value, without which (8.1) is undefined where the surface bends downwards, and the last term of (8.7) as w³/|w|.
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/domain.hpp"
#include "discretizations/transport/tangent_frames.hpp"
#include "reference/renderer/picture.hpp"

#include <cstdint>

namespace shoal {

struct FoamOptions {
  double roughness = 10;                                       ///< a_rough
  double speed_power = 2, curvature_power = 0.5;               ///< a_v, a_c
  double accumulation = 1, rate_power = 2;                     ///< a_f, a_a
  double spread = 0.2;                                         ///< of starting velocities
  double air = 1, buoyancy = 0;                                ///< a_air, 1/m; b
  double bounce_cosine = 0.5, bounce_speed = 1, bounce = 0.3;  ///< thresholds and loss
  double deposit = 0.1;                                        ///< a₁
  double lifetime = 3, fade = 0.5;                             ///< s
  double patch = 0.03;                                         ///< r over the extent of the surface
  int min_count = 2, max_count = 4, attempts = 4;              ///< a_min, a_max, a_att
  double gauss = 0.5;                                          ///< part of e^{−s²} in the opacity
  double drop = 0.08;                                          ///< radius of a flying particle over r
  int max_flying = 20000;
  double step = 1.0 / 60, gap = 1;  ///< s
  int seed = 1;
  static Options<FoamOptions> describe();
  /// "roughness=100,lifetime=2". Throws Error that names the option and what it accepts.
  static FoamOptions parse(const std::string& text);
  bool operator==(const FoamOptions&) const = default;
};

/// Random numbers from a counter: the i-th is a hash of the seed and i (SplitMix64: Steele, Lea & Flood 2014,
/// doi:10.1145/2660193.2660195).
class CounterRandom {
 public:
  explicit CounterRandom(std::uint64_t seed) : seed_(seed) {}
  double uniform();  ///< in [0, 1)
  /// By counting exponential waiting times; at most `most`.
  int poisson(double mean, int most = std::numeric_limits<int>::max());
  Vector3 cube();         ///< uniform in [−1, 1]³
  Vector3 in_triangle();  ///< barycentric coordinates, uniform in area

 private:
  std::uint64_t seed_, count_ = 0;
};

/// The water at one instant, on a mesh that does not change.
struct FoamWater {
  double time = 0;     ///< s
  double gravity = 0;  ///< m/s², against the normals
  double wet = 0;      ///< m, depth above which there is water
  double exaggeration = 1;
  const Geometry& geometry;  ///< of the surface at rest
  const Points& normals;     ///< [3, nV]
  const Points& surface;     ///< [3, nV] m, the water surface as drawn
  const Vector& depth;       ///< [nV] η, m
  const Vector& bed;         ///< [nV] H, m
  const Values& velocity;    ///< [3, nF] m/s, along the surface
};

/// ∇²h [nV], 1/m, by cotangents (Angst 2007, 4.7); without a flux through walls.
Vector laplacian_at_vertices(const Mesh& mesh, const Geometry& geometry, const Vector& values);

class Foam {
 public:
  /// Keeps a reference to the mesh, which must not be periodic.
  Foam(const Mesh& mesh, const FoamOptions& options) : mesh_(mesh), options_(options), frames_(mesh) {}

  /// Advances to this instant. The first call, one that goes back in time and one after a longer time than `gap` begin without foam.
  /// Equal sequences of calls give equal foam.
  void advance(const FoamWater& water);
  FoamSet draw(const FoamWater& water) const;
  /// Begins without foam if the patches or the seed are others.
  void configure(const FoamOptions& options);

  struct Place {
    Index face = 0;
    Vector3 weight = Vector3::Zero();  ///< barycentric
  };
  struct Drifting {
    Place place;
    Tangent axis = 1;  ///< of its image, in the frame of the face
    double foam = 0, opacity = 0;
    bool leaving = false, fed = false;
    double image = 0;  ///< which part of the texture
  };
  struct Flying {
    Place below;                                               ///< the foot of its normal
    Vector3 at = Vector3::Zero(), velocity = Vector3::Zero();  ///< m, m/s, in space
  };
  const std::vector<Drifting>& drifting() const { return drifting_; }
  const std::vector<Flying>& flying() const { return flying_; }
  int patch_count() const { return static_cast<int>(patches_.size()); }
  int patch_of(Index face) const { return patch_of_[face]; }
  double radius() const { return radius_; }  ///< r, m

 private:
  struct Patch {
    std::vector<Index> faces;
    std::vector<int> around;     // this one and those that share a vertex with it
    std::vector<int> particles;  // in drifting_, those that are not leaving
  };
  void begin(const FoamWater& water);
  void make_patches(const FoamWater& water);
  void spawn(const FoamWater& water, double dt);
  void start(const FoamWater& water, Index face, const Vector3& weight, const Vector3& velocity);
  void fly(const FoamWater& water, double dt);
  void drift(double dt);
  void fill_patches(const FoamWater& water, bool faded_in);
  void land(const FoamWater& water, const Place& place);
  bool follow(const FoamWater& water, const Vector3& at, Place& below) const;
  bool wet(const FoamWater& water, const Place& place) const;
  Vector3 at(const Points& points, const Place& place) const;
  Vector3 velocity_from_upstream(const FoamWater& water, Index face, const Vector3& weight) const;
  double distance_to_others(const FoamWater& water, const Vector3& point, int patch, int self) const;
  void add_surface(const FoamWater& water, const Drifting& one, FoamSet& set) const;

  const Mesh& mesh_;
  FoamOptions options_;
  TangentFrames frames_;
  std::vector<BarycentricRates> rates_;  // [nF] 1/s
  CounterRandom random_{1};
  std::vector<Patch> patches_;
  Array<int> patch_of_;  // [nF]
  double radius_ = 0;
  bool begun_ = false;
  double time_ = 0;
  Points positions_;  // [3, nV] of the surface at rest, at time_
  Vector elevation_;  // [nV] at time_
  Vector rising_;     // [nV] h_t, m/s
  Points carrying_;   // [3, nV] m/s, the velocity of the surface at rest
  std::vector<Drifting> drifting_;
  std::vector<Flying> flying_;
};

}  // namespace shoal
