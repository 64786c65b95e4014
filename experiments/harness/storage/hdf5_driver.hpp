// HDF5's way of reading and writing bytes, over a AtomicFile. hdf5.h stays in the sources.
#pragma once

#include "experiments/harness/storage/atomic_file.hpp"

#include <cstdint>

namespace shoal::hdf5 {

/// Makes a file access property list (hid_t) open `twin`, which must outlive the file. Files written this way
/// are read by HDF5's default driver.
void use_twin(std::int64_t access_properties, AtomicFile& twin);

}  // namespace shoal::hdf5
