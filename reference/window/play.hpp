// The window to play in.
#pragma once

#include "reference/session/session.hpp"

#include <filesystem>

namespace shoal {

struct PlayOptions {
  int width = 1100, height = 750;  ///< pixels
  std::filesystem::path record;    ///< where the session goes at the end, as an experiment; "": nowhere
  std::filesystem::path pictures = "results/window";  ///< the folder of screenshots and videos
  bool panels = true, paused = false;
};

/// Opens the window and stays until it is closed. Throws MachineError where there is no display.
void play(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
          const PlayOptions& options);

}  // namespace shoal
