// Results files opened for reading.
#include "experiments/harness/results/results.hpp"

#include "experiments/harness/results/output.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>

namespace shoal {
namespace {

hdf5::File open_for_reading(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw Error(fmt::format("results '{}': no such file", path.string()));
  if (!std::filesystem::is_regular_file(path))
    throw Error(fmt::format("results '{}': not a file", path.string()));
  if (!std::ifstream(path))
    throw MachineError(fmt::format("results '{}': cannot read the file", path.string()));
  if (!has_hdf5_signature(path)) throw Error(fmt::format("results '{}': not an HDF5 file", path.string()));
  return {path, hdf5::Access::read};
}

}  // namespace

std::string plugin_options(const hdf5::Group& root) {
  std::string options;
  for (const std::string& plugin : split_at_commas(root.text("plugins", "")))
    if (!plugin.empty()) options += " --plugin " + shell_quoted(plugin);
  return options;
}

bool has_hdf5_signature(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe would block
  std::ifstream file(path, std::ios::binary);
  std::string head(8, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == "\x89HDF\r\n\x1a\n";
}

RecordedRun::RecordedRun(std::string id, std::string file, hdf5::Group group)
    : id_(std::move(id)), file_(std::move(file)), group_(std::move(group)), outcome_(read_outcome(group_)) {}

std::vector<double> RecordedRun::read(const std::string& group, const std::string& name) const {
  if (!group_.has(group)) return {};
  const hdf5::Group members = group_.open_group(group);
  return members.has(name) ? members.open_dataset(name).read() : std::vector<double>{};
}

std::vector<double> RecordedRun::snapshot_times() const {
  if (!group_.has_attribute("snapshots")) return {};
  return shoal::snapshot_times(group_.text("snapshots"), group_.number("t_end"),
                               group_.has_attribute("dt_rule") ? 0 : group_.number("dt"), group_.where());
}

std::ptrdiff_t RecordedRun::row_at(double time) const {
  const std::vector<double> times = diagnostics("time");
  if (times.empty()) return -1;
  const auto nearest = std::ranges::min_element(
      times, [&](double a, double b) { return std::abs(a - time) < std::abs(b - time); });
  const double half_step = 0.5 * (1 + 1e-9) *
                           group_.number(group_.has_attribute("dt_max") ? "dt_max" : "dt") *
                           static_cast<double>(group_.integer("diagnostics_every"));
  return std::abs(*nearest - time) <= half_step ? nearest - times.begin() : -1;
}

Results::Results(const std::filesystem::path& path) : Results(std::vector{path}) {}

Results::Results(const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    files_.push_back(open_for_reading(path));
    add_runs(path);
  }
}

void Results::add_runs(const std::filesystem::path& path) {
  const hdf5::Group top = files_.back().root();
  const std::string file = path.stem().string();
  const std::size_t before = runs_.size();
  if (top.text("format", "") != "shoal")
    throw Error(fmt::format("results '{}': not a results file of shoal", path.string()));
  if (top.has_attribute("format_version") && top.integer("format_version") > format_version)
    throw Error(fmt::format("results '{}': the file has format {}; this version reads formats up to {}",
                            path.string(), top.integer("format_version"), format_version));
  const hdf5::Group runs = top.open_group("runs");
  for (const std::string& id : runs.names()) {
    const std::filesystem::path part = part_path(followed(path), id);
    const bool is_link = runs.is_link(id);  // its target is ignored; only the part is read
    if (is_link && !std::filesystem::is_regular_file(part)) {
      lost_.emplace_back(id, part.parent_path().filename() / part.filename());
      continue;
    }
    try {
      if (is_link) parts_.emplace_back(part, hdf5::Access::read);
      hdf5::Group run =
          is_link ? parts_.back().root().open_group("runs").open_group(id) : runs.open_group(id);
      if (run.has_attribute("steps"))
        runs_.emplace_back(id, file, std::move(run));  // otherwise killed before it began
    } catch (const MachineError&) {
      if (!is_link) throw;
      lost_.emplace_back(id, part.parent_path().filename() / part.filename());  // cut off with the machine
    }
  }
  if (runs_.size() > before) return;
  if (top.has("spectrum")) runs_.emplace_back("spectrum", file, top.open_group("spectrum"));
  if (!top.has("frontier")) return;
  const hdf5::Group frontier = top.open_group("frontier");
  for (const std::string& id : frontier.names()) runs_.emplace_back(id, file, frontier.open_group(id));
}

std::string read_in_a_process(const std::vector<std::filesystem::path>& files,
                              const std::function<std::string()>& read) {
  constexpr std::uint64_t bytes_per_second = 5'000'000, memory_per_byte = 4, min_memory = 1 << 30;
  constexpr unsigned min_seconds = 3;
  std::uint64_t size = 0;
  std::vector<std::string> names;
  for (const std::filesystem::path& file : files) {
    std::error_code unknown;
    const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
    if (!unknown) size += bytes;
    names.push_back(fmt::format("'{}'", file.string()));
  }
  const std::string subject = "results " + join(names, " or ");
  const auto bounded = [&] {
    try {
      return read();
    } catch (const std::bad_alloc&) {
      throw MachineError(subject + ": reading requires more memory than a file of this size should");
    }
  };
  return in_a_process(bounded, subject,
                      {.seconds = min_seconds + static_cast<unsigned>(size / bytes_per_second),
                       .memory = min_memory + memory_per_byte * size});
}

}  // namespace shoal
