// The catalogue for tests: the built-in entries and those of plugins.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

namespace shoal::test {

/// To be changed before the first test only.
inline Catalog& mutable_catalog() {
  static Catalog catalog = builtin();
  return catalog;
}
inline const Catalog& catalog() {
  return mutable_catalog();
}

}  // namespace shoal::test
