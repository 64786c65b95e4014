// Reads section after section, from $Name to $EndName; sections other than nodes and elements are skipped.
#include "discretizations/mesh/formats/msh_format.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

namespace shoal {
namespace {

/// Number of nodes of an element by its type, from 0; none if Gmsh has no such type, or writes the number
/// with each element.
constexpr std::array<std::int16_t, 138> nodes_of_type = {
    0,  2,   3,   4,   4,   8,   6,    5,   3,   6,   9,  10, 27, 18,  14, 1,  8,  20, 15, 13, 9,  10, 12,
    15, 15,  21,  4,   5,   6,   20,   35,  56,  22,  28, 0,  0,  16,  25, 36, 12, 16, 20, 28, 36, 45, 55,
    66, 49,  64,  81,  100, 121, 18,   21,  24,  27,  30, 24, 28, 32,  36, 40, 7,  8,  9,  10, 11, 0,  0,
    0,  0,   84,  120, 165, 220, 286,  0,   0,   0,   34, 40, 46, 52,  58, 1,  1,  1,  1,  1,  1,  0,  0,
    64, 125, 216, 343, 512, 729, 1000, 32,  44,  56,  68, 80, 92, 104, 0,  0,  0,  0,  0,  0,  0,  0,  0,
    0,  0,   0,   30,  55,  91,  140,  204, 285, 385, 21, 29, 37, 45,  53, 61, 69, 1,  0,  0,  0,  0,  16};

/// Number of corners, 3 or 4; 0 for elements of other dimensions.
int corners_of_type(int type) {
  const auto between = [&](int first, int last) { return type >= first && type <= last; };
  if (type == 2 || type == 9 || between(20, 25) || between(42, 46) || between(52, 56)) return 3;
  if (type == 3 || type == 10 || type == 16 || between(36, 41) || between(47, 51) || between(57, 61))
    return 4;
  return 0;
}

class MshReader {
 public:
  explicit MshReader(std::string_view bytes) : scanner_(bytes) {}

  Polygons read() {
    if (!scanner_.peek().starts_with('$'))
      throw Error("not a Gmsh mesh, which begins with $MeshFormat (or $NOD before version 2)");
    while (!scanner_.at_end()) read_section();
    if (!elements_) throw Error("the file is cut short: it has no elements");
    leave_out_repeated();
    if (polygons_.count() == 0)
      throw Error("it contains no triangles or other faces; 'gmsh -2' creates them from a geometry");
    polygons_.x = Points::Map(positions_.data(), 3, static_cast<Eigen::Index>(positions_.size() / 3));
    return std::move(polygons_);
  }

 private:
  void read_section() {
    const std::string_view word = scanner_.next("a section");
    if (!word.starts_with('$'))
      throw Error(fmt::format("{}: '{}' instead of a section", scanner_.place(), shown(word)));
    const std::string_view name = word.substr(1);
    if (name == "MeshFormat") {
      read_format();
    } else if (name == "Nodes" || name == "NOD" || name == "ParametricNodes") {
      require_version(name == "NOD");
      version_ < 4 ? read_old_nodes(name == "ParametricNodes") : read_nodes();
    } else if (name == "Elements" || name == "ELM") {
      require_version(name == "ELM");
      elements_ = true;
      version_ < 4 ? read_old_elements() : read_elements();
    } else {
      skip_to_end(name);
    }
    const std::string end = fmt::format("$End{}", name), old_end = fmt::format("$END{}", name);
    const std::string_view last = scanner_.next("'" + end + "'");
    if (last != end && last != old_end)
      throw Error(fmt::format("{}: '{}' instead of '{}'", scanner_.place(), shown(last), end));
  }

  void require_version(bool first) {
    if (first && version_ == 0) version_ = 1;
    if (version_ == 0 || first != (version_ == 1))
      throw Error(fmt::format("{}: the version of the format is missing", scanner_.place()));
  }

  void skip_to_end(std::string_view name) {
    const std::string_view rest = scanner_.rest();
    const std::size_t end =
        std::min(rest.find(fmt::format("$End{}", name)), rest.find(fmt::format("$END{}", name)));
    if (end == std::string_view::npos)
      throw Error(fmt::format("the file is cut short: there is no '$End{}'", shown(name)));
    if (binary_)
      scanner_.bytes().remove_prefix(end);
    else
      while (scanner_.peek(), scanner_.rest().size() > rest.size() - end)
        scanner_.next("the end of a section");
  }

  void read_format() {
    version_ = scanner_.number<double>("a version of Gmsh's format");
    if (!(version_ >= 2 && version_ < 3) && version_ != 4.0 && version_ != 4.1)
      throw Error(fmt::format("{}: unsupported version {}; supported: 1, 2 to 2.2, 4 and 4.1",
                              scanner_.place(), version_));
    binary_ = scanner_.number<int>("0 or 1, for text or binary") != 0;
    const int bytes = scanner_.number<int>("a number of bytes");
    if (binary_ && bytes != 8)
      throw Error(fmt::format("{}: unsupported numbers of {} bytes; supported: 8", scanner_.place(), bytes));
    scanner_.end_line();
    if (!binary_) return;
    constexpr std::int32_t one = 1;
    std::string_view& rest = scanner_.bytes();
    std::string_view again = rest;
    big_endian_ = take_number<std::int32_t>(again, false) != one;
    if (take_number<std::int32_t>(rest, big_endian_) != one)
      throw Error(
          fmt::format("{}: the number 1 that determines the byte order is missing", scanner_.place()));
  }

  // ---- numbers, in text or binary ------------------------------------------------------------------------

  /// `Stored` is the type in binary files.
  template <class Stored>
  Stored take(std::string_view what) {
    if (!binary_) return scanner_.number<Stored>(what);
    std::string_view& rest = scanner_.bytes();
    if (rest.size() < sizeof(Stored))
      throw Error(
          fmt::format("the file is cut short: it ends after {}, {} is missing", scanner_.place(), what));
    return take_number<Stored>(rest, big_endian_);
  }
  std::uint64_t take_size(std::string_view what) { return take<std::uint64_t>(what); }
  /// The tag of a node or element; 64 bits since version 4.1.
  std::int64_t take_tag(std::string_view what) {
    return version_ < 4.1 ? take<std::int32_t>(what) : take<std::int64_t>(what);
  }

  // ---- nodes ---------------------------------------------------------------------------------------------

  void add_node(std::int64_t tag) {
    const std::size_t count = positions_.size() / 3;
    if (std::cmp_greater_equal(count, std::numeric_limits<Index>::max()))
      throw Error("it has too many nodes for the index type");
    if (!number_.emplace(tag, static_cast<Index>(count)).second)
      throw Error(fmt::format("{}: duplicate node {}", scanner_.place(), tag));
    positions_.resize(positions_.size() + 3);
  }
  void take_position(std::size_t node) {
    for (std::size_t k = 0; k < 3; ++k) positions_[3 * node + k] = take<double>("a coordinate");
  }

  void read_old_nodes(bool parametric) {
    const auto count = scanner_.number<std::uint64_t>("a number of nodes");
    scanner_.end_line();
    for (std::uint64_t k = 0; k < count; ++k) {
      add_node(take<std::int32_t>("the number of a node"));
      take_position(positions_.size() / 3 - 1);
      if (!binary_) {
        scanner_.end_line();  // parametric nodes have further numbers
      } else if (parametric) {
        const int dimension = take<std::int32_t>("a dimension");
        take<std::int32_t>("the number of a curve or surface");
        for (int p = 0; p < dimension && dimension < 3; ++p) take<double>("a parameter");
      }
    }
  }

  void read_nodes() {
    begin_blocks();
    const std::uint64_t blocks = take_size("a number of blocks");
    for (int k = 0; k < (version_ < 4.1 ? 1 : 3); ++k) take_size("a number of nodes");
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const int first = take<std::int32_t>("a dimension or tag"), second = take<std::int32_t>("a tag");
      const int dimension = version_ < 4.1 ? second : first;
      const bool parametric = take<std::int32_t>("0 or 1") != 0;
      const std::uint64_t count = take_size("a number of nodes");
      if (dimension < 0 || dimension > 3)
        throw Error(fmt::format("{}: {} is not a dimension", scanner_.place(), dimension));
      const int parameters = parametric ? dimension : 0;
      const std::size_t begin = positions_.size() / 3;
      const auto place = [&](std::uint64_t k) {
        take_position(begin + k);
        for (int p = 0; p < parameters; ++p) take<double>("a parameter");
      };
      if (version_ < 4.1) {
        for (std::uint64_t k = 0; k < count; ++k) {
          add_node(take_tag("the number of a node"));
          place(k);
        }
      } else {
        for (std::uint64_t k = 0; k < count; ++k) add_node(take_tag("the number of a node"));
        for (std::uint64_t k = 0; k < count; ++k) place(k);
      }
    }
  }

  /// Binary blocks directly follow the line of the section's name.
  void begin_blocks() {
    if (binary_) scanner_.end_line();
  }

  // ---- elements ------------------------------------------------------------------------------------------

  void read_old_elements() {
    const auto count = scanner_.number<std::uint64_t>("a number of elements");
    scanner_.end_line();
    if (binary_) {
      for (std::uint64_t k = 0; k < count;) {
        const int type = take<std::int32_t>("a type of elements"), block = take<std::int32_t>("a number"),
                  tags = take<std::int32_t>("a number of tags");
        if (block < 1 || tags < 0)
          throw Error(fmt::format("{}: a block of {} elements with {} tags", scanner_.place(), block, tags));
        for (int i = 0; i < block; ++i, ++k) {
          take<std::int32_t>("the number of an element");
          for (int t = 0; t < tags; ++t) take<std::int32_t>("a tag");
          read_nodes_of(type);
        }
      }
      return;
    }
    for (std::uint64_t k = 0; k < count; ++k) {
      scanner_.number<std::int64_t>("the number of an element");
      const int type = scanner_.number<int>("a type of elements");
      if (version_ < 2) {
        for (int t = 0; t < 3; ++t) scanner_.number<int>("a region, or a number of nodes");
      } else {
        const int tags = scanner_.number<int>("a number of tags");
        for (int t = 0; t < tags; ++t) scanner_.number<std::int64_t>("a tag");
      }
      read_nodes_of(type);
    }
  }

  void read_elements() {
    begin_blocks();
    const std::uint64_t blocks = take_size("a number of blocks");
    for (int k = 0; k < (version_ < 4.1 ? 1 : 3); ++k) take_size("a number of elements");
    for (std::uint64_t block = 0; block < blocks; ++block) {
      for (int k = 0; k < 2; ++k) take<std::int32_t>("a dimension or tag");
      const int type = take<std::int32_t>("a type of elements");
      const std::uint64_t count = take_size("a number of elements");
      for (std::uint64_t k = 0; k < count; ++k) {
        take_tag("the number of an element");
        read_nodes_of(type);
      }
    }
  }

  void read_nodes_of(int type) {
    const int count = type > 0 && std::cmp_less(type, nodes_of_type.size()) ? nodes_of_type[type] : 0;
    if (count == 0) throw Error(fmt::format("{}: unsupported elements of type {}", scanner_.place(), type));
    const int corners = count > 1 ? corners_of_type(type) : 0;
    for (int k = 0; k < count; ++k) {
      const std::int64_t node = take_tag("the number of a node");
      if (k >= corners) continue;
      const auto found = number_.find(node);
      if (found == number_.end())
        throw Error(fmt::format("{}: face {} names the node {}, which does not exist", scanner_.place(),
                                polygons_.count(), node));
      polygons_.corner.push_back(found->second);
    }
    if (corners == 0) return;
    polygons_.close_face();
    if (count > corners && !of_higher_order_)
      polygons_.remarks.push_back("reduced higher-order elements to their corners");
    of_higher_order_ = of_higher_order_ || count > corners;
  }

  void leave_out_repeated() {
    using Key = std::array<Index, 4>;
    std::vector<std::pair<Key, Index>> keys;
    for (Index face = 0; face < polygons_.count(); ++face) {
      Key key = {-1, -1, -1, -1};
      std::copy(&polygons_.corner[polygons_.start[face]],
                &polygons_.corner[polygons_.start[face]] + size(face), key.begin());
      std::sort(key.begin(), key.end());
      keys.emplace_back(key, face);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<char> repeated(keys.size(), false);
    std::size_t count = 0;
    for (std::size_t k = 1; k < keys.size(); ++k)
      if (keys[k].first == keys[k - 1].first) {
        repeated[keys[k].second] = true;
        ++count;
      }
    if (count == 0) return;
    Polygons kept;
    for (Index face = 0; face < polygons_.count(); ++face) {
      if (repeated[face]) continue;
      const Index* corner = &polygons_.corner[polygons_.start[face]];
      kept.corner.insert(kept.corner.end(), corner, corner + size(face));
      kept.close_face();
    }
    polygons_.start = std::move(kept.start);
    polygons_.corner = std::move(kept.corner);
    polygons_.remarks.push_back(fmt::format("skipped {} duplicate elements", count));
  }
  Index size(Index face) const { return polygons_.start[face + 1] - polygons_.start[face]; }

  Scanner scanner_;
  double version_ = 0;
  bool binary_ = false, big_endian_ = false, elements_ = false, of_higher_order_ = false;
  std::vector<double> positions_;
  std::unordered_map<std::int64_t, Index> number_;
  Polygons polygons_;
};

}  // namespace

Polygons parse_msh(std::string_view bytes) {
  return MshReader(bytes).read();
}

}  // namespace shoal
