// Videos by ffmpeg, which gets the pictures through a pipe.
#pragma once

#include "experiments/harness/system/stop_signals.hpp"
#include "reference/renderer/image.hpp"

#include <sys/types.h>

#include <filesystem>

namespace shoal {

/// Throws MachineError where there is no ffmpeg on the PATH.
void require_ffmpeg();

/// A file of H.264 in MP4, of pictures of the same size, both of whose sides are even. It appears under its name by finish(),
/// which says that all pictures are in it; without, nothing is left.
class Video {
 public:
  /// Throws MachineError where ffmpeg does not start.
  Video(const std::filesystem::path& path, int width, int height, double rate);
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  /// Throws MachineError where ffmpeg has ended.
  void add(const Image& image);
  /// Throws MachineError where ffmpeg fails, in its own words on standard error.
  void finish();

 private:
  std::filesystem::path path_, part_;
  RemoveOnSignal goes_;  // the part
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace shoal
