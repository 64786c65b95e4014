// Glyphs of FreeType blended into an image.
#include "reference/renderer/text.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <cstdint>
#include <vector>

namespace shoal {
namespace {

/// The characters of UTF-8 text; invalid bytes are kept as characters.
std::vector<std::uint32_t> characters(const std::string& text) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    std::uint32_t character = more == 0 ? first : first & (0x3fU >> more);
    for (; more > 0 && i < text.size(); --more)
      character = character << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fU);
    found.push_back(character);
  }
  return found;
}

}  // namespace

std::string font_file() {
  return SHOAL_FONT;
}

struct Font::Library {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  ~Library() {
    if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }
  /// Calls `place(glyph, left)` for each character, `left` in pixels; returns where the text ends.
  template <class Place>
  int run(const std::string& text, int size, Place&& place) const {
    FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(size));
    int left = 0;
    for (const std::uint32_t character : characters(text)) {
      if (FT_Load_Char(face, character, FT_LOAD_RENDER) != 0) continue;
      place(*face->glyph, left);
      left += static_cast<int>(face->glyph->advance.x >> 6);
    }
    return left;
  }
};

Font::Font() : library_(std::make_unique<Library>()) {
  if (FT_Init_FreeType(&library_->library) != 0) throw MachineError("cannot initialize FreeType");
  if (FT_New_Face(library_->library, SHOAL_FONT, 0, &library_->face) != 0)
    throw MachineError(
        fmt::format("cannot read the font '{}' (Debian's package: fonts-dejavu-core)", SHOAL_FONT));
}

Font::~Font() = default;

int Font::width(const std::string& text, int size) const {
  return library_->run(text, size, [](const FT_GlyphSlotRec&, int) {});
}

void Font::draw(Image& image, int x, int y, int size, const std::string& text, const Color& color,
                Align align) const {
  const int begin = align == Align::left    ? x
                    : align == Align::right ? x - width(text, size)
                                            : x - width(text, size) / 2;
  library_->run(text, size, [&](const FT_GlyphSlotRec& glyph, int left) {
    for (unsigned row = 0; row < glyph.bitmap.rows; ++row)
      for (unsigned column = 0; column < glyph.bitmap.width; ++column) {
        const unsigned char gray =
            glyph.bitmap.buffer[static_cast<std::size_t>(row) * static_cast<std::size_t>(glyph.bitmap.pitch) +
                                column];
        image.blend(begin + left + glyph.bitmap_left + static_cast<int>(column),
                    y - glyph.bitmap_top + static_cast<int>(row), color, gray / 255.0);
      }
  });
}

}  // namespace shoal
