// Generated clips: those of the figure, a walk for bodies with legs and arms, and one for any skeleton.
#pragma once

#include "discretizations/mesh/characters/skeleton.hpp"

#include <functional>
#include <optional>

namespace shoal {

/// Sets `pose`, given as the rest pose, as a function of the phase φ in [0, 2π).
using PeriodicPose = std::function<void(double phase, SkeletonPose& pose)>;

/// A clip of `period` seconds that interpolates `pose` by `keys` cubic splines through its values and slopes; it moves the joints that
/// ever leave their rest pose.
Clip periodic_clip(std::string name, const Skeleton& skeleton, double period, int keys,
                   const PeriodicPose& pose);

/// The clips of the skeleton of figure_bones(radius); periods T at radius 1 scale like √radius, as under gravity: `walk` (T = 2.5 s, on
/// the spot: legs and counter-swinging arms, hips that turn, tilt and bob; its mirror image is itself, shifted by half a period),
/// `wave` (1.6 s, only the left arm) and `jump` (1.8 s, symmetric).
std::vector<Clip> figure_clips(const Skeleton& skeleton, double radius);

/// `walk` like that of the figure, for a skeleton with two legs and two arms that can be identified by the names of joints (left or
/// right; thigh, hip or upper leg; shin, knee or leg; foot or ankle; upper arm; forearm); otherwise, or if bones have no length, empty.
/// The forward direction is that of the toes or follows from left and right; up is from the feet to the hips; arms hang 0.3 rad from
/// the vertical; T = 2.5 s √(ℓ / 4.82 m) with the length ℓ from foot to hip.
std::optional<Clip> walk_clip(const Skeleton& skeleton);

/// `sway`, 2 s: every joint with weights, except the first, turns by ±0.2 rad about an axis perpendicular to its bone in the principal
/// plane of the joints, with a delay that grows along its chain, and moves its descendants with it. If all joints are children of one
/// node, descendants are those in the minimum spanning tree of the joints, rooted at the joint of the largest weight.
Clip sway_clip(const Skeleton& skeleton, const SkinWeights& weights);

}  // namespace shoal
