// Reading in processes of their own.
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
  constexpr std::size_t most = 4;
  std::vector<std::string> in_a, in_b;
  for (const auto& [key, pair] : values) {
    if (in_a.size() == most) {
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

/// Whether its runs differ in the number of threads: then that is what is asked.
bool lists_threads(const std::vector<PlannedRun>& plan) {
  return std::ranges::any_of(plan, [&](const PlannedRun& run) {
    return run.configuration.threads != plan.front().configuration.threads;
  });
}

/// What tells the runs that results hold from those of a plan; "" where they are the same.
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
    return "one that this version cannot read";
  }
}

/// Which contents results hold; runs where they hold nothing yet.
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

/// Throws if there are others than those of a plan, as no program of ours leaves them.
void require_planned(const hdf5::Group& runs, std::size_t count) {
  std::set<std::string> planned;
  for (std::size_t i = 0; i < count; ++i) planned.insert(run_id(i));
  for (const std::string& id : runs.names())
    if (planned.count(id) == 0)
      throw MachineError(
          fmt::format("{}: run '{}' is none of the {} that the file is to hold", runs.where(), id, count));
}

PreviousRun look_at_run(const hdf5::Group& runs, const std::string& id) {
  const hdf5::Group run = runs.open_group(id);
  return {is_complete(runs, id), false, run.text("mesh", ""), run.text("files_hash", "")};
}

/// What a part holds; nothing if it is of another experiment, or cannot be read: computed again.
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

/// The rows of all datasets of a group, which must be the same, and stored.
std::uint64_t rows_of(const hdf5::Group& group) {
  std::optional<std::uint64_t> rows;
  for (const std::string& name : group.names()) {
    const hdf5::Dataset dataset = group.open_dataset(name);
    dataset.read_rows(0, 0);  // throws where they are not stored
    if (rows.value_or(dataset.rows()) != dataset.rows())
      throw MachineError(
          fmt::format("{}: has {} rows, others have {}", dataset.where(), dataset.rows(), *rows));
    rows = dataset.rows();
  }
  return rows.value_or(0);
}

/// Throws unless a run is as a recorder leaves it: every column of the same length, which the outcome names, and
/// attributes that tables can read.
void require_whole(const hdf5::Group& runs, const std::string& id) {
  const RecordedRun recorded(id, "", runs.open_group(id));
  const hdf5::Group& run = recorded.group();
  const Outcome& outcome = recorded.outcome();
  for (const std::string& name : run.attribute_names()) run.attribute(name);
  outcome_text(recorded);
  require_readable(run);
  if (std::ranges::find(outcomes, outcome.outcome) == outcomes.end())
    throw MachineError(fmt::format("{}: the outcome '{}' is none of {}", run.where(), outcome.outcome,
                                   fmt::join(outcomes, ", ")));
  if (outcome.outcome == "refused" || (outcome.steps == 0 && !run.has("diagnostics"))) return;
  const std::uint64_t rows = rows_of(run.open_group("diagnostics")),
                      steps = rows_of(run.open_group("timing"));
  rows_of(run.open_group("snapshots"));
  const bool every_step = run.integer("diagnostics_every") == 1;
  const std::vector<double> time = run.open_group("diagnostics").open_dataset("time").read();
  // Where something was thrown that ended the run, the row of its last step may be missing.
  const bool may_lack_row = outcome.outcome == "solver-failed" || outcome.outcome == "interrupted";
  const bool lacks_row = may_lack_row && every_step && rows == steps;
  if ((rows == 0 && !lacks_row) || static_cast<std::int64_t>(steps) != outcome.steps ||
      (every_step && !lacks_row && (rows != steps + 1 || time.back() != outcome.t_reached)))
    throw MachineError(fmt::format("{}: {} steps to t = {} s are recorded, and {} rows of diagnostics",
                                   run.where(), outcome.steps, outcome.t_reached, rows));
}

/// Throws unless the meshes are there.
void require_meshes(const hdf5::Group& root) {
  const hdf5::Group meshes = root.open_group("meshes");
  for (const std::string& hash : meshes.names())
    for (const char* name : {"vertices", "faces"})
      if (const hdf5::Dataset dataset = meshes.open_group(hash).open_dataset(name);
          dataset.extent().size() != 2)
        throw MachineError(fmt::format("{}: is not a list of triples", dataset.where()));
      else
        dataset.read_rows(0, 0);  // throws where they are not stored
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

/// As read_in_a_process(), of results that are to be gone on with: a failure says what can be done.
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

/// What results hold of a plan. Throws Error where these are others.
PreviousResults previous_results(const Catalog& catalog, const fs::path& output,
                                 const std::vector<PlannedRun>& plan, Contents contents,
                                 const std::function<void(const hdf5::Group&)>& require_same) {
  const hdf5::File file(output, hdf5::Access::read);
  const hdf5::Group root = file.root();
  if (const std::string what = other_experiment(catalog, output, root, plan); !what.empty())
    throw OtherResults(output, fmt::format("another configuration ({})", what));
  const hdf5::Group runs = root.open_group("runs");
  const bool is_empty = runs.names().empty() && contents_of(root) == Contents::runs;
  if (!is_empty && contents_of(root) != contents)
    throw OtherResults(output, fmt::format("{}, not {}", name_of(contents_of(root)), name_of(contents)));
  if (require_same) require_same(root);
  PreviousResults earlier;
  if (contents != Contents::runs) return earlier;
  require_planned(runs, plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::string id = run_id(i);
    const std::optional<PreviousRun> part = look_at_part(catalog, part_path(output, id), id, plan);
    PreviousRun run;
    if (runs.is_group(id)) run = look_at_run(runs, id);
    earlier.runs.push_back(part && !run.complete ? *part : run);
  }
  earlier.offer = ColumnOffer(Results(output));
  return earlier;
}

}  // namespace

OtherResults::OtherResults(const fs::path& output, std::string contents)
    : Error(fmt::format("output '{}': the file holds {}; --fresh replaces it, --output names another",
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
    throw Error(
        fmt::format("output '{}': the file for ParaView beside the results is to have this name; a results "
                    "file may end in .h5",
                    output.string()));
  if (fs::absolute(output).parent_path().extension() == ".work")
    throw Error(
        fmt::format("output '{}': a folder whose name ends in .work is for files that are being written",
                    output.string()));
  if (contents == Contents::runs && obstacle_to_xdmf(output).empty())
    require_own_xdmf(XdmfFiles(output, run_ids(plan.size())));
  std::error_code unknown;
  if (!fs::exists(output, unknown)) return {};
  if (!fs::is_regular_file(output) || !has_hdf5_signature(output))
    throw Error(fmt::format("output '{}': exists and is not a results file; --output names another",
                            output.string()));
  require_writable(output);
  std::optional<PreviousResults> earlier;
  const auto look = [&] {
    if (!is_results(hdf5::File(output, hdf5::Access::read).root()))
      throw Error(fmt::format("output '{}': the file is not one of shoal's; --output names another",
                              output.string()));
    if (!fresh) earlier = previous_results(catalog, output, plan, contents, require_same);
  };
  read_output(output, [&] {  // a damaged file crashes that process, and comes no further
    try {
      look();
    } catch (const Error&) {
    }
  });
  look();
  return earlier;
}

void require_own_tables(const fs::path& output, const Experiment& experiment,
                        const std::optional<PreviousResults>& earlier, bool fresh) {
  if (earlier || fresh) return;
  std::error_code unknown;
  for (const TableEntry& table : experiment.tables)
    for (const LocatedText& file : table.files)
      if (const fs::path path = output.parent_path() / file.text;
          fs::exists(fs::symlink_status(path, unknown)))
        throw Error(
            fmt::format("{}: '{}' exists, though there are no results that it can be of; --fresh replaces "
                        "it, --output names another folder",
                        file.where, path.string()));
}

hdf5::File resume_results(const fs::path& output, const PreviousResults& earlier) {
  const WorkFolder folder(output);
  const fs::path whole = folder / "whole";
  const RemoveOnSignal goes(whole), twin_folder_goes(work_folder(whole)),
      twin_goes(work_folder(whole) / "next");
  struct Remove {
    fs::path path;
    ~Remove() { remove_with_twin(path); }
  } const remove{whole};
  read_output(output, [&] { copy_all(output, whole); });
  for (std::size_t i = 0; i < earlier.runs.size(); ++i) {
    const std::string id = run_id(i);
    if (!earlier.runs[i].in_part) continue;
    try {
      read_in_a_process({whole, part_path(output, id)}, [&] {
        copy_part(whole, output, id);
        return "";
      });
    } catch (const MachineError&) {
      // What cannot be read of it is computed again.
    }
  }
  return {output, whole};
}

}  // namespace shoal
