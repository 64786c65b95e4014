#include "reference/window/film.hpp"

#include <algorithm>

namespace shoal {

constexpr double video_rate = 30;  // pictures per second

void Film::begin(const std::filesystem::path& path, int width, int height) {
  path_ = path;
  width_ = even(width);
  height_ = even(height);
  video_ = std::make_unique<Video>(path_, width_, height_, video_rate);
  next_ = Clock::now();
}

void Film::take(const std::function<Image()>& read) {
  if (Clock::now() < next_) return;
  const Image whole = read();
  Image image(width_, height_);
  for (int row = 0; row < height_; ++row) std::copy_n(whole.pixel(0, row), 3 * width_, image.pixel(0, row));
  constexpr auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / video_rate));
  for (; next_ <= Clock::now(); next_ += interval) video_->add(image);
}

void Film::end() {
  const std::unique_ptr<Video> video = std::move(video_);
  video->finish();
}

}  // namespace shoal
