// Line-wise readers of OBJ and OFF.
#include "discretizations/mesh/text_formats.hpp"

#include "discretizations/mesh/words.hpp"

#include <limits>

namespace shoal {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// A text in words, line by line; comments from '#' on are left out, lines without words are skipped.
class Lines {
 public:
  /// `continuation` ends a line that goes on in the next one; '\0' for none.
  Lines(std::string_view text, char continuation) : rest_(text), continuation_(continuation) {}

  /// The words of the next line; false at the end of the text.
  bool next(std::vector<std::string_view>& words) {
    words.clear();
    while (!rest_.empty()) {
      if (!read_line(words) && !words.empty()) return true;
    }
    return !words.empty();
  }
  std::size_t number() const { return number_; }

 private:
  /// Appends the words of one line; true if the line goes on.
  bool read_line(std::vector<std::string_view>& words) {
    ++number_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    line = line.substr(0, line.find('#'));
    while (!line.empty() && blanks.find(line.back()) != std::string_view::npos) line.remove_suffix(1);
    const bool goes_on = continuation_ != '\0' && !line.empty() && line.back() == continuation_;
    if (goes_on) line.remove_suffix(1);
    for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
      const std::size_t stop = line.find_first_of(blanks, begin);
      words.push_back(line.substr(begin, stop - begin));
      begin = line.find_first_not_of(blanks, stop);
    }
    return goes_on;
  }

  std::string_view rest_;
  char continuation_;
  std::size_t number_ = 0;
};

/// Positions while their number is not known yet.
class PositionList {
 public:
  void add(const std::vector<std::string_view>& words, std::size_t first, std::size_t line) {
    if (words.size() < first + 3)
      throw Error(
          fmt::format("line {}: vertex {} has {} coordinates, not 3", line, count(), words.size() - first));
    for (std::size_t k = first; k < first + 3; ++k)
      values_.push_back(parse_word<double>(words[k], line, "a coordinate"));
  }
  std::size_t count() const { return values_.size() / 3; }
  Points points() const { return Points::Map(values_.data(), 3, static_cast<Eigen::Index>(count())); }

 private:
  std::vector<double> values_;
};

/// The vertex that an OBJ corner "7/2/3" or "-1" names, from 0. Numbers beyond the index type stay out of
/// range.
Index obj_vertex(std::string_view word, std::size_t vertices_so_far, std::size_t line, Index face) {
  const auto value = parse_word<std::int64_t>(word.substr(0, word.find('/')), line, "a vertex number");
  const std::int64_t vertex = value > 0 ? value - 1 : static_cast<std::int64_t>(vertices_so_far) + value;
  if (value == 0 || vertex < 0 || vertex > std::numeric_limits<Index>::max())
    throw Error(fmt::format("line {}: face {} names vertex {}, and OBJ counts from 1, or from -1 backwards",
                            line, face, value));
  return static_cast<Index>(vertex);
}

}  // namespace

Polygons parse_obj(std::string_view text) {
  Lines lines(text, '\\');
  std::vector<std::string_view> words;
  PositionList positions;
  Polygons polygons;
  std::size_t skipped = 0;
  while (lines.next(words)) {
    if (words[0] == "v") {
      positions.add(words, 1, lines.number());
    } else if (words[0] == "f") {
      for (std::size_t k = 1; k < words.size(); ++k)
        polygons.corner.push_back(obj_vertex(words[k], positions.count(), lines.number(), polygons.count()));
      polygons.close_face();
    } else if (words[0] == "l" || words[0] == "p") {
      ++skipped;
    }
  }
  if (positions.count() == 0) throw Error("it holds no vertices: is it an OBJ file?");
  if (skipped > 0) polygons.remarks.push_back(fmt::format("skipped {} lines or points", skipped));
  polygons.x = positions.points();
  return polygons;
}

Polygons parse_off(std::string_view text) {
  Lines lines(text, '\0');
  std::vector<std::string_view> words;
  const auto need = [&](const std::string& what) {
    if (!lines.next(words))
      throw Error(fmt::format("the file ends at line {} where {} should be", lines.number(), what));
  };
  need("the word OFF");
  if (words[0].size() >= 3 && words[0].substr(words[0].size() - 3) == "OFF") {
    if (words[0].find_first_of("4n") != std::string_view::npos)
      throw Error(fmt::format("line {}: '{}' is not three-dimensional", lines.number(), shown(words[0])));
    words.erase(words.begin());
    if (words.empty()) need("the numbers of vertices and faces");
  }
  if (words[0] == "BINARY") throw Error("it is a binary OFF file; only text is read");
  if (words.size() < 2)
    throw Error(fmt::format("line {}: the numbers of vertices and faces are missing", lines.number()));
  const auto vertex_count = parse_word<std::uint32_t>(words[0], lines.number(), "a number of vertices");
  const auto face_count = parse_word<std::uint32_t>(words[1], lines.number(), "a number of faces");

  PositionList positions;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    need(fmt::format("vertex {} of {}", v, vertex_count));
    positions.add(words, 0, lines.number());
  }
  Polygons polygons;
  for (std::uint32_t face = 0; face < face_count; ++face) {
    need(fmt::format("face {} of {}", face, face_count));
    const auto corners = parse_word<std::uint32_t>(words[0], lines.number(), "a number of corners");
    if (words.size() - 1 < corners)
      throw Error(fmt::format("line {}: face {} has {} corners but names {}", lines.number(), face, corners,
                              words.size() - 1));
    for (std::uint32_t k = 1; k <= corners; ++k)
      polygons.corner.push_back(parse_word<Index>(words[k], lines.number(), "a vertex number"));
    polygons.close_face();
  }
  polygons.x = positions.points();
  return polygons;
}

}  // namespace shoal
