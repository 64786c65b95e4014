// The .xdmf file beside a results file, or one per run, with which ParaView opens the results.
#pragma once

#include "experiments/harness/storage/hdf5.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shoal {

/// The paths of the files for ParaView: FILE.xdmf beside FILE.h5 (NAME.xdmf beside any other NAME) if the results contain one run,
/// otherwise FILE-paraview/0001.xdmf, …, one per run, because ParaView has one time line per file. Its file dialog opens files
/// named NAME-0001.xdmf all at once, but not files whose name is a number.
struct XdmfFiles {
  XdmfFiles(const std::filesystem::path& results, std::vector<std::string> ids);
  bool several() const { return ids.size() > 1; }
  std::filesystem::path of(const std::string& id) const {
    return several() ? folder / (id + ".xdmf") : single;
  }

  std::filesystem::path results, single, folder;
  std::vector<std::string> ids;  ///< of all runs of the results
};

/// Why results of this name cannot have such files, as one sentence; "" if they can.
std::string obstacle_to_xdmf(const std::filesystem::path& results);

/// Throws Error if the name of a file to be written, or of the folder, is taken by something else. A file names the results that
/// it shows.
void require_own_xdmf(const XdmfFiles& files);

/// For each run with snapshots, a temporal collection with elevation, depth, velocity, … of each snapshot (the views under /xdmf).
class Xdmf {
 public:
  /// Throws like require_own_xdmf().
  explicit Xdmf(XdmfFiles files);
  /// Why there are no files, as one sentence; "" if there can be.
  const std::string& problem() const { return problem_; }
  /// Registers the data of a run in the results; the cost is proportional to new data.
  void update(const hdf5::File& results, const std::string& id);
  /// Removes the data of a run. Returns whether there were any.
  bool forget(const std::string& id);
  /// Atomically replaces files with new content and removes files without content, the first time also those left by an earlier
  /// program. If that fails, problem() gives the reason, and there is no further attempt.
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
