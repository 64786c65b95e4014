// The interactive window.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "reference/session/plan_to_play.hpp"
#include "reference/view/run_view.hpp"

#include <filesystem>

namespace shoal {

struct PlayOptions {
  int width = 1100, height = 750;  ///< pixels
  std::filesystem::path record;    ///< file to which the session is saved at the end; "": none
  bool fresh = false;              ///< replaces `record` even if it is not a session
  std::filesystem::path pictures = "results/window";  ///< the folder of screenshots and videos
  std::vector<std::string> bodies{};                  ///< files of closed meshes to throw
  std::string experiment,
      run;  ///< the file of the subject and its run, if it is of an experiment; "": the first
  bool panels = true, paused = false;
  /// Pushes, sources and new runs have the defaults of Angst 2007, table C.2, and the camera flies, as in table C.1.
  bool thesis = false;
  double measure =
      0;  ///< s, after which the window closes and the times of frames and steps are printed; 0: never
};

/// Opens the window and returns when it is closed. The window reports what cannot be loaded and lets the user choose something else;
/// if nothing was ever loaded, the Error is thrown at the end. Throws MachineError if there is no display.
void play(const Catalog& catalog, const std::variant<RunConfiguration, Recording>& subject,
          const ViewOptions& view, const PlayOptions& options);

}  // namespace shoal
