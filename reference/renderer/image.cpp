// PNG through the simplified interface of libpng.
#include "reference/renderer/image.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace shoal {

Color Image::color(int column, int row) const {
  const std::uint8_t* at = pixel(column, row);
  return {at[0] / 255.0, at[1] / 255.0, at[2] / 255.0};
}

void Image::blend(int column, int row, const Color& color, double opacity) {
  if (column < 0 || row < 0 || column >= width || row >= height) return;
  std::uint8_t* at = pixel(column, row);
  for (std::size_t c = 0; c < 3; ++c)
    at[c] = static_cast<std::uint8_t>(
        std::lround((1 - opacity) * at[c] + opacity * 255 * std::clamp(color[c], 0.0, 1.0)));
}

void write_png(const std::string& path, const Image& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  const std::string part = path + ".part";
  const bool written = png_image_write_to_file(&header, part.c_str(), 0, image.bytes.data(), 0, nullptr) != 0;
  std::error_code failure;
  if (written) std::filesystem::rename(part, path, failure);
  if (written && !failure) return;
  const std::string reason = written ? failure.message() : header.message;
  std::filesystem::remove(part, failure);
  throw MachineError(fmt::format("cannot write '{}': {}", path, reason));
}

Image read_png(const std::string& path) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&header, path.c_str()) == 0)
    throw Error(fmt::format("'{}' is not a PNG file: {}", path, header.message));
  header.format = PNG_FORMAT_RGB;
  Image image(static_cast<int>(header.width), static_cast<int>(header.height));
  if (png_image_finish_read(&header, nullptr, image.bytes.data(), 0, nullptr) == 0)
    throw Error(fmt::format("'{}' is damaged: {}", path, header.message));
  return image;
}

}  // namespace shoal
