// Writes one run into /runs/<id> of the results file while the run is computed.
#pragma once

#include "experiments/harness/run/observer.hpp"
#include "experiments/harness/run/run_attributes.hpp"

#include <chrono>
#include <map>

namespace shoal {

/// Rows of diagnostics, and of the times of steps, for which the file allocates space at once.
constexpr std::uint64_t rows_per_chunk = 512;

/// ParaView can only read whole datasets, so /xdmf/<id>/<row> is a view of one row of each snapshot dataset of a run.
void create_views(hdf5::Group root, const std::string& id,
                  const std::map<std::string, hdf5::Dataset>& snapshots, std::uint64_t row);

class Recorder {
 public:
  /// Creates the datasets of a run, whose group exists. `file` must outlive this.
  Recorder(hdf5::File& file, const std::string& id, const Run& run, const Observer& observer);

  void record_row(const std::vector<double>& row);
  void record_timing(double total, const StageClock& clock);
  void record_snapshot();
  /// Writes buffered data if the last write was at least two seconds ago. Returns whether it did.
  bool flush_if_due();
  void flush(bool to_disk);
  /// save() stores the state on which later rows depend; call it after a flush. restore() reads that state and copies the rows
  /// written so far from `previous`, which may contain more rows; call it at the start, before the first row. Throws Error or
  /// MachineError if `previous` lacks rows.
  void save(Archive& archive) const;
  /// Ranks other than 0 have no `previous`.
  void restore(const Archive& archive, const hdf5::Group* previous);
  double time_flushed() const {
    return time_flushed_;
  }  ///< s, up to which the file contains the run; −1: none
  /// Writes buffered data and the outcome.
  void finish(const Outcome& outcome);

 private:
  /// A growing dataset with its unwritten rows.
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
  void record_constants();
  void describe(hdf5::Dataset& dataset, const SnapshotField& field, unsigned first_dimension) const;
  std::vector<double> in_order(const SnapshotField& field) const;
  bool writes() const { return run_.ranks().rank() == 0; }
  Column& stage_column(const std::string& stage);

  hdf5::File& file_;
  std::string id_;
  const Run& run_;
  const Observer& observer_;
  const WrittenOrder order_;
  hdf5::Group group_, timing_, snapshots_;
  std::vector<Column> columns_;                   // in the order of the quantities
  std::map<std::string, Column> timing_columns_;  // total, and all stages used so far
  std::map<std::string, hdf5::Dataset> dimensions_;
  std::vector<SnapshotField> fields_;
  std::map<std::string, hdf5::Dataset> snapshot_datasets_;  // of the fields, and the time
  std::uint64_t rows_recorded_ = 0, steps_recorded_ = 0, snapshots_recorded_ = 0;
  double time_flushed_ = -1;
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
};

}  // namespace shoal
