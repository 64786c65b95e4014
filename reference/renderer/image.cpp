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

Cutout cut_out(const Image& on_black, const Image& on_white, double white) {
  Cutout cutout{Image(on_black.width, on_black.height), {}};
  for (int row = 0; row < on_black.height; ++row)
    for (int column = 0; column < on_black.width; ++column) {
      const Color black = on_black.color(column, row), other = on_white.color(column, row);
      double opacity = 1, brightest = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        opacity -= (other[c] - black[c]) / (3 * white);
        brightest = std::max(brightest, black[c]);
      }
      opacity = std::round(255 * std::clamp(opacity, brightest, 1.0)) / 255;
      std::uint8_t* at = cutout.image.pixel(column, row);
      for (std::size_t c = 0; c < 3; ++c)
        at[c] =
            static_cast<std::uint8_t>(opacity > 0 ? std::lround(255 * std::min(1.0, black[c] / opacity)) : 0);
      cutout.opacity.push_back(static_cast<std::uint8_t>(std::lround(255 * opacity)));
    }
  return cutout;
}

namespace {

void write_png(const std::string& path, int width, int height, png_uint_32 format,
               const std::uint8_t* bytes) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(width);
  header.height = static_cast<png_uint_32>(height);
  header.format = format;
  const std::string part = path + ".part";
  const bool written = png_image_write_to_file(&header, part.c_str(), 0, bytes, 0, nullptr) != 0;
  std::error_code failure;
  if (written) std::filesystem::rename(part, path, failure);
  if (written && !failure) return;
  const std::string reason = written ? failure.message() : header.message;
  std::filesystem::remove(part, failure);
  throw MachineError(fmt::format("cannot write '{}': {}", path, reason));
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  write_png(path, image.width, image.height, PNG_FORMAT_RGB, image.bytes.data());
}

void write_png(const std::string& path, const Cutout& cutout) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < cutout.opacity.size(); ++i) {
    bytes.insert(bytes.end(), &cutout.image.bytes[3 * i], &cutout.image.bytes[3 * i] + 3);
    bytes.push_back(cutout.opacity[i]);
  }
  write_png(path, cutout.image.width, cutout.image.height, PNG_FORMAT_RGBA, bytes.data());
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
