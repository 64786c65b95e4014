// A thin wrapper of HDF5's C API: identifiers close themselves, and every failure is a MachineError that names the file, the
// object and the failed operation. Only hdf5.cpp includes hdf5.h.
//
// Files may be damaged or malicious. Before reading, the type and the actual size of the data are checked. Links are not
// followed, neither to other files nor within the file, and numbers in other files (external storage, virtual datasets) are not
// read. HDF5 itself still crashes or hangs on some damaged files: see read_in_a_process().
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace shoal {
class AtomicFile;
}

namespace shoal::hdf5 {

using Id = std::int64_t;  ///< hid_t
using Extent = std::vector<std::uint64_t>;

/// The value of an attribute; strings are UTF-8 of variable length, so that h5py reads `str`.
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<double>>;

/// Owns one identifier.
class Handle {
 public:
  using Closer = int (*)(Id);
  Handle() = default;
  Handle(Id id, Closer close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  void reset();
  void release() { id_ = -1; }  ///< leaves the identifier open
  Id get() const { return id_; }

 private:
  Id id_ = -1;
  Closer close_ = nullptr;
};

/// The common part of groups and datasets: attributes, and a name for messages.
class Object {
 public:
  const std::string& where() const { return where_; }  ///< "FILE.h5: /runs/0001"
  Id id() const { return handle_.get(); }

  void set(const std::string& name, const Attribute& value);  ///< replaces an attribute of that name and kind
  bool has_attribute(const std::string& name) const;
  std::vector<std::string> attribute_names() const;
  Attribute attribute(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double number(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// The value, or `fallback` if it does not exist.
  double number(const std::string& name, double fallback) const {
    return has_attribute(name) ? number(name) : fallback;
  }
  std::string text(const std::string& name, const char* fallback) const {
    return has_attribute(name) ? text(name) : fallback;
  }

 protected:
  Object(Handle handle, std::string where) : handle_(std::move(handle)), where_(std::move(where)) {}
  Handle handle_;
  std::string where_;
};

class Dataset : public Object {
 public:
  Dataset(Handle handle, std::string where) : Object(std::move(handle), std::move(where)) {}

  Extent extent() const;
  std::uint64_t rows() const;  ///< the first dimension; throws if there is none
  /// Appends whole rows to a dataset whose first dimension grows.
  void append(std::span<const double> values);
  std::vector<double> read() const;
  std::vector<double> read_rows(std::uint64_t first, std::uint64_t count) const;
  std::vector<std::int64_t> read_integers() const;
  std::string read_text() const;

  bool holds_numbers() const;   ///< integers, or IEEE 754 floating-point numbers of at least 32 bits
  bool is_stored_here() const;  ///< neither virtual nor in external files
  bool is_dimension() const;    ///< made by create_dimension()

  /// Makes this the coordinate or, with `name` empty, only the length of a dimension (the netCDF convention, which xarray reads).
  void make_scale(const std::string& name);
  void attach_scale(unsigned dimension, const Dataset& scale);
};

class Group : public Object {
 public:
  Group(Handle handle, std::string where) : Object(std::move(handle), std::move(where)) {}

  Group create_group(const std::string& name);
  Group open_group(const std::string& name) const;
  Group open_or_create_group(const std::string& name);
  Dataset open_dataset(const std::string& name) const;
  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  bool is_dataset(const std::string& name) const;
  std::vector<std::string> names() const;  ///< members, in alphabetical order
  void remove(const std::string& name);

  /// The member `name` is the object at `path` in `file`, a path relative to this file's folder.
  void link(const std::string& name, const std::string& file, const std::string& path);
  bool is_link(const std::string& name) const;  ///< to another place in this file or to another file
  /// Copies the member `name` of `source`, in another file, with those dimensions of its datasets that are also members of it.
  /// Throws if it contains links or data stored in other files.
  void copy(const Group& source, const std::string& name);
  void copy_attributes(const Group& source);  ///< those that this group lacks, of any type

  Dataset write(const std::string& name, const Extent& extent, std::span<const double> values);
  Dataset write(const std::string& name, const Extent& extent, std::span<const std::int32_t> values);
  Dataset write_text(const std::string& name, const std::string& text);
  /// A dataset for rows of shape `row` (empty: scalars) that are appended later, stored in chunks of `chunk_rows`.
  Dataset create_rows(const std::string& name, const Extent& row, std::uint64_t chunk_rows);
  /// A dimension without a coordinate; takes no space in the file.
  Dataset create_dimension(const std::string& name, std::uint64_t length);
  /// A virtual dataset: a view of row `row` of the dataset at `source_path` in the same file.
  void create_slice(const std::string& name, const std::string& source_path, const Extent& source_extent,
                    std::uint64_t row);

 private:
  Handle data(const std::string& name, Id type, const Extent& extent, Id properties, const void* values);
};

enum class Access { read, update, create, memory };

/// An open file. With `update` and `create` the file under its name is always complete and contains the data up to the last
/// flush() or close(), even if the program is killed or an operation fails (see AtomicFile); others may read it meanwhile. With
/// `memory` nothing is written to the disk, and the path is only a name for messages.
class File {
 public:
  File(const std::filesystem::path& path, Access access);
  /// A file for writing that begins with the content of the file `beginning`.
  File(const std::filesystem::path& path, const std::filesystem::path& beginning);
  File(File&&) noexcept;
  ~File();  ///< discards data written since the last flush, which may be incomplete
  Group root() const;
  void flush();          ///< data then survive the end of the program
  void flush_to_disk();  ///< data then survive a crash of the machine too; takes some ms
  /// Closes a file that was opened for writing, including data written since the last flush.
  void close();
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const;  ///< bytes, including those not flushed
  /// Whether the last flushed file still exists under its name, for files opened for writing.
  bool is_there() const;

 private:
  void open_twin(const std::filesystem::path& beginning);
  void flush(bool to_disk);

  std::filesystem::path path_;
  std::unique_ptr<AtomicFile> twin_;  // for writing
  Handle handle_;
};

/// Version of the library in use, "1.10.8".
std::string library_version();

}  // namespace shoal::hdf5
