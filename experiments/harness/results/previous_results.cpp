// Reading in separate processes.
#include "experiments/harness/results/previous_results.hpp"

#include "experiments/harness/plan/change.hpp"
#include "experiments/harness/storage/xdmf.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

namespace fs = std::filesystem;

bool is_results(const hdf5::Group& root) {
  return root.text("format", "") == "shoal";
}

/// Keys with their values.
std::map<std::string, std::string> settings_in_words(const Catalog& catalog, const RunConfiguration& c) {
  std::map<std::string, std::string> words;
  for (const Setting& setting : settings_of(catalog, c, "")) {
    const std::string value = to_string(setting.alternatives.front());
    words[setting.key] = value.find_first_of(" ,;") == std::string::npos ? value : "'" + value + "'";
  }
  return words;
}

/// "there dt = 0.1 and 6 runs, here dt = 0.2 and 8 runs": of the first run of each pair that differs in a key.
std::string difference(const Catalog& catalog, const std::vector<PlannedRun>& there,
                       const std::vector<PlannedRun>& here) {
  std::map<std::string, std::pair<std::string, std::string>> values;  // of a key
  for (std::size_t i = 0; i < std::min(there.size(), here.size()); ++i) {
    const auto a = settings_in_words(catalog, there[i].configuration),
               b = settings_in_words(catalog, here[i].configuration);
    std::map<std::string, std::string> keys = a;
    keys.insert(b.begin(), b.end());
    for (const auto& [key, ignored] : keys) {
      const auto of = [&, name = key](const auto& words) {
        const auto found = words.find(name);
        return found == words.end() ? "no " + name : name + " = " + found->second;
      };
      if (of(a) != of(b)) values.try_emplace(key, of(a), of(b));
    }
  }
  constexpr std::size_t max_listed = 4;
  std::vector<std::string> in_a, in_b;
  for (const auto& [key, pair] : values) {
    if (in_a.size() == max_listed) {
      in_a.emplace_back("…");
      in_b.emplace_back("…");
      break;
    }
    in_a.push_back(pair.first);
    in_b.push_back(pair.second);
  }
  if (there.size() != here.size()) {
    in_a.push_back(fmt::format("{} runs", there.size()));
    in_b.push_back(fmt::format("{} runs", here.size()));
  }
  return fmt::format("there {}, here {}", join(in_a), join(in_b));
}

/// Whether the runs of a plan differ in the number of threads, so that the number of threads is a subject of the experiment.
bool lists_threads(const std::vector<PlannedRun>& plan) {
  return std::ranges::any_of(plan, [&](const PlannedRun& run) {
    return run.configuration.threads != plan.front().configuration.threads;
  });
}

/// The difference between the runs of results and those of a plan; "" if there is none.
std::string other_experiment(const Catalog& catalog, const fs::path& path, const hdf5::Group& root,
                             const std::vector<PlannedRun>& plan) {
  try {
    const std::vector<PlannedRun> there =
        expand(catalog, parse_experiment(root.open_dataset("config").read_text(), path.string()));
    const bool compares_threads = lists_threads(plan) || lists_threads(there);
    const bool same = std::equal(plan.begin(), plan.end(), there.begin(), there.end(),
                                 [&](const PlannedRun& x, const PlannedRun& y) {
                                   RunConfiguration other = y.configuration;
                                   if (!compares_threads) other.threads = x.configuration.threads;
                                   return x.configuration == other;
                                 });
    return same ? "" : difference(catalog, there, plan);
  } catch (const Error&) {
    return "a configuration that this version cannot read";
  }
}

/// The kind of contents of results; runs if they are empty.
Contents contents_of(const hdf5::Group& root) {
  const auto has_members = [&](const char* name) {
    return root.is_group(name) && !root.open_group(name).names().empty();
  };
  return root.has("spectrum")      ? Contents::spectrum
         : has_members("frontier") ? Contents::frontier
                                   : Contents::runs;
}

const char* name_of(Contents contents) {
  switch (contents) {
    case Contents::runs:
      return "runs";
    case Contents::frontier:
      return "a frontier";
    case Contents::spectrum:
      break;
  }
  return "a spectrum";
}

/// Throws if there are runs that are not in the plan, which shoal never writes.
void require_planned(const hdf5::Group& runs, std::size_t count) {
  std::set<std::string> planned;
  for (std::size_t i = 0; i < count; ++i) planned.insert(run_id(i));
  for (const std::string& id : runs.names())
    if (planned.count(id) == 0)
      throw MachineError(
          fmt::format("{}: run '{}' is not one of the {} expected runs", runs.where(), id, count));
}

PreviousRun look_at_run(const hdf5::Group& runs, const std::string& id) {
  const hdf5::Group run = runs.open_group(id);
  return {is_complete(runs, id), false, run.text("mesh", ""), run.text("files_hash", "")};
}

/// The contents of a part; nothing if it belongs to another experiment or cannot be read, so that its run is recomputed.
std::optional<PreviousRun> look_at_part(const Catalog& catalog, const fs::path& part, const std::string& id,
                                        const std::vector<PlannedRun>& plan) {
  if (!fs::is_regular_file(part)) return {};
  try {
    const hdf5::File file(part, hdf5::Access::read);
    const hdf5::Group root = file.root();
    if (!is_results(root) || !other_experiment(catalog, part, root, plan).empty()) return {};
    const hdf5::Group runs = root.open_group("runs");
    if (!runs.is_group(id)) return {};
    PreviousRun run = look_at_run(runs, id);
    run.in_part = true;
    return run;
  } catch (const MachineError&) {
    return {};
  }
}

/// Throws unless all numbers below a group can be read: they may be packed, with checksums.
void require_readable(const hdf5::Group& group) {
  constexpr std::uint64_t values_at_once = 1 << 20;
  for (const std::string& name : group.names()) {
    if (group.is_group(name)) require_readable(group.open_group(name));
    if (!group.is_dataset(name)) continue;
    const hdf5::Dataset dataset = group.open_dataset(name);
    std::uint64_t volume = 1;
    for (const std::uint64_t size : dataset.extent()) volume *= std::max<std::uint64_t>(size, 1);
    if (dataset.extent().empty() || dataset.is_dimension()) continue;  // a text, or nothing
    const std::uint64_t rows = dataset.rows(),
                        step = std::max<std::uint64_t>(values_at_once * rows / volume, 1);
    for (std::uint64_t first = 0; first < rows; first += step)
      dataset.read_rows(first, std::min(step, rows - first));
  }
}

/// The number of rows of the datasets of a group. Throws if the datasets have different numbers of rows or are not stored.
std::uint64_t rows_of(const hdf5::Group& group) {
  std::optional<std::uint64_t> rows;
  for (const std::string& name : group.names()) {
    const hdf5::Dataset dataset = group.open_dataset(name);
    dataset.read_rows(0, 0);  // throws if they are not stored
    if (rows.value_or(dataset.rows()) != dataset.rows())
      throw MachineError(
          fmt::format("{}: has {} rows, others have {}", dataset.where(), dataset.rows(), *rows));
    rows = dataset.rows();
  }
  return rows.value_or(0);
}

/// Throws unless a run is consistent: all columns have the length that the outcome implies, and tables can read its attributes.
void require_whole(const hdf5::Group& runs, const std::string& id) {
  const RecordedRun recorded(id, "", runs.open_group(id));
  const hdf5::Group& run = recorded.group();
  const Outcome& outcome = recorded.outcome();
  for (const std::string& name : run.attribute_names()) run.attribute(name);
  outcome_text(recorded);
  require_readable(run);
  if (std::ranges::find(outcomes, outcome.outcome) == outcomes.end())
    throw MachineError(fmt::format("{}: the outcome '{}' is not one of {}", run.where(), outcome.outcome,
                                   fmt::join(outcomes, ", ")));
  if (outcome.outcome == "refused" || (outcome.steps == 0 && !run.has("diagnostics"))) return;
  const std::uint64_t rows = rows_of(run.open_group("diagnostics")),
                      steps = rows_of(run.open_group("timing"));
  rows_of(run.open_group("snapshots"));
  const bool every_step = run.integer("diagnostics_every") == 1;
  const std::vector<double> time = run.open_group("diagnostics").open_dataset("time").read();
  // If an exception ended the run, the row of the last step may be missing.
  const bool may_lack_row = outcome.outcome == "solver-failed" || outcome.outcome == "interrupted";
  const bool lacks_row = may_lack_row && every_step && rows == steps;
  if ((rows == 0 && !lacks_row) || static_cast<std::int64_t>(steps) != outcome.steps ||
      (every_step && !lacks_row && (rows != steps + 1 || time.back() != outcome.t_reached)))
    throw MachineError(fmt::format("{}: inconsistent: {} steps to t = {} s, but {} rows of diagnostics",
                                   run.where(), outcome.steps, outcome.t_reached, rows));
}

/// Throws unless all meshes have vertices and faces, and these are stored.
void require_meshes(const hdf5::Group& root) {
  const hdf5::Group meshes = root.open_group("meshes");
  for (const std::string& hash : meshes.names())
    for (const char* name : {"vertices", "faces"})
      if (const hdf5::Dataset dataset = meshes.open_group(hash).open_dataset(name);
          dataset.extent().size() != 2)
        throw MachineError(fmt::format("{}: is not a list of triples", dataset.where()));
      else
        dataset.read_rows(0, 0);  // throws if they are not stored
  require_readable(meshes);
}

void copy_all(const fs::path& output, const fs::path& whole) {
  const hdf5::File file(output, hdf5::Access::read);
  const hdf5::Group source = file.root();
  require_meshes(source);
  hdf5::File copy(whole, hdf5::Access::create);
  hdf5::Group target = copy.root();
  target.copy_attributes(source);
  target.create_group("runs");
  target.create_group("xdmf");
  for (const std::string& name : source.names())
    if (!target.has(name)) target.copy(source, name);
  const hdf5::Group runs = source.open_group("runs");
  for (const std::string& id : runs.names())
    if (!runs.is_link(id)) {
      require_whole(runs, id);
      copy_run(copy, source, id);
    }
  copy.close();
}

void copy_part(const fs::path& whole, const fs::path& output, const std::string& id) {
  hdf5::File copy(whole, hdf5::Access::update);
  merge_part(copy, part_path(output, id), id);
  require_whole(copy.root().open_group("runs"), id);
  copy.close();
}

/// Like read_in_a_process(), for results to be resumed: the message of a failure suggests a remedy.
void read_output(const fs::path& output, const std::function<void()>& read) {
  try {
    read_in_a_process({output}, [&] {
      read();
      return "";
    });
  } catch (const MachineError& error) {
    throw MachineError(fmt::format("{}; --output names another", error.what()));
  }
}

/// The results of a plan. Throws Error if they belong to a different one.
PreviousResults previous_results(const Catalog& catalog, const fs::path& output,
                                 const std::vector<PlannedRun>& plan, Contents contents,
                                 const std::function<void(const hdf5::Group&)>& require_same) {
  const hdf5::File file(output, hdf5::Access::read);
  const hdf5::Group root = file.root();
  if (const std::string what = other_experiment(catalog, output, root, plan); !what.empty())
    throw OtherResults(output, fmt::format("runs of a different configuration ({})", what));
  const hdf5::Group runs = root.open_group("runs");
  const bool is_empty = runs.names().empty() && contents_of(root) == Contents::runs;
  if (!is_empty && contents_of(root) != contents)
    throw OtherResults(output, fmt::format("{}, not {}", name_of(contents_of(root)), name_of(contents)));
  if (require_same) require_same(root);
  PreviousResults previous;
  if (contents != Contents::runs) return previous;
  require_planned(runs, plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string id = run_id(i);
    const std::optional<PreviousRun> part = look_at_part(catalog, part_path(output, id), id, plan);
    PreviousRun run;
    if (runs.is_group(id)) run = look_at_run(runs, id);
    previous.runs.push_back(part && !run.complete ? *part : run);
  }
  previous.offer = ColumnOffer(Results(output));
  return previous;
}

}  // namespace

OtherResults::OtherResults(const fs::path& output, std::string contents)
    : Error(fmt::format(
          "output '{}': the file contains {}; use --fresh to replace it, or --output for another file",
          output.string(), contents)),
      contents_(std::move(contents)) {}

Experiment without_threads(Experiment experiment) {
  const auto drop = [](std::vector<Setting>& settings) {
    std::erase_if(settings, [](const Setting& one) { return !one.is_parameter && one.key == "threads"; });
  };
  drop(experiment.settings);
  for (Case& one : experiment.cases) drop(one.settings);
  return experiment;
}

std::optional<PreviousResults> look_at(const Catalog& catalog, const fs::path& output, bool fresh,
                                       const std::vector<PlannedRun>& plan, Contents contents,
                                       const std::function<void(const hdf5::Group&)>& require_same) {
  if (output.extension() == ".xdmf")
    throw Error(fmt::format("output '{}': this is the name of the file for ParaView; use the extension .h5",
                            output.string()));
  if (fs::absolute(output).parent_path().extension() == ".work")
    throw Error(fmt::format("output '{}': folders ending in .work are reserved for temporary files",
                            output.string()));
  if (contents == Contents::runs && obstacle_to_xdmf(output).empty())
    require_own_xdmf(XdmfFiles(output, run_ids(plan.size())));
  std::error_code unknown;
  if (!fs::exists(output, unknown)) return {};
  if (!fs::is_regular_file(output) || !has_hdf5_signature(output))
    throw Error(fmt::format("output '{}': exists and is not a results file; use --output for another file",
                            output.string()));
  require_writable(output);
  std::optional<PreviousResults> previous;
  const auto look = [&] {
    if (!is_results(hdf5::File(output, hdf5::Access::read).root()))
      throw Error(
          fmt::format("output '{}': the file is not a results file of shoal; use --output for another file",
                      output.string()));
    if (!fresh) previous = previous_results(catalog, output, plan, contents, require_same);
  };
  read_output(output, [&] {  // a damaged file crashes only that process
    try {
      look();
    } catch (const Error&) {
    }
  });
  look();
  return previous;
}

void require_own_tables(const fs::path& output, const Experiment& experiment,
                        const std::optional<PreviousResults>& previous, bool fresh) {
  if (previous || fresh) return;
  std::error_code unknown;
  for (const TableEntry& table : experiment.tables)
    for (const LocatedText& file : table.files)
      if (const fs::path path = output.parent_path() / file.text;
          fs::exists(fs::symlink_status(path, unknown)))
        throw Error(
            fmt::format("{}: '{}' exists, but there are no results it could belong to; use --fresh to "
                        "replace it, or --output for another folder",
                        file.where, path.string()));
}

hdf5::File resume_results(const fs::path& output, const PreviousResults& previous) {
  const WorkFolder folder(output);
  const fs::path whole = folder / "whole";
  const RemoveOnSignal goes(whole), twin_folder_goes(work_folder(whole)),
      twin_goes(work_folder(whole) / "next");
  struct Remove {
    fs::path path;
    ~Remove() { remove_with_twin(path); }
  } const remove{whole};
  read_output(output, [&] { copy_all(output, whole); });
  for (std::size_t i = 0; i < previous.runs.size(); ++i) {
    const std::string id = run_id(i);
    if (!previous.runs[i].in_part) continue;
    try {
      read_in_a_process({whole, part_path(output, id)}, [&] {
        copy_part(whole, output, id);
        return "";
      });
    } catch (const MachineError&) {
      // Unreadable runs are recomputed.
    }
  }
  return {output, whole};
}

}  // namespace shoal
