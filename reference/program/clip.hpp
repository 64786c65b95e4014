// A simulation frame by frame, into pictures, a video and meshes.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "reference/renderer/renderer.hpp"
#include "reference/view/run_view.hpp"

#include <filesystem>

namespace shoal {

enum class MeshFormat { obj, ply, glb };

struct ClipOptions {
  std::int64_t frames = 0;                   ///< 0: up to the end of the run
  double rate = 60;                          ///< frames per second of the video
  double speed = 1;                          ///< seconds simulated in a second of the video
  std::filesystem::path png, video, meshes;  ///< folder, file, folder; empty: none
  MeshFormat format = MeshFormat::ply;
  bool fresh = false;  ///< replaces what an earlier clip has left
  bool quiet = false;  ///< no progress, no notes
  RenderOptions render;
};

/// How a clip ended: as a run does (experiments/harness/run/recorder.hpp), with the signal that stopped it or 0.
struct ClipEnd {
  Outcome outcome;
  std::int64_t frames = 0;  ///< that were written
  int signal = 0;
};

/// Simulates and writes frame k at the step nearest to k · speed/rate seconds. Where the frame or the range of colours has to
/// follow the whole clip, it is simulated twice. A run that becomes unstable ends the clip, which keeps what was written.
/// Throws Error where there is something already that `fresh` would replace, MachineError where something cannot be written.
ClipEnd make_clip(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                  const ViewOptions& view, const ClipOptions& options);

}  // namespace shoal
