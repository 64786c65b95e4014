// Writes a simulation frame by frame as pictures, a video or meshes.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "reference/renderer/renderer.hpp"
#include "reference/view/run_view.hpp"

#include <filesystem>

namespace shoal {

enum class MeshFormat { obj, ply, glb };

struct ClipOptions {
  std::int64_t frames = 0;                   ///< 0: until the end of the run
  double rate = 60;                          ///< frames per second of the video
  double speed = 1;                          ///< simulated seconds per second of video
  std::filesystem::path png, video, meshes;  ///< folder, file, folder; empty: none
  MeshFormat format = MeshFormat::ply;
  bool fresh = false;          ///< replaces the files of an earlier clip
  bool quiet = false;          ///< no progress, no notes
  bool transparent = false;    ///< pictures without background; not for videos
  bool every_snapshot = true;  ///< of results: a frame for each snapshot, whatever `speed`
  RenderOptions render;
};

/// How a clip ended: the outcome of its run (experiments/harness/run/recorder.hpp) and the signal that stopped it.
struct ClipEnd {
  Outcome outcome;
  std::int64_t frames = 0;  ///< number written
  int signal = 0;           ///< 0: none
  /// Medians over the pictures after the first, s: the surfaces and lines of a picture; drawing it with OpenGL and reading it back.
  double prepare = 0, draw = 0;
};

/// Simulates and writes frame k at k · speed/rate seconds, or at the nearest step if dt is given. If the framing or the range of colours depends on the
/// whole clip, the run is simulated twice. An unstable run ends the clip; the frames written so far are kept. Throws Error if files
/// exist that only `fresh` may replace, and MachineError if writing fails.
ClipEnd make_clip(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                  const ViewOptions& view, const ClipOptions& options);

/// Draws the snapshots of a run of a results file; at time k · speed/rate after the first one the nearest, unless `every_snapshot`. Throws as
/// SavedRun and make_clip() do.
ClipEnd make_clip_of_results(const Catalog& catalog, const std::string& file, const std::string& id,
                             const ViewOptions& view, const ClipOptions& options);

}  // namespace shoal
