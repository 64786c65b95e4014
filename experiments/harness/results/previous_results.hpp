// Inspects the results that an earlier start left under the name of an output, and continues from them.
//
// The file may be damaged or belong to another program. It is therefore read in separate processes, which copy everything
// that is readable, and the program continues with the copy. Until the copy replaces the file, the file is unchanged.
#pragma once

#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/table.hpp"

#include <optional>

namespace shoal {

/// The kind of results of a command.
enum class Contents { runs, frontier, spectrum };

/// Thrown if a file contains other results than those to be written.
class OtherResults : public Error {
 public:
  OtherResults(const std::filesystem::path& output, std::string contents);
  const std::string& contents() const { return contents_; }  ///< "another configuration (there …, here …)"

 private:
  std::string contents_;
};

struct PreviousRun {
  bool complete = false;    ///< need not be computed again
  bool in_part = false;     ///< in a part left by a killed program instead of the file
  std::string mesh, files;  ///< hashes of its mesh and input files; "" if not recorded
};

struct PreviousResults {
  std::vector<PreviousRun> runs;  ///< the runs of the plan; empty for a frontier or spectrum
  ColumnOffer offer;
};

/// The experiment without its numbers of threads, which do not affect the results.
Experiment without_threads(Experiment experiment);

/// The results of this plan in `output`; nothing if the file does not exist or `fresh` allows its replacement. The number of
/// threads may differ, unless the plan compares several. Throws Error if the file contains anything that must not be replaced:
/// OtherResults for another configuration or other contents, Error for a file not written by shoal or if `require_same`, called
/// with the root, throws. Throws MachineError if the file cannot be read or replaced.
std::optional<PreviousResults> look_at(const Catalog& catalog, const std::filesystem::path& output,
                                       bool fresh, const std::vector<PlannedRun>& plan, Contents contents,
                                       const std::function<void(const hdf5::Group&)>& require_same = {});

/// Throws Error if a table of an experiment would replace a file although there are no results from which that file could
/// have been made.
void require_own_tables(const std::filesystem::path& output, const Experiment& experiment,
                        const std::optional<PreviousResults>& previous, bool fresh);

/// Opens `output` for writing with all its contents, plus the runs of `previous` that are in parts; ignores parts that cannot
/// be read. Throws MachineError if the file cannot be read.
hdf5::File resume_results(const std::filesystem::path& output, const PreviousResults& previous);

}  // namespace shoal
