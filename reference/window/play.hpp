// The window to play in.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "reference/view/run_view.hpp"

#include <filesystem>
#include <variant>

namespace shoal {

/// A run of a results file.
struct Recording {
  std::string file, id;  ///< "": the first run with snapshots
};

struct PlayOptions {
  int width = 1100, height = 750;  ///< pixels
  std::filesystem::path record;    ///< where the session goes at the end, as an experiment; "": nowhere
  bool fresh = false;              ///< in place of a file that is not a session, too
  std::filesystem::path pictures = "results/window";  ///< the folder of screenshots and videos
  bool panels = true, paused = false;
  double measure = 0;  ///< s, after which it closes and prints how long pictures and steps took; 0: by hand
};

/// The first run of an experiment as it is played: where nothing is said of the advection it is semi-lagrangian, as in Angst 2007,
/// if it goes with the scheme; without one, water into which things are thrown becomes unstable within half a minute. And it is open
/// to inputs, the inertia of a surface that is dragged smoothed and limited as there.
PlannedRun plan_to_play(const Catalog& catalog, const Experiment& experiment);

/// Opens the window and stays until it is closed. What cannot be loaded is said in the window, where something else can be chosen;
/// if nothing was, the Error is thrown at the end. Throws MachineError where there is no display.
void play(const Catalog& catalog, const std::variant<RunConfiguration, Recording>& subject,
          const ViewOptions& view, const PlayOptions& options);

}  // namespace shoal
