// Converts bytes to tinygltf's types. tinygltf 2.7 does not validate its input: it truncates numbers to 32
// bits, omits members of an unexpected type, recurses into extras, reads past the end of a GLB file and
// checks nothing against the size of a buffer. Therefore the JSON text is checked against a table of allowed
// members, the bytes are loaded here, and extras and buffers are not passed to tinygltf.
#include "discretizations/mesh/formats/gltf_document.hpp"

#include "discretizations/mesh/formats/words.hpp"

#include <tiny_gltf.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace shoal {
namespace {

using Json = nlohmann::json;

// ---- JSON ------------------------------------------------------------------------------------------------

Json parse_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    throw Error(fmt::format("line {}, column {}: invalid JSON", line, column));
  } catch (const Json::exception&) {
    throw Error("its JSON contains a number that is too large");
  }
}

std::string value_text(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return fmt::format("'{}'", shown(value.dump(-1, ' ', true, Json::error_handler_t::replace)));
}

/// The path of a value, such as "accessors[3].count"; formatted only for messages.
struct Place {
  const Place* above = nullptr;
  std::string_view key = {};
  std::size_t number = 0;  ///< index in a list, if there is no key

  Place in(std::string_view member) const { return {this, member}; }
  Place in(std::size_t entry) const { return {this, {}, entry}; }

  std::string path() const {
    if (!above) return "";
    const std::string before = above->path();
    if (key.empty()) return fmt::format("{}[{}]", before, number);
    return before.empty() ? std::string(key) : fmt::format("{}.{}", before, key);
  }
  [[noreturn]] void complain(const std::string& what) const {
    const std::string before = path();
    throw Error(before.empty() ? what : fmt::format("{}: {}", before, what));
  }
};

const Json* find(const Json& object, const char* key, const Place& place) {
  if (!object.is_object()) place.complain("it is not a JSON object");
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json& as_list(const Json& value, const Place& place) {
  if (!value.is_array()) place.complain("it is not a list");
  return value;
}

const std::string& as_text(const Json& value, const Place& place) {
  if (!value.is_string()) place.complain(fmt::format("{} is not a text", value_text(value)));
  return value.get_ref<const std::string&>();
}

// larger numbers are rounded by programs that use doubles
constexpr std::uint64_t max_whole = std::uint64_t{1} << 53;
constexpr std::uint64_t max_int = std::numeric_limits<std::int32_t>::max();

std::uint64_t as_whole(const Json& value, const Place& place, std::uint64_t max = max_whole) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max)
    place.complain(fmt::format("{} is not a whole number {}", value_text(value),
                               max == max_whole ? "≥ 0" : fmt::format("from 0 to {}", max)));
  return value.get<std::uint64_t>();
}

// ---- allowed members -------------------------------------------------------------------------------------

/// Returns the checked part of a value or throws Error. `file` is the whole file, to whose elements indices
/// refer.
using Check = std::function<Json(const Json& value, const Place& place, const Json& file)>;

struct Member {
  const char* key;
  Check check;
  bool required = false;
};
constexpr bool required = true;

Check text() {
  return [](const Json& value, const Place& place, const Json&) { return as_text(value, place); };
}

Check flag() {
  return [](const Json& value, const Place& place, const Json&) {
    if (!value.is_boolean()) place.complain(fmt::format("{} is not true or false", value_text(value)));
    return value;
  };
}

Check number() {
  return [](const Json& value, const Place& place, const Json&) {
    if (!value.is_number()) place.complain(fmt::format("{} is not a number", value_text(value)));
    return value;
  };
}

Check whole(std::uint64_t max = max_whole) {
  return [=](const Json& value, const Place& place, const Json&) { return as_whole(value, place, max); };
}

Check stride() {
  return [](const Json& value, const Place& place, const Json&) {
    constexpr std::uint64_t unit = 4, longest = 252;
    const std::uint64_t bytes = as_whole(value, place);
    if (bytes < unit || bytes > longest || bytes % unit != 0)
      place.complain(fmt::format("{} is not a multiple of {} from {} to {}", bytes, unit, unit, longest));
    return bytes;
  };
}

Check one_of(const std::vector<Json>& choices) {
  return [=](const Json& value, const Place& place, const Json&) {
    const auto found = std::find(choices.begin(), choices.end(), value);
    if (found != choices.end()) return *found;
    std::vector<std::string> allowed;
    for (const Json& choice : choices) allowed.push_back(choice.dump());
    place.complain(fmt::format("{} is not one of {}", value_text(value), join(allowed)));
  };
}

/// Checks an index into the list `of`.
Check index(const char* of) {
  return [=](const Json& value, const Place& place, const Json& file) {
    const std::uint64_t number = as_whole(value, place);
    const auto entries = file.find(of);
    const std::size_t count = entries != file.end() && entries->is_array() ? entries->size() : 0;
    if (count == 0) place.complain(fmt::format("it names {}, and there are no {}", number, of));
    if (number >= count)
      place.complain(fmt::format("{} is outside [0, {}), the numbers of {}", number, count, of));
    return number;
  };
}

/// Checks a list with `length` entries, or any number if `length` is 0.
Check list_of(const Check& check, std::size_t length = 0) {
  return [=](const Json& value, const Place& place, const Json& file) {
    const std::size_t count = as_list(value, place).size();
    if (length != 0 && count != length)
      place.complain(fmt::format("it has {} entries, not {}", count, length));
    Json result = Json::array();
    for (std::size_t k = 0; k < count; ++k) result.push_back(check(value[k], place.in(k), file));
    return result;
  };
}

Check map_of(const Check& check) {
  return [=](const Json& value, const Place& place, const Json& file) {
    if (!value.is_object()) place.complain("it is not a JSON object");
    Json result = Json::object();
    for (const auto& [key, entry] : value.items()) result[key] = check(entry, place.in(key), file);
    return result;
  };
}

/// Checks an object; members that are not listed are dropped.
Check object(const std::vector<Member>& members) {
  return [=](const Json& value, const Place& place, const Json& file) {
    Json result = Json::object();
    for (const Member& member : members) {
      if (const Json* found = find(value, member.key, place))
        result[member.key] = member.check(*found, place.in(member.key), file);
      else if (member.required)
        place.complain(fmt::format("it has no '{}'", member.key));
    }
    return result;
  };
}

Check whole_file() {
  const Check scene = object({{"nodes", list_of(index("nodes"))}});
  const Check node = object({{"name", text()},
                             {"mesh", index("meshes")},
                             {"skin", index("skins")},
                             {"children", list_of(index("nodes"))},
                             {"matrix", list_of(number(), 16)},
                             {"translation", list_of(number(), 3)},
                             {"rotation", list_of(number(), 4)},
                             {"scale", list_of(number(), 3)},
                             {"weights", list_of(number())}});
  const Check primitive = object({{"attributes", map_of(index("accessors")), required},
                                  {"indices", index("accessors")},
                                  {"mode", whole(TINYGLTF_MODE_TRIANGLE_FAN)},
                                  {"targets", list_of(map_of(index("accessors")))}});
  const Check mesh = object({{"primitives", list_of(primitive), required}, {"weights", list_of(number())}});
  const Check skin = object({{"name", text()},
                             {"joints", list_of(index("nodes")), required},
                             {"skeleton", index("nodes")},
                             {"inverseBindMatrices", index("accessors")}});

  const Check target = object({{"node", index("nodes")}, {"path", text(), required}});
  const Check channel = object({{"sampler", whole(max_int), required}, {"target", target, required}});
  const Check sampler = object({{"input", index("accessors"), required},
                                {"output", index("accessors"), required},
                                {"interpolation", one_of({"LINEAR", "STEP", "CUBICSPLINE"})}});
  const Check animation = object(
      {{"name", text()}, {"channels", list_of(channel), required}, {"samplers", list_of(sampler), required}});

  const Check view = object({{"buffer", index("buffers"), required},
                             {"byteOffset", whole()},
                             {"byteLength", whole(), required},
                             {"byteStride", stride()}});
  // tinygltf stores the numbers of sparse accessors in 32 bits.
  const Check sparse_indices = object({{"bufferView", index("bufferViews"), required},
                                       {"byteOffset", whole(max_int)},
                                       {"componentType", one_of({5121, 5123, 5125}), required}});
  const Check sparse_values =
      object({{"bufferView", index("bufferViews"), required}, {"byteOffset", whole(max_int)}});
  const Check sparse = object({{"count", whole(max_int), required},
                               {"indices", sparse_indices, required},
                               {"values", sparse_values, required}});
  const Check accessor =
      object({{"bufferView", index("bufferViews")},
              {"byteOffset", whole()},
              {"componentType", one_of({5120, 5121, 5122, 5123, 5125, 5126}), required},
              {"normalized", flag()},
              {"count", whole(), required},
              {"type", one_of({"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"}), required},
              {"sparse", sparse}});

  return object({{"asset", object({{"version", text(), required}}), required},
                 {"extensionsRequired", list_of(text())},
                 {"scene", index("scenes")},
                 {"scenes", list_of(scene)},
                 {"nodes", list_of(node)},
                 {"meshes", list_of(mesh)},
                 {"skins", list_of(skin)},
                 {"animations", list_of(animation)},
                 {"accessors", list_of(accessor)},
                 {"bufferViews", list_of(view)}});
}

/// The sampler of a channel must be one of its own animation, which `index` cannot check.
void check_samplers(const Json& file) {
  const auto animations = file.find("animations");
  if (animations == file.end()) return;
  for (std::size_t k = 0; k < animations->size(); ++k) {
    const Json &channels = (*animations)[k]["channels"], &samplers = (*animations)[k]["samplers"];
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const auto number = channels[c]["sampler"].get<std::uint64_t>();
      if (number < samplers.size()) continue;
      throw Error(
          fmt::format("animations[{}].channels[{}].sampler: {} is outside [0, {}), the numbers of its "
                      "samplers",
                      k, c, number, samplers.size()));
    }
  }
}

/// Checked first, because another version or an extension may change the meaning of the rest.
void check_version(const Json& file) {
  const Place root, asset = root.in("asset"), extensions = root.in("extensionsRequired");
  const Json* found = find(file, "asset", root);
  if (!found) root.complain("it has no 'asset'");
  const Json* version = find(*found, "version", asset);
  if (!version) asset.complain("it has no 'version'");
  const std::string& name = as_text(*version, asset.in("version"));
  if (!name.starts_with("2."))
    throw Error(fmt::format("its glTF version is '{}'; only version 2 is supported", shown(name)));
  const Json* needed = find(file, "extensionsRequired", root);
  if (!needed) return;
  for (std::size_t k = 0; k < as_list(*needed, extensions).size(); ++k) {
    const std::string& extension = as_text((*needed)[k], extensions.in(k));
    // Extensions that change the appearance only are ignored.
    const auto of_appearance = {"KHR_materials_", "EXT_materials_", "ADOBE_materials_",
                                "KHR_texture_",   "EXT_texture_",   "MSFT_texture_",
                                "KHR_lights_",    "EXT_lights_",    "KHR_xmp"};
    if (extension != "KHR_mesh_quantization" &&
        std::none_of(of_appearance.begin(), of_appearance.end(),
                     [&](const char* prefix) { return extension.starts_with(prefix); }))
      throw Error(
          fmt::format("it requires the extension '{}', which is not supported", shown(extension, 80)));
  }
}

std::unique_ptr<tinygltf::Model> to_model(const Json& checked) {
  const std::string text = checked.dump();
  if (text.size() > std::numeric_limits<unsigned>::max()) throw Error("its JSON is longer than 4 GiB");
  auto model = std::make_unique<tinygltf::Model>();
  tinygltf::TinyGLTF reader;
  std::string complaint, warning;
  // Ignored warnings: skins without inverse bind matrices and channels without a node, which glTF allows.
  if (!reader.LoadASCIIFromString(model.get(), &complaint, &warning, text.data(),
                                  static_cast<unsigned>(text.size()), "", tinygltf::NO_REQUIRE))
    throw Error(fmt::format("tinygltf failed: {}", complaint));
  return model;
}

// ---- bytes -----------------------------------------------------------------------------------------------

template <class Number>
Number read_number(const void* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// tinygltf's decoder supports only a few media types, stops at a wrong digit without an error, and counts in
// 32 bits.
std::string decode_base64(std::string_view text, const Place& uri) {
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

/// Decodes the name of a file in a URI: "a%20b.bin" is "a b.bin".
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

std::string load_uri(const std::string& uri, const Place& place, const BufferFile& buffer_file) {
  if (uri.starts_with("data:")) {
    static const std::string_view mark = ";base64,";
    const std::size_t comma = uri.find(',');
    if (comma == std::string::npos || comma + 1 < mark.size() ||
        uri.compare(comma + 1 - mark.size(), mark.size(), mark) != 0)
      place.complain("its data is not in base64");
    return decode_base64(std::string_view(uri).substr(comma + 1), place);
  }
  const std::string name = decode_percent(uri);
  if (name.empty() || name.front() == '/' || name.find("://") != std::string::npos ||
      name.find('\0') != std::string::npos)
    place.complain(fmt::format("'{}' is not the name of a file beside this one", shown(uri, 80)));
  return with_context(place.path(), [&] { return buffer_file(name); });
}

/// The bytes of buffer `number`: part of the text, the rest of the GLB file, or a separate file.
std::vector<unsigned char> load_buffer(const Json& buffer, std::size_t number, const Place& place,
                                       std::optional<std::string_view> binary_chunk,
                                       const BufferFile& buffer_file) {
  const Json* length = find(buffer, "byteLength", place);
  if (!length) place.complain("it has no 'byteLength'");
  const std::uint64_t expected = as_whole(*length, place.in("byteLength"));
  const Json* uri = find(buffer, "uri", place);
  if (!uri && (number != 0 || !binary_chunk)) place.complain("it has no 'uri'");
  std::string own;
  if (uri) own = load_uri(as_text(*uri, place.in("uri")), place.in("uri"), buffer_file);
  const std::string_view bytes = uri ? std::string_view(own) : *binary_chunk;
  if (bytes.size() < expected)
    place.complain(fmt::format("it should have {} bytes and has {}", expected, bytes.size()));
  return {bytes.begin(), bytes.end()};
}

// ---- accessors -------------------------------------------------------------------------------------------

std::size_t bytes_of_type(int component_type) {
  return tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(component_type));
}

std::size_t components(const tinygltf::Accessor& accessor) {
  return tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
}

/// `count` elements of `bytes` each, somewhere in a buffer.
struct Elements {
  const unsigned char* first = nullptr;
  std::size_t stride = 0;

  const unsigned char* at(std::size_t k) const { return first + k * stride; }
};

[[noreturn]] void complain_of_accessor(std::size_t number, const std::string& what) {
  throw Error(fmt::format("accessors[{}]: {}", number, what));
}

/// Throws Error if the elements lie outside the view or its buffer.
Elements elements(const tinygltf::Model& model, std::size_t accessor, int view_number, std::uint64_t start,
                  std::uint64_t count, std::size_t bytes) {
  const tinygltf::BufferView& view = model.bufferViews[view_number];
  const auto& buffer = model.buffers[view.buffer].data;
  const auto complain_of_view = [&](const std::string& what) {
    throw Error(fmt::format("bufferViews[{}]: {}", view_number, what));
  };
  if (view.byteOffset > buffer.size() || view.byteLength > buffer.size() - view.byteOffset)
    complain_of_view(fmt::format("its bytes {} to {} lie outside the buffer of {}", view.byteOffset,
                                 view.byteOffset + view.byteLength, buffer.size()));
  const std::size_t stride = view.byteStride == 0 ? bytes : view.byteStride;
  if (stride < bytes)
    complain_of_view(fmt::format("its byteStride {} is less than the {} bytes of an element of accessors[{}]",
                                 stride, bytes, accessor));
  const std::uint64_t length = view.byteLength;
  if (count > length || start > length || (count > 0 && start + (count - 1) * stride + bytes > length))
    complain_of_accessor(
        accessor,
        fmt::format("its {} elements from byte {} lie outside the view of {} bytes", count, start, length));
  return {buffer.data() + view.byteOffset + start, stride};
}

struct AccessorElements {
  Elements dense;  ///< none if the accessor has no view
  Elements sparse_numbers, sparse_values;
};

AccessorElements elements_of(const tinygltf::Model& model, std::size_t number) {
  const tinygltf::Accessor& accessor = model.accessors[number];
  const std::size_t bytes = bytes_of_type(accessor.componentType) * components(accessor);
  AccessorElements result;
  if (accessor.bufferView >= 0)
    result.dense = elements(model, number, accessor.bufferView, accessor.byteOffset, accessor.count, bytes);
  if (!accessor.sparse.isSparse) return result;
  const auto& sparse = accessor.sparse;
  const auto count = static_cast<std::uint64_t>(sparse.count);
  if (count > accessor.count)
    complain_of_accessor(number, fmt::format("it replaces {} of {} elements", count, accessor.count));
  result.sparse_numbers = elements(model, number, sparse.indices.bufferView,
                                   static_cast<std::uint64_t>(sparse.indices.byteOffset), count,
                                   bytes_of_type(sparse.indices.componentType));
  result.sparse_values = elements(model, number, sparse.values.bufferView,
                                  static_cast<std::uint64_t>(sparse.values.byteOffset), count, bytes);
  return result;
}

std::uint32_t read_unsigned(const unsigned char* bytes, int type) {
  if (type == GltfDocument::uint8) return *bytes;
  if (type == GltfDocument::uint16) return read_number<std::uint16_t>(bytes);
  return read_number<std::uint32_t>(bytes);
}

double read_component(const unsigned char* bytes, int type, bool normalised) {
  switch (type) {
    case GltfDocument::int8: {
      const auto value = read_number<std::int8_t>(bytes);
      return normalised ? std::max(value / 127.0, -1.0) : value;
    }
    case GltfDocument::int16: {
      const auto value = read_number<std::int16_t>(bytes);
      return normalised ? std::max(value / 32767.0, -1.0) : value;
    }
    case GltfDocument::uint8:
      return *bytes / (normalised ? 255.0 : 1.0);
    case GltfDocument::uint16:
      return read_number<std::uint16_t>(bytes) / (normalised ? 65535.0 : 1.0);
    case GltfDocument::uint32:
      return read_number<std::uint32_t>(bytes);
    default:
      return read_number<float>(bytes);
  }
}

const char* shape_name(int type) {
  switch (type) {
    case TINYGLTF_TYPE_SCALAR:
      return "SCALAR";
    case TINYGLTF_TYPE_VEC2:
      return "VEC2";
    case TINYGLTF_TYPE_VEC3:
      return "VEC3";
    case TINYGLTF_TYPE_VEC4:
      return "VEC4";
    case TINYGLTF_TYPE_MAT2:
      return "MAT2";
    case TINYGLTF_TYPE_MAT3:
      return "MAT3";
    default:
      return "MAT4";
  }
}

// ---- files -----------------------------------------------------------------------------------------------

/// Loads the buffers that accessors use, and checks that the accessors lie within them. Other buffers, e.g.
/// of images, are skipped.
void load_buffers(tinygltf::Model& model, const Json& file, std::optional<std::string_view> binary_chunk,
                  const BufferFile& buffer_file) {
  const auto buffers = file.find("buffers");
  if (buffers == file.end()) return;
  const Place root, place = root.in("buffers");
  model.buffers.resize(as_list(*buffers, place).size());
  std::vector<bool> loaded(model.buffers.size(), false);
  const auto load = [&](int view) {
    const std::size_t number = model.bufferViews[view].buffer;
    if (loaded[number]) return;
    model.buffers[number].data =
        load_buffer((*buffers)[number], number, place.in(number), binary_chunk, buffer_file);
    loaded[number] = true;
  };
  for (std::size_t k = 0; k < model.accessors.size(); ++k) {
    const tinygltf::Accessor& accessor = model.accessors[k];
    if (accessor.bufferView >= 0) load(accessor.bufferView);
    if (accessor.sparse.isSparse) {
      load(accessor.sparse.indices.bufferView);
      load(accessor.sparse.values.bufferView);
    }
    elements_of(model, k);
  }
}

std::unique_ptr<tinygltf::Model> load_model(std::string_view text,
                                            std::optional<std::string_view> binary_chunk,
                                            const BufferFile& buffer_file) {
  const Json file = parse_json(text);
  check_version(file);
  const Json checked = whole_file()(file, {}, file);
  check_samplers(checked);
  auto model = to_model(checked);
  load_buffers(*model, file, binary_chunk, buffer_file);
  return model;
}

/// Removes a chunk of the GLB file from the front of `bytes`.
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

GltfDocument::GltfDocument(std::unique_ptr<tinygltf::Model> model) : model_(std::move(model)) {}
GltfDocument::GltfDocument(GltfDocument&&) noexcept = default;
GltfDocument::~GltfDocument() = default;

bool GltfDocument::needs_extension(std::string_view name) const {
  const auto& names = model_->extensionsRequired;
  return std::find(names.begin(), names.end(), name) != names.end();
}

Eigen::MatrixXd GltfDocument::values(int accessor_number, std::string_view shape,
                                     const std::vector<Component>& types) const {
  const std::size_t number = accessor_number;
  const tinygltf::Accessor& accessor = model_->accessors[number];
  if (shape_name(accessor.type) != shape)
    complain_of_accessor(number,
                         fmt::format("its type is {} instead of {}", shape_name(accessor.type), shape));
  if (std::find(types.begin(), types.end(), accessor.componentType) == types.end()) {
    std::vector<std::string> allowed;
    for (const Component type : types) allowed.push_back(std::to_string(type));
    complain_of_accessor(number, fmt::format("its componentType is {} instead of {}", accessor.componentType,
                                             join(allowed, " or ")));
  }
  // An accessor without a view consists of zeros, and no buffer limits their number; the limit is that of
  // other accessors.
  const bool zeros = accessor.bufferView < 0;
  if (zeros && !accessor.sparse.isSparse) complain_of_accessor(number, "it has no 'bufferView'");
  if (zeros &&
      std::none_of(model_->accessors.begin(), model_->accessors.end(),
                   [&](const tinygltf::Accessor& other) {
                     return other.count >= accessor.count && other.bufferView >= 0;
                   }) &&
      std::cmp_less(accessor.sparse.count, accessor.count))
    complain_of_accessor(
        number, fmt::format("it has no 'bufferView', and no accessor with one has as many as its {} elements",
                            accessor.count));

  const AccessorElements stored = elements_of(*model_, number);
  const std::size_t rows = components(accessor), bytes = bytes_of_type(accessor.componentType);
  Eigen::MatrixXd result =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(accessor.count));
  const auto read = [&](const unsigned char* element, std::size_t column) {
    for (std::size_t i = 0; i < rows; ++i)
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(column)) =
          read_component(element + i * bytes, accessor.componentType, accessor.normalized);
  };
  for (std::size_t k = 0; !zeros && k < accessor.count; ++k) read(stored.dense.at(k), k);
  if (!accessor.sparse.isSparse) return result;
  for (int k = 0; k < accessor.sparse.count; ++k) {
    const std::uint32_t column =
        read_unsigned(stored.sparse_numbers.at(k), accessor.sparse.indices.componentType);
    if (column >= accessor.count)
      complain_of_accessor(number,
                           fmt::format("it replaces element {}, outside [0, {})", column, accessor.count));
    read(stored.sparse_values.at(k), column);
  }
  return result;
}

std::vector<std::uint32_t> GltfDocument::indices(int accessor) const {
  if (model_->accessors[accessor].normalized)
    complain_of_accessor(accessor, "it is normalised and cannot contain whole numbers");
  const Eigen::MatrixXd numbers = values(accessor, "SCALAR", {uint8, uint16, uint32});
  std::vector<std::uint32_t> result(numbers.size());
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = static_cast<std::uint32_t>(numbers(0, static_cast<Eigen::Index>(k)));
  return result;
}

GltfDocument load_gltf(std::string_view text, const BufferFile& buffer_file) {
  return GltfDocument(load_model(text, std::nullopt, buffer_file));
}

GltfDocument load_glb(std::string_view bytes, const BufferFile& buffer_file) {
  constexpr std::size_t head = 12;
  if (bytes.size() < head || !bytes.starts_with("glTF"))
    throw Error("it does not begin with 'glTF': is it a GLB file?");
  const auto version = read_number<std::uint32_t>(bytes.data() + 4);
  if (version != 2) throw Error(fmt::format("its GLB version is {}; only version 2 is supported", version));
  const auto length = read_number<std::uint32_t>(bytes.data() + 8);
  if (length < head || length > bytes.size())
    throw Error(fmt::format("it should have {} bytes and has {}", length, bytes.size()));
  bytes = bytes.substr(head, length - head);
  const std::string_view text = take_chunk(bytes, "JSON");
  std::optional<std::string_view> binary_chunk;
  if (!bytes.empty()) binary_chunk = take_chunk(bytes, std::string_view("BIN\0", 4));
  return GltfDocument(load_model(text, binary_chunk, buffer_file));
}

}  // namespace shoal
