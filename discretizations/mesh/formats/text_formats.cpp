// Line-wise readers of OBJ and OFF.
#include "discretizations/mesh/formats/text_formats.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <exception>
#include <limits>
#include <optional>
#include <utility>

namespace shoal {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// Splits a text into words, line by line; drops comments from '#' on and lines without words.
class Lines {
 public:
  /// `continuation` at the end of a line continues it on the next one; '\0' for none.
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
  /// Appends the words of one line; true if the line continues.
  bool read_line(std::vector<std::string_view>& words) {
    ++number_;
    std::string_view line = take_line(rest_);
    line = line.substr(0, line.find('#'));
    while (!line.empty() && blanks.find(line.back()) != std::string_view::npos) line.remove_suffix(1);
    const bool goes_on = continuation_ != '\0' && !line.empty() && line.back() == continuation_;
    if (goes_on) line.remove_suffix(1);
    for (const std::string_view word : words_of(line)) words.push_back(word);
    return goes_on;
  }

  std::string_view rest_;
  char continuation_;
  std::size_t number_ = 0;
};

/// A growing list of positions of unknown length.
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

/// The vertex, from 0, of an OBJ corner "7/2/3" or "-1". Numbers outside the index type stay out of range.
Index obj_vertex(std::string_view word, std::size_t vertices_so_far, std::size_t line, Index face) {
  const auto value = parse_word<std::int64_t>(word.substr(0, word.find('/')), line, "a vertex number");
  const std::int64_t vertex = value > 0 ? value - 1 : static_cast<std::int64_t>(vertices_so_far) + value;
  if (value == 0 || vertex < 0 || vertex > std::numeric_limits<Index>::max())
    throw Error(fmt::format("line {}: face {} names vertex {}; OBJ counts from 1, or from -1 backwards", line,
                            face, value));
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
    } else if (words[0] == "f" || words[0] == "fo") {  // fo: the old keyword of faces
      for (std::size_t k = 1; k < words.size(); ++k)
        polygons.corner.push_back(obj_vertex(words[k], positions.count(), lines.number(), polygons.count()));
      polygons.close_face();
    } else if (words[0] == "l" || words[0] == "p") {
      ++skipped;
    }
  }
  if (positions.count() == 0) throw Error("it contains no vertices: is it an OBJ file?");
  if (skipped > 0) polygons.remarks.push_back(fmt::format("skipped {} lines or points", skipped));
  polygons.x = positions.points();
  return polygons;
}

namespace {

/// Reads a file with every vertex and face on a separate line; the rest of each line is ignored.
Polygons parse_off_lines(std::string_view text) {
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
  if (words[0] == "BINARY") throw Error("binary OFF files are not supported, only text");
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

/// How to read an OFF file that does not have one vertex or face per line.
struct OffForm {
  bool
      /// a third number, of edges, follows those of vertices and faces if it is on the same line
      usual_count;
  bool face_colours;  ///< numbers after a face on its line are its colour
};

/// Reads number by number, like Geomview; empty if that fails.
std::optional<Polygons> parse_off_words(const std::string& text, const OffForm& form) {
  Words words(text);
  const auto next = [&] { return words.at_end() ? std::string_view() : words.next(); };
  std::string_view word = next();
  std::size_t more = 0;  // numbers after a position: normal, colour, texture coordinates
  if (word.ends_with("OFF")) {
    for (const char letter : word.substr(0, word.size() - 3))
      more += letter == 'N' ? 3 : letter == 'C' ? 4 : letter == 'T' ? 2 : 0;  // STOFF
    word = next();
  }
  const auto vertex_count = number_of<std::uint32_t>(word), face_count = number_of<std::uint32_t>(next());
  const bool edge_count = form.usual_count == words.line_goes_on();
  if (!vertex_count || !face_count || (edge_count && !number_of<std::uint32_t>(next()))) return std::nullopt;
  std::vector<double> positions;
  for (std::uint32_t v = 0; v < *vertex_count; ++v)
    for (std::size_t k = 0; k < 3 + more; ++k) {
      const auto value = number_of<double>(next());
      if (!value) return std::nullopt;
      if (k < 3) positions.push_back(*value);
    }
  Polygons polygons;
  for (std::uint32_t face = 0; face < *face_count; ++face) {
    const auto corners = number_of<std::uint32_t>(next());
    if (!corners || *corners < 3) return std::nullopt;
    for (std::uint32_t k = 0; k < *corners; ++k) {
      const auto vertex = number_of<Index>(next());
      if (!vertex || *vertex < 0 || std::cmp_greater_equal(*vertex, *vertex_count)) return std::nullopt;
      polygons.corner.push_back(*vertex);
    }
    if (form.face_colours) words.skip_line();
    polygons.close_face();
  }
  if (!words.at_end()) return std::nullopt;
  polygons.x = Points::Map(positions.data(), 3, static_cast<Eigen::Index>(*vertex_count));
  return polygons;
}

/// Whether all faces have enough corners, and all corners exist.
bool could_be(const Polygons& polygons) {
  for (Index face = 0; face < polygons.count(); ++face)
    if (polygons.start[face + 1] - polygons.start[face] < 3) return false;
  return std::all_of(polygons.corner.begin(), polygons.corner.end(),
                     [&](Index vertex) { return vertex >= 0 && vertex < polygons.x.cols(); });
}

std::string without_comments(std::string_view text) {
  std::string result(text);
  for (std::size_t begin = result.find('#'); begin != std::string::npos; begin = result.find('#', begin)) {
    const std::size_t end = std::min(result.find_first_of("\r\n", begin), result.size());
    std::fill(result.begin() + static_cast<std::ptrdiff_t>(begin),
              result.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  return result;
}

}  // namespace

Polygons parse_off(std::string_view text) {
  Polygons by_line;
  std::exception_ptr failure;
  try {
    by_line = parse_off_lines(text);
    if (could_be(by_line)) return by_line;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  const std::string numbers = without_comments(text);
  for (const bool face_colours : {true, false})
    for (const bool usual_count : {true, false})
      if (auto polygons = parse_off_words(numbers, {usual_count, face_colours})) return *std::move(polygons);
  if (failure) std::rethrow_exception(failure);
  return by_line;
}

}  // namespace shoal
