// Reads one section after the other; each declares the number of its values. See "VTK File Formats", Kitware,
// and vtkDataReader.
#include "discretizations/mesh/formats/vtk_format.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace shoal {
namespace {

struct Type {
  enum Kind { bit, whole, natural, real, text };
  std::string_view name;
  Kind kind;
  std::size_t bytes;  ///< size in binary files
};
constexpr std::array types = {Type{"bit", Type::bit, 0},
                              Type{"char", Type::whole, 1},
                              Type{"signed_char", Type::whole, 1},
                              Type{"unsigned_char", Type::natural, 1},
                              Type{"short", Type::whole, 2},
                              Type{"unsigned_short", Type::natural, 2},
                              Type{"int", Type::whole, 4},
                              Type{"vtkidtype", Type::whole, 4},  // written as int
                              Type{"unsigned_int", Type::natural, 4},
                              Type{"long", Type::whole, 8},
                              Type{"unsigned_long", Type::natural, 8},
                              Type{"vtktypeint64", Type::whole, 8},
                              Type{"vtktypeuint64", Type::natural, 8},
                              Type{"float", Type::real, 4},
                              Type{"double", Type::real, 8},
                              Type{"string", Type::text, 0},
                              Type{"utf8_string", Type::text, 0}};
const Type& int_type = types[6];

/// The number of corners used of a cell, in the order of its points; 0: all, none: the cell is skipped.
constexpr Index all_corners = 0, skipped = -1;
Index corners_of_cell(std::int64_t type) {
  switch (type) {
    case 7:  // polygon
      return all_corners;
    case 5:   // triangle
    case 22:  // quadratic
    case 34:  // biquadratic
    case 69:  // Lagrange
    case 76:  // Bézier
      return 3;
    case 8:   // pixel: its last two corners are exchanged
    case 9:   // quad
    case 23:  // quadratic
    case 28:  // biquadratic
    case 30:  // quadratic in one direction
    case 70:  // Lagrange
    case 77:  // Bézier
      return 4;
    default:
      return skipped;
  }
}
constexpr std::int64_t strip_cell = 6, pixel_cell = 8, quadratic_polygon = 36;

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

class VtkReader {
 public:
  explicit VtkReader(std::string_view bytes) : scanner_(bytes) {}

  Polygons read() {
    read_head();
    while (!scanner_.at_end() && read_section()) {
    }
    add_cells();
    if (!has_points_) throw Error("it has no POINTS");
    if (polygons_.count() == 0) throw Error("it contains no polygons, triangle strips or other faces");
    if (skipped_ > 0)
      polygons_.remarks.push_back(
          fmt::format("skipped {} points, lines or cells that are not faces", skipped_));
    polygons_.x = Points::Map(positions_.data(), 3, static_cast<Eigen::Index>(positions_.size() / 3));
    return std::move(polygons_);
  }

 private:
  /// Indices of points, row by row.
  struct Rows {
    std::vector<std::size_t> start = {0};
    std::vector<Index> point;
    std::size_t count() const { return start.size() - 1; }
    std::size_t size(std::size_t row) const { return start[row + 1] - start[row]; }
  };

  void read_head() {
    const auto head = words_of(scanner_.end_line());
    if (head.size() < 5 || lower(head[1]) != "vtk" || lower(head[2]) != "datafile")
      throw Error("it does not begin with '# vtk DataFile Version': is it in VTK's legacy format?");
    const std::string_view version = head[4];
    if (!(number_of<double>(version).value_or(0) < 6) || version < "1")
      throw Error(fmt::format("unsupported VTK version '{}'; supported: 1.0 to 5.1", shown(version)));
    scanner_.end_line();  // skips the title
    const std::string form = lower(scanner_.next("ASCII or BINARY"));
    if (form != "ascii" && form != "binary")
      throw Error(fmt::format("{}: '{}' instead of ASCII or BINARY", scanner_.place(), shown(form)));
    binary_ = form == "binary";
  }

  /// Returns false at point or cell data, which end the geometry.
  bool read_section() {
    const std::string_view word = scanner_.next("a section");
    const std::string name = lower(word);
    if (name == "dataset") {
      const std::string kind = lower(scanner_.next("the kind of the dataset"));
      if (kind != "polydata" && kind != "unstructured_grid")
        throw Error(fmt::format("{}: unsupported dataset '{}'; supported: POLYDATA and UNSTRUCTURED_GRID",
                                scanner_.place(), shown(kind)));
    } else if (name == "points") {
      read_points();
    } else if (name == "polygons") {
      const Rows rows = read_rows("polygon");
      for (std::size_t k = 0; k < rows.count(); ++k) add_face(rows, k, rows.size(k));
    } else if (name == "triangle_strips") {
      const Rows rows = read_rows("strip");
      for (std::size_t k = 0; k < rows.count(); ++k) add_strip(rows, k);
    } else if (name == "vertices" || name == "lines") {
      skipped_ += read_rows(name == "lines" ? "line" : "vertex").count();
    } else if (name == "cells") {
      cells_ = read_rows("cell");
    } else if (name == "cell_types") {
      const auto count = count_of("cells");
      scanner_.end_line();
      cell_types_ = numbers<std::int64_t>(count, int_type, "the type of a cell");
    } else if (name == "metadata") {
      skip_metadata();
    } else if (name == "field") {
      skip_field();
    } else if (name == "point_data" || name == "cell_data") {
      return false;
    } else {
      throw Error(fmt::format("{}: '{}' instead of a section", scanner_.place(), shown(word)));
    }
    return true;
  }

  std::uint64_t count_of(const char* what) {
    return scanner_.number<std::uint64_t>(fmt::format("a number of {}", what));
  }

  const Type& read_type() {
    const std::string_view word = scanner_.next("a type of numbers");
    const auto* found =
        std::find_if(types.begin(), types.end(), [&](const Type& type) { return type.name == lower(word); });
    if (found == types.end())
      throw Error(fmt::format("{}: '{}' is not a type of VTK", scanner_.place(), shown(word)));
    return *found;
  }

  /// Reads the values of a section, which begin on the line after its head.
  template <class Number>
  std::vector<Number> numbers(std::uint64_t count, const Type& type, const char* what) {
    std::vector<Number> result;
    if (!binary_) {
      for (std::uint64_t k = 0; k < count; ++k) result.push_back(scanner_.number<Number>(what));
      return result;
    }
    std::string_view& bytes = scanner_.bytes();
    if (type.bytes == 0)
      throw Error(
          fmt::format("{}: binary numbers of type {} are not supported", scanner_.place(), type.name));
    if (count > bytes.size() / type.bytes)
      throw Error(
          fmt::format("the file is cut short: {} numbers of {} bytes should follow {}, and {} bytes do",
                      count, type.bytes, scanner_.place(), bytes.size()));
    result.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) result.push_back(take<Number>(bytes, type));
    return result;
  }

  template <class Number>
  static Number take(std::string_view& bytes, const Type& type) {
    constexpr bool big_endian = true;
    if (type.kind == Type::real)
      return static_cast<Number>(type.bytes == 4 ? take_number<float>(bytes, big_endian)
                                                 : take_number<double>(bytes, big_endian));
    const bool natural = type.kind == Type::natural;
    switch (type.bytes) {
      case 1:
        return natural ? static_cast<Number>(take_number<std::uint8_t>(bytes, big_endian))
                       : static_cast<Number>(take_number<std::int8_t>(bytes, big_endian));
      case 2:
        return natural ? static_cast<Number>(take_number<std::uint16_t>(bytes, big_endian))
                       : static_cast<Number>(take_number<std::int16_t>(bytes, big_endian));
      case 4:
        return natural ? static_cast<Number>(take_number<std::uint32_t>(bytes, big_endian))
                       : static_cast<Number>(take_number<std::int32_t>(bytes, big_endian));
      default:
        return natural ? static_cast<Number>(take_number<std::uint64_t>(bytes, big_endian))
                       : static_cast<Number>(take_number<std::int64_t>(bytes, big_endian));
    }
  }

  /// Reads whole numbers, also from files that declare another type for them.
  std::vector<std::int64_t> whole_numbers(std::uint64_t count, const Type& type, const char* what) {
    if (type.kind == Type::real || type.kind == Type::text)
      throw Error(fmt::format("{}: {} cannot be of type {}", scanner_.place(), what, type.name));
    return numbers<std::int64_t>(count, type, what);
  }

  void read_points() {
    if (has_points_) throw Error(fmt::format("{}: duplicate POINTS", scanner_.place()));
    has_points_ = true;
    const std::uint64_t count = count_of("points");
    if (count > std::numeric_limits<Index>::max())
      throw Error(fmt::format("{}: {} points are too many for the index type", scanner_.place(), count));
    const Type& type = read_type();
    scanner_.end_line();
    positions_ = numbers<double>(3 * count, type, "a coordinate");
  }

  Index point_number(std::int64_t number, const char* what, std::size_t row) const {
    if (number < 0 || number > std::numeric_limits<Index>::max())
      throw Error(fmt::format("{} {} names point {}", what, row, number));
    return static_cast<Index>(number);
  }

  /// Reads rows: each preceded by its length or, since 5.1, as offsets followed by all points.
  Rows read_rows(const char* what) {
    const std::uint64_t count = scanner_.number<std::uint64_t>(fmt::format("a number of {}s", what));
    const std::uint64_t size = scanner_.number<std::uint64_t>("a number of points");
    scanner_.end_line();
    Rows rows;
    if (lower(scanner_.rest().substr(0, 7)) == "offsets") {
      scanner_.next("OFFSETS");
      const auto offsets = whole_numbers(count, type_of_list(), "an offset");
      if (lower(scanner_.next("CONNECTIVITY")) != "connectivity")
        throw Error(fmt::format("{}: there is no CONNECTIVITY", scanner_.place()));
      const auto points = whole_numbers(size, type_of_list(), "a point");
      for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
        if (offsets[k] != static_cast<std::int64_t>(rows.point.size()) || offsets[k + 1] < offsets[k] ||
            std::cmp_greater(offsets[k + 1], points.size()))
          throw Error(fmt::format("{} {} goes from {} to {} of {} numbers", what, k, offsets[k],
                                  offsets[k + 1], points.size()));
        for (std::size_t i = offsets[k]; std::cmp_less(i, offsets[k + 1]); ++i)
          rows.point.push_back(point_number(points[i], what, k));
        rows.start.push_back(rows.point.size());
      }
      return rows;
    }
    const auto list = whole_numbers(size, int_type, "a point");
    std::size_t at = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      if (at == list.size() || list[at] < 0 || std::cmp_greater(list[at], list.size() - at - 1))
        throw Error(at == list.size()
                        ? fmt::format("the list of {} numbers ends before {} {} of {}", size, what, k, count)
                        : fmt::format("{} {} has {} points, and {} numbers are left", what, k, list[at],
                                      list.size() - at - 1));
      for (const std::size_t end = at + 1 + list[at]; ++at < end;)
        rows.point.push_back(point_number(list[at], what, k));
      rows.start.push_back(rows.point.size());
    }
    return rows;
  }

  const Type& type_of_list() {
    const Type& type = read_type();
    scanner_.end_line();
    return type;
  }

  void skip_metadata() {
    scanner_.end_line();
    while (!scanner_.rest().empty() && !words_of(scanner_.end_line()).empty()) {
    }
  }

  /// Skips FIELD NAME n followed by n times NAME components tuples TYPE and the numbers.
  void skip_field() {
    scanner_.next("the name of a field");
    for (std::uint64_t left = count_of("arrays"); left > 0; --left) {
      while (lower(scanner_.next("the name of an array")) == "metadata") skip_metadata();
      const std::uint64_t components = count_of("components"), tuples = count_of("tuples");
      const Type& type = read_type();
      scanner_.end_line();
      const std::uint64_t room = 8 * scanner_.rest().size();  // bits
      if (components > 0 && tuples > room / components)
        throw Error(fmt::format("the file is cut short: {} times {} numbers should follow {}", components,
                                tuples, scanner_.place()));
      const std::uint64_t count = components * tuples;
      if (type.kind == Type::text)
        for (std::uint64_t k = 0; k < count; ++k) skip_text();
      else if (binary_)
        skip_bytes(type.kind == Type::bit ? (count + 7) / 8 : count * type.bytes);
      else
        for (std::uint64_t k = 0; k < count; ++k) scanner_.next("a number");
    }
  }

  void skip_bytes(std::uint64_t count) {
    std::string_view& bytes = scanner_.bytes();
    if (count > bytes.size())
      throw Error(fmt::format("the file is cut short: {} bytes should follow {}, and {} do", count,
                              scanner_.place(), bytes.size()));
    bytes.remove_prefix(count);
  }

  /// Skips a string: a line in text; in binary preceded by its length, whose first two bits encode the number
  /// of bytes of the length.
  void skip_text() {
    if (!binary_) {
      scanner_.end_line();
      return;
    }
    std::string_view& bytes = scanner_.bytes();
    const auto first = static_cast<unsigned char>(bytes.empty() ? 0 : bytes.front());
    std::uint64_t length = first & 0x3f;
    const std::size_t more = first >> 6 == 3 ? 0 : first >> 6 == 2 ? 1 : first >> 6 == 1 ? 3 : 7;
    skip_bytes(1);
    for (std::size_t k = 0; k < more; ++k) length = length << 8 | take_number<std::uint8_t>(bytes, true);
    skip_bytes(length);
  }

  void add_face(const Rows& rows, std::size_t row, std::size_t count) {
    const auto first = rows.point.begin() + static_cast<std::ptrdiff_t>(rows.start[row]);
    polygons_.corner.insert(polygons_.corner.end(), first, first + static_cast<std::ptrdiff_t>(count));
    polygons_.close_face();
  }

  void add_strip(const Rows& rows, std::size_t row) {
    const auto first = rows.point.begin() + static_cast<std::ptrdiff_t>(rows.start[row]);
    polygons_.add_strip({first, first + static_cast<std::ptrdiff_t>(rows.size(row))});
  }

  void add_cells() {
    if (cells_.count() != cell_types_.size())
      throw Error(fmt::format("it has {} cells, and the types of {}", cells_.count(), cell_types_.size()));
    for (std::size_t k = 0; k < cells_.count(); ++k) {
      const std::int64_t type = cell_types_[k];
      if (type == strip_cell) {
        add_strip(cells_, k);
        continue;
      }
      const Index corners = type == quadratic_polygon              ? static_cast<Index>(cells_.size(k) / 2)
                            : corners_of_cell(type) == all_corners ? static_cast<Index>(cells_.size(k))
                                                                   : corners_of_cell(type);
      if (corners == skipped) {
        ++skipped_;
        continue;
      }
      if (std::cmp_less(cells_.size(k), corners))
        throw Error(fmt::format("cell {} of type {} has {} points", k, type, cells_.size(k)));
      add_face(cells_, k, corners);
      if (type == pixel_cell) std::swap(polygons_.corner.back(), polygons_.corner.end()[-2]);
      const bool higher = type == quadratic_polygon || std::cmp_greater(cells_.size(k), corners);
      if (higher && !of_higher_order_)
        polygons_.remarks.push_back("reduced higher-order cells to their corners");
      of_higher_order_ = of_higher_order_ || higher;
    }
  }

  Scanner scanner_;
  bool binary_ = false, has_points_ = false, of_higher_order_ = false;
  std::vector<double> positions_;
  Rows cells_;
  std::vector<std::int64_t> cell_types_;
  Polygons polygons_;
  std::size_t skipped_ = 0;
};

}  // namespace

Polygons parse_vtk(std::string_view bytes) {
  return VtkReader(bytes).read();
}

}  // namespace shoal
