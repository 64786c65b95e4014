// What the program says: to standard output what was asked for, to standard error how it goes.
#pragma once

#include <string>
#include <string_view>

namespace shoal {

/// `text` with all that a terminal would act on made visible: control characters (but newline), marks
/// that turn the direction of writing, and bytes that are not UTF-8, each as \x1b or \u{202e}. The result is
/// valid UTF-8.
std::string visible(std::string_view text);

/// Whether `text` is UTF-8 without a character 0: what HDF5 attributes and TOML can hold.
bool is_recordable(std::string_view text);
/// Whether it is without control characters besides: what XML can hold.
bool is_plain_utf8(std::string_view text);

/// A word as a shell takes it, in UTF-8 whatever it holds.
std::string shell_quoted(const std::string& word);

/// What the user asked for, made visible. Throws MachineError if it cannot be written; whoever closed the
/// pipe ("| head") has read enough.
void print(std::string_view text);

/// How it goes, made visible. What cannot be written is dropped: the work is worth more.
void say(std::string_view text);

/// The same as it is, with its control sequences: of the progress bar.
void say_raw(std::string_view text);

}  // namespace shoal
