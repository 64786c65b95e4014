// What a run will need, from a few of its steps. Nothing is written.
#pragma once

#include "experiments/harness/run/compute.hpp"

namespace shoal {

struct StepTimes {
  double steps = 0;       ///< taken
  double each = 0;        ///< s, the mean of all but the first if there are several
  double first = 0;       ///< s, with factorizations
  StageClock clock = {};  ///< of all steps
};

/// Takes steps with their rows of diagnostics, as compute() does without recording, until the run ends or a limit is reached.
StepTimes time_steps(ObservedRun& observed, const RunConfiguration& configuration, std::int64_t max_steps,
                     double max_seconds);

/// The size of a results file by its contents. HDF5 allocates rows in chunks and snapshots one by one.
struct DiskModel {
  double file = 0, mesh = 0;                   ///< bytes of the file without runs and of the mesh
  double run = 0;                              ///< without rows and snapshots
  double first_rows = 0, more_rows = 0;        ///< of the first and of each further chunk of rows
  double first_timings = 0, more_timings = 0;  ///< likewise of steps
  double snapshot = 0;                         ///< with its views
  double of_run(double rows, double steps, double snapshots) const;
};

struct RunForecast {
  double cells = 0, substeps = 1, steps = 0, rows = 0, snapshots = 0;
  double chooses_steps = 0;   ///< 1 if `steps` is an estimate because the run chooses them
  double steps_at_start = 0;  ///< Run::steps() of the run at its start
  double setup = 0, step = 0, first_step = 0, snapshot = 0;  ///< s; a step with its share of rows
  double memory = 0;  ///< bytes by which the resident set of the process grew at most
  DiskModel disk;
  double seconds() const { return setup + first_step + step * (steps - 1) + snapshot * snapshots; }
  double bytes() const { return disk.of_run(rows, steps, snapshots); }
};

/// The number of snapshots of a run.
double count_snapshots(const SnapshotPlan& plan, double end);

/// Sets up the run, takes steps within the limits and records them in memory. The disk is measured by recording in the same way
/// as compute(), but one row and one snapshot again and again. With dt = auto, the later steps are in proportion to the stable
/// step of the present water on the surface at later times. Throws like Simulation, and Error if a step fails.
RunForecast forecast_run(const Catalog& catalog, const Experiment& experiment,
                         const RunConfiguration& configuration, const Surface& surface,
                         std::int64_t max_steps, double max_seconds);

}  // namespace shoal
