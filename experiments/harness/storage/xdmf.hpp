// The .xdmf beside a results file, by which ParaView opens it.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// FILE.xdmf beside FILE.h5, NAME.xdmf beside any other NAME.
std::filesystem::path xdmf_path(const std::filesystem::path& results);

/// Throws Error if another file bears the name of the .xdmf of these results: it says by itself which results it
/// shows.
void require_own_xdmf(const std::filesystem::path& results);

/// One temporal collection per run that has snapshots, with depth, velocity, … of each snapshot (the views under
/// /xdmf) and the elevation.
class Xdmf {
 public:
  /// Throws as require_own_xdmf() does.
  explicit Xdmf(const std::filesystem::path& results);
  /// Why there is none, as one sentence; "" where there can be one.
  const std::string& problem() const { return problem_; }
  /// Registers the data of a run in `file`, the results or a part of them; the cost is proportional to new
  /// data.
  void update(const hdf5::File& file, const std::string& id);
  /// Removes the data in `file` of a run. Returns whether there were any.
  bool forget(const std::string& id, const std::filesystem::path& file);
  /// Replaces the file in one step if there is anything new; removes it if there is nothing to show. Where that
  /// fails there is a problem(), and no further attempt.
  void write();

 private:
  struct Collection {
    std::string file;  ///< that the text refers to
    std::size_t snapshots = 0;
    std::string text;
  };
  std::string name_of(const std::filesystem::path& file) const;
  std::filesystem::path results_, path_;
  std::string problem_;
  std::map<std::string, Collection> collections_;  // by run
  bool changed_ = true;
};

}  // namespace shoal
