// Numbers and words of text files, for readers and their messages. Lines end with "\n", "\r\n" or "\r".
#pragma once

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// A word for a message: shortened and printable for any content of the file.
inline std::string shown(std::string_view word, std::size_t most = 24) {
  std::string text(word.substr(0, most));
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return word.size() > most ? text + "…" : text;
}

/// The whole word as a number, in the locale "C"; empty if it is not one.
template <class Number>
std::optional<Number> number_of(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// The same. Throws Error "line N: 'WORD' is not WHAT".
template <class Number>
Number parse_word(std::string_view word, std::size_t line, std::string_view what) {
  if (const auto value = number_of<Number>(word)) return *value;
  throw Error(fmt::format("line {}: '{}' is not {}", line, shown(word), what));
}

/// Removes a number from the front of `bytes`. Throws Error if there are too few.
template <class Number>
Number take_number(std::string_view& bytes, bool big_endian) {
  char raw[sizeof(Number)];
  if (bytes.size() < sizeof raw) throw Error("the file ends there");
  std::copy_n(bytes.begin(), sizeof raw, raw);
  bytes.remove_prefix(sizeof raw);
  // Shoal assumes a little-endian machine.
  if (big_endian) std::reverse(std::begin(raw), std::end(raw));
  Number value;
  std::memcpy(&value, raw, sizeof raw);
  return value;
}

/// Removes a line and its end from the front of `text`.
inline std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

/// The words of a line.
inline std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(blanks, begin);
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

/// Reads a text word by word, for formats in which line breaks have no meaning.
class Words {
 public:
  /// `line` is the number of the text's first line.
  explicit Words(std::string_view text, std::size_t line = 1) : rest_(text), line_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  /// Requires !at_end().
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
    rest_.remove_prefix(std::min(rest_.find_first_of("\r\n"), rest_.size()));
    skip_blanks();
  }
  std::size_t line() const { return word_line_; }  ///< line of the last word
  /// Whether another word follows on the line of the last one.
  bool line_goes_on() const { return !at_end() && line_ == word_line_; }

 private:
  static constexpr std::string_view blanks = " \t\r\n\v\f";

  void skip_blanks() {
    while (!rest_.empty() && blanks.find(rest_.front()) != std::string_view::npos) {
      line_ += rest_.front() == '\n' || (rest_.front() == '\r' && !rest_.starts_with("\r\n"));
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  std::size_t line_, word_line_ = line_;
};

/// Reads a file with binary numbers between words of text.
class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : size_(bytes.size()), rest_(bytes) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  /// The next word without removing it; "" at the end.
  std::string_view peek() {
    skip_blanks();
    return rest_.substr(0, rest_.find_first_of(blanks));
  }
  /// The next word. Throws Error naming `what` at the end of the file.
  std::string_view next(std::string_view what) {
    const std::string_view word = peek();
    if (word.empty())
      throw Error(fmt::format("the file is cut short: it ends after {}, {} is missing", place(), what));
    rest_.remove_prefix(word.size());
    return word;
  }
  /// The next word as a number. Throws Error if it is not one.
  template <class Number>
  Number number(std::string_view what) {
    const std::string_view word = next(what);
    if (const auto value = number_of<Number>(word)) return *value;
    throw Error(fmt::format("{}: '{}' is not {}", place(), shown(word), what));
  }
  /// Skips the rest of the line and its end.
  std::string_view end_line() {
    if (!rest_.empty()) ++line_;
    return take_line(rest_);
  }
  /// The rest of the file, from which binary numbers are removed; place() then counts bytes.
  std::string_view& bytes() {
    in_text_ = false;
    return rest_;
  }
  std::string_view rest() const { return rest_; }
  void skip(std::size_t count) { rest_.remove_prefix(count); }
  /// "line 3", or "byte 200" in binary
  std::string place() const {
    return in_text_ ? fmt::format("line {}", line_) : fmt::format("byte {}", size_ - rest_.size());
  }

 private:
  static constexpr std::string_view blanks = " \t\r\n\v\f";

  void skip_blanks() {
    while (!rest_.empty() && blanks.find(rest_.front()) != std::string_view::npos) {
      line_ += rest_.front() == '\n' || (rest_.front() == '\r' && !rest_.starts_with("\r\n"));
      rest_.remove_prefix(1);
    }
  }

  std::size_t size_, line_ = 1;
  std::string_view rest_;
  bool in_text_ = true;
};

}  // namespace shoal
