// Writes one run into /runs/<id> of the results file while it goes, in the numbering of the mesh's source.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/recorded_mesh.hpp"
#include "experiments/harness/run/run_attributes.hpp"

#include <chrono>
#include <limits>
#include <span>

namespace shoal {

/// Cells whose depth is below zero by more than rounding, 1e-13 of the largest depth: no method means that, and not all of them
/// stop at it.
struct NegativeDepths {
  std::int64_t cells = 0;                                  ///< the largest number of them after any step
  double time = std::numeric_limits<double>::quiet_NaN();  ///< s, when there was the first; NaN: never
};

/// A limit that takes effect at more elements than at the start.
struct ClampRise {
  std::string name;
  std::int64_t start = 0, most = 0;  ///< elements at the start, and the most at any time
  double time = 0;                   ///< s, of the first time with more than at the start
};

/// ParaView reads whole datasets only: /xdmf/<id>/<row> shows one row of each of a run's snapshots.
void create_views(hdf5::Group root, const std::string& id,
                  const std::map<std::string, hdf5::Dataset>& snapshots, std::uint64_t row);

class Recorder {
 public:
  /// Creates the groups of a run. `file` must outlive this.
  Recorder(hdf5::File& file, const std::string& id, const Simulation& simulation,
           const Diagnostics& diagnostics);

  void record_diagnostics(const std::vector<double>& row);
  void record_timing(double total, const StageClock& clock);
  void record_snapshot();
  /// Counts the depths below zero and, where the surface moves, the limits that take effect (else at every row); to be
  /// called after every step.
  void watch();
  const NegativeDepths& negative_depths() const { return negative_depths_; }
  std::vector<ClampRise> risen_clamps() const;
  /// Writes what is buffered if the last time was two seconds ago or more; whether it did.
  bool flush_if_due();
  void flush(bool to_disk);
  /// What the rows after those written so far depend on, to be called after a flush; and those rows again, out of a run that has
  /// them and maybe more. To be restored at t = 0, before the first row. Throws Error or MachineError where it has not got them.
  void save(Archive& archive) const;
  void restore(const Archive& archive, const hdf5::Group& earlier);
  double time_flushed() const { return time_flushed_; }  ///< up to which the file holds the run, s; −1: none
  /// Writes what is buffered and the outcome.
  void finish(const Outcome& outcome);

 private:
  /// A growing dataset with the rows that are not yet written.
  struct Column {
    hdf5::Dataset dataset;
    std::size_t width = 1;
    std::vector<double> buffer;
    void write();
  };

  hdf5::Dataset rows(hdf5::Group& group, const std::string& name, const hdf5::Extent& row,
                     const std::string& unit);
  void create_dimensions();
  void create_diagnostics();
  void create_snapshots();
  void record_bed();
  void record_edges();
  void record_own_faces();
  const Discretization& discretization() const { return simulation_.discretization(); }
  std::string topology() const;  ///< the path of the one that values of this run refer to
  Column& stage_column(const std::string& stage);
  std::vector<double> positions_by_vertex() const;
  std::vector<double> by_vertex(const Vector& values) const;
  std::vector<double> by_cell_element(const Vector& cell_values) const;
  void watch_depths();
  void watch_clamps();
  void order_by_face(Values& values) const;  // three components
  void append_snapshot(const std::string& name, std::span<const double> row);

  hdf5::File& file_;
  std::string id_;
  const Simulation& simulation_;
  const Diagnostics& diagnostics_;
  hdf5::Group run_, timing_, snapshots_;
  std::vector<Column> columns_;                   // as the quantities
  std::map<std::string, Column> timing_columns_;  // total, and the stages that took time so far
  std::map<std::string, hdf5::Dataset> dimensions_;
  std::map<std::string, hdf5::Dataset> snapshot_datasets_;
  std::vector<Index> face_number_;  // where a face's values are written: its number in the source, or its own
  std::vector<Index> copied_vertex_;  // of the vertices that are written again beyond a periodic seam
  std::vector<Index> edge_order_;     // our edges in the order in which the source's faces name them
  std::vector<double> bed_depth_at_vertices_;  // as it is written
  std::uint64_t rows_recorded_ = 0, steps_recorded_ = 0, snapshots_recorded_ = 0;
  NegativeDepths negative_depths_;
  std::vector<ClampRise> clamps_;  // all that spoil accuracy
  double time_flushed_ = -1;
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
};

}  // namespace shoal
