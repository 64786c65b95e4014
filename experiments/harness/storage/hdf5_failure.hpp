// Messages of HDF5 failures.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

namespace shoal::hdf5 {

constexpr const char* locked = "another program has it open";

/// The reason given by the system if HDF5 quotes it ("No space left on device"), otherwise "". The library's own messages only
/// describe its internals.
std::string system_reason();

/// Throws MachineError "WHERE: cannot WHAT (REASON)".
[[noreturn]] void throw_failure(const std::string& where, const std::string& what);

template <class Result>
Result checked(Result result, const std::string& where, const std::string& what) {
  if (result < 0) throw_failure(where, what);
  return result;
}

/// Closes an object; checks like checked().
inline Handle owned(Id id, Handle::Closer close, const std::string& where, const std::string& what) {
  return {checked(id, where, what), close};
}

}  // namespace shoal::hdf5
