// The .xdmf beside a results file, or one of each run, by which ParaView opens it.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shoal {

/// Where the files for ParaView lie: FILE.xdmf beside FILE.h5 (NAME.xdmf beside any other NAME) if the results hold one
/// run, else FILE-paraview/0001.xdmf, …, one of each run: what is in one file has one time line in ParaView. Its file
/// dialog opens files named NAME-0001.xdmf all at once, but not those whose name is a number.
struct XdmfFiles {
  XdmfFiles(const std::filesystem::path& results, std::vector<std::string> ids);
  bool several() const { return ids.size() > 1; }
  std::filesystem::path of(const std::string& id) const {
    return several() ? folder / (id + ".xdmf") : single;
  }

  std::filesystem::path results, single, folder;
  std::vector<std::string> ids;  ///< of the runs that the results are to hold
};

/// Why there can be none beside results of this name, as one sentence; "" where there can be.
std::string obstacle_to_xdmf(const std::filesystem::path& results);

/// Throws Error if something else bears the name of a file that is to be written, or of the folder: a file says by
/// itself which results it shows.
void require_own_xdmf(const XdmfFiles& files);

/// Of each run that has snapshots a temporal collection with elevation, depth, velocity, … of each snapshot (the views
/// under /xdmf).
class Xdmf {
 public:
  /// Throws as require_own_xdmf() does.
  explicit Xdmf(XdmfFiles files);
  /// Why there is none, as one sentence; "" where there can be one.
  const std::string& problem() const { return problem_; }
  /// Registers the data of a run in the results; the cost is proportional to new data.
  void update(const hdf5::File& results, const std::string& id);
  /// Removes the data of a run. Returns whether there were any.
  bool forget(const std::string& id);
  /// Replaces, each in one step, the files in which there is something new, and removes those that show nothing, at
  /// first also those that an earlier program has left. Where that fails there is a problem(), and no further
  /// attempt.
  void write();

 private:
  struct Collection {
    std::size_t snapshots = 0;
    std::string text;
    bool changed = true;
  };
  void remove_others();
  void make_folder() const;

  XdmfFiles files_;
  std::string problem_;
  std::map<std::string, Collection> collections_;  // by run
  bool others_may_be_there_ = true;
};

}  // namespace shoal
