#include "reference/session/run_labels.hpp"

#include "experiments/harness/plan/change.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shoal {
namespace {

std::string words_of(const hdf5::Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute)) return *text;
  if (const auto* number = std::get_if<double>(&attribute)) return fmt::format("{:.6g}", *number);
  if (const auto* whole = std::get_if<std::int64_t>(&attribute)) return fmt::format("{}", *whole);
  return "";
}

}  // namespace

std::vector<std::string> run_labels(const std::vector<NamedRun>& runs) {
  constexpr std::size_t most = 4;
  const auto parts = [](const NamedRun& run) {
    std::vector<std::string> words;
    for (const char* key : {"discretization", "integrator"})
      if (const auto found = run.settings.find(key); found != run.settings.end())
        words.push_back(found->second);
    return words;
  };
  std::map<std::vector<std::string>, const NamedRun*> first;  // of these parts
  std::set<std::string> distinct;
  for (const NamedRun& run : runs)
    for (const auto& [key, value] : first.try_emplace(parts(run), &run).first->second->settings)
      if (const auto found = run.settings.find(key); found != run.settings.end() && found->second != value)
        distinct.insert(key);
  const std::vector<std::string> different(distinct.begin(), distinct.end());
  std::vector<std::string> labels;
  for (const NamedRun& run : runs) {
    std::vector<std::string> words = parts(run);
    for (std::size_t i = 0; i < std::min(most, different.size()); ++i)
      if (const auto found = run.settings.find(different[i]); found != run.settings.end())
        words.push_back(fmt::format("{} = {}", different[i], found->second));
    if (different.size() > most) words.emplace_back("…");
    labels.push_back(words.empty() ? run.id : fmt::format("{} {}", run.id, join(words)));
  }
  return labels;
}

NamedRun named_run(const RecordedRun& run) {
  NamedRun named{run.id(), {}};
  const hdf5::Group& group = run.group();
  const auto take = [&](const std::string& name, const std::string& attribute) {
    if (group.has_attribute(attribute)) named.settings[name] = words_of(group.attribute(attribute));
  };
  for (const KeyEntry& key : run_keys())
    if (!key.concerns_recording) take(key.name, key.attribute);
  for (const std::string& name : split_at_commas(group.text("parameters", ""))) take(name, name);
  return named;
}

std::vector<NamedRun> named_runs(const Catalog& catalog, const std::string& file) {
  std::vector<NamedRun> runs;
  for (const PlannedRun& planned : expand(catalog, read_experiment(file))) {
    NamedRun named{run_id(runs.size()), {}};
    for (const Setting& setting : settings_of(catalog, planned.configuration, ""))
      named.settings[setting.key] = to_string(setting.alternatives.front());
    runs.push_back(std::move(named));
  }
  return runs;
}

}  // namespace shoal
