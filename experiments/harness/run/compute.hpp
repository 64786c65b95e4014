// Computes one run from its first step to its outcome and records it in a file.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/run/observer.hpp"
#include "experiments/harness/run/run_attributes.hpp"

#include <functional>

namespace shoal {

/// The instants at which the fields of a run are recorded.
struct SnapshotPlan {
  std::string asked;  ///< requested by the user, otherwise by the scene, up to the end of the run
  std::string note;   ///< a note for the user, or ""
  std::vector<std::int64_t> steps;  ///< nearest to them, if all steps have the same length
  std::vector<double> times;        ///< s; met exactly if the run chooses its steps
};
SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Run& run);

struct ObservedRun {
  std::unique_ptr<Run> run;
  std::unique_ptr<Observer> observer;  ///< of the run
};

/// Sets up a run of a simulation. `catalog` and `surface` must outlive it. `ranks` share the run; null: this process is alone.
ObservedRun set_up_run(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       std::shared_ptr<const Ranks> ranks = nullptr);

struct RunHooks {
  std::function<void(const Run&)> stepped;
  std::function<void()> beginning = [] {};  ///< before this run replaces earlier ones in the file
  std::function<void()> flushed = [] {};    ///< new data are in the file
  std::function<void(double)> continued = [](double /*time*/) {};  ///< the run resumes from its checkpoint
};

/// The checkpoint of a run, from which it continues after the program was ended.
struct SavePlan {
  std::filesystem::path file;  ///< see saved_run.hpp; "": nowhere
  std::filesystem::path
      previous;  ///< a file with the run's previous results; if "" or missing, the run restarts
  std::string identity;
  double interval = 0;  ///< s, minimum time between checkpoints; a signal that ends the run makes one too
};

/// The machine lacks resources to set up a run; nothing of the run is recorded.
class Shortage : public MachineError {
 public:
  using MachineError::MachineError;
};

/// Records the run as /runs/<id> of `file` and computes it, from its checkpoint if there is one, until it is finished, unstable,
/// failed or stopped by a signal. An exception within a step or from recording ends the run: as solver-failed, as input-refused if
/// an input is invalid at its time, or as interrupted if the machine lacks resources. Exceptions of the setup are passed on,
/// MachineError and std::bad_alloc as Shortage. Throws MachineError if the file cannot be written; its message gives the time up to
/// which the file contains the run. `make` sets up the run; it is called again if the run cannot resume from its checkpoint. Of several
/// processes all call this; rank 0 records the whole, and the others give a file in memory, which contains no fields.
Outcome compute(hdf5::File& file, const std::string& id, const RunConfiguration& configuration,
                const std::function<ObservedRun()>& make, const RunHooks& hooks, const SavePlan& saves);
/// The same for a simulation; the file must contain the mesh.
Outcome compute(const Catalog& catalog, hdf5::File& file, const std::string& id,
                const RunConfiguration& configuration, const Surface& surface, const RunHooks& hooks,
                const SavePlan& saves, std::shared_ptr<const Ranks> ranks = nullptr);

/// Records a run that is not computed; it has attributes only.
void record_without_computing(const Catalog& catalog, hdf5::File& file, const std::string& id,
                              const RunConfiguration& configuration, const Surface& surface,
                              const Outcome& outcome);

}  // namespace shoal
