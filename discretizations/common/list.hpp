// The lists of a catalogue: all entries of one kind (schemes, integrators, scenes, …), found by name.
#pragma once

#include "discretizations/common/error.hpp"

#include <algorithm>
#include <utility>

namespace shoal {

/// Entries with a `name`, in the order of display; the first is the default.
template <class Entry>
class List {
 public:
  /// `kind` for messages: "integrator".
  explicit List(std::string kind) : kind_(std::move(kind)) {}

  /// Throws Error if an entry of that name exists.
  void add(Entry entry) {
    if (has(entry.name)) throw Error(kind_ + " '" + entry.name + "' exists already");
    entries_.push_back(std::move(entry));
  }

  bool has(const std::string& name) const {
    return std::any_of(begin(), end(), [&](const Entry& entry) { return entry.name == name; });
  }
  /// Throws Error "KIND 'NAME' does not exist: choose from A, B, C; did you mean 'B'?", or with a hint at plugins if no
  /// name is similar.
  const Entry& find(const std::string& name) const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) {
      if (entry.name == name) return entry;
      names.push_back(entry.name);
    }
    const std::string alike = did_you_mean(name, names);
    throw Error(kind_ + " '" + name + "' does not exist: choose from " + join(names) +
                (alike.empty() ? "; one of a plugin needs --plugin LIB.so" : alike));
  }

  const Entry& front() const { return entries_.front(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace shoal
