// What an earlier start has left under the name of an output: looked at, and taken over to go on with it.
//
// The file may be damaged, or another program's. So it is read in processes of their own, and what goes on is not
// the file but a copy of what can be read of it, made there; until that copy is in place the file is as it was.
#pragma once

#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/table.hpp"

#include <optional>

namespace shoal {

/// What kind of results a command makes.
enum class Contents { runs, frontier, spectrum };

/// A file holds other results than are to be written.
class OtherResults : public Error {
 public:
  OtherResults(const std::filesystem::path& output, std::string contents);
  const std::string& contents() const { return contents_; }  ///< "another configuration (there …, here …)"

 private:
  std::string contents_;
};

struct PreviousRun {
  bool complete = false;    ///< need not be computed again
  bool in_part = false;     ///< in a part that a killed program has left, not in the file
  std::string mesh, files;  ///< hashes of what it was computed on; "" where none is recorded
};

struct PreviousResults {
  std::vector<PreviousRun> runs;  ///< of the plan; empty of a frontier or a spectrum
  ColumnOffer offer;
};

/// Without how many threads compute its runs, which changes no bit of them.
Experiment without_threads(Experiment experiment);

/// What `output` holds of this plan already, computed by however many threads, unless a plan compares several numbers of them; nothing where it does not exist, or where `fresh` allows to replace
/// it. Throws Error if it holds anything that is not to be replaced: OtherResults where that is another configuration or other
/// contents, else what is none of shoal's results, or what `require_same`, called with its root, throws at; MachineError
/// if it cannot be read or replaced.
std::optional<PreviousResults> look_at(const Catalog& catalog, const std::filesystem::path& output,
                                       bool fresh, const std::vector<PlannedRun>& plan, Contents contents,
                                       const std::function<void(const hdf5::Group&)>& require_same = {});

/// Throws Error if a table of an experiment would replace a file though there are no results that it may be made of:
/// then it is somebody else's.
void require_own_tables(const std::filesystem::path& output, const Experiment& experiment,
                        const std::optional<PreviousResults>& earlier, bool fresh);

/// `output` to be written, with all that it holds and, of `earlier`, what is in the parts; a part that cannot be
/// read is left out. Throws MachineError where the file cannot be read.
hdf5::File resume_results(const std::filesystem::path& output, const PreviousResults& earlier);

}  // namespace shoal
