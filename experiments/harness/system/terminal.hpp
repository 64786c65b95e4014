// Output of the program: requested text on standard output, progress and messages on standard error; or where a program that
// embeds Shoal sends them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace shoal {

/// `text` with everything escaped, as \x1b or \u{202e}, that a terminal would interpret: control characters except newline,
/// marks that change the direction of writing, and bytes that are not UTF-8. The result is valid UTF-8.
std::string visible(std::string_view text);

/// Whether `text` is UTF-8 without NUL, as HDF5 attributes and TOML require.
bool is_recordable(std::string_view text);
/// Whether it also has no control characters, as XML requires.
bool is_plain_utf8(std::string_view text);

/// A word quoted for a shell, in UTF-8 for any content.
std::string shell_quoted(const std::string& word);

/// The receivers of requested text, and of progress and messages; empty: the standard streams.
struct OutputReceivers {
  std::function<void(std::string_view)> text, messages;
};
/// Replaces the receivers and returns the previous ones.
OutputReceivers send_output_to(OutputReceivers receivers);

/// Prints requested text, escaped by visible(). Throws MachineError if it cannot be written; a closed pipe ("| head") is no
/// error.
void print(std::string_view text);

/// Prints progress and messages, escaped by visible(). Ignores errors, so that they never stop the work.
void say(std::string_view text);

/// Prints the same unescaped, with the control sequences of the progress bar.
void say_raw(std::string_view text);

}  // namespace shoal
