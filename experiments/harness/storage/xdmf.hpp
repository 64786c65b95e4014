// The .xdmf beside a results file, by which ParaView opens it.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// FILE.xdmf beside FILE.h5: one temporal collection per run that has snapshots, with depth, velocity, … of
/// each snapshot (the views under /xdmf) and the elevation.
class Xdmf {
 public:
  explicit Xdmf(const std::filesystem::path& results);
  /// Registers the data of a run in `file`, the results or a part of them; the cost is proportional to new
  /// data.
  void update(const hdf5::File& file, const std::string& id);
  /// Removes the data in `file` of a run. Returns whether there were any.
  bool forget(const std::string& id, const std::filesystem::path& file);
  /// Replaces the file in one step if there is anything new; removes it if there is nothing to show. Throws
  /// MachineError.
  void write();

 private:
  struct Collection {
    std::string file;  ///< that the text refers to
    std::size_t snapshots = 0;
    std::string text;
  };
  std::filesystem::path path_;
  std::map<std::string, Collection> collections_;  // by run
  bool changed_ = true;
};

}  // namespace shoal
