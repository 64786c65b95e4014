// Two readers, for two formats with the same name.
#include "discretizations/mesh/formats/stl_format.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <cstring>

namespace shoal {
namespace {

constexpr std::size_t head_bytes = 84, facet_bytes = 50, normal_bytes = 12;

/// The number of facets in the header of a binary file.
std::uint32_t counted_facets(std::string_view bytes) {
  std::uint32_t facets = 0;
  if (bytes.size() >= head_bytes)
    std::memcpy(&facets, bytes.data() + head_bytes - sizeof facets, sizeof facets);
  return facets;
}

std::size_t binary_size(std::uint32_t facets) {
  return head_bytes + facet_bytes * std::size_t{facets};
}

/// Makes the last three vertices a facet.
void close_facet(Polygons& polygons) {
  for (Index k = 0; k < 3; ++k) polygons.corner.push_back(3 * polygons.count() + k);
  polygons.close_face();
}

Polygons parse_binary(std::string_view bytes) {
  const std::uint32_t facets = counted_facets(bytes);
  Polygons polygons;
  polygons.x.resize(3, 3 * static_cast<Eigen::Index>(facets));
  for (std::uint32_t facet = 0; facet < facets; ++facet) {
    float corner[9];
    std::memcpy(corner, bytes.data() + binary_size(facet) + normal_bytes, sizeof corner);
    polygons.x.middleCols<3>(3 * static_cast<Eigen::Index>(facet)) =
        Eigen::Map<const Eigen::Matrix3f>(corner).cast<double>();
    close_facet(polygons);
  }
  return polygons;
}

bool same_word(std::string_view word, std::string_view lower_case) {
  const auto equal = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b); };
  return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(), equal);
}

/// solid NAME { facet normal N outer loop { vertex X Y Z } × 3 endloop endfacet } endsolid NAME, word by
/// word.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : words_(text) {}

  Polygons read() {
    while (!words_.at_end()) read_solid();
    polygons_.x = Points::Map(positions_.data(), 3, static_cast<Eigen::Index>(positions_.size() / 3));
    return std::move(polygons_);
  }

 private:
  void read_solid() {
    expect("solid");
    words_.skip_line();  // skips the name
    for (;;) {
      const std::string_view word = next("'facet' or 'endsolid'");
      if (same_word(word, "endsolid")) break;
      if (!same_word(word, "facet")) complain(word, "'facet' or 'endsolid'");
      read_facet();
    }
    words_.skip_line();
  }

  void read_facet() {
    expect("normal");
    for (int i = 0; i < 3; ++i) number("a number of the facet's normal");
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      for (int i = 0; i < 3; ++i) positions_.push_back(number("a coordinate"));
    }
    expect("endloop");
    expect("endfacet");
    close_facet(polygons_);
  }

  std::string_view next(std::string_view wanted) {
    if (words_.at_end())
      throw Error(
          fmt::format("the file is cut short: it ends after line {}, {} is missing", words_.line(), wanted));
    return words_.next();
  }

  void expect(std::string_view keyword) {
    const std::string wanted = fmt::format("'{}'", keyword);
    const std::string_view word = next(wanted);
    if (!same_word(word, keyword)) complain(word, wanted);
  }

  double number(std::string_view what) {
    const std::string_view word = next(what);
    return parse_word<double>(word, words_.line(), what);
  }

  [[noreturn]] void complain(std::string_view word, std::string_view wanted) const {
    throw Error(fmt::format("line {}: '{}' instead of {}", words_.line(), shown(word), wanted));
  }

  Words words_;
  std::vector<double> positions_;
  Polygons polygons_;
};

}  // namespace

Polygons parse_stl(std::string_view bytes) {
  const std::uint32_t facets = counted_facets(bytes);
  const std::size_t size = binary_size(facets);
  // Many binary files begin with "solid" too; their size identifies them. In a text, the bytes of the facet
  // count are letters, which would mean billions of facets.
  if (bytes.size() >= head_bytes && bytes.size() == size) return parse_binary(bytes);
  const bool binary = facets > 0 && bytes.size() > size;
  Words words(bytes);
  if (!binary && !words.at_end() && same_word(words.next(), "solid")) return TextReader(bytes).read();
  if (!binary)
    throw Error(
        fmt::format("neither STL text, which begins with 'solid', nor binary STL of {} facets, which would "
                    "have {} bytes instead of {}",
                    facets, size, bytes.size()));
  Polygons polygons = parse_binary(bytes);
  polygons.remarks.push_back(fmt::format("ignored {} bytes after the last facet", bytes.size() - size));
  return polygons;
}

}  // namespace shoal
