// A live simulation in a thread of its own: it goes on while pictures are drawn, is acted upon, and is recorded as a run.
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

/// With which the text of a recording begins.
constexpr const char* recording_mark = "# Recorded by shoal-app";

class Session final : public FrameSource {
 public:
  /// Throws as Simulation and RunView do. `catalog` must outlive it. It begins paused.
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

  /// Before the next step. What cannot be becomes a message().
  void act(const Input& input);
  /// In every step until something else is held.
  void hold_push(const std::optional<PushInput>& push);
  void hold_drag(const std::optional<Vector3>& target);
  std::string stop() const;  ///< "stopped at t = …: …" where it is broken, else ""
  bool broken() const;       ///< it is unstable or has failed, and does not go on

  /// The run so far as the text of an experiment, which `shoal run` repeats to the last bit. What was done since the last step
  /// needs one more, which is taken. The text comes when the step under way is over.
  std::future<std::string> recording(const std::string& name);
  /// No other step is begun; recordings that were asked for are made. Whether the one under way is over, within this time.
  bool end(std::chrono::milliseconds most);

 private:
  struct PendingCommands {  // of the thread that draws
    std::vector<Input> inputs;
    std::optional<PushInput> push;
    std::optional<Vector3> drag;
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
  void live_on();
  void record(std::vector<RecordingRequest> wishes);
  std::string text_of_recording(const std::string& name);
  void do_now(const PendingCommands& wishes, bool steps);
  void attempt(const Input& input);
  void take_step();
  void break_off(const std::string& reason);
  void show_now();
  void look(const ViewOptions& view, double aspect);
  void publish();
  void complain(const std::string& message);

  const Catalog& catalog_;
  const Surface surface_;

  // Of the thread of the session, once that lives:
  double aspect_;
  Simulation simulation_;
  Diagnostics diagnostics_;
  LiveRun shown_;
  ViewOptions view_options_;
  std::unique_ptr<RunView> view_;
  int changes_seen_ = 0;  // of the scheme, by the view
  std::optional<Vector3> dragged_to_;
  std::array<double, stage_count> stages_{};
  double step_seconds_ = 0, pace_ = 0;

  mutable std::mutex mutex_;  // of what follows, held for an instant
  std::condition_variable wake_;
  PendingCommands wishes_;
  std::vector<RecordingRequest> recordings_;
  std::shared_ptr<const FrameSnapshot> latest_;
  bool taken_ = true;  // the latest moment, by who draws
  bool paused_ = true, broken_ = false, ending_ = false, ended_ = false;
  std::string message_, stop_;

  std::thread thread_;
};

}  // namespace shoal
