// An axisymmetric computation as the reference solution of a scene.
#pragma once

#include "experiments/scenes/axisymmetric.hpp"
#include "experiments/scenes/scene.hpp"

#include <memory>
#include <vector>

namespace shoal {

/// The computation of `setting`, shared by the runs of one process with the same `key`, which must determine the setting. The oldest of
/// too many is dropped.
std::shared_ptr<AxisymmetricFlow> shared_flow(const std::vector<double>& key,
                                              const AxisymmetricSetting& setting);

/// The unnamed reference that evaluates `flow` at the distance of each point from the axis, an angle in rad or a length in m.
Reference axisymmetric_reference(const std::shared_ptr<AxisymmetricFlow>& flow,
                                 std::function<double(const Vector3& point)> distance);

}  // namespace shoal
