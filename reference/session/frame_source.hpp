// Where the moments come from that a window shows: a simulation that is live, or a run that was recorded.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "reference/view/run_view.hpp"
#include "solvers/stage_clock.hpp"

namespace shoal {

/// A clip of the skeleton, and how much it counts.
struct ShownClip {
  std::string name;
  double weight = 0;
};

/// What is shown of an instant.
struct FrameSnapshot {
  Picture picture;    ///< seen by the camera that frames everything so far
  double aspect = 1;  ///< of the picture for which that camera frames it
  double time = 0, dt = 0;
  std::int64_t steps = 0;
  Points surface, normals;  ///< [3, nV] as drawn; unit
  Vector depth, bed;        ///< [nV] m
  Points velocity;  ///< [3, nF] m/s of the triangles of the mesh; no columns: the integrator carries none
  double mass = 0, energy = 0;               ///< kg, J
  std::array<double, stage_count> stages{};  ///< s, of the last step
  double step_seconds = 0;                   ///< of the last step, all of it
  double pace = 0;                           ///< seconds simulated in a second
  Scale scale;                               ///< of colours and arrows
  int bodies = 0;
  RunConfiguration configuration;   ///< the present one
  std::vector<std::string> fields;  ///< that can be shown in colours
  std::vector<ShownClip> clips;
  std::vector<SourceMarker> sources;  ///< that act now
  bool has_velocity = false, has_acceleration = false, has_skeleton = false;
};

/// Used from the thread that draws.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const Mesh& mesh() const = 0;
  virtual void pause(bool paused) = 0;
  virtual bool paused() const = 0;
  virtual void step_once() = 0;
  /// Looks at it like this from now on, in pictures of that width over height; what cannot be shown becomes a message().
  virtual void show(const ViewOptions& view, double aspect) = 0;
  /// The newest, the same as before where nothing is new.
  virtual std::shared_ptr<const FrameSnapshot> latest() = 0;
  /// What went wrong since the last call, or "".
  virtual std::string message() = 0;
};

/// What all moments have in common: the picture, and what the view has computed for it.
void look_at(const ShownRun& run, RunView& view, FrameSnapshot& moment);

}  // namespace shoal
