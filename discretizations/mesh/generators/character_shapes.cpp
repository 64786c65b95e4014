#include "discretizations/mesh/generators/character_shapes.hpp"

#include "discretizations/mesh/remeshing/implicit_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Length, m, over which bones and strokes are blended; rounds concave corners.
constexpr double blend = 0.1;
/// Cell of the grid from which remeshing starts, m: small enough to separate the legs and the strokes of
/// letters.
constexpr double coarsest_cell = 0.12;

/// −k log Σ exp(−dᵢ/k), k = blend: a smooth minimum.
class SmoothMinimum {
 public:
  void add(double distance) {
    if (distance < least_) {
      sum_ = 1 + sum_ * std::exp((distance - least_) / blend);
      least_ = distance;
    } else {
      sum_ += std::exp((least_ - distance) / blend);
    }
  }
  double value() const { return least_ - blend * std::log(sum_); }

 private:
  double least_ = infinity, sum_ = 0;
};

// ---- figure ----------------------------------------------------------------------------------------------

/// Bones of a human in an A-pose, 10 m tall; limbs of the left side only, at positive x.
std::vector<Bone> half_figure() {
  return {
      {"pelvis", "torso", -1, {0, 5.35, 0}, {0, 5.8, 0}, 0.68, 0.63, 0.38},
      {"abdomen", "torso", 0, {0, 5.8, 0}, {0, 6.6, 0}, 0.6, 0.6, 0.25},
      {"chest", "torso", 1, {0, 6.6, 0}, {0, 7.5, 0}, 0.6, 0.64, 0.4},
      {"neck", "head", 2, {0, 7.9, -0.05}, {0, 8.75, 0.05}, 0.38, 0.32, 0},
      {"head", "head", 3, {0, 9.05, 0.1}, {0, 9.45, 0.05}, 0.46, 0.54, 0},
      {"left clavicle", "torso", 2, {0.25, 7.75, 0}, {1.1, 7.85, 0}, 0.42, 0.4, 0},
      {"left upper arm", "left arm", 5, {1.25, 7.8, 0}, {2.4, 6.5, 0}, 0.38, 0.29, 0},
      {"left forearm", "left arm", 6, {2.4, 6.5, 0}, {3.35, 5.35, 0.15}, 0.28, 0.2, 0},
      {"left hand", "left arm", 7, {3.35, 5.35, 0.15}, {3.75, 4.75, 0.25}, 0.22, 0.19, 0},
      {"left thigh", "left leg", 0, {0.58, 5.15, 0}, {0.9, 2.85, 0.05}, 0.55, 0.36, 0},
      {"left shin", "left leg", 9, {0.9, 2.85, 0.05}, {1.12, 0.6, -0.1}, 0.35, 0.22, 0},
      {"left foot", "left leg", 10, {1.12, 0.33, -0.15}, {1.3, 0.25, 0.9}, 0.3, 0.25, 0},
  };
}

Bone mirrored(Bone bone) {
  for (std::string* text : {&bone.name, &bone.region})
    if (text->rfind("left", 0) == 0) text->replace(0, 4, "right");
  bone.start.x() *= -1;
  bone.end.x() *= -1;
  return bone;
}

// ---- letters ---------------------------------------------------------------------------------------------

constexpr double letter_depth = 1.2, letter_edge = 0.35;  // thickness along z and radius of the edges, m
constexpr double half_stroke = 0.5, letter_gap = 0.8;

struct Stroke {
  Eigen::Vector2d from, to;
};

/// The middle lines of a letter, in x from 0 to its width and in y from 0 to 4. Lines that end at the side of
/// another one end short of its middle, because the blend of two equally near strokes bulges.
struct Letter {
  double width;
  std::vector<Stroke> strokes;
};

std::vector<Letter> letters() {
  const Letter e = {2.2, {{{0, 0}, {0, 4}}, {{0, 0}, {2.2, 0}}, {{0.3, 2}, {1.9, 2}}, {{0, 4}, {2.2, 4}}}};
  const Letter t = {2.8, {{{0, 4}, {2.8, 4}}, {{1.4, 0}, {1.4, 3.7}}}};
  const Letter h = {2.5, {{{0, 0}, {0, 4}}, {{2.5, 0}, {2.5, 4}}, {{0.3, 2}, {2.2, 2}}}};
  const Letter z = {2.6, {{{0, 4}, {2.6, 4}}, {{0, 0}, {2.6, 4}}, {{0, 0}, {2.6, 0}}}};
  return {e, t, h, z};
}

/// All strokes of the word, centred in x, standing on y = 0.
std::vector<Stroke> word() {
  double width = -letter_gap;
  for (const Letter& letter : letters()) width += letter.width + 2 * half_stroke + letter_gap;
  std::vector<Stroke> strokes;
  Eigen::Vector2d offset(half_stroke - width / 2, half_stroke);
  for (const Letter& letter : letters()) {
    for (const Stroke& stroke : letter.strokes) strokes.push_back({stroke.from + offset, stroke.to + offset});
    offset.x() += letter.width + 2 * half_stroke + letter_gap;
  }
  return strokes;
}

double segment_distance(const Stroke& stroke, const Eigen::Vector2d& point) {
  const Eigen::Vector2d along = stroke.to - stroke.from;
  const double t = std::clamp((point - stroke.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (stroke.from + t * along - point).norm();
}

/// Signed distance: the planar shape of the strokes, extruded to ±depth/2 along z, with rounded edges.
double letters_distance(const std::vector<Stroke>& strokes, const Vector3& point) {
  SmoothMinimum flat;
  for (const Stroke& stroke : strokes) flat.add(segment_distance(stroke, point.head<2>()) - half_stroke);
  const Eigen::Vector2d beyond(flat.value() + letter_edge,
                               std::abs(point.z()) - letter_depth / 2 + letter_edge);
  return beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0) - letter_edge;
}

// ----------------------------------------------------------------------------------------------------------

/// `area`: estimated area of the surface, m², from which the grid spacing follows the target triangle size.
RemeshedSurface mesh_character(const ImplicitSurface& surface, double area, Index vertices) {
  RemeshOptions options;
  options.vertices = vertices;
  return mesh_implicit_surface(surface, std::min(coarsest_cell, std::sqrt(area / vertices)), options);
}

}  // namespace

std::vector<Bone> figure_bones(double radius) {
  std::vector<Bone> bones = half_figure();
  const Index left_end = static_cast<Index>(bones.size());
  const auto is_left = [](const Bone& bone) { return bone.name.rfind("left", 0) == 0; };
  const Index first_left =
      static_cast<Index>(std::find_if(bones.begin(), bones.end(), is_left) - bones.begin());
  for (Index bone = first_left; bone < left_end; ++bone) {
    bones.push_back(mirrored(bones[bone]));
    if (bones[bone].parent >= first_left) bones.back().parent += left_end - first_left;
  }
  for (Bone& bone : bones) {
    bone.start *= radius;
    bone.end *= radius;
    bone.start_radius *= radius;
    bone.end_radius *= radius;
    bone.breadth *= radius;
  }
  return bones;
}

// Distance to the nearest sphere of the bone. For a point at height z along the axis and distance ρ from it,
// with the radius decreasing by sin β per length, it is centred at s = z − ρ tan β, from ∂/∂s (√((z − s)² +
// ρ²) − r(s)) = 0.
double bone_distance(const Bone& bone, const Vector3& point) {
  Vector3 from_start = point - bone.start;
  from_start.x() -= std::clamp(from_start.x(), -bone.breadth, bone.breadth);
  const Vector3 along = bone.end - bone.start;
  const double length = along.norm(), z = from_start.dot(along) / length;
  const double rho = from_start.cross(along).norm() / length;
  const double sine = (bone.start_radius - bone.end_radius) / length;
  const double s = std::clamp(z - rho * sine / std::sqrt(1 - sine * sine), 0.0, length);
  return std::sqrt((z - s) * (z - s) + rho * rho) - (bone.start_radius - sine * s);
}

Index nearest_bone(const std::vector<Bone>& bones, const Vector3& point) {
  Index nearest = 0;
  double least = infinity;
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    const double distance = bone_distance(bones[bone], point);
    if (!(distance < least)) continue;
    least = distance;
    nearest = static_cast<Index>(bone);
  }
  return nearest;
}

RemeshedSurface figure_surface(Index vertices) {
  const std::vector<Bone> bones = figure_bones();
  const ScalarField f = [&](const Vector3& point) {
    SmoothMinimum flesh;
    for (const Bone& bone : bones) flesh.add(bone_distance(bone, point));
    return flesh.value();
  };
  return mesh_character({f, {-4.5, -0.5, -1.2}, {4.5, 10.5, 1.6}}, 65, vertices);
}

RemeshedSurface letters_surface(Index vertices) {
  const std::vector<Stroke> strokes = word();
  const ScalarField f = [&](const Vector3& point) { return letters_distance(strokes, point); };
  return mesh_character({f, {-9, -0.5, -1}, {9, 5.5, 1}}, 155, vertices);
}

}  // namespace shoal
