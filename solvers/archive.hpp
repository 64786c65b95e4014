// The saved state of a model, as named values. A restored model continues bit for bit.
#pragma once

#include "discretizations/state.hpp"

#include <map>
#include <string>

namespace shoal {

/// The elements of a surface to which the numbers of a saved vector belong. Vectors without a placement are the same on all parts of
/// a surface.
struct Placement {
  Layout layout{};
  bool interleaved = false;  ///< all components of the first element first
};

class Archive {
 public:
  void put(const std::string& name, const Eigen::Ref<const Vector>& values) { values_[name] = values; }
  void put(const std::string& name, double value) { values_[name] = Vector::Constant(1, value); }
  /// One number for each element.
  void put(const std::string& name, Location at, const Eigen::Ref<const Vector>& values) {
    values_[name] = values;
    placements_[name].layout = {};
    placements_[name].layout.add(name, "", at, 1, static_cast<Index>(values.size()));
  }
  /// Unknowns.
  void put(const std::string& name, const Layout& layout, const Eigen::Ref<const Vector>& values) {
    values_[name] = values;
    placements_[name].layout = layout;
  }
  /// [3, nV] of the vertices, or no columns.
  void put_points(const std::string& name, const Points& points) {
    values_[name] = points.reshaped();
    placements_[name] = {.interleaved = true};
    placements_[name].layout.add(name, "", Location::vertex, 3, static_cast<Index>(points.cols()));
  }

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  const Vector& vector(const std::string& name) const { return values_.at(name); }
  double number(const std::string& name) const { return vector(name)[0]; }
  Points points(const std::string& name) const { return vector(name).reshaped(3, vector(name).size() / 3); }

  /// Stores all values of a part under names that begin with the prefix; `part` extracts them again.
  void put(const std::string& prefix, const Archive& part) {
    for (const auto& [name, values] : part.values_) values_[prefix + name] = values;
    for (const auto& [name, placement] : part.placements_) placements_[prefix + name] = placement;
  }
  Archive part(const std::string& prefix) const {
    Archive found;
    for (auto at = values_.lower_bound(prefix); at != values_.end() && at->first.starts_with(prefix); ++at)
      found.values_[at->first.substr(prefix.size())] = at->second;
    return found;
  }

  const std::map<std::string, Vector>& values() const { return values_; }
  /// Null: the vector has none.
  const Placement* placement(const std::string& name) const {
    const auto found = placements_.find(name);
    return found == placements_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Vector> values_;
  std::map<std::string, Placement> placements_;
};

}  // namespace shoal
