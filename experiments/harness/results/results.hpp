// Reads results files, as far as tables and inspection need.
#pragma once

#include "experiments/harness/run/recorder.hpp"

#include <functional>

namespace shoal {

/// One run of a results file; arrays are read on demand.
class RecordedRun {
 public:
  RecordedRun(std::string id, std::string file, hdf5::Group group);

  const std::string& id() const { return id_; }
  const std::string& file() const { return file_; }  ///< "bump" of results/bump/bump.h5
  const hdf5::Group& group() const { return group_; }
  const Outcome& outcome() const { return outcome_; }
  /// Values of diagnostics/NAME or timing/NAME; empty if there are none (a refused run).
  std::vector<double> diagnostics(const std::string& name) const { return read("diagnostics", name); }
  std::vector<double> timing(const std::string& name) const { return read("timing", name); }
  std::vector<double> snapshot_times() const;  ///< the requested ones, s
  /// The row of the diagnostics nearest to `time`; −1 if it is more than half an interval between rows away.
  std::ptrdiff_t row_at(double time) const;

 private:
  std::vector<double> read(const std::string& group, const std::string& name) const;
  std::string id_, file_;
  hdf5::Group group_;
  Outcome outcome_;
};

/// Results files opened for reading, usually one. Without runs, the entries of /frontier or /spectrum take their place. Throws
/// Error if a file is not a results file, and MachineError if it cannot be read.
class Results {
 public:
  explicit Results(const std::filesystem::path& path);
  explicit Results(const std::vector<std::filesystem::path>& paths);
  hdf5::Group root() const { return files_.front().root(); }  ///< of the first
  std::size_t files() const { return files_.size(); }
  const std::vector<RecordedRun>& runs() const { return runs_; }
  /// Unfinished runs whose parts are missing or unreadable: id and part.
  const std::vector<std::pair<std::string, std::string>>& lost() const { return lost_; }

 private:
  void add_runs(const std::filesystem::path& path);

  std::vector<hdf5::File> files_;
  std::vector<hdf5::File> parts_;  // of unfinished runs
  std::vector<RecordedRun> runs_;
  std::vector<std::pair<std::string, std::string>> lost_;
};

/// The plugins with which the file was made, as " --plugin A --plugin B"; "" for none.
std::string plugin_options(const hdf5::Group& root);

/// Whether a file begins like an HDF5 file.
bool has_hdf5_signature(const std::filesystem::path& path);

/// Calls `read` in a separate process and returns its result, because HDF5 crashes on some damaged files and does not
/// terminate on others. The process may use 3 s of CPU time and 1 GB of memory, plus amounts proportional to the sizes of the
/// files. Throws what `read` throws, and MachineError if the process dies.
std::string read_in_a_process(const std::vector<std::filesystem::path>& files,
                              const std::function<std::string()>& read);

}  // namespace shoal
