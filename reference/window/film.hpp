// Records a video of the window.
#pragma once

#include "reference/program/video.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace shoal {

class Film {
 public:
  bool running() const { return video_ != nullptr; }
  const std::filesystem::path& path() const { return path_; }  ///< of the present video, or of the last one
  /// Starts a video of pictures of this size; an odd width or height is reduced by one. Throws MachineError if ffmpeg does not
  /// start.
  void begin(const std::filesystem::path& path, int width, int height);
  bool fits(int width, int height) const { return even(width) == width_ && even(height) == height_; }
  /// Adds the picture returned by `read` as many times as the frame rate requires by now, possibly not at all. Throws MachineError
  /// if ffmpeg has ended.
  void take(const std::function<Image()>& read);
  /// Completes the video. Throws MachineError if ffmpeg fails; the recording has then ended, too.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  static int even(int size) { return size / 2 * 2; }

  std::unique_ptr<Video> video_;
  std::filesystem::path path_;
  int width_ = 0, height_ = 0;
  Clock::time_point next_;
};

}  // namespace shoal
