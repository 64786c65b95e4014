// One run from its first step to its outcome, recorded into a file as it goes.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/run/observer.hpp"
#include "experiments/harness/run/run_attributes.hpp"

#include <functional>

namespace shoal {

/// When the fields of a run are kept.
struct SnapshotPlan {
  std::string asked;                ///< by the user, or else by the scene; those up to the end of the run
  std::string note;                 ///< what the user should know, or ""
  std::vector<std::int64_t> steps;  ///< nearest to them, where all steps have one length
  std::vector<double> times;        ///< s; met exactly if the run chooses its steps
};
SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Run& run);

struct ObservedRun {
  std::unique_ptr<Run> run;
  std::unique_ptr<Observer> observer;  ///< of it
};

struct RunHooks {
  std::function<void(const Run&)> stepped;
  std::function<void()> beginning = [] {};  ///< the file is about to hold this run, and no earlier one
  std::function<void()> flushed = [] {};    ///< the file holds more than before
  std::function<void(double)> continued = [](double /*time*/) {};  ///< from where it was saved
};

/// Where a run under way is saved so that it goes on after the program was ended.
struct SavePlan {
  std::filesystem::path file;  ///< see saved_run.hpp; "": nowhere
  std::filesystem::path
      earlier;  ///< a file with what the results held of the run; "" or not there: it begins anew
  std::string identity;
  double interval = 0;  ///< s at least from one save to the next; and when a signal ends the run
};

/// The machine lacks what setting up a run takes; nothing of the run is recorded.
class Shortage : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Records the run as /runs/<id> of `file` and computes until it is finished, unstable, failed or stopped by
/// a signal, from where it was saved if it was. Whatever is thrown within a step or by what is recorded ends the run: as
/// solver-failed, as input-refused where an input could not be at its time, or as interrupted where the machine lacks
/// something. Throws what setting it up throws, Shortage for
/// MachineError and std::bad_alloc; and MachineError where the file cannot be written, saying up to what time it holds the run.
/// `make` sets the run up; it is called again if the run cannot resume from what was saved.
Outcome compute(hdf5::File& file, const std::string& id, const RunConfiguration& configuration,
                const std::function<ObservedRun()>& make, const RunHooks& hooks, const SavePlan& saves);
/// The same for a simulation; the file must contain the mesh.
Outcome compute(const Catalog& catalog, hdf5::File& file, const std::string& id,
                const RunConfiguration& configuration, const Surface& surface, const RunHooks& hooks,
                const SavePlan& saves);

/// Records a run that is not computed, with attributes only.
void record_without_computing(const Catalog& catalog, hdf5::File& file, const std::string& id,
                              const RunConfiguration& configuration, const Surface& surface,
                              const Outcome& outcome);

}  // namespace shoal
