#include "discretizations/entry.hpp"

namespace shoal {

const Offer* DiscretizationEntry::find_offer(std::string_view capability) const {
  for (const Offer& offer : offers)
    if (offer.capability == capability) return &offer;
  return nullptr;
}

}  // namespace shoal
