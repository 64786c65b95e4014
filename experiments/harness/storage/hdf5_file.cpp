// HDF5 files. A virtual file driver writes them into an AtomicFile.
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/storage/hdf5_failure.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <thread>

namespace shoal::hdf5 {
namespace {

struct Driver : H5FD_t {
  AtomicFile* file = nullptr;
  haddr_t end_of_address = 0;
};

/// The data that use_twin passes to open_file in the access properties.
struct Information {
  AtomicFile* file;
};

Driver& driver(H5FD_t* file) {
  return *static_cast<Driver*>(file);
}

const Driver& driver(const H5FD_t* file) {
  return *static_cast<const Driver*>(file);
}

H5FD_t* open_file(const char*, unsigned flags, hid_t properties, haddr_t) {
  const auto* information = static_cast<const Information*>(H5Pget_driver_info(properties));
  if (!information) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0) information->file->resize(0);
  auto* result = new Driver{};
  result->file = information->file;
  return result;
}

herr_t close_file(H5FD_t* file) {
  delete &driver(file);
  return 0;
}

/// The same features as HDF5's own driver for plain files, whose file format is the same.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_address(const H5FD_t* file, H5FD_mem_t) {
  return driver(file).end_of_address;
}

herr_t set_end_of_address(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  driver(file).end_of_address = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return driver(file).file->size();
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* data) {
  if (driver(file).file->read(address, data, size)) return 0;
  H5Epush2(H5E_DEFAULT, __FILE__, "twin", __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
           "error message = '%s'", std::strerror(driver(file).file->failure()));
  return -1;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* data) {
  driver(file).file->write(address, data, size);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  Driver& self = driver(file);
  if (self.file->size() != self.end_of_address) self.file->resize(self.end_of_address);
  return 0;
}

hid_t registered() {
  static const hid_t id = [] {
    static H5FD_class_t kind{};
    kind.name = "twin";
    kind.maxaddr = (haddr_t{1} << 62) - 1;
    kind.fc_degree = H5F_CLOSE_STRONG;
    kind.fapl_size = sizeof(Information);
    kind.open = open_file;
    kind.close = close_file;
    kind.query = query;
    kind.get_eoa = end_of_address;
    kind.set_eoa = set_end_of_address;
    kind.get_eof = end_of_file;
    kind.read = read;
    kind.write = write;
    kind.truncate = truncate;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(kind.fl_map));
    return H5FDregister(&kind);
  }();
  return id;
}

/// Makes a file access property list open `twin`, which must outlive the file. HDF5's default driver reads such files.
void use_twin(hid_t access_properties, AtomicFile& twin) {
  const Information information{&twin};
  if (registered() < 0 || H5Pset_driver(access_properties, registered(), &information) < 0)
    throw MachineError("HDF5 does not accept our file driver");
}

[[noreturn]] void throw_write_failure(const std::filesystem::path& path, int failure) {
  throw MachineError(fmt::format("'{}': the file cannot be written ({})", path.string(),
                                 failure != 0 ? std::strerror(failure) : system_reason()));
}

/// Retries, because a file that is being replaced by its writer is locked; the next attempt opens the new file.
hid_t open_for_reading(const std::string& name, hid_t properties) {
  constexpr int max_tries = 100;
  constexpr std::chrono::milliseconds pause{5};
  hid_t id = -1;
  for (int tries = 0; tries < max_tries; ++tries) {
    id = H5Fopen(name.c_str(), H5F_ACC_RDONLY, properties);
    if (id >= 0 || system_reason() != locked) break;
    std::this_thread::sleep_for(pause);
  }
  return id;
}

void set_up_library() {
  H5dont_atexit();  // at exit, HDF5 would write remaining data of abandoned files
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(
      0);  // a file may request filters, which are code; only those built into HDF5 are allowed
}

}  // namespace

File::File(const std::filesystem::path& path, Access access) : path_(path) {
  set_up_library();
  if (access == Access::create || access == Access::update) {
    open_twin(access == Access::create ? "" : path);
    return;
  }
  const Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
  if (access == Access::memory) {
    constexpr std::size_t increment = 512;  // by which size() grows
    H5Pset_fapl_core(properties.get(), increment, 0);
    handle_ = Handle(checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get()),
                             path.string(), "create the file"),
                     H5Fclose);
    return;
  }
  handle_ = Handle(
      checked(open_for_reading(path.string(), properties.get()), path.string(), "open the file as HDF5"),
      H5Fclose);
}

File::File(const std::filesystem::path& path, const std::filesystem::path& beginning) : path_(path) {
  set_up_library();
  open_twin(beginning);
}

void File::open_twin(const std::filesystem::path& beginning) {
  const std::string name = path_.string();
  const bool create = beginning.empty();
  const Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
  twin_ = std::make_unique<AtomicFile>(path_, beginning);
  use_twin(properties.get(), *twin_);
  const hid_t id = create ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get())
                          : H5Fopen(name.c_str(), H5F_ACC_RDWR, properties.get());
  handle_ = Handle(checked(id, name, create ? "create the file" : "open the file as HDF5"), H5Fclose);
}

File::File(File&&) noexcept = default;

File::~File() {
  handle_.reset();  // writes into the twin, which is discarded
}

std::uint64_t File::size() const {
  hsize_t size = 0;
  checked(H5Fget_filesize(handle_.get(), &size), path_.string(), "read the size");
  return size;
}

bool File::is_there() const {
  return twin_ && twin_->is_there();
}

Group File::root() const {
  Handle group = owned(H5Gopen2(handle_.get(), "/", H5P_DEFAULT), H5Gclose, path_.string(), "open the root");
  return {std::move(group), path_.string() + ": /"};
}

void File::flush() {
  flush(false);
}

void File::flush_to_disk() {
  flush(true);
}

void File::flush(bool to_disk) {
  if (H5Fflush(handle_.get(), H5F_SCOPE_LOCAL) < 0) throw_write_failure(path_, twin_ ? twin_->failure() : 0);
  if (twin_) twin_->publish(to_disk);
}

void File::close() {
  const bool closed = handle_.get() < 0 || H5Fclose(handle_.get()) >= 0;
  handle_.release();
  const std::unique_ptr<AtomicFile> twin = std::move(twin_);
  if (!twin) return;
  if (!closed) throw_write_failure(path_, twin->failure());
  twin->finish();
}

}  // namespace shoal::hdf5
