// Numbers and words of text files, for readers and their messages.
#pragma once

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace shoal {

/// A word for a message: shortened, and printable for any content of the file.
inline std::string shown(std::string_view word, std::size_t most = 24) {
  std::string text(word.substr(0, most));
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return word.size() > most ? text + "…" : text;
}

/// The whole word as a number, in the locale "C". Throws Error "line N: 'WORD' is not WHAT".
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

/// Reads a text word by word, for formats in which line breaks have no meaning.
class Words {
 public:
  /// `line` is the number of the text's first line.
  explicit Words(std::string_view text, std::size_t line = 1) : rest_(text), line_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  /// Not to be called at the end.
  std::string_view next() {
    word_line_ = line_;
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    skip_blanks();
    return word;
  }
  /// Skips the rest of the line of the last word.
  void skip_line() {
    if (line_ != word_line_) return;
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    skip_blanks();
  }
  std::size_t line() const { return word_line_; }  ///< of the last word

 private:
  static constexpr std::string_view blanks = " \t\r\n\v\f";

  void skip_blanks() {
    while (!rest_.empty() && blanks.find(rest_.front()) != std::string_view::npos) {
      line_ += rest_.front() == '\n';
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  std::size_t line_, word_line_ = line_;
};

}  // namespace shoal
