// The results file of an experiment on disk: which experiment it belongs to, what it holds already, and the
// parts beside it in which a sweep computes its runs.
//
//     FILE.h5               finished runs; a run under way is a link to
//     FILE.h5.part-0003     results of run 0003 alone, until they are copied into FILE.h5
//     FILE.h5.lock          held by the program that writes
//     *.next, *.last        see TwinFile
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// "0001" for 0
std::string run_id(std::size_t index);

/// Of the results that we write, and the newest that we read.
constexpr std::int64_t format_version = 1;

/// Held while a results file is written.
class OutputLock {
 public:
  /// Makes the folder if there is none. Throws MachineError if it cannot be written or if another program
  /// holds the lock.
  explicit OutputLock(const std::filesystem::path& output);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// Whether `output` holds the "runs" or the "frontier" of this plan already, or part of them. Throws Error if
/// it holds anything that is not to be replaced; `fresh` allows to replace results of shoal.
bool goes_on(const Catalog& catalog, const std::filesystem::path& output, bool fresh,
             const std::vector<PlannedRun>& plan, const std::string& contents);

/// A new results file without runs, as of now; `command` is what was typed. Appears under its name when it is
/// flushed.
hdf5::File create_results(const Catalog& catalog, const std::filesystem::path& path,
                          const Experiment& experiment, const std::string& command);

/// Which runs of a results file need not be computed again.
std::vector<bool> complete_runs(const std::filesystem::path& path, std::size_t count);

std::filesystem::path part_path(const std::filesystem::path& output, const std::string& id);

/// Whether a program that was killed has left a part with all of a run of this plan.
bool part_is_complete(const Catalog& catalog, const std::filesystem::path& output, const std::string& id,
                      const std::vector<PlannedRun>& plan);

/// Removes all parts but those of the runs named.
void remove_parts(const std::filesystem::path& output, const std::vector<std::string>& except);

/// Whether a part holds its run, if only the beginning.
bool part_holds_run(const std::filesystem::path& part, const std::string& id);

/// Makes /runs/<id> of `results` a link into the part, in place of what is there of the run.
void link_part(hdf5::File& results, const std::string& id);

/// Copies the run out of its part, in place of a link or of what is there of it.
void merge_part(hdf5::File& results, const std::string& id);

/// What cannot be removed now is removed at the next start.
void remove_part(const std::filesystem::path& output, const std::string& id);

/// Removes what `results` holds of a run.
void remove_run(hdf5::File& results, const std::string& id);

}  // namespace shoal
