// Words as users type them.
#pragma once

#include "discretizations/common/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// The index of a word among `names`. Throws Error "WHERE: 'x' is not one of a, b, c; did you mean 'a'?".
inline std::size_t choice(const std::vector<std::string>& names, const std::string& word,
                          const std::string& where) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end())
    throw Error(where + ": '" + word + "' is not one of " + join(names) + did_you_mean(word, names));
  return static_cast<std::size_t>(found - names.begin());
}

/// The text without surrounding blanks.
inline std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Parses a number of decimal digits from `min` to `max`; nothing if the text is not such a number.
inline std::optional<std::int64_t> parse_whole_number(std::string_view text, std::int64_t min,
                                                      std::int64_t max) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < min || value > max) return {};
  return value;
}

}  // namespace shoal
