// Creating, recognising and merging results files.
#include "experiments/harness/results/output.hpp"

#include "experiments/harness/storage/provenance.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <regex>
#include <thread>

namespace shoal {
namespace {

namespace fs = std::filesystem;

// A killed program may take a moment until all its processes have ended.
constexpr std::chrono::milliseconds patience{3000}, try_interval{20};

[[noreturn]] void throw_failure(const fs::path& output, const std::string& reason) {
  throw MachineError(fmt::format("output '{}': cannot be written ({})", output.string(), reason));
}

void record_provenance(const Catalog& catalog, hdf5::Group root, const Experiment& experiment,
                       const std::string& command) {
  const BuildInfo& build = build_info();
  root.set("format", "shoal");
  root.set("format_version", format_version);
  root.set("Conventions", conventions);
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

/// The files in the work folder of `output` with matching names, including those whose twin alone is left; each once.
std::set<fs::path> find_in_work_folder(const fs::path& output, const std::regex& names) {
  std::set<fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(work_folder(output), ignored)) {
    const fs::path file =
        entry.path().extension() == ".work" ? fs::path(entry.path()).replace_extension() : entry.path();
    if (std::regex_match(file.filename().string(), names)) found.insert(file);
  }
  return found;
}

}  // namespace

std::string run_id(const std::string& typed) {
  constexpr std::size_t digits = 4;
  const bool is_number = typed.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || typed.empty() || typed.size() >= digits) return typed;
  return std::string(digits - typed.size(), '0') + typed;
}

std::string run_id(std::size_t index) {
  return fmt::format("{:04}", index + 1);
}

std::vector<std::string> run_ids(std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(run_id(i));
  return ids;
}

OutputLock::OutputLock(const fs::path& output) : path_(work_folder(output) / "lock") {
  std::error_code failure;
  if (output.has_parent_path()) fs::create_directories(output.parent_path(), failure);
  if (failure)
    throw MachineError(
        fmt::format("output '{}': cannot create the folder ({})", output.string(), failure.message()));
  require_writable(output);
  folder_ = std::make_unique<WorkFolder>(output);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    const int reason = errno;
    if (file_ < 0 && reason != ENOENT) throw_failure(output, std::strerror(reason));
    const bool locked = file_ >= 0 && (flock(file_, LOCK_EX | LOCK_NB) == 0 ||
                                       errno != EWOULDBLOCK);  // otherwise: this file system has no locks
    struct stat ours {
    }, there{};
    if (locked && fstat(file_, &ours) == 0 && stat(path_.c_str(), &there) == 0 &&
        ours.st_ino == there.st_ino) {
      removal_ = std::make_unique<RemoveOnSignal>(path_);
      return;
    }
    if (file_ >= 0) close(file_);  // locked, or removed by its owner meanwhile
    if (std::chrono::steady_clock::now() > deadline) {
      if (file_ < 0) throw_failure(output, std::strerror(reason));
      throw_failure(output, "another program is writing to it");
    }
    if (file_ < 0)
      folder_->make();  // its owner removed it with the lock
    else
      std::this_thread::sleep_for(try_interval);
  }
}

OutputLock::~OutputLock() {
  unlink(path_.c_str());
  close(file_);
}

bool is_complete(const hdf5::Group& runs, const std::string& id) {
  return runs.is_group(id) && read_outcome(runs.open_group(id)).outcome != "interrupted";
}

hdf5::File create_results(const Catalog& catalog, const fs::path& path, const Experiment& experiment,
                          const std::string& command, hdf5::Access access) {
  hdf5::File file(path, access);
  record_provenance(catalog, file.root(), experiment, command);
  return file;
}

fs::path part_path(const fs::path& output, const std::string& id) {
  return work_folder(output) / ("part-" + id);
}

fs::path save_path(const fs::path& output, const std::string& id) {
  return work_folder(output) / ("save-" + id);
}

fs::path previous_results_path(const fs::path& output, const std::string& id) {
  return work_folder(output) / ("earlier-" + id);
}

bool keep_partial(const hdf5::File& results, const std::string& id) {
  const hdf5::Group runs = results.root().open_group("runs");
  if (!fs::exists(save_path(results.path(), id)) || !runs.is_group(id)) return false;
  hdf5::File file(previous_results_path(results.path(), id), hdf5::Access::create);
  file.root().create_group("runs").copy(runs, id);
  file.close();
  return true;
}

void remove_saves(const fs::path& output, const std::set<std::string>& keep) {
  static const std::regex ours("(?:save|earlier)-[0-9]{4,}");
  for (const fs::path& file : find_in_work_folder(output, ours)) {
    const std::string name = file.filename().string();
    if (keep.count(name.substr(name.find('-') + 1)) > 0)
      remove_twin(file);  // left by a process killed while saving
    else
      remove_with_twin(file);
  }
}

void remove_leftovers(const fs::path& output) {
  static const std::regex ours("part-[0-9]{4,}|whole");
  for (const fs::path& file : find_in_work_folder(output, ours)) remove_with_twin(file);
}

void remove_part(const fs::path& output, const std::string& id) {
  remove_with_twin(part_path(output, id));
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
  const fs::path part = part_path(results.path(), id);
  remove_run(results, id);
  results.root().open_group("runs").link(id, part.parent_path().filename() / part.filename(), "/runs/" + id);
}

void copy_run(hdf5::File& results, const hdf5::Group& source, const std::string& id) {
  remove_run(results, id);
  hdf5::Group runs = results.root().open_group("runs");
  runs.copy(source.open_group("runs"), id);
  const hdf5::Group run = runs.open_group(id);
  if (!run.is_group("snapshots")) return;
  const hdf5::Group group = run.open_group("snapshots");
  std::map<std::string, hdf5::Dataset> snapshots;
  for (const std::string& name : group.names())
    if (group.is_dataset(name)) snapshots.emplace(name, group.open_dataset(name));
  const auto time = snapshots.find("time");
  for (std::uint64_t row = 0; time != snapshots.end() && row < time->second.rows(); ++row)
    create_views(results.root(), id, snapshots, row);
}

void merge_part(hdf5::File& results, const fs::path& path, const std::string& id) {
  const hdf5::File part(path, hdf5::Access::read);
  copy_run(results, part.root(), id);
  const hdf5::Group meshes = part.root().open_group("meshes");
  hdf5::Group ours = results.root().open_group("meshes");
  for (const std::string& hash : meshes.names()) {
    const bool has_edges = meshes.open_group(hash).has("edges");  // some schemes record none
    if (ours.has(hash) && (!has_edges || ours.open_group(hash).has("edges"))) continue;
    if (ours.has(hash)) ours.remove(hash);
    ours.copy(meshes, hash);
  }
}

}  // namespace shoal
