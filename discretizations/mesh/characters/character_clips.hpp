// Clips made by formula: those of the figure, a walk for bodies with legs and arms, and one for every skeleton.
#pragma once

#include "discretizations/mesh/characters/skeleton.hpp"

#include <functional>
#include <optional>

namespace shoal {

/// A pose as a function of the phase φ in [0, 2π), given at rest.
using PeriodicPose = std::function<void(double phase, SkeletonPose& pose)>;

/// A clip of `period` seconds that repeats `pose` in `keys` cubic splines through its values and slopes; it moves the joints
/// that are ever elsewhere than at rest.
Clip periodic_clip(std::string name, const Skeleton& skeleton, double period, int keys,
                   const PeriodicPose& pose);

/// Of the skeleton of figure_bones(radius), T the period at radius 1, which grows as √radius as under gravity:
/// `walk` (T = 2.5 s, on the spot: legs and counter-swinging arms, hips that turn, tilt and bob; mirrored it is itself half
/// a period later), `wave` (1.6 s, of the left arm alone) and `jump` (1.8 s, symmetric).
std::vector<Clip> figure_clips(const Skeleton& skeleton, double radius);

/// `walk` as that of the figure, for a skeleton with two legs and two arms, where it can be told from the joints' names
/// which is which (left or right; thigh, hip or upper leg; shin, knee or leg; foot or ankle; upper arm; forearm); none for
/// others, and where bones have no length. Ahead is where the toes point, or else what left and right say; up is from the feet to the hips, arms hang 0.3 rad from there; T = 2.5 s √(ℓ / 4.82 m) with ℓ from foot to hip.
std::optional<Clip> walk_clip(const Skeleton& skeleton);

/// `sway`, 2 s: every joint with weights but the first turns by ±0.2 rad about an axis across its bone that lies in the main
/// plane of the joints, later the farther it is along its chain, and carries along what hangs on it. Where all are children
/// of one node, what hangs on what is the shortest tree between them, from the joint of the greatest weight.
Clip sway_clip(const Skeleton& skeleton, const SkinWeights& weights);

}  // namespace shoal
