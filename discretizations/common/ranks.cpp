#include "discretizations/common/ranks.hpp"

namespace shoal {

std::string Ranks::share(std::string text, int from) const {
  std::uint64_t size = text.size();
  copy(std::as_writable_bytes(std::span(&size, 1)), from);
  text.resize(size);
  copy(std::as_writable_bytes(std::span(text)), from);
  return text;
}

std::string first_said(const Ranks& ranks, const std::string& text) {
  if (ranks.count() == 1) return text;
  const int none = ranks.count();
  const int first = none - static_cast<int>(ranks.max(text.empty() ? 0 : none - ranks.rank()));
  return first == none ? "" : ranks.share(text, first);
}

}  // namespace shoal
