// The header declares the content of the body, which is then read number by number.
#include "discretizations/mesh/formats/ply_format.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace shoal {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Type type;  ///< of the value, or of the entries of a list
  bool list = false;
  Type count_type{};  ///< of the length of a list
};

struct Element {
  std::string name;
  std::uint32_t count;
  std::vector<Property> properties;
};

struct Header {
  bool ascii = false, big_endian = false;
  std::vector<Element> elements;
  std::size_t lines = 0;  ///< number of header lines
};

// ---- header ----------------------------------------------------------------------------------------------

Type parse_type(std::string_view word, std::size_t line) {
  static const std::vector<std::pair<std::string_view, Type>> names = {
      {"char", Type::int8},      {"int8", Type::int8},       {"uchar", Type::uint8},
      {"uint8", Type::uint8},    {"short", Type::int16},     {"int16", Type::int16},
      {"ushort", Type::uint16},  {"uint16", Type::uint16},   {"int", Type::int32},
      {"int32", Type::int32},    {"uint", Type::uint32},     {"uint32", Type::uint32},
      {"float", Type::float32},  {"float32", Type::float32}, {"double", Type::float64},
      {"float64", Type::float64}};
  for (const auto& [name, type] : names)
    if (name == word) return type;
  throw Error(fmt::format("line {}: '{}' is not a type of PLY", line, shown(word)));
}

void parse_format(const std::vector<std::string_view>& words, Header& header) {
  const std::string_view format = words.size() == 3 && words[2] == "1.0" ? words[1] : "";
  header.ascii = format == "ascii";
  header.big_endian = format == "binary_big_endian";
  if (!header.ascii && !header.big_endian && format != "binary_little_endian")
    throw Error(fmt::format("line {}: the format is not ascii, binary_little_endian or binary_big_endian 1.0",
                            header.lines));
}

Property parse_property(const std::vector<std::string_view>& words, std::size_t line) {
  const bool list = words.size() == 5 && words[1] == "list";
  if (!list && words.size() != 3)
    throw Error(
        fmt::format("line {}: neither 'property TYPE NAME' nor 'property list TYPE TYPE NAME'", line));
  Property property{std::string(words.back()), parse_type(words[words.size() - 2], line), list};
  if (list) property.count_type = parse_type(words[2], line);
  return property;
}

/// Keywords at the beginning of a header line.
const std::vector<std::string>& keywords() {
  static const std::vector<std::string> all = {"format",  "element",  "property",
                                               "comment", "obj_info", "end_header"};
  return all;
}

/// Removes the header from the front of `text`. Lines that begin neither with a keyword nor with a similar
/// word are skipped with a remark.
Header parse_header(std::string_view& text, std::vector<std::string>& remarks) {
  Header header;
  bool formatted = false;
  std::size_t skipped = 0;
  std::string first;  // describes the first skipped line
  // In binary files, the body may begin with the byte of "\n": all lines end like the first one.
  const std::size_t first_end = text.find_first_of("\r\n");
  const bool cr_only = first_end != std::string_view::npos && text[first_end] == '\r' &&
                       !text.substr(first_end).starts_with("\r\n");
  for (;;) {
    const std::size_t end = text.find(cr_only ? '\r' : '\n');
    if (end == std::string_view::npos) throw Error("its PLY header does not end");
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(end + 1);
    ++header.lines;
    const std::string_view keyword = words.empty() ? "" : words[0];
    if (header.lines == 1) {
      if (keyword != "ply") throw Error("it does not begin with 'ply': is it a PLY file?");
    } else if (keyword == "end_header") {
      break;
    } else if (keyword == "format") {
      parse_format(words, header);
      formatted = true;
    } else if (keyword == "element" && words.size() == 3) {
      header.elements.push_back({std::string(words[1]),
                                 parse_word<std::uint32_t>(words[2], header.lines, "a number of elements"),
                                 {}});
    } else if (keyword == "property" && !header.elements.empty()) {
      header.elements.back().properties.push_back(parse_property(words, header.lines));
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      if (const std::string nearest = did_you_mean(keyword, keywords()); !nearest.empty())
        throw Error(fmt::format("line {}: '{}' is not recognized{}", header.lines, shown(keyword), nearest));
      if (skipped++ == 0)
        first = fmt::format("line {} of the header, which begins with '{}'", header.lines, shown(keyword));
    }
  }
  if (!formatted) throw Error("its PLY header has no format");
  if (skipped > 0)
    remarks.push_back(skipped == 1 ? "skipped " + first
                                   : fmt::format("skipped {}, and {} more", first, skipped - 1));
  return header;
}

// ---- body ------------------------------------------------------------------------------------------------

/// Reads the numbers of the body one after the other; all types fit into a double exactly.
class Body {
 public:
  virtual ~Body() = default;
  /// Throws Error if the file ends or a word is not a number.
  virtual double next(Type type) = 0;
};

class AsciiBody : public Body {
 public:
  AsciiBody(std::string_view text, std::size_t line) : words_(text, line) {}
  double next(Type) override {
    if (words_.at_end()) throw Error("the file ends there");
    const std::string_view word = words_.next();
    return parse_word<double>(word, words_.line(), "a number");
  }

 private:
  Words words_;
};

class BinaryBody : public Body {
 public:
  BinaryBody(std::string_view bytes, bool big_endian) : rest_(bytes), big_endian_(big_endian) {}
  double next(Type type) override {
    switch (type) {
      case Type::int8:
        return take_number<std::int8_t>(rest_, big_endian_);
      case Type::uint8:
        return take_number<std::uint8_t>(rest_, big_endian_);
      case Type::int16:
        return take_number<std::int16_t>(rest_, big_endian_);
      case Type::uint16:
        return take_number<std::uint16_t>(rest_, big_endian_);
      case Type::int32:
        return take_number<std::int32_t>(rest_, big_endian_);
      case Type::uint32:
        return take_number<std::uint32_t>(rest_, big_endian_);
      case Type::float32:
        return take_number<float>(rest_, big_endian_);
      case Type::float64:
        break;
    }
    return take_number<double>(rest_, big_endian_);
  }

 private:
  std::string_view rest_;
  bool big_endian_;
};

std::uint32_t list_length(Body& body, const Property& property) {
  const double length = body.next(property.count_type);
  if (!(length >= 0 && length <= std::numeric_limits<Index>::max() && length == std::floor(length)))
    throw Error(fmt::format("{} is not the length of a list", length));
  return static_cast<std::uint32_t>(length);
}

Index vertex_number(double number) {
  if (!(std::abs(number) <= std::numeric_limits<Index>::max() && number == std::floor(number)))
    throw Error(fmt::format("{} is not a vertex number", number));
  return static_cast<Index>(number);
}

bool names_vertices(const Property& property) {
  return property.list && (property.name == "vertex_indices" || property.name == "vertex_index");
}

/// Reads one element and calls keep(property, number) for every number except lengths of lists.
template <class Keep>
void read_element(const Element& element, Body& body, Keep&& keep) {
  for (const Property& property : element.properties) {
    const std::uint32_t count = property.list ? list_length(body, property) : 1;
    for (std::uint32_t k = 0; k < count; ++k) keep(property, body.next(property.type));
  }
}

/// Appends one element to the surface.
void read_one(const Element& element, Body& body, std::vector<double>& positions, Polygons& polygons) {
  if (element.name == "vertex") {
    const std::size_t first = positions.size();
    positions.resize(first + 3);
    read_element(element, body, [&](const Property& property, double number) {
      if (!property.list && property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
        positions[first + (property.name[0] - 'x')] = number;
    });
  } else if (element.name == "face") {
    read_element(element, body, [&](const Property& property, double number) {
      if (names_vertices(property)) polygons.corner.push_back(vertex_number(number));
    });
    polygons.close_face();
  } else if (element.name == "tristrips") {
    constexpr Index restart = -1;
    std::vector<Index> strip;
    read_element(element, body, [&](const Property& property, double number) {
      if (!names_vertices(property)) return;
      const Index vertex = vertex_number(number);
      if (vertex != restart) {
        strip.push_back(vertex);
        return;
      }
      polygons.add_strip(strip);
      strip.clear();
    });
    polygons.add_strip(strip);
  } else {
    read_element(element, body, [](const Property&, double) {});
  }
}

void check_elements(const Header& header) {
  const auto element = [&](const char* name) {
    const auto found = std::find_if(header.elements.begin(), header.elements.end(),
                                    [&](const Element& candidate) { return candidate.name == name; });
    return found == header.elements.end() ? nullptr : &*found;
  };
  const Element *vertex = element("vertex"), *face = element("face"), *strips = element("tristrips");
  if (!vertex) throw Error("its PLY header has no element 'vertex'");
  for (const char* name : {"x", "y", "z"})
    if (std::none_of(vertex->properties.begin(), vertex->properties.end(),
                     [&](const Property& property) { return !property.list && property.name == name; }))
      throw Error(fmt::format("its PLY vertices have no '{}'", name));
  if (!face && !strips) throw Error("its PLY header has no element 'face' or 'tristrips'");
  for (const Element* faces : {face, strips})
    if (faces && std::none_of(faces->properties.begin(), faces->properties.end(), names_vertices))
      throw Error("its PLY faces have no list 'vertex_indices' or 'vertex_index'");
}

std::unique_ptr<Body> body_of(std::string_view text, const Header& header) {
  if (header.ascii) return std::make_unique<AsciiBody>(text, header.lines + 1);
  return std::make_unique<BinaryBody>(text, header.big_endian);
}

/// Calls `read` for each instance of an element in the body.
template <class Read>
void for_each(const Element& element, Read&& read) {
  if (element.properties.empty()) return;
  for (std::uint32_t k = 0; k < element.count; ++k) {
    try {
      read();
    } catch (const Error& error) {
      throw Error(fmt::format("{} {} of {}: {}", element.name, k, element.count, error.what()));
    }
  }
}

/// The element's properties with these names, one each; empty if one is missing.
std::vector<const Property*> find_properties(const Element& element, const std::vector<std::string>& names) {
  std::vector<const Property*> found;
  for (const std::string& name : names)
    for (const Property& property : element.properties)
      if (property.name == name && !property.list) {
        found.push_back(&property);
        break;
      }
  if (found.size() < names.size()) found.clear();
  return found;
}

}  // namespace

Polygons parse_ply(std::string_view text) {
  Polygons polygons;
  const Header header = parse_header(text, polygons.remarks);
  check_elements(header);
  const std::unique_ptr<Body> body = body_of(text, header);
  std::vector<double> positions;
  for (const Element& element : header.elements)
    for_each(element, [&] { read_one(element, *body, positions, polygons); });
  polygons.x = Points::Map(positions.data(), 3, static_cast<Eigen::Index>(positions.size() / 3));
  return polygons;
}

std::vector<double> parse_ply_values(std::string_view text, const std::vector<std::string>& names) {
  std::vector<std::string> ignored;
  const Header header = parse_header(text, ignored);
  const Element* chosen = nullptr;
  std::vector<std::string> there;
  for (const char* kind : {"vertex", "face"})
    for (const Element& element : header.elements) {
      if (element.name != kind) continue;
      for (const Property& property : element.properties)
        if (!property.list) there.push_back(property.name);
      if (!chosen && !find_properties(element, names).empty()) chosen = &element;
    }
  if (!chosen)
    throw Error(fmt::format("neither its vertices nor its faces have a property '{}'{}; there are: {}",
                            fmt::join(names, ","), did_you_mean(names.front(), there), join(there)));
  const std::vector<const Property*> properties = find_properties(*chosen, names);
  const std::unique_ptr<Body> body = body_of(text, header);
  std::vector<double> values;
  for (const Element& element : header.elements) {
    for_each(element, [&] {
      const std::size_t first = values.size();
      if (&element == chosen) values.resize(first + names.size());
      read_element(element, *body, [&](const Property& property, double number) {
        if (&element != chosen) return;
        for (std::size_t i = 0; i < properties.size(); ++i)
          if (properties[i] == &property) values[first + i] = number;
      });
    });
    if (&element == chosen) break;
  }
  return values;
}

}  // namespace shoal
