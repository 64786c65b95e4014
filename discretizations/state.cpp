// Layout of fields, and their lookup by name.
#include "discretizations/state.hpp"

#include <cassert>

namespace shoal {

std::string to_string(Location location) {
  switch (location) {
    case Location::vertex:
      return "vertex";
    case Location::edge:
      return "edge";
    case Location::face:
      return "face";
    case Location::cell:
      return "cell";
    case Location::boundary_set:
      return "boundary set";
    case Location::whole:
      return "whole surface";
  }
  return "";
}

const Field& Layout::add(std::string name, std::string unit, Location location, Index components,
                         Index elements, std::shared_ptr<const Array<Index>> of_elements) {
  constexpr Index alignment = 8;  // doubles of a vector register of 512 bits
  const Index offset = (size_ + alignment - 1) / alignment * alignment;
  size_ = offset + components * elements;
  fields_.push_back({std::move(name), std::move(unit), location, components, offset, components * elements,
                     std::move(of_elements)});
  return fields_.back();
}

const Field* Layout::find(std::string_view name) const {
  for (const Field& field : fields_)
    if (field.name == name) return &field;
  return nullptr;
}

const Field& Layout::operator[](std::string_view name) const {
  const Field* field = find(name);
  assert(field && "a layout has the fields that its owner added");
  return *field;
}

}  // namespace shoal
