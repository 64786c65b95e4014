// A live simulation in its own thread, independent of drawing; it accepts inputs and is recorded as a run.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "reference/session/frame_source.hpp"
#include "reference/view/live_run.hpp"

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

namespace shoal {

/// The first words of a recording.
constexpr const char* recording_mark = "# Recorded by shoal-app";

class Session final : public FrameSource {
 public:
  /// Throws as Simulation and RunView do. `catalog` must outlive the session, which starts paused.
  Session(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
          double aspect);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Mesh& mesh() const override { return surface_.mesh; }
  void pause(bool paused) override;
  bool paused() const override;
  void step_once() override;
  void show(const ViewOptions& view, double aspect) override;
  std::shared_ptr<const FrameSnapshot> latest() override;
  std::string message() override;

  /// Applied before the next step. Invalid input is reported by message().
  void act(const Input& input);
  /// Applied in every step until the next call; an empty argument ends it.
  void hold_push(const std::optional<PushInput>& push);
  void hold_drag(const std::optional<Vector3>& target);
  /// Begins this source and ends the one of the previous call; an empty argument only ends it. Also during a pause.
  void hold_pour(const std::optional<SourceInput>& source);
  std::string stop() const;  ///< "stopped at t = …: …" after the run became unstable or failed, otherwise ""
  bool broken() const;       ///< the run became unstable or failed; no further steps are computed

  bool unsaved() const;  ///< something was done to it since the last recording

  /// The run so far as an experiment file, which `shoal run` repeats to the last bit. Inputs since the last step require one more
  /// step, which is computed first. The text is available after the current step.
  std::future<std::string> recording(const std::string& name);
  /// Starts no further step and completes the requested recordings. Returns whether the current step ended within `timeout`.
  bool end(std::chrono::milliseconds timeout);

 private:
  struct PendingCommands {  // from the drawing thread
    std::vector<Input> inputs;
    std::optional<PushInput> push;
    std::optional<Vector3> drag;
    std::optional<std::optional<SourceInput>> pour;  // set by a call of hold_pour()
    std::optional<ViewOptions> view;
    double aspect = 1;  // of the view
    int single_steps = 0;
  };
  struct RecordingRequest {
    std::string name;
    std::promise<std::string> text;
  };
  using Clock = std::chrono::steady_clock;

  void live();
  void run_loop();
  void record(std::vector<RecordingRequest> requests);
  std::string text_of_recording(const std::string& name);
  void do_now(const PendingCommands& commands, bool steps);
  bool attempt(const Input& input);
  void pour(const std::optional<SourceInput>& source);
  void take_step();
  void break_off(const std::string& reason);
  void show_now();
  void look(const ViewOptions& view, double aspect);
  void publish();
  void post_message(const std::string& message);

  const Catalog& catalog_;
  const Surface surface_;

  // Used only by the session's thread, once it runs:
  double aspect_;
  Simulation simulation_;
  Diagnostics diagnostics_;
  LiveRun shown_;
  ViewOptions view_options_;
  std::unique_ptr<RunView> view_;
  int changes_seen_ = 0;  // changes of the scheme that the view reflects
  std::optional<Vector3> dragged_to_;
  int poured_ = 0;  // number of the source of hold_pour(); 0: none
  std::array<double, stage_count> stages_{};
  double step_seconds_ = 0, pace_ = 0;

  mutable std::mutex mutex_;  // guards the members below; never held for long
  std::condition_variable wake_;
  PendingCommands pending_;
  std::vector<RecordingRequest> recordings_;
  std::shared_ptr<const FrameSnapshot> latest_;
  bool taken_ = true;  // whether the drawing thread has read latest_
  bool paused_ = true, broken_ = false, ending_ = false, ended_ = false, unsaved_ = false;
  std::string message_, stop_;

  std::thread thread_;
};

}  // namespace shoal
