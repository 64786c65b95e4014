// The saved state of a model, as named values. A restored model continues bit for bit.
#pragma once

#include "discretizations/common/types.hpp"

#include <map>
#include <string>

namespace shoal {

class Archive {
 public:
  void put(const std::string& name, const Eigen::Ref<const Vector>& values) { values_[name] = values; }
  void put(const std::string& name, double value) { values_[name] = Vector::Constant(1, value); }
  void put_points(const std::string& name, const Points& points) { values_[name] = points.reshaped(); }

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  const Vector& vector(const std::string& name) const { return values_.at(name); }
  double number(const std::string& name) const { return vector(name)[0]; }
  Points points(const std::string& name) const { return vector(name).reshaped(3, vector(name).size() / 3); }

  /// Stores all values of a part under names that begin with the prefix; `part` extracts them again.
  void put(const std::string& prefix, const Archive& part) {
    for (const auto& [name, values] : part.values_) values_[prefix + name] = values;
  }
  Archive part(const std::string& prefix) const {
    Archive found;
    for (auto at = values_.lower_bound(prefix); at != values_.end() && at->first.starts_with(prefix); ++at)
      found.values_[at->first.substr(prefix.size())] = at->second;
    return found;
  }

  const std::map<std::string, Vector>& values() const { return values_; }

 private:
  std::map<std::string, Vector> values_;
};

}  // namespace shoal
