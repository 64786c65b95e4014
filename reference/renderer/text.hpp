// Text on images, by FreeType with DejaVu Sans.
#pragma once

#include "reference/renderer/image.hpp"

#include <memory>
#include <string>

namespace shoal {

/// Of DejaVu Sans.
std::string font_file();

enum class Align { left, middle, right };

class Font {
 public:
  /// Throws MachineError where FreeType or the font's file is missing.
  Font();
  ~Font();
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;

  /// Pixels from the left edge of the text to its right edge; `size` the height of an em in pixels.
  int width(const std::string& text, int size) const;
  /// Draws UTF-8 text in one line; x and y are those of the base line's left end, middle or right end.
  void draw(Image& image, int x, int y, int size, const std::string& text, const Color& color,
            Align align = Align::left) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace shoal
