// A virtual file driver of HDF5: what the library writes goes into the twin.
#include "experiments/harness/storage/hdf5_driver.hpp"

#include "discretizations/common/error.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace shoal::hdf5 {
namespace {

struct Driver : H5FD_t {
  AtomicFile* file = nullptr;
  haddr_t end_of_address = 0;
};

/// What the properties carry from use_twin to open_file.
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

/// As HDF5's own driver for plain files, whose files are the same.
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

}  // namespace

void use_twin(std::int64_t access_properties, AtomicFile& twin) {
  const Information information{&twin};
  if (registered() < 0 || H5Pset_driver(access_properties, registered(), &information) < 0)
    throw MachineError("HDF5 does not take the driver of its files");
}

}  // namespace shoal::hdf5
