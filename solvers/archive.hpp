// What a model saves, as named values; after restoring it continues with the same bits.
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

  const std::map<std::string, Vector>& values() const { return values_; }

 private:
  std::map<std::string, Vector> values_;
};

}  // namespace shoal
