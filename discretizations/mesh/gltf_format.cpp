// The only place that knows JSON's glTF: buffers, views into them, accessors, meshes and nodes.
#include "discretizations/mesh/gltf_format.hpp"

#include "discretizations/mesh/words.hpp"

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace shoal {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_vertices = std::numeric_limits<Index>::max() / 3;

// ---- JSON
// -----------------------------------------------------------------------------------------------------------

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    throw Error(fmt::format("line {}, column {}: what stands there is not JSON", line, column));
  } catch (const Json::exception&) {
    throw Error("its JSON holds a number that is too large");
  }
}

/// One value of the JSON text, with the path that leads to it: "accessors[3].count".
class Node {
 public:
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  [[noreturn]] void complain(const std::string& what) const {
    throw Error(path_.empty() ? what : fmt::format("{}: {}", path_, what));
  }

  /// The member of an object, if it has that one.
  std::optional<Node> find(const char* key) const {
    if (!value_->is_object()) complain("it is not a JSON object");
    const auto found = value_->find(key);
    if (found == value_->end()) return std::nullopt;
    return Node(*found, path_.empty() ? key : fmt::format("{}.{}", path_, key));
  }
  Node at(const char* key) const {
    const auto member = find(key);
    if (!member) complain(fmt::format("it has no '{}'", key));
    return *member;
  }

  std::size_t size() const {
    if (!value_->is_array()) complain("it is not a list");
    return value_->size();
  }
  Node operator[](std::size_t k) const { return {(*value_)[k], fmt::format("{}[{}]", path_, k)}; }
  /// Every entry of the list called `key`, of none if there is no such list.
  std::vector<Node> list(const char* key) const {
    std::vector<Node> entries;
    if (const auto array = find(key))
      for (std::size_t k = 0, count = array->size(); k < count; ++k) entries.push_back((*array)[k]);
    return entries;
  }

  std::uint64_t whole_number() const {
    if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > std::uint64_t{1} << 53)
      complain(fmt::format("{} is not a whole number ≥ 0", value_text()));
    return value_->get<std::uint64_t>();
  }
  std::uint64_t whole_number(const char* key, std::uint64_t otherwise) const {
    const auto member = find(key);
    return member ? member->whole_number() : otherwise;
  }
  double number() const {
    if (!value_->is_number()) complain(fmt::format("{} is not a number", value_text()));
    return value_->get<double>();
  }
  const std::string& text() const {
    if (!value_->is_string()) complain(fmt::format("{} is not a text", value_text()));
    return value_->get_ref<const std::string&>();
  }
  std::string value_text() const {
    if (value_->is_structured()) return value_->is_array() ? "a list" : "an object";
    return fmt::format("'{}'", shown(value_->dump(-1, ' ', true, Json::error_handler_t::replace)));
  }

 private:
  const Json* value_;
  std::string path_;
};

// ---- bytes
// ----------------------------------------------------------------------------------------------------------

template <class Number>
Number read_number(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string decode_base64(const Node& uri, std::string_view text) {
  static const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos)
      uri.complain(fmt::format("'{}' is not a digit of base64", shown({&c, 1})));
    group = (group << 6 | static_cast<std::uint32_t>(digit)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xff);
  }
  return bytes;
}

/// The name of a file as a URI spells it: "a%20b.bin" is "a b.bin".
std::string decode_percent(std::string_view uri) {
  std::string name;
  for (std::size_t k = 0; k < uri.size(); ++k) {
    unsigned code = 0;
    const char* digits = uri.data() + k + 1;
    if (uri[k] == '%' && k + 2 < uri.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      name += static_cast<char>(code);
      k += 2;
    } else {
      name += uri[k];
    }
  }
  return name;
}

// ---- glTF
// -----------------------------------------------------------------------------------------------------------

struct ComponentType {
  std::uint64_t code;
  std::size_t bytes;
};
constexpr ComponentType byte_index{5121, 1}, short_index{5123, 2}, int_index{5125, 4}, real{5126, 4};

/// The numbers that an accessor gives access to; all of them lie within the buffer.
struct Numbers {
  const char* first;
  std::size_t count, stride;
  std::uint64_t type;

  const char* at(std::size_t k) const { return first + k * stride; }
  std::size_t index(std::size_t k) const {
    if (type == byte_index.code) return read_number<std::uint8_t>(at(k));
    if (type == short_index.code) return read_number<std::uint16_t>(at(k));
    return read_number<std::uint32_t>(at(k));
  }
};

class Reader {
 public:
  Reader(const Json& json, std::optional<std::string_view> binary_chunk, const BufferFile& buffer_file)
      : root_(json, ""), binary_chunk_(binary_chunk), buffer_file_(buffer_file) {}

  Polygons read() {
    check_version();
    const auto scenes = root_.list("scenes");
    if (scenes.empty()) throw Error("it has no scene, so it shows nothing");
    const auto chosen = root_.find("scene");
    const Node scene = chosen ? entry("scenes", *chosen) : scenes.front();
    for (const Node& node : scene.list("nodes")) waiting_.push_back({node, Eigen::Matrix4d::Identity()});
    std::reverse(waiting_.begin(), waiting_.end());
    while (!waiting_.empty()) show_next_node();
    if (skipped_ > 0)
      polygons_.remarks.push_back(fmt::format("skipped {} primitives of points or lines", skipped_));
    polygons_.x.resize(3, static_cast<Eigen::Index>(positions_.size()));
    for (std::size_t v = 0; v < positions_.size(); ++v)
      polygons_.x.col(static_cast<Eigen::Index>(v)) = positions_[v];
    return std::move(polygons_);
  }

 private:
  struct Waiting {
    Node number;  ///< of the node
    Eigen::Matrix4d parent;
  };

  void check_version() const {
    const std::string& version = root_.at("asset").at("version").text();
    if (!version.starts_with("2."))
      throw Error(fmt::format("its glTF version is '{}'; version 2 is read", shown(version)));
    for (const Node& extension : root_.list("extensionsRequired")) {
      const std::string& name = extension.text();
      const auto begins = [&](const char* prefix) { return name.starts_with(prefix); };
      // Those of looks alone do not concern us.
      if (!begins("KHR_materials_") && !begins("KHR_texture_") && !begins("KHR_lights_"))
        throw Error(fmt::format("it needs the extension '{}', which is not read", shown(name, 80)));
    }
  }

  /// The entry of the list `list` that `number` names.
  Node entry(const char* list, const Node& number) const {
    const Node entries = root_.at(list);
    const std::uint64_t k = number.whole_number();
    if (k >= entries.size())
      number.complain(fmt::format("{} is outside [0, {}), the numbers of {}", k, entries.size(), list));
    return entries[k];
  }

  // Nodes form trees: no node is shown twice, so that neither a cycle nor repeated sharing can keep us busy
  // for ever. They are walked without recursion, because a file can be deeper than the stack.
  void show_next_node() {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    if (!shown_.insert(next.number.whole_number()).second)
      next.number.complain(
          fmt::format("node {} is shown twice, and nodes must form trees", next.number.whole_number()));
    const Node node = entry("nodes", next.number);
    const Eigen::Matrix4d transform = next.parent * own_transform(node);
    if (const auto mesh = node.find("mesh")) append_mesh(entry("meshes", *mesh), transform);
    const auto children = node.list("children");
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      waiting_.push_back({*child, transform});
  }

  /// `count` numbers of a list, or `otherwise` if there is no such list.
  template <int count>
  static Eigen::Matrix<double, count, 1> vector(const Node& node, const char* key,
                                                const Eigen::Matrix<double, count, 1>& otherwise) {
    const auto list = node.find(key);
    if (!list) return otherwise;
    if (list->size() != count) list->complain(fmt::format("it has {} numbers, not {}", list->size(), count));
    Eigen::Matrix<double, count, 1> result;
    for (int k = 0; k < count; ++k) result[k] = (*list)[static_cast<std::size_t>(k)].number();
    return result;
  }

  /// Its matrix (by columns), or translation · rotation · scale.
  static Eigen::Matrix4d own_transform(const Node& node) {
    if (node.find("matrix")) return vector<16>(node, "matrix", {}).reshaped(4, 4);
    const Vector3 scale = vector<3>(node, "scale", Vector3::Ones());
    const Vector3 translation = vector<3>(node, "translation", Vector3::Zero());
    const Eigen::Vector4d rotation = vector<4>(node, "rotation", Eigen::Vector4d::Unit(3));  // x, y, z, w
    const double length = rotation.norm();
    if (!(length > 0 && std::isfinite(length))) node.complain("its rotation cannot be normalised");
    Eigen::Affine3d transform =
        Eigen::Translation3d(translation) * Eigen::Quaterniond(rotation / length) * Eigen::Scaling(scale);
    return transform.matrix();
  }

  void append_mesh(const Node& mesh, const Eigen::Matrix4d& transform) {
    std::map<std::uint64_t, std::size_t> first_vertex;  // by accessor
    const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
    for (const Node& primitive : mesh.list("primitives")) {
      const std::uint64_t mode = primitive.whole_number("mode", triangle_list);
      if (mode > triangle_fan) primitive.complain(fmt::format("its mode {} is not one of 0 to 6", mode));
      if (mode < triangle_list) {
        ++skipped_;
        continue;
      }
      const Node accessor = primitive.at("attributes").at("POSITION");
      const Numbers positions = numbers(accessor, "VEC3", {real}, 3);
      const auto [found, added] = first_vertex.emplace(accessor.whole_number(), positions_.size());
      if (added) append_positions(positions, transform);
      append_faces(primitive, mode, found->second, positions.count, mirrored);
    }
  }

  void append_positions(const Numbers& numbers, const Eigen::Matrix4d& transform) {
    if (positions_.size() + numbers.count > max_vertices)
      throw Error(fmt::format("its nodes show more than {} vertices", max_vertices));
    const bool moved = !transform.isIdentity(0);
    for (std::size_t v = 0; v < numbers.count; ++v) {
      Vector3 x;
      for (std::size_t i = 0; i < 3; ++i)
        x[static_cast<Eigen::Index>(i)] = read_number<float>(numbers.at(v) + i * sizeof(float));
      // Not multiplied by the identity: that would turn one infinite coordinate into three NaN.
      positions_.push_back(moved ? Vector3((transform * x.homogeneous()).head<3>()) : x);
    }
  }

  void append_faces(const Node& primitive, std::uint64_t mode, std::size_t first, std::size_t vertex_count,
                    bool mirrored) {
    const auto indices = primitive.find("indices");
    const std::optional<Numbers> named =
        indices ? std::optional(numbers(*indices, "SCALAR", {byte_index, short_index, int_index}, 1))
                : std::nullopt;
    const std::size_t count = named ? named->count : vertex_count;
    if (mode == triangle_list ? count % 3 != 0 : count < 3)
      primitive.complain(fmt::format("its {} corners do not make whole triangles", count));
    const auto append = [&](std::size_t corner) {
      const std::size_t vertex = named ? named->index(corner) : corner;
      if (vertex >= vertex_count)
        throw Error(fmt::format("face {} names vertex {}, outside [0, {}], counting from 0",
                                polygons_.count(), vertex, static_cast<std::int64_t>(vertex_count) - 1));
      polygons_.corner.push_back(static_cast<Index>(first + vertex));
    };
    const std::size_t triangles = mode == triangle_list ? count / 3 : count - 2;
    for (std::size_t k = 0; k < triangles; ++k) {
      std::array<std::size_t, 3> corners = {3 * k, 3 * k + 1, 3 * k + 2};
      if (mode == triangle_strip) corners = {k, k + 1 + k % 2, k + 2 - k % 2};
      if (mode == triangle_fan) corners = {k + 1, k + 2, 0};
      if (mirrored) std::swap(corners[0], corners[2]);
      for (const std::size_t corner : corners) append(corner);
      polygons_.close_face();
    }
  }

  /// What the accessor that `number` names gives: `components` of one of `types` each.
  Numbers numbers(const Node& number, const char* shape, const std::vector<ComponentType>& types,
                  std::size_t components) {
    const Node accessor = entry("accessors", number);
    if (accessor.find("sparse")) accessor.complain("it is sparse, which is not read");
    if (accessor.at("type").text() != shape)
      accessor.complain(
          fmt::format("its type is {}, where {} should be", accessor.at("type").value_text(), shape));
    const std::uint64_t code = accessor.at("componentType").whole_number();
    const auto type = std::find_if(types.begin(), types.end(), [&](const auto& t) { return t.code == code; });
    if (type == types.end()) {
      std::vector<std::string> allowed;
      for (const ComponentType& t : types) allowed.push_back(std::to_string(t.code));
      accessor.complain(
          fmt::format("its componentType is {}, where {} should be", code, join(allowed, " or ")));
    }

    const Node view = entry("bufferViews", accessor.at("bufferView"));
    const std::string_view buffer =
        bytes_of(entry("buffers", view.at("buffer")), view.at("buffer").whole_number());
    const std::uint64_t offset = view.whole_number("byteOffset", 0),
                        length = view.at("byteLength").whole_number();
    if (offset > buffer.size() || length > buffer.size() - offset)
      view.complain(fmt::format("its bytes {} to {} lie outside the buffer of {}", offset, offset + length,
                                buffer.size()));

    const std::size_t element = components * type->bytes;
    const std::uint64_t stride = view.whole_number("byteStride", element),
                        count = accessor.at("count").whole_number();
    const std::uint64_t start = accessor.whole_number("byteOffset", 0);
    constexpr std::uint64_t longest_stride = 252;
    if (stride < element || stride > longest_stride)
      view.complain(fmt::format("its byteStride {} is outside [{}, {}]", stride, element, longest_stride));
    if (count > length || start > length || (count > 0 && start + (count - 1) * stride + element > length))
      accessor.complain(
          fmt::format("its {} elements from byte {} lie outside the view of {} bytes", count, start, length));
    return {buffer.data() + offset + start, count, stride, code};
  }

  /// A buffer: part of the text, the rest of the GLB file, or a file of its own.
  std::string_view bytes_of(const Node& buffer, std::uint64_t number) {
    auto found = buffers_.find(number);
    if (found == buffers_.end()) {
      const std::uint64_t length = buffer.at("byteLength").whole_number();
      const auto uri = buffer.find("uri");
      if (!uri && (number != 0 || !binary_chunk_)) buffer.complain("it has no 'uri'");
      std::string own = uri ? load(*uri) : "";
      const std::size_t size = uri ? own.size() : binary_chunk_->size();
      if (size < length) buffer.complain(fmt::format("it should have {} bytes and has {}", length, size));
      found = buffers_.emplace(number, std::move(own)).first;
    }
    return buffer.find("uri") ? std::string_view(found->second) : *binary_chunk_;
  }

  std::string load(const Node& uri) const {
    const std::string_view text = uri.text();
    if (text.starts_with("data:")) {
      static const std::string_view mark = ";base64,";
      const std::size_t comma = text.find(',');
      if (comma == std::string_view::npos || comma + 1 < mark.size() ||
          text.substr(comma + 1 - mark.size(), mark.size()) != mark)
        uri.complain("its data is not in base64");
      return decode_base64(uri, text.substr(comma + 1));
    }
    const std::string name = decode_percent(text);
    if (name.empty() || name.front() == '/' || name.find("://") != std::string::npos ||
        name.find('\0') != std::string::npos)
      uri.complain(fmt::format("'{}' is not the name of a file beside this one", shown(text, 80)));
    return with_context(uri.path(), [&] { return buffer_file_(name); });
  }

  static constexpr std::uint64_t triangle_list = 4, triangle_strip = 5, triangle_fan = 6;

  Node root_;
  std::optional<std::string_view> binary_chunk_;
  const BufferFile& buffer_file_;
  std::map<std::uint64_t, std::string> buffers_;
  std::vector<Waiting> waiting_;  ///< nodes still to be shown, the next one last
  std::set<std::uint64_t> shown_;
  std::vector<Vector3> positions_;
  Polygons polygons_;
  std::size_t skipped_ = 0;
};

/// Takes a chunk of the GLB file off `bytes`.
std::string_view take_chunk(std::string_view& bytes, std::string_view kind) {
  constexpr std::size_t head = 8;
  const std::size_t length = bytes.size() < head ? 0 : read_number<std::uint32_t>(bytes.data());
  if (bytes.size() < head || bytes.substr(4, 4) != kind || bytes.size() - head < length)
    throw Error(fmt::format("its chunk '{}' is missing or damaged", kind.substr(0, kind.find('\0'))));
  const std::string_view chunk = bytes.substr(head, length);
  bytes.remove_prefix(head + length);
  return chunk;
}

}  // namespace

Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file) {
  return Reader(parse_json(text), std::nullopt, buffer_file).read();
}

Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file) {
  constexpr std::size_t head = 12;
  if (bytes.size() < head || !bytes.starts_with("glTF"))
    throw Error("it does not begin with 'glTF': is it a GLB file?");
  const auto version = read_number<std::uint32_t>(bytes.data() + 4);
  if (version != 2) throw Error(fmt::format("its GLB version is {}; version 2 is read", version));
  const auto length = read_number<std::uint32_t>(bytes.data() + 8);
  if (length < head || length > bytes.size())
    throw Error(fmt::format("it should have {} bytes and has {}", length, bytes.size()));
  bytes = bytes.substr(head, length - head);
  const Json json = parse_json(take_chunk(bytes, "JSON"));
  std::optional<std::string_view> binary;
  if (!bytes.empty()) binary = take_chunk(bytes, std::string_view("BIN\0", 4));
  return Reader(json, binary, buffer_file).read();
}

}  // namespace shoal
