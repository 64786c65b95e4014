// The part of the HDF5 library that results files need, with errors that name the file.
#include "experiments/harness/storage/hdf5.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/storage/hdf5_failure.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>

namespace shoal::hdf5 {
namespace {

constexpr std::int64_t max_attribute_values = 100'000;

constexpr const char* bare_dimension = "This is a netCDF dimension but not a netCDF variable.";

/// "FILE.h5: /runs" and "0001" make "FILE.h5: /runs/0001".
std::string below(const std::string& where, const std::string& name) {
  return where + (where.back() == '/' ? "" : "/") + name;
}

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle simple_space(const Extent& extent, const hsize_t* maximum = nullptr) {
  if (extent.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> sizes(extent.begin(), extent.end());
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), maximum), H5Sclose};
}

/// Selects `count` rows from `first` on in the space of a dataset; returns their own space.
Handle select_rows(hid_t space, const Extent& extent, std::uint64_t first, std::uint64_t count,
                   const std::string& where, const std::string& what) {
  std::vector<hsize_t> start(extent.size(), 0), size(extent.begin(), extent.end());
  start[0] = first;
  size[0] = count;
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), where,
          what);
  return simple_space({size.begin(), size.end()});
}

std::uint64_t volume(std::span<const std::uint64_t> extent) {
  return std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>());
}

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw MachineError(fmt::format("{}: {}", where, why));
}

constexpr const char* elsewhere = "its values are stored elsewhere, which is not supported";

/// Whether a dataset was created neither virtual nor in external files.
bool is_stored_in_file(hid_t properties) {
  return H5Pget_layout(properties) != H5D_VIRTUAL && H5Pget_external_count(properties) <= 0;
}

bool is_scalar(hid_t space) {
  return H5Sget_simple_extent_type(space) == H5S_SCALAR;
}

/// Deflate, the strongest filter included in HDF5, compresses to 1/1032.
constexpr std::uint64_t strongest_compression = 1032;

/// Whether the numbers are integers or IEEE 754 floating-point numbers. A damaged type may have any bias or width of the exponent,
/// which other programs cannot read.
bool are_plain_numbers(hid_t type) {
  if (H5Tget_class(type) == H5T_INTEGER) return true;
  const std::array<hid_t, 5> plain = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE,
                                      H5T_NATIVE_LDOUBLE};
  return std::ranges::any_of(plain, [&](hid_t one) { return H5Tequal(type, one) > 0; });
}

/// Throws unless a dataset contains numbers, and as many as its extent states. A forged extent could request any amount of memory.
void require_numbers(hid_t dataset, std::span<const std::uint64_t> extent, const std::string& where) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, where, "read");
  if (!are_plain_numbers(type.get())) refuse(where, "does not contain numbers");
  const Handle properties = owned(H5Dget_create_plist(dataset), H5Pclose, where, "read");
  if (!is_stored_in_file(properties.get())) refuse(where, elsewhere);
  for (int i = 0; i < H5Pget_nfilters(properties.get()); ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t count = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties.get(), static_cast<unsigned>(i), &flags, &count,
                                               nullptr, 0, nullptr, &settings);
    if (filter < 0 || H5Zfilter_avail(filter) <= 0)
      refuse(where, fmt::format("is compressed by filter {}, which HDF5 does not include",
                                static_cast<int>(filter)));
  }
  hsize_t file_size = 0;
  const Handle file = owned(H5Iget_file_id(dataset), H5Fclose, where, "read");
  checked(H5Fget_filesize(file.get(), &file_size), where, "read");
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  std::uint64_t left = stored > file_size ? 0 : stored;
  if (H5Pget_nfilters(properties.get()) > 0) left *= strongest_compression;
  left /= std::max<std::uint64_t>(H5Tget_size(type.get()), 1);
  for (const std::uint64_t size : extent) {
    if (size == 0) return;
    left /= size;
  }
  if (left == 0)
    refuse(where, fmt::format("the file does not contain its {} values", fmt::join(extent, " x ")));
}

template <class Number>
std::vector<Number> read_all(hid_t dataset, hid_t type, const Extent& extent, const std::string& where) {
  require_numbers(dataset, extent, where);
  std::vector<Number> values(volume(extent));
  if (!values.empty())
    checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), where, "read");
  return values;
}

/// Throws unless the type is a single text of variable length.
void require_text(hid_t type, hid_t space, const std::string& where) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0 || !is_scalar(space))
    refuse(where, "is not a single text of variable length");
}

/// Whether a member of this name exists and is not a link.
bool is_hard_link(hid_t place, const std::string& name) {
  H5L_info_t info;
  return H5Lget_info(place, name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

/// Requires that all members along `name`, which may be a path, are in this file and not links.
void require_hard_links(hid_t place, const std::string& name, const std::string& where) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string way = name.substr(0, end);
    if (H5Lexists(place, way.c_str(), H5P_DEFAULT) <= 0) return;  // reported when it is opened
    if (!is_hard_link(place, way)) refuse(below(where, way), "is a link, which is not followed");
  }
}

/// Collects the names over which HDF5 iterates.
template <class Info>
herr_t keep_name(hid_t, const char* name, const Info*, void* list) {
  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
  return 0;
}

/// H5O_TYPE_UNKNOWN for links and missing objects.
H5O_type_t member_kind(hid_t place, const std::string& name) {
  H5O_info_t info;
  const bool is_known =
      is_hard_link(place, name) && H5Oget_info_by_name(place, name.c_str(), &info, H5P_DEFAULT) >= 0;
  return is_known ? info.type : H5O_TYPE_UNKNOWN;
}

/// Throws if members below a group are links, are stored in other files, or have names that h5py cannot read.
void require_own_members(hid_t group, const std::string& where) {
  struct Visit {
    std::string where, problem;
  } visit{where, ""};
  const auto look = [](hid_t place, const char* name, const H5L_info_t* info, void* data) -> herr_t {
    auto& found = *static_cast<Visit*>(data);
    if (info->type != H5L_TYPE_HARD) found.problem = below(found.where, name) + ": is a link";
    if (!is_recordable(name)) found.problem = below(found.where, name) + ": the name is not UTF-8";
    if (found.problem.empty() && member_kind(place, name) == H5O_TYPE_DATASET) {
      const Handle dataset(H5Dopen2(place, name, H5P_DEFAULT), H5Dclose);
      const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
      if (!is_stored_in_file(properties.get())) found.problem = below(found.where, name) + ": " + elsewhere;
      const Handle type(H5Dget_type(dataset.get()), H5Tclose);
      if (H5Tget_class(type.get()) == H5T_FLOAT && !are_plain_numbers(type.get()))
        found.problem = below(found.where, name) + ": does not hold numbers";
    }
    return found.problem.empty() ? 0 : 1;
  };
  checked(H5Lvisit(group, H5_INDEX_NAME, H5_ITER_INC, look, &visit), where, "list the members");
  if (!visit.problem.empty()) throw MachineError(visit.problem);
}

std::string read_string(const std::function<herr_t(hid_t, void*)>& read, const std::string& where) {
  const Handle type = string_type();
  char* characters = nullptr;
  checked(read(type.get(), &characters), where, "read a text");
  const std::string text = characters ? characters : "";
  H5free_memory(characters);
  return text;
}

/// The datasets at or below an object: their addresses in the file, with their paths relative to the object.
using Addresses = std::map<haddr_t, std::string>;

Addresses datasets_below(hid_t object) {
  Addresses addresses;
  const auto keep = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) (*static_cast<Addresses*>(list))[info->addr] = name;
    return 0;
  };
  H5Ovisit(object, H5_INDEX_NAME, H5_ITER_INC, keep, &addresses);
  return addresses;
}

/// The addresses of the scales of each dimension of a dataset.
std::vector<std::vector<haddr_t>> scales_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<std::vector<haddr_t>> scales(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  const auto keep = [](hid_t, unsigned, hid_t scale, void* list) -> herr_t {
    H5O_info_t info;
    if (H5Oget_info(scale, &info) >= 0) static_cast<std::vector<haddr_t>*>(list)->push_back(info.addr);
    return 0;
  };
  for (unsigned i = 0; i < scales.size(); ++i) H5DSiterate_scales(dataset, i, nullptr, keep, &scales[i]);
  return scales;
}

/// Attaches the dimensions of the datasets below `source` to their copies below `copy`, because HDF5 copies references between
/// datasets unchanged, and these would be dangling.
void restore_scales(hid_t source, hid_t copy, const std::string& where) {
  const std::string what = "copy the dimensions";
  const auto open = [&](hid_t place, const std::string& path) {
    return Handle(checked(H5Dopen2(place, path.c_str(), H5P_DEFAULT), where, what), H5Dclose);
  };
  const Addresses datasets = datasets_below(source);
  for (const auto& [address, path] : datasets)
    for (const char* references : {"DIMENSION_LIST", "REFERENCE_LIST"})
      if (const Handle dataset = open(copy, path); H5Aexists(dataset.get(), references) > 0)
        checked(H5Adelete(dataset.get(), references), where, what);
  for (const auto& [address, path] : datasets) {
    const auto scales = scales_of(open(source, path).get());
    for (unsigned i = 0; i < scales.size(); ++i)
      for (const haddr_t scale : scales[i])
        if (const auto found = datasets.find(scale); found != datasets.end())
          checked(H5DSattach_scale(open(copy, path).get(), open(copy, found->second).get(), i), where, what);
  }
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
  }
  return *this;
}

void Handle::reset() {
  if (id_ >= 0) close_(id_);
  id_ = -1;
}

// Attributes

void Object::set(const std::string& name, const Attribute& value) {
  const std::string what = fmt::format("write the attribute '{}'", name);
  const auto store = [&](hid_t file_type, hid_t memory_type, const Extent& extent, const void* data) {
    if (has_attribute(name)) checked(H5Adelete(id(), name.c_str()), where_, what);
    const Handle space = simple_space(extent);
    const Handle attribute =
        owned(H5Acreate2(id(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
              where_, what);
    checked(H5Awrite(attribute.get(), memory_type, data), where_, what);
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    store(H5T_STD_I64LE, H5T_NATIVE_INT64, {}, integer);
  if (const auto* number = std::get_if<double>(&value)) store(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, number);
  if (const auto* list = std::get_if<std::vector<double>>(&value))
    store(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {list->size()}, list->data());
  if (const auto* text = std::get_if<std::string>(&value)) {
    const Handle type = string_type();
    const char* characters = text->c_str();
    store(type.get(), type.get(), {}, &characters);
  }
}

bool Object::has_attribute(const std::string& name) const {
  return H5Aexists(id(), name.c_str()) > 0;
}

std::vector<std::string> Object::attribute_names() const {
  std::vector<std::string> names;
  checked(H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name<H5A_info_t>, &names), where_,
          "list the attributes");
  return names;
}

Attribute Object::attribute(const std::string& name) const {
  const std::string what = fmt::format("read the attribute '{}'", name);
  const Handle attribute = owned(H5Aopen(id(), name.c_str(), H5P_DEFAULT), H5Aclose, where_, what);
  const Handle type = owned(H5Aget_type(attribute.get()), H5Tclose, where_, what);
  const Handle space = owned(H5Aget_space(attribute.get()), H5Sclose, where_, what);
  const H5T_class_t kind = H5Tget_class(type.get());
  const bool scalar = is_scalar(space.get());
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) > 0 && scalar)
    return read_string([&](hid_t memory, void* data) { return H5Aread(attribute.get(), memory, data); },
                       where_);
  const std::int64_t count = H5Sget_simple_extent_npoints(space.get());
  if (count < 0 || count > max_attribute_values)
    refuse(where_, fmt::format("the attribute '{}' does not contain its {} values", name, count));
  const bool plain = are_plain_numbers(type.get());
  if (plain && kind == H5T_INTEGER && scalar) {
    std::int64_t value = 0;
    checked(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), where_, what);
    return value;
  }
  if (plain) {
    std::vector<double> values(static_cast<std::size_t>(count));
    checked(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()), where_, what);
    if (scalar) return values.front();
    return values;
  }
  throw MachineError(fmt::format("{}: cannot {} (neither a number nor a text)", where_, what));
}

std::int64_t Object::integer(const std::string& name) const {
  const Attribute value = attribute(name);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  throw MachineError(fmt::format("{}: the attribute '{}' is not an integer", where_, name));
}

double Object::number(const std::string& name) const {
  const Attribute value = attribute(name);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  throw MachineError(fmt::format("{}: the attribute '{}' is not a number", where_, name));
}

std::string Object::text(const std::string& name) const {
  const Attribute value = attribute(name);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw MachineError(fmt::format("{}: the attribute '{}' is not a text", where_, name));
}

// Datasets

Extent Dataset::extent() const {
  const Handle space = owned(H5Dget_space(id()), H5Sclose, where_, "read the extent");
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  if (dimensions > 0) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

std::uint64_t Dataset::rows() const {
  const Extent size = extent();
  if (size.empty()) refuse(where_, "is not a list");
  return size[0];
}

void Dataset::append(std::span<const double> values) {
  if (values.empty()) return;
  const Extent old = extent();
  const std::uint64_t count = values.size() / volume(std::span(old).subspan(1));
  std::vector<hsize_t> size(old.begin(), old.end());
  size[0] += count;
  checked(H5Dset_extent(id(), size.data()), where_, "append");
  const Handle file_space = owned(H5Dget_space(id()), H5Sclose, where_, "append");
  const Handle memory_space = select_rows(file_space.get(), old, old[0], count, where_, "append");
  checked(H5Dwrite(id(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()),
          where_, "append");
}

std::vector<double> Dataset::read() const {
  return read_all<double>(id(), H5T_NATIVE_DOUBLE, extent(), where_);
}

std::vector<std::int64_t> Dataset::read_integers() const {
  return read_all<std::int64_t>(id(), H5T_NATIVE_INT64, extent(), where_);
}

std::vector<double> Dataset::read_rows(std::uint64_t first, std::uint64_t count) const {
  Extent size = extent();
  require_numbers(id(), size, where_);
  if (first + count > rows()) refuse(where_, fmt::format("has no row {}", first + count - 1));
  std::vector<double> values(count * volume(std::span(size).subspan(1)));
  if (values.empty()) return values;
  const Handle file_space = owned(H5Dget_space(id()), H5Sclose, where_, "read");
  const Handle memory_space = select_rows(file_space.get(), size, first, count, where_, "read");
  checked(H5Dread(id(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()),
          where_, "read");
  return values;
}

std::string Dataset::read_text() const {
  const Handle type = owned(H5Dget_type(id()), H5Tclose, where_, "read");
  const Handle space = owned(H5Dget_space(id()), H5Sclose, where_, "read");
  require_text(type.get(), space.get(), where_);
  if (!is_stored_here()) refuse(where_, elsewhere);
  return read_string(
      [&](hid_t memory, void* data) { return H5Dread(id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); },
      where_);
}

bool Dataset::holds_numbers() const {
  const Handle type = owned(H5Dget_type(id()), H5Tclose, where_, "read");
  return are_plain_numbers(type.get());
}

bool Dataset::is_stored_here() const {
  const Handle properties = owned(H5Dget_create_plist(id()), H5Pclose, where_, "read");
  return is_stored_in_file(properties.get());
}

bool Dataset::is_dimension() const {
  std::string name(std::strlen(bare_dimension), ' ');
  return H5DSis_scale(id()) > 0 && H5DSget_scale_name(id(), name.data(), name.size() + 1) > 0 &&
         name == bare_dimension;
}

void Dataset::make_scale(const std::string& name) {
  const std::string label = name.empty() ? fmt::format("{}{:10}", bare_dimension, extent()[0]) : name;
  checked(H5DSset_scale(id(), label.c_str()), where_, "name the dimension");
}

void Dataset::attach_scale(unsigned dimension, const Dataset& scale) {
  checked(H5DSattach_scale(id(), scale.id(), dimension), where_, "attach the dimension");
}

// Groups

Group Group::create_group(const std::string& name) {
  return {owned(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, where_,
                fmt::format("create the group '{}'", name)),
          below(where_, name)};
}

Group Group::open_group(const std::string& name) const {
  require_hard_links(id(), name, where_);
  return {owned(H5Gopen2(id(), name.c_str(), H5P_DEFAULT), H5Gclose, where_,
                fmt::format("open the group '{}'", name)),
          below(where_, name)};
}

Group Group::open_or_create_group(const std::string& name) {
  return has(name) ? open_group(name) : create_group(name);
}

Dataset Group::open_dataset(const std::string& name) const {
  require_hard_links(id(), name, where_);
  return {owned(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), H5Dclose, where_,
                fmt::format("open the dataset '{}'", name)),
          below(where_, name)};
}

bool Group::has(const std::string& name) const {
  return H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0;
}

bool Group::is_group(const std::string& name) const {
  return member_kind(id(), name) == H5O_TYPE_GROUP;
}

bool Group::is_dataset(const std::string& name) const {
  return member_kind(id(), name) == H5O_TYPE_DATASET;
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> names;
  checked(H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name<H5L_info_t>, &names), where_,
          "list the members");
  return names;
}

void Group::remove(const std::string& name) {
  checked(H5Ldelete(id(), name.c_str(), H5P_DEFAULT), where_, fmt::format("remove '{}'", name));
}

void Group::link(const std::string& name, const std::string& file, const std::string& path) {
  checked(H5Lcreate_external(file.c_str(), path.c_str(), id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
          where_, fmt::format("link '{}' to '{}'", name, file));
}

bool Group::is_link(const std::string& name) const {
  return has(name) && !is_hard_link(id(), name);
}

void Group::copy(const Group& source, const std::string& name) {
  require_hard_links(source.id(), name, source.where());
  if (source.is_group(name)) require_own_members(source.open_group(name).id(), below(source.where(), name));
  if (source.is_dataset(name) && !source.open_dataset(name).is_stored_here())
    refuse(below(source.where(), name), elsewhere);
  checked(H5Ocopy(source.id(), name.c_str(), id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), where_,
          fmt::format("copy '{}'", name));
  const Handle from =
      owned(H5Oopen(source.id(), name.c_str(), H5P_DEFAULT), H5Oclose, source.where(), "copy");
  const Handle to = owned(H5Oopen(id(), name.c_str(), H5P_DEFAULT), H5Oclose, where_, "copy");
  restore_scales(from.get(), to.get(), below(where_, name));
}

void Group::copy_attributes(const Group& source) {
  for (const std::string& name : source.attribute_names()) {
    if (has_attribute(name)) continue;
    const std::string what = fmt::format("copy the attribute '{}'", name);
    const Handle from =
        owned(H5Aopen(source.id(), name.c_str(), H5P_DEFAULT), H5Aclose, source.where(), what);
    const Handle type = owned(H5Aget_type(from.get()), H5Tclose, source.where(), what);
    const Handle space = owned(H5Aget_space(from.get()), H5Sclose, source.where(), what);
    const Handle memory =
        owned(H5Tget_native_type(type.get(), H5T_DIR_DEFAULT), H5Tclose, source.where(), what);
    const std::int64_t count = H5Sget_simple_extent_npoints(space.get());
    if (H5Tdetect_class(type.get(), H5T_REFERENCE) > 0 || count < 0 || count > max_attribute_values)
      refuse(source.where(), fmt::format("the attribute '{}' cannot be copied", name));
    std::vector<char> value(static_cast<std::size_t>(count) * H5Tget_size(memory.get()));
    checked(H5Aread(from.get(), memory.get(), value.data()), source.where(), what);
    const Handle to = owned(H5Acreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                            H5Aclose, where_, what);
    const herr_t written = H5Awrite(to.get(), memory.get(), value.data());
    H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, value.data());
    checked(written, where_, what);
  }
}

Handle Group::data(const std::string& name, Id type, const Extent& extent, Id properties,
                   const void* values) {
  const std::string what = fmt::format("write the dataset '{}'", name);
  const Handle space = simple_space(extent);
  Handle dataset =
      owned(H5Dcreate2(id(), name.c_str(), type, space.get(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
            where_, what);
  if (values && volume(extent) > 0)
    checked(H5Dwrite(dataset.get(), H5Tget_class(type) == H5T_INTEGER ? H5T_NATIVE_INT32 : type, H5S_ALL,
                     H5S_ALL, H5P_DEFAULT, values),
            where_, what);
  return dataset;
}

Dataset Group::write(const std::string& name, const Extent& extent, std::span<const double> values) {
  return {data(name, H5T_IEEE_F64LE, extent, H5P_DEFAULT, values.data()), below(where_, name)};
}

Dataset Group::write(const std::string& name, const Extent& extent, std::span<const std::int32_t> values) {
  return {data(name, H5T_STD_I32LE, extent, H5P_DEFAULT, values.data()), below(where_, name)};
}

Dataset Group::write_text(const std::string& name, const std::string& text) {
  const Handle type = string_type();
  const char* characters = text.c_str();
  return {data(name, type.get(), {}, H5P_DEFAULT, &characters), below(where_, name)};
}

Dataset Group::create_rows(const std::string& name, const Extent& row, std::uint64_t chunk_rows) {
  const std::string what = fmt::format("create the dataset '{}'", name);
  std::vector<hsize_t> size{0}, chunk{chunk_rows}, maximum{H5S_UNLIMITED};
  for (const std::uint64_t n : row) {
    size.push_back(n);
    chunk.push_back(std::max<std::uint64_t>(n, 1));
    maximum.push_back(n);
  }
  const Handle space = owned(H5Screate_simple(static_cast<int>(size.size()), size.data(), maximum.data()),
                             H5Sclose, where_, what);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), where_, what);
  H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);  // rows exist only once they are written
  Handle dataset = owned(
      H5Dcreate2(id(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      H5Dclose, where_, what);
  return {std::move(dataset), below(where_, name)};
}

Dataset Group::create_dimension(const std::string& name, std::uint64_t length) {
  Dataset dimension(data(name, H5T_IEEE_F32BE, {length}, H5P_DEFAULT, nullptr), below(where_, name));
  dimension.make_scale("");
  return dimension;
}

void Group::create_slice(const std::string& name, const std::string& source_path, const Extent& source_extent,
                         std::uint64_t row) {
  const std::string what = fmt::format("create the view '{}'", name);
  const Handle source = simple_space(source_extent);
  select_rows(source.get(), source_extent, row, 1, where_, what);
  const Extent extent(source_extent.begin() + 1, source_extent.end());
  const Handle space = simple_space(extent);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_virtual(properties.get(), space.get(), ".", source_path.c_str(), source.get()), where_,
          what);
  data(name, H5T_IEEE_F64LE, extent, properties.get(), nullptr);
}

std::string system_reason() {
  std::string reason;
  const auto find = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
    static const std::string mark = "error message = '";
    auto& found = *static_cast<std::string*>(text);
    const std::string description = entry->desc ? entry->desc : "";
    if (const auto begin = description.find(mark); found.empty() && begin != std::string::npos) {
      const auto first = begin + mark.size();
      found = description.substr(first, description.find('\'', first) - first);
    }
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find, &reason);
  return reason == std::strerror(EAGAIN) ? locked : reason;
}

void throw_failure(const std::string& where, const std::string& what) {
  const bool writing = what.starts_with("write") || what.starts_with("create") || what.starts_with("append");
  std::string reason = system_reason();
  if (reason.empty() && !writing) reason = "damaged, cut off, or not complete";
  throw MachineError(fmt::format("{}: cannot {}{}", where, what, reason.empty() ? "" : " (" + reason + ")"));
}

std::string library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace shoal::hdf5
