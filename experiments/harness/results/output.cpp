// Creating, recognising and merging results files.
#include "experiments/harness/results/output.hpp"

#include "experiments/harness/results/results.hpp"
#include "experiments/harness/storage/provenance.hpp"
#include "experiments/harness/storage/twin_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace shoal {
namespace {

namespace fs = std::filesystem;

// A killed program may take a moment until all its processes have ended.
constexpr std::chrono::milliseconds patience{3000}, try_interval{20};

[[noreturn]] void complain(const fs::path& output, const std::string& reason) {
  throw MachineError(fmt::format("output '{}': cannot be written ({})", output.string(), reason));
}

bool same_runs(const std::vector<PlannedRun>& a, const std::vector<PlannedRun>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlannedRun& x, const PlannedRun& y) {
    return x.configuration == y.configuration;
  });
}

bool is_results(const hdf5::Group& root) {
  return root.has_attribute("format") && root.text("format") == "shoal";
}

bool holds_same_experiment(const Catalog& catalog, const fs::path& path, const hdf5::Group& root,
                           const std::vector<PlannedRun>& plan) {
  try {
    return same_runs(
        plan, expand(catalog, parse_experiment(root.open_dataset("config").read_text(), path.string())));
  } catch (const Error&) {
    return false;  // a configuration that this version cannot read is another one
  }
}

void record_provenance(const Catalog& catalog, hdf5::Group root, const Experiment& experiment,
                       const std::string& command) {
  const BuildInfo& build = build_info();
  root.set("format", "shoal");
  root.set("format_version", format_version);
  root.set("created_utc", utc_now());
  root.set("command", command);
  root.set("git_commit", build.git_commit);
  root.set("git_dirty", std::int64_t{build.git_dirty});
  root.set("compiler", build.compiler);
  root.set("flags", build.flags);
  root.set("cpu", cpu_model());
  int threads = 1;
  for (const PlannedRun& run : expand(catalog, experiment))
    threads = std::max(threads, run.configuration.threads);
  root.set("threads", std::int64_t{threads});
  root.set("library_versions", build.library_versions);
  root.set("plugins", join(catalog.plugins));
  root.write_text("config", to_toml(experiment));
  root.create_group("meshes");
  root.create_group("runs");
  root.create_group("xdmf");
}

bool is_complete(const hdf5::Group& runs, const std::string& id) {
  return runs.has(id) && !runs.is_link(id) && read_outcome(runs.open_group(id)).outcome != "interrupted";
}

}  // namespace

std::string run_id(std::size_t index) {
  return fmt::format("{:04}", index + 1);
}

OutputLock::OutputLock(const fs::path& output) : path_(output.string() + ".lock") {
  std::error_code failure;
  if (output.has_parent_path()) fs::create_directories(output.parent_path(), failure);
  if (failure)
    throw MachineError(
        fmt::format("output '{}': cannot create the folder ({})", output.string(), failure.message()));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) complain(output, std::strerror(errno));
    const bool locked = flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;  // else: no locks here
    struct stat ours {
    }, there{};
    if (locked && fstat(file_, &ours) == 0 && stat(path_.c_str(), &there) == 0 && ours.st_ino == there.st_ino)
      return;
    close(file_);  // held, or removed by its holder meanwhile
    if (std::chrono::steady_clock::now() > deadline) complain(output, "another program is writing it");
    std::this_thread::sleep_for(try_interval);
  }
}

OutputLock::~OutputLock() {
  unlink(path_.c_str());
  close(file_);
}

bool goes_on(const Catalog& catalog, const fs::path& output, bool fresh, const std::vector<PlannedRun>& plan,
             const std::string& contents) {
  if (output.extension() == ".xdmf")
    throw Error(
        fmt::format("output '{}': the file for ParaView beside the results is to have this name; a "
                    "results file may end in .h5",
                    output.string()));
  if (!fs::exists(output)) return false;
  if (!fs::is_regular_file(output) || !has_hdf5_signature(output))
    throw Error(fmt::format("output '{}': exists and is not a results file; --output names another",
                            output.string()));
  const hdf5::File file(output, hdf5::Access::read);
  if (!is_results(file.root()))
    throw Error(
        fmt::format("output '{}': the file is not one of shoal's; --output names another", output.string()));
  if (fresh) return false;
  if (!holds_same_experiment(catalog, output, file.root(), plan))
    throw Error(
        fmt::format("output '{}': the file holds another configuration; --fresh replaces it, --output names "
                    "another",
                    output.string()));
  for (const char* other : {"runs", "frontier"})
    if (other != contents && file.root().has(other) && !file.root().open_group(other).names().empty())
      throw Error(
          fmt::format("output '{}': the file holds {}, not {}; --fresh replaces it, --output names another",
                      output.string(), other, contents));
  return true;
}

hdf5::File create_results(const Catalog& catalog, const fs::path& path, const Experiment& experiment,
                          const std::string& command) {
  hdf5::File file(path, hdf5::Access::create);
  record_provenance(catalog, file.root(), experiment, command);
  return file;
}

std::vector<bool> complete_runs(const fs::path& path, std::size_t count) {
  const hdf5::File file(path, hdf5::Access::read);
  const hdf5::Group runs = file.root().open_group("runs");
  std::vector<bool> complete(count);
  for (std::size_t i = 0; i < count; ++i) complete[i] = is_complete(runs, run_id(i));
  return complete;
}

fs::path part_path(const fs::path& output, const std::string& id) {
  return output.string() + ".part-" + id;
}

void remove_parts(const fs::path& output, const std::vector<std::string>& except) {
  const std::string begin = part_path(output.filename(), "").string();
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(output.has_parent_path() ? output.parent_path() : "."))
    if (entry.path().filename().string().rfind(begin, 0) == 0) left.push_back(entry.path());
  for (const fs::path& path : left) {
    const std::string id = path.filename().string().substr(begin.size());
    std::error_code ignored;  // a part that cannot be removed does no harm
    if (std::find(except.begin(), except.end(), id) == except.end()) fs::remove(path, ignored);
  }
}

bool part_is_complete(const Catalog& catalog, const fs::path& output, const std::string& id,
                      const std::vector<PlannedRun>& plan) {
  const fs::path part = part_path(output, id);
  if (!fs::exists(part)) return false;
  try {
    const hdf5::File file(part, hdf5::Access::read);
    const hdf5::Group root = file.root();
    return is_results(root) && holds_same_experiment(catalog, part, root, plan) &&
           is_complete(root.open_group("runs"), id);
  } catch (const MachineError&) {
    return false;  // computed again
  }
}

void remove_part(const fs::path& output, const std::string& id) {
  std::error_code ignored;
  fs::remove(part_path(output, id), ignored);
  remove_twin(part_path(output, id));
}

bool part_holds_run(const fs::path& part, const std::string& id) {
  if (!fs::exists(part)) return false;
  const hdf5::File file(part, hdf5::Access::read);
  return file.root().open_group("runs").has(id);
}

void remove_run(hdf5::File& results, const std::string& id) {
  for (const char* place : {"runs", "xdmf"})
    if (hdf5::Group group = results.root().open_group(place); group.has(id)) group.remove(id);
}

void link_part(hdf5::File& results, const std::string& id) {
  remove_run(results, id);
  results.root().open_group("runs").link(id, part_path(results.path(), id).filename().string(),
                                         "/runs/" + id);
}

void merge_part(hdf5::File& results, const std::string& id) {
  const hdf5::File part(part_path(results.path(), id), hdf5::Access::read);
  remove_run(results, id);
  for (const char* place : {"runs", "xdmf"}) {
    const hdf5::Group source = part.root().open_group(place);
    if (source.has(id)) results.root().open_group(place).copy(source, id);
  }
  const hdf5::Group meshes = part.root().open_group("meshes");
  hdf5::Group ours = results.root().open_group("meshes");
  for (const std::string& hash : meshes.names()) {
    const bool has_edges = meshes.open_group(hash).has("edges");  // not in the meshes of all schemes
    if (ours.has(hash) && (!has_edges || ours.open_group(hash).has("edges"))) continue;
    if (ours.has(hash)) ours.remove(hash);
    ours.copy(meshes, hash);
  }
}

}  // namespace shoal
