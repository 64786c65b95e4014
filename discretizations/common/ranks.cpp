#include "discretizations/common/ranks.hpp"

namespace shoal {

std::string first_said(const Ranks& ranks, const std::string& text) {
  if (ranks.count() == 1) return text;
  const int none = ranks.count();
  const int first = none - static_cast<int>(ranks.max(text.empty() ? 0 : none - ranks.rank()));
  return first == none ? "" : ranks.share(text, first);
}

}  // namespace shoal
