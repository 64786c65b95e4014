// A live simulation in a thread of its own: it goes on while pictures are drawn, is acted upon, and is recorded as a run.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "reference/view/simulation_view.hpp"
#include "solvers/stage_clock.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace shoal {

/// What is shown of an instant.
struct Moment {
  Picture picture;  ///< seen by the camera that frames everything so far
  double time = 0, dt = 0;
  std::int64_t steps = 0;
  Points surface, normals;  ///< [3, nV] as drawn; unit
  Vector depth, bed;        ///< [nV] m
  Points velocity;  ///< [3, nF] m/s of the triangles of `faces`; no columns: the integrator carries none
  double mass = 0, energy = 0;               ///< kg, J
  std::array<double, stage_count> stages{};  ///< s, of the last step
  double step_seconds = 0;                   ///< of the last step, all of it
  double pace = 0;                           ///< seconds simulated in a second
  std::pair<double, double> range;           ///< of the colours
  std::string field;                         ///< "elevation, m"
  int bodies = 0;
  RunConfiguration configuration;   ///< the present one
  std::vector<std::string> fields;  ///< that can be shown in colours
};

class Session {
 public:
  /// Throws as Simulation and SimulationView do. `catalog` must outlive it. It begins paused.
  Session(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
          double aspect);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Catalog& catalog() const { return catalog_; }
  const Surface& surface() const { return surface_; }  ///< as it was read

  // From the thread that draws.
  void pause(bool paused);
  bool paused() const;
  void step_once();
  /// Before the next step. What cannot be becomes a message().
  void act(const Input& input);
  /// In every step until something else is held.
  void hold_push(const std::optional<PushInput>& push);
  void hold_drag(const std::optional<Vector3>& target);
  /// Looks at it like this from now on; what cannot be shown becomes a message().
  void show(const ViewOptions& view);
  /// The newest, the same as before where nothing is new.
  std::shared_ptr<const Moment> latest();
  /// What went wrong since the last call, or "".
  std::string message();
  bool broken() const;  ///< it is unstable or has failed, and does not go on

  /// The run so far as the text of an experiment, which `shoal run` repeats to the last bit.
  std::string recording(const std::string& name);

 private:
  struct Wishes {  // of the thread that draws
    std::vector<Input> inputs;
    std::optional<PushInput> push;
    std::optional<Vector3> drag;
    std::optional<ViewOptions> view;
    int single_steps = 0;
  };
  using Clock = std::chrono::steady_clock;

  void live();
  void do_now(const Wishes& wishes, bool steps);
  void attempt(const Input& input);
  void take_step();
  void publish();
  void complain(const std::string& message);

  const Catalog& catalog_;
  const Surface surface_;
  const double aspect_;

  std::mutex simulation_mutex_;  // of what follows, which the thread holds in a step
  Simulation simulation_;
  Diagnostics diagnostics_;
  std::unique_ptr<SimulationView> view_;
  std::optional<Vector3> dragged_to_;
  std::array<double, stage_count> stages_{};
  double step_seconds_ = 0, pace_ = 0;

  mutable std::mutex mutex_;  // of what follows, held for an instant
  std::condition_variable wake_;
  Wishes wishes_;
  std::shared_ptr<const Moment> latest_;
  bool taken_ = true;  // the latest moment, by who draws
  bool paused_ = true, broken_ = false, ending_ = false;
  std::string message_;

  std::thread thread_;
};

}  // namespace shoal
