// The unknowns of a model as one vector, and the layout of the fields in it.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/types.hpp"
#include "discretizations/mesh/mesh.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shoal {

std::string to_string(Location location);

/// One block of the unknowns: [components × elements], the first component of all elements first.
struct Field {
  std::string name;  ///< "volume", "momentum"
  std::string unit;
  Location location = Location::cell;
  Index components = 1;
  Index offset = 0, size = 0;  ///< entries of State::q
  /// the element of each entry; null: all elements in order
  std::shared_ptr<const Array<Index>> of_elements;

  /// The element that entry `index` < size of this field belongs to.
  Index element(Index index) const {
    const Index within = index % (size / components);
    return of_elements ? (*of_elements)[within] : within;
  }
};

class Layout {
 public:
  /// Appends a field of components × elements entries. Fields start at multiples of the widest vector
  /// register.
  const Field& add(std::string name, std::string unit, Location location, Index components, Index elements,
                   std::shared_ptr<const Array<Index>> of_elements = nullptr);

  const std::vector<Field>& fields() const { return fields_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Field& operator[](std::string_view name) const;  ///< asserts that it exists
  Index size() const { return size_; }                   ///< entries of State::q

 private:
  const Field* find(std::string_view name) const;

  std::vector<Field> fields_;
  Index size_ = 0;
};

/// Blocks of a state.
using Block = Eigen::Map<Vector, Eigen::AlignedMax>;
using ConstBlock = Eigen::Map<const Vector, Eigen::AlignedMax>;

/// The unknowns of a model, or their rate of change. Entries between fields are zero.
struct State {
  Vector q;

  Block operator[](const Field& field) { return {q.data() + field.offset, field.size}; }
  ConstBlock operator[](const Field& field) const { return {q.data() + field.offset, field.size}; }
};

inline State zero_state(const Layout& layout) {
  return {Vector::Zero(layout.size())};
}

}  // namespace shoal
