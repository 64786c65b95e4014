// Pictures in memory and as PNG files.
#pragma once

#include "reference/renderer/color_map.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shoal {

/// Rows from the top, three bytes per pixel: red, green, blue in sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bytes;  ///< [height · width · 3]

  Image() = default;
  Image(int columns, int rows)
      : width(columns),
        height(rows),
        bytes(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows) * 3) {}
  std::uint8_t* pixel(int column, int row) { return bytes.data() + offset(column, row); }
  const std::uint8_t* pixel(int column, int row) const { return bytes.data() + offset(column, row); }
  Color color(int column, int row) const;
  /// Blends a colour over a pixel, `opacity` from 0 to 1; ignores pixels outside the image.
  void blend(int column, int row, const Color& color, double opacity);

 private:
  std::size_t offset(int column, int row) const {
    return 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(column));
  }
};

/// An image with an opacity from 0 to 255 for each pixel.
struct Cutout {
  Image image;
  std::vector<std::uint8_t> opacity;  ///< [height · width], rows from the top
};

/// What is seen as B over black and as W over a background that looks `white` (0 to 1) has the opacity α = 1 − (W − B)/white, averaged over
/// the colours, but at least the brightest colour of B; its colours are B/α. Over black it gives B again.
Cutout cut_out(const Image& on_black, const Image& on_white, double white);

/// Equal images give equal bytes. Throws MachineError if the file cannot be written; no file is left then.
void write_png(const std::string& path, const Image& image);
void write_png(const std::string& path, const Cutout& cutout);
/// Reads any PNG as red, green, blue. Throws Error if the file is not a PNG.
Image read_png(const std::string& path);

}  // namespace shoal
