// The catalogue that tests work on: what Shoal brings, and what plugins have added.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

namespace shoal::test {

/// To be changed before the first test alone.
inline Catalog& mutable_catalog() {
  static Catalog catalog = builtin();
  return catalog;
}
inline const Catalog& catalog() {
  return mutable_catalog();
}

}  // namespace shoal::test
