// What HDF5 says of a failure, as a sentence.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

namespace shoal::hdf5 {

constexpr const char* locked = "another program has it open";

/// The system's reason where HDF5 quotes one ("No space left on device"), else "". The library's own messages
/// describe its internals only.
std::string system_reason();

/// Throws MachineError "WHERE: cannot WHAT (REASON)".
[[noreturn]] void complain(const std::string& where, const std::string& what);

template <class Result>
Result checked(Result result, const std::string& where, const std::string& what) {
  if (result < 0) complain(where, what);
  return result;
}

/// Closes what was opened; as checked().
inline Handle owned(Id id, Handle::Closer close, const std::string& where, const std::string& what) {
  return {checked(id, where, what), close};
}

}  // namespace shoal::hdf5
