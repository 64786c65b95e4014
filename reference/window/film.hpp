// A video of what the window shows.
#pragma once

#include "reference/program/video.hpp"

#include <chrono>
#include <functional>
#include <memory>

namespace shoal {

class Film {
 public:
  bool running() const { return video_ != nullptr; }
  const std::filesystem::path& path() const { return path_; }  ///< of the present one, or of the last
  /// Of pictures of this size, less a column or a row where that is odd. Throws MachineError where ffmpeg does not start.
  void begin(const std::filesystem::path& path, int width, int height);
  bool fits(int width, int height) const { return even(width) == width_ && even(height) == height_; }
  /// Takes the picture that `read` gives as often as the rate asks for by now, which may be never. Throws
  /// MachineError where ffmpeg has ended.
  void take(const std::function<Image()>& read);
  /// Throws MachineError where ffmpeg fails; it has ended then too.
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
