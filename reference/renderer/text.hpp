// Text on images, drawn by FreeType with DejaVu Sans.
#pragma once

#include "reference/renderer/image.hpp"

#include <memory>
#include <string>

namespace shoal {

/// The file of DejaVu Sans.
std::string font_file();

enum class Align { left, middle, right };

class Font {
 public:
  /// Throws MachineError if FreeType or the font's file is missing.
  Font();
  ~Font();
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;

  /// Width of a text in pixels; `size` is the height of an em in pixels.
  int width(const std::string& text, int size) const;
  /// Draws one line of UTF-8 text; (x, y) is the left end, middle or right end of its base line.
  void draw(Image& image, int x, int y, int size, const std::string& text, const Color& color,
            Align align = Align::left) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace shoal
