// The source of the frames that a window shows: a live simulation or a recorded run.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "reference/view/run_view.hpp"
#include "solvers/stage_clock.hpp"

namespace shoal {

/// A clip of the skeleton and its weight.
struct ShownClip {
  std::string name;
  double weight = 0;
  bool holds = false;  ///< an action of it holds its last pose, or will
};

/// A body and the position of its centre of mass.
struct MarkedBody {
  std::string name;
  Vector3 at;  ///< m
};

/// Everything that the window shows of one instant.
struct FrameSnapshot {
  Picture picture;    ///< its camera frames everything so far
  double aspect = 1;  ///< width over height of the picture that this camera frames
  double time = 0, dt = 0;
  std::int64_t steps = 0;
  Points surface, normals;  ///< [3, nV] positions as drawn, m; unit normals
  Vector depth, bed;        ///< [nV] m
  Points velocity;          ///< [3, nF] m/s per triangle; no columns if the integrator carries no velocity
  double mass = 0, energy = 0;               ///< kg, J
  std::array<double, stage_count> stages{};  ///< s, time of each stage of the last step
  double step_seconds = 0;                   ///< s, total time of the last step
  double pace = 0;                           ///< simulated seconds per second
  Scale scale;                               ///< of colours and arrows
  std::vector<MarkedBody> bodies;            ///< without those that have fallen far below
  Index limited_accelerations = 0;           ///< vertices at which acceleration_limit acts
  RunConfiguration configuration;            ///< the present one, after all changes
  std::vector<ShownField> fields;            ///< that ViewOptions::field accepts
  std::vector<ShownClip> clips;
  std::vector<SourceMarker> sources;  ///< the active ones
  bool has_velocity = false, has_acceleration = false, has_skeleton = false, supports_foam = false;
};

/// Called from the drawing thread.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const Mesh& mesh() const = 0;
  virtual void pause(bool paused) = 0;
  virtual bool paused() const = 0;
  virtual void step_once() = 0;
  /// Sets the view and the aspect ratio (width over height) of later frames; an invalid view is reported by message().
  virtual void show(const ViewOptions& view, double aspect) = 0;
  /// The newest frame; the same pointer as before if there is no new one.
  virtual std::shared_ptr<const FrameSnapshot> latest() = 0;
  /// The last error since the previous call, or "".
  virtual std::string message() = 0;
};

/// Fills in the part of a frame that all sources share: the picture and what the view computed for it.
void look_at(const ShownRun& run, RunView& view, FrameSnapshot& moment);

}  // namespace shoal
