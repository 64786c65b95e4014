// The part of the HDF5 library that results files need, with errors that name the file.
#include "experiments/harness/hdf5.hpp"

#include "discretizations/common/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>

namespace shoal::hdf5 {
namespace {

/// HDF5's innermost complaint, or the system's where it quotes one ("No space left on device").
std::string library_reason() {
  std::string reason;
  const auto keep_first = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
    auto& kept = *static_cast<std::string*>(text);
    if (kept.empty() && entry->desc) kept = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  const std::string mark = "error message = '";
  if (const auto begin = reason.find(mark); begin != std::string::npos) {
    const auto first = begin + mark.size();
    reason = reason.substr(first, reason.find('\'', first) - first);
    return reason == std::strerror(EAGAIN) ? "another program has it open" : reason;
  }
  return reason;
}

template <class Result>
Result checked(Result result, const std::string& where, const std::string& what) {
  if (result >= 0) return result;
  const std::string reason = library_reason();
  throw MachineError(fmt::format("{}: cannot {}{}", where, what, reason.empty() ? "" : " (" + reason + ")"));
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

std::uint64_t volume(std::span<const std::uint64_t> extent) {
  return std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>());
}

std::string read_string(const std::function<herr_t(hid_t, void*)>& read, const std::string& where) {
  const Handle type = string_type();
  char* characters = nullptr;
  checked(read(type.get(), &characters), where, "read a text");
  const std::string text = characters ? characters : "";
  H5free_memory(characters);
  return text;
}

/// Chunks are written at once, so that all space is allocated before a flush (see File::reserve_space), and
/// metadata leaves the cache at a flush only. (HDF5 would otherwise write some of it whenever the cache is
/// full, and a program killed then leaves a file that contradicts itself.)
void write_in_order(hid_t properties, const std::string& where) {
  checked(H5Pset_cache(properties, 0, 0, 0, 0), where, "set the chunk cache");
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(properties, &cache), where, "read the cache's settings");
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  cache.evictions_enabled = false;
  checked(H5Pset_mdc_config(properties, &cache), where, "set the cache");
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
  const Handle text_type = string_type();
  const auto* list = std::get_if<std::vector<double>>(&value);
  const Handle space = simple_space(list ? Extent{list->size()} : Extent{});
  const auto store = [&](hid_t file_type, hid_t memory_type, const void* data) {
    // Numbers are overwritten in place, so that a program killed meanwhile leaves the old or the new one.
    const bool in_place = file_type != text_type.get() && !list && has_attribute(name);
    if (!in_place && has_attribute(name)) checked(H5Adelete(id(), name.c_str()), where_, what);
    const Handle attribute(
        checked(in_place ? H5Aopen(id(), name.c_str(), H5P_DEFAULT)
                         : H5Acreate2(id(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                where_, what),
        H5Aclose);
    checked(H5Awrite(attribute.get(), memory_type, data), where_, what);
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    store(H5T_STD_I64LE, H5T_NATIVE_INT64, integer);
  if (const auto* number = std::get_if<double>(&value)) store(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, number);
  if (list) store(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, list->data());
  if (const auto* text = std::get_if<std::string>(&value)) {
    const char* characters = text->c_str();
    store(text_type.get(), text_type.get(), &characters);
  }
}

bool Object::has_attribute(const std::string& name) const {
  return H5Aexists(id(), name.c_str()) > 0;
}

std::vector<std::string> Object::attribute_names() const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  checked(H5Aiterate2(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), where_,
          "list the attributes");
  return names;
}

Attribute Object::attribute(const std::string& name) const {
  const std::string what = fmt::format("read the attribute '{}'", name);
  const Handle attribute(checked(H5Aopen(id(), name.c_str(), H5P_DEFAULT), where_, what), H5Aclose);
  const Handle type(checked(H5Aget_type(attribute.get()), where_, what), H5Tclose);
  const Handle space(checked(H5Aget_space(attribute.get()), where_, what), H5Sclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) > 0 &&
      H5Sget_simple_extent_type(space.get()) == H5S_SCALAR)
    return read_string([&](hid_t memory, void* data) { return H5Aread(attribute.get(), memory, data); },
                       where_);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  const bool scalar = H5Sget_simple_extent_type(space.get()) == H5S_SCALAR;
  if (kind == H5T_INTEGER && scalar) {
    std::int64_t value = 0;
    checked(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), where_, what);
    return value;
  }
  if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
    std::vector<double> values(count);
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

std::vector<double> Object::numbers(const std::string& name) const {
  const Attribute value = attribute(name);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  return {number(name)};
}

// Datasets

Extent Dataset::extent() const {
  const Handle space(checked(H5Dget_space(id()), where_, "read the extent"), H5Sclose);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(dimensions));
  if (dimensions > 0) H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

void Dataset::append(std::span<const double> values) {
  if (values.empty()) return;
  const Extent old = extent();
  std::vector<hsize_t> start(old.size(), 0), count(old.begin(), old.end());
  start[0] = old[0];
  count[0] = values.size() / volume(std::span(old).subspan(1));
  std::vector<hsize_t> size(old.begin(), old.end());
  size[0] += count[0];
  checked(H5Dset_extent(id(), size.data()), where_, "append");
  const Handle file_space(checked(H5Dget_space(id()), where_, "append"), H5Sclose);
  checked(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          where_, "append");
  const Handle memory_space = simple_space({count.begin(), count.end()});
  checked(H5Dwrite(id(), H5T_NATIVE_DOUBLE, memory_space.get(), file_space.get(), H5P_DEFAULT, values.data()),
          where_, "append");
}

std::vector<double> Dataset::read() const {
  const Extent size = extent();
  std::vector<double> values(volume(size));
  if (!values.empty())
    checked(H5Dread(id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), where_, "read");
  return values;
}

std::vector<std::int64_t> Dataset::read_integers() const {
  const Extent size = extent();
  std::vector<std::int64_t> values(volume(size));
  if (!values.empty())
    checked(H5Dread(id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), where_, "read");
  return values;
}

std::string Dataset::read_text() const {
  return read_string(
      [&](hid_t memory, void* data) { return H5Dread(id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); },
      where_);
}

void Dataset::make_scale(const std::string& name) {
  const std::string label =
      name.empty() ? fmt::format("This is a netCDF dimension but not a netCDF variable.{:10}", extent()[0])
                   : name;
  checked(H5DSset_scale(id(), label.c_str()), where_, "name the dimension");
}

void Dataset::attach_scale(unsigned dimension, const Dataset& scale) {
  checked(H5DSattach_scale(id(), scale.id(), dimension), where_, "attach the dimension");
}

// Groups

Group Group::create_group(const std::string& name) {
  Handle group(checked(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), where_,
                       fmt::format("create the group '{}'", name)),
               H5Gclose);
  return {std::move(group), where_ + "/" + name};
}

Group Group::open_group(const std::string& name) const {
  Handle group(
      checked(H5Gopen2(id(), name.c_str(), H5P_DEFAULT), where_, fmt::format("open the group '{}'", name)),
      H5Gclose);
  return {std::move(group), where_ + "/" + name};
}

Group Group::open_or_create_group(const std::string& name) {
  return has(name) ? open_group(name) : create_group(name);
}

Dataset Group::open_dataset(const std::string& name) const {
  Handle dataset(
      checked(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), where_, fmt::format("open the dataset '{}'", name)),
      H5Dclose);
  return {std::move(dataset), where_ + "/" + name};
}

bool Group::has(const std::string& name) const {
  return H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  checked(H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), where_, "list the members");
  return names;
}

void Group::remove(const std::string& name) {
  checked(H5Ldelete(id(), name.c_str(), H5P_DEFAULT), where_, fmt::format("remove '{}'", name));
}

Handle Group::data(const std::string& name, Id type, const Extent& extent, Id properties,
                   const void* values) {
  const std::string what = fmt::format("write the dataset '{}'", name);
  const Handle space = simple_space(extent);
  Handle dataset(
      checked(H5Dcreate2(id(), name.c_str(), type, space.get(), H5P_DEFAULT, properties, H5P_DEFAULT), where_,
              what),
      H5Dclose);
  if (values && volume(extent) > 0)
    checked(H5Dwrite(dataset.get(), H5Tget_class(type) == H5T_INTEGER ? H5T_NATIVE_INT32 : type, H5S_ALL,
                     H5S_ALL, H5P_DEFAULT, values),
            where_, what);
  return dataset;
}

Dataset Group::write(const std::string& name, const Extent& extent, std::span<const double> values) {
  return {data(name, H5T_IEEE_F64LE, extent, H5P_DEFAULT, values.data()), where_ + "/" + name};
}

Dataset Group::write(const std::string& name, const Extent& extent, std::span<const std::int32_t> values) {
  return {data(name, H5T_STD_I32LE, extent, H5P_DEFAULT, values.data()), where_ + "/" + name};
}

Dataset Group::write_text(const std::string& name, const std::string& text) {
  const Handle type = string_type();
  const char* characters = text.c_str();
  return {data(name, type.get(), {}, H5P_DEFAULT, &characters), where_ + "/" + name};
}

Dataset Group::create_rows(const std::string& name, const Extent& row, std::uint64_t chunk_rows) {
  const std::string what = fmt::format("create the dataset '{}'", name);
  std::vector<hsize_t> size{0}, chunk{chunk_rows}, maximum{H5S_UNLIMITED};
  for (const std::uint64_t n : row) {
    size.push_back(n);
    chunk.push_back(std::max<std::uint64_t>(n, 1));
    maximum.push_back(n);
  }
  const Handle space(
      checked(H5Screate_simple(static_cast<int>(size.size()), size.data(), maximum.data()), where_, what),
      H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), where_, what);
  H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);  // rows exist only once they are written
  Handle dataset(checked(H5Dcreate2(id(), name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                    properties.get(), H5P_DEFAULT),
                         where_, what),
                 H5Dclose);
  return {std::move(dataset), where_ + "/" + name};
}

Dataset Group::create_dimension(const std::string& name, std::uint64_t length) {
  Dataset dimension(data(name, H5T_IEEE_F32BE, {length}, H5P_DEFAULT, nullptr), where_ + "/" + name);
  dimension.make_scale("");
  return dimension;
}

void Group::create_slice(const std::string& name, const std::string& source_path, const Extent& source_extent,
                         std::uint64_t row) {
  const std::string what = fmt::format("create the view '{}'", name);
  std::vector<hsize_t> start(source_extent.size(), 0), count(source_extent.begin(), source_extent.end());
  start[0] = row;
  count[0] = 1;
  const Handle source = simple_space(source_extent);
  checked(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          where_, what);
  const Extent extent(source_extent.begin() + 1, source_extent.end());
  const Handle space = simple_space(extent);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  checked(H5Pset_virtual(properties.get(), space.get(), ".", source_path.c_str(), source.get()), where_,
          what);
  data(name, H5T_IEEE_F64LE, extent, properties.get(), nullptr);
}

// Files

File::File(const std::filesystem::path& path, Access access)
    : path_(path), writable_(access != Access::read) {
  H5dont_atexit();  // at exit, HDF5 would write what is left of files that were given up
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::string name = path.string();
  const Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
  hid_t id = -1;
  if (access == Access::read) {
    id = H5Fopen(name.c_str(), H5F_ACC_RDONLY, properties.get());
  } else {
    write_in_order(properties.get(), name);
    id = access == Access::create ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get())
                                  : H5Fopen(name.c_str(), H5F_ACC_RDWR, properties.get());
  }
  handle_ = Handle(checked(id, name, access == Access::create ? "create the file" : "open the file as HDF5"),
                   H5Fclose);
}

Group File::root() const {
  Handle group(checked(H5Gopen2(handle_.get(), "/", H5P_DEFAULT), path_.string(), "open the root"), H5Gclose);
  return {std::move(group), path_.string() + ": "};
}

/// Extends the file to what its head will claim. Returns 0 or an errno.
int File::reserve_space() const {
  hsize_t size = 0;
  if (H5Fget_filesize(handle_.get(), &size) < 0) return EIO;
  const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int failure = posix_fallocate(descriptor, 0, static_cast<off_t>(size));
  close(descriptor);
  return failure;
}

/// A file for which there is no space is given up as it was at the last flush: closing would write half the
/// rest.
File::~File() {
  if (writable_ && handle_.get() >= 0 && reserve_space() != 0) handle_.release();
}

void File::flush() {
  if (const int failure = reserve_space(); failure != 0)
    throw MachineError(
        fmt::format("{}: cannot write to the disk ({})", path_.string(), std::strerror(failure)));
  checked(H5Fflush(handle_.get(), H5F_SCOPE_LOCAL), path_.string(), "write to the disk");
}

std::string library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace shoal::hdf5
