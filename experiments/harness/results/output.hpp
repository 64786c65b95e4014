// The results file of an experiment while it is being written, and the parts in which a sweep computes its runs.
//
//     FILE.h5                       finished runs; an unfinished run is a link to
//     FILE.h5.work/part-0003        results of run 0003 alone, until they are copied into FILE.h5
//     FILE.h5.work/save-0003        checkpoint of run 0003 (saved_run.hpp), until the run is complete
//     FILE.h5.work/earlier-0003     its previous contents of FILE.h5, while it continues from the checkpoint
//     FILE.h5.work/lock             locked by the program that writes
//     *.work/next, *.work/last      see AtomicFile
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/storage/hdf5.hpp"
#include "experiments/harness/system/files.hpp"

#include <set>

namespace shoal {

/// "0001" for 0
std::string run_id(std::size_t index);
std::vector<std::string> run_ids(std::size_t count);  ///< of the first `count` runs
/// The id of a run as typed: "0002" for "2".
std::string run_id(const std::string& typed);

/// The format version that the program writes, and the newest one that it reads.
constexpr std::int64_t format_version = 1;

/// A lock held while a results file or its tables are being written. Meanwhile, signals end the program in good order
/// (StopSignals).
class OutputLock {
 public:
  /// Creates the folder if necessary. Throws MachineError if it is not writable or another program holds the lock.
  explicit OutputLock(const std::filesystem::path& output);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  StopSignals signals_;
  std::unique_ptr<WorkFolder> folder_;
  std::filesystem::path path_;
  std::unique_ptr<RemoveOnSignal> removal_;
  int file_ = -1;
};

/// Creates a results file without runs, dated now; `command` is the command as typed. The file appears under its name when it
/// is first flushed.
hdf5::File create_results(const Catalog& catalog, const std::filesystem::path& path,
                          const Experiment& experiment, const std::string& command,
                          hdf5::Access access = hdf5::Access::create);

/// Whether results contain a run that need not be computed again.
bool is_complete(const hdf5::Group& runs, const std::string& id);

std::filesystem::path part_path(const std::filesystem::path& output, const std::string& id);

/// The path of a run's checkpoint, and that of a copy of its previous results.
std::filesystem::path save_path(const std::filesystem::path& output, const std::string& id);
std::filesystem::path previous_results_path(const std::filesystem::path& output, const std::string& id);

/// Copies the results of a run that has a checkpoint to previous_results_path(). Returns whether both exist.
bool keep_partial(const hdf5::File& results, const std::string& id);

/// Removes checkpoints and copies of previous results, except for the runs of `keep`, and temporary files of processes that
/// were killed while saving.
void remove_saves(const std::filesystem::path& output, const std::set<std::string>& keep);

/// Removes files of `output` left by killed programs: parts, and files that were being written.
void remove_leftovers(const std::filesystem::path& output);

/// Whether a part contains its run, at least its beginning.
bool part_holds_run(const std::filesystem::path& part, const std::string& id);

/// Replaces /runs/<id> of `results` by a link to the part.
void link_part(hdf5::File& results, const std::string& id);

/// Copies the run from its part to `results`, replacing a link or previous contents.
void merge_part(hdf5::File& results, const std::filesystem::path& part, const std::string& id);

/// Copies a run of other results, with the views of its snapshots, replacing previous contents.
void copy_run(hdf5::File& results, const hdf5::Group& source, const std::string& id);

/// Removes a part. If that fails, the next start removes it.
void remove_part(const std::filesystem::path& output, const std::string& id);

/// Removes a run from `results`.
void remove_run(hdf5::File& results, const std::string& id);

}  // namespace shoal
