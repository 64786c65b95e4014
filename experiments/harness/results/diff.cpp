// Pairing the runs of two files and comparing them, number by number.
#include "experiments/harness/results/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

namespace shoal {
namespace {

constexpr std::size_t values_at_once = 1 << 20;  // 8 MB of each file

const std::set<std::string> code_attributes = {"git_commit", "git_dirty"};
const std::set<std::string> outcome_attributes = {
    "outcome", "reason", "t_reached", "steps", "negative_depth_cells", "negative_depth_time",
    "dt_min",  "dt_max"};
// Attributes that are not compared: the rule that chose dt and substeps, because dt and substeps themselves are compared; the list
// of parameter names, because the parameters are compared; and the numbers of threads and processes, which affect no value.
const std::set<std::string> choice_attributes = {"safety", "parameters", "threads",     "ranks",
                                                 "layers", "launcher",   "largest_part"};

std::string shown(const hdf5::Attribute& value) {
  struct Visitor {
    std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return v.empty() ? "(empty)" : one_line(v); }
    std::string operator()(const std::vector<double>& v) const {
      return fmt::format("{}", fmt::join(v, ","));
    }
  };
  return std::visit(Visitor{}, value);
}

/// Attributes as exact text.
using Attributes = std::map<std::string, std::string>;

template <class Counts>
Attributes attributes(const RecordedRun& run, const Counts& counts) {
  Attributes result;
  for (const std::string& name : run.group().attribute_names())
    if (counts(name)) result[name] = shown(run.group().attribute(name));
  return result;
}

Attributes configuration(const RecordedRun& run) {
  return attributes(run, [](const std::string& name) {
    return !code_attributes.count(name) && !outcome_attributes.count(name) && !choice_attributes.count(name);
  });
}

bool same_number(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

/// The differences between two datasets of the same row shape, in their common rows.
struct Deviation {
  std::uint64_t values = 0, different = 0;
  std::uint64_t first_row = 0;
  double first_a = 0, first_b = 0;
  double largest = 0;         ///< |a − b|
  double magnitude = 0;       ///< largest |a| or |b|
  bool incomparable = false;  ///< NaN or infinity in one file only
};

Deviation deviation(const hdf5::Dataset& a, const hdf5::Dataset& b, std::uint64_t rows, std::uint64_t width,
                    double tolerance) {
  Deviation result;
  const std::uint64_t at_once =
      std::max<std::uint64_t>(1, values_at_once / std::max<std::uint64_t>(width, 1));
  for (std::uint64_t row = 0; row < rows; row += at_once) {
    const std::uint64_t count = std::min(at_once, rows - row);
    const std::vector<double> x = a.read_rows(row, count), y = b.read_rows(row, count);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ++result.values;
      const double difference = std::abs(x[i] - y[i]);
      for (const double value : {x[i], y[i]})
        if (std::isfinite(value)) result.magnitude = std::max(result.magnitude, std::abs(value));
      if (same_number(x[i], y[i]) || difference <= tolerance) continue;
      if (result.different++ == 0) {
        result.first_row = row + i / width;
        result.first_a = x[i];
        result.first_b = y[i];
      }
      if (std::isfinite(difference))
        result.largest = std::max(result.largest, difference);
      else
        result.incomparable = true;
    }
  }
  return result;
}

/// Changes between runs, each listed once with its runs.
class Changes {
 public:
  void add(std::string change, std::string run) {
    const auto [found, is_new] = runs_.try_emplace(change);
    if (is_new) order_.push_back(std::move(change));
    found->second.push_back(std::move(run));
  }
  /// `all`: the number of runs.
  void append_to(std::vector<std::string>& lines, std::uint64_t all) const {
    constexpr std::size_t named = 8;
    for (const std::string& change : order_) {
      const std::vector<std::string>& runs = runs_.at(change);
      std::string where;
      if (runs.size() == 1)
        where = "run " + runs.front();
      else if (runs.size() == all)
        where = fmt::format("all {} runs", all);
      else if (runs.size() <= named)
        where = "runs " + join(runs);
      else
        where = fmt::format("{} of {} runs, from {} on", runs.size(), all, runs.front());
      lines.push_back(fmt::format("{}: {}", where, change));
    }
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::vector<std::string>> runs_;
};

/// Collects the report.
class Differ {
 public:
  Differ(const Results& a, const Results& b, const Comparison& comparison)
      : a_(a), b_(b), comparison_(comparison) {}

  DiffReport report() {
    compare_code();
    compare_runs();
    code_changes_.append_to(code_, pairs_);
    changes_.append_to(configuration_, pairs_);
    DiffReport result;
    const bool same_code = code_.empty(), same_configuration = configuration_.empty(),
               same_numbers = numbers_.empty();
    const auto section = [&](const char* name, const std::vector<std::string>& lines) {
      if (lines.empty()) return;
      result.text += std::string(name) + "\n";
      for (const std::string& line : lines) result.text += "  " + one_line(line) + "\n";
    };
    section("code", code_);
    section("configuration", configuration_);
    section("numbers", numbers_);
    section("not counted", notes_);
    const std::string how = comparison_.rtol > 0 ? fmt::format(" to {:g}", comparison_.rtol) : " bit for bit";
    result.text += fmt::format("code {}, configuration {}, numbers {} ({} values in {} common to both)\n",
                               verdict(same_code), verdict(same_configuration),
                               same_numbers ? "equal" + how : "different", values_,
                               pairs_ == 1 ? "1 run" : fmt::format("{} runs", pairs_));
    result.equal =
        same_numbers && unpaired_ == 0 && (comparison_.numbers_only || (same_code && same_configuration));
    return result;
  }

 private:
  static const char* verdict(bool equal) { return equal ? "equal" : "different"; }

  void compare_code() {
    const hdf5::Group a = a_.root(), b = b_.root();
    const auto text = [](const hdf5::Group& root, const char* name) {
      return root.has_attribute(name) ? shown(root.attribute(name)) : "(none)";
    };
    for (const char* name : {"git_commit", "git_dirty", "compiler", "flags"})
      if (text(a, name) != text(b, name))
        code_.push_back(fmt::format("{}: {} | {}", name, text(a, name), text(b, name)));
    compare_libraries(text(a, "library_versions"), text(b, "library_versions"));
    compare_plugins(a.text("plugins", ""), b.text("plugins", ""));
    if (text(a, "git_commit") == text(b, "git_commit") && text(a, "git_dirty") == "1" &&
        text(b, "git_dirty") == "1")
      notes_.push_back("both were built with uncommitted changes, which are not recorded");
    for (const char* name : {"cpu", "threads"})
      if (text(a, name) != text(b, name))
        notes_.push_back(fmt::format("{}: {} | {}", name, text(a, name), text(b, name)));
  }

  /// By path; what they contained is not recorded.
  void compare_plugins(const std::string& a, const std::string& b) {
    const auto named = [](const std::string& plugins) {
      return plugins.empty() ? "none" : one_line(plugins);
    };
    if (a != b)
      code_.push_back(fmt::format("plugins: {} | {}", named(a), named(b)));
    else if (!a.empty())
      notes_.push_back("both used plugins, which are compared by path, not by content: " + named(a));
  }

  void compare_libraries(const std::string& a, const std::string& b) {
    const auto lines = [](const std::string& text) {
      std::set<std::string> result;
      std::istringstream stream(text);
      for (std::string line; std::getline(stream, line);) result.insert(line);
      return result;
    };
    const std::set<std::string> in_a = lines(a), in_b = lines(b);
    std::vector<std::string> only_a, only_b;
    std::set_difference(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), std::back_inserter(only_a));
    std::set_difference(in_b.begin(), in_b.end(), in_a.begin(), in_a.end(), std::back_inserter(only_b));
    if (!only_a.empty() || !only_b.empty())
      code_.push_back(fmt::format("libraries: {} | {}", join(only_a), join(only_b)));
  }

  void compare_runs() {
    const auto& runs_a = a_.runs();
    const auto& runs_b = b_.runs();
    std::vector<Attributes> a, b;
    for (const RecordedRun& run : runs_a) a.push_back(configuration(run));
    const std::string& only = comparison_.run;
    if (!only.empty() && std::ranges::none_of(runs_a, [&](const auto& run) { return run.id() == only; }))
      throw Error(fmt::format("--run: the first file contains no run '{}'", only));
    for (const RecordedRun& run : runs_b) b.push_back(configuration(run));
    std::vector<std::ptrdiff_t> partner(a.size(), -1);
    std::vector<bool> taken(b.size());
    const auto pair = [&](const auto& match) {
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size() && partner[i] < 0; ++j)
          if (!taken[j] && match(i, j)) {
            partner[i] = static_cast<std::ptrdiff_t>(j);
            taken[j] = true;
          }
    };
    pair([&](std::size_t i, std::size_t j) { return a[i] == b[j]; });
    if (a.size() == b.size())
      pair([&](std::size_t i, std::size_t j) { return runs_a[i].id() == runs_b[j].id(); });

    for (const auto* results : {&a_, &b_})
      for (const auto& [id, part] : results->lost()) {
        ++unpaired_;
        configuration_.push_back(
            fmt::format("only in the {} file: run {}, whose part '{}' is missing or unreadable",
                        results == &a_ ? "first" : "second", id, part));
      }
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!only.empty() && runs_a[i].id() != only) continue;
      if (partner[i] < 0) {
        only_in("first", runs_a[i]);
        continue;
      }
      const auto j = static_cast<std::size_t>(partner[i]);
      compare_configurations(runs_a[i], runs_b[j], a[i], b[j]);
      compare_numbers(runs_a[i], runs_b[j]);
    }
    for (std::size_t j = 0; j < b.size(); ++j)
      if (only.empty() && !taken[j]) only_in("second", runs_b[j]);
  }

  void only_in(const char* which, const RecordedRun& run) {
    ++unpaired_;
    const hdf5::Group& group = run.group();
    configuration_.push_back(fmt::format("only in the {} file: run {} ({} {} {} {})", which, run.id(),
                                         group.text("scene"), group.text("discretization"),
                                         group.text("integrator"), group.text("mesh_name")));
  }

  static std::string names(const RecordedRun& a, const RecordedRun& b) { return "run " + short_names(a, b); }
  static std::string short_names(const RecordedRun& a, const RecordedRun& b) {
    return a.id() == b.id() ? a.id() : fmt::format("{} | {}", a.id(), b.id());
  }

  /// The differences between two runs.
  static std::vector<std::string> compare_attributes(const Attributes& a, const Attributes& b) {
    std::vector<std::string> report;
    Attributes all = a;
    all.insert(b.begin(), b.end());
    for (const auto& [name, ignored] : all) {
      const auto in_a = a.find(name), in_b = b.find(name);
      const std::string x = in_a == a.end() ? "(none)" : in_a->second,
                        y = in_b == b.end() ? "(none)" : in_b->second;
      if (x != y) report.push_back(fmt::format("{}: {} | {}", name, x, y));
    }
    return report;
  }

  static Attributes selected(const RecordedRun& run, const std::set<std::string>& names) {
    return attributes(run, [&](const std::string& name) { return names.count(name) > 0; });
  }

  void compare_configurations(const RecordedRun& a, const RecordedRun& b, const Attributes& in_a,
                              const Attributes& in_b) {
    for (std::string& change : compare_attributes(in_a, in_b))
      changes_.add(std::move(change), short_names(a, b));
    // As in the head, unless a different version resumed the sweep.
    for (std::string& change : compare_attributes(selected(a, code_attributes), selected(b, code_attributes)))
      if (std::ranges::find(code_, change) == code_.end())
        code_changes_.add(std::move(change), short_names(a, b));
  }

  void compare_numbers(const RecordedRun& a, const RecordedRun& b) {
    ++pairs_;
    for (const std::string& change :
         compare_attributes(selected(a, outcome_attributes), selected(b, outcome_attributes)))
      numbers_.push_back(fmt::format("{}: {}", names(a, b), change));
    compare_groups(names(a, b), "", a.group(), b.group());
    const std::string hash = a.group().text("mesh", "");
    const hdf5::Group meshes_a = a_.root().open_group("meshes"), meshes_b = b_.root().open_group("meshes");
    if (hash.empty() || hash != b.group().text("mesh", "") || !meshes_a.has(hash) || !meshes_b.has(hash))
      return;
    if (meshes_.insert(hash).second)
      compare_groups("mesh " + hash, "", meshes_a.open_group(hash), meshes_b.open_group(hash));
  }

  /// Datasets below two groups; `path` leads from the run to them and ends in "/" unless it is empty.
  void compare_groups(const std::string& where, const std::string& path, const hdf5::Group& a,
                      const hdf5::Group& b) {
    std::set<std::string> members;
    for (const auto* group : {&a, &b})
      for (const std::string& name : group->names()) members.insert(name);
    for (const std::string& name : members) {
      if (path.empty() && name == "timing") continue;
      if (!a.has(name) || !b.has(name)) {
        // A mesh has edges only if a scheme of the file requires them.
        if (where.rfind("mesh", 0) != 0)
          numbers_.push_back(fmt::format("{}: {}{}: only in the {} file", where, path, name,
                                         a.has(name) ? "first" : "second"));
      } else if (a.is_group(name) != b.is_group(name)) {
        numbers_.push_back(fmt::format("{}: {}{}: a group | a dataset", where, path, name));
      } else if (a.is_group(name)) {
        compare_groups(where, path + name + "/", a.open_group(name), b.open_group(name));
      } else {
        const std::optional<std::vector<double>> time =
            a.has("time") ? std::optional(a.open_dataset("time").read()) : std::nullopt;
        compare_datasets(fmt::format("{}: {}{}", where, path, name), a.open_dataset(name),
                         b.open_dataset(name), time);
      }
    }
  }

  void compare_datasets(const std::string& where, const hdf5::Dataset& a, const hdf5::Dataset& b,
                        const std::optional<std::vector<double>>& time) {
    const hdf5::Extent size_a = a.extent(), size_b = b.extent();
    const auto text = [](const hdf5::Extent& size) { return fmt::format("[{}]", fmt::join(size, ", ")); };
    if (size_a != size_b)
      numbers_.push_back(fmt::format("{}: size {} | {}", where, text(size_a), text(size_b)));
    if (size_a.empty() || size_a.size() != size_b.size() ||
        !std::equal(size_a.begin() + 1, size_a.end(), size_b.begin() + 1))
      return;
    if (a.is_dimension() || b.is_dimension()) return;  // without values
    const std::uint64_t rows = std::min(size_a[0], size_b[0]);
    const std::uint64_t width =
        std::accumulate(size_a.begin() + 1, size_a.end(), std::uint64_t{1}, std::multiplies<>());
    Deviation found = deviation(a, b, rows, width, 0);
    values_ += found.values;
    if (found.different > 0 && comparison_.rtol > 0 && !found.incomparable)
      found = deviation(a, b, rows, width, comparison_.rtol * found.magnitude);
    if (found.different == 0) return;
    const std::string when = time && found.first_row < time->size()
                                 ? fmt::format(" (t = {:.6g} s)", (*time)[found.first_row])
                                 : "";
    const std::string largest = found.incomparable
                                    ? "in one file only a value is not finite"
                                    : fmt::format("largest difference {:.3g}, relative {:.3g}", found.largest,
                                                  found.largest / found.magnitude);
    numbers_.push_back(fmt::format("{}: {} of {} values differ, first in row {}{}: {} | {}; {}", where,
                                   found.different, found.values, found.first_row, when, found.first_a,
                                   found.first_b, largest));
  }

  const Results &a_, &b_;
  const Comparison& comparison_;
  Changes changes_, code_changes_;
  std::vector<std::string> code_, configuration_, numbers_, notes_;
  std::set<std::string> meshes_;  // compared already
  std::uint64_t values_ = 0, pairs_ = 0, unpaired_ = 0;
};

}  // namespace

DiffReport diff(const Results& a, const Results& b, const Comparison& comparison) {
  return Differ(a, b, comparison).report();
}

}  // namespace shoal
