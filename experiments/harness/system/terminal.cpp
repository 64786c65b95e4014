// Standard output and error, when they are files, pipes without readers, or closed.
#include "experiments/harness/system/terminal.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

namespace shoal {
namespace {

/// The character at the beginning of `text` and its length in bytes; 0 bytes if it is invalid.
struct Character {
  std::uint32_t code;
  std::size_t size;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {0, 0};
  std::uint32_t code = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = (code << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < min_code[size] || code > 0x10ffff || surrogate) return {0, 0};
  return {code, size};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/// Marks of the writing direction, which can make a text look like a different one, and the two Unicode line separators.
bool turns_text(std::uint32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Whether `text` is UTF-8 and each character is `allowed`.
template <class Allowed>
bool all_characters(std::string_view text, const Allowed& allowed) {
  while (!text.empty()) {
    const auto [code, size] = first_character(text);
    if (size == 0 || !allowed(code)) return false;
    text.remove_prefix(size);
  }
  return true;
}

OutputReceivers& output_receivers() {
  static OutputReceivers receivers;
  return receivers;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [code, size] = first_character(text);
    if (size == 0 || (is_control(code) && size == 1 && code != '\n'))
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (size > 1 && (is_control(code) || turns_text(code)))
      result += fmt::format("\\u{{{:x}}}", code);
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

bool is_recordable(std::string_view text) {
  return all_characters(text, [](std::uint32_t code) { return code != 0; });
}

bool is_plain_utf8(std::string_view text) {
  return all_characters(
      text, [](std::uint32_t code) { return !is_control(code) && code != 0xfffe && code != 0xffff; });
}

std::string shell_quoted(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  const bool escaped = !is_plain_utf8(word);
  std::string result = escaped ? "$'" : "'";
  for (std::string_view rest = word; !rest.empty();) {
    const auto [code, size] = first_character(rest);
    if (escaped && (size == 0 || is_control(code)))
      for (const char c : rest.substr(0, std::max<std::size_t>(size, 1)))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else if (code == '\'')
      result += escaped ? "\\'" : "'\\''";
    else if (code == '\\' && escaped)
      result += "\\\\";
    else
      result += rest.substr(0, size);
    rest.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result + "'";
}

OutputReceivers send_output_to(OutputReceivers receivers) {
  return std::exchange(output_receivers(), std::move(receivers));
}

void print(std::string_view text) {
  const std::string shown = visible(text);
  if (const auto& receive = output_receivers().text) return receive(shown);
  errno = 0;
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) return;
  throw MachineError(fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
}

void say(std::string_view text) {
  say_raw(visible(text));
}

void say_raw(std::string_view text) {
  if (const auto& receive = output_receivers().messages) return receive(text);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  std::fflush(stderr);
}

}  // namespace shoal
