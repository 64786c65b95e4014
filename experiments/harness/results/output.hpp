// The results file of an experiment on disk while it is written, and the parts in which a sweep computes its
// runs.
//
//     FILE.h5                       finished runs; a run under way is a link to
//     FILE.h5.work/part-0003        results of run 0003 alone, until they are copied into FILE.h5
//     FILE.h5.work/save-0003        run 0003 as it was when it was saved (saved_run.hpp), until it is complete
//     FILE.h5.work/earlier-0003     what FILE.h5 held of it, while it goes on from there
//     FILE.h5.work/lock             held by the program that writes
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
/// As it was typed: "0002" for "2".
std::string run_id(const std::string& typed);

/// Of the results that we write, and the newest that we read.
constexpr std::int64_t format_version = 1;

/// Held while a results file is written, or tables beside it. Signals end the program in good order meanwhile
/// (StopSignals).
class OutputLock {
 public:
  /// Makes the folder if there is none. Throws MachineError if it cannot be written or if another program
  /// holds the lock.
  explicit OutputLock(const std::filesystem::path& output);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  StopSignals signals_;
  std::unique_ptr<WorkFolder> folder_;
  std::filesystem::path path_;
  std::unique_ptr<RemoveOnSignal> goes_;
  int file_ = -1;
};

/// A new results file without runs, as of now; `command` is what was typed. Appears under its name when it is
/// flushed.
hdf5::File create_results(const Catalog& catalog, const std::filesystem::path& path,
                          const Experiment& experiment, const std::string& command);

/// Whether results hold a run that need not be computed again.
bool is_complete(const hdf5::Group& runs, const std::string& id);

std::filesystem::path part_path(const std::filesystem::path& output, const std::string& id);

/// Where a run is saved, and where is put aside what the results held of it.
std::filesystem::path save_path(const std::filesystem::path& output, const std::string& id);
std::filesystem::path earlier_path(const std::filesystem::path& output, const std::string& id);

/// Copies to earlier_path() what `results` hold of a run that was saved; whether there is both.
bool keep_partial(const hdf5::File& results, const std::string& id);

/// Removes what runs have been saved to, but for those of `keep`, and what was put aside, but for those; and
/// what processes that were killed while they saved have left of writing it.
void remove_saves(const std::filesystem::path& output, const std::set<std::string>& keep);

/// Removes what programs that were killed have left of `output`: parts, and files that were being written.
void remove_leftovers(const std::filesystem::path& output);

/// Whether a part holds its run, if only the beginning.
bool part_holds_run(const std::filesystem::path& part, const std::string& id);

/// Makes /runs/<id> of `results` a link into the part, in place of what is there of the run.
void link_part(hdf5::File& results, const std::string& id);

/// Copies the run out of its part, in place of a link or of what is there of it.
void merge_part(hdf5::File& results, const std::filesystem::path& part, const std::string& id);

/// Copies a run of other results, and the view of each of its snapshots, in place of what is there of it.
void copy_run(hdf5::File& results, const hdf5::Group& source, const std::string& id);

/// What cannot be removed now is removed at the next start.
void remove_part(const std::filesystem::path& output, const std::string& id);

/// Removes what `results` holds of a run.
void remove_run(hdf5::File& results, const std::string& id);

}  // namespace shoal
