// Numbers and words of text files, for readers and their messages.
#pragma once

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

namespace shoal {

/// A word for a message: short and printable whatever the file holds.
inline std::string shown(std::string_view word) {
  std::string text(word.substr(0, 24));
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return word.size() > 24 ? text + "…" : text;
}

/// The number that the whole word spells, in the locale "C". Throws Error "line N: 'WORD' is not WHAT".
template <class Number>
Number parse_word(std::string_view word, std::size_t line, std::string_view what) {
  std::string_view digits = word;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  Number value{};
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size())
    throw Error(fmt::format("line {}: '{}' is not {}", line, shown(word), what));
  return value;
}

}  // namespace shoal
