// Videos, encoded by ffmpeg, which receives the pictures through a pipe.
#pragma once

#include "experiments/harness/system/stop_signals.hpp"
#include "reference/renderer/image.hpp"

#include <sys/types.h>

#include <filesystem>

namespace shoal {

/// Throws MachineError if ffmpeg is not on the PATH.
void require_ffmpeg();

/// An MP4 file (H.264) of pictures of one size with even width and height. finish() completes it and gives it its name; without
/// finish(), no file remains.
class Video {
 public:
  /// Throws MachineError if ffmpeg does not start.
  Video(const std::filesystem::path& path, int width, int height, double rate);
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  /// Throws MachineError if ffmpeg has ended.
  void add(const Image& image);
  /// Throws MachineError if ffmpeg fails; ffmpeg reports the reason on standard error.
  void finish();

 private:
  std::filesystem::path path_, part_;
  RemoveOnSignal removal_;  // the part
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace shoal
