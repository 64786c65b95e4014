// Playback of a recorded run from its snapshots.
#pragma once

#include "experiments/harness/results/results.hpp"
#include "reference/session/frame_source.hpp"
#include "reference/session/run_labels.hpp"

#include <chrono>

namespace shoal {

/// The snapshots of one run of a results file, of which one is current. Bodies take their positions from the nearest row of the
/// diagnostics and their shapes from the run's configuration. Polygons of a model other than water are shown as if they were covered to
/// a constant depth.
class SavedRun final : public ShownRun {
 public:
  /// `results` must outlive this. Throws Error if the run has no snapshots (a refused run) or the file is inconsistent.
  SavedRun(const Catalog& catalog, const Results& results, const std::string& file, const RecordedRun& run);

  Index snapshot_count() const { return static_cast<Index>(times_.size()); }
  const std::vector<double>& times() const { return times_; }  ///< s, of snapshots
  Index snapshot_at(double time) const;                        ///< the nearest one
  void show_snapshot(Index snapshot);
  /// Shows the first snapshot with a velocity, or the last one: a view of the run is then able to show the velocity.
  void show_a_velocity();
  Index snapshot() const { return snapshot_; }
  double mass() const { return at_row(mass_); }      ///< kg; NaN if not recorded
  double energy() const { return at_row(energy_); }  ///< J
  // Of all rows of the diagnostics; empty if not recorded.
  const std::vector<double>& masses() const { return mass_; }      ///< kg
  const std::vector<double>& energies() const { return energy_; }  ///< J
  std::size_t row() const { return row_; }                         ///< nearest to the snapshot
  const RunConfiguration& configuration() const { return configuration_; }
  /// What the file lacks, or "".
  const std::string& note() const { return note_; }

  const Mesh& mesh() const override { return mesh_; }
  const Vector& area() const override { return geometry_.face_area; }
  const Vector& bed() const override { return bed_; }
  const Geometry& geometry() const override { return geometry_; }
  bool has_velocity() const override { return has_velocity_ && !velocity_is_blank_; }
  std::vector<ShownField> fields() const override;
  bool sample_cells(Vector& depth, Vector& elevation) const override;
  double wet_depth() const override { return wet_depth_; }
  void sample(const std::string& name, Values& values) const override;
  std::vector<ShownBody> bodies() const override;
  double dt() const override { return dt_; }
  double time() const override { return times_[static_cast<std::size_t>(snapshot_)]; }
  double gravity() const override { return gravity_; }

 private:
  struct Body {
    std::string name;
    std::shared_ptr<const Solid> solid;
    std::vector<double> position, turn;  // [rows, 3]
  };
  Faces read_triangles(const hdf5::Group& mesh, Index vertex_count);
  void find_bodies(const Catalog& catalog, const Results& results, const std::string& file);
  double at_row(const std::vector<double>& values) const;

  const RecordedRun& run_;
  RunConfiguration configuration_;
  Mesh mesh_;
  Geometry geometry_;
  Vector bed_, depth_;
  std::vector<double> times_, row_times_, mass_, energy_;
  std::vector<Body> bodies_;
  double dt_ = 0, wet_depth_ = 0, gravity_ = 9.81;
  bool cells_are_faces_ = false;
  std::vector<Index> face_of_triangle_;  // of the file
  bool is_water_ = false;
  bool has_velocity_ = false, velocity_is_blank_ = false, moves_ = false;
  Index snapshot_ = 0;
  std::size_t row_ = 0;
  std::string note_;
};

/// Reads a run once in a separate process, because a damaged file may crash it, and returns the name of the file. Throws as SavedRun does,
/// and MachineError if that process crashes.
const std::string& require_readable(const Catalog& catalog, const std::string& file, const std::string& id);

/// The run `id`, or the first one with snapshots if `id` is empty. Throws Error if there is none.
const RecordedRun& run_with_snapshots(const Results& results, const std::string& file, const std::string& id);

/// The mesh of the first run; "" if the file cannot be read.
std::string mesh_of_results(const std::string& file);

/// Starts paused at the first snapshot. At the end, playback waits for a moment and then restarts.
class Playback final : public FrameSource {
 public:
  /// Plays the run `id`, or the first one with snapshots if `id` is empty. Throws as Results and SavedRun do, and MachineError if a
  /// separate process that reads the whole run first crashes.
  Playback(const Catalog& catalog, const std::string& file, const std::string& id, const ViewOptions& view,
           double aspect);

  const std::vector<NamedRun>& runs() const { return runs_; }  ///< runs that have snapshots
  const std::string& id() const { return id_; }
  const std::string& file() const { return file_; }
  const SavedRun& run() const { return *run_; }
  /// The snapshot nearest to this time.
  void go_to(double time);
  double speed() const { return speed_; }  ///< seconds of the run per second
  void set_speed(double speed) { speed_ = speed; }
  bool repeats() const { return repeats_; }  ///< otherwise it pauses at its end
  void set_repeats(bool repeats) { repeats_ = repeats; }

  const Mesh& mesh() const override { return run_->mesh(); }
  void pause(bool paused) override;
  bool paused() const override { return paused_; }
  void step_once() override;  ///< to the next snapshot; from the last one to the first
  void show(const ViewOptions& view, double aspect) override;
  std::shared_ptr<const FrameSnapshot> latest() override;
  std::string message() override { return std::exchange(message_, ""); }

 private:
  using Clock = std::chrono::steady_clock;
  void look(const ViewOptions& view, double aspect);
  void publish();

  std::string file_, id_;
  Results results_;
  std::vector<NamedRun> runs_;
  double aspect_, speed_, time_ = 0, at_end_ = 0;  // at_end_: s of real time spent at the end
  bool paused_ = true, changed_ = true, repeats_ = true;
  Clock::time_point last_;
  std::unique_ptr<SavedRun> run_;
  ViewOptions view_options_;
  std::unique_ptr<RunView> view_;
  std::shared_ptr<const FrameSnapshot> latest_;
  std::string message_;
};

}  // namespace shoal
